/* SPDX-License-Identifier: MIT */
/* The map that debye-cli render shows: from a file, or computed as debye-cli map would. */
#pragma once

#include "app/analysis/driver/alignment.h"
#include "app/installation/devices.h"
#include "arguments.h"
#include "data/trajectory/dataset.h"
#include "data/results/field.h"

typedef struct {
  DebyeArguments *arguments;
  const char *path;      /* of a file that holds map and molecule, where no other is asked for; NULL: none */
  DebyeDevices *devices; /* NULL until something is to be computed or meshed */
  DebyeField *field;     /* that is shown; NULL: none */
  DebyeField *coloring;  /* of its surfaces and of the molecule's; NULL: by their sign */
  gboolean is_computed;  /* from the charges, not a file's */
  gboolean is_needed;    /* whatever layers are asked for */
  DebyeAlignment alignment; /* as the frames of an average were superposed */
} DebyeRenderMap;

/* Before files are opened: devices wake meanwhile, if a map will be computed. */
void debye_render_map_expect(DebyeRenderMap *map);
/* The first map, of this frame of the dataset (NULL: there is none, the map is a file's), and what colours
 * surfaces. No map is no error where none is asked for. */
gboolean debye_render_map_begin(DebyeRenderMap *map, DebyeDataset *dataset, gsize frame, GError **error);
/* Whether options ask for layers of the map: isosurfaces, slices. */
gboolean debye_render_map_has_layers(const DebyeRenderMap *map);
/* Each frame has a map of its own. */
gboolean debye_render_map_follows(const DebyeRenderMap *map);
/* On the grid of the first. */
gboolean debye_render_map_compute(DebyeRenderMap *map, DebyeDataset *dataset, gsize frame, GError **error);
/* Nothing more will be computed or meshed: devices that have computed the map are given back while the last picture is drawn. */
void debye_render_map_rest(DebyeRenderMap *map);
void debye_render_map_clear(DebyeRenderMap *map);
