/* SPDX-License-Identifier: MIT */
/* Opens an earlier result and takes its finished rows; called by scattering_job.c and the files of running
 * jobs. */
#include "scattering_restart.h"

#include "app/analysis/driver/job_file.h"
#include "data/files/error.h"
#include "app/analysis/scattering/system/scattering_settings.h"

#define LABEL "Continue"

/* --- The earlier result --- */

/* What the rows don't depend on: rows of either precision are good to the error that is asked for, and weights are of what
 * is superposed. */
static gboolean
is_free(const char *key, gconstpointer data)
{
  const DebyeScatteringSettings *settings = data;
  if (g_str_equal(key, "precision"))
    return settings->precision == DEBYE_SCATTERING_PRECISION_AUTO;
  if (g_str_equal(key, "superpose-weights"))
    return !settings->superposing.has_superpose;
  return g_str_equal(key, "q") || g_str_equal(key, "hkl");
}

gboolean
debye_scattering_restart_open(const DebyeScatteringPlan *plan, const DebyeRunInput *input,
                              DebyeResult **earlier, DebyeResult **begun, GError **error)
{
  const DebyeJobFreedom freedom = {is_free, &plan->settings};
  g_autoptr(DebyeResult) found = NULL;
  *earlier = *begun = NULL;
  if (!debye_job_file_open(&plan->settings.job, &freedom, input, &found, error))
    return FALSE;
  if (found == NULL)
    return TRUE;
  const gboolean has_begun = debye_job_file_is_begun(found);
  if (!has_begun)
    *earlier = g_steal_pointer(&found);
  else if (!debye_result_is_partial(found))
    *earlier = debye_job_file_copy(found);
  *begun = g_steal_pointer(&found);
  return TRUE;
}

/* --- Rows --- */

/* The q of the result's rows. */
static const double *
get_rows(DebyeResult *result, gsize *n)
{
  g_autoptr(DebyeCurve) curve = g_list_model_get_item(debye_result_get_curves(result), 0);
  *n = curve != NULL ? debye_curve_get_n_points(curve) : 0;
  return curve != NULL ? debye_curve_get_x(curve) : NULL;
}

static gboolean
has_row(const double *rows, gsize n, double q)
{
  for (gsize i = 0; i < n; i++)
    if (rows[i] == q)
      return TRUE;
  return FALSE;
}

static gboolean
check_rows(const double *rows, gsize n_rows, const double *q, gsize n, GError **error)
{
  for (gsize i = 0; i < n_rows; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (has_row(q, n, rows[i]))
      continue;
    return debye_error_set_about(
        error, DEBYE_ERROR_MISMATCH, LABEL,
        "the earlier result has a row of q = %s Å⁻¹ that this job lacks, expected all its rows among this "
        "job's (shells of a lattice change with the steps of q)",
        g_ascii_formatd(number, sizeof number, "%.9g", rows[i]));
  }
  return TRUE;
}

GArray *
debye_scattering_restart_find_left(DebyeResult *earlier, const DebyeScatteringPlan *plan, GError **error)
{
  gsize n_rows = 0, n;
  const double *rows = earlier != NULL ? get_rows(earlier, &n_rows) : NULL;
  g_autofree double *q = debye_scattering_plan_list_q(plan, &n);
  if (!check_rows(rows, n_rows, q, n, error))
    return NULL;
  g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = 0; k < n; k++)
    if (!has_row(rows, n_rows, q[k]))
      g_array_append_val(left, k);
  if (earlier == NULL || !plan->settings.volume_map || left->len == 0)
    return g_steal_pointer(&left);
  debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL,
                        "a finished map S(hkl) has no rows to add, expected rows of q alone");
  return NULL;
}

/* --- Joining --- */

