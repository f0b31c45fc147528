/* SPDX-License-Identifier: MIT */
/* The extremes of a curve over any stretch of its points, in a few steps: what makes ten million points as
 * quick to draw as a thousand. */
#pragma once

#include "data/results/curve.h"

/* Over values that are finite; minimum > maximum where there are none. */
typedef struct {
  double minimum, maximum; /* of y */
  double low, high;        /* of y − error and y + error; as above without errors */
} DebyePlotExtremes;

typedef struct _DebyePlotReduction DebyePlotReduction;

/* Borrows the curve's values: hold the curve as long. */
DebyePlotReduction *debye_plot_reduction_new(DebyeCurve *curve);
void debye_plot_reduction_free(DebyePlotReduction *reduction);
/* Of the points first … last-1. */
DebyePlotExtremes debye_plot_reduction_get(const DebyePlotReduction *reduction, gsize first, gsize last);

/* The first point of an ordered curve whose x is at least `value`, from point `first` on; n where none is. */
gsize debye_plot_find_x(const double *x, gsize first, gsize n, double value);
