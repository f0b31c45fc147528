/* SPDX-License-Identifier: MIT */
/* Implementation of plot_sites.h. */
#include "plot_sites.h"

#include <math.h>
#include <string.h>

#include "data/messages/message.h"

/* --- Finding --- */

DebyeTable *
debye_plot_sites_find_table(DebyeResultPlot *plot, DebyeResult *newest)
{
  const DebyeQuantity *shown = debye_result_plot_get_quantity(plot);
  if (shown == NULL || newest == NULL || !debye_result_plot_is_over(plot, DEBYE_PH) ||
      !debye_result_plot_has_curves(newest, shown->name))
    return NULL;
  DebyeTable *table = debye_result_find_table(newest, DEBYE_TABLE_OF_SITES);
  return table != NULL && debye_plot_sites_get_text(table, "site", 0) != NULL ? table : NULL;
}

const char *
debye_plot_sites_get_text(DebyeTable *sites, const char *column, guint row)
{
  const char *const *texts = debye_table_find_texts(sites, column);
  return texts != NULL && row < debye_table_get_n_rows(sites) ? texts[row] : NULL;
}

/* --- Charges --- */

/* The site's protons over pH; NULL: the result has no such curve. The result keeps it. */
static DebyeCurve *
find_curve(DebyeResult *result, const char *site)
{
  GListModel *curves = debye_result_get_curves(result);
  for (guint i = 0; site != NULL && i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    if (strcmp(debye_curve_get_y_quantity(curve)->name, DEBYE_PROTONS) == 0 &&
        strcmp(debye_curve_get_name(curve), site) == 0)
      return curve;
  }
  return NULL;
}

/* Linear between points, as at the ends beyond them. */
static double
interpolate(DebyeCurve *curve, double x)
{
  const gsize n = debye_curve_get_n_points(curve);
  const double *xs = debye_curve_get_x(curve), *ys = debye_curve_get_y(curve);
  gsize after = 0;
  while (after < n && xs[after] < x)
    after++;
  if (after == 0 || after == n)
    return n > 0 ? ys[after == 0 ? 0 : n - 1] : (double)NAN;
  const double share = (x - xs[after - 1]) / (xs[after] - xs[after - 1]);
  return ys[after - 1] * (1.0 - share) + ys[after] * share;
}

static double
get_own_ph(DebyeResult *result)
{
  const char *text = debye_request_get(debye_result_get_request(result), "ph");
  return text != NULL ? g_ascii_strtod(text, NULL) : (double)NAN;
}

/* By the protons that a site has there more than at the result's pH. */
static void
move_charges(DebyeResult *result, DebyeTable *sites, double ph, double *charges)
{
  const double own = get_own_ph(result);
  for (guint row = 0; row < debye_table_get_n_rows(sites); row++) {
    DebyeCurve *curve = find_curve(result, debye_plot_sites_get_text(sites, "site", row));
    charges[row] += curve != NULL ? interpolate(curve, ph) - interpolate(curve, own) : (double)NAN;
  }
}

/* --- Showing --- */

/* No more digits than what was computed has; no minus before zero. */
static double
round_to(double value, double parts)
{
  return round(value * parts) / parts + 0.0;
}

static void
add_numbers(DebyeTable *shown, DebyeResult *result, DebyeTable *sites, gsize column, double ph)
{
  const DebyeQuantity *quantity = debye_table_get_quantity(sites, column);
  const gsize n = debye_table_get_n_rows(sites);
  g_autofree double *values = g_memdup2(debye_table_get_numbers(sites, column), n * sizeof(double));
  const double at = isnan(ph) ? get_own_ph(result) : ph;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *title =
      debye_message_new(N_("charge at pH %s"), g_ascii_formatd(number, sizeof number, "%.4g", at));
  const gboolean is_charge = strcmp(quantity->name, "charge") == 0;
  if (is_charge)
    move_charges(result, sites, at, values);
  for (gsize row = 0; row < n; row++)
    values[row] = round_to(values[row], 100.0);
  debye_table_add_numbers(
      shown, &(DebyeQuantity){quantity->name, is_charge ? title : quantity->label, quantity->unit}, n,
      values);
}

/* What is looked at first stands first; the others are in files. */
DebyeTable *
debye_plot_sites_create_shown(DebyeResult *result, DebyeTable *sites, double ph)
{
  static const char *const names[] = {"site",   "pk_half",   "pk_half_error", "shift",
                                      "charge", "pka_model", "accessible",    "hill"};
  DebyeTable *shown = debye_table_new(DEBYE_TABLE_OF_SITES);
  for (gsize k = 0; k < G_N_ELEMENTS(names); k++)
    for (gsize i = 0; i < debye_table_get_n_columns(sites); i++) {
      const DebyeQuantity *quantity = debye_table_get_quantity(sites, i);
      if (strcmp(quantity->name, names[k]) != 0)
        continue;
      if (debye_table_get_numbers(sites, i) != NULL)
        add_numbers(shown, result, sites, i, ph);
      else
        debye_table_add_texts(shown, quantity, debye_table_get_texts(sites, i));
    }
  return shown;
}

void
debye_plot_sites_show_alone(DebyeResultPlot *plot, const char *site)
{
  DebyePlot *shown = debye_result_plot_get_plot(plot);
  const gsize n = debye_plot_get_n_series(shown);
  for (gsize i = 0; i < n; i++) {
    const guint series = debye_plot_get_series(shown, i);
    guint key;
    const char *name;
    if (debye_result_plot_find_series(plot, series, &key, &name))
      debye_plot_set_series_visible(shown, series, site == NULL || strcmp(name, site) == 0);
  }
}
