/* SPDX-License-Identifier: MIT */
/* The geometric factor of nearest images: how much of a spherical shell around an atom lies among the points that are nearer
 * to it than to any of its images, which is its cell laid around it (of a skew lattice the Wigner–Seitz cell). Beyond half
 * the least width shells stick out, and g(r) of nearest images falls off by this factor; an ideal gas has it as its g(r).
 *
 * Upright cells: exact; the share of a sphere in a cuboid is 1 less its caps and more the overlaps of two caps, whose solid
 * angle follows from the theorem of Gauss and Bonnet; of a cube it is the formula of D. N. Theodorou & U. W. Suter, J. Chem.
 * Phys. 82 (1985) 955. Other cells: from many directions, with the distance of the Wigner–Seitz cell's face along each. */
#pragma once

#include <glib.h>

#include "kernels/minimum_image.h"

/* Å: no nearest image is farther away; half the diagonal of an upright cell. 0: `cell` is none. */
double debye_geometric_factor_reach(const DebyeCell *cell);
/* factor[k]: of the shell from k·width to (k + 1)·width (Å), by volume; 0 … 1. Returns how far factors may be off: 0 where
 * they are exact, else the largest difference to those of half as many directions. */
double debye_geometric_factor_fill(const DebyeCell *cell, double width, gsize n_bins, double *factor);
