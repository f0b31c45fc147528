/* SPDX-License-Identifier: MIT */
/* debye-cli field: computations with existing maps (differences, other formats, profiles, lines); listed by
 * command_list.c. */
#include "app/analysis/map/field_run.h"
#include "app/analysis/map/field_settings.h"
#include "cli_field.h"
#include "cli_work.h"
#include "arguments.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"
#include "result_report.h"

/* A picture shows curves: a map's are made by `render`. */
static gboolean
check_outputs(DebyeArguments *arguments, const char *const *outputs, GError **error)
{
  gboolean has_curves = debye_field_makes_curves(debye_arguments_get_request(arguments));
  for (gsize i = 0; !has_curves && outputs[i] != NULL; i++)
    if (debye_plot_can_save(outputs[i]))
      return debye_usage_refuse(
          error, "%s: expected --profile or --line-from and --line-to, which make curves to plot, found none",
          outputs[i]);
  return debye_cli_check_outputs(outputs, has_curves ? debye_curve_endings : debye_map_endings, error);
}

static gboolean
check_line(DebyeRequest *request, GError **error)
{
  DebyeFieldSettings settings;
  debye_request_fill(request, &settings);
  return settings.has_line_from == settings.has_line_to ||
         debye_usage_refuse(error, "field: expected both --line-from and --line-to, found one of them");
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_arguments_get_options(arguments).json;
  if (*outputs == NULL && !wants_json)
    return debye_usage_refuse(error, "field: expected --output FILE or --json, found neither");
  if (!check_line(debye_arguments_get_request(arguments), error) || !check_outputs(arguments, outputs, error))
    return FALSE;
  g_autoptr(DebyeResult) result = debye_cli_make_field(
      arguments, debye_arguments_get_request(arguments), debye_arguments_get_files(arguments)[0],
      debye_arguments_get_path(arguments, "subtract"), error);
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
    .description = "Reads a map (.h5, .dx, .cube, .ccp4, also compressed by gzip, bzip2 or xz) and writes "
                   "it, its difference to another map on the same points, its means over planes, or its "
                   "values along a line. Curves can also be written as .svg, .pdf and .png.",
    .examples = examples,
    .table = &debye_field_table,
    .plot = &debye_plot_settings,
    .least_operands = 1,
    .max_operands = 1,
    .run = run,
};
