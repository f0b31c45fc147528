/* SPDX-License-Identifier: MIT */
/* Computes F(hkl, t), the amplitudes of chosen vectors of the reciprocal lattice, by one transform of each
 * frame (kernels/scattering/scattering_lattice.h), for intermediate_scattering_coherent.c. One device does
 * it; if that fails, the next. */
#pragma once

#include <complex.h>

#include "intermediate_scattering.h"

typedef struct _DebyeLatticeAmplitudes DebyeLatticeAmplitudes;

/* Of the plan's vectors [first, first + n), which have indices. `may_be_packed`: frames, each for itself. NULL with an
 * error. */
DebyeLatticeAmplitudes *debye_lattice_amplitudes_new(const DebyeIntermediateScattering *scattering,
                                                     gsize first, gsize n, gboolean may_be_packed,
                                                     GError **error);
void debye_lattice_amplitudes_free(DebyeLatticeAmplitudes *amplitudes);

/* Writes values[species·n + vector] of a frame with its cell. FALSE with an error. */
gboolean debye_lattice_amplitudes_execute(DebyeLatticeAmplitudes *amplitudes,
                                          const DebyeScatteringFrame *frame, double complex *values,
                                          GError **error);