/* Which rows come one after the other: i < n_earlier are the earlier result's, the rest the fresh one's. */
static gsize *
merge_order(const double *earlier, gsize n_earlier, const double *fresh, gsize n_fresh)
{
  gsize *order = g_new(gsize, n_earlier + n_fresh);
  for (gsize i = 0, k = 0; i + k < n_earlier + n_fresh;) {
    gboolean is_earlier = k == n_fresh || (i < n_earlier && earlier[i] < fresh[k]);
    order[i + k] = is_earlier ? i : n_earlier + k;
    if (is_earlier)
      i++;
    else
      k++;
  }
  return order;
}

/* Merges earlier and new values into `n_rows` rows by `order`. */
static double *
merge(const double *earlier, gsize n_earlier, const double *fresh, gsize n_fresh, gsize n_rows,
      const gsize *order)
{
  gsize n = n_earlier + n_fresh;
  double *values = g_new(double, n_rows *n);
  for (gsize row = 0; row < n_rows; row++, earlier += n_earlier, fresh += n_fresh)
    for (gsize i = 0; i < n; i++)
      values[row * n + i] = order[i] < n_earlier ? earlier[order[i]] : fresh[order[i] - n_earlier];
  return values;
}

/* Along q, the last axis: curves, and what a contrast is made of, a row a fraction. */
static DebyeArray *
join_arrays(DebyeArray *earlier, DebyeArray *fresh)
{
  DebyeArrayContent content = *debye_array_get_content(fresh);
  const guint last = content.n_axes - 1;
  const gsize n = debye_array_get_length(earlier, last), n_fresh = debye_array_get_length(fresh, last),
              n_rows = last > 0 ? debye_array_get_length(fresh, 0) : 1, size = n_rows * (n + n_fresh);
  const double *q = debye_array_get_axis(earlier, last), *fresh_q = debye_array_get_axis(fresh, last);
  const double *errors = debye_array_get_errors(earlier), *fresh_errors = debye_array_get_errors(fresh);
  g_autofree gsize *order = merge_order(q, n, fresh_q, n_fresh);
  double *values =
      merge(debye_array_get_values(earlier), n, debye_array_get_values(fresh), n_fresh, n_rows, order);
  g_autoptr(GBytes) all_q =
      g_bytes_new_take(merge(q, n, fresh_q, n_fresh, 1, order), (n + n_fresh) * sizeof *q);
  g_autoptr(GBytes) all_values = g_bytes_new_take(values, size * sizeof *values);
  g_autoptr(GBytes) all_errors = NULL;
  if (errors != NULL && fresh_errors != NULL)
    all_errors =
        g_bytes_new_take(merge(errors, n, fresh_errors, n_fresh, n_rows, order), size * sizeof *errors);
  content.axes[last].values = all_q;
  content.values = all_values;
  content.errors = all_errors;
  return debye_array_new(&content);
}

/* Numbers alone, of which the first are q. */
static gboolean
has_rows_of_q(DebyeTable *table)
{
  for (gsize column = 0; column < debye_table_get_n_columns(table); column++)
    if (debye_table_get_numbers(table, column) == NULL)
      return FALSE;
  return debye_table_get_n_columns(table) > 0 && g_str_equal(debye_table_get_quantity(table, 0)->name, "q");
}

static DebyeTable *
join_tables(DebyeTable *earlier, DebyeTable *fresh)
{
  gsize n = debye_table_get_n_rows(earlier), n_fresh = debye_table_get_n_rows(fresh);
  const double *q = debye_table_get_numbers(earlier, 0), *fresh_q = debye_table_get_numbers(fresh, 0);
  if (!has_rows_of_q(fresh))
    return g_object_ref(fresh);
  DebyeTable *table = debye_table_new(debye_table_get_name(fresh));
  g_autofree gsize *order = merge_order(q, n, fresh_q, n_fresh);
  for (gsize column = 0; column < debye_table_get_n_columns(fresh); column++) {
    g_autofree double *values = merge(debye_table_get_numbers(earlier, column), n,
                                      debye_table_get_numbers(fresh, column), n_fresh, 1, order);
    debye_table_add_numbers(table, debye_table_get_quantity(fresh, column), n + n_fresh, values);
  }
  return table;
}

