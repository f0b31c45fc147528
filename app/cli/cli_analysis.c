/* SPDX-License-Identifier: MIT */
/* Runs the command of an analysis: open, compute, save, report; called by command_map.c, _rdf.c and the
 * like. */
#include "cli_analysis.h"

#include "cli_work.h"
#include "app/installation/installation.h"
#include "interrupt.h"
#include "process_ranks.h"
#include "result_report.h"
#include "kernels/cpu/backend_cpu.h"

static gboolean
check_outputs(const char *const *outputs, gboolean wants_json, const DebyeAnalysis *analysis,
              const char *const *endings, const char *listed, GError **error)
{
  if (*outputs != NULL || wants_json)
    return debye_cli_check_outputs(outputs, endings, error);
  g_set_error(error, DEBYE_USAGE_ERROR, 0, "%s: expected --output FILE (%s), found none", analysis->table->id,
              listed);
  return FALSE;
}

gboolean
debye_cli_run_analysis(DebyeArguments *arguments, const DebyeAnalysis *analysis, const char *const *endings,
                       const char *listed, GError **error)
{
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  gboolean wants_json = debye_arguments_get_options(arguments).json;
  if (!check_outputs(outputs, wants_json, analysis, endings, listed, error))
    return FALSE;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  g_autoptr(DebyeRegistry) registry =
      debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  const DebyeRanks ranks = debye_process_ranks_get();
  debye_registry_share(registry, ranks.node_rank, ranks.n_on_node);
  g_autoptr(DebyeResult) result = debye_cli_analyse(arguments, analysis, dataset,
                                                    debye_arguments_get_request(arguments), registry, error);
  if (result == NULL)
    return FALSE;
  if (ranks.rank > 0)
    return TRUE;
  if (!debye_cli_save(arguments, result, outputs, error))
    return FALSE;
  if (wants_json)
    debye_result_report_json(result, outputs, debye_dataset_get_warnings(dataset));
  else
    debye_result_report_say(arguments, result);
  return !debye_result_is_partial(result) || !debye_interrupt_came();
}
