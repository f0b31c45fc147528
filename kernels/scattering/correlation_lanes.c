/* SPDX-License-Identifier: MIT */
/* Processes many series on all devices at once, one series per item of the lanes; called by
 * scattering_correlation.c. */
#include "correlation_lanes.h"

#include <stdlib.h>

#include "kernels/lane_plan.h"

/* Of a plan, by the series that it takes at once: enough to keep a device busy, few enough for its memory. */
#define PLAN_BYTES ((size_t)256 << 20)
/* What a frame of a series takes there, padded, with what it becomes and a transform's own room. */
#define FRAME_BYTES (16 * sizeof(double))
/* What a frame's share of its series' transforms costs in the pairs that devices' scores are given in. */
#define FRAME_COST 100.0

typedef struct {
  DebyeCorrelationSettings settings;
  uint64_t memory_limit;
  const double *a, *b;
  double *out;
} Correlations;

/* A lane's own. */
typedef struct {
  const DebyeCorrelationKernel *kernel;
  DebyeCorrelationPlan *plan;
  size_t max_series; /* series of an execution */
} LanePlan;

/* As many series at once as the limit on memory allows. */
static DebyeStatusCode
fit_memory(const DebyeDeviceEntry *device, uint64_t limit, DebyeCorrelationSettings *settings,
           DebyeStatus *status)
{
  const DebyeCorrelationKernel *kernel = device->backend->correlation;
  uint64_t bytes = kernel->bytes_needed(device->device, settings);
  while (limit > 0 && bytes > limit && settings->max_series > 1) {
    settings->max_series = (settings->max_series + 1) / 2;
    bytes = kernel->bytes_needed(device->device, settings);
  }
  return debye_lane_check_memory(bytes, limit, status);
}

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  if (lane->plan != NULL)
    lane->kernel->destroy(lane->plan);
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  const Correlations *correlations = context;
  DebyeCorrelationSettings settings = correlations->settings;
  LanePlan *lane = lane_state;
  const DebyeCorrelationKernel *kernel = lane->kernel = device->backend->correlation;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "correlate series", status);
  if (code == DEBYE_STATUS_OK)
    code = fit_memory(device, correlations->memory_limit, &settings, status);
  lane->max_series = settings.max_series;
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, &settings, &lane->plan, status) : code;
}

static DebyeStatusCode
work_series(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  const Correlations *correlations = context;
  LanePlan *lane = lane_state;
  const size_t max_series = lane->max_series;
  for (size_t done = 0; done < count; done += max_series) {
    const size_t place = 2 * correlations->settings.n_frames * (first + done);
    const size_t n = count - done < max_series ? count - done : max_series;
    const double *b = correlations->b != NULL ? correlations->b + place : NULL;
    DebyeStatusCode code = lane->kernel->execute(lane->plan, correlations->a + place, b, n,
                                                 correlations->out + place, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  return debye_status_ok(status);
}

static void
plan_lanes(Correlations *correlations, const DebyeDeviceEntry *const *devices, size_t n_devices,
           size_t n_series)
{
  const size_t fits = PLAN_BYTES / (FRAME_BYTES * correlations->settings.n_frames);
  correlations->settings.max_series = fits < 1 ? 1 : fits < n_series ? fits : n_series;
  correlations->settings.spare_cores = debye_lane_count_accelerators(devices, n_devices);
}

DebyeStatusCode
debye_correlation_lanes_execute(const DebyeCorrelationLanesSettings *settings,
                                const DebyeDeviceEntry *const *devices, size_t n_devices, const double *a,
                                const double *b, size_t n_series, double *out, const volatile bool *cancel,
                                DebyeStatus *status)
{
  Correlations correlations = {settings->correlation, settings->memory_limit, a, b, out};
  if (n_series == 0)
    return debye_status_ok(status);
  correlations.settings.max_series = n_series;
  /* Here, so that a series has its number of all and not in a lane's run. */
  DebyeStatusCode code = debye_correlation_settings_check(&correlations.settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_correlation_series_check(&correlations.settings, a, b, n_series, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan_lanes(&correlations, devices, n_devices, n_series);
  const DebyeLaneWork work = {.context = &correlations,
                              .state_bytes = sizeof(LanePlan),
                              .open = open_lane,
                              .work = work_series,
                              .close = close_lane};
  DebyeLanes *lanes;
  code = debye_lanes_start(devices, n_devices, &work, &lanes, status);
  if (code == DEBYE_STATUS_OK) {
    const double frames = (double)settings->correlation.n_frames;
    const double cost = settings->correlation.direct ? frames * frames : FRAME_COST * frames;
    code = debye_lanes_run(lanes, n_series, cost, cancel, status);
  }
  debye_lanes_free(lanes);
  return code;
}
