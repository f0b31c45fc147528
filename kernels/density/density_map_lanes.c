/* SPDX-License-Identifier: MIT */
/* Adds frames up in voxels on all devices at once. Inputs are runs of frames, as many as a plan holds: a lane adds one
 * into an array of its own, and that to the sums when it is complete; one that is all there is goes to the sums at once. */
#include "density_map_lanes.h"

#include <string.h>

#include "kernels/chunk_threads.h"

/* What a point costs against the Coulomb pair that devices' scores are given in: most of it is waiting for memory. */
#define POINT_COST 20.0

typedef struct {
  DebyeSharing share;
  /* The execution under way. */
  const DebyeDensityFrame *frames;
  size_t n_frames, n_runs;
  int64_t *sums;
  bool has_sums; /* guarded by the share's mutex */
} DensityShare;

static const DebyeDensityKernel *
kernel_of(const DebyeSharingLane *lane)
{
  return (const DebyeDensityKernel *)lane->kernel;
}

static DebyeStatusCode
set_run(const DebyeSharing *share, DebyeSharingLane *lane, size_t input, DebyeStatus *status)
{
  const DensityShare *density = (const DensityShare *)share;
  const size_t most = ((const DebyeDensitySettings *)share->settings)->max_frames, first = input * most;
  const size_t n = density->n_frames - first < most ? density->n_frames - first : most;
  return kernel_of(lane)->set_frames(lane->plan, density->frames + first, n, status);
}

static DebyeStatusCode
add_run(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
        DebyeStatus *status)
{
  (void)run;
  DensityShare *density = (DensityShare *)share;
  DebyeStatusCode code = kernel_of(lane)->execute(lane->plan, cancel, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel_of(lane)->fetch(lane->plan, density->n_runs == 1 ? density->sums : lane->values, status);
  if (code != DEBYE_STATUS_OK || density->n_runs == 1)
    return code;
  pthread_mutex_lock(&share->mutex);
  /* Two's complement: signs don't matter. */
  if (density->has_sums)
    debye_sharing_add_counts((uint64_t *)density->sums, lane->values, share->values_bytes / sizeof(uint64_t),
                             1);
  else
    debye_chunk_threads_copy(density->sums, lane->values, share->values_bytes);
  density->has_sums = true;
  pthread_mutex_unlock(&share->mutex);
  return code;
}

static const DebyeSharingFamily family = {
    .task = "count in voxels",
    .kernel = offsetof(DebyeBackend, density),
    .size = sizeof(DensityShare),
    .settings_size = sizeof(DebyeDensitySettings),
    .spare_cores = offsetof(DebyeDensitySettings, spare_cores),
    .set = set_run,
    .execute = add_run,
};

DebyeStatusCode
debye_density_lanes_create(const DebyeDensityLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                           size_t n_devices, DebyeSharing **share, DebyeStatus *status)
{
  *share = NULL;
  const DebyeStatusCode code = debye_density_settings_check(&settings->density, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DensityShare *made =
      debye_sharing_new(&family, &settings->density, settings->memory_limit, devices, n_devices);
  if (made != NULL)
    made->share.values_bytes = debye_density_n_sums(&settings->density) * sizeof(int64_t);
  return debye_sharing_start(made, made != NULL, share, status);
}

DebyeStatusCode
debye_density_lanes_execute(DebyeSharing *share, const DebyeDensityFrame *frames, size_t n_frames,
                            int64_t *sums, const volatile bool *cancel, DebyeSharingProgress progress,
                            void *data, DebyeStatus *status)
{
  DensityShare *density = (DensityShare *)share;
  const DebyeDensitySettings *settings = share->settings;
  double points = 0.0;
  density->frames = frames;
  density->n_frames = n_frames;
  density->n_runs = (n_frames + settings->max_frames - 1) / settings->max_frames;
  density->sums = sums;
  density->has_sums = false;
  if (n_frames == 0) {
    memset(sums, 0, share->values_bytes);
    return debye_status_ok(status);
  }
  for (size_t i = 0; i < n_frames; i++)
    points += (double)frames[i].n * (double)frames[i].n_views;
  const DebyeSharingJob job = {.n_inputs = density->n_runs,
                               .n_items = 1,
                               .item_cost = POINT_COST * points / (double)density->n_runs,
                               .cancel = cancel,
                               .progress = progress,
                               .data = data};
  return debye_sharing_run(share, &job, status);
}
