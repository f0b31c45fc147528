/* SPDX-License-Identifier: MIT */
/* From the amplitudes of a frame to the mean products of each shell. */
#pragma once

#include <complex.h>

#include "scattering_plan.h"

G_BEGIN_DECLS

/* The amplitude of a cell filled evenly with one scatterer, whose lower corner is at `corner`:
 * ∫ exp(iq·r) d³r / V = exp(iq·(corner + (a + b + c)/2)) Π sin(q·a/2)/(q·a/2). */
double complex debye_cell_shape(const DebyeCell *cell, DebyeVec3 corner, DebyeVec3 q);

/* Takes that, times the number of atoms of each species, off the amplitudes A[species·n_vectors + vector].
 * Atoms are wrapped into the cell with its corner at 0. */
void debye_scattering_correct_box(const DebyeScatteringPlan *plan, const DebyeCell *cell,
                                  const DebyeVec3 *vectors, double complex *amplitudes);

/* products[pair·n_shells + shell]: A_a A_b* averaged over the shell's vectors with their weights. Where a
 * vector stands for its opposite, too, that is the real part for real weights of species. */
void debye_scattering_fold(const DebyeScatteringPlan *plan, const double complex *amplitudes,
                           double complex *products);

G_END_DECLS
