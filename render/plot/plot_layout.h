/* SPDX-License-Identifier: MIT */
/* A plot set on a page: laid out once for a size, then drawn by any of the drawers, so that what is seen is
 * what is exported. Lengths are points (1/72 inch), y down. */
#pragma once

#include "plot.h"
#include "plot_drawing.h"
#include "plot_style.h"

typedef struct _DebyePlotLayout DebyePlotLayout;

typedef struct {
  double x, y, width, height;
} DebyePlotRectangle;

/* Where a legend stands that no hand has moved. */
typedef struct {
  int n_columns;       /* of entries; 0: to be chosen, with the rest */
  gboolean is_above;   /* the frame, which leaves it room: in the frame there is no free place */
  double across, down; /* parts (0…1) of what the frame leaves beside it */
  gboolean is_held;    /* it stays whatever it hides, while a hand moves things */
} DebyePlotLegendPlace;

/* `pixels_per_point`: of the device. Thin lines and texts are set on its pixels, and curves are reduced to
 * what it can show: all extremes of each column of pixels. `legend`: where the last layout put the legend,
 * which stays there as long as it hides nothing that it need not; NULL: where it hides nothing. */
DebyePlotLayout *debye_plot_layout_new(DebyePlot *plot, const DebyePlotStyle *style, double width,
                                       double height, double pixels_per_point,
                                       const DebyePlotLegendPlace *legend);
void debye_plot_layout_free(DebyePlotLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePlotLayout, debye_plot_layout_free)

const DebyePlotDrawing *debye_plot_layout_get_drawing(const DebyePlotLayout *layout);
/* With the frame of a plot under it, where there is one. */
DebyePlotRectangle debye_plot_layout_get_frame(const DebyePlotLayout *layout);
DebyePlotLegendPlace debye_plot_layout_get_legend_place(const DebyePlotLayout *layout);
/* FALSE: there is none. */
gboolean debye_plot_layout_get_legend(const DebyePlotLayout *layout, DebyePlotRectangle *rectangle);
/* The series whose entry in the legend lies there; 0: none. */
guint debye_plot_layout_get_legend_series(const DebyePlotLayout *layout, double x, double y);

/* Between values of an axis and places on the page. */
double debye_plot_layout_get_place(const DebyePlotLayout *layout, DebyePlotAxis axis, double value);
double debye_plot_layout_get_value(const DebyePlotLayout *layout, DebyePlotAxis axis, double place);

/* A point of a curve, or a cell of the heat map (series 0). */
typedef struct {
  guint series;
  gsize index;
  double x, y;  /* values; of a cell its row and column */
  double error; /* NAN: not known */
  double value; /* of a cell; NAN otherwise */
  double page_x, page_y;
} DebyePlotPoint;

/* The point of a visible curve that is nearest to a place, seen from which all extremes within a few points
 * count; else the cell there. FALSE: none within `reach` points. */
gboolean debye_plot_layout_find_point(const DebyePlotLayout *layout, double x, double y, double reach,
                                      DebyePlotPoint *point);
/* The peak whose mark lies there; −1: none. */
int debye_plot_layout_find_peak(const DebyePlotLayout *layout, double x, double y);
