/* SPDX-License-Identifier: MIT */
/* debye-cli map: the electrostatic potential on a grid, into files. */
#include <stdio.h>

#include "analysis/map_settings.h"
#include "cli_work.h"
#include "command.h"
#include "installation.h"
#include "interrupt.h"
#include "json_writer.h"
#include "result_report.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const DebyeAnalysis *analysis = &debye_analysis_map;
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_request_get_boolean(debye_arguments_get_common(arguments), "json");
  if (*outputs == NULL && !wants_json) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "map: expected --output FILE (.h5, .dx, .cube, .ccp4 or .csv), found none");
    return FALSE;
  }
  if (!debye_cli_check_outputs(outputs, debye_map_endings, error))
    return FALSE;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  g_autoptr(DebyeRegistry) registry = debye_registry_new(debye_installation_get_backend_dir());
  g_autoptr(DebyeResult) result = debye_cli_analyse(arguments, analysis, dataset,
                                                    debye_arguments_get_request(arguments), registry, error);
  if (result == NULL || !debye_cli_save(arguments, result, outputs, error))
    return FALSE;
  if (wants_json)
    debye_result_report_json(result, outputs, debye_dataset_get_warnings(dataset));
  else
    debye_result_report_say(arguments, result);
  return !debye_result_is_partial(result) || !debye_interrupt_came();
}

static const char *const examples[] = {
    "debye-cli map --spacing 0.5 -o potential.dx protein.pqr",
    "debye-cli map --select protein --frames 100:-1:10 --statistic mean --unit V -o mean.h5 system.psf "
    "run.xtc",
    "debye-cli map --origin -20,-20,-20 --shape 81,81,81 --spacing 0.5 --json system.psf run.dcd",
    NULL,
};

const DebyeCommand debye_command_map = {
    .name = "map",
    .operands = "FILE...",
    .summary = "Computes the electrostatic potential on a grid",
    .description = "V(r) = Σ q/|r − r_i| over the chosen atoms, open boundary, divided by the relative "
                   "permittivity. The grid is laid "
                   "around the chosen atoms of the first frame, or where --origin and --shape say, and is "
                   "the same for all frames; "
                   "over several frames each point keeps the chosen statistic. Charges come from the files "
                   "(PQR, PSF, extended XYZ).\n\n"
                   "Writes .h5 (everything, with how it was made: see rerun), .dx, .cube, .ccp4 and .csv (x, "
                   "y, z, potential).",
    .examples = examples,
    .table = &debye_map_settings,
    .least_operands = 1,
    .most_operands = G_MAXUINT,
    .run = run,
};
