/* SPDX-License-Identifier: MIT */
/* What a plot holds, for the files that change it. */
#pragma once

#include "plot_private.h"

typedef struct {
  char *label;
  gboolean label_is_given; /* by the caller, not by the first curve */
  char *unit;              /* plain; NULL until something stands on the axis */
  DebyePlotScale scale;
  double minimum, maximum; /* the view; NAN: the data's */
  double ceiling;          /* where the data's range ends at most; NAN: where the data do */
  double tick_step;
  int n_minor;
  GArray *tick_values; /* double; NULL: none were chosen */
} DebyePlotAxisState;

/* What else stands in the frame, and where. */
typedef struct {
  struct {
    gboolean is_visible;
    DebyePlotLegendSide side;
    double x, y;
  } legend;
  struct {
    double from, to, x, y;
    DebyePlotLegendSide side;
  } inset;
  struct {
    double from, to;
    double set_from, set_to; /* where a movable range was before a hand moved it */
    DebyePlotRangeFlags flags;
  } range;
} DebyePlotParts;

struct _DebyePlot {
  GObject parent_instance;
  GPtrArray *series, *references, *peaks, *words;
  guint next_id;
  DebyeMatrix *matrix;
  DebyePlotAxisState axes[DEBYE_PLOT_N_AXES];
  char *caption;
  DebyePlot *below;
  DebyePlotParts parts;
  gboolean shows_ends; /* in a window; a file has no ends to take hold of */
};

/* Emits "changed". */
void debye_plot_changed(DebyePlot *self);
