/* SPDX-License-Identifier: MIT */
/* Runs a sweep and finds how its times scale; called by debye-cli bench and the class room. */
#include "bench_sweep.h"

#include <math.h>
#include <string.h>

#define MAX_SWING 1.25 /* of a median to the shortest run */

void
debye_bench_sweep_clear(DebyeBenchSweep *sweep)
{
  for (gsize i = 0; i < sweep->n_axes; i++) {
    g_free(sweep->axes[i].values);
    g_strfreev(sweep->axes[i].words);
  }
  *sweep = (DebyeBenchSweep){0};
}

void
debye_bench_row_clear(DebyeBenchRow *row)
{
  debye_bench_result_clear(&row->result);
}

void
debye_bench_fit_clear(DebyeBenchFit *fit)
{
  g_clear_pointer(&fit->name, g_free);
}

const DebyeBenchAxis *
debye_bench_sweep_find(const DebyeBenchSweep *sweep, const char *name)
{
  for (gsize i = 0; i < sweep->n_axes; i++)
    if (strcmp(sweep->axes[i].variable->name, name) == 0)
      return &sweep->axes[i];
  return NULL;
}

/* --- The fit --- */

DebyeBenchFit
debye_bench_fit_power(const double *x, const double *y, gsize n)
{
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0, residual = 0.0;
  for (gsize i = 0; i < n; i++) {
    mean_x += log(x[i]) / (double)n;
    mean_y += log(y[i]) / (double)n;
  }
  for (gsize i = 0; i < n; i++) {
    xx += pow(log(x[i]) - mean_x, 2.0);
    xy += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
  }
  if (n < 2 || !(xx > 0.0))
    return (DebyeBenchFit){.factor = NAN, .exponent = NAN, .error = NAN};
  const double exponent = xy / xx;
  for (gsize i = 0; i < n; i++)
    residual += pow(log(y[i]) - mean_y - exponent * (log(x[i]) - mean_x), 2.0);
  return (DebyeBenchFit){
      .factor = exp(mean_y - exponent * mean_x),
      .exponent = exponent,
      .error = n > 2 ? sqrt(residual / (double)(n - 2) / xx) : NAN,
  };
}

char *
debye_bench_sweep_name_curve(const DebyeBenchSweep *sweep, const DebyeBenchRow *row)
{
  GString *name = g_string_new(NULL);
  for (gsize axis = 1; axis < sweep->n_axes; axis++) {
    const DebyeBenchVariable *variable = sweep->axes[axis].variable;
    const char *word = sweep->axes[axis].words[row->at[axis]];
    g_string_append(name, axis > 1 ? ", " : "");
    if (sweep->axes[axis].values == NULL)
      g_string_append(name, word);
    else
      g_string_append_printf(name, "%s %s%s%s", variable->name, word, variable->unit != NULL ? " " : "",
                             variable->unit != NULL ? variable->unit : "");
  }
  return g_string_free(name, FALSE);
}

/* Of the last n rows, which are a curve. */
static void
add_fit(const DebyeBenchSweep *sweep, const GArray *rows, gsize n, GArray *fits)
{
  const DebyeBenchAxis *across = &sweep->axes[0];
  const DebyeBenchRow *first = &g_array_index(rows, DebyeBenchRow, rows->len - n);
  g_autofree double *seconds = g_new(double, n);
  if (across->values == NULL)
    return;
  for (gsize i = 0; i < n; i++)
    seconds[i] = first[i].result.seconds;
  DebyeBenchFit fit = debye_bench_fit_power(across->values, seconds, n);
  if (across->variable->macro != NULL) /* no power law is to be expected */
    fit.exponent = NAN;
  fit.name = debye_bench_sweep_name_curve(sweep, first);
  g_array_append_val(fits, fit);
}

/* --- Measuring --- */

