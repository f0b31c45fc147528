/* SPDX-License-Identifier: MIT */
/* The exact electrostatic potential of a density of Gaussians at points, in double: each product of two Gaussians is a sum of
 * Hermite Gaussians about a place between them, whose potentials are derivatives of a Boys function (McMurchie & Davidson,
 * J. Comput. Phys. 26, 218 (1978); Helgaker, Jørgensen & Olsen, Molecular Electronic-Structure Theory, 9.9). */
#pragma once

#include "orbital_set.h"

typedef struct DebyeOrbitalPotential DebyeOrbitalPotential;

/* `density`: a symmetric matrix of n × n, n the basis's Cartesian Gaussians in their order: ρ = Σ D_ab χ_a χ_b. Products whose
 * potential is below `tolerance` everywhere (in the inverse of the basis's lengths) are left out. They take no more than
 * `most_bytes` (0: all that there is). INVALID: a degree or an exponent that there
 * can't be; NO_MEMORY; CANCELLED. `cancel` may be NULL. */
DebyeStatusCode debye_orbital_potential_new(const DebyeOrbitalBasis *basis, const double *density,
                                            double tolerance, uint64_t most_bytes,
                                            const volatile bool *cancel, DebyeOrbitalPotential **potential,
                                            DebyeStatus *status);
/* What the products may take at most, before any is left out for the density: those of Gaussians near enough to overlap. */
uint64_t debye_orbital_potential_most_bytes(const DebyeOrbitalBasis *basis);
/* Nothing happens to NULL. */
void debye_orbital_potential_free(DebyeOrbitalPotential *potential);
/* How many products count, and what all that were left out add at most. */
size_t debye_orbital_potential_get_n_products(const DebyeOrbitalPotential *potential);
double debye_orbital_potential_get_left_out(const DebyeOrbitalPotential *potential);

/* ∫ρ(r')/|r − r'| at n points: values are positive where the density is. By any number of threads at a time. */
void debye_orbital_potential_compute(const DebyeOrbitalPotential *potential, size_t n, const double *x,
                                     const double *y, const double *z, double *values);

/* F_m(t) = ∫₀¹ u^(2m) exp(−tu²) du for m = 0 … order (24 at most), to 1e-14 of F_m(0). */
void debye_orbital_boys(int order, double t, double *values);
