/* SPDX-License-Identifier: MIT */
/* Colours and sizes of plots, in points, the same on the screen and on paper; used by plot_layout.h and figures. */
#pragma once

#include "plot_drawing.h"

#define DEBYE_PLOT_N_COLORS 8

typedef struct {
  DebyePlotColor background, ink, secondary; /* of texts and axes; of what steps back */
  DebyePlotColor palette[DEBYE_PLOT_N_COLORS];
  DebyePlotColor accent;                      /* what a hand chose */
  double tick_size, label_size, caption_size; /* of fonts */
  double line_width, frame_width, marker_size;
  double major_tick, minor_tick;
  double gap; /* between things that belong together */
  float band_opacity;
  struct {
    double left, top, right, bottom;
  } least_rooms;             /* beside the frame, so that several plots have equal ones */
  gboolean legend_above;     /* the legend has its place above the frame unless one was chosen */
  gboolean interactive;      /* hidden series stand in the legend, to be brought back */
  gboolean with_caption;     /* under the plot */
  gboolean without_x_labels; /* the x axis has ticks alone: another plot is under it */
  gboolean outlines;         /* texts in files are shapes, for printers without the font */
} DebyePlotStyle;

/* `scale` 1: for a journal's column and a desktop's window; more for a projector. */
void debye_plot_style_init(DebyePlotStyle *style, gboolean dark, double scale);
/* Texts in points, the largest as large as that, and with them the gaps between; lines stay. */
void debye_plot_style_set_text_size(DebyePlotStyle *style, double points);
/* Lines of axes in points, and with them curves in proportion, ticks and markers by its square root; texts stay. */
void debye_plot_style_set_line_width(DebyePlotStyle *style, double points);
/* The colour of a series; after the last of the palette it begins anew. */
DebyePlotColor debye_plot_style_get_color(const DebyePlotStyle *style, guint color);
/* The dash that goes with the colour: the first three are solid lines. */
DebyePlotDash debye_plot_style_get_dash(guint color);
/* A colour of the palette for light pages, 0xRRGGBB. */
guint32 debye_plot_style_get_rgb(guint color);
/* 0xRRGGBB, opaque. */
DebyePlotColor debye_plot_color_from_rgb(guint32 rgb);
