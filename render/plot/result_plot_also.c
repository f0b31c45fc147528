/* SPDX-License-Identifier: MIT */
/* Several quantities of results in one plot: which stand on the left axis beside the one that is shown, and what their curves
 * are called; called by result_plot.c. */
#include <string.h>

#include "data/messages/message.h"
#include "data/results/curve_of.h"
#include "result_plot_private.h"

gboolean
debye_result_plot_lists(const char *names, const char *name)
{
  g_auto(GStrv) words = g_strsplit(names != NULL ? names : "", ",", -1);
  for (char **word = words; *word != NULL; word++)
    if (strcmp(g_strstrip(*word), name) == 0)
      return TRUE;
  return FALSE;
}

gboolean
debye_result_plot_owns(const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  return entry->own == NULL || strcmp(entry->own, quantity->name) == 0;
}

GPtrArray *
debye_result_plot_list_seconds(DebyeResultPlot *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  GPtrArray *seconds = g_ptr_array_new();
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self);
  const DebyeQuantity *x = shown != NULL ? debye_result_plot_find_x_quantity(self, shown->name) : NULL;
  g_autoptr(GPtrArray) all = debye_result_plot_list_quantities(self);
  for (guint i = 0; x != NULL && i < all->len; i++) {
    const DebyeQuantity *quantity = all->pdata[i];
    const DebyeQuantity *own = debye_result_plot_find_x_quantity(self, quantity->name);
    if (own != NULL && quantity != shown && strcmp(own->name, x->name) == 0 &&
        strcmp(own->unit, x->unit) == 0)
      g_ptr_array_add(seconds, (gpointer)quantity);
  }
  return seconds;
}

GPtrArray *
debye_result_plot_list_also(DebyeResultPlot *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self);
  GPtrArray *found = debye_result_plot_list_seconds(self);
  for (guint i = found->len; i-- > 0;)
    if (strcmp(((const DebyeQuantity *)found->pdata[i])->unit, shown->unit) != 0)
      g_ptr_array_remove_index(found, i);
  return found;
}

/* (element-type DebyeQuantity) */
static GPtrArray *
list_beside(DebyeResultPlot *self)
{
  GPtrArray *beside = self->also != NULL ? debye_result_plot_list_also(self) : g_ptr_array_new();
  for (guint i = beside->len; i-- > 0;)
    if (!debye_result_plot_lists(self->also, ((const DebyeQuantity *)beside->pdata[i])->name))
      g_ptr_array_remove_index(beside, i);
  return beside;
}

gboolean
debye_result_plot_is_beside(DebyeResultPlot *self, const DebyeQuantity *quantity)
{
  g_autoptr(GPtrArray) beside = list_beside(self);
  for (guint i = 0; i < beside->len; i++)
    if (debye_result_plot_fits(quantity, beside->pdata[i]))
      return TRUE;
  return FALSE;
}

void
debye_result_plot_describe_axis(DebyeResultPlot *self, const DebyeQuantity *quantity, DebyeQuantity *axis)
{
  g_autoptr(GPtrArray) beside = list_beside(self);
  g_autofree char *first = debye_message_translate(quantity->label);
  g_autoptr(GString) label = g_string_new(beside->len > 0 ? first : quantity->label);
  for (guint i = 0; i < beside->len; i++) {
    g_autofree char *further = debye_message_translate(((const DebyeQuantity *)beside->pdata[i])->label);
    g_string_append_printf(label, ", %s", further);
  }
  debye_quantity_copy(&(DebyeQuantity){quantity->name, label->str, quantity->unit}, axis);
}

/* --- Names --- */

static guint
count_results(DebyeResultPlot *self)
{
  guint n = 0;
  for (guint i = 0; i < self->entries->len; i++)
    n += ((const DebyeResultPlotEntry *)self->entries->pdata[i])->result != NULL;
  return n;
}

char *
debye_result_plot_name_curve(DebyeResultPlot *self, const DebyeResultPlotEntry *entry, DebyeCurve *curve)
{
  const char *of = debye_curve_of_find(debye_result_get_curves(entry->result), curve);
  const gboolean is_one_of_several = entry->label != NULL && count_results(self) > 1;
  return is_one_of_several ? debye_say("%s: %s", entry->label, of) : g_strdup(of);
}

char *
debye_result_plot_name_beside(DebyeResultPlot *self, const char *name, gboolean names_quantity,
                              const DebyeQuantity *quantity)
{
  g_autoptr(GPtrArray) beside = list_beside(self);
  g_autofree char *label = debye_message_translate(quantity->label);
  return beside->len > 0 && !names_quantity ? g_strconcat(name, ", ", label, NULL) : g_strdup(name);
}
