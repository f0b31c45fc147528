/* SPDX-License-Identifier: MIT */
/* The ranges of fits of small-angle curves: in which plot each is shown, in which setting it is asked for, and which of its
 * ends can be moved there. Used by render/plot/result_plot_marks.c, which shows them, and app/window/window_fit.c, which fits
 * anew. */
#pragma once

#include "result.h"

typedef struct {
  const char *quantity; /* what the plot shows: "guinier" */
  const char *fit;      /* its row in DEBYE_TABLE_OF_FITS: "guinier" */
  const char *setting;  /* "guinier" */
  const char *low;      /* column of the lower end, "q_min"; NULL: it is 0 and stays there */
  const char *high;     /* column of the upper end */
  gboolean is_squared;  /* the plot stands over the square of what the columns have */
  gboolean is_tinted;   /* else it is usually all there is: its ends alone are marked */
  gboolean has_room;    /* the upper end may be moved beyond the curve */
} DebyeFitRangeKind;

/* Of the plot of that quantity; NULL: it has none. */
const DebyeFitRangeKind *debye_fit_range_find_kind(const char *quantity);
/* What the result's first fit of that kind used, in x of its plot. FALSE: the result has no such fit. */
gboolean debye_fit_range_get(const DebyeFitRangeKind *kind, DebyeResult *result, double *from, double *to);
/* The setting for a range from..to in x of the plot, to be freed. An end that is where `result` was fitted
 * keeps all digits, so that it still has the same points; a moved one has four. */
char *debye_fit_range_format(const DebyeFitRangeKind *kind, DebyeResult *result, double from, double to);
