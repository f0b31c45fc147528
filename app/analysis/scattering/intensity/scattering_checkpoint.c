/* SPDX-License-Identifier: MIT */
/* Writes the sums so far into a file and reads them back, so that a killed run resumes; called by
 * scattering_run.c. */
#include "scattering_checkpoint.h"

#include <complex.h>
#include <string.h>

#include "data/files/error.h"
#include "scattering_restart.h"

#define FRAMES DEBYE_SCATTERING_RESTART "frames"
#define SUMS DEBYE_SCATTERING_RESTART "sums"
#define BLOCKS DEBYE_SCATTERING_RESTART "blocks"
#define VOLUME DEBYE_SCATTERING_RESTART "volume"

/* --- Into a result --- */

static void
add_number(DebyeTable *table, const char *name, const char *unit, double value)
{
  debye_table_add_numbers(table, &(DebyeQuantity){name, name, unit}, 1, &value);
}

static void
add_frames(DebyeResult *result, const DebyeScatteringFound *found, gsize n_gone, const DebyeFrameRun *reading)
{
  g_autoptr(DebyeTable) table = debye_table_new(FRAMES);
  const char *const left_out[] = {reading->left_out->str, NULL};
  add_number(table, "behind", NULL, (double)n_gone);
  add_number(table, "used", NULL, (double)found->n_frames);
  add_number(table, "left_out", NULL, (double)reading->n_left_out);
  add_number(table, "volume", "Å³", debye_scattering_sums_get_volume(found->sums));
  debye_table_add_texts(table, &(DebyeQuantity){"names_left_out", "left out", NULL}, left_out);
  debye_result_add_table(result, table);
}

/* Where a value of the sums stands, and what it is. */
static void
fill_row(const DebyeScatteringFound *found, gsize n_values, gsize i, double complex value, double *columns[5])
{
  columns[0][i] = (double)(i / n_values);
  columns[1][i] = (double)(i % n_values / found->n_q);
  columns[2][i] = found->q[i % found->n_q];
  columns[3][i] = creal(value);
  columns[4][i] = cimag(value);
}

static void
add_sums(DebyeResult *result, const DebyeScatteringFound *found)
{
  static const DebyeQuantity quantities[] = {{"part", "part", NULL},
                                             {"pair", "pair", NULL},
                                             {"q", "q", "Å⁻¹"},
                                             {"re", "re", NULL},
                                             {"im", "im", NULL}};
  gsize n_parts, n_values;
  const double complex *values = debye_scattering_sums_peek(found->sums, &n_parts, &n_values);
  gsize n = n_parts * n_values;
  g_autofree double *numbers = g_new(double, G_N_ELEMENTS(quantities) * n);
  double *columns[G_N_ELEMENTS(quantities)];
  g_autoptr(DebyeTable) table = debye_table_new(SUMS);
  for (gsize column = 0; column < G_N_ELEMENTS(quantities); column++)
    columns[column] = numbers + column * n;
  for (gsize i = 0; i < n; i++)
    fill_row(found, n_values, i, values[i], columns);
  for (gsize column = 0; column < G_N_ELEMENTS(quantities); column++)
    debye_table_add_numbers(table, &quantities[column], n, columns[column]);
  debye_result_add_table(result, table);
}

static void
add_blocks(DebyeResult *result, const DebyeScatteringFound *found)
{
  gsize n;
  const gsize *in_block = debye_scattering_sums_peek_blocks(found->sums, &n);
  if (n == 0)
    return;
  g_autofree double *numbers = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    numbers[i] = (double)in_block[i];
  g_autoptr(DebyeTable) table = debye_table_new(BLOCKS);
  debye_table_add_numbers(table, &(DebyeQuantity){"frames", "frames", NULL}, n, numbers);
  debye_result_add_table(result, table);
}

static void
add_volume(DebyeResult *result, const DebyeScatteringVolume *volume)
{
  gsize n;
  const double *values = debye_scattering_volume_peek(volume, &n);
  g_autoptr(DebyeTable) table = debye_table_new(VOLUME);
  debye_table_add_numbers(table, &(DebyeQuantity){"sum", "sum", NULL}, n, values);
  debye_result_add_table(result, table);
}

