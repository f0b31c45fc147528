/* SPDX-License-Identifier: MIT */
/* Copies a plot as it is at one moment for window_plots.c, so that it can be written while the one on the
 * screen goes on. */
#include "plot_state.h"

static gpointer
copy_series(gconstpointer data, gpointer unused G_GNUC_UNUSED)
{
  DebyePlotSeries *series = g_memdup2(data, sizeof *series);
  g_object_ref(series->curve);
  series->label = g_strdup(series->label);
  series->reduction = NULL; /* grows while it is looked at */
  return series;
}

static gpointer
copy_mark(gconstpointer data, gpointer unused G_GNUC_UNUSED)
{
  DebyePlotMark *mark = g_memdup2(data, sizeof *mark);
  mark->markup = g_strdup(mark->markup);
  return mark;
}

DebyePlot *
debye_plot_copy(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  DebyePlot *copy = debye_plot_new();
  g_ptr_array_extend(copy->series, self->series, copy_series, NULL);
  g_ptr_array_extend(copy->references, self->references, copy_mark, NULL);
  g_ptr_array_extend(copy->peaks, self->peaks, copy_mark, NULL);
  g_ptr_array_extend(copy->words, self->words, copy_mark, NULL);
  copy->next_id = self->next_id;
  g_set_object(&copy->matrix, self->matrix);
  for (int i = 0; i < DEBYE_PLOT_N_AXES; i++) {
    copy->axes[i] = self->axes[i];
    copy->axes[i].label = g_strdup(self->axes[i].label);
    copy->axes[i].unit = g_strdup(self->axes[i].unit);
    if (self->axes[i].tick_values != NULL)
      copy->axes[i].tick_values = g_array_copy(self->axes[i].tick_values);
  }
  copy->caption = g_strdup(self->caption);
  copy->below = self->below != NULL ? debye_plot_copy(self->below) : NULL;
  copy->parts = self->parts;
  return copy;
}

void
debye_plot_set_below(DebyePlot *self, DebyePlot *below)
{
  g_return_if_fail(DEBYE_IS_PLOT(self) && below != self);
  g_clear_object(&self->below);
  self->below = below != NULL ? debye_plot_copy(below) : NULL;
  debye_plot_changed(self);
}
