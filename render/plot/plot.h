/* SPDX-License-Identifier: MIT */
/* What a plot shows: curves over one x axis and up to two y axes, or a heat map, with labels, references and
 * peaks. It knows nothing of places on a page: plot_layout.h sets it, plot_gl.h and plot_cairo.h draw what
 * was set. On one thread: another one gets a copy.
 *
 * All texts are Pango markup (<sup>, <sub>, <i>, <b>); debye_plot_text_from_plain (plot_text.h) makes it of
 * plain text, with superscript letters such as those of "Å⁻¹" set as superscripts.
 *
 * Signal "changed": set and draw it again. */
#pragma once

#include <glib-object.h>

#include "data/results/curve.h"
#include "data/results/matrix.h"
#include "data/results/result.h"

typedef enum {
  DEBYE_PLOT_X,
  DEBYE_PLOT_Y,     /* left */
  DEBYE_PLOT_Y2,    /* right */
  DEBYE_PLOT_COLOR, /* of the heat map */
  DEBYE_PLOT_N_AXES,
} DebyePlotAxis;

typedef enum { DEBYE_PLOT_LINEAR, DEBYE_PLOT_LOG } DebyePlotScale;

typedef enum {
  DEBYE_PLOT_CIRCLE,
  DEBYE_PLOT_SQUARE,
  DEBYE_PLOT_DIAMOND,
  DEBYE_PLOT_TRIANGLE,
  DEBYE_PLOT_TRIANGLE_DOWN,
  DEBYE_PLOT_CROSS,
  DEBYE_PLOT_N_MARKERS,
} DebyePlotMarker;

typedef enum {
  DEBYE_PLOT_SOLID,
  DEBYE_PLOT_DASHED,
  DEBYE_PLOT_DASH_DOT,
  DEBYE_PLOT_DOTTED,
  DEBYE_PLOT_LONG_DASHED,
  DEBYE_PLOT_SHORT_DASHED,
  DEBYE_PLOT_N_DASHES,
} DebyePlotDash;

/* How standard errors are drawn. */
typedef enum {
  DEBYE_PLOT_ERRORS_AUTO, /* a band about a line, bars at points */
  DEBYE_PLOT_ERRORS_BAND,
  DEBYE_PLOT_ERRORS_BARS,
  DEBYE_PLOT_ERRORS_NONE,
} DebyePlotErrors;

/* Where the legend stands that no hand has moved: by itself, in a corner or at a side of the frame, above the frame, or
 * as names at the right ends of the curves. */
typedef enum {
  DEBYE_PLOT_LEGEND_AUTO,
  DEBYE_PLOT_LEGEND_TOP_LEFT,
  DEBYE_PLOT_LEGEND_TOP,
  DEBYE_PLOT_LEGEND_TOP_RIGHT,
  DEBYE_PLOT_LEGEND_LEFT,
  DEBYE_PLOT_LEGEND_CENTER,
  DEBYE_PLOT_LEGEND_RIGHT,
  DEBYE_PLOT_LEGEND_BOTTOM_LEFT,
  DEBYE_PLOT_LEGEND_BOTTOM,
  DEBYE_PLOT_LEGEND_BOTTOM_RIGHT,
  DEBYE_PLOT_LEGEND_ABOVE,
  DEBYE_PLOT_LEGEND_ENDS,
} DebyePlotLegendSide;

/* Ticks that a person chose. Neither values nor a step: as is usual for the axis. */
typedef struct {
  double step;          /* between labelled ticks of a linear axis; 0: not chosen */
  int n_minor;          /* intervals between two of these; 0: as is usual for the step */
  const double *values; /* labelled ticks, ascending; no others are drawn */
  gsize n_values;
} DebyePlotTickChoice;

#define DEBYE_TYPE_PLOT (debye_plot_get_type())
G_DECLARE_FINAL_TYPE(DebyePlot, debye_plot, DEBYE, PLOT, GObject)

DebyePlot *debye_plot_new(void);
/* As it is now, for another thread; the curves, which never change, are shared. */
DebyePlot *debye_plot_copy(DebyePlot *self);

/* --- Series: a curve each. An id stays what it is until its series is removed --- */

/* `axis`: DEBYE_PLOT_Y or _Y2. A curve whose x unit can be converted to that of the first series is; axes
 * that have no label yet get the curve's quantities. The series gets the next free colour. */
