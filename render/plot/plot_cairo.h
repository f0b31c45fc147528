/* SPDX-License-Identifier: MIT */
/* A drawing on paper: cairo for PDF, PNG and windows without OpenGL; SVG with its texts as texts. */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "data/files/picture_origin.h"
#include "plot_layout.h"

/* At the context's origin, in points. */
void debye_plot_drawing_draw(const DebyePlotDrawing *drawing, cairo_t *cr);
/* `title`: for the file's own title, plain. Errors of the stream come as they are. */
gboolean debye_plot_drawing_save_svg(const DebyePlotDrawing *drawing, const char *title,
                                     const DebyePictureOrigin *origin, GOutputStream *stream, GError **error);

/* A picture of bytes as OpenGL gives them: rows from the top, red, green, blue and alpha. */
cairo_surface_t *debye_plot_picture_from_rgba(GBytes *rgba, int width, int height);

/* A picture as PNG that states its density, and how it was made (NULL: forgotten). Errors of the stream come as they are. */
gboolean debye_plot_save_png(cairo_surface_t *picture, double dpi, const DebyePictureOrigin *origin,
                             GOutputStream *stream, GError **error);
/* The same as TIFF, of an opaque picture. */
gboolean debye_plot_save_tiff(cairo_surface_t *picture, double dpi, const DebyePictureOrigin *origin,
                              GOutputStream *stream, GError **error);
/* How it was made (NULL: nothing): into the metadata of a PDF file, after its title, and of an SVG file, after its head. */
void debye_plot_pdf_set_origin(cairo_surface_t *surface, const DebyePictureOrigin *origin);
void debye_plot_svg_put_origin(GString *svg, const DebyePictureOrigin *origin);
/* The same of several drawings and pictures on one page, in groups with ids of their own; lengths in points. The end
 * writes it. */
void debye_plot_svg_begin(GString *svg, double width, double height, const char *title);
void debye_plot_svg_add_drawing(GString *svg, const DebyePlotDrawing *drawing, const char *id, double x,
                                double y);
void debye_plot_svg_add_picture(GString *svg, cairo_surface_t *picture, const char *id, double x, double y,
                                double width, double height);
gboolean debye_plot_svg_end(GString *svg, GOutputStream *stream, GError **error);

typedef struct {
  double width, height; /* points */
  double scale;         /* of fonts and lines; 1: a journal's column */
  double dpi;           /* of PNG, and of heat maps in the others */
  double text_size;     /* points, of the largest texts; 0: by the scale */
  double line_width;    /* points, of axes, and of curves and markers in proportion; 0: by the scale */
  gboolean dark, with_caption;
  gboolean outlines;                /* texts as shapes in SVG and PDF */
  DebyePlotLegendPlace legend;      /* where it stands on the screen; n_columns 0: where it hides least */
  const DebyePictureOrigin *origin; /* how it was made, kept in the file; NULL: forgotten */
} DebyePlotPage;

/* 3.5 × 2.6 inches, 300 dpi, light: one column of a journal. */
void debye_plot_page_init(DebyePlotPage *page);
/* Whether a path ends in .svg, .pdf, .png or .tiff (or .tif). */
gboolean debye_plot_can_save(const char *path);
/* By ending; written beside and renamed. */
gboolean debye_plot_save(DebyePlot *plot, const DebyePlotPage *page, const char *path, GError **error);
/* The same into memory; `ending`: ".svg", ".pdf", ".png" or ".tiff". */
GBytes *debye_plot_save_bytes(DebyePlot *plot, const DebyePlotPage *page, const char *ending, GError **error);