DebyeResult *
debye_scattering_checkpoint_new(DebyeResult *done, const DebyeRunInput *input,
                                const DebyeScatteringFound *found, gsize n_gone, const DebyeFrameRun *reading)
{
  DebyeResult *result =
      done != NULL ? debye_scattering_restart_copy(done) : debye_scattering_result_new(input, found);
  debye_result_set_partial(result, done == NULL);
  add_frames(result, found, n_gone, reading);
  add_sums(result, found);
  add_blocks(result, found);
  if (found->volume != NULL)
    add_volume(result, found->volume);
  return result;
}

/* --- And back --- */

static double
get_number(DebyeResult *result, const char *name)
{
  gsize n;
  const double *value = debye_scattering_restart_find_column(result, FRAMES, name, &n);
  return value != NULL && n == 1 ? value[0] : 0.0;
}

gsize
debye_scattering_checkpoint_get_frames(DebyeResult *result, DebyeFrameRun *reading)
{
  DebyeTable *table = debye_scattering_restart_find_table(result, FRAMES);
  gsize last = debye_table_get_n_columns(table) - 1;
  const char *const *names = debye_table_get_texts(table, last);
  reading->n_left_out = (gsize)get_number(result, "left_out");
  g_string_assign(reading->left_out, names != NULL ? names[0] : "");
  return (gsize)get_number(result, "behind");
}

static gboolean
set_other_rows(gsize n_gone, GError **error)
{
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH,
              "Continue: the file holds sums of %" G_GSIZE_FORMAT
              " frames for other q than are left: expected the q that the job was begun with",
              n_gone);
  return FALSE;
}

static gboolean
restore_sums(DebyeResult *result, DebyeScatteringFound *found)
{
  gsize n_parts, n_values, n[3] = {0}, n_blocks = 0;
  debye_scattering_sums_peek(found->sums, &n_parts, &n_values);
  const double *q = debye_scattering_restart_find_column(result, SUMS, "q", &n[0]),
               *re = debye_scattering_restart_find_column(result, SUMS, "re", &n[1]),
               *im = debye_scattering_restart_find_column(result, SUMS, "im", &n[2]);
  const double *in_block = debye_scattering_restart_find_column(result, BLOCKS, "frames", &n_blocks);
  for (gsize column = 0; column < G_N_ELEMENTS(n); column++)
    if (n[column] != n_parts * n_values)
      return FALSE;
  if (n_blocks != n_parts - 1)
    return FALSE;
  if (memcmp(q, found->q, found->n_q * sizeof *q) != 0)
    return FALSE;
  g_autofree double complex *values = g_new(double complex, n[0]);
  for (gsize i = 0; i < n[0]; i++)
    values[i] = re[i] + im[i] * I; /* clang 14 has no CMPLX; all are finite */
  debye_scattering_sums_restore(found->sums, values, in_block, (gsize)get_number(result, "used"),
                                get_number(result, "volume"));
  debye_scattering_sums_reach(found->sums, (gsize)get_number(result, "behind"));
  return TRUE;
}

static gboolean
restore_volume(DebyeResult *result, DebyeScatteringFound *found)
{
  gsize n = 0, n_expected;
  const double *values = debye_scattering_restart_find_column(result, VOLUME, "sum", &n);
  debye_scattering_volume_peek(found->volume, &n_expected);
  if (n != n_expected)
    return FALSE;
  debye_scattering_volume_restore(found->volume, values, (gsize)get_number(result, "used"));
  return TRUE;
}

gboolean
debye_scattering_checkpoint_restore(DebyeResult *result, DebyeScatteringFound *found, GError **error)
{
  if (!restore_sums(result, found) || (found->volume != NULL && !restore_volume(result, found)))
    return set_other_rows((gsize)get_number(result, "behind"), error);
  found->n_frames = (gsize)get_number(result, "used");
  return TRUE;
}
