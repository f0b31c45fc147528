/* SPDX-License-Identifier: MIT */
/* A measured curve on the scale of a computed one: detectors count in units of their own. */
#pragma once

#include "curve.h"

/* The factor c that makes Σ w·(c·y − f)² least, f the model between its points, over the x that both have;
 * w is 1/error² where all errors are known and positive, else 1. FALSE where they share no x, or the measured
 * curve is zero there. Both ordered, in the same unit of x. */
gboolean debye_curve_fit_scale(DebyeCurve *measured, DebyeCurve *model, double *factor);
/* y = scale·f + background, what a detector counts and what it counts besides. */
typedef struct {
  double scale, background;
  double chi_square; /* per degree of freedom; NAN where not all errors are known */
  gsize n_points;    /* that both curves share */
} DebyeCurveFit;

/* Σ w·(y − scale·f − background)² least over the x that both have, w as above. FALSE with fewer than three
 * points, a model that is constant there, or a scale that isn't positive. Both ordered, in the same unit of
 * x. */
gboolean debye_curve_fit_line(DebyeCurve *measured, DebyeCurve *model, DebyeCurveFit *fit);
/* (y − background)/scale, the errors with it: the measured curve where the model is. */
DebyeCurve *debye_curve_apply_fit(DebyeCurve *curve, const DebyeCurveFit *fit);
/* y and its errors multiplied; x, name and style as they are. */
DebyeCurve *debye_curve_scale(DebyeCurve *curve, double factor);
