/* SPDX-License-Identifier: MIT */
/* What the kinds of molecular surfaces share: how far atoms reach, which atom each vertex belongs to and
 * whose colours it has. */
#pragma once

#include <gio/gio.h>

#include "mesh.h"

typedef struct {
  gsize n_atoms;
  const float *x, *y, *z; /* Å, finite */
  const float *radii;     /* Å, above 0 */
  const guint32 *numbers; /* of the atoms, for the mesh */
  double resolution;      /* standard deviation of the Gaussians, Å */
  double longest_edge;    /* of triangles, for a large picture, Å; 0: as the grid has them */
} DebyeSurfaceAtoms;

double debye_surface_largest_radius(const DebyeSurfaceAtoms *atoms); /* Å */
void debye_surface_find_range(const float *values, gsize n, double *low, double *high);

/* Refines the mesh to the longest edge of a triangle and sets its atoms: of each vertex the one with the
 * least d² − R²; and its blends: each atom lends its colour by a Gaussian of the standard deviation `blend`
 * (Å), as far as there is room. At least one atom. The time is linear in the number of vertices; all
 * processors are used. FALSE: cancelled, or not enough memory. */
gboolean debye_surface_find_owners(const DebyeSurfaceAtoms *atoms, double blend, DebyeMesh *mesh,
                                   GCancellable *cancellable);

/* The narrowest that looks smooth on a mesh from a grid of this spacing, Å. */
double debye_surface_narrowest_blend(double spacing);
