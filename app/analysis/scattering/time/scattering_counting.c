/* SPDX-License-Identifier: MIT */
/* Writes the counts of displacements so far into a file and reads them back; called by
 * scattering_dynamic.c. */
#include "scattering_counting.h"

#include <string.h>

#include "data/files/error.h"
#include "app/analysis/driver/job_file.h"
#include "app/analysis/scattering/intensity/scattering_restart.h"

#define ATOMS DEBYE_JOB_RESTART "atoms"
#define COUNTS DEBYE_JOB_RESTART "counts"
#define MOMENTS DEBYE_JOB_RESTART "moments"

/* --- Into a result --- */

static void
add_atoms(DebyeResult *result, const DebyeScatteringDisplacements *displacements, gsize n_atoms)
{
  const struct {
    DebyeQuantity quantity;
    double value;
  } columns[] = {{{"counted", "counted", NULL}, (double)n_atoms},
                 {{"species", "species", NULL}, (double)displacements->n_species},
                 {{"times", "times", NULL}, (double)displacements->n_times},
                 {{"bins", "bins", NULL}, (double)displacements->n_bins},
                 {{"width", "width", "Å"}, displacements->width}};
  g_autoptr(DebyeTable) table = debye_table_new(ATOMS);
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
    debye_table_add_numbers(table, &columns[i].quantity, 1, &columns[i].value);
  debye_result_add_table(result, table);
}

/* Counts below 2⁵³ stay whole in double. */
static void
add_counts(DebyeResult *result, const DebyeScatteringDisplacements *displacements)
{
  gsize n = displacements->n_species * displacements->n_times * displacements->n_bins;
  g_autofree double *values = g_new(double, n);
  g_autoptr(DebyeTable) table = debye_table_new(COUNTS);
  for (gsize i = 0; i < n; i++)
    values[i] = (double)displacements->sums.counts[i];
  debye_table_add_numbers(table, &(DebyeQuantity){"count", "count", NULL}, n, values);
  if (displacements->offsets != NULL)
    debye_table_add_numbers(table, &(DebyeQuantity){"offset", "offset", "Å"}, n, displacements->offsets);
  debye_result_add_table(result, table);
}

static void
add_moments(DebyeResult *result, const DebyeScatteringDisplacements *displacements)
{
  gsize n = displacements->n_species * displacements->n_times;
  g_autoptr(DebyeTable) table = debye_table_new(MOMENTS);
  debye_table_add_numbers(table, &(DebyeQuantity){"square", "Σd²", "Å²"}, n, displacements->sums.square);
  debye_table_add_numbers(table, &(DebyeQuantity){"fourth", "Σd⁴", "Å⁴"}, n, displacements->sums.fourth);
  debye_result_add_table(result, table);
}

void
debye_scattering_counting_add_tables(DebyeResult *result, const DebyeScatteringDisplacements *displacements,
                                     gsize n_atoms)
{
  add_atoms(result, displacements, n_atoms);
  add_counts(result, displacements);
  add_moments(result, displacements);
}

/* --- And back --- */

static double
get_number(DebyeResult *result, const char *name)
{
  gsize n;
  const double *value = debye_job_file_find_column(result, ATOMS, name, &n);
  return value != NULL && n == 1 ? value[0] : 0.0;
}

static gboolean
set_other(const DebyeScatteringCounting *counting, GError **error)
{
  return debye_error_set_about(
      error, DEBYE_ERROR_MISMATCH, "Continue",
      "the file holds displacements of %" G_GSIZE_FORMAT
      " atoms for another largest q or another longest time: expected those that the job was begun with",
      counting->n_earlier);
}

static gboolean
suits(DebyeResult *begun, const DebyeIntermediateScattering *scattering)
{
  return get_number(begun, "species") == (double)scattering->groups.n_groups &&
         get_number(begun, "times") == (double)scattering->n_lags &&
         get_number(begun, "width") == debye_intermediate_scattering_bin_width(scattering);
}

