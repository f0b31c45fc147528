/* SPDX-License-Identifier: MIT */
/* debye-cli fit: what small-angle curves say; listed by command_list.c. */
#include "app/analysis/fit/fit_run.h"
#include "app/analysis/fit/fit_settings.h"
#include "cli_progress.h"
#include "cli_work.h"
#include "command.h"
#include "plot_output.h"
#include "result_report.h"

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  if (!debye_cli_check_outputs(outputs, debye_curve_endings, error))
    return FALSE;
  g_autoptr(DebyeResult) result =
      debye_fit_run(debye_arguments_get_request(arguments), debye_arguments_get_files(arguments)[0], error);
  if (result == NULL || !debye_cli_warn_of_result(arguments, result, error) ||
      !debye_cli_save(arguments, result, outputs, error))
    return FALSE;
  if (debye_arguments_get_options(arguments).json)
    debye_result_report_json(result, outputs, NULL);
  else
    debye_result_report_say(arguments, result);
  return TRUE;
}

static const char *const examples[] = {
    "debye-cli fit --data lysozyme.dat --data-unit 1/nm --guinier --kratky -o lysozyme.h5",
    "debye-cli fit --data lysozyme.dat --guinier=0.01:0.05 -o guinier.svg",
    "debye-cli fit --data lysozyme.dat --pr --plot pr -o pr.pdf -o fits.csv",
    "debye-cli fit --data lysozyme.dat --q-range 0.02: --mask 0.11:0.13 -o comparison.svg scattering.h5",
    "debye-cli fit --power-law 0.01:0.1 --json aggregate.csv",
    NULL,
};

const DebyeCommand debye_command_fit = {
    .name = "fit",
    .operands = "[CURVE]",
    .summary = "Fits small-angle curves: radius, dimension, volume, distances",
    .description =
        "Reads a computed curve (CURVE: .h5 or .csv of debye-cli scattering), a measured one (--data), or "
        "both. If both are given, the computed curve is smeared with the resolution of the measured one and "
        "fitted to it with a scale and a background.\n\nEach requested fit is made for every curve: "
        "Guinier's law, a power law, Porod's law and the distance distribution P(r). If a file doesn't state "
        "the unit of q, --data-unit must. A resolution (a column of the file, or --data-resolution) is taken "
        "into account by smearing the law.\n\nWrites .csv (a row per fit; with --plot the numbers of that "
        "plot) and .h5 (everything, with how it was made: see rerun), and plots as .svg, .pdf and .png. "
        "Without an output the results are printed.",
    .examples = examples,
    .table = &debye_fit_table,
    .plot = &debye_fit_plot_settings,
    .least_operands = 0,
    .max_operands = 1,
    .run = run,
};
