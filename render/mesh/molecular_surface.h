/* SPDX-License-Identifier: MIT */
/* The surface of a molecule: where a sum of Gaussians, one an atom, passes 1 (Blinn, ACM Trans. Graph. 1, 235
 * (1982); Grant and Pickup, J. Phys. Chem. 99, 3503 (1995)). A lone atom's is the sphere of its radius,
 * whatever the resolution; crevices narrower than the resolution are closed. */
#pragma once

#include <gio/gio.h>

#include "mesh.h"

G_BEGIN_DECLS

typedef struct {
  gsize n_atoms;
  const float *x, *y, *z; /* Å, finite */
  const float *radii;     /* Å, above 0 */
  const guint32 *numbers; /* of the atoms, for the mesh */
  double resolution;      /* standard deviation of the Gaussians, Å */
  double longest_edge;    /* of triangles, for a large picture, Å; 0: as the grid has them */
} DebyeSurfaceAtoms;

/* The time is linear in the number of atoms; all processors are used. The grid gets wider than the resolution
 * asks for where it wouldn't fit into `max_points`. NULL: cancelled, or not enough memory. */
DebyeMesh *debye_molecular_surface_new(const DebyeSurfaceAtoms *atoms, gsize max_points,
                                       GCancellable *cancellable);

G_END_DECLS
