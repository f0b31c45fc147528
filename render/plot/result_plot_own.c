/* SPDX-License-Identifier: MIT */
/* Quantities that are put beside the one of the plot, and results that have one of their own; called by the plot's panel and by
 * debye-cli. */
#include <string.h>

#include "result_plot_private.h"

void
debye_result_plot_set_also(DebyeResultPlot *self, const char *names)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self));
  if (g_strcmp0(names, self->also) == 0)
    return;
  g_free(self->also);
  self->also = g_strdup(names);
  debye_result_plot_update(self);
}

/* --- Results with a quantity of their own --- */

static void
add_name(char **names, const char *name)
{
  if (debye_result_plot_lists(*names, name))
    return;
  char *longer = *names != NULL ? g_strconcat(*names, ",", name, NULL) : g_strdup(name);
  g_free(*names);
  *names = longer;
}

/* Those that are there already hold the right axis to their unit. */
static gboolean
has_place_at_right(DebyeResultPlot *self, const DebyeQuantity *quantity)
{
  g_autoptr(GPtrArray) seconds = debye_result_plot_list_seconds(self);
  for (guint i = 0; i < seconds->len; i++) {
    const DebyeQuantity *there = seconds->pdata[i];
    if (debye_result_plot_lists(self->second, there->name) && strcmp(there->unit, quantity->unit) != 0)
      return FALSE;
  }
  return debye_result_plot_find_quantity(seconds, quantity->name) != NULL;
}

gboolean
debye_result_plot_add_own(DebyeResultPlot *self, guint key, DebyeResult *result, const char *label,
                          const char *quantity)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self) && DEBYE_IS_RESULT(result) && quantity != NULL, FALSE);
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self);
  for (guint i = 0; i < self->entries->len && shown != NULL; i++) {
    DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (entry->own == NULL)
      entry->own = g_intern_string(shown->name);
  }
  debye_result_plot_set_result(self, key, result, label);
  for (guint i = 0; i < self->entries->len; i++) {
    DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (entry->key == key)
      entry->own = g_intern_string(quantity);
  }
  g_autoptr(GPtrArray) also = debye_result_plot_list_also(self);
  g_autoptr(GPtrArray) seconds = debye_result_plot_list_seconds(self);
  const DebyeQuantity *wanted = debye_result_plot_find_quantity(seconds, quantity);
  shown = debye_result_plot_get_quantity(self); /* another result may be the first that has it */
  /* Numbers without a unit, such as g(r) and n(r), may have nothing else in common. */
  if (debye_result_plot_find_quantity(also, quantity) != NULL && *shown->unit != '\0')
    add_name(&self->also, quantity);
  else if (wanted != NULL && has_place_at_right(self, wanted))
    add_name(&self->second, quantity);
  else if (shown == NULL || strcmp(shown->name, quantity) != 0)
    return FALSE;
  debye_result_plot_update(self);
  return TRUE;
}