static void
compare_with_first(const DebyeBenchAxis *across, const DebyeBenchRow *first, DebyeBenchRow *row)
{
  row->speed_up = row->efficiency = NAN;
  if (across->variable->scaling != DEBYE_BENCH_OF_RESOURCE)
    return;
  row->speed_up = first->result.seconds / row->result.seconds;
  row->efficiency = row->speed_up * across->values[first->at[0]] / across->values[row->at[0]];
}

gboolean
debye_bench_sweep_run(const DebyeBenchSweep *sweep, DebyeBenchMeasure measure, gpointer data, GArray *rows,
                      GArray *fits, GError **error)
{
  const DebyeBenchAxis *across = &sweep->axes[0];
  gsize n_curves = 1;
  for (gsize axis = 1; axis < sweep->n_axes; axis++)
    n_curves *= sweep->axes[axis].n;
  for (gsize curve = 0; curve < n_curves; curve++) {
    const guint begin = rows->len;
    for (gsize i = 0; i < across->n; i++) {
      DebyeBenchRow row = {.at = {i}, .curve = curve};
      for (gsize axis = sweep->n_axes, left = curve; axis-- > 1; left /= sweep->axes[axis].n)
        row.at[axis] = left % sweep->axes[axis].n;
      if (!measure(sweep, row.at, &row.result, data, error))
        return FALSE;
      g_array_append_val(rows, row);
      compare_with_first(across, &g_array_index(rows, DebyeBenchRow, begin),
                         &g_array_index(rows, DebyeBenchRow, rows->len - 1));
    }
    add_fit(sweep, rows, across->n, fits);
  }
  return TRUE;
}

gboolean
debye_bench_sweep_changes_work(const DebyeBenchSweep *sweep)
{
  for (gsize i = 0; i < sweep->n_axes; i++) {
    const DebyeBenchVariable *variable = sweep->axes[i].variable;
    if (variable->size < DEBYE_BENCH_N_SIZES && variable->scaling != DEBYE_BENCH_OF_RESOURCE)
      return TRUE;
  }
  return FALSE;
}

const DebyeBenchRow *
debye_bench_sweep_find_best(const DebyeBenchSweep *sweep, const GArray *rows)
{
  const gboolean by_rate = debye_bench_sweep_changes_work(sweep);
  const DebyeBenchRow *best = NULL;
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchRow *row = &g_array_index(rows, DebyeBenchRow, i);
    if (isfinite(row->result.seconds) &&
        (best == NULL ||
         (by_rate ? row->result.rate > best->result.rate : row->result.seconds < best->result.seconds)))
      best = row;
  }
  return best;
}

gboolean
debye_bench_sweep_swings(const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchResult *result = &g_array_index(rows, DebyeBenchRow, i).result;
    if ((result->fastest > 0.0 && result->seconds > MAX_SWING * result->fastest) ||
        (result->seconds > 0.0 && result->median > MAX_SWING * result->seconds))
      return TRUE;
  }
  return FALSE;
}

/* --- The table --- */

static const struct {
  DebyeQuantity quantity;
  gsize member;
  gboolean zero_is_unknown;
} columns[] = {
    {{"seconds", NULL, "s"}, G_STRUCT_OFFSET(DebyeBenchRow, result.seconds), FALSE},
    {{"seconds_least", NULL, "s"}, G_STRUCT_OFFSET(DebyeBenchRow, result.fastest), TRUE},
    {{"seconds_most", NULL, "s"}, G_STRUCT_OFFSET(DebyeBenchRow, result.slowest), TRUE},
    {{"repeats", NULL, NULL}, G_STRUCT_OFFSET(DebyeBenchRow, result.n_repeats), TRUE},
    {{"evals_per_second", NULL, "1/s"}, G_STRUCT_OFFSET(DebyeBenchRow, result.rate), FALSE},
    {{"flops_per_second", NULL, "1/s"}, G_STRUCT_OFFSET(DebyeBenchRow, result.operations), TRUE},
    {{"share_of_limit", NULL, NULL}, G_STRUCT_OFFSET(DebyeBenchRow, result.share), TRUE},
    {{"error", NULL, NULL}, G_STRUCT_OFFSET(DebyeBenchRow, result.error), FALSE},
    {{"speed_up", NULL, NULL}, G_STRUCT_OFFSET(DebyeBenchRow, speed_up), FALSE},
    {{"efficiency", NULL, NULL}, G_STRUCT_OFFSET(DebyeBenchRow, efficiency), FALSE},
};

