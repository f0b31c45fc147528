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
copy_reference(gconstpointer data, gpointer unused G_GNUC_UNUSED)
{
  DebyePlotReference *reference = g_memdup2(data, sizeof *reference);
  reference->markup = g_strdup(reference->markup);
  return reference;
}

static gpointer
copy_peak(gconstpointer data, gpointer unused G_GNUC_UNUSED)
{
  DebyePlotPeak *peak = g_memdup2(data, sizeof *peak);
  peak->markup = g_strdup(peak->markup);
  return peak;
}

static gpointer
copy_words(gconstpointer data, gpointer unused G_GNUC_UNUSED)
{
  DebyePlotWords *words = g_memdup2(data, sizeof *words);
  words->markup = g_strdup(words->markup);
  return words;
}

static void
append_copies(GPtrArray *to, const GPtrArray *from, GCopyFunc copy)
{
  for (guint i = 0; i < from->len; i++)
    g_ptr_array_add(to, copy(from->pdata[i], NULL));
}

DebyePlot *
debye_plot_copy(DebyePlot *self)
{
  g_return_val_if_fail(DEBYE_IS_PLOT(self), NULL);
  DebyePlot *copy = debye_plot_new();
  append_copies(copy->series, self->series, copy_series);
  append_copies(copy->references, self->references, copy_reference);
  append_copies(copy->peaks, self->peaks, copy_peak);
  append_copies(copy->words, self->words, copy_words);
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
  copy->legend_visible = self->legend_visible;
  copy->legend_x = self->legend_x;
  copy->legend_y = self->legend_y;
  copy->legend_side = self->legend_side;
  copy->inset_from = self->inset_from;
  copy->inset_to = self->inset_to;
  copy->inset_x = self->inset_x;
  copy->inset_y = self->inset_y;
  copy->inset_side = self->inset_side;
  copy->highlight_from = self->highlight_from;
  copy->highlight_to = self->highlight_to;
  copy->range_from = self->range_from;
  copy->range_to = self->range_to;
  copy->range_ends = self->range_ends;
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
