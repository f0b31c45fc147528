/* SPDX-License-Identifier: MIT */
/* A figure of several panels on one page, for a journal: plots as vectors, pictures of scenes as pixels, a
 * letter at the corner of each. Lengths are in points. */
#pragma once

#include "data/files/picture_origin.h"
#include "plot.h"
#include "plot_drawing.h"

#include <cairo.h>
#include <gio/gio.h>

typedef enum { DEBYE_LETTERS_SMALL, DEBYE_LETTERS_LARGE, DEBYE_LETTERS_NONE } DebyeFigureLetters;

#define DEBYE_MAX_PANELS 26 /* as there are letters */

typedef struct {
  double width;  /* of the page */
  double ratio;  /* height of a panel by its width */
  double height; /* of the page, which the panels share; 0: by the ratio */
  double gap;    /* between panels */
  double dpi;    /* of pictures */
  double scale;  /* of letters, and of a plot's fonts and lines */
  double
      text_size; /* points, of a plot's largest texts, and of letters in proportion; 0: by the scale, and in panels
                     * of less than 76 mm smaller, as journals set them */
  double line_width;  /* points, of axes, and of curves in proportion; 0: by the scale */
  double curve_width; /* points, of curves that have none of their own; 0: with the axes' lines */
  int columns;
  DebyeFigureLetters letters;
  gboolean letter_alone; /* a single panel has a letter, too */
  gboolean captions;     /* under plots */
  gboolean dark;         /* the page, with light texts and lines */
  gboolean outlines;     /* texts as shapes in SVG and PDF */
  const DebyePictureOrigin
      *origin; /* how it was made, kept in the file, as long as the figure; NULL: forgotten */
} DebyeFigureStyle;

/* Two columns on the width of two columns of a journal (183 mm), 4:3, 300 dpi, small letters, no captions: a journal
 * sets its own. */
void debye_figure_style_init(DebyeFigureStyle *style);

/* Whoever has it may use it on any thread, one at a time. */
typedef struct _DebyeFigure DebyeFigure;

/* With room for so many panels, row by row; a last row that is not full stands at the left. */
DebyeFigure *debye_figure_new(const DebyeFigureStyle *style, guint n_panels);
void debye_figure_free(DebyeFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFigure, debye_figure_free)

/* Of the page; of a panel without its letter; of that in pixels. */
void debye_figure_get_size(const DebyeFigure *figure, double *width, double *height);
void debye_figure_get_panel_size(const DebyeFigure *figure, double *width, double *height);
void debye_figure_get_panel_pixels(const DebyeFigure *figure, int *width, int *height);

/* Of texts by the usual ones, for pictures of views: smaller in narrow panels. */
double debye_figure_get_text_scale(const DebyeFigure *figure);

/* Fill the panels in their order. The plot is taken as it is now, on the plot's thread. Plots of a row have frames of
 * equal height, those of a column of equal width. */
void debye_figure_add_plot(DebyeFigure *figure, DebyePlot *plot);
/* RGBA rows from the top, straight alpha; fitted into the panel. NULL: the panel stays empty. */
void debye_figure_add_picture(DebyeFigure *figure, GBytes *rgba, int width, int height);

/* Into a panel that was left empty. */
void debye_figure_set_picture(DebyeFigure *figure, guint number, GBytes *rgba, int width, int height);
/* A picture from a PNG file. */
gboolean debye_figure_add_file(DebyeFigure *figure, const char *path, GError **error);

/* On a page of that colour, which is painted before. */
DebyePlotColor debye_figure_get_page_color(const DebyeFigure *figure);
void debye_figure_draw(DebyeFigure *figure, cairo_t *cr);
/* .svg, .pdf, .png or .tiff by ending; written beside and renamed. */
gboolean debye_figure_save(DebyeFigure *figure, const char *path, GError **error);
