/* SPDX-License-Identifier: MIT */
/* debye-cli measure: writes distances, angles and dihedrals over time; listed by command_list.c. */
#include "app/analysis/measure/measure_settings.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "plot_output.h"
#include "result_report.h"
#include "app/analysis/analysis_list.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_measure, debye_curve_endings,
                                ".h5, .csv, .svg, .pdf, .png or .tiff", error);
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
    .max_operands = G_MAXUINT,
    .run = run,
};
