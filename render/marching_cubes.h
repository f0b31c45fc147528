/* SPDX-License-Identifier: MIT */
/* An isosurface as a closed, consistently oriented mesh. Ambiguous faces are decided by the asymptotic
 * decider (Nielson & Hamann 1991), so neighbouring cells agree and the surface is closed except where it
 * leaves the grid. Points that are not finite count as outside the body that the surface encloses: below the
 * level, or above a negative one. */
#pragma once

#include <gio/gio.h>

#include "data/geometry.h"

G_BEGIN_DECLS

typedef struct {
  gsize n_vertices, n_triangles;
  float *positions; /* 3 a vertex, Å */
  float *normals;   /* 3 a vertex, unit, from the field's gradient, pointing to lower values */
  guint32 *indices; /* 3 a triangle, counter-clockwise seen from the side of lower values */
} DebyeMesh;

void debye_mesh_free(DebyeMesh *mesh);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMesh, debye_mesh_free)

/* NULL when cancelled or out of memory. */
DebyeMesh *debye_marching_cubes(const DebyeGrid *grid, const float *values, double level,
                                GCancellable *cancellable);

G_END_DECLS
