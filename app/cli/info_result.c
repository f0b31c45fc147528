/* SPDX-License-Identifier: MIT */
/* Describes a map or a result in a few lines; called by command_info.c. */
#include "info_report.h"

#include <stdio.h>

#include "app/analysis/analysis_list.h"
#include "app/document/map_file.h"
#include "cli_progress.h"
#include "data/messages/decimal_text.h"
#include "data/results/result.h"
#include "data/trajectory/dataset.h"
#include "result_report.h"

/* As many curves as a screen takes. */
#define CURVES_SHOWN 20

gboolean
debye_info_result_is_one(const char *path)
{
  return debye_field_probe(path) != DEBYE_MAP_FILE_NONE;
}

/* --- Reading --- */

/* A map without a story is all that its result holds; whether it was stopped its name says. */
static DebyeResult *
wrap_field(DebyeField *field, DebyeRequest *request)
{
  DebyeResult *result = debye_result_new(request, debye_field_get_name(field));
  debye_result_add_field(result, field);
  debye_result_set_origin(result, NULL, NULL);
  debye_result_set_partial(result, g_str_has_suffix(debye_field_get_name(field), DEBYE_FIELD_PARTIAL));
  return result;
}

static DebyeResult *
load(DebyeArguments *arguments, const char *path, GError **error)
{
  if (debye_field_probe(path) == DEBYE_MAP_FILE_RESULT)
    return debye_result_load(path, debye_analysis_find_table, error);
  g_autoptr(DebyeField) field = debye_field_load(path, error);
  return field != NULL ? wrap_field(field, debye_arguments_get_request(arguments)) : NULL;
}

/* --- For people --- */

static void
print_vector(const char *title, DebyeVec3 v, const char *unit)
{
  DebyeDecimalText x, y, z;
  printf("%-13s (%s, %s, %s) %s\n", title, debye_decimal_text_format(&x, "%.6g", v.x),
         debye_decimal_text_format(&y, "%.6g", v.y), debye_decimal_text_format(&z, "%.6g", v.z), unit);
}

static void
print_values(DebyeField *field)
{
  DebyeFieldStatistics values;
  DebyeDecimalText low, high, mean, rms;
  gsize n_points = debye_grid_n_points(debye_field_get_grid(field)),
        n_finite = debye_field_get_n_finite(field);
  debye_field_get_statistics(field, &values);
  printf("Values        %s to %s, mean %s, root mean square %s\n",
         debye_decimal_text_format(&low, "%.6g", values.minimum),
         debye_decimal_text_format(&high, "%.6g", values.maximum),
         debye_decimal_text_format(&mean, "%.6g", values.mean),
         debye_decimal_text_format(&rms, "%.6g", values.rms));
  if (n_finite < n_points)
    printf("  computed at %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " points\n", n_finite, n_points);
}

static void
print_field(DebyeField *field)
{
  const DebyeGrid *grid = debye_field_get_grid(field);
  g_autofree char *name = debye_cli_make_printable(debye_field_get_name(field), -1);
  g_autofree char *unit = debye_cli_make_printable(debye_field_get_unit(field), -1);
  g_autofree char *length = debye_cli_make_printable(debye_field_get_length_unit(field), -1);
  printf("Map           %s%s%s\n", name, unit[0] != '\0' ? ", in " : ", no unit given", unit);
  print_values(field);
  printf("Points        %zu × %zu × %zu\n", grid->shape[0], grid->shape[1], grid->shape[2]);
  print_vector("First point", grid->origin, length);
  print_vector("Steps", grid->step[0], length);
  print_vector("", grid->step[1], length);
  print_vector("", grid->step[2], length);
}

static void
print_curves(GListModel *curves)
{
  guint n_curves = g_list_model_get_n_items(curves);
  for (guint i = 0; i < MIN(n_curves, CURVES_SHOWN); i++) {
    g_autoptr(DebyeCurve) curve = g_list_model_get_item(curves, i);
    const DebyeQuantity *quantity = debye_curve_get_y_quantity(curve);
    g_autofree char *written = g_strdup_printf("%s: %s%s%s", debye_curve_get_name(curve), quantity->label,
                                               quantity->unit[0] != '\0' ? " in " : "", quantity->unit);
    g_autofree char *text = debye_cli_make_printable(written, -1);
    printf("Curve         %s, %" G_GSIZE_FORMAT " points\n", text, debye_curve_get_n_points(curve));
  }
  if (n_curves > CURVES_SHOWN)
    printf("              %u curves more; --json tells all\n", n_curves - CURVES_SHOWN);
}

static void
print_origin(DebyeResult *result)
{
  GDateTime *created = debye_result_get_created(result);
  g_autofree char *time = created != NULL ? g_date_time_format_iso8601(created) : NULL;
  g_autofree char *version = debye_result_get_version(result) != NULL
                                 ? debye_cli_make_printable(debye_result_get_version(result), -1)
                                 : NULL;
  if (time != NULL)
    printf("Made          %s%s%s\n", time, version != NULL ? ", Debye " : "", version != NULL ? version : "");
  if (debye_result_get_command(result) != NULL) {
    g_autofree char *command = debye_cli_make_printable(debye_result_get_command(result), -1);
    printf("Made by       %s\n", command);
  }
}

/* A cube file's. */
static void
print_molecule(const char *path)
{
  const char *const paths[] = {path, NULL};
  g_autoptr(DebyeDataset) dataset =
      debye_map_file_has_molecule(path) ? debye_dataset_open(paths, NULL, NULL, NULL) : NULL;
  if (dataset != NULL)
    printf("Atoms         %" G_GSIZE_FORMAT "\n",
           debye_topology_get_n_atoms(debye_dataset_get_topology(dataset)));
}

static void
print_result(const char *path, DebyeResult *result)
{
  GListModel *fields = debye_result_get_fields(result);
  g_autofree char *title = debye_cli_make_printable(debye_result_get_title(result), -1);
  printf("File          %s (%s)\n", path, title);
  for (guint i = 0; i < g_list_model_get_n_items(fields); i++) {
    g_autoptr(DebyeField) field = g_list_model_get_item(fields, i);
    print_field(field);
  }
  print_molecule(path);
  print_curves(debye_result_get_curves(result));
  if (debye_result_is_partial(result))
    printf("Partial       it was stopped before its end\n");
  print_origin(result);
}

gboolean
debye_info_result_tell(DebyeArguments *arguments, const char *path, GError **error)
{
  const char *const no_outputs[] = {NULL};
  g_autoptr(DebyeResult) result = load(arguments, path, error);
  if (result == NULL)
    return FALSE;
  g_autoptr(DebyeField) field = g_list_model_get_item(debye_result_get_fields(result), 0);
  const char *const *warnings = field != NULL ? debye_field_get_warnings(field) : NULL;
  if (!debye_cli_warn(arguments, warnings, error))
    return FALSE;
  if (debye_arguments_get_options(arguments).json)
    debye_result_report_json(result, no_outputs, warnings);
  else
    print_result(path, result);
  return TRUE;
}
