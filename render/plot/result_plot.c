/* SPDX-License-Identifier: MIT */
/* Implementation of result_plot.h: one quantity of results as curves; used by the plot panel and
 * debye-cli. */
#include "result_plot.h"

#include <math.h>
#include <string.h>

#include "data/results/curve_of.h"
#include "plot_text.h"
#include "result_plot_private.h"

/* --- Curves --- */

static DebyeResultPlotSeries *
find_series(DebyeResultPlot *self, guint key, const char *curve)
{
  for (guint i = 0; i < self->series->len; i++) {
    DebyeResultPlotSeries *series = self->series->pdata[i];
    if (series->key == key && strcmp(series->curve, curve) == 0)
      return series;
  }
  return NULL;
}

static char *
hidden_name(const DebyeResultPlotSeries *series)
{
  return g_strdup_printf("%u %s", series->key, series->pair);
}

/* What was hidden by hand stays so with the next quantity. */
static void
remember_hidden(DebyeResultPlot *self)
{
  for (guint i = 0; i < self->series->len; i++) {
    const DebyeResultPlotSeries *series = self->series->pdata[i];
    g_autofree char *name = hidden_name(series);
    if (debye_plot_get_series_visible(self->plot, series->series))
      g_hash_table_remove(self->hidden, name);
    else
      g_hash_table_add(self->hidden, g_steal_pointer(&name));
  }
}

static void
put_curve(DebyeResultPlot *self, const DebyeResultPlotEntry *entry, DebyeCurve *curve, const char *name,
          const char *pair)
{
  DebyeResultPlotSeries *series = find_series(self, entry->key, name);
  if (series != NULL) {
    debye_plot_replace_curve(self->plot, series->series, curve);
    series->is_wanted = TRUE;
    return;
  }
  series = g_new(DebyeResultPlotSeries, 1);
  *series = (DebyeResultPlotSeries){.key = entry->key,
                                    .series = debye_plot_add_curve(self->plot, curve, DEBYE_PLOT_Y),
                                    .curve = g_strdup(name),
                                    .pair = g_strdup(pair),
                                    .is_measured = entry->result == NULL,
                                    .is_wanted = TRUE};
  g_ptr_array_add(self->series, series);
  debye_plot_set_series_color(self->plot, series->series,
                              debye_result_plot_get_color(self, entry->key, name));
  g_autofree char *hidden = hidden_name(series);
  if (g_hash_table_contains(self->hidden, hidden))
    debye_plot_set_series_visible(self->plot, series->series, FALSE);
}

static void
put_result(DebyeResultPlot *self, const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  GListModel *curves = debye_result_get_curves(entry->result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    const DebyeQuantity *own = debye_curve_get_y_quantity(curve);
    const gboolean is_beside = debye_result_plot_is_beside(self, own);
    if (!debye_result_plot_owns(entry, own) || (!is_beside && !debye_result_plot_fits(own, quantity)))
      continue;
    /* Beside a curve of the same distribution it is another one. */
    const char *of = debye_curve_of_find(curves, curve), *pair = is_beside ? debye_curve_get_name(curve) : of;
    const gboolean names_quantity = debye_curve_names_quantity(curve);
    g_autofree char *plain = debye_result_plot_name_curve(self, entry, curve);
    g_autofree char *name = debye_result_plot_name_beside(self, plain, names_quantity, own);
    g_autofree char *bare = debye_result_plot_name_beside(self, of, names_quantity, own);
    g_autoptr(DebyeCurve) named = debye_curve_with_name(curve, name);
    debye_curve_set_of(named, bare);
    put_curve(self, entry, named, debye_curve_get_name(curve), pair);
  }
}

/* The first computed curve of the quantity that is visible, and whether there are more; NULL: none is. */
static DebyeCurve *
first_visible(DebyeResultPlot *self, const DebyeQuantity *quantity, gboolean *is_one_of_several)
{
  DebyeCurve *first = NULL;
  *is_one_of_several = FALSE;
  for (guint i = 0; i < self->series->len && !*is_one_of_several; i++) {
    const DebyeResultPlotSeries *series = self->series->pdata[i];
    DebyeCurve *curve = debye_plot_get_curve(self->plot, series->series);
    if (series->is_measured || !series->is_wanted ||
        !debye_plot_get_series_visible(self->plot, series->series) ||
        !debye_result_plot_fits(debye_curve_get_y_quantity(curve), quantity))
      continue;
    *is_one_of_several = first != NULL;
    first = first != NULL ? first : curve;
  }
  return first;
}

