/* SPDX-License-Identifier: MIT */
/* What figure.c, which lays a figure out and draws it, shares with figure_files.c, which writes it. */
#pragma once

#include "figure.h"
#include "plot_drawing.h"
#include "plot_layout.h"

#define DEBYE_FIGURE_POINTS_PER_INCH 72.0

/* One of both, or nothing. */
typedef struct {
  DebyePlot *plot;         /* ours alone */
  DebyePlotLayout *layout; /* of the plot; NULL: not yet */
  cairo_surface_t *picture;
} DebyeFigurePanel;

struct _DebyeFigure {
  DebyeFigureStyle style;
  guint n_panels; /* that there is room for */
  GArray *panels; /* DebyeFigurePanel */
  gboolean is_laid_out;
};

/* Before anything is drawn. */
void debye_figure_lay_out(DebyeFigure *self);
void debye_figure_draw_page(const DebyeFigure *self, cairo_t *cr);
/* Of the panel; create_letter gives NULL where the style has none. */
char debye_figure_get_letter(const DebyeFigure *self, guint number);
DebyePlotDrawing *debye_figure_create_letter(const DebyeFigure *self, guint number);
/* Of the panel with its letter, which has so much room above it, in points. */
void debye_figure_find_corner(const DebyeFigure *self, guint number, double *x, double *y);
double debye_figure_get_letter_room(const DebyeFigure *self);
/* Of a picture within its panel; gives its scale. */
double debye_figure_fit_picture(const DebyeFigure *self, cairo_surface_t *picture, double *x, double *y);
