/* SPDX-License-Identifier: MIT */
/* The area of the surface that the center of a probe which rolls over atoms can be on, atom by atom: the solvent-accessible
 * one (B. Lee & F. M. Richards, J. Mol. Biol. 55 (1971) 379), without dots and slices. */
#pragma once

#include "kernels/status.h"
#include "sphere_bins.h"

/* areas: Å², of each atom; with a probe of 0 the van der Waals surface's. Relative error 1e-7 of a
 * sphere's area: exposed angles by height, between the heights where arcs begin, end or turn, by Gauss's
 * rule. Inputs as debye_surface_init() checks them. NO_MEMORY. */
DebyeStatusCode debye_surface_areas(const DebyeSpheres *spheres, double probe, double *areas,
                                    DebyeStatus *status);
