/* SPDX-License-Identifier: MIT */
/* A plot of results as an object: what it holds, and its end; what it shows is in result_plot.c and result_plot_*.c. */
#include "result_plot_private.h"

G_DEFINE_FINAL_TYPE(DebyeResultPlot, debye_result_plot, G_TYPE_OBJECT)

static void
entry_free(gpointer data)
{
  DebyeResultPlotEntry *entry = data;
  g_clear_object(&entry->result);
  g_clear_object(&entry->measured);
  g_clear_object(&entry->away);
  debye_quantity_clear(&entry->of);
  g_free(entry->label);
  g_free(entry);
}

static void
series_free(gpointer data)
{
  DebyeResultPlotSeries *series = data;
  g_free(series->curve);
  g_free(series->pair);
  g_free(series);
}

static void
quantity_free(gpointer data)
{
  debye_quantity_clear(data);
  g_free(data);
}

static void
debye_result_plot_finalize(GObject *object)
{
  DebyeResultPlot *self = DEBYE_RESULT_PLOT(object);
  g_ptr_array_unref(self->series);
  g_ptr_array_unref(self->entries);
  g_hash_table_unref(self->colors);
  g_hash_table_unref(self->hidden);
  g_hash_table_unref(self->maps);
  g_array_unref(self->shells);
  g_clear_object(&self->plot);
  g_free(self->quantity);
  g_free(self->shown);
  g_free(self->shown_x);
  g_free(self->also);
  g_free(self->second);
  g_array_unref(self->second_series);
  G_OBJECT_CLASS(debye_result_plot_parent_class)->finalize(object);
}

static void
debye_result_plot_class_init(DebyeResultPlotClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_result_plot_finalize;
  g_signal_new("changed", DEBYE_TYPE_RESULT_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_result_plot_init(DebyeResultPlot *self)
{
  self->plot = debye_plot_new();
  self->entries = g_ptr_array_new_with_free_func(entry_free);
  self->series = g_ptr_array_new_with_free_func(series_free);
  self->colors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  self->hidden = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  self->maps = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, quantity_free);
  self->second_series = g_array_new(FALSE, FALSE, sizeof(guint));
  self->shells = g_array_new(FALSE, FALSE, sizeof(DebyeResultPlotShell));
}

void
debye_result_plot_changed(DebyeResultPlot *self)
{
  g_signal_emit_by_name(self, "changed");
}