/* A measured S(q) says nothing beside F(q): a curve stays with the quantity that it was first shown with. */
static gboolean
belongs_here(DebyeResultPlot *self, DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  if (quantity == NULL)
    return entry->of.name == NULL || g_strcmp0(entry->of.name, self->shown) == 0;
  if (entry->of.name == NULL)
    debye_quantity_copy(quantity, &entry->of);
  return debye_result_plot_fits(&entry->of, quantity) || debye_result_plot_is_beside(self, &entry->of);
}

/* A curve over q has no place on an axis of r. */
static void
put_measured(DebyeResultPlot *self, DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  gboolean is_one_of_several;
  const DebyeQuantity *x = quantity != NULL ? debye_result_plot_find_x_quantity(self, quantity->name) : NULL;
  const char *own = debye_curve_get_x_quantity(entry->measured)->unit;
  g_autoptr(DebyeCurve) curve = x != NULL && *own != '\0' ? debye_curve_with_x_unit(entry->measured, x->unit)
                                                          : g_object_ref(entry->measured);
  g_clear_pointer(&entry->label, g_free); /* what was said of an earlier fit */
  if (curve == NULL || !belongs_here(self, entry, quantity))
    return;
  DebyeCurve *model = quantity != NULL ? first_visible(self, &entry->of, &is_one_of_several) : NULL;
  g_autoptr(DebyeCurve) shown =
      entry->fit && model != NULL
          ? debye_result_plot_fit_measured(self, entry, curve, model, is_one_of_several)
          : g_object_ref(curve);
  put_curve(self, entry, shown, debye_curve_get_name(entry->measured), debye_curve_get_name(entry->measured));
}

static void
remove_unwanted(DebyeResultPlot *self)
{
  for (guint i = self->series->len; i-- > 0;) {
    const DebyeResultPlotSeries *series = self->series->pdata[i];
    if (series->is_wanted)
      continue;
    debye_plot_remove_curve(self->plot, series->series);
    g_ptr_array_remove_index(self->series, i);
  }
}

/* What has been away stands where it was. */
static void
order_series(DebyeResultPlot *self)
{
  guint n_ordered = 0;
  for (guint i = 0; i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    for (guint k = n_ordered; k < self->series->len; k++) {
      DebyeResultPlotSeries *series = self->series->pdata[k];
      if (series->key != entry->key)
        continue;
      debye_plot_move_curve(self->plot, series->series, n_ordered);
      g_ptr_array_insert(self->series, (gint)n_ordered++, g_ptr_array_steal_index(self->series, k));
    }
  }
}

/* --- The plot --- */

static void
set_label(DebyeResultPlot *self, DebyePlotAxis axis, const DebyeQuantity *quantity)
{
  g_autofree char *markup = quantity != NULL ? debye_plot_text_from_quantity(quantity) : NULL;
  debye_plot_set_label(self->plot, axis, markup);
}

static void
set_labels(DebyeResultPlot *self, const DebyeQuantity *quantity, const DebyeQuantity *x, DebyeMatrix *matrix)
{
  DebyeQuantity axis = {0};
  debye_result_plot_describe_axis(self, quantity, &axis);
  set_label(self, DEBYE_PLOT_X, x);
  set_label(self, DEBYE_PLOT_Y, matrix != NULL ? debye_matrix_get_row_quantity(matrix) : &axis);
  debye_quantity_clear(&axis);
  set_label(self, DEBYE_PLOT_COLOR, matrix != NULL ? debye_matrix_get_quantity(matrix) : NULL);
}

/* Another quantity is another plot: all series are new, and the view is what the new axes need. */
static void
turn_axes(DebyeResultPlot *self, const DebyeQuantity *quantity, DebyeMatrix *matrix)
{
  const DebyeQuantity *x = matrix != NULL     ? debye_matrix_get_column_quantity(matrix)
                           : quantity != NULL ? debye_result_plot_find_x_quantity(self, quantity->name)
                                              : NULL;
  const char *x_name = x != NULL ? x->name : NULL, *name = quantity != NULL ? quantity->name : NULL;
  /* An empty plot keeps its axes: what comes next may go on with them. */
  if (quantity == NULL)
    return;
  set_labels(self, quantity, x, matrix);
  if (g_strcmp0(self->shown, name) == 0 && g_strcmp0(self->shown_x, x_name) == 0)
    return;
  debye_plot_set_view(self->plot, DEBYE_PLOT_Y, NAN, NAN);
  debye_plot_set_view(self->plot, DEBYE_PLOT_COLOR, NAN, NAN);
  if (g_strcmp0(self->shown_x, x_name) != 0) {
    debye_plot_reset_view(self->plot);
    debye_plot_set_highlight(self->plot, NAN, NAN);
  }
  if (g_strcmp0(self->shown, name) != 0) {
    debye_result_plot_turn_scales(self, name);
    g_hash_table_remove_all(self->colors);
  }
  g_free(self->shown);
  g_free(self->shown_x);
  self->shown = g_strdup(name);
  self->shown_x = g_strdup(x_name);
}

