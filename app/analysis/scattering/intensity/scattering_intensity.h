/* SPDX-License-Identifier: MIT */
/* Computes I(q) from the sums of a run, for the species as they are or for another fraction of deuterium;
 * scattering_result.c calls it. */
#pragma once

#include "app/analysis/driver/device_choice.h"
#include "app/analysis/scattering/system/scattering_norm.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "scattering_sums.h"
#include "scattering_volume.h"

/* What a run has found so far. */
typedef struct {
  DebyeScatteringPlan plan;
  DebyeScatteringSums *sums; /* NULL without coherent scattering */
  double *q;                 /* Å⁻¹, of the rows */
  gsize n_q;
  DebyeScatteringVolume *volume; /* or NULL */
  double cell_volume;            /* Å³, the frames' mean, where there are no sums to know it; 0: no cell */
  gsize n_frames;
  DebyeLaneTotals lanes;
} DebyeScatteringFound;

/* A part in the plan's normalisation, into values[n_q]; standard errors into errors[n_q], where not NULL
 * (NAN where there are none). `x` is the fraction of deuterium of the exchangeable hydrogens; NAN: as the
 * species say. */
void debye_scattering_intensity(const DebyeScatteringFound *found, DebyeScatteringPart part, double x,
                                double *values, double *errors);
/* Whether there are blocks enough for standard errors. */
gboolean debye_scattering_intensity_has_errors(const DebyeScatteringFound *found);
/* Å³: what was asked for, else the mean of the frames; 0: none. */
double debye_scattering_intensity_volume(const DebyeScatteringFound *found);

/* Of hydrogens at 0, 50 and 100 % deuterium: the curve `name` of that part, and what it was divided by where
 * that depends on the fraction, as matrices (data/results/contrast.h says why three are enough). Where no
 * exchange was asked for all hydrogens are meant. Nothing is added for X-rays and without hydrogens. */
void debye_scattering_intensity_add_contrast(DebyeResult *result, const DebyeScatteringFound *found,
                                             DebyeScatteringPart part, const DebyeQuantity *quantity,
                                             const char *name);
