/* SPDX-License-Identifier: MIT */
/* What the files of a plot of results share. */
#pragma once

#include "result_plot.h"

G_BEGIN_DECLS

/* One result, or one measured curve. */
typedef struct {
  guint key;
  DebyeResult *result; /* NULL: a measured curve */
  char *label;
  DebyeCurve *measured;
  gboolean fit;
  const char *x_name; /* interned: what a measured curve without a unit was first shown over */
} DebyeResultPlotEntry;

/* A shell of a pair distribution, from its result's table of peaks. */
typedef struct {
  guint key;
  const char *pair; /* the table's */
  double position, height, from, to, coordination;
} DebyeResultPlotShell;

/* References, peaks and caption for what is shown. Adds the marks' shells to `shells`. */
void debye_result_plot_mark(DebyePlot *plot, const GPtrArray *entries, const DebyeQuantity *quantity,
                            GArray *shells);

G_END_DECLS
