/* SPDX-License-Identifier: MIT */
/* The commands of analyses, made from what each says of itself, and what a few check besides; listed by
 * command_list.c. */
#include "command_analyses.h"

#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/density/density_settings.h"
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/side_files.h"
#include "app/analysis/map/map_given.h"
#include "app/analysis/map/map_settings.h"
#include "app/analysis/map/map_solvent.h"
#include "app/analysis/pairs/rdf_settings.h"
#include "app/installation/devices.h"
#include "arguments.h"
#include "cli_work.h"
#include "command.h"
#include "interrupt.h"
#include "plot_output.h"
#include "process_ranks.h"
#include "result_report.h"

/* --- Maps: what settings need, and the files that are written beside the map --- */

static gboolean
is_same_path(const char *one, const char *other)
{
  g_autofree char *a = g_canonicalize_filename(one, NULL), *b = g_canonicalize_filename(other, NULL);
  return strcmp(a, b) == 0;
}

/* A file that is written beside the map must be none of the others. */
static gboolean
check_side_file(DebyeArguments *arguments, const char *key, const char *path, const char *others,
                GError **error)
{
  g_auto(GStrv) read = debye_setting_split_values(others != NULL ? others : "");
  const char *const *const lists[] = {debye_arguments_get_list(arguments, "output"),
                                      debye_arguments_get_files(arguments), (const char *const *)read};
  for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
    for (const char *const *other = lists[i]; *other != NULL; other++)
      if (is_same_path(path, *other))
        return debye_usage_refuse(
            error, "map: --%s: expected another file than those that are read and written, found “%s”", key,
            path);
  return TRUE;
}

static gboolean
check_side_files(DebyeArguments *arguments, const DebyeMapSettings *settings, GError **error)
{
  static const char *const maps[] = {"dielectric-map", "ion-map", "charge-map"};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const char *table = settings->residues, *name = settings->write_maps;
  g_autoptr(GString) others = g_string_new(NULL);
  g_auto(GStrv) written = name != NULL && *name != '\0' ? debye_map_written_list(name) : NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(maps); i++)
    if (debye_request_get(request, maps[i]) != NULL)
      g_string_append_printf(others, "%s\n", debye_request_get(request, maps[i]));
  for (char **path = written; path != NULL && *path != NULL; path++)
    if (!check_side_file(arguments, "write-maps", *path, others->str, error))
      return FALSE;
  return table == NULL || *table == '\0' || check_side_file(arguments, "residues", table, others->str, error);
}

/* What would change nothing without the Poisson-Boltzmann equation, and looks as if it did. */
static gboolean
check_needs(DebyeArguments *arguments, const DebyeMapSettings *settings, GError **error)
{
  static const char *const keys[] = {"energies",   "grid-error", "nonpolar", "boundary",       "as-apbs",
                                     "reaction",   "binding",    "residues", "dielectric-map", "ion-map",
                                     "charge-map", "write-maps", "membrane", "voltage"};
  DebyeRequest *request = debye_arguments_get_request(arguments);
  if (debye_map_is_poisson(settings))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (debye_request_is_set(request, keys[i]))
      return debye_usage_refuse(error, "map: --%s needs --method pb", keys[i]);
  return TRUE;
}

/* Settings that would change nothing, and files written over others. */
static gboolean
check_map(DebyeArguments *arguments, GError **error)
{
  DebyeMapSettings settings;
  debye_request_fill(debye_arguments_get_request(arguments), &settings);
  return check_needs(arguments, &settings, error) && check_side_files(arguments, &settings, error);
}

/* --- Open, compute, save, report --- */

static gboolean
check_outputs(const char *const *outputs, gboolean wants_json, const DebyeAnalysis *analysis,
              const char *const *endings, const char *listed, GError **error)
{
  if (*outputs != NULL || wants_json)
    return debye_cli_check_outputs(outputs, endings, error);
  return debye_usage_refuse(error, "%s: expected --output FILE (%s), found none", analysis->table->id,
                            listed);
}

