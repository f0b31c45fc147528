/* SPDX-License-Identifier: MIT */
/* Scattering as an analysis: what can be said before it runs. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "scattering_cost.h"
#include "app/analysis/scattering/time/scattering_dynamic.h"
#include "app/analysis/scattering/intensity/scattering_job.h"
#include "app/analysis/scattering/system/scattering_plan.h"
#include "app/analysis/scattering/system/scattering_settings.h"

/* Seconds for an atom of a frame that is read: of a compressed trajectory, tests/bench/RESULTS.md. */
#define READ_SECONDS 2e-8

static void
suggest(DebyeDataset *dataset, DebyeRequest *request)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  if (debye_request_is_set(request, "q") || debye_request_is_set(request, "q-vectors") ||
      debye_request_is_set(request, "hkl") || trajectory == NULL ||
      debye_trajectory_get_n_frames(trajectory) == 0)
    return;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, NULL);
  if (frame == NULL || reader == NULL || !debye_trajectory_reader_read(reader, 0, frame, NULL))
    return;
  g_autofree char *q = debye_scattering_plan_suggest_q(frame);
  debye_request_set(request, "q", q, NULL);
}

static gboolean
check(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  g_auto(DebyeScatteringPlan) plan = {0};
  return debye_scattering_is_dynamic(request)
             ? debye_scattering_dynamic_check(dataset, request, key, error)
             : debye_scattering_plan_init(&plan, dataset, request, key, error);
}

static double
count_seconds(const DebyeScatteringPlan *plan, DebyeRequest *request, double speed)
{
  const double n_read = (double)debye_scattering_cost_passes(plan, request) * (double)plan->frames.n_frames *
                        (double)debye_topology_get_n_atoms(plan->topology);
  return debye_scattering_cost_pairs(plan, request) / speed + READ_SECONDS * n_read;
}

static gboolean
estimate(const DebyeRunInput *input, DebyeEstimate *result, GError **error)
{
  g_auto(DebyeScatteringPlan) plan = {0};
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  double speed = 0.0;
  *result = (DebyeEstimate){0};
  if (!debye_scattering_plan_init(&plan, input->dataset, input->request, NULL, error))
    return FALSE;
  gsize n_devices = debye_device_find(input->registry, input->request, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  for (gsize i = 0; i < n_devices; i++)
    speed += devices[i]->info.score;
  result->seconds = count_seconds(&plan, input->request, speed);
  result->host_bytes = debye_scattering_cost_bytes(&plan, input->request);
  result->devices = debye_device_choice_name(devices, n_devices);
  return TRUE;
}

static DebyeResult *
run(const DebyeRunInput *input, GError **error)
{
  return debye_scattering_is_dynamic(input->request) ? debye_scattering_dynamic_run(input, error)
                                                     : debye_scattering_job_run(input, error);
}

const DebyeAnalysis debye_analysis_scattering = {
    .table = &debye_scattering_settings,
    .suggest = suggest,
    .check = check,
    .estimate = estimate,
    .run = run,
};
