/* SPDX-License-Identifier: MIT */
/* The solvent-excluded surface by trying everything: of each atom, pair and triple of atoms the nearest places of a probe that
 * touches it, and whether any other atom is in the way. */
#pragma once

#include "kernels/surface/surface.h"

/* Distance, Å, from a point to where the center of a probe can be: 0 where it can be there. */
double debye_oracle_probe_distance(const DebyeSpheres *spheres, double probe, DebyeVec3 at);
