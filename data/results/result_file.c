/* SPDX-License-Identifier: MIT */
/* Saves a result by the ending of its path, always beside the old file first. */
#include "result.h"

#include <string.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "result_hdf5.h"

/* "D: 0.23 Å²/ps" of each number. */
static void
describe_summary(GPtrArray *lines, DebyeTable *table)
{
  for (gsize i = 0; i < debye_table_get_n_columns(table) && debye_table_get_n_rows(table) == 1; i++) {
    const DebyeQuantity *quantity = debye_table_get_quantity(table, i);
    const double *numbers = debye_table_get_numbers(table, i);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (numbers != NULL)
      g_ptr_array_add(lines, g_strdup_printf("%s: %s%s%s", quantity->name,
                                             g_ascii_formatd(number, sizeof number, "%.10g", *numbers),
                                             *quantity->unit != '\0' ? " " : "", quantity->unit));
  }
}

/* For formats that have comments. */
static char **
describe(DebyeResult *result, const char *command)
{
  g_auto(GStrv) request =
      debye_request_describe(debye_result_get_request(result), command, debye_result_is_partial(result));
  GListModel *tables = debye_result_get_tables(result);
  GPtrArray *lines = g_ptr_array_new();
  for (char **line = request; *line != NULL; line++)
    g_ptr_array_add(lines, g_strdup(*line));
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (g_str_equal(debye_table_get_name(table), DEBYE_TABLE_OF_SUMMARY))
      describe_summary(lines, table);
  }
  g_ptr_array_add(lines, NULL);
  return (char **)g_ptr_array_free(lines, FALSE);
}

static gboolean
save_hdf5(DebyeResult *result, DebyeField *field, GOutputStream *stream, const char *command, GError **error)
{
  (void)field;
  return debye_result_hdf5_save(result, stream, command, error);
}

/* For formats whose only text is the map's name: a map that was stopped says so there. */
static DebyeField *
name_for_file(DebyeResult *result, DebyeField *field)
{
  if (!debye_result_is_partial(result))
    return g_object_ref(field);
  const DebyeGrid *grid = debye_field_get_grid(field);
  g_autofree char *name = g_strconcat(debye_field_get_name(field), DEBYE_FIELD_PARTIAL, NULL);
  g_autoptr(GBytes) values =
      g_bytes_new_static(debye_field_get_values(field), debye_grid_n_points(grid) * sizeof(float));
  DebyeField *named = debye_field_new(name, grid, values, debye_field_get_unit(field));
  debye_field_set_length_unit(named, debye_field_get_length_unit(field));
  return named;
}

static gboolean
save_dx(DebyeResult *result, DebyeField *field, GOutputStream *stream, const char *command, GError **error)
{
  (void)command;
  g_autoptr(DebyeField) named = name_for_file(result, field);
  return debye_field_save_dx(named, stream, error);
}

static gboolean
save_cube(DebyeResult *result, DebyeField *field, GOutputStream *stream, const char *command, GError **error)
{
  (void)command;
  g_autoptr(DebyeField) named = name_for_file(result, field);
  const DebyeFrame *frame;
  DebyeTopology *topology = debye_result_get_molecule(result, &frame);
  return debye_field_save_cube(named, topology, frame, stream, error);
}

static gboolean
save_ccp4(DebyeResult *result, DebyeField *field, GOutputStream *stream, const char *command, GError **error)
{
  (void)command;
  g_autoptr(DebyeField) named = name_for_file(result, field);
  return debye_field_save_ccp4(named, stream, error);
}

/* What is said of a map as a whole or of its atoms is no place of the map's numbers. */
static gboolean
is_beside_map(DebyeTable *table)
{
  const char *name = debye_table_get_name(table);
  return g_str_equal(name, DEBYE_TABLE_OF_SUMMARY) || g_str_equal(name, DEBYE_TABLE_OF_RESIDUES);
}

/* Its first, but for weights, which every kind of result may have beside what it found, and for what stands beside a map. */
static DebyeTable *
find_own_table(DebyeResult *result, gboolean has_map)
{
  GListModel *tables = debye_result_get_tables(result);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (!g_str_equal(debye_table_get_name(table), DEBYE_TABLE_OF_WEIGHTS) &&
        !(has_map && is_beside_map(table)))
      return g_steal_pointer(&table);
  }
  return NULL;
}

