/* SPDX-License-Identifier: MIT */
/* What multilevel summation is compared with in systems that are periodic along one or two axes, one point at
 * a time and slowly. */
#pragma once

#include "kernels/potential/potential.h"

/* Σ q/max(d, core) over all images along the edges that `periodic` names. Two: Ewald's sums for a layer
 * (Parry, Surf. Sci. 49 (1975) 433), a net charge Q giving −2πQ|z|/A far away. One: the images one by one,
 * evenly to both sides, with the tail of the sum by Euler and Maclaurin; a net charge gives −2(Q/L) ln(ρ/Å)
 * far away. */
double debye_oracle_layer(const DebyeCharges *charges, const DebyeCell *cell, unsigned periodic,
                          double core_radius, DebyeVec3 point);
double debye_oracle_wire(const DebyeCharges *charges, const DebyeCell *cell, unsigned periodic,
                         double core_radius, DebyeVec3 point);
