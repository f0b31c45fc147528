/* SPDX-License-Identifier: MIT */
/* The solvent-excluded surface of a molecule: the boundary of what a ball of the solvent's size can't reach
 * (Richards, Annu. Rev. Biophys. Bioeng. 6, 151 (1977); Connolly, Science 221, 709 (1983)). It is where the
 * distance to the solvent-accessible surface, inwards, is the ball's radius; that distance is found on a
 * grid, as by Xu and Zhang, PLoS ONE 4, e8140 (2009), but from points that lie on the accessible surface
 * exactly. */
#pragma once

#include "molecular_surface.h"

G_BEGIN_DECLS

/* `probe`: radius of the ball, Å, above 0. The grid's spacing is half the atoms' resolution, or what fits
 * into `max_points`. A vertex is off by about spacing² / 8 probe. The time is linear in the number of atoms;
 * all processors are used. Cavities that hold the ball have surfaces of their own. NULL: cancelled, or not
 * enough memory. */
DebyeMesh *debye_excluded_surface_new(const DebyeSurfaceAtoms *atoms, double probe, gsize max_points,
                                      GCancellable *cancellable);

G_END_DECLS
