/* SPDX-License-Identifier: MIT */
/* Takes the finished rows of an earlier result in time; called by scattering_dynamic.c. */
#include "scattering_dynamic_restart.h"

#include "data/files/error.h"
#include "app/analysis/driver/job_file.h"
#include "scattering_rows.h"

#define LABEL "Continue"

static DebyeMatrix *
find_matrix(DebyeResult *result, const char *name)
{
  GListModel *matrices = debye_result_get_matrices(result);
  for (guint i = 0; i < g_list_model_get_n_items(matrices); i++) {
    g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(matrices, i);
    if (g_str_equal(debye_matrix_get_name(matrix), name))
      return matrix; /* the result keeps it */
  }
  return NULL;
}

static gboolean
set_other_content(GError **error)
{
  return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                               "the earlier result has other tables than this version writes");
}

/* The row that row i of the table is; its number of rows where there is none. */
static gsize
find_row(DebyeTable *rows, gsize i, const DebyeIntermediateScattering *scattering)
{
  guint n_names = debye_scattering_row_n_names(scattering->plan);
  gsize row = 0;
  for (; row < scattering->n_rows; row++) {
    guint k = 0;
    for (; k < n_names; k++) {
      const double *column =
          debye_table_find_numbers(rows, debye_scattering_row_get_name(scattering->plan, k));
      if (column == NULL || column[i] != debye_scattering_row_get_value(scattering, k, row))
        break;
    }
    if (k == n_names)
      break;
  }
  return row;
}

/* The index of each row of the table among the rows of the job; NULL with an error. */
static gsize *
find_rows(DebyeTable *rows, const DebyeIntermediateScattering *scattering, GError **error)
{
  gsize n = debye_table_get_n_rows(rows);
  g_autofree gsize *found = g_new(gsize, n);
  for (gsize i = 0; i < n; i++) {
    found[i] = find_row(rows, i, scattering);
    if (found[i] < scattering->n_rows)
      continue;
    debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                          "row %" G_GSIZE_FORMAT
                          " of the earlier result is not of this job, expected all its rows among this job's "
                          "(shells of a lattice change with the steps of q)",
                          i + 1);
    return NULL;
  }
  return g_steal_pointer(&found);
}

GArray *
debye_scattering_dynamic_find_left(DebyeResult *earlier, const DebyeIntermediateScattering *scattering,
                                   GError **error)
{
  g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autofree gboolean *is_there = g_new0(gboolean, scattering->n_rows);
  DebyeTable *rows = earlier != NULL ? debye_result_find_table(earlier, "rows") : NULL;
  if (earlier != NULL && rows == NULL) {
    set_other_content(error);
    return NULL;
  }
  g_autofree gsize *found = rows != NULL ? find_rows(rows, scattering, error) : NULL;
  if (rows != NULL && found == NULL)
    return NULL;
  for (gsize i = 0; rows != NULL && i < debye_table_get_n_rows(rows); i++)
    is_there[found[i]] = TRUE;
  for (guint row = 0; row < scattering->n_rows; row++)
    if (!is_there[row])
      g_array_append_val(left, row);
  return g_steal_pointer(&left);
}

/* --- Signals again --- */

typedef struct {
  const double *values[2];             /* F, real and imaginary, by row and time */
  const double *mean[2], *square_mean; /* fq and fq2, by row */
  gsize n_rows;
  gsize *rows; /* the row of the signals that each is */
} Earlier;

static gboolean
earlier_init(Earlier *earlier, DebyeResult *result, const DebyeIntermediateScattering *scattering,
             gsize n_times, GError **error)
{
  DebyeTable *rows = debye_result_find_table(result, "rows"),
             *times = debye_result_find_table(result, "course");
  *earlier =
      (Earlier){.values = {debye_table_find_numbers(times, "F_re"), debye_table_find_numbers(times, "F_im")},
                .mean = {debye_table_find_numbers(rows, "fq_re"), debye_table_find_numbers(rows, "fq_im")},
                .square_mean = debye_table_find_numbers(rows, "fq2")};
  if (earlier->values[0] == NULL || earlier->values[1] == NULL || earlier->mean[0] == NULL ||
      earlier->mean[1] == NULL || earlier->square_mean == NULL)
    return set_other_content(error);
  earlier->n_rows = debye_table_get_n_rows(rows);
  if (debye_table_get_n_rows(times) != earlier->n_rows * n_times)
    return set_other_content(error);
  earlier->rows = find_rows(rows, scattering, error);
  return earlier->rows != NULL;
}

static void
restore_row(const Earlier *earlier, gsize i, double factor, gsize n_times, DebyeScatteringSignals *signals)
{
  gsize row = earlier->rows[i];
  double complex *fqt = signals->fqt + row * signals->n_times;
  for (gsize t = 0; t < n_times; t++)
    fqt[t] = (earlier->values[0][i * n_times + t] + I * earlier->values[1][i * n_times + t]) / factor;
  signals->fq[row] = (earlier->mean[0][i] + I * earlier->mean[1][i]) / factor;
  signals->fq2[row] = earlier->square_mean[i] / (factor * factor);
}

static gboolean
restore_partials(DebyeResult *result, const Earlier *earlier, const DebyeIntermediateScattering *scattering,
                 const DebyeIntermediateScatteringData *found, const double *factors, GError **error)
{
  const DebyeScatteringSignals *signals = &found->signals;
  for (gsize p = 0; p < signals->n_partials; p++) {
    g_autofree char *name = debye_scattering_name_partial(scattering->plan, p);
    DebyeMatrix *matrix = find_matrix(result, name);
    if (matrix == NULL || debye_matrix_get_n_rows(matrix) != earlier->n_rows ||
        debye_matrix_get_n_columns(matrix) != found->n_times)
      return set_other_content(error);
    for (gsize i = 0; i < earlier->n_rows; i++) {
      gsize row = earlier->rows[i];
      double *to = signals->partials + (p * signals->n_rows + row) * signals->n_times;
      for (gsize t = 0; t < found->n_times; t++)
        to[t] = debye_matrix_get_values(matrix)[i * found->n_times + t] / factors[row];
    }
  }
  return TRUE;
}

gboolean
debye_scattering_dynamic_restore(DebyeResult *result, const DebyeIntermediateScattering *scattering,
                                 const DebyeIntermediateScatteringData *found, GError **error)
{
  g_autofree double *factors = debye_scattering_row_factors(scattering, found->volume);
  DebyeScatteringSignals signals = found->signals;
  Earlier earlier;
  if (!earlier_init(&earlier, result, scattering, found->n_times, error))
    return FALSE;
  for (gsize i = 0; i < earlier.n_rows; i++)
    restore_row(&earlier, i, factors[earlier.rows[i]], found->n_times, &signals);
  gboolean good = restore_partials(result, &earlier, scattering, found, factors, error);
  g_free(earlier.rows);
  return good;
}
