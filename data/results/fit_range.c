/* SPDX-License-Identifier: MIT */
/* Implementation of fit_range.h. */
#include "fit_range.h"

#include <math.h>
#include <string.h>

#include "table.h"

#define MOVED_DIGITS 4
#define MAX_DIGITS 17
#define SAME 1e-9 /* of its value: an end that only went through a square and back */

static const DebyeFitRangeKind kinds[] = {
    {"guinier", "guinier", "guinier", "q_min", "q_max", .is_squared = TRUE, .is_tinted = TRUE},
    {"power_law", "power-law", "power-law", "q_min", "q_max", .is_tinted = TRUE},
    {"porod", "porod", "porod", "q_min", "q_max", .is_tinted = TRUE},
    {"pr", "pr", "pr", NULL, "D_max", .has_room = TRUE},
    {"pr_intensity", "pr", "q-range", "q_min", "q_max", .is_tinted = FALSE},
};

const DebyeFitRangeKind *
debye_fit_range_find_kind(const char *quantity)
{
  for (gsize i = 0; quantity != NULL && i < G_N_ELEMENTS(kinds); i++)
    if (strcmp(kinds[i].quantity, quantity) == 0)
      return &kinds[i];
  return NULL;
}

/* --- What was fitted --- */

static DebyeTable *
find_fits(DebyeResult *result)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (strcmp(debye_table_get_name(table), DEBYE_TABLE_OF_FITS) == 0)
      return g_steal_pointer(&table);
  }
  return NULL;
}

static gsize
find_column(DebyeTable *table, const char *name)
{
  const gsize n = debye_table_get_n_columns(table);
  gsize column = 0;
  while (column < n && strcmp(debye_table_get_quantity(table, column)->name, name) != 0)
    column++;
  return column;
}

static double
get_number(DebyeTable *table, const char *name, gsize row)
{
  const gsize column = find_column(table, name);
  const double *numbers =
      column < debye_table_get_n_columns(table) ? debye_table_get_numbers(table, column) : NULL;
  return numbers != NULL ? numbers[row] : (double)NAN;
}

/* The first row of that fit; G_MAXSIZE: none. */
static gsize
find_row(DebyeTable *table, const char *fit)
{
  const gsize column = find_column(table, "fit");
  const char *const *fits =
      column < debye_table_get_n_columns(table) ? debye_table_get_texts(table, column) : NULL;
  for (gsize row = 0; fits != NULL && row < debye_table_get_n_rows(table); row++)
    if (strcmp(fits[row], fit) == 0)
      return row;
  return G_MAXSIZE;
}

/* As the table has it. */
static gboolean
get_fitted(const DebyeFitRangeKind *kind, DebyeResult *result, double *low, double *high)
{
  g_autoptr(DebyeTable) table = find_fits(result);
  const gsize row = table != NULL ? find_row(table, kind->fit) : G_MAXSIZE;
  if (row == G_MAXSIZE)
    return FALSE;
  *low = kind->low != NULL ? get_number(table, kind->low, row) : 0.0;
  *high = get_number(table, kind->high, row);
  return *low < *high;
}

gboolean
debye_fit_range_get(const DebyeFitRangeKind *kind, DebyeResult *result, double *from, double *to)
{
  g_return_val_if_fail(kind != NULL && DEBYE_IS_RESULT(result), FALSE);
  double low, high;
  if (!get_fitted(kind, result, &low, &high))
    return FALSE;
  *from = kind->is_squared ? low * low : low;
  *to = kind->is_squared ? high * high : high;
  return TRUE;
}

/* --- What is asked for --- */

/* With as few digits as keep the point there in the range: `outward` −1 of a lower end, 1 of an upper one. */
static void
format_fitted(char *text, double value, int outward)
{
  char form[8];
  for (int digits = MOVED_DIGITS; digits <= MAX_DIGITS; digits++) {
    g_snprintf(form, sizeof form, "%%.%dg", digits);
    g_ascii_formatd(text, G_ASCII_DTOSTR_BUF_SIZE, form, value);
    if (outward * (g_ascii_strtod(text, NULL) - value) >= 0.0)
      return;
  }
}

static void
format_end(char *text, double value, double fitted, int outward)
{
  if (fabs(value - fitted) <= SAME * fabs(fitted))
    format_fitted(text, fitted, outward);
  else
    g_ascii_formatd(text, G_ASCII_DTOSTR_BUF_SIZE, "%.4g", fmax(value, 0.0));
}

char *
debye_fit_range_format(const DebyeFitRangeKind *kind, DebyeResult *result, double from, double to)
{
  g_return_val_if_fail(kind != NULL && DEBYE_IS_RESULT(result), NULL);
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
  double fitted_low = NAN, fitted_high = NAN;
  get_fitted(kind, result, &fitted_low, &fitted_high);
  format_end(low, kind->is_squared ? sqrt(fmax(from, 0.0)) : from, fitted_low, -1);
  format_end(high, kind->is_squared ? sqrt(fmax(to, 0.0)) : to, fitted_high, 1);
  return kind->low != NULL ? g_strdup_printf("%s:%s", low, high) : g_strdup(high);
}
