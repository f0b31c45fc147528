/* SPDX-License-Identifier: MIT */
/* The fields of a plot, for the files that implement it and lay it out. */
#pragma once

#include "plot.h"
#include "plot_reduction.h"

typedef struct {
  guint id;
  DebyeCurve *curve;
  DebyePlotReduction *reduction; /* of the curve; NULL until first drawn */
  DebyePlotAxis axis;
  gboolean hidden;
  guint color;
  gboolean has_rgb; /* in place of the palette's colour */
  guint32 rgb;
  gboolean has_dash; /* in place of the colour's */
  DebyePlotDash dash;
  double width; /* points; 0: the style's */
  char *label;  /* markup; NULL: the curve's name */
  DebyePlotErrors errors;
  DebyePlotMarker marker, own_marker; /* as drawn; as it was given when the series was added */
  gboolean has_markers;               /* on a line too */
  gboolean is_line;                   /* points that are drawn as a line */
} DebyePlotSeries;

/* How it is drawn: as the curve says, unless its points are drawn as a line. */
DebyeCurveStyle debye_plot_series_get_style(const DebyePlotSeries *series);
/* The errors of the curve, NULL where none are known or shown; and whether they are bars. */
const double *debye_plot_series_get_errors(const DebyePlotSeries *series);
gboolean debye_plot_series_has_bars(const DebyePlotSeries *series);

/* A reference, a peak or words at a point. */
typedef struct {
  DebyePlotAxis axis; /* that a reference crosses */
  double x, y;        /* of a reference x is its value */
  double align;       /* of words */
  gboolean is_point;  /* of a peak: a marker stands there already, so words alone */
  char *markup;       /* or NULL */
} DebyePlotMark;

GPtrArray *debye_plot_get_all_series(DebyePlot *self); /* DebyePlotSeries */
GPtrArray *debye_plot_get_references(DebyePlot *self); /* DebyePlotMark, as the next two */
GPtrArray *debye_plot_get_peaks(DebyePlot *self);
GPtrArray *debye_plot_get_words(DebyePlot *self);
void debye_plot_get_ticks(DebyePlot *self, DebyePlotAxis axis, DebyePlotTickChoice *choice);
DebyePlot *debye_plot_get_below(DebyePlot *self);                         /* NULL: none */
gboolean debye_plot_get_inset(DebyePlot *self, double *from, double *to); /* FALSE: none */
DebyePlotLegendSide debye_plot_get_inset_place(DebyePlot *self, double *x, double *y);
const char *debye_plot_get_caption(DebyePlot *self); /* NULL: none */
gboolean debye_plot_get_highlight(DebyePlot *self, double *from, double *to);
DebyePlotRangeFlags debye_plot_get_range_flags(DebyePlot *self);
/* The end of a range beyond which the axis has room; NAN: there is none. */
double debye_plot_get_range_room(DebyePlot *self);
/* Whether anything stands on the axis. */
gboolean debye_plot_has_axis(DebyePlot *self, DebyePlotAxis axis);
DebyePlotReduction *debye_plot_series_reduce(DebyePlotSeries *series);

/* The range that the data need, in plot_range.c. */
void debye_plot_find_range(DebyePlot *self, DebyePlotAxis axis, double *minimum, double *maximum);
