/* SPDX-License-Identifier: MIT */
/* A slab of a grid for isosurface_host.c: its slices first … end − 1, the cells between them, and those between the first
 * and the slice before it. */
#pragma once

#include "isosurface.h"

typedef struct {
  const DebyeGrid *grid; /* at least two points a side, steps that span a volume */
  const float *values;
  double level; /* finite */
  size_t first, end;
  bool (*is_stopped)(const void *stopper); /* NULL: nobody stops it */
  const void *stopper;
  /* What is made. The mesh begins with copies of the vertices on edges within the slice before `first`. */
  DebyeIsosurface mesh;
  bool is_made; /* false: stopped or out of memory, and all is empty */
  size_t n_copies, n_border;
  uint32_t *border; /* vertices of which the next slab has copies, in their order; to be freed */
} DebyeIsosurfaceSlab;

/* Any thread. */
void debye_isosurface_slab_make(DebyeIsosurfaceSlab *slab);
