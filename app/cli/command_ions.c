/* SPDX-License-Identifier: MIT */
/* debye-cli ions: places ions at the extremes of the potential and writes files; listed by command_list.c. */
#include "app/analysis/ions/ions_settings.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "app/analysis/analysis_list.h"

static const char *const endings[] = {".pdb",  ".pqr", ".csv",  ".h5",  ".hdf5", ".nxs", ".dx",
                                      ".cube", ".cub", ".ccp4", ".mrc", ".map",  NULL};

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_ions, endings, ".pdb, .pqr, .csv or .h5", error);
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
        "adds the ion's own potential, and repeats this until the atoms are neutralised or the number given "
        "by --count or --concentration is reached. Ions keep --distance from the atoms and --ion-distance "
        "from each other, and "
        "stand on points of the grid.\n\nBy default water and ions are not chosen, as they would cover "
        "everything. --concentration refers to the volume that the atoms leave open within the "
        "grid.\n\nWrites .pdb and .pqr (the ions, one residue each, with the names of --names), .csv (index, "
        "element, x, y, z, potential before the ion was there) and .h5 (everything, with the map after the "
        "last ion and how it was made: see rerun); that map alone as .dx, .cube and .ccp4.",
    .examples = examples,
    .table = &debye_ions_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run,
};
