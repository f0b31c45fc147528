/* SPDX-License-Identifier: MIT */
/* The fields of a plot of results, which result_plot.c and its parts result_plot_*.c share. */
#pragma once

#include "result_plot.h"

/* One result, or one measured curve. */
typedef struct {
  guint key;
  DebyeResult *result; /* NULL: a measured curve */
  char *label;         /* of a measured curve how it was fitted, for the caption */
  gboolean is_growing;
  DebyeCurve *measured;
  gboolean fit;
  DebyeQuantity of;  /* of a measured curve: the quantity it was first shown with; name NULL: none yet */
  DebyeResult *away; /* what was shown and may be again: its curves' places and colours wait for it */
  const char *own;   /* interned: the result's one quantity that is shown; NULL: those of the plot */
} DebyeResultPlotEntry;

/* A curve that is in the plot. */
typedef struct {
  guint key, series;
  char *curve;          /* its name in the result */
  char *pair;           /* the name of the distribution it belongs to */
  gboolean is_measured; /* of no result */
  gboolean is_wanted;   /* while the plot is brought up to date */
} DebyeResultPlotSeries;

/* A shell of a pair distribution, from its result's table of peaks. */
typedef struct {
  guint key;
  const char *pair; /* the table's */
  double position, height, from, to, coordination;
  gboolean is_first; /* of its distribution */
} DebyeResultPlotShell;

struct _DebyeResultPlot {
  GObject parent_instance;
  DebyePlot *plot;
  GPtrArray *entries;    /* DebyeResultPlotEntry */
  GPtrArray *series;     /* DebyeResultPlotSeries */
  GHashTable *colors;    /* "key curve" of what is shown or away → its colour */
  GHashTable *hidden;    /* "key pair" of what a hand has hidden */
  GHashTable *maps;      /* name of a matrix → DebyeQuantity that stands for it as a heat map */
  GArray *shells;        /* DebyeResultPlotShell, one a mark */
  char *quantity;        /* as it was asked for */
  char *shown, *shown_x; /* names of what the axes show */
  char *also;            /* names of further quantities on the left axis, with commas between; or NULL */
  char *second;          /* the same of the right axis */
  GArray *second_series; /* guint: its series in the plot */
  gboolean has_fits_in_caption;
};

/* In result_plot_state.c. */
void debye_result_plot_changed(DebyeResultPlot *self);

/* Brings the plot up to date with what is known of its entries. */
void debye_result_plot_update(DebyeResultPlot *self);

/* In result_plot_scales.c. Axes as is usual for a quantity that takes the place of what is shown. */
void debye_result_plot_turn_scales(DebyeResultPlot *self, const char *quantity);

/* In result_plot_also.c. Whether curves of the quantity stand on the left axis beside those of what is shown. */
gboolean debye_result_plot_is_beside(DebyeResultPlot *self, const DebyeQuantity *quantity);
/* Whether the result is shown with the quantity. */
gboolean debye_result_plot_owns(const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity);
/* Whether one of the names with commas between is this one. */
gboolean debye_result_plot_lists(const char *names, const char *name);
/* What the left axis is of: the quantity, and what stands beside it. Clear it with debye_quantity_clear. */
void debye_result_plot_describe_axis(DebyeResultPlot *self, const DebyeQuantity *quantity,
                                     DebyeQuantity *axis);
/* What the legend calls a curve of a result: the pair it is of, after the result's label where there are several. */
char *debye_result_plot_name_curve(DebyeResultPlot *self, const DebyeResultPlotEntry *entry,
                                   DebyeCurve *curve);
/* With the quantity's name where the axis has several and the curve's own doesn't say it. */
char *debye_result_plot_name_beside(DebyeResultPlot *self, const char *name, gboolean names_quantity,
                                    const DebyeQuantity *quantity);

/* In result_plot_second.c. The curves of the right axis come after all others and go before these change. */
void debye_result_plot_put_second(DebyeResultPlot *self);
void debye_result_plot_drop_second(DebyeResultPlot *self);
/* The axes of n(r) end where the shells of what is shown can be seen. */
void debye_result_plot_bound(DebyeResultPlot *self);

/* In result_plot_colors.c. That of a curve, for as long as the same quantity is shown; one that no other has
 * where it is new. */
guint debye_result_plot_get_color(DebyeResultPlot *self, guint key, const char *curve);
void debye_result_plot_forget_colors(DebyeResultPlot *self, guint key);

/* In result_plot_quantities.c. The matrix that is shown as this quantity; NULL: it has curves. */
DebyeMatrix *debye_result_plot_find_matrix(DebyeResultPlot *self, const DebyeQuantity *quantity);
/* That of this name (NULL: none) among those of a list; NULL: it isn't there. */
const DebyeQuantity *debye_result_plot_find_quantity(const GPtrArray *quantities, const char *name);
/* Whether a curve's values may stand on the axis of a quantity: the same thing in the same unit. */
gboolean debye_result_plot_fits(const DebyeQuantity *values, const DebyeQuantity *quantity);
/* What the curves of a quantity, by its name, stand over; where they stand over several lengths, profiles
 * along x and z, "distance". */
const DebyeQuantity *debye_result_plot_find_x_quantity(DebyeResultPlot *self, const char *quantity);

/* In result_plot_measured.c. A measured curve brought nearest to a computed one by a factor, over q also by a
 * constant background, and a name that says so, and to which of several computed ones; as it is where nothing
 * fits. Where fits stand in the caption, the entry has what the name would say. */
DebyeCurve *debye_result_plot_fit_measured(DebyeResultPlot *self, DebyeResultPlotEntry *entry,
                                           DebyeCurve *measured, DebyeCurve *model,
                                           gboolean is_one_of_several);

/* References, peaks and caption for what is shown: curves of the quantity, or `matrix` as a heat map. Adds the
 * marks' shells to `shells`. */
void debye_result_plot_mark(DebyePlot *plot, const GPtrArray *entries, const DebyeQuantity *quantity,
                            DebyeMatrix *matrix, GArray *shells);
/* Neighbours in the fullest first shell of the entries' distributions; 0: none is known. */
double debye_result_plot_find_fullest(const GPtrArray *entries);