static gboolean
restore(DebyeScatteringCounting *counting, DebyeResult *begun, const DebyeIntermediateScattering *scattering,
        GError **error)
{
  DebyeScatteringDisplacements *earlier = &counting->earlier;
  gsize n_rows = scattering->groups.n_groups * scattering->n_lags, n[4];
  const double *counts = debye_job_file_find_column(begun, COUNTS, "count", &n[0]),
               *square = debye_job_file_find_column(begun, MOMENTS, "square", &n[1]),
               *fourth = debye_job_file_find_column(begun, MOMENTS, "fourth", &n[2]),
               *offsets = debye_job_file_find_column(begun, COUNTS, "offset", &n[3]);
  gsize n_bins = (gsize)get_number(begun, "bins");
  if (!suits(begun, scattering) || n[0] != n_rows * n_bins || n[1] != n_rows || n[2] != n_rows)
    return set_other(counting, error);
  if (!debye_scattering_displacements_init(earlier, scattering->groups.n_groups,
                                           scattering->plan->frames.n_frames, scattering->n_lags, n_bins,
                                           debye_intermediate_scattering_bin_width(scattering), error))
    return FALSE;
  for (gsize i = 0; i < n[0]; i++)
    earlier->sums.counts[i] = (guint64)counts[i];
  memcpy(earlier->sums.square, square, n_rows * sizeof *square);
  memcpy(earlier->sums.fourth, fourth, n_rows * sizeof *fourth);
  if (offsets != NULL && n[3] == n[0])
    earlier->offsets = g_memdup2(offsets, n[0] * sizeof *offsets);
  return TRUE;
}

/* --- While it counts --- */

static gsize
get_next(gpointer data)
{
  DebyeScatteringCounting *counting = data;
  return debye_job_blocks_next(&counting->blocks);
}

static gboolean
keep(gpointer data, const DebyeScatteringDisplacements *so_far, GError **error)
{
  DebyeScatteringCounting *counting = data;
  g_autoptr(DebyeResult) result = NULL;
  if (counting->done != NULL)
    result = debye_job_file_copy(counting->done);
  else
    result = debye_result_new(counting->request, "Displacements for scattering in time");
  debye_result_set_inputs(result, debye_dataset_get_paths(counting->blocks.input->dataset));
  debye_result_set_partial(result, counting->done == NULL);
  debye_scattering_counting_add_tables(result, so_far, counting->count.n_done);
  /* A pass may have ended before the block did. */
  counting->blocks.n_next = counting->count.n_done - counting->blocks.n_done;
  return debye_job_blocks_save(&counting->blocks, result, error);
}

gboolean
debye_scattering_counting_begin(DebyeScatteringCounting *counting, const DebyeRunInput *job,
                                const DebyeIntermediateScattering *scattering, DebyeResult *begun,
                                DebyeResult *done, GError **error)
{
  gsize n_atoms = debye_scattering_n_entries(&scattering->groups);
  *counting = (DebyeScatteringCounting){.done = done, .request = scattering->input->request};
  if (begun != NULL)
    counting->n_earlier = MIN((gsize)get_number(begun, "counted"), n_atoms);
  if (counting->n_earlier > 0 && !restore(counting, begun, scattering, error))
    return FALSE;
  debye_job_blocks_begin(&counting->blocks, job, &scattering->plan->settings.job, "atoms", n_atoms,
                         counting->n_earlier, TRUE);
  counting->count = (DebyeScatteringCount){.n_all = n_atoms,
                                           .n_done = counting->n_earlier,
                                           .earlier = counting->n_earlier > 0 ? &counting->earlier : NULL,
                                           .is_kept = counting->blocks.path != NULL,
                                           .next = get_next,
                                           .keep = keep,
                                           .data = counting};
  return TRUE;
}

void
debye_scattering_counting_clear(DebyeScatteringCounting *counting)
{
  debye_scattering_displacements_clear(&counting->earlier);
  debye_job_blocks_clear(&counting->blocks);
}
