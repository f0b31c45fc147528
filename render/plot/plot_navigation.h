/* SPDX-License-Identifier: MIT */
/* Zooming and panning: what a hand does to a plot as it is set. Places are points of the page. */
#pragma once

#include "plot_layout.h"

/* Sets of axes. */
#define DEBYE_PLOT_ALL_AXES \
  (DEBYE_PLOT_ONLY(DEBYE_PLOT_X) | DEBYE_PLOT_ONLY(DEBYE_PLOT_Y) | DEBYE_PLOT_ONLY(DEBYE_PLOT_Y2))

/* The axes that a place belongs to: all of them in the frame, one beside it, none elsewhere. */
guint debye_plot_layout_get_axes_at(const DebyePlotLayout *layout, double x, double y);
/* What stands at (x, y) stays there; `factor` > 1 shows less. */
void debye_plot_zoom(DebyePlot *plot, const DebyePlotLayout *layout, guint axes, double x, double y,
                     double factor);
/* What stands at (x, y) moves by (dx, dy). */
void debye_plot_pan(DebyePlot *plot, const DebyePlotLayout *layout, guint axes, double dx, double dy);
/* Shows a rectangle of the page. A side narrower than `least` leaves its axis as it is. */
void debye_plot_zoom_to(DebyePlot *plot, const DebyePlotLayout *layout, const DebyePlotRectangle *rectangle,
                        double least);
