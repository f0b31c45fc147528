/* SPDX-License-Identifier: MIT */
/* A map by its name, for lists to choose from. One that is being computed is replaced as it grows.
 *
 * Properties: "name" string, "field" DebyeField (NULL: an entry that stands for no map). */
#pragma once

#include "data/results/field.h"

#define DEBYE_TYPE_SCENE_MAP (debye_scene_map_get_type())
G_DECLARE_FINAL_TYPE(DebyeSceneMap, debye_scene_map, DEBYE, SCENE_MAP, GObject)

DebyeSceneMap *debye_scene_map_new(const char *name, DebyeField *field);
const char *debye_scene_map_get_name(DebyeSceneMap *self);
DebyeField *debye_scene_map_get_field(DebyeSceneMap *self);
void debye_scene_map_set_field(DebyeSceneMap *self, DebyeField *field);
