/* SPDX-License-Identifier: MIT */
/* A membrane as layers across z: what a section of a line has of it, and where it leaves ions; used by poisson_medium.c and
 * poisson_voltage.c. */
#pragma once

#include "data/geometry.h"
#include "kernels/shared_math.h"

DEBYE_BEGIN_DECLS

/* Layers across z between low and high, which have head groups on both sides and, about an axis along z, a pore filled with
 * solvent. Ions stay their radius off its faces. */
typedef struct {
  bool is_there;
  double low, high, permittivity; /* Å */
  double head, head_permittivity; /* Å, of low to high, on each side; 0: no head groups */
  double pore, x, y;              /* radius, 0: none; its axis */
  double voltage;                 /* of the side below against the one above, kT/e */
} DebyePoissonMembrane;

/* ∫ds/ε from z0 to z1, beside a pore; `solvent` is the permittivity beyond. */
double debye_poisson_membrane_integrate(const DebyePoissonMembrane *membrane, double solvent, double z0,
                                        double z1);
/* Likewise from one place on along an axis, by so much. */
double debye_poisson_membrane_resistance(const DebyePoissonMembrane *membrane, double solvent, DebyeVec3 at,
                                         int axis, double length);
/* The share of `height` about a place in which the center of an ion can be, as far as the membrane has a say: it is the
 * ion's radius off the faces and the pore's wall. */
double debye_poisson_membrane_admits(const DebyePoissonMembrane *membrane, double ion_radius, DebyeVec3 at,
                                     double height);

DEBYE_END_DECLS