guint debye_plot_add_curve(DebyePlot *self, DebyeCurve *curve, DebyePlotAxis axis);
/* Newer values of the same series, while frames stream in: colour, visibility and the view stay. */
void debye_plot_replace_curve(DebyePlot *self, guint series, DebyeCurve *curve);
void debye_plot_remove_curve(DebyePlot *self, guint series);
/* To a place in the order of the legend. */
void debye_plot_move_curve(DebyePlot *self, guint series, guint index);

gsize debye_plot_get_n_series(DebyePlot *self);
guint debye_plot_get_series(DebyePlot *self, gsize index);       /* ids in the order of the legend */
DebyeCurve *debye_plot_get_curve(DebyePlot *self, guint series); /* as it is drawn; NULL: no such series */
DebyePlotAxis debye_plot_get_series_axis(DebyePlot *self, guint series);
gboolean debye_plot_get_series_visible(DebyePlot *self, guint series);
void debye_plot_set_series_visible(DebyePlot *self, guint series, gboolean visible);
/* Of the palette, counted from 0. From the fourth on lines are dashed too, each colour in its own way, unless a dash
 * is set: so a grey print can be read. */
void debye_plot_set_series_color(DebyePlot *self, guint series, guint color);
/* Any colour, 0xRRGGBB, on light and dark pages alike. */
void debye_plot_set_series_rgb(DebyePlot *self, guint series, guint32 rgb);
guint32 debye_plot_get_series_rgb(DebyePlot *self, guint series); /* as on light pages */
void debye_plot_set_series_dash(DebyePlot *self, guint series, DebyePlotDash dash);
/* Of its line, in points, whatever the style's is. */
void debye_plot_set_series_width(DebyePlot *self, guint series, double points);
/* In the legend, in place of the curve's name; NULL: the name. */
void debye_plot_set_series_label(DebyePlot *self, guint series, const char *markup);
void debye_plot_set_series_errors(DebyePlot *self, guint series, DebyePlotErrors errors);
/* Colour, dash, width and marker, in another plot. */
void debye_plot_copy_series_look(DebyePlot *self, guint series, DebyePlot *to, guint of);
/* Of points, and from now on at each point of a line too. */
void debye_plot_set_series_marker(DebyePlot *self, guint series, DebyePlotMarker marker);
/* A line has none again; measured points are drawn as a line. */
void debye_plot_clear_series_marker(DebyePlot *self, guint series);
/* Colour, dash, width, marker, errors and label as they were when the series was added. */
void debye_plot_clear_series_look(DebyePlot *self, guint series);

/* --- Heat map --- */

/* Rows upwards, columns to the right: F(q, τ) with q in rows has τ as x. NULL: none. */
void debye_plot_set_matrix(DebyePlot *self, DebyeMatrix *matrix);
DebyeMatrix *debye_plot_get_matrix(DebyePlot *self);

/* --- Axes --- */

void debye_plot_set_label(DebyePlot *self, DebyePlotAxis axis, const char *markup);
const char *debye_plot_get_label(DebyePlot *self, DebyePlotAxis axis);
/* On a logarithmic axis values ≤ 0 lie below all others. */
void debye_plot_set_scale(DebyePlot *self, DebyePlotAxis axis, DebyePlotScale scale);
DebyePlotScale debye_plot_get_scale(DebyePlot *self, DebyePlotAxis axis);
/* The part of the axis that is shown. Without a view it is what the data need; a NAN end is left to the data.
 */
void debye_plot_set_view(DebyePlot *self, DebyePlotAxis axis, double minimum, double maximum);
/* Those of several axes (bits of DEBYE_PLOT_ONLY) as one change. */
#define DEBYE_PLOT_ONLY(axis) (1u << (axis))
void debye_plot_set_views(DebyePlot *self, guint axes, const double limits[DEBYE_PLOT_N_AXES][2]);
/* The view of a y axis becomes what the data within the view of the x axis need. */
void debye_plot_fit_view(DebyePlot *self, DebyePlotAxis axis);
/* Where the range that the data need ends at most: beyond, they would hide what matters. A view may still end
 * anywhere. NAN: no such end. */
void debye_plot_set_ceiling(DebyePlot *self, DebyePlotAxis axis, double ceiling);
double debye_plot_get_ceiling(DebyePlot *self, DebyePlotAxis axis);
/* All axes show what the data need. */
void debye_plot_reset_view(DebyePlot *self);
/* What is shown now: the view, or what the data need. minimum < maximum; both > 0 on a logarithmic axis. */
void debye_plot_get_limits(DebyePlot *self, DebyePlotAxis axis, double *minimum, double *maximum);

/* The values are copied. */
void debye_plot_set_ticks(DebyePlot *self, DebyePlotAxis axis, const DebyePlotTickChoice *choice);

