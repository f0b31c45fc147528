/* SPDX-License-Identifier: MIT */
/* A slab of a grid for marching_cubes.c: its slices first … end − 1, the cells between them, and those between the first
 * and the slice before it. */
#pragma once

#include <gio/gio.h>

#include "mesh.h"

G_BEGIN_DECLS

typedef struct {
  const DebyeGrid *grid; /* at least two points a side, steps that span a volume */
  const float *values;
  double level; /* finite */
  gsize first, end;
  GCancellable *cancellable;
  /* What is made. The mesh begins with copies of the vertices on edges within the slice before `first`. */
  DebyeMesh *mesh; /* NULL: cancelled or out of memory */
  gsize n_copies, n_border;
  guint32 *border; /* vertices of which the next slab has copies, in their order; to be freed */
} DebyeMarchingSlab;

/* Any thread. */
void debye_marching_slab_make(DebyeMarchingSlab *slab);

G_END_DECLS
