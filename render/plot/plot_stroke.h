/* SPDX-License-Identifier: MIT */
/* A curve while its layout is made: which of its points are in view, where they stand, and, where they are
 * many, the columns of pixels that they fall into. */
#pragma once

#include "plot_layout_private.h"

/* A curve while it is drawn. */
typedef struct {
  DebyePlotLayout *layout;
  DebyePlotSeries *series;
  const double *x, *y, *errors;
  gsize first, last; /* points in view, and one on each side */
  gboolean is_dense;
  gsize n_columns;
} DebyePlotStroke;

typedef struct {
  gsize first, last; /* points first … last-1 */
  double page_x;     /* the column's middle */
  DebyePlotExtremes extremes;
} DebyePlotPixelColumn;

void debye_plot_stroke_init(DebyePlotStroke *stroke, DebyePlotLayout *layout, DebyePlotSeries *series);
/* On the page. */
double debye_plot_stroke_place_x(const DebyePlotStroke *stroke, double value);
double debye_plot_stroke_place_y(const DebyePlotStroke *stroke, double value);
/* A logarithmic axis has no place for what isn't positive. */
gboolean debye_plot_stroke_has_place_x(const DebyePlotStroke *stroke, gsize i);
/* The points of the next column that has any, from point `at` on; FALSE at the end. */
gboolean debye_plot_stroke_next_column(const DebyePlotStroke *stroke, gsize at, DebyePlotPixelColumn *column);

/* Error bars, and markers (plot_layout_points.c). */
void debye_plot_stroke_add_bars(const DebyePlotStroke *stroke);
void debye_plot_stroke_add_points(const DebyePlotStroke *stroke);
