/* SPDX-License-Identifier: MIT */
/* The points of a small-angle curve that fits use, and the straight line through some of them. */
#pragma once

#include "data/results/curve.h"

typedef struct {
  gsize n;
  double *q;         /* Å⁻¹, ascending, > 0 */
  double *intensity; /* finite */
  double *error;     /* > 0; NULL: not known of all points */
  double *width;     /* standard deviation of q, Å⁻¹, ≥ 0; NULL: not known */
} DebyeFitPoints;

/* A range of q, ends included. */
typedef struct {
  double low, high;
} DebyeFitRange;

/* Copies what lies in `range` and outside each of the `masks` (of DebyeFitRange), and is finite. The curve's x must be in
 * Å⁻¹. FALSE with an error where q isn't ascending. */
gboolean debye_fit_points_init(DebyeFitPoints *points, DebyeCurve *curve, const DebyeFitRange *range,
                               const GArray *masks, GError **error);
void debye_fit_points_clear(DebyeFitPoints *points);
/* The indices of the points in the range: first … end − 1. */
void debye_fit_points_find(const DebyeFitPoints *points, const DebyeFitRange *range, gsize *first,
                           gsize *end);

/* y = a + b·x. */
typedef struct {
  double intercept, slope;
  double intercept_error, slope_error; /* from the weights; where these aren't known from the scatter */
  double chi_square;                   /* per degree of freedom; NAN where the weights aren't known */
  double deviation;                    /* root mean square of the residuals, weighted */
  gsize n;
} DebyeFitLine;

/* Least squares with weights 1/σ² (`errors` NULL: all the same). Points of which x, y or σ isn't finite or σ isn't
 * positive don't count. FALSE with fewer than three points or all at one x. */
gboolean debye_fit_line(gsize n, const double *x, const double *y, const double *errors, DebyeFitLine *line);

/* A law f(q) and its mean over a Gaussian of standard deviation `width` about q, by Gauss
 * and Hermite's rule; the part below q = 0 is folded back. */
typedef double (*DebyeFitLaw)(double q, gconstpointer parameters);
double debye_fit_smear(DebyeFitLaw law, gconstpointer parameters, double q, double width);