/* --- Texts and marks --- */

/* Under the plot, small: how the curves are normalised, which frames. Plain text, broken at blanks. */
void debye_plot_set_caption(DebyePlot *self, const char *text);
void debye_plot_set_legend_visible(DebyePlot *self, gboolean visible);
gboolean debye_plot_get_legend_visible(DebyePlot *self);
/* The legend's top left corner as parts (0…1) of the frame; NAN: where it hides least. */
void debye_plot_set_legend_place(DebyePlot *self, double x, double y);
void debye_plot_get_legend_place(DebyePlot *self, double *x, double *y);
/* Ends need the page beside the frame: with a second axis or a heat map it is as AUTO. */
void debye_plot_set_legend_side(DebyePlot *self, DebyePlotLegendSide side);
DebyePlotLegendSide debye_plot_get_legend_side(DebyePlot *self);

/* A thin dashed line across the frame: g = 1, a cutoff. */
void debye_plot_add_reference(DebyePlot *self, DebyePlotAxis axis, double value, const char *markup);
/* A mark above a point of the left axis; a click on it is told by the view. `markup` NULL: no text. */
void debye_plot_add_peak(DebyePlot *self, double x, double y, const char *markup);
/* The name of a point whose series has a marker there: words beside it, where they hide nothing. */
void debye_plot_add_point_name(DebyePlot *self, double x, double y, const char *markup);
gboolean debye_plot_get_peak(DebyePlot *self, gsize index, double *x, double *y); /* FALSE: no such peak */
void debye_plot_clear_peaks(DebyePlot *self);
void debye_plot_clear_marks(DebyePlot *self); /* references and peaks */
/* Words at a point, which stand over everything; `align`: which part of them lies left of it, 0, 0.5 or 1. */
void debye_plot_add_text(DebyePlot *self, double x, double y, double align, const char *markup);
void debye_plot_clear_texts(DebyePlot *self);
/* A range of x is tinted: the shell shown in 3-D. NAN: none. */
void debye_plot_set_highlight(DebyePlot *self, double from, double to);
/* The same, of a range whose ends a hand may move, such as that of a fit; lines mark these ends. */
typedef enum {
  DEBYE_PLOT_END_LOW = 1 << 0,
  DEBYE_PLOT_END_HIGH = 1 << 1,
  DEBYE_PLOT_RANGE_MOVABLE = DEBYE_PLOT_END_LOW | DEBYE_PLOT_END_HIGH,
  DEBYE_PLOT_RANGE_TINTED = 1 << 2,
  DEBYE_PLOT_RANGE_ROOM = 1 << 3, /* the x axis goes on behind its upper end */
} DebyePlotRangeFlags;
void debye_plot_set_movable_range(DebyePlot *self, double from, double to, DebyePlotRangeFlags flags);
/* For a widget, whose pointer takes hold of the ends: copies and files don't mark them. */
void debye_plot_show_range_ends(DebyePlot *self);
/* The ends that can be moved; 0: none. */
DebyePlotRangeFlags debye_plot_get_movable_range(DebyePlot *self, double *from, double *to);
gboolean debye_plot_has_movable_range(DebyePlot *self);
/* While a hand moves it; and back to where it was set. */
void debye_plot_move_range(DebyePlot *self, double from, double to);
void debye_plot_reset_range(DebyePlot *self);
/* Where a movable range was set, wherever a hand has moved it; FALSE: there is none. */
gboolean debye_plot_get_set_range(DebyePlot *self, double *from, double *to);

/* Another plot under it over the same x axis, such as of differences; files have it, the window has not. NULL: none. It is
 * copied. */
void debye_plot_set_below(DebyePlot *self, DebyePlot *below);

/* A small plot of that part of the x axis within the frame. NAN: none. */
void debye_plot_set_inset(DebyePlot *self, double from, double to);
/* In a corner or at a side, or its top left corner at parts (0…1) of the frame, unless these are NAN. Before that, and by
 * DEBYE_PLOT_LEGEND_AUTO, it stands where it hides least. */
void debye_plot_set_inset_place(DebyePlot *self, DebyePlotLegendSide side, double x, double y);

/* The numbers of what is visible, not only of what is in view; NULL where there is nothing. */
DebyeTable *debye_plot_create_table(DebyePlot *self);
/* Columns as text with tabs between, for a spreadsheet: what is visible, not only what is in view. Free with
 * g_free; NULL where there is nothing. */
char *debye_plot_copy_text(DebyePlot *self);
