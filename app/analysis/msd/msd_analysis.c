/* SPDX-License-Identifier: MIT */
/* Mean square displacements as an analysis, listed in analysis_list.c: their checks and estimate. */
#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"
#include "kernels/cpu/scattering/displacement_moments.h"
#include "msd_plan.h"
#include "msd_run.h"
#include "msd_settings.h"

/* Seconds of one core for a place of a centre, and for an atom of a frame that is read: of a compressed
 * trajectory, tests/bench/RESULTS.md. */
#define PLACE_SECONDS 1.2e-7
#define READ_SECONDS 2e-8

static void
suggest(DebyeDataset *dataset G_GNUC_UNUSED, DebyeRequest *request G_GNUC_UNUSED)
{
}

/* There is no kernel of it for other devices. */
static gboolean
has_processor(const DebyeRegistry *registry, DebyeRequest *request, guint *n_cores, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  const gsize n = debye_device_find(registry, request, &processor, devices, error);
  for (gsize i = 0; i < n; i++)
    if (debye_device_is_cpu(devices[i])) {
      *n_cores = devices[i]->info.units;
      return TRUE;
    }
  if (n > 0)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_DEVICE,
                "Devices: the processor alone computes mean square displacements: expected auto or cpu, "
                "found “%s”",
                debye_request_get(request, "device"));
  return FALSE;
}

static gboolean
check(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error)
{
  g_auto(DebyeMsdPlan) plan = {0};
  return debye_msd_plan_init(&plan, dataset, request, key, error);
}

static gboolean
estimate(const DebyeRunInput *input, DebyeEstimate *result, GError **error)
{
  g_auto(DebyeMsdPlan) plan = {0};
  guint n_cores = 1;
  *result = (DebyeEstimate){0};
  if (!debye_msd_plan_init(&plan, input->dataset, input->request, NULL, error) ||
      !has_processor(input->registry, input->request, &n_cores, error))
    return FALSE;
  const gsize n_frames = plan.frames.n_frames, of_pass = debye_msd_plan_pass_centres(&plan);
  const gsize n_passes = (plan.n_centres + of_pass - 1) / of_pass;
  result->seconds = PLACE_SECONDS * (double)n_frames * (double)plan.n_centres / n_cores +
                    READ_SECONDS * (double)n_passes * (double)n_frames * (double)plan.frames.first->n_atoms;
  result->host_bytes = of_pass * debye_msd_plan_centre_bytes(&plan) +
                       debye_displacement_moments_bytes(
                           n_frames, MAX((gsize)debye_request_get_integer(input->request, "blocks"), 1));
  result->devices = g_strdup_printf("%u core%s", n_cores, n_cores == 1 ? "" : "s");
  return TRUE;
}

static DebyeResult *
run(const DebyeRunInput *input, GError **error)
{
  guint n_cores;
  return has_processor(input->registry, input->request, &n_cores, error) ? debye_msd_run(input, error) : NULL;
}

const DebyeAnalysis debye_analysis_msd = {
    .table = &debye_msd_settings,
    .suggest = suggest,
    .check = check,
    .estimate = estimate,
    .run = run,
};
