/* SPDX-License-Identifier: MIT */
/* The result of fits: a row per fit, and the curves of its plots. */
#pragma once

#include "data/results/result.h"
#include "fit_distribution.h"
#include "fit_laws.h"

/* A row of the table; NAN and NULL: the fit has none. */
typedef enum {
  DEBYE_FIT_Q_MIN,
  DEBYE_FIT_Q_MAX,
  DEBYE_FIT_POINTS,
  DEBYE_FIT_RG,
  DEBYE_FIT_RG_ERROR,
  DEBYE_FIT_I0,
  DEBYE_FIT_I0_ERROR,
  DEBYE_FIT_MASS,
  DEBYE_FIT_MASS_ERROR,
  DEBYE_FIT_D,
  DEBYE_FIT_D_ERROR,
  DEBYE_FIT_DIMENSION,
  DEBYE_FIT_POROD_CONSTANT,
  DEBYE_FIT_POROD_ERROR,
  DEBYE_FIT_INVARIANT,
  DEBYE_FIT_VOLUME,
  DEBYE_FIT_VOLUME_ERROR,
  DEBYE_FIT_SURFACE,
  DEBYE_FIT_D_MAX,
  DEBYE_FIT_D_MAX_ERROR,
  DEBYE_FIT_SCALE,
  DEBYE_FIT_BACKGROUND,
  DEBYE_FIT_CHI_SQUARE,
  DEBYE_FIT_N_NUMBERS,
} DebyeFitNumber;

typedef struct {
  const char *fit;     /* "guinier" */
  const char *fractal; /* "mass", "surface" */
  char *curve;
  double numbers[DEBYE_FIT_N_NUMBERS];
} DebyeFitRow;

/* A curve that is fitted. */
typedef struct {
  const char *name;
  const char *unit; /* of its intensity */
  const DebyeFitPoints *points;
  const DebyeFitPoints *all; /* also those beyond the range of q, but for masked ones */
} DebyeFitSubject;

/* Begins a row with every number NAN. The array is of DebyeFitRow, to be freed with its rows. */
GArray *debye_fit_rows_new(void);
DebyeFitRow *debye_fit_rows_add(GArray *rows, const char *fit, const char *curve, const DebyeFitRange *range,
                                gsize n_points, double chi_square);
void debye_fit_result_add_table(DebyeResult *result, const GArray *rows, const char *intensity_unit);

/* The curve itself, after all others: its name is what legends have for them. */
void debye_fit_result_add_intensity(DebyeResult *result, const DebyeFitSubject *subject);
void debye_fit_result_add_guinier(DebyeResult *result, const DebyeFitSubject *subject,
                                  const DebyeGuinierFit *fit);
/* `fit` NULL: not normalised. */
void debye_fit_result_add_kratky(DebyeResult *result, const DebyeFitSubject *subject,
                                 const DebyeGuinierFit *fit);
void debye_fit_result_add_power(DebyeResult *result, const DebyeFitSubject *subject,
                                const DebyePowerFit *fit);
void debye_fit_result_add_porod(DebyeResult *result, const DebyeFitSubject *subject,
                                const DebyePorodFit *fit);
void debye_fit_result_add_distances(DebyeResult *result, const DebyeFitSubject *subject,
                                    const DebyeDistanceFit *fit);
