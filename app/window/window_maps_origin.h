/* SPDX-License-Identifier: MIT */
/* Where the maps of a window came from: what results that are made of them say of it. */
#pragma once

#include "render/scene/scene_map.h"
#include "window_document.h"

/* The result that a map is of; NULL: it is a file's, or live. The results keep it. */
DebyeResult *debye_window_maps_find_result(DebyeWindowDocument *self, DebyeField *field);
/* The file that a map can be read from again; NULL: none. Of a result's file that is its first map only. */
const char *debye_window_maps_find_path(DebyeWindowDocument *self, DebyeField *field);

/* All maps that could be compared: the scene's but `map`, then those of results that the scene shows no
 * more, whose names say how they were computed. (element-type DebyeSceneMap) */
GListStore *debye_window_maps_list_others(DebyeWindowDocument *self, DebyeField *map);

/* The story of a result that `request`, of debye_field_table, makes of `map`, less `subtracted` (or NULL).
 * Where both have files those are its inputs, and the request names the second; else the command tells how
 * they are computed first. */
typedef struct {
  char *input, *command; /* one of them; NULL: the other */
  GPtrArray *frames;     /* the map's notes of which frames it is (element-type DebyeNote) */
} DebyeMapOrigin;

void debye_window_maps_find_origin(DebyeWindowDocument *self, DebyeRequest *request, DebyeField *map,
                                   DebyeField *subtracted, DebyeMapOrigin *origin);
void debye_map_origin_clear(DebyeMapOrigin *origin);
void debye_map_origin_tell(const DebyeMapOrigin *origin, DebyeResult *result);
