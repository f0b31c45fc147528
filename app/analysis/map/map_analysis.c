/* SPDX-License-Identifier: MIT */
/* The electrostatic map as an analysis, listed in analysis_list.c: its table and what can be said before it
 * runs. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/medium.h"
#include "kernels/potential/potential_map_lanes.h"
#include "map_plan.h"
#include "map_run.h"
#include "map_settings.h"

static gboolean
check(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  g_auto(DebyeMapPlan) plan = {0};
  return debye_map_plan_init(&plan, dataset, request, key, error);
}

static gboolean
estimate(const DebyeRunInput *input, DebyeEstimate *result, GError **error)
{
  g_auto(DebyeMapPlan) plan = {0};
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  *result = (DebyeEstimate){0};
  if (!debye_map_plan_init(&plan, input->dataset, input->request, NULL, error))
    return FALSE;
  gsize n_devices = debye_device_find(input->registry, input->request, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  DebyePotentialMapLanesSettings settings = {
      .potential = plan.potential,
      .memory_limit = plan.memory_limit,
  };
  double seconds = 0.0;
  guint64 host = 0, device = 0;
  debye_potential_map_lanes_estimate(&settings, devices, n_devices, &seconds, &host, &device);
  result->seconds = seconds * (double)plan.frames.n_frames;
  result->host_bytes = plan.host_bytes + host;
  result->device_bytes = device;
  result->devices = debye_device_choice_name(devices, n_devices);
  return TRUE;
}

const DebyeAnalysis debye_analysis_map = {
    .table = &debye_map_settings,
    .about_solute = TRUE,
    .remark = debye_medium_describe,
    .suggest = debye_map_plan_suggest,
    .check = check,
    .estimate = estimate,
    .run = debye_map_run,
};
