/* SPDX-License-Identifier: MIT */
/* Runs the command of an analysis: open, compute, save, report; called by command_analyses.c. */
#include "cli_analysis.h"

#include "cli_work.h"
#include "app/analysis/driver/side_files.h"
#include "app/installation/devices.h"
#include "interrupt.h"
#include "process_ranks.h"
#include "result_report.h"

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

gboolean
debye_cli_run_analysis(DebyeArguments *arguments, const DebyeAnalysis *analysis, const char *const *endings,
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
