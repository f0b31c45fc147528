/* SPDX-License-Identifier: MIT */
/* A second quantity of the results on the right axis, n(r) beside g(r); called by result_plot.c. */
#include <math.h>
#include <string.h>

#include "data/messages/message.h"
#include "plot_private.h"
#include "plot_text.h"
#include "result_plot_private.h"

/* --- What was asked for --- */

/* Those that were asked for and have the unit of the first of them. (element-type DebyeQuantity) */
static GPtrArray *
find_seconds(DebyeResultPlot *self)
{
  GPtrArray *found = g_ptr_array_new();
  g_autoptr(GPtrArray) seconds = debye_result_plot_list_seconds(self);
  for (guint i = 0; i < seconds->len; i++) {
    const DebyeQuantity *quantity = seconds->pdata[i];
    const DebyeQuantity *first = found->len > 0 ? found->pdata[0] : quantity;
    if (debye_result_plot_lists(self->second, quantity->name) && strcmp(quantity->unit, first->unit) == 0)
      g_ptr_array_add(found, (gpointer)quantity);
  }
  return found;
}

/* --- Curves --- */

/* In the colour of the curve that it belongs to. */
static void
take_color(DebyeResultPlot *self, guint series, const char *of)
{
  GPtrArray *all = debye_plot_get_all_series(self->plot);
  for (guint i = 0; i < all->len; i++) {
    const DebyePlotSeries *candidate = all->pdata[i];
    if (candidate->axis == DEBYE_PLOT_Y && strcmp(debye_curve_get_name(candidate->curve), of) == 0) {
      debye_plot_set_series_color(self->plot, series, candidate->color);
      return;
    }
  }
}

static void
put_curve(DebyeResultPlot *self, DebyeCurve *curve, const char *of, const DebyeQuantity *quantity)
{
  g_autofree char *label = debye_message_translate(quantity->label);
  const gboolean is_named = debye_curve_names_quantity(curve);
  g_autofree char *name = is_named      ? g_strdup(of)
                          : *of != '\0' ? g_strconcat(of, ", ", label, NULL)
                                        : g_strdup(label);
  g_autoptr(DebyeCurve) named = debye_curve_with_name(curve, name);
  const guint series = debye_plot_add_curve(self->plot, named, DEBYE_PLOT_Y2);
  g_autofree char *symbol =
      debye_plot_text_from_quantity(&(DebyeQuantity){quantity->name, quantity->label, ""});
  g_autofree char *shown = debye_plot_text_from_name(of);
  g_autofree char *plain = debye_plot_text_from_plain(shown);
  g_autofree char *markup = *of != '\0' ? g_strconcat(plain, ", ", symbol, NULL) : g_strdup(symbol);
  debye_plot_set_series_label(self->plot, series, is_named ? plain : markup);
  g_autofree char *beside =
      debye_result_plot_name_beside(self, of, FALSE, debye_result_plot_get_quantity(self));
  take_color(self, series, beside);
  debye_plot_set_series_dash(self->plot, series, DEBYE_PLOT_DASHED);
  g_array_append_val(self->second_series, series);
}

static void
put_result(DebyeResultPlot *self, const DebyeResultPlotEntry *entry, const DebyeQuantity *quantity)
{
  GListModel *curves = debye_result_get_curves(entry->result);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (!debye_result_plot_owns(entry, quantity) ||
        !debye_result_plot_fits(debye_curve_get_y_quantity(curve), quantity))
      continue;
    g_autofree char *of = debye_result_plot_name_curve(self, entry, curve);
    put_curve(self, curve, of, quantity);
  }
}

static void
put_quantity(DebyeResultPlot *self, const DebyeQuantity *quantity)
{
  for (guint i = 0; i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    if (entry->result != NULL)
      put_result(self, entry, quantity);
  }
}

void
debye_result_plot_put_second(DebyeResultPlot *self)
{
  g_autoptr(GPtrArray) quantities = find_seconds(self);
  g_autoptr(GString) names = g_string_new(NULL);
  for (guint i = 0; i < quantities->len; i++) {
    const DebyeQuantity *quantity = quantities->pdata[i];
    g_autofree char *label = debye_message_translate(quantity->label);
    g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", label);
    put_quantity(self, quantity);
  }
  if (quantities->len == 0)
    return;
  const DebyeQuantity *first = quantities->pdata[0];
  g_autofree char *label =
      debye_plot_text_from_quantity(&(DebyeQuantity){first->name, names->str, first->unit});
  debye_plot_set_label(self->plot, DEBYE_PLOT_Y2, label);
}

/* n(r) grows as r³: at its end four neighbours would lie on the axis. Three times the fullest first shell shows
 * this one's step and the next. */
#define SHOWN_SHELLS 3.0

static double
find_ceiling(DebyeResultPlot *self)
{
  const double fullest = debye_result_plot_find_fullest(self->entries);
  return fullest > 0.0 ? SHOWN_SHELLS * fullest : (double)NAN;
}

/* Where the last of the curves of n(r) has passed `ceiling`; NAN: one never does. */
static double
find_passage(DebyeResultPlot *self, double ceiling)
{
  double last = NAN;
  for (guint i = 0; i < self->entries->len; i++) {
    const DebyeResultPlotEntry *entry = self->entries->pdata[i];
    GListModel *curves = entry->result != NULL ? debye_result_get_curves(entry->result) : NULL;
    for (guint k = 0; curves != NULL && k < g_list_model_get_n_items(curves); k++) {
      g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, k);
      const double *y = debye_curve_get_y(curve);
      const gsize n = debye_curve_get_n_points(curve);
      gsize at = 0;
      if (strcmp(debye_curve_get_y_quantity(curve)->name, "coordination") != 0)
        continue;
      while (at < n && !(y[at] > ceiling))
        at++;
      if (at == n)
        return NAN;
      last = fmax(last, debye_curve_get_x(curve)[at]);
    }
  }
  return last;
}

void
debye_result_plot_bound(DebyeResultPlot *self)
{
  g_autoptr(GPtrArray) seconds = find_seconds(self);
  const gboolean is_first = g_strcmp0(self->shown, "coordination") == 0;
  const gboolean is_second =
      seconds->len == 1 && debye_result_plot_find_quantity(seconds, "coordination") != NULL;
  const double ceiling = is_first || is_second ? find_ceiling(self) : (double)NAN;
  debye_plot_set_ceiling(self->plot, DEBYE_PLOT_Y2, is_second ? ceiling : (double)NAN);
  debye_plot_set_ceiling(self->plot, DEBYE_PLOT_Y, is_first ? ceiling : (double)NAN);
  debye_plot_set_ceiling(self->plot, DEBYE_PLOT_X, is_first ? find_passage(self, ceiling) : (double)NAN);
}

void
debye_result_plot_drop_second(DebyeResultPlot *self)
{
  for (guint i = 0; i < self->second_series->len; i++)
    debye_plot_remove_curve(self->plot, g_array_index(self->second_series, guint, i));
  g_array_set_size(self->second_series, 0);
}