/* The colours that its curves will have. */
static void
reserve_colors(DebyeResultPlot *self, const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  GListModel *curves = debye_result_get_curves(entry->away);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (debye_result_plot_fits(debye_curve_get_y_quantity(curve), quantity))
      debye_result_plot_get_color(self, entry->key, debye_curve_get_name(curve));
  }
}

static void
put_all(DebyeResultPlot *self, const DebyeQuantity *quantity)
{
  for (guint i = 0; quantity != NULL && i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (entry->result != NULL)
      put_result(self, entry, quantity);
    else if (entry->away != NULL)
      reserve_colors(self, entry, quantity);
  }
  for (guint i = 0; i < self->entries->len; i++) {
    DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (entry->measured != NULL)
      put_measured(self, entry, quantity);
  }
}

void
debye_result_plot_update(DebyeResultPlot *self)
{
  const DebyeQuantity *quantity = debye_result_plot_get_quantity(self);
  DebyeMatrix *matrix = debye_result_plot_find_matrix(self, quantity);
  debye_result_plot_drop_second(self);
  remember_hidden(self);
  for (guint i = 0; i < self->series->len; i++)
    ((DebyeResultPlotSeries *)self->series->pdata[i])->is_wanted = FALSE;
  if (g_strcmp0(self->shown, quantity != NULL ? quantity->name : NULL) != 0)
    remove_unwanted(self);
  turn_axes(self, quantity, matrix);
  debye_plot_set_matrix(self->plot, matrix);
  /* No curve of a measurement stands over a map. */
  if (matrix == NULL)
    put_all(self, quantity);
  remove_unwanted(self);
  order_series(self);
  debye_result_plot_put_second(self);
  debye_result_plot_mark(self->plot, self->entries, quantity, matrix, self->shells);
  debye_result_plot_bound(self);
  debye_result_plot_changed(self);
}

DebyePlot *
debye_result_plot_get_plot(DebyeResultPlot *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  return self->plot;
}

static DebyeResultPlotEntry *
find_entry(DebyeResultPlot *self, guint key, guint *index)
{
  for (guint i = 0; i < self->entries->len; i++) {
    DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (entry->key == key) {
      *index = i;
      return entry;
    }
  }
  return NULL;
}

/* What came to nothing leaves no place. */
static void
take_away(DebyeResultPlot *self, DebyeResultPlotEntry *entry)
{
  if (entry->is_growing) {
    debye_result_plot_forget(self, entry->key);
    return;
  }
  if (entry->result != NULL)
    g_set_object(&entry->away, entry->result);
  g_clear_object(&entry->result);
  g_clear_object(&entry->measured);
  debye_quantity_clear(&entry->of); /* shown again by hand, it belongs to what is shown then */
  debye_result_plot_update(self);
}

/* By keys, and so in the order in which whoever gives them lists them. */
static guint
find_entry_place(const DebyeResultPlot *self, guint key)
{
  guint place = 0;
  while (place < self->entries->len && ((const DebyeResultPlotEntry *)self->entries->pdata[place])->key < key)
    place++;
  return place;
}

/* What is known of an entry, as it will be; nothing: it goes. */
static void
set_entry(DebyeResultPlot *self, const DebyeResultPlotEntry *wanted)
{
  guint index;
  DebyeResultPlotEntry *entry = find_entry(self, wanted->key, &index);
  if (wanted->result == NULL && wanted->measured == NULL) {
    if (entry != NULL)
      take_away(self, entry);
    return;
  }
  if (entry == NULL) {
    entry = g_new0(DebyeResultPlotEntry, 1);
    entry->key = wanted->key;
    g_ptr_array_insert(self->entries, (gint)find_entry_place(self, entry->key), entry);
  }
  g_set_object(&entry->result, wanted->result);
  g_set_object(&entry->measured, wanted->measured);
  g_clear_object(&entry->away);
  entry->fit = wanted->fit;
  entry->is_growing = wanted->is_growing;
  g_free(entry->label);
  entry->label = g_strdup(wanted->label);
  debye_result_plot_update(self);
}

