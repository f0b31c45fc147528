/* SPDX-License-Identifier: MIT */
/* debye-cli rdf: writes pair distributions and structure factors; listed by command_list.c. */
#include "app/analysis/pairs/rdf_settings.h"
#include "cli_analysis.h"
#include "arguments.h"
#include "plot_output.h"
#include "result_report.h"
#include "app/analysis/analysis_list.h"

/* What is plotted over q has to be computed: said before it is not. */
static gboolean
check_plot(DebyeArguments *arguments, GError **error)
{
  static const char *const over_q[] = {"structure_factor", "neutron_f", "xray_f", "reduced_distribution",
                                       NULL};
  const char *wanted = debye_request_get(debye_arguments_get_plot(arguments), "plot");
  if (wanted == NULL || !g_strv_contains(over_q, wanted) ||
      debye_request_is_set(debye_arguments_get_request(arguments), "structure-factor"))
    return TRUE;
  g_set_error(error, DEBYE_USAGE_ERROR, 0, "rdf: --plot %s: expected --structure-factor with it, found none",
              wanted);
  return FALSE;
}

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  return check_plot(arguments, error) &&
         debye_cli_run_analysis(arguments, &debye_analysis_rdf, debye_curve_endings,
                                ".h5, .csv, .svg, .pdf, .png or .tiff", error);
}

static const char *const examples[] = {
    "debye-cli rdf --pair 'name OW' 'name OW' --max 12 -o oo.csv water.gro run.xtc",
    "debye-cli rdf --partials --exclude molecule --structure-factor 0.2:20:0.05 --window lorch -o water.h5 "
    "water.psf run.dcd",
    "debye-cli rdf --pair 'name OW' 'name OW' --plot coordination --size 120x80mm -o n.svg water.gro "
    "run.xtc",
    "debye-cli rdf --pair 'resname LIG' 'water and element O' --frames 100:-1:5 --json system.pdb run.xtc",
    NULL,
};

const DebyeCommand debye_command_rdf = {
    .name = "rdf",
    .operands = "FILE...",
    .summary = "Computes g(r), coordination numbers and structure factors",
    .description =
        "g(r) = n(r)·V/(P·4πr²Δr), averaged over frames, each with its own volume: n exact counts of pairs "
        "in bins [k·Δr, (k + 1)·Δr) with the bins' exact volumes, P the number of pairs. Any cell, also "
        "beyond half of it, where every image in range counts. Without a cell: counts and P(r).\n\nWrites "
        ".h5 (everything, with how it was made: see rerun) and .csv (r_low, r_high, count, g, g_error, "
        "coordination; with several pairs each name begins with that of the pair; with --plot that quantity "
        "alone), and plots as .svg, .pdf and .png.",
    .examples = examples,
    .table = &debye_rdf_settings,
    .plot = &debye_rdf_plot_settings,
    .least_operands = 1,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run = run,
};