/* What a result without a map writes as CSV: its own table, else one made of its curves or its matrix, else
 * the weights, if they are all there is. */
static DebyeTable *
find_table(DebyeResult *result)
{
  GListModel *curves = debye_result_get_curves(result);
  g_autoptr(DebyeTable) own = find_own_table(result, FALSE);
  if (own != NULL)
    return g_steal_pointer(&own);
  if (g_list_model_get_n_items(curves) > 0)
    return debye_table_new_for_curves(curves);
  g_autoptr(DebyeMatrix) matrix = g_list_model_get_item(debye_result_get_matrices(result), 0);
  return matrix != NULL ? debye_table_new_for_array(matrix)
                        : g_list_model_get_item(debye_result_get_tables(result), 0);
}

static gboolean
save_csv(DebyeResult *result, DebyeField *field, GOutputStream *stream, const char *command, GError **error)
{
  g_auto(GStrv) header = describe(result, command);
  g_autoptr(DebyeTable) table = field == NULL ? find_table(result) : find_own_table(result, TRUE);
  if (table == NULL)
    return debye_field_save_csv(field, (const char *const *)header, stream, error);
  return debye_table_save_csv(table, (const char *const *)header, ',', stream, error);
}

typedef struct {
  const char *suffix;
  gboolean is_map; /* holds a field and nothing else */
  gboolean (*save)(DebyeResult *result, DebyeField *field, GOutputStream *stream, const char *command,
                   GError **error);
} Writer;

static const Writer *
find_writer(const char *path)
{
  static const Writer writers[] = {
      {".h5", FALSE, save_hdf5}, {".hdf5", FALSE, save_hdf5}, {".nxs", FALSE, save_hdf5},
      {".csv", FALSE, save_csv}, {".dx", TRUE, save_dx},      {".cube", TRUE, save_cube},
      {".cub", TRUE, save_cube}, {".ccp4", TRUE, save_ccp4},  {".mrc", TRUE, save_ccp4},
      {".map", TRUE, save_ccp4},
  };
  g_autofree char *lower = g_ascii_strdown(path, -1);
  for (gsize i = 0; i < G_N_ELEMENTS(writers); i++)
    if (g_str_has_suffix(lower, writers[i].suffix))
      return &writers[i];
  return NULL;
}

/* Writers report what went wrong; which file it was is known here. */
static gboolean
report(GError **error, const char *path, GError *cause)
{
  g_autofree char *name = debye_error_name_file(path);
  if (cause->domain == DEBYE_ERROR)
    debye_error_set(error, cause->code, "%s: %s", name, cause->message);
  else
    debye_error_set_of_file(error, DEBYE_ERROR_WRITE, name, "can't be written: %s", cause->message);
  g_error_free(cause);
  return FALSE;
}

gboolean
debye_result_save(DebyeResult *self, const char *path, const char *command, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self) && path != NULL, FALSE);
  GError *cause = NULL;
  g_autofree char *name = debye_error_name_file(path);
  const Writer *writer = find_writer(path);
  if (writer == NULL)
    return debye_error_set(
        error, DEBYE_ERROR_WRITE,
        "%s: expected a name that ends in .h5, .dx, .cube, .ccp4, .mrc or .csv, found another", name);
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(self), 0);
  if (debye_result_is_empty(self) || (writer->is_map && field == NULL))
    return debye_error_set(error, DEBYE_ERROR_MISSING, "%s: can't be written: the result holds no %s", name,
                           writer->is_map ? "map" : "values");
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  if (!writer->save(self, field, debye_replace_file_get_stream(file), command, &cause))
    return report(error, path, cause);
  return debye_replace_file_commit(g_steal_pointer(&file), error);
}

gboolean
debye_result_save_table(DebyeResult *self, DebyeTable *table, const char *path, const char *command,
                        GError **error)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self) && DEBYE_IS_TABLE(table) && path != NULL, FALSE);
  GError *cause = NULL;
  g_auto(GStrv) header = describe(self, command);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  if (!debye_table_save_csv(table, (const char *const *)header, ',', debye_replace_file_get_stream(file),
                            &cause))
    return report(error, path, cause);
  return debye_replace_file_commit(g_steal_pointer(&file), error);
}