static void
add_axis_column(DebyeTable *table, const DebyeBenchSweep *sweep, gsize axis, const GArray *rows)
{
  const DebyeBenchVariable *variable = sweep->axes[axis].variable;
  const DebyeQuantity quantity = {variable->name, NULL, variable->unit};
  g_autofree double *numbers = g_new(double, rows->len);
  g_autofree const char **words = g_new0(const char *, rows->len + 1);
  for (guint i = 0; i < rows->len; i++) {
    const gsize at = g_array_index(rows, DebyeBenchRow, i).at[axis];
    words[i] = sweep->axes[axis].words[at];
    numbers[i] = sweep->axes[axis].values != NULL ? sweep->axes[axis].values[at] : NAN;
  }
  if (sweep->axes[axis].values != NULL)
    debye_table_add_numbers(table, &quantity, rows->len, numbers);
  else
    debye_table_add_texts(table, &quantity, words);
}

/* Which kernel and which devices, unless an axis says so. */
static void
add_text_columns(DebyeTable *table, const DebyeBenchSweep *sweep, const GArray *rows)
{
  static const DebyeQuantity variant = {"variant", NULL, NULL}, device = {"device", NULL, NULL};
  g_autofree const char **variants = g_new0(const char *, rows->len + 1);
  g_autofree const char **devices = g_new0(const char *, rows->len + 1);
  for (guint i = 0; i < rows->len; i++) {
    variants[i] = g_array_index(rows, DebyeBenchRow, i).result.variant;
    devices[i] = g_array_index(rows, DebyeBenchRow, i).result.device;
  }
  debye_table_add_texts(table, &variant, variants);
  if (debye_bench_sweep_find(sweep, "device") == NULL)
    debye_table_add_texts(table, &device, devices);
}

static gboolean
has_counts(const GArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    if (g_array_index(rows, DebyeBenchRow, i).result.counts != NULL)
      return TRUE;
  return FALSE;
}

/* Of a race they may be more than of other rows. */
static void
add_counted_column(DebyeTable *table, const GArray *rows)
{
  static const DebyeQuantity counted = {"counted_atoms", NULL, NULL};
  g_autofree double *numbers = g_new(double, rows->len);
  for (guint i = 0; i < rows->len; i++) {
    const DebyeBenchCounts *counts = g_array_index(rows, DebyeBenchRow, i).result.counts;
    numbers[i] = counts != NULL ? counts->n_atoms : NAN;
  }
  debye_table_add_numbers(table, &counted, rows->len, numbers);
}

DebyeTable *
debye_bench_sweep_create_table(const DebyeBenchSweep *sweep, const GArray *rows)
{
  DebyeTable *table = debye_table_new("bench");
  g_autofree double *numbers = g_new(double, rows->len);
  for (gsize axis = 0; axis < sweep->n_axes; axis++)
    add_axis_column(table, sweep, axis, rows);
  add_text_columns(table, sweep, rows);
  for (gsize column = 0; column < G_N_ELEMENTS(columns); column++) {
    for (guint i = 0; i < rows->len; i++) {
      const double value =
          G_STRUCT_MEMBER(double, &g_array_index(rows, DebyeBenchRow, i), columns[column].member);
      numbers[i] = columns[column].zero_is_unknown && !(value > 0.0) ? NAN : value;
    }
    debye_table_add_numbers(table, &columns[column].quantity, rows->len, numbers);
  }
  if (has_counts(rows))
    add_counted_column(table, rows);
  return table;
}
