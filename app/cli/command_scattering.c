/* SPDX-License-Identifier: MIT */
/* debye-cli scattering: writes what neutrons and X-rays see; listed by command_list.c. */
#include "app/analysis/scattering/system/scattering_settings.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "plot_output.h"
#include "result_report.h"
#include "app/analysis/analysis_list.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return debye_cli_run_analysis(arguments, &debye_analysis_scattering, debye_curve_endings,
                                ".h5, .csv, .svg, .pdf, .png or .tiff", error);
}

static const char *const examples[] = {
    "debye-cli scattering -o water.csv water.gro run.xtc",
    "debye-cli scattering --probe xray --q 0.05:3:0.01 --orientation exact --select protein -o saxs.svg "
    "protein.pdb",
    "debye-cli scattering --kind total --exchange 'water=0.6' --partials -o contrast.h5 system.psf run.dcd",
    "debye-cli scattering --q-vectors q.txt --normalise raw -o rows.csv system.gro run.xtc",
    "debye-cli scattering --kind incoherent --spectrum --resolution gaussian:0.1 --q 0.4:2:0.4 -o s.h5 "
    "water.gro run.xtc",
    "debye-cli scattering --hkl 4,0,0 --hkl 2,2,0 --dynamic -o reflections.csv crystal.gro run.xtc",
    "mpirun -n 64 debye-cli scattering --q 0.1:5:0.1 --continue i.h5 -o i.h5 water.gro run.xtc",
    NULL,
};

const DebyeCommand debye_command_scattering = {
    .name = "scattering",
    .operands = "FILE...",
    .summary = "Computes neutron and X-ray scattering: I(q), F(q, τ), contrast",
    .description =
        "I(q) = ⟨|Σ bₙ exp(iq·rₙ)|²⟩ over frames and orientations, and its incoherent part Σ σ_inc/4π. "
        "In a cell the vectors are those of its reciprocal lattice; without one the average over "
        "orientations is exact (the Debye formula).\n\n"
        "Writes .h5 (everything, with how it was made: see rerun) and .csv (q, intensity, "
        "intensity_error, then partials), and plots as .svg, .pdf and .png.",
    .examples = examples,
    .table = &debye_scattering_settings,
    .plot = &debye_plot_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run,
};