static void
report(DebyeArguments *arguments, DebyeResult *result, DebyeDataset *dataset)
{
  const char *const *beside = debye_side_files_get(result);
  if (!debye_arguments_get_options(arguments).json) {
    for (; *beside != NULL; beside++)
      debye_cli_say(arguments, "written: %s", *beside);
    debye_result_report_say(arguments, result);
    return;
  }
  g_autoptr(GPtrArray) all = g_ptr_array_new();
  for (const char *const *output = debye_arguments_get_list(arguments, "output"); *output != NULL; output++)
    g_ptr_array_add(all, (gpointer)*output);
  for (; *beside != NULL; beside++)
    g_ptr_array_add(all, (gpointer)*beside);
  g_ptr_array_add(all, NULL);
  debye_result_report_json(result, (const char *const *)all->pdata, debye_dataset_get_warnings(dataset));
}

/* Without an output there must be --json: `listed` says which endings there are. Under MPI the first rank alone writes and
 * reports. FALSE and no error: Ctrl-C left a partial result, which is written. */
static gboolean
run_analysis(DebyeArguments *arguments, const DebyeAnalysis *analysis, const char *const *endings,
             const char *listed, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_arguments_get_options(arguments).json;
  if (!check_outputs(outputs, wants_json, analysis, endings, listed, error))
    return FALSE;
  DebyeRequest *request = debye_arguments_get_request(arguments);
  const DebyeRanks ranks = debye_process_ranks_get();
  g_autoptr(DebyeDevices) devices =
      debye_devices_begin(debye_cli_get_device(request), ranks.node_rank, ranks.n_on_node);
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  debye_stages_enter(debye_arguments_get_stages(arguments), DEBYE_STAGE_DEVICES);
  const DebyeRegistry *registry = debye_devices_wait(devices);
  g_autoptr(DebyeResult) result = debye_cli_analyse(arguments, analysis, dataset, request, registry, error);
  if (result == NULL)
    return FALSE;
  if (ranks.rank > 0)
    return TRUE;
  debye_devices_rest(devices);
  if (!debye_cli_save(arguments, result, outputs, error))
    return FALSE;
  debye_stages_leave(debye_arguments_get_stages(arguments));
  debye_result_set_stages(result, debye_arguments_get_stages(arguments));
  report(arguments, result, dataset);
  if (debye_side_files_get_error(result) != NULL) {
    g_propagate_error(error, g_error_copy(debye_side_files_get_error(result)));
    return FALSE;
  }
  return !debye_result_is_partial(result) || !debye_interrupt_came();
}

/* --- The commands --- */

static gboolean
run_maps(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  return run_analysis(arguments, analysis, debye_map_endings, ".h5, .dx, .cube, .ccp4 or .csv", error);
}

static gboolean
run_curves(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  return run_analysis(arguments, analysis, debye_curve_endings, ".h5, .csv, .svg, .pdf, .png or .tiff",
                      error);
}

static gboolean
run_map(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  return check_map(arguments, error) && run_maps(arguments, analysis, error);
}

/* Profiles are curves. */
static gboolean
run_density(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  DebyeDensityOptions options;
  debye_request_fill(debye_arguments_get_request(arguments), &options);
  if (options.profile == DEBYE_PROFILE_NONE)
    return run_maps(arguments, analysis, error);
  return run_analysis(arguments, analysis, debye_curve_endings, ".h5, .csv, .svg, .pdf or .png", error);
}

static gboolean
run_ions(DebyeArguments *arguments, const DebyeAnalysis *analysis, GError **error)
{
  static const char *const endings[] = {".pdb",  ".pqr", ".csv",  ".h5",  ".hdf5", ".nxs", ".dx",
                                        ".cube", ".cub", ".ccp4", ".mrc", ".map",  NULL};
  return run_analysis(arguments, analysis, endings, ".pdb, .pqr, .csv or .h5", error);
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
