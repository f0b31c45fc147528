/* SPDX-License-Identifier: MIT */
/* The range of x that a plot tints or marks, and that a hand may move; called by result_plot_marks.c and the plot's widget. */
#include <math.h>

#include "plot_private.h"
#include "plot_state.h"

static void
set_ends(DebyePlot *self, double from, double to)
{
  self->highlight_from = fmin(from, to);
  self->highlight_to = fmax(from, to);
  debye_plot_changed(self);
}

void
debye_plot_set_highlight(DebyePlot *self, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->range_ends = DEBYE_PLOT_RANGE_TINTED;
  set_ends(self, from, to);
}

void
debye_plot_set_movable_range(DebyePlot *self, double from, double to, DebyePlotRangeFlags flags)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->range_ends = flags;
  self->range_from = fmin(from, to);
  self->range_to = fmax(from, to);
  set_ends(self, from, to);
}

void
debye_plot_show_range_ends(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  self->shows_ends = TRUE;
}

void
debye_plot_move_range(DebyePlot *self, double from, double to)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  set_ends(self, from, to);
}

void
debye_plot_reset_range(DebyePlot *self)
{
  g_return_if_fail(DEBYE_IS_PLOT(self));
  if ((self->range_ends & DEBYE_PLOT_RANGE_MOVABLE) != 0)
    set_ends(self, self->range_from, self->range_to);
}

DebyePlotRangeFlags
debye_plot_get_movable_range(DebyePlot *self, double *from, double *to)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), 0);
  return debye_plot_get_highlight(self, from, to) ? self->range_ends & DEBYE_PLOT_RANGE_MOVABLE : 0;
}

gboolean
debye_plot_has_movable_range(DebyePlot *self)
{
  double from, to;
  return debye_plot_get_movable_range(self, &from, &to) != 0;
}

gboolean
debye_plot_get_set_range(DebyePlot *self, double *from, double *to)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), FALSE);
  *from = self->range_from;
  *to = self->range_to;
  return (self->range_ends & DEBYE_PLOT_RANGE_MOVABLE) != 0 && *from < *to;
}
