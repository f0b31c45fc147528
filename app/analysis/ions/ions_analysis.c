/* SPDX-License-Identifier: MIT */
/* The placement of ions as an analysis, listed in analysis_list.c: its table and what can be said before it
 * runs. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/medium.h"
#include "ions_plan.h"
#include "ions_run.h"
#include "ions_settings.h"
#include "kernels/potential/potential_map_lanes.h"

static void
suggest(DebyeDataset *dataset, DebyeRequest *request)
{
  g_autoptr(DebyeRequest) map_request = debye_ions_plan_new_map_request(request, NULL);
  if (map_request == NULL || debye_request_is_set(request, "spacing"))
    return;
  debye_map_plan_suggest(dataset, map_request);
  if (debye_request_is_set(map_request, "spacing"))
    debye_request_set(request, "spacing", debye_request_get(map_request, "spacing"), NULL);
}

static gboolean
check(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  g_auto(DebyeIonsPlan) plan = {0};
  return debye_ions_plan_init(&plan, dataset, request, key, error);
}

/* The map before the first ion: each further ion is one more charge on it. */
static gboolean
estimate(const DebyeRunInput *input, DebyeEstimate *result, GError **error)
{
  g_auto(DebyeIonsPlan) plan = {0};
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  *result = (DebyeEstimate){0};
  if (!debye_ions_plan_init(&plan, input->dataset, input->request, NULL, error))
    return FALSE;
  gsize n_devices = debye_device_find(input->registry, input->request, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  DebyePotentialMapLanesSettings settings = {.potential = plan.map.potential,
                                             .memory_limit = plan.map.memory_limit};
  double seconds = 0.0;
  guint64 host = 0, device = 0;
  debye_potential_map_lanes_estimate(&settings, devices, n_devices, &seconds, &host, &device);
  result->seconds = seconds;
  result->host_bytes = plan.map.host_bytes + host;
  result->device_bytes = device;
  result->devices = debye_device_choice_name(devices, n_devices);
  return TRUE;
}

const DebyeAnalysis debye_analysis_ions = {
    .table = &debye_ions_settings,
    .about_solute = TRUE,
    .remark = debye_medium_describe,
    .suggest = suggest,
    .check = check,
    .estimate = estimate,
    .run = debye_ions_run,
};
