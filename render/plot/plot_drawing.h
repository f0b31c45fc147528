/* SPDX-License-Identifier: MIT */
/* What is on a page, in the order in which it is drawn: few kinds of things, all in points, y down. A layout
 * makes it; plot_gl, plot_cairo and plot_svg each draw it, and know nothing of plots. */
#pragma once

#include <glib.h>

#include "plot.h"

typedef enum {
  DEBYE_DRAW_RECTANGLE, /* filled */
  DEBYE_DRAW_LINE,      /* points with round joins and ends, DEBYE_DRAW_BREAK between pieces */
  DEBYE_DRAW_SEGMENTS,  /* pairs of points, ends cut straight */
  DEBYE_DRAW_BAND,      /* filled between low and high, DEBYE_DRAW_BREAK between pieces */
  DEBYE_DRAW_MARKERS,
  DEBYE_DRAW_IMAGE,
  DEBYE_DRAW_TEXT,
} DebyeDrawKind;

/* As x of a point: the line or band goes on elsewhere. */
#define DEBYE_DRAW_BREAK 1e30f

typedef struct {
  float red, green, blue, alpha; /* straight */
} DebyePlotColor;

typedef struct {
  DebyeDrawKind kind;
  gboolean clipped; /* to the drawing's clip */
  guint series;     /* whose part it is; 0: no curve's */
  DebyePlotColor ink;
  float width;           /* of lines */
  float dash, gap;       /* 0: solid */
  gboolean has_dots;     /* a round dot in the middle of each gap */
  gsize first, n_values; /* its part of the drawing's values */
  DebyePlotMarker marker;
  float size;        /* of markers, across; of a font */
  float x, y, w, h;  /* of rectangles and images; x, y: of a text's anchor on its baseline */
  int columns, rows; /* of an image */
  GBytes *pixels;    /* of an image: premultiplied ARGB words as cairo has them, rows from the top */
  char *markup;      /* of a text */
  float align;       /* which part of the text lies left of its anchor: 0, 0.5, 1 */
  float text_width;  /* as measured */
  gboolean upwards;  /* a text that is read from below */
} DebyeDrawItem;

/* Values a point has: LINE x, y, length so far; SEGMENTS and MARKERS x, y; BAND x, low, high. */
typedef struct _DebyePlotDrawing DebyePlotDrawing;
struct _DebyePlotDrawing {
  double width, height;
  double pixels_per_point; /* of the device: texts begin on whole pixels */
  double clip_x, clip_y, clip_width, clip_height;
  gboolean outlines; /* texts become shapes in vector files */
  GArray *items;     /* DebyeDrawItem */
  GArray *values;    /* float */
  const DebyePlotDrawing
      *below; /* another one on the same page, with its own clip, from below_y down; NULL: none */
  double below_y;
  const DebyePlotDrawing *inset; /* another one over this one, from its place on; NULL: none */
  double inset_x, inset_y;
};

DebyePlotDrawing *debye_plot_drawing_new(double width, double height);
void debye_plot_drawing_free(DebyePlotDrawing *drawing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePlotDrawing, debye_plot_drawing_free)

const DebyeDrawItem *debye_plot_drawing_get(const DebyePlotDrawing *drawing, guint index);
const float *debye_plot_drawing_values(const DebyePlotDrawing *drawing, const DebyeDrawItem *item);

/* A marker's outline about its centre, of radius 1, y down; none: a circle. */
const float (*debye_plot_marker_get_corners(DebyePlotMarker marker, gsize *n))[2];

/* Items; what an item needs beyond these arguments is set in what is returned, which stays valid until the
 * next item. Values are added while their item is the last. */
DebyeDrawItem *debye_plot_drawing_add(DebyePlotDrawing *drawing, DebyeDrawKind kind, DebyePlotColor ink);
void debye_plot_drawing_add_rectangle(DebyePlotDrawing *drawing, DebyePlotColor ink, double x, double y,
                                      double w, double h);
void debye_plot_drawing_add_text(DebyePlotDrawing *drawing, DebyePlotColor ink, const char *markup,
                                 double size, double x, double y, double align, gboolean upwards);
void debye_plot_drawing_put(DebyePlotDrawing *drawing, const float *values, gsize n);
