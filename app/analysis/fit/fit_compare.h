/* SPDX-License-Identifier: MIT */
/* A computed curve against a measured one: a scale, a background, and the instrument's blur. */
#pragma once

#include "data/results/curve_fit.h"
#include "fit_points.h"

/* Fits the blurred model to the points, and *curve is it on their scale, named `name`. FALSE with an error where they
 * share fewer than three points or no positive scale fits. */
gboolean debye_fit_compare(DebyeCurve *model, const DebyeFitPoints *points, const char *name,
                           const char *unit, DebyeCurveFit *fit, DebyeCurve **curve, GError **error);
