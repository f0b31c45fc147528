/* SPDX-License-Identifier: MIT */
/* Opens the file of a job and checks that it is of the same job; called by frame_run_parts.c and by the jobs of scattering,
 * which continue rows of q and atoms, too. */
#include "job_file.h"

#include "data/files/error.h"
#include "data/files/provenance.h"

#define LABEL "Continue"

/* --- What a result holds --- */

const double *
debye_job_file_find_column(DebyeResult *result, const char *table, const char *column, gsize *n)
{
  DebyeTable *found = debye_result_find_table(result, table);
  const double *numbers = debye_table_find_numbers(found, column);
  *n = numbers != NULL ? debye_table_get_n_rows(found) : 0;
  return numbers;
}

static gboolean
is_of_running_job(DebyeTable *table)
{
  return g_str_has_prefix(debye_table_get_name(table), DEBYE_JOB_RESTART);
}

gboolean
debye_job_file_is_begun(DebyeResult *result)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (is_of_running_job(table))
      return TRUE;
  }
  return FALSE;
}

/* --- Whether it is the same job --- */

/* How it is computed and kept, and what its analysis says. */
static gboolean
is_of_no_account(const DebyeJobFreedom *freedom, const char *key)
{
  static const char *const keys[] = {"continue", "save-every", "device", "threads", "memory", NULL};
  return g_strv_contains(keys, key) || (freedom != NULL && freedom->is_free(key, freedom->data));
}

static gboolean
check_settings(DebyeResult *earlier, const DebyeJobFreedom *freedom, DebyeRequest *request, const char *name,
               GError **error)
{
  DebyeRequest *other = debye_result_get_request(earlier);
  const DebyeSettingTable *table = debye_request_get_table(request);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    const char *asked = debye_request_get(request, key), *found = debye_request_get(other, key);
    if (g_strcmp0(asked, found) == 0 || is_of_no_account(freedom, key))
      continue;
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                 "%s: is the result of another job: expected --%s “%s”, found “%s”", name,
                                 key, asked != NULL ? asked : "", found != NULL ? found : "");
  }
  return TRUE;
}

static gboolean
check_inputs(DebyeResult *earlier, DebyeDataset *dataset, const char *name, GError **error)
{
  g_autoptr(GPtrArray) now = debye_provenance_record_files(debye_dataset_get_paths(dataset), NULL, error);
  if (now == NULL)
    return FALSE;
  g_autoptr(GPtrArray) then = debye_result_get_input_records(earlier, NULL, error);
  if (then == NULL)
    return FALSE;
  if (now->len != then->len)
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                 "%s: is the result of another job: expected %u input files, found %u", name,
                                 now->len, then->len);
  for (guint i = 0; i < now->len; i++) {
    const DebyeInputRecord *one = g_ptr_array_index(now, i), *other = g_ptr_array_index(then, i);
    if (one->size == other->size && g_str_equal(one->sha256, other->sha256))
      continue;
    g_autofree char *input = debye_error_name_file(one->path);
    return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                                 "%s: is the result of another job: its input file %u is not %s as it is now",
                                 name, i + 1, input);
  }
  return TRUE;
}

/* A whole result, or what a job has so far. */
static gboolean
check_content(DebyeResult *earlier, const char *name, GError **error)
{
  if (!debye_result_is_partial(earlier) || debye_job_file_is_begun(earlier))
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL,
                               "%s: is partial, of fewer frames: expected a finished result", name);
}

static DebyeResult *
load(const char *path, const DebyeSettingTable *table, const char *name, GError **error)
{
  g_autofree char *analysis = debye_result_load_analysis(path, error);
  if (analysis != NULL && !g_str_equal(analysis, table->id)) {
    debye_error_set_about(error, DEBYE_ERROR_MISMATCH, LABEL, "%s: expected a result of %s, found one of %s",
                          name, table->id, analysis);
    return NULL;
  }
  DebyeResult *found = analysis != NULL ? debye_result_load_of(path, table, error) : NULL;
  if (found == NULL)
    debye_error_name_setting(error, LABEL);
  return found;
}

gboolean
debye_job_file_open(const DebyeJobSettings *job, const DebyeJobFreedom *freedom, const DebyeRunInput *input,
                    DebyeResult **found, GError **error)
{
  const char *path = job->continued;
  *found = NULL;
  if (path == NULL || path[0] == '\0')
    return TRUE;
  g_autofree char *name = debye_error_name_file(path);
  if (!g_str_has_suffix(path, ".h5"))
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL,
                                 "expected the name of a result file that ends in .h5, found %s", name);
  if (!g_file_test(path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_autoptr(DebyeResult) result = load(path, debye_request_get_table(input->request), name, error);
  if (result == NULL || !check_settings(result, freedom, input->request, name, error) ||
      !check_content(result, name, error) || !check_inputs(result, input->dataset, name, error))
    return FALSE;
  *found = g_steal_pointer(&result);
  return TRUE;
}

/* --- A copy --- */

static void
copy_content(DebyeResult *copy, DebyeResult *result)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint n_axes = 1; n_axes <= DEBYE_ARRAY_AXES; n_axes++) {
    GListModel *arrays = debye_result_get_arrays(result, n_axes);
    for (guint i = 0; i < g_list_model_get_n_items(arrays); i++) {
      g_autoptr(DebyeArray) array = g_list_model_get_item(arrays, i);
      debye_result_add_array(copy, array);
    }
  }
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (!is_of_running_job(table))
      debye_result_add_table(copy, table);
  }
}

static void
copy_story(DebyeResult *copy, DebyeResult *result)
{
  g_autoptr(GPtrArray) records = debye_result_get_input_records(result, NULL, NULL);
  debye_result_set_inputs(copy, debye_result_get_inputs(result));
  if (records != NULL)
    debye_result_set_input_records(copy, records);
  debye_result_set_wall_time(copy, debye_result_get_wall_time(result));
  debye_result_set_partial(copy, debye_result_is_partial(result));
  GPtrArray *notes = debye_result_get_notes(result);
  for (guint i = 0; i < notes->len; i++) {
    const DebyeNote *note = g_ptr_array_index(notes, i);
    if (note->kind != DEBYE_NOTE_UNFINISHED)
      debye_result_take_note(copy, debye_note_copy(note));
  }
}

DebyeResult *
debye_job_file_copy(DebyeResult *result)
{
  DebyeResult *copy =
      debye_result_new(debye_result_get_request(result), debye_result_get_title_message(result));
  copy_content(copy, result);
  copy_story(copy, result);
  return copy;
}
