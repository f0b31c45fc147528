/* SPDX-License-Identifier: MIT */
/* The commands of analyses, made from what each says of itself, and what a few check besides; listed by
 * command_list.c. */
#include "command_analyses.h"

#include "app/analysis/analysis_list.h"
#include "app/analysis/density/density_settings.h"
#include "app/analysis/pairs/rdf_settings.h"
#include "arguments.h"
#include "cli_analysis.h"
#include "command_map.h"
#include "plot_output.h"
#include "result_report.h"

static gboolean
run_maps(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  return debye_cli_run_analysis(arguments, analysis, debye_map_endings, ".h5, .dx, .cube, .ccp4 or .csv",
                                error);
}

static gboolean
run_curves(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  return debye_cli_run_analysis(arguments, analysis, debye_curve_endings,
                                ".h5, .csv, .svg, .pdf, .png or .tiff", error);
}

static gboolean
run_map(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  return debye_command_map_check(arguments, error) && run_maps(arguments, analysis, error);
}

/* Profiles are curves. */
static gboolean
run_density(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  DebyeDensityOptions options;
  debye_request_fill(debye_arguments_get_request(arguments), &options);
  if (options.profile == DEBYE_PROFILE_NONE)
    return run_maps(arguments, analysis, error);
  return debye_cli_run_analysis(arguments, analysis, debye_curve_endings, ".h5, .csv, .svg, .pdf or .png",
                                error);
}

static gboolean
run_ions(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  static const char *const endings[] = {".pdb",  ".pqr", ".csv",  ".h5",  ".hdf5", ".nxs", ".dx",
                                        ".cube", ".cub", ".ccp4", ".mrc", ".map",  NULL};
  return debye_cli_run_analysis(arguments, analysis, endings, ".pdb, .pqr, .csv or .h5", error);
}

/* What is plotted over q has to be computed: said before it is not. */
static gboolean
run_rdf(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  static const char *const over_q[] = {"structure_factor", "neutron_f", "xray_f", "reduced_distribution",
                                       NULL};
  const char *wanted = debye_request_get(debye_arguments_get_plot(arguments), "plot");
  DebyeRdfSettings settings;
  debye_request_fill(debye_arguments_get_request(arguments), &settings);
  if (wanted == NULL || !g_strv_contains(over_q, wanted) || settings.structure_factor != NULL)
    return run_curves(arguments, analysis, error);
  return debye_usage_refuse(error, "rdf: --plot %s: expected --structure-factor with it, found none", wanted);
}

/* What differs from the others: what is checked or written, and plots where its curves measure several things. */
static const struct {
  const DebyeAnalysis *analysis;
  gboolean (*run)(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error);
  const DebyeSettingTable *plot;
} particular[] = {
    {&debye_analysis_map, run_map, NULL},
    {&debye_analysis_density, run_density, &debye_plot_settings},
    {&debye_analysis_ions, run_ions, NULL},
    {&debye_analysis_rdf, run_rdf, &debye_rdf_plot_settings},
    {&debye_analysis_msd, run_curves, &debye_msd_plot_settings},
};

static gboolean
run(DebyeArguments *arguments, GError **error)
{
  const DebyeAnalysis *analysis = debye_analysis_find(debye_arguments_get_command(arguments)->name);
  for (gsize i = 0; i < G_N_ELEMENTS(particular); i++)
    if (particular[i].analysis == analysis)
      return particular[i].run(arguments, analysis, error);
  return analysis->command->makes_curves ? run_curves(arguments, analysis, error)
                                         : run_maps(arguments, analysis, error);
}

static const DebyeSettingTable *
find_plot(const DebyeAnalysis *analysis)
{
  for (gsize i = 0; i < G_N_ELEMENTS(particular); i++)
    if (particular[i].analysis == analysis)
      return particular[i].plot;
  return analysis->command->makes_curves ? &debye_plot_settings : NULL;
}

void
debye_command_add_analyses(GPtrArray *commands)
{
  for (const DebyeAnalysis *const *analysis = debye_analysis_list(); *analysis != NULL; analysis++) {
    const DebyeAnalysisCommand *words = (*analysis)->command;
    DebyeCommand *command = g_new(DebyeCommand, 1);
    *command = (DebyeCommand){
        .name = (*analysis)->table->id,
        .operands = words->operands != NULL ? words->operands : "FILE...",
        .summary = words->summary,
        .description = words->description,
        .examples = words->examples,
        .table = (*analysis)->table,
        .plot = find_plot(*analysis),
        .least_operands = 1,
        .max_operands = G_MAXUINT,
        .can_share = words->can_share,
        .run = run,
    };
    g_ptr_array_add(commands, command);
  }
}
