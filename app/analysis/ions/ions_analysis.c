/* SPDX-License-Identifier: MIT */
/* The placement of ions as an analysis, listed in analysis_list.c: its table and what can be said before it
 * runs. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/medium.h"
#include "ions_plan.h"
#include "ions_run.h"
#include "ions_settings.h"
#include "app/analysis/map/map_estimate.h"

static char *
remark(DebyeRequest *request)
{
  DebyeIonsSettings settings;
  debye_request_fill(request, &settings);
  return debye_medium_describe(settings.map.permittivity);
}

static gboolean
plan_ions(gpointer own, DebyePlan *plan, GError **error)
{
  const DebyeIonsPlan *ions = own;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const gboolean is_planned = debye_ions_plan_init(own, plan->dataset, plan->request, &plan->key, error);
  const double spacing = ions->map.settings.spacing;
  if (spacing > 0.0 && !debye_request_is_set(plan->request, "spacing"))
    debye_request_set(plan->request, "spacing", g_ascii_formatd(number, sizeof number, "%g", spacing), NULL);
  return is_planned;
}

static void
clear(gpointer own)
{
  debye_ions_plan_clear(own);
}

/* Of the map before the first ion: each further ion is one more charge on it. */
static gboolean
estimate(gpointer own, const DebyePlan *of G_GNUC_UNUSED, const DebyeRegistry *registry,
         DebyeEstimate *result, GError **error)
{
  const DebyeIonsPlan *plan = own;
  return debye_map_estimate(&plan->map, &plan->settings.map.lanes, registry, result, error);
}

static DebyeResult *
run(gpointer own, const DebyeRunInput *input, GError **error)
{
  return debye_ions_run(own, input, error);
}

const DebyeAnalysis debye_analysis_ions = {
    .table = &debye_ions_settings,
    .about_solute = TRUE,
    .remark = remark,
    .plan_size = sizeof(DebyeIonsPlan),
    .plan = plan_ions,
    .plan_clear = clear,
    .estimate = estimate,
    .run = run,
};
