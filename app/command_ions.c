/* SPDX-License-Identifier: MIT */
/* debye-cli ions: ions at the extremes of the potential, into files. */
#include "analysis/ions_settings.h"
#include "cli_work.h"
#include "command.h"
#include "installation.h"
#include "interrupt.h"
#include "result_report.h"

static const char *const endings[] = {".pdb",  ".pqr", ".csv",  ".h5",  ".hdf5", ".nxs", ".dx",
                                      ".cube", ".cub", ".ccp4", ".mrc", ".map",  NULL};

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_request_get_boolean(debye_arguments_get_common(arguments), "json");
  if (*outputs == NULL && !wants_json) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "ions: expected --output FILE (.pdb, .pqr, .csv or .h5), found none");
    return FALSE;
  }
  if (!debye_cli_check_outputs(outputs, endings, error))
    return FALSE;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  g_autoptr(DebyeRegistry) registry = debye_registry_new(debye_installation_get_backend_dir());
  g_autoptr(DebyeResult) result = debye_cli_analyse(arguments, &debye_analysis_ions, dataset,
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
    "debye-cli ions -o ions.pdb protein.pqr",
    "debye-cli ions --cation K --concentration 0.15 --neutralise --distance 6 -o ions.pdb -o ions.h5 "
    "system.psf "
    "system.pdb",
    "debye-cli ions --cation MG --count 6,0 --names charmm --ion-distance 8 -o ions.pqr -o ions.csv "
    "ribosome.psf ribosome.pdb",
    NULL,
};

const DebyeCommand debye_command_ions = {
    .name = "ions",
    .operands = "FILE...",
    .summary = "Places ions at the extremes of the electrostatic potential",
    .description =
        "Puts a cation where the potential of the chosen atoms is lowest, or an anion where it is highest, "
        "adds its own potential, and so on: as many as neutralise the atoms, or as --count or "
        "--concentration "
        "say. Ions keep --distance from the atoms and --ion-distance from each other, and stand on points of "
        "the grid.\n\n"
        "Chosen are by default all atoms but water and ions, which would cover everything. --concentration "
        "is of the volume that the atoms leave open within the grid.\n\n"
        "Writes .pdb and .pqr (the ions, a residue each, named as --names says), .csv (index, element, x, y, "
        "z, potential before the ion was there) and .h5 (everything, with the map after the last ion and how "
        "it was made: see rerun); that map alone as .dx, .cube and .ccp4.",
    .examples = examples,
    .table = &debye_ions_settings,
    .least_operands = 1,
    .most_operands = G_MAXUINT,
    .run = run,
};
