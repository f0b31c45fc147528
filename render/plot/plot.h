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

G_BEGIN_DECLS

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

typedef enum { DEBYE_PLOT_SOLID, DEBYE_PLOT_DASHED, DEBYE_PLOT_DOTTED, DEBYE_PLOT_N_DASHES } DebyePlotDash;

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
/* Of the palette, counted from 0. */
void debye_plot_set_series_color(DebyePlot *self, guint series, guint color);
void debye_plot_set_series_dash(DebyePlot *self, guint series, DebyePlotDash dash);
/* Of points, and from now on at each point of a line too. */
void debye_plot_set_series_marker(DebyePlot *self, guint series, DebyePlotMarker marker);

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
/* All axes show what the data need. */
void debye_plot_reset_view(DebyePlot *self);
/* What is shown now: the view, or what the data need. minimum < maximum; both > 0 on a logarithmic axis. */
void debye_plot_get_limits(DebyePlot *self, DebyePlotAxis axis, double *minimum, double *maximum);

/* --- Texts and marks --- */

/* Under the plot, small: how the curves are normalised, which frames. Plain text, broken at blanks. */
void debye_plot_set_caption(DebyePlot *self, const char *text);
void debye_plot_set_legend_visible(DebyePlot *self, gboolean visible);
gboolean debye_plot_get_legend_visible(DebyePlot *self);
/* The legend's top left corner as parts (0…1) of the frame; NAN: where it hides least. */
void debye_plot_set_legend_place(DebyePlot *self, double x, double y);
void debye_plot_get_legend_place(DebyePlot *self, double *x, double *y);

/* A thin dashed line across the frame: g = 1, a cutoff. */
void debye_plot_add_reference(DebyePlot *self, DebyePlotAxis axis, double value, const char *markup);
/* A mark above a point of the left axis; a click on it is told by the view. `markup` NULL: no text. */
void debye_plot_add_peak(DebyePlot *self, double x, double y, const char *markup);
gboolean debye_plot_get_peak(DebyePlot *self, gsize index, double *x, double *y); /* FALSE: no such peak */
void debye_plot_clear_marks(DebyePlot *self);                                     /* references and peaks */
/* A range of x is tinted: the shell shown in 3-D. NAN: none. */
void debye_plot_set_highlight(DebyePlot *self, double from, double to);

/* The numbers of what is visible, not only of what is in view; NULL where there is nothing. */
DebyeTable *debye_plot_create_table(DebyePlot *self);
/* Columns as text with tabs between, for a spreadsheet: what is visible, not only what is in view. Free with
 * g_free; NULL where there is nothing. */
char *debye_plot_copy_text(DebyePlot *self);

G_END_DECLS
