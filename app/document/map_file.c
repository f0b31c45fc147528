/* SPDX-License-Identifier: MIT */
/* Loads maps and results from files on a worker thread; called by document.c, shown by the window. */
#include "map_file.h"

#include "app/analysis/analysis_list.h"
#include "data/results/field_load.h"
#include "data/trajectory/format_list.h"

#define NAME_KEY "debye-map-file-name"
#define PATH_KEY "debye-map-file-path"

gboolean
debye_map_file_is_one(const char *path)
{
  return debye_field_probe(path) != DEBYE_MAP_FILE_NONE;
}

gboolean
debye_map_file_has_molecule(const char *path)
{
  g_return_val_if_fail(path != NULL, FALSE);
  g_autoptr(DebyeInput) input = debye_input_open(path, NULL);
  return input != NULL && debye_field_probe(path) == DEBYE_MAP_FILE_PLAIN &&
         debye_format_detect(input, NULL) == &debye_format_cube;
}

static GObject *
load_result(const char *path, DebyeProgressFunc progress, gpointer data, GError **error)
{
  DebyeResult *result = debye_result_load_watched(path, debye_analysis_find_table, progress, data, error);
  if (result != NULL)
    debye_map_file_prepare_result(result);
  return (GObject *)result;
}

static GObject *
load_field(const char *path, DebyeProgressFunc progress, gpointer data, GError **error)
{
  DebyeField *field = debye_field_load_watched(path, progress, data, error);
  if (field != NULL)
    debye_map_file_prepare_field(field);
  return (GObject *)field;
}

GObject *
debye_map_file_load(const char *path, DebyeProgressFunc progress, gpointer data, GError **error)
{
  GObject *loaded = debye_field_probe(path) == DEBYE_MAP_FILE_RESULT
                        ? load_result(path, progress, data, error)
                        : load_field(path, progress, data, error);
  if (loaded == NULL)
    return NULL;
  g_object_set_data_full(loaded, NAME_KEY, g_filename_display_basename(path), g_free);
  g_object_set_data_full(loaded, PATH_KEY, g_strdup(path), g_free);
  return loaded;
}

const char *
debye_map_file_get_name(GObject *loaded)
{
  return g_object_get_data(loaded, NAME_KEY);
}

const char *
debye_map_file_get_path(GObject *loaded)
{
  return g_object_get_data(loaded, PATH_KEY);
}

DebyeField *
debye_map_file_get_field(GObject *loaded)
{
  if (DEBYE_IS_FIELD(loaded))
    return DEBYE_FIELD(loaded);
  /* The result keeps it. */
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(DEBYE_RESULT(loaded)), 0);
  return field;
}

void
debye_map_file_prepare_field(DebyeField *field)
{
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  debye_field_get_percentile(field, 0.5);
}

void
debye_map_file_prepare_result(DebyeResult *result)
{
  GListModel *fields = debye_result_get_fields(result);
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    debye_map_file_prepare_field(field);
  }
}
