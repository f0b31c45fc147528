/* SPDX-License-Identifier: MIT */
/* A layout while it is made, shared by plot_layout.c and its parts plot_layout_*.c. */
#pragma once

#include "plot_layout.h"
#include "plot_private.h"
#include "plot_ticks.h"

#define DEBYE_PLOT_COLOR_BAR_WIDTH 9.0 /* points */

typedef struct {
  gboolean is_shown;
  DebyePlotScale scale;
  double minimum, maximum;
  double from, to; /* places of the minimum and the maximum */
  DebyePlotTicks ticks;
  double label_width; /* of the widest label */
} DebyePlotLayoutAxis;

typedef struct {
  guint series;
  DebyePlotRectangle rectangle;
} DebyePlotLegendEntry;

struct _DebyePlotLayout {
  DebyePlot *plot;
  DebyePlotStyle style;
  DebyePlotDrawing *drawing;
  DebyePlotRectangle frame, color_bar;
  double right_edge; /* of the frame, or of the names beside it: where the second axis is */
  double slack;      /* on either side of a frame that is narrower than its room: texts stay beside it */
  DebyePlotLayoutAxis axes[DEBYE_PLOT_N_AXES];
  double pixels;     /* per point */
  double hairline;   /* width of axes: whole pixels */
  double room_above; /* the frame, for the legend; 0: it stands in the frame */
  DebyePlotRectangle legend;
  DebyePlotLegendPlace legend_place;
  GArray *legend_entries; /* DebyePlotLegendEntry */
  DebyePlotLayout *below; /* of the plot under it; NULL: none */
  DebyePlotLayout *inset; /* NULL: none */
};

/* Of the plot alone, without the one under it. */
DebyePlotLayout *debye_plot_layout_new_single(DebyePlot *plot, const DebyePlotStyle *style, double width,
                                              double height, double pixels,
                                              const DebyePlotLegendPlace *legend);
/* The middle of the pixels that a line of the frame covers. */
double debye_plot_layout_snap(const DebyePlotLayout *self, double place);

double debye_plot_layout_line_height(double size);
/* What a vertical axis with its label takes beside the frame. */
double debye_plot_layout_get_room(const DebyePlotLayout *self, DebyePlotAxis axis);
/* How far ticks reach out of the frame. */
double debye_plot_layout_get_outward_tick(const DebyePlotLayout *self);
/* The caption in lines that fit; NULL: none. */
char **debye_plot_layout_break_caption(const DebyePlotLayout *self, double width);

/* The parts, each in its file. */
void debye_plot_layout_add_texts(DebyePlotLayout *self, char **caption);
void debye_plot_layout_add_heat_map(DebyePlotLayout *self);
void debye_plot_layout_add_series(DebyePlotLayout *self);
void debye_plot_layout_add_marks(DebyePlotLayout *self); /* references, peaks */
void debye_plot_layout_add_highlight(DebyePlotLayout *self);
void debye_plot_layout_add_legend(DebyePlotLayout *self);
void debye_plot_layout_add_words(DebyePlotLayout *self); /* at points that a person chose */
/* Names at the right ends of curves, and what they need beside the frame; no room: there
 * are none, and the legend stands where it does by itself. */
void debye_plot_layout_add_ends(DebyePlotLayout *self);
double debye_plot_layout_get_end_room(const DebyePlotLayout *self);
gboolean debye_plot_layout_has_ends(const DebyePlotLayout *self);
/* A series' name as markup, in as many points at most; without its middle where it is longer. */
char *debye_plot_layout_write_name(const DebyePlotSeries *series, double size, double room);
/* The inset, over what is there, with its style and place; NULL: there is none. */
DebyePlot *debye_plot_layout_plan_inset(const DebyePlotLayout *self, DebyePlotStyle *style,
                                        DebyePlotRectangle *place);
/* A corner or a side as parts (0…1) of the room that a box leaves: they go by rows from the top left. */
void debye_plot_layout_get_parts(DebyePlotLegendSide side, double *across, double *down);
/* Where its legend stands: an inset takes the place in the frame from one that stands by itself. */
DebyePlotLegendSide debye_plot_layout_get_side(DebyePlot *plot, const DebyePlotStyle *style);
/* Of a legend above the frame, on a page that is set; 0: the page has no room for it, or it isn't needed. */
double debye_plot_layout_get_legend_height(const DebyePlotLayout *self);
/* Of the page above the frame that is neither legend nor exponent. */
double debye_plot_layout_get_top_gap(const DebyePlotLayout *self);
/* Its own colour, or the palette's. */
DebyePlotColor debye_plot_layout_get_ink(const DebyePlotLayout *self, const DebyePlotSeries *series);
/* A series as its legend shows it, a short piece from (x, y) to (x + width, y). */
void debye_plot_layout_add_sample(DebyePlotLayout *self, const DebyePlotSeries *series, double x, double y,
                                  double width);
