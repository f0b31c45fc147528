/* SPDX-License-Identifier: MIT */
/* debye-cli measure: distances, angles and dihedrals over time, into files. */
#include "analysis/measure_settings.h"
#include "cli_work.h"
#include "command.h"
#include "installation.h"
#include "interrupt.h"
#include "plot_output.h"
#include "result_report.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_request_get_boolean(debye_arguments_get_common(arguments), "json");
  if (*outputs == NULL && !wants_json) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "measure: expected --output FILE (.h5, .csv, .svg, .pdf or .png), found none");
    return FALSE;
  }
  if (!debye_cli_check_outputs(outputs, debye_curve_endings, error))
    return FALSE;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  g_autoptr(DebyeRegistry) registry = debye_registry_new(debye_installation_get_backend_dir());
  g_autoptr(DebyeResult) result = debye_cli_analyse(arguments, &debye_analysis_measure, dataset,
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
    "debye-cli measure --atoms 12,250 -o distance.csv protein.psf run.dcd",
    "debye-cli measure --atoms '4,6,8,14; 6,8,14,16' -o angles.svg dipeptide.pdb run.xtc",
    NULL,
};

const DebyeCommand debye_command_measure = {
    .name = "measure",
    .operands = "FILE...",
    .summary = "Measures distances, angles and dihedrals over time",
    .description = "Of two atoms their distance in Å; of three the angle at the second; of four the dihedral "
                   "about the middle pair, −180° to 180°, 0 where cis (IUPAC). In a cell each atom counts at "
                   "the image nearest to the one before it.\n\n"
                   "Writes .h5 (everything, with how it was made: see rerun) and .csv, and plots as .svg, "
                   ".pdf and .png.",
    .examples = examples,
    .table = &debye_measure_settings,
    .plot = &debye_plot_settings,
    .least_operands = 1,
    .most_operands = G_MAXUINT,
    .run = run,
};
