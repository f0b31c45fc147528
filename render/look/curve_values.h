/* SPDX-License-Identifier: MIT */
/* What options do to the values of a plot's curves: dividing them, and the differences of measured and computed ones. */
#pragma once

#include "render/plot/plot.h"

typedef enum {
  DEBYE_LOOK_BY_FIRST,   /* F(q, τ)/F(q, 0) */
  DEBYE_LOOK_BY_LARGEST, /* g(r)/max g(r) */
} DebyeLookDivisor;

/* Divides the curves of the left axis, with their errors, each by its first value or its largest one; the label of the axis
 * says so. Marks of the values before go. A value that nothing can be divided by is an error; a curve
 * without a finite one stays. */
gboolean debye_look_divide(DebyePlot *plot, DebyeLookDivisor divisor, GError **error);

/* Under the plot, over the same axis: of each measured curve (points) the difference to the first computed one (a line),
 * linear between its points, by the standard error where that is known: (y − f(x))/σ. Without measured curves, of each
 * computed one to the first of its name ("O–O" of “300 K: O–O”), or to the first of all where no two have one, in their
 * unit and with both errors' √(σ₁² + σ₂²) where they are known. FALSE: there are no two such curves. */
gboolean debye_look_add_residuals(DebyePlot *plot);
