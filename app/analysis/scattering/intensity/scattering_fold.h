/* SPDX-License-Identifier: MIT */
/* Folds the amplitudes of a frame into the mean products of each shell, for scattering_by_vectors.c and
 * time/intermediate_scattering_coherent.c. */
#pragma once

#include <complex.h>

#include "app/analysis/scattering/system/scattering_plan.h"

/* Amplitudes of a run of the plan's vectors, A[species·n + i] of vector first + i. */
typedef struct {
  gsize first, n;
  double complex *amplitudes;
} DebyeAmplitudeRun;

/* Takes that shape, times the number of atoms of each species, off the amplitudes. Atoms are wrapped into the
 * cell with its corner at 0; `vectors` are all those of the plan, as they are in this frame. */
void debye_scattering_correct_box(const DebyeScatteringPlan *plan, const DebyeCell *cell,
                                  const DebyeVec3 *vectors, const DebyeAmplitudeRun *run);

/* A copy whose atoms are in the cell with its corner at 0. NULL with an error without the memory. */
DebyeFrame *debye_scattering_wrap_frame(const DebyeFrame *frame, GError **error);

/* Adds the run's share to products[pair·n_shells + shell], the mean of A_a A_b* over the shell's vectors with
 * their weights. Of a vector that stands for its opposite, too, that is the real part. */
void debye_scattering_fold(const DebyeScatteringPlan *plan, const DebyeAmplitudeRun *run,
                           double complex *products);
