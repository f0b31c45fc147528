/* SPDX-License-Identifier: MIT */
/* What there is to see of the results of a plot: quantities with curves, and maps. */
#include <string.h>

#include "data/results/contrast.h"
#include "result_plot_private.h"

const DebyeQuantity *
debye_result_plot_find_quantity(const GPtrArray *quantities, const char *name)
{
  for (guint i = 0; name != NULL && i < quantities->len; i++) {
    const DebyeQuantity *quantity = quantities->pdata[i];
    if (strcmp(quantity->name, name) == 0)
      return quantity;
  }
  return NULL;
}

/* --- Heat maps --- */

/* A matrix beside curves of the same name is another thing to choose: "F(q, τ), map". */
static const DebyeQuantity *
find_map(DebyeResultPlot *self, DebyeMatrix *matrix)
{
  const DebyeQuantity *value = debye_matrix_get_quantity(matrix);
  g_autofree char *name = g_strconcat(value->name, "-map", NULL);
  g_autofree char *label = g_strconcat(value->label, ", map", NULL);
  DebyeQuantity *known = g_hash_table_lookup(self->maps, name);
  if (known != NULL)
    return known;
  known = g_new0(DebyeQuantity, 1);
  debye_quantity_copy(&(DebyeQuantity){name, label, value->unit}, known);
  g_hash_table_insert(self->maps, g_strdup(name), known);
  return known;
}

/* NULL: the result has none. */
static DebyeMatrix *
find_matrix(DebyeResultPlot *self, DebyeResult *result, const DebyeQuantity *quantity)
{
  GListModel *matrices = debye_result_get_matrices(result);
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, i);
    if (!debye_contrast_owns(matrix) && find_map(self, matrix) == quantity)
      return matrix; /* the result keeps it */
  }
  return NULL;
}

DebyeMatrix *
debye_result_plot_find_matrix(DebyeResultPlot *self, const DebyeQuantity *quantity)
{
  DebyeMatrix *found = NULL;
  for (guint i = 0; quantity != NULL && found == NULL && i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    found = entry->result != NULL ? find_matrix(self, entry->result, quantity) : NULL;
  }
  return found;
}

static void
list_maps(DebyeResultPlot *self, GPtrArray *quantities)
{
  for (guint i = 0; i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    GListModel *matrices = entry->result != NULL ? debye_result_get_matrices(entry->result) : NULL;
    for (guint k = 0; matrices != NULL && k < g_list_model_get_n_items(matrices); k++) {
      g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, k);
      if (debye_contrast_owns(matrix))
        continue;
      const DebyeQuantity *map = find_map(self, matrix);
      if (debye_result_plot_find_quantity(quantities, map->name) == NULL)
        g_ptr_array_add(quantities, (gpointer)map);
    }
  }
}

/* --- All --- */

GPtrArray *
debye_result_plot_list_quantities(DebyeResultPlot *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  GPtrArray *quantities = g_ptr_array_new();
  for (guint i = 0; i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    GListModel *curves = entry->result != NULL ? debye_result_get_curves(entry->result) : NULL;
    for (guint k = 0; curves != NULL && k < g_list_model_get_n_items(curves); k++) {
      g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, k);
      const DebyeQuantity *quantity = debye_curve_get_y_quantity(curve);
      if (debye_result_plot_find_quantity(quantities, quantity->name) == NULL)
        g_ptr_array_add(quantities, (gpointer)quantity);
    }
  }
  list_maps(self, quantities);
  return quantities;
}

gboolean
debye_result_plot_has_curves(DebyeResult *result, const char *quantity)
{
  GListModel *curves = debye_result_get_curves(result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (strcmp(debye_curve_get_y_quantity(curve)->name, quantity) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Curves or a map. */
static gboolean
has_quantity(DebyeResultPlot *self, const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  return entry->result != NULL && (debye_result_plot_has_curves(entry->result, quantity->name) ||
                                   find_matrix(self, entry->result, quantity) != NULL);
}

DebyeResult *
debye_result_plot_find_source(DebyeResultPlot *self, const DebyeQuantity *quantity)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self) && quantity != NULL, NULL);
  for (guint i = 0; i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (has_quantity(self, entry, quantity))
      return entry->result;
  }
  return NULL;
}

const DebyeQuantity *
debye_result_plot_get_quantity(DebyeResultPlot *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  g_autoptr(GPtrArray) quantities = debye_result_plot_list_quantities(self);
  const DebyeQuantity *wanted = debye_result_plot_find_quantity(quantities, self->quantity);
  if (wanted != NULL)
    return wanted;
  return quantities->len > 0 ? quantities->pdata[0] : NULL;
}

gboolean
debye_result_plot_fits(const DebyeQuantity *values, const DebyeQuantity *quantity)
{
  return strcmp(values->name, quantity->name) == 0 && strcmp(values->unit, quantity->unit) == 0;
}

GPtrArray *
debye_result_plot_list_results(DebyeResultPlot *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  GPtrArray *results = g_ptr_array_new_with_free_func(g_object_unref);
  const DebyeQuantity *shown = debye_result_plot_get_quantity(self);
  for (guint i = 0; shown != NULL && i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (has_quantity(self, entry, shown))
      g_ptr_array_add(results, g_object_ref(entry->result));
  }
  return results;
}

static const DebyeQuantity *
join_quantities(const DebyeQuantity *one, const DebyeQuantity *other)
{
  static const DebyeQuantity distance = {"distance", "distance", "Å"};
  gboolean are_lengths = strcmp(one->unit, distance.unit) == 0 && strcmp(other->unit, distance.unit) == 0;
  return are_lengths && strcmp(one->name, other->name) != 0 ? &distance : one;
}

const DebyeQuantity *
debye_result_plot_find_x_quantity(DebyeResultPlot *self, const char *quantity)
{
  const DebyeQuantity *found = NULL;
  for (guint i = 0; i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    GListModel *curves = entry->result != NULL ? debye_result_get_curves(entry->result) : NULL;
    for (guint k = 0; curves != NULL && k < g_list_model_get_n_items(curves); k++) {
      g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, k);
      const DebyeQuantity *x = debye_curve_get_x_quantity(curve);
      if (strcmp(debye_curve_get_y_quantity(curve)->name, quantity) == 0)
        found = found != NULL ? join_quantities(found, x) : x;
    }
  }
  return found;
}

gboolean
debye_result_plot_is_over(DebyeResultPlot *self, const char *x)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), FALSE);
  for (gsize i = 0; i < debye_plot_get_n_series(self->plot); i++) {
    DebyeCurve *curve = debye_plot_get_curve(self->plot, debye_plot_get_series(self->plot, i));
    if (strcmp(debye_curve_get_x_quantity(curve)->name, x) == 0)
      return TRUE;
  }
  return FALSE;
}
