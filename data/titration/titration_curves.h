/* SPDX-License-Identifier: MIT */
/* Titration curves of the sites of titration_model.h, and what is read off them: pK½, Hill coefficients, the total charge and
 * the isoelectric point. Called by app/analysis/titration. */
#pragma once

#include "titration_sampling.h"

typedef struct {
  double first, step; /* pH */
  gsize n;
} DebyeTitrationRange;

/* Of a site. */
typedef struct {
  double half, half_error; /* the pH at which it has half its proton; NAN: not in the range */
  double hill, hill_error; /* slope of −log10(θ/(1 − θ)) over pH there; NAN likewise */
} DebyeTitrationMidpoint;

typedef struct {
  gsize n_sites, n_states, n_ph;
  gboolean is_exact; /* all ways were counted: errors are 0 */
  double *ph;
  double *occupancy, *error;             /* [pH · n_states + state] */
  double *protonated, *protonated_error; /* [pH · n_sites + site] */
  double *charge;                        /* e, of all at each pH */
  DebyeTitrationMidpoint *midpoints;
  double isoelectric; /* pH; NAN: not in the range */
} DebyeTitrationCurves;

typedef struct {
  DebyeTitrationRange range;
  DebyeTitrationSampling sampling;
  double charge;               /* e, of all but the protons that sites take up */
  guint n_threads;             /* at most; 0: one per processor */
  const volatile bool *cancel; /* NULL: none */
} DebyeTitrationCurvesSettings;

/* NULL: it was stopped. */
DebyeTitrationCurves *debye_titration_curves_new(const DebyeTitrationModel *model,
                                                 const DebyeTitrationCurvesSettings *settings);
void debye_titration_curves_free(DebyeTitrationCurves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTitrationCurves, debye_titration_curves_free)
