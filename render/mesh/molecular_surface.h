/* SPDX-License-Identifier: MIT */
/* The surface of a molecule: where a sum of Gaussians, one an atom, passes 1 (Blinn, ACM Trans. Graph. 1, 235
 * (1982); Grant and Pickup, J. Phys. Chem. 99, 3503 (1995)). A lone atom's is the sphere of its radius,
 * whatever the resolution; crevices narrower than the resolution are closed. */
#pragma once

#include "surface_owners.h"

/* The time is linear in the number of atoms; all processors are used. The grid gets wider than the resolution
 * asks for where it wouldn't fit into `max_points`. NULL: cancelled, or not enough memory. */
DebyeMesh *debye_molecular_surface_new(const DebyeSurfaceAtoms *atoms, gsize max_points,
                                       GCancellable *cancellable);