static gboolean
tables_are_alike(gpointer one, gpointer other)
{
  return debye_table_get_n_columns(one) == debye_table_get_n_columns(other) &&
         has_rows_of_q(one) == has_rows_of_q(other);
}

static gboolean
arrays_are_alike(gpointer one, gpointer other)
{
  const DebyeArrayContent *a = debye_array_get_content(one), *b = debye_array_get_content(other);
  return g_str_equal(a->name, b->name) &&
         (a->n_axes == 1 ||
          (debye_array_get_length(one, 0) == debye_array_get_length(other, 0) &&
           g_str_equal(a->axes[1].quantity.name, "q") && g_str_equal(b->axes[1].quantity.name, "q")));
}

static gboolean
lists_are_alike(GListModel *ones, GListModel *others, gboolean (*alike)(gpointer one, gpointer other))
{
  guint n = g_list_model_get_n_items(ones);
  gboolean good = n == g_list_model_get_n_items(others);
  for (guint i = 0; i < n && good; i++) {
    g_autoptr(GObject) one = g_list_model_get_item(ones, i);
    g_autoptr(GObject) other = g_list_model_get_item(others, i);
    good = alike(one, other);
  }
  return good;
}

/* One job makes the same curves and tables; another version's may be others. */
static gboolean
check_alike(DebyeResult *earlier, DebyeResult *fresh, GError **error)
{
  if (lists_are_alike(debye_result_get_curves(earlier), debye_result_get_curves(fresh), arrays_are_alike) &&
      lists_are_alike(debye_result_get_tables(earlier), debye_result_get_tables(fresh), tables_are_alike) &&
      lists_are_alike(debye_result_get_matrices(earlier), debye_result_get_matrices(fresh), arrays_are_alike))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                               "the earlier result has other curves or tables than this version writes");
}

static void
join_content(DebyeResult *joined, DebyeResult *earlier, DebyeResult *fresh)
{
  GListModel *tables = debye_result_get_tables(earlier);
  for (guint n_axes = 1; n_axes <= 2; n_axes++) {
    GListModel *arrays = debye_result_get_arrays(earlier, n_axes);
    for (guint i = 0; i < g_list_model_get_n_items(arrays); i++) {
      g_autoptr(DebyeArray) one = g_list_model_get_item(arrays, i);
      g_autoptr(DebyeArray) other = g_list_model_get_item(debye_result_get_arrays(fresh, n_axes), i);
      g_autoptr(DebyeArray) both = join_arrays(one, other);
      debye_result_add_array(joined, both);
    }
  }
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) one = g_list_model_get_item(tables, i);
    g_autoptr(DebyeTable) other = g_list_model_get_item(debye_result_get_tables(fresh), i);
    g_autoptr(DebyeTable) both = join_tables(one, other);
    debye_result_add_table(joined, both);
  }
}

/* Settings, inputs and notes are the fresh one's; what is a warning of the earlier one is outdated. */
DebyeResult *
debye_scattering_restart_join(DebyeResult *earlier, DebyeResult *fresh, GError **error)
{
  if (!check_alike(earlier, fresh, error))
    return NULL;
  DebyeResult *joined =
      debye_result_new(debye_result_get_request(fresh), debye_result_get_title_message(fresh));
  g_autoptr(GPtrArray) records = debye_result_get_input_records(earlier, NULL, NULL);
  join_content(joined, earlier, fresh);
  debye_result_set_inputs(joined, debye_result_get_inputs(fresh));
  if (records != NULL)
    debye_result_set_input_records(joined, records);
  debye_result_set_wall_time(joined, debye_result_get_wall_time(fresh));
  debye_result_copy_notes(joined, debye_result_get_notes(fresh));
  return joined;
}