void
debye_result_plot_forget(DebyeResultPlot *self, guint key)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self));
  guint index;
  if (find_entry(self, key, &index) == NULL)
    return;
  g_ptr_array_remove_index(self->entries, index);
  debye_result_plot_forget_colors(self, key);
  debye_result_plot_update(self);
}

void
debye_result_plot_set_result(DebyeResultPlot *self, guint key, DebyeResult *result, const char *label)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self) && (result == NULL || DEBYE_IS_RESULT(result)));
  set_entry(self, &(DebyeResultPlotEntry){.key = key, .result = result, .label = (char *)label});
}

void
debye_result_plot_set_growing(DebyeResultPlot *self, guint key, DebyeResult *result, const char *label)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self) && (result == NULL || DEBYE_IS_RESULT(result)));
  set_entry(self, &(DebyeResultPlotEntry){
                      .key = key, .result = result, .label = (char *)label, .is_growing = TRUE});
}

void
debye_result_plot_set_measured(DebyeResultPlot *self, guint key, DebyeCurve *curve, gboolean fit)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self) && (curve == NULL || DEBYE_IS_CURVE(curve)));
  set_entry(self, &(DebyeResultPlotEntry){.key = key, .measured = curve, .fit = fit});
}

void
debye_result_plot_set_measured_of(DebyeResultPlot *self, guint key, const DebyeQuantity *of)
{
  guint index;
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self) && of != NULL);
  DebyeResultPlotEntry *entry = find_entry(self, key, &index);
  if (entry == NULL || entry->measured == NULL)
    return;
  debye_quantity_clear(&entry->of);
  debye_quantity_copy(of, &entry->of);
  debye_result_plot_update(self);
}

const DebyeQuantity *
debye_result_plot_get_measured_of(DebyeResultPlot *self, guint key)
{
  guint index;
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  const DebyeResultPlotEntry *entry = find_entry(self, key, &index);
  return entry != NULL && entry->of.name != NULL ? &entry->of : NULL;
}

void
debye_result_plot_set_quantity(DebyeResultPlot *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self));
  if (g_strcmp0(self->quantity, name) == 0)
    return;
  g_free(self->quantity);
  self->quantity = g_strdup(name);
  debye_result_plot_update(self);
}

void
debye_result_plot_set_second(DebyeResultPlot *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_RESULT_PLOT(self));
  g_free(self->second);
  self->second = g_strdup(name);
  debye_result_plot_update(self);
}

static const DebyeResultPlotSeries *
find_drawn(DebyeResultPlot *self, guint series)
{
  for (guint i = 0; i < self->series->len; i++)
    if (((const DebyeResultPlotSeries *)self->series->pdata[i])->series == series)
      return self->series->pdata[i];
  return NULL;
}

gboolean
debye_result_plot_find_series(DebyeResultPlot *self, guint series, guint *key, const char **name)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), FALSE);
  const DebyeResultPlotSeries *found = find_drawn(self, series);
  if (found == NULL || found->is_measured)
    return FALSE;
  *key = found->key;
  *name = found->pair;
  return TRUE;
}

const char *
debye_result_plot_get_own_name(DebyeResultPlot *self, guint series)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), NULL);
  const DebyeResultPlotSeries *found = find_drawn(self, series);
  return found != NULL && found->is_measured ? found->curve
                                             : debye_curve_get_name(debye_plot_get_curve(self->plot, series));
}

gboolean
debye_result_plot_find_peak(DebyeResultPlot *self, double x, guint *key, const char **name, double *from,
                            double *to)
{
  g_return_val_if_fail(DEBYE_IS_RESULT_PLOT(self), FALSE);
  for (guint i = 0; i < self->shells->len; i++) {
    const DebyeResultPlotShell *shell = &g_array_index(self->shells, DebyeResultPlotShell, i);
    if (shell->position != x)
      continue;
    *key = shell->key;
    *name = shell->pair;
    *from = shell->from;
    *to = shell->to;
    return TRUE;
  }
  return FALSE;
}

DebyeResultPlot *
debye_result_plot_new(void)
{
  return g_object_new(DEBYE_TYPE_RESULT_PLOT, NULL);
}
