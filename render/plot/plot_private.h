/* SPDX-License-Identifier: MIT */
/* The fields of a plot, for the files that implement it and lay it out. */
#pragma once

#include "plot.h"
#include "plot_reduction.h"

G_BEGIN_DECLS

typedef struct {
  guint id;
  DebyeCurve *curve;
  DebyePlotReduction *reduction; /* of the curve; NULL until first drawn */
  DebyePlotAxis axis;
  gboolean hidden;
  guint color;
  DebyePlotDash dash;
  DebyePlotMarker marker;
  gboolean has_markers; /* on a line too */
} DebyePlotSeries;

typedef struct {
  DebyePlotAxis axis;
  double value;
  char *markup; /* or NULL */
} DebyePlotReference;

typedef struct {
  double x, y;
  char *markup; /* or NULL */
} DebyePlotPeak;

GPtrArray *debye_plot_get_all_series(DebyePlot *self); /* DebyePlotSeries */
GPtrArray *debye_plot_get_references(DebyePlot *self); /* DebyePlotReference */
GPtrArray *debye_plot_get_peaks(DebyePlot *self);      /* DebyePlotPeak */
const char *debye_plot_get_caption(DebyePlot *self);   /* NULL: none */
gboolean debye_plot_get_highlight(DebyePlot *self, double *from, double *to);
/* Whether anything stands on the axis. */
gboolean debye_plot_has_axis(DebyePlot *self, DebyePlotAxis axis);
DebyePlotReduction *debye_plot_series_reduce(DebyePlotSeries *series);

/* The range that the data need, in plot_range.c. */
void debye_plot_find_range(DebyePlot *self, DebyePlotAxis axis, double *minimum, double *maximum);

G_END_DECLS
