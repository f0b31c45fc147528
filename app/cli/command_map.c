/* SPDX-License-Identifier: MIT */
/* debye-cli map: writes the electrostatic potential on a grid; listed by command_list.c. */
#include "app/analysis/map/map_settings.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "result_report.h"
#include "app/analysis/analysis_list.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_map, debye_map_endings,
                                ".h5, .dx, .cube, .ccp4 or .csv", error);
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
    .description = "V(r) = Σ q/|r − r_i| over the chosen atoms, and their images where --periodic says so, "
                   "divided by the relative permittivity. The grid is laid "
                   "around the chosen atoms of the first frame, or where --origin and --shape say, and is "
                   "the same for all frames; "
                   "over several frames each point keeps the chosen statistic. Charges come from the files "
                   "(such as PQR, PSF, prmtop, TPR, MOL2), or from the table that --charges names.\n\n"
                   "Writes .h5 (everything, with how it was made: see rerun), .dx, .cube, .ccp4 and .csv (x, "
                   "y, z, potential).",
    .examples = examples,
    .table = &debye_map_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run,
};
