/* SPDX-License-Identifier: MIT */
/* debye-cli field: what is made of maps that exist: differences, other formats, profiles, lines. */
#include <string.h>

#include "cli_work.h"
#include "command.h"
#include "data/error.h"
#include "data/field_math.h"
#include "plot_output.h"
#include "render/plot_cairo.h"
#include "result_report.h"

#define MOST_LINE_POINTS 100000

static const DebyeChoice axes[] = {
    {"none", "None", "the map itself"},
    {"x", "x", "averaged over the planes across the map's first step"},
    {"y", "y", "averaged over the planes across the map's second step"},
    {"z", "z", "averaged over the planes across the map's third step, as for a membrane"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "subtract",
     .label = "Subtract",
     .kind = DEBYE_SETTING_TEXT,
     .help = "a second map on the same points, taken off the first"},
    {.key = "profile",
     .label = "Profile",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "none",
     .choices = axes,
     .help = "means over planes, as a curve"},
    {.key = "line-from",
     .label = "Line from",
     .unit = "Å",
     .kind = DEBYE_SETTING_VECTOR,
     .help = "values along a line, as a curve: its first point"},
    {.key = "line-to", .label = "Line to", .unit = "Å", .kind = DEBYE_SETTING_VECTOR, .help = "and its last"},
    {.key = "points",
     .label = "Points of the line",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 2,
     .maximum = MOST_LINE_POINTS,
     .initial = "201",
     .help = "values along the line, ends included"},
};

static const DebyeSettingTable table = {
    .id = "field",
    .title = "Map",
    .question = "What is in a map?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

static DebyeField *
load(DebyeArguments *arguments, const char *path, GError **error)
{
  g_autoptr(DebyeField) field = debye_field_load(path, error);
  if (field == NULL || !debye_cli_warn(arguments, debye_field_get_warnings(field), error))
    return NULL;
  return g_steal_pointer(&field);
}

static gboolean
add_line(DebyeResult *result, DebyeRequest *request, DebyeField *field, GError **error)
{
  DebyeVec3 from, to;
  gboolean has_from = debye_request_get_vector(request, "line-from", &from);
  gboolean has_to = debye_request_get_vector(request, "line-to", &to);
  if (!has_from && !has_to)
    return TRUE;
  if (!has_from || !has_to) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "field: expected both --line-from and --line-to, found one of them");
    return FALSE;
  }
  g_autoptr(DebyeCurve) curve =
      debye_field_get_line(field, from, to, (gsize)debye_request_get_integer(request, "points"));
  debye_result_add_curve(result, curve);
  return TRUE;
}

/* Either curves or the map, so that a CSV file holds what was asked for. */
static DebyeResult *
make_result(DebyeArguments *arguments, DebyeField *field, GError **error)
{
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const char *profile = debye_request_get(request, "profile");
  g_autoptr(DebyeResult) result = debye_result_new(request, debye_field_get_name(field));
  if (strcmp(profile, "none") != 0) {
    g_autoptr(DebyeCurve) curve = debye_field_get_profile(field, profile[0] - 'x');
    debye_result_add_curve(result, curve);
  }
  if (!add_line(result, request, field, error))
    return NULL;
  if (g_list_model_get_n_items(debye_result_get_curves(result)) == 0)
    debye_result_add_field(result, field);
  debye_result_set_inputs(result, debye_arguments_get_files(arguments));
  return g_steal_pointer(&result);
}

static gboolean
makes_curves(DebyeRequest *request)
{
  return strcmp(debye_request_get(request, "profile"), "none") != 0 ||
         debye_request_is_set(request, "line-from") || debye_request_is_set(request, "line-to");
}

/* A picture shows curves: a map's are made by `render`. */
static gboolean
check_outputs(DebyeArguments *arguments, const char *const *outputs, GError **error)
{
  gboolean has_curves = makes_curves(debye_arguments_get_request(arguments));
  for (gsize i = 0; !has_curves && outputs[i] != NULL; i++)
    if (debye_plot_can_save(outputs[i])) {
      g_set_error(
          error, DEBYE_USAGE_ERROR, 0,
          "%s: expected --profile or --line-from and --line-to, which make curves to plot, found none",
          outputs[i]);
      return FALSE;
    }
  return debye_cli_check_outputs(outputs, has_curves ? debye_curve_endings : debye_map_endings, error);
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_request_get_boolean(debye_arguments_get_common(arguments), "json");
  const char *subtract = debye_arguments_get_path(arguments, "subtract");
  if (*outputs == NULL && !wants_json) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "field: expected --output FILE or --json, found neither");
    return FALSE;
  }
  if (!check_outputs(arguments, outputs, error))
    return FALSE;
  g_autoptr(DebyeField) field = load(arguments, debye_arguments_get_files(arguments)[0], error);
  if (field == NULL)
    return FALSE;
  if (subtract != NULL) {
    g_autoptr(DebyeField) other = load(arguments, subtract, error);
    g_autoptr(DebyeField) difference = other != NULL ? debye_field_subtract(field, other, error) : NULL;
    if (difference == NULL)
      return FALSE;
    g_set_object(&field, difference);
  }
  g_autoptr(DebyeResult) result = make_result(arguments, field, error);
  if (result == NULL || !debye_cli_save(arguments, result, outputs, error))
    return FALSE;
  if (wants_json)
    debye_result_report_json(result, outputs, NULL);
  else
    debye_result_report_say(arguments, result);
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli field --profile z -o profile.csv potential.h5",
    "debye-cli field --profile z -o profile.svg potential.h5",
    "debye-cli field --subtract apo.dx -o difference.dx holo.dx",
    "debye-cli field --line-from 0,0,-20 --line-to 0,0,20 -o axis.csv potential.dx",
    NULL,
};

const DebyeCommand debye_command_field = {
    .name = "field",
    .operands = "MAP",
    .summary = "Makes differences, profiles and other formats of a map",
    .description =
        "Reads a map (.h5, .dx, .cube, .ccp4, gzip-compressed too) and writes it, its difference "
        "to another map on the same points, its means over planes, or its values along a line. Curves may go "
        "into .svg, .pdf and .png, too.",
    .examples = examples,
    .table = &table,
    .plot = &debye_plot_settings,
    .least_operands = 1,
    .most_operands = 1,
    .run = run,
};
