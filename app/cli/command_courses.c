/* SPDX-License-Identifier: MIT */
/* debye-cli measure and msd: distances and angles, and mean square displacements over time; listed by command_list.c. */
#include "app/analysis/analysis_list.h"
#include "app/analysis/measure/measure_settings.h"
#include "app/analysis/msd/msd_settings.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "plot_output.h"
#include "result_report.h"

static gboolean
run_measure(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_measure, debye_curve_endings,
                                ".h5, .csv, .svg, .pdf, .png or .tiff", error);
}

static gboolean
run_msd(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_msd, debye_curve_endings,
                                ".h5, .csv, .svg, .pdf, .png or .tiff", error);
}

static const char *const measure_examples[] = {
    "debye-cli measure --atoms 12,250 -o distance.csv protein.psf run.dcd",
    "debye-cli measure --atoms '4,6,8,14; 6,8,14,16' -o angles.svg dipeptide.pdb run.xtc",
    NULL,
};

const DebyeCommand debye_command_measure = {
    .name = "measure",
    .operands = "FILE...",
    .summary = "Measures distances, angles and dihedrals over time",
    .description = "Two atoms give their distance in Å, three the angle at the second, four the dihedral "
                   "about the middle pair: −180° to 180°, 0 for cis (IUPAC). In a periodic cell each atom is "
                   "taken at its image nearest to the atom before it.\n\n"
                   "Writes .h5 (everything, with how it was made: see rerun) and .csv, and plots as .svg, "
                   ".pdf and .png.",
    .examples = measure_examples,
    .table = &debye_measure_settings,
    .can_share = TRUE,
    .plot = &debye_plot_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .run = run_measure,
};

static const char *const msd_examples[] = {
    "debye-cli msd --select 'name OW' --fit 10:100 -o water.csv water.gro run.xtc",
    "debye-cli msd --select water --centres molecules --viscosity 0.89 --temperature 298 -o water.h5 -o "
    "water.svg water.tpr run.xtc",
    "debye-cli msd --select 'resname LIG' --plot alpha2 -o alpha2.pdf system.psf run.dcd",
    NULL,
};

const DebyeCommand debye_command_msd = {
    .name = "msd",
    .operands = "FILE...",
    .summary = "Computes mean square displacements and diffusion coefficients",
    .description = "MSD(τ) = ⟨|r(t + τ) − r(t)|²⟩ and α₂(τ) = 3⟨d⁴⟩/(5⟨d²⟩²) − 1, averaged over all origins "
                   "t and all centres by Fourier transforms. Atoms are followed across the faces of each "
                   "frame's own cell. D is a sixth of the slope of a straight line; with a viscosity also D∞ "
                   "= D + 2.837297·kT/(6πηL), for the size L of a cubic cell.\n\nTrajectories whose clock "
                   "restarts are joined one after the other.\n\nWrites .h5 (everything, with how it was "
                   "made: see rerun) and .csv (tau, msd, msd_error, alpha2; D and its error in the header; "
                   "with --plot that quantity alone), and plots as .svg, .pdf and .png.",
    .examples = msd_examples,
    .table = &debye_msd_settings,
    .can_share = TRUE,
    .plot = &debye_msd_plot_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .run = run_msd,
};
