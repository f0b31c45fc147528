/* SPDX-License-Identifier: MIT */
/* Opens an earlier result and takes its finished rows; called by scattering_job.c and the files of running
 * jobs. */
#include "scattering_restart.h"

#include <string.h>

#include "app/analysis/driver/job_file.h"
#include "data/files/error.h"
#include "app/analysis/scattering/system/scattering_settings.h"

#define LABEL "Continue"

/* --- The earlier result --- */

static const DebyeSettingTable *
find_table(const char *id)
{
  return g_strcmp0(id, debye_scattering_settings.id) == 0 ? &debye_scattering_settings : NULL;
}

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
  const DebyeJobKind kind = {.find_table = find_table, .is_free = is_free, .data = &plan->settings};
  g_autoptr(DebyeResult) found = NULL;
  *earlier = *begun = NULL;
  if (!debye_job_file_open(&plan->settings.job, &kind, input, &found, error))
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
    debye_error_set_about(
        error, DEBYE_ERROR_MISMATCH, LABEL,
        "the earlier result has a row of q = %s Å⁻¹ that this job has not, expected all its "
        "rows among this job's (shells of a lattice change with the steps of q)",
        g_ascii_formatd(number, sizeof number, "%.9g", rows[i]));
    return FALSE;
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

static double *
merge(const double *earlier, gsize n_earlier, const double *fresh, gsize n_fresh, const gsize *order)
{
  double *values = g_new(double, n_earlier + n_fresh);
  for (gsize i = 0; i < n_earlier + n_fresh; i++)
    values[i] = order[i] < n_earlier ? earlier[order[i]] : fresh[order[i] - n_earlier];
  return values;
}

static DebyeCurve *
join_curves(DebyeCurve *earlier, DebyeCurve *fresh)
{
  gsize n = debye_curve_get_n_points(earlier), n_fresh = debye_curve_get_n_points(fresh);
  const double *x = debye_curve_get_x(earlier), *fresh_x = debye_curve_get_x(fresh);
  const double *errors = debye_curve_get_errors(earlier), *fresh_errors = debye_curve_get_errors(fresh);
  g_autofree gsize *order = merge_order(x, n, fresh_x, n_fresh);
  g_autofree double *all_x = merge(x, n, fresh_x, n_fresh, order);
  g_autofree double *all_y = merge(debye_curve_get_y(earlier), n, debye_curve_get_y(fresh), n_fresh, order);
  g_autofree double *all_errors =
      errors != NULL && fresh_errors != NULL ? merge(errors, n, fresh_errors, n_fresh, order) : NULL;
  return debye_curve_new(debye_curve_get_name(fresh), debye_curve_get_x_quantity(fresh),
                         debye_curve_get_y_quantity(fresh), debye_curve_get_style(fresh), n + n_fresh, all_x,
                         all_y, all_errors);
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
                                      debye_table_get_numbers(fresh, column), n_fresh, order);
    debye_table_add_numbers(table, debye_table_get_quantity(fresh, column), n + n_fresh, values);
  }
  return table;
}

/* What a contrast is made of: a row a fraction, a column a q. */
static DebyeMatrix *
join_matrices(DebyeMatrix *earlier, DebyeMatrix *fresh)
{
  gsize n = debye_matrix_get_n_columns(earlier), n_fresh = debye_matrix_get_n_columns(fresh),
        all = n + n_fresh;
  gsize n_rows = debye_matrix_get_n_rows(fresh);
  const double *q = debye_matrix_get_column_values(earlier), *fresh_q = debye_matrix_get_column_values(fresh);
  g_autofree gsize *order = merge_order(q, n, fresh_q, n_fresh);
  g_autofree double *all_q = merge(q, n, fresh_q, n_fresh, order);
  g_autofree double *values = g_new(double, n_rows *all);
  for (gsize row = 0; row < n_rows; row++) {
    g_autofree double *merged = merge(debye_matrix_get_values(earlier) + row * n, n,
                                      debye_matrix_get_values(fresh) + row * n_fresh, n_fresh, order);
    memcpy(values + row * all, merged, all * sizeof *merged);
  }
  return debye_matrix_new(debye_matrix_get_name(fresh), debye_matrix_get_row_quantity(fresh), n_rows,
                          debye_matrix_get_row_values(fresh), debye_matrix_get_column_quantity(fresh), all,
                          all_q, debye_matrix_get_quantity(fresh), values, NULL);
}

static gboolean
tables_are_alike(gpointer one, gpointer other)
{
  return debye_table_get_n_columns(one) == debye_table_get_n_columns(other) &&
         has_rows_of_q(one) == has_rows_of_q(other);
}

static gboolean
matrices_are_alike(gpointer one, gpointer other)
{
  return debye_matrix_get_n_rows(one) == debye_matrix_get_n_rows(other) &&
         g_str_equal(debye_matrix_get_column_quantity(one)->name, "q") &&
         g_str_equal(debye_matrix_get_column_quantity(other)->name, "q");
}

static gboolean
curves_are_alike(gpointer one, gpointer other)
{
  return g_str_equal(debye_curve_get_name(one), debye_curve_get_name(other));
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
  if (lists_are_alike(debye_result_get_curves(earlier), debye_result_get_curves(fresh), curves_are_alike) &&
      lists_are_alike(debye_result_get_tables(earlier), debye_result_get_tables(fresh), tables_are_alike) &&
      lists_are_alike(debye_result_get_matrices(earlier), debye_result_get_matrices(fresh),
                      matrices_are_alike))
    return TRUE;
  debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                        "the earlier result holds other curves or tables than this version makes");
  return FALSE;
}

static void
join_content(DebyeResult *joined, DebyeResult *earlier, DebyeResult *fresh)
{
  GListModel *curves = debye_result_get_curves(earlier), *tables = debye_result_get_tables(earlier),
             *matrices = debye_result_get_matrices(earlier);
  for (guint i = 0; i < g_list_model_get_n_items(curves); i++) {
    g_autoptr(DebyeCurve) one = g_list_model_get_item(curves, i);
    g_autoptr(DebyeCurve) other = g_list_model_get_item(debye_result_get_curves(fresh), i);
    g_autoptr(DebyeCurve) both = join_curves(one, other);
    debye_result_add_curve(joined, both);
  }
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) one = g_list_model_get_item(tables, i);
    g_autoptr(DebyeTable) other = g_list_model_get_item(debye_result_get_tables(fresh), i);
    g_autoptr(DebyeTable) both = join_tables(one, other);
    debye_result_add_table(joined, both);
  }
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) one = g_list_model_get_item(matrices, i);
    g_autoptr(DebyeMatrix) other = g_list_model_get_item(debye_result_get_matrices(fresh), i);
    g_autoptr(DebyeMatrix) both = join_matrices(one, other);
    debye_result_add_matrix(joined, both);
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
