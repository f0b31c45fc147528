/* SPDX-License-Identifier: MIT */
/* Processes many series on all devices at once, one series per item; called by scattering_correlation.c. */
#include "correlation_lanes.h"

#include "kernels/sharing.h"

/* Of a plan, by the series that it takes at once: enough to keep a device busy, few enough for its memory. */
#define PLAN_BYTES ((size_t)256 << 20)
/* What a frame of a series takes there, padded, with what it becomes and a transform's own room. */
#define FRAME_BYTES (16 * sizeof(double))
/* What a frame's share of its series' transforms costs in the pairs that devices' scores are given in. */
#define FRAME_COST 100.0

typedef struct {
  DebyeSharing share;
  const double *series;
  double *out;
} Correlations;

static DebyeStatusCode
correlate(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
          DebyeStatus *status)
{
  const Correlations *all = (const Correlations *)share;
  const DebyeCorrelationSettings *settings = share->settings;
  const size_t place = 2 * settings->n_frames * run.first;
  return ((const DebyeCorrelationKernel *)lane->kernel)
      ->execute(lane->plan, all->series + place, NULL, run.count, all->out + place, cancel, status);
}

static const DebyeSharingFamily family = {
    .task = "correlate series",
    .kernel = offsetof(DebyeBackend, correlation),
    .size = sizeof(Correlations),
    .settings_size = sizeof(DebyeCorrelationSettings),
    .spare_cores = offsetof(DebyeCorrelationSettings, spare_cores),
    .chunk = offsetof(DebyeCorrelationSettings, max_series),
    .execute = correlate,
};

DebyeStatusCode
debye_correlation_lanes_execute(const DebyeCorrelationLanesSettings *settings,
                                const DebyeDeviceEntry *const *devices, size_t n_devices,
                                const double *series, size_t n_series, double *out,
                                const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCorrelationSettings correlation = settings->correlation;
  if (n_series == 0)
    return debye_status_ok(status);
  correlation.max_series = n_series;
  /* Here, so that a series has its number of all and not in a lane's run. */
  DebyeStatusCode code = debye_correlation_settings_check(&correlation, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_correlation_series_check(&correlation, series, NULL, n_series, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t fits = PLAN_BYTES / (FRAME_BYTES * correlation.n_frames);
  correlation.max_series = fits < 1 ? 1 : fits < n_series ? fits : n_series;
  DebyeSharing *share;
  Correlations *made = debye_sharing_new(&family, &correlation, settings->memory_limit, devices, n_devices);
  code = debye_sharing_start(made, made != NULL, &share, status);
  if (code == DEBYE_STATUS_OK) {
    const double frames = (double)correlation.n_frames;
    made->series = series;
    made->out = out;
    const DebyeSharingJob job = {.n_inputs = 1,
                                 .n_items = n_series,
                                 .item_cost = correlation.direct ? frames * frames : FRAME_COST * frames,
                                 .cancel = cancel};
    code = debye_sharing_run(share, &job, status);
  }
  debye_sharing_free(share);
  return code;
}
