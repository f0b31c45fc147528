/* SPDX-License-Identifier: MIT */
/* A plot in a window: drawn by OpenGL, or by cairo where there is none, and moved by hand.
 *
 *   wheel                    zooms at the pointer; beside the frame only the axis there
 *   drag                     zooms to a rectangle; on the legend moves it
 *   middle or Shift and drag pans
 *   double click             shows all
 *   click                    on a legend's entry hides or shows its series; on a peak or a curve tells which
 *   right click, menu key    the actions
 *   arrows, +, −, 0          pan, zoom, show all
 *   Ctrl and left or right   moves the read-out from point to point, Return clicks there; Escape drops it
 *   Ctrl+C                   copies the data, columns parted by tabs, and the picture as SVG and PNG
 *
 * Actions (group "plot"): "reset", "zoom-in", "zoom-out", "copy", and the properties as "log-x", "log-y",
 * "legend".
 *
 * Signals:
 *   "peak-activated" (double x, double y)                 a peak's mark was clicked
 *   "range-moved" (double from, double to)                an end of a movable range was dragged there
 *   "point-activated" (uint series, double x, double y)   a point of a curve was clicked or chosen by key
 *
 * The window needs only to make one, give it a plot and go on changing the plot: every change is drawn. */
#pragma once

#include <adwaita.h>

#include "render/plot/plot.h"
#include "render/plot/plot_cairo.h"

#define DEBYE_TYPE_PLOT_VIEW (debye_plot_view_get_type())
G_DECLARE_FINAL_TYPE(DebyePlotView, debye_plot_view, DEBYE, PLOT_VIEW, AdwBin)

/* NULL: an empty page. */
void debye_plot_view_set_plot(DebyePlotView *self, DebyePlot *plot);
DebyePlot *debye_plot_view_get_plot(DebyePlotView *self);

/* A page as large as the view, light: what is exported is what is seen. */
void debye_plot_view_get_page(DebyePlotView *self, DebyePlotPage *page);
/* Of the largest texts, in points; 0: as is usual. */
void debye_plot_view_set_text_size(DebyePlotView *self, double points);
/* What is read out now, one line; NULL: nothing. Free with g_free. */
char *debye_plot_view_get_readout(DebyePlotView *self);
void debye_plot_view_copy(DebyePlotView *self);
