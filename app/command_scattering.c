/* SPDX-License-Identifier: MIT */
/* debye-cli scattering: what neutrons and X-rays see, into files. */
#include "analysis/scattering_settings.h"
#include "cli_work.h"
#include "command.h"
#include "installation.h"
#include "interrupt.h"
#include "plot_output.h"
#include "ranks.h"
#include "result_report.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_request_get_boolean(debye_arguments_get_common(arguments), "json");
  if (*outputs == NULL && !wants_json) {
    g_set_error_literal(error, DEBYE_USAGE_ERROR, 0,
                        "scattering: expected --output FILE (.h5, .csv, .svg, .pdf or .png), found none");
    return FALSE;
  }
  if (!debye_cli_check_outputs(outputs, debye_curve_endings, error))
    return FALSE;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  g_autoptr(DebyeRegistry) registry = debye_registry_new(debye_installation_get_backend_dir());
  g_autoptr(DebyeResult) result = debye_cli_analyse(arguments, &debye_analysis_scattering, dataset,
                                                    debye_arguments_get_request(arguments), registry, error);
  if (result == NULL)
    return FALSE;
  if (debye_ranks_get().rank > 0)
    return TRUE;
  if (!debye_cli_save(arguments, result, outputs, error))
    return FALSE;
  if (wants_json)
    debye_result_report_json(result, outputs, debye_dataset_get_warnings(dataset));
  else
    debye_result_report_say(arguments, result);
  return !debye_result_is_partial(result) || !debye_interrupt_came();
}

static const char *const examples[] = {
    "debye-cli scattering -o water.csv water.gro run.xtc",
    "debye-cli scattering --probe xray --q 0.05:3:0.01 --orientation exact --select protein -o saxs.svg "
    "protein.pdb",
    "debye-cli scattering --kind total --exchange 'water=0.6' --partials -o contrast.h5 system.psf run.dcd",
    "debye-cli scattering --q-vectors q.txt --normalise raw -o rows.csv system.gro run.xtc",
    "debye-cli scattering --kind incoherent --spectrum --resolution gaussian:0.1 --q 0.4:2:0.4 -o s.h5 "
    "water.gro run.xtc",
    "mpirun -n 64 debye-cli scattering --q 0.1:5:0.1 --continue i.h5 -o i.h5 water.gro run.xtc",
    NULL,
};

const DebyeCommand debye_command_scattering = {
    .name = "scattering",
    .operands = "FILE...",
    .summary = "Computes what neutrons and X-rays see: I(q), partials, contrast",
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
    .most_operands = G_MAXUINT,
    .run = run,
};
