/* SPDX-License-Identifier: MIT */
/* debye-cli msd: writes mean square displacements and diffusion coefficients; listed by command_list.c. */
#include "app/analysis/msd/msd_settings.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "plot_output.h"
#include "result_report.h"
#include "app/analysis/analysis_list.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_msd, debye_curve_endings,
                                ".h5, .csv, .svg, .pdf, .png or .tiff", error);
}

static const char *const examples[] = {
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
    .description =
        "MSD(τ) = ⟨|r(t + τ) − r(t)|²⟩ and α₂(τ) = 3⟨d⁴⟩/(5⟨d²⟩²) − 1, averaged over all origins t and all "
        "centres by Fourier transforms. Atoms are followed across the faces of each frame's own cell. D is a "
        "sixth of the slope of a straight line; with a viscosity also D∞ = D + 2.837297·kT/(6πηL), for the "
        "size L of a cubic cell.\n\n"
        "Trajectories whose clock begins anew are taken one after the other.\n\n"
        "Writes .h5 (everything, with how it was made: see rerun) and .csv (tau, msd, msd_error, alpha2; D "
        "and "
        "its error in the header; with --plot that quantity alone), and plots as .svg, .pdf and .png.",
    .examples = examples,
    .table = &debye_msd_settings,
    .plot = &debye_msd_plot_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .run = run,
};
