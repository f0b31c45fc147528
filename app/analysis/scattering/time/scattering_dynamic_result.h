/* SPDX-License-Identifier: MIT */
/* Turns signals in time into curves, a matrix and tables; scattering_dynamic.c calls it. */
#pragma once

#include "intermediate_scattering.h"
#include "scattering_spectrum.h"

/* The names of the quantities F(q, τ), over τ and as a matrix of all q, and F(q, τ)/F(q, 0), which a plot turns to. */
#define DEBYE_SCATTERING_F "F"
#define DEBYE_SCATTERING_F_MATRIX "fqt"
#define DEBYE_SCATTERING_NORMALISED "F_normalised"

typedef struct {
  DebyeScatteringSignals signals;             /* of all that was asked for */
  DebyeScatteringDisplacements displacements; /* n_bins 0: none were counted */
  gsize n_times;                              /* that are told, of the signals' */
  gsize n_passes;                             /* over the trajectory, so far */
  gboolean as_rows;                           /* rows of vectors are told first, else F over time */
  double volume;                              /* Å³, of absolute units: the frames' mean, or as was said */
  double seconds;
  const DebyeSpectrumSettings *spectrum; /* NULL: not asked for */
} DebyeIntermediateScatteringData;

DebyeResult *debye_scattering_dynamic_result_new(const DebyeIntermediateScattering *scattering,
                                                 const DebyeIntermediateScatteringData *found,
                                                 GError **error);
