/* SPDX-License-Identifier: MIT */
/* A map's planes are the items of its lanes: each lane writes the planes it took straight into the caller's
 * array. */
#include "potential_map.h"

#include "potential_math.h"

#include <stdlib.h>
#include <string.h>

/* What a run costs beside its pairs: starting threads and planning, and once for an accelerator its context.
 */
#define START_SECONDS 0.001
#define ACCELERATOR_START_SECONDS 0.3

struct DebyePotentialMap {
  DebyePotentialMapSettings settings;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  unsigned n_accelerators;

  /* The execution under way. */
  const DebyeCharges *charges;
  const DebyeCell *cell;
  unsigned long frame; /* counts executions, so that a lane knows charges it has not set yet */
  float *out;
  double *out_double;
  DebyePotentialProgress progress;
  void *progress_data;
};

/* A lane's own. */
typedef struct {
  const DebyePotentialKernel *kernel;
  DebyePotentialPlan *plan;
  size_t max_planes;
  unsigned long frame;
} LanePlan;

static size_t
plane_points(const DebyePotentialMapSettings *settings)
{
  return settings->potential.grid.shape[0] * settings->potential.grid.shape[1];
}

static bool
is_processor(const DebyeDeviceEntry *device)
{
  return strcmp(device->backend->name, "cpu") == 0;
}

static const DebyePotentialKernel *
get_kernel(const DebyePotentialMapSettings *settings, const DebyeDeviceEntry *device)
{
  return device->backend->potential[settings->potential.method];
}

/* The kernel's settings for a device, with the thickest slab that the memory limit allows. False where not
 * even one plane fits; *bytes says what would be taken. */
static bool
plan_memory(const DebyePotentialMapSettings *settings, const DebyeDeviceEntry *device,
            DebyePotentialSettings *kernel_settings, uint64_t *bytes)
{
  const DebyePotentialKernel *kernel = get_kernel(settings, device);
  *kernel_settings = settings->potential;
  kernel_settings->max_planes = settings->potential.grid.shape[2];
  for (;; kernel_settings->max_planes = (kernel_settings->max_planes + 1) / 2) {
    *bytes = kernel->bytes_needed(device->device, kernel_settings);
    if (settings->memory_limit == 0 || *bytes <= settings->memory_limit)
      return true;
    if (kernel_settings->max_planes <= 1)
      return false;
  }
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void **lane_state, DebyeStatus *status)
{
  const DebyePotentialMap *map = context;
  const DebyePotentialKernel *kernel = get_kernel(&map->settings, device);
  DebyePotentialSettings settings;
  uint64_t bytes;
  if (kernel == NULL)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "%s can't compute a potential by the %s method.", device->backend->title,
                            debye_potential_method_name(map->settings.potential.method));
  if (!plan_memory(&map->settings, device, &settings, &bytes))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "It needs %.1f MB, the limit is %.1f MB.",
                            1e-6 * (double)bytes, 1e-6 * (double)map->settings.memory_limit);
  settings.spare_processors = map->n_accelerators;
  LanePlan *lane = calloc(1, sizeof *lane);
  if (lane == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  lane->kernel = kernel;
  lane->max_planes = settings.max_planes;
  DebyeStatusCode code = kernel->create(device->device, &settings, &lane->plan, status);
  if (code != DEBYE_STATUS_OK) {
    free(lane);
    return code;
  }
  *lane_state = lane;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
work_planes(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  const DebyePotentialMap *map = context;
  LanePlan *lane = lane_state;
  size_t points = plane_points(&map->settings);
  if (lane->frame != map->frame) {
    DebyeStatusCode code = lane->kernel->set_charges(lane->plan, map->charges, map->cell, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    lane->frame = map->frame;
  }
  for (size_t done = 0; done < count;) {
    size_t planes = count - done < lane->max_planes ? count - done : lane->max_planes;
    DebyeSlab slab = {first + done, planes};
    float *out = map->out != NULL ? map->out + slab.first * points : NULL;
    double *out_double = map->out_double != NULL ? map->out_double + slab.first * points : NULL;
    DebyeStatusCode code = lane->kernel->execute(lane->plan, slab, out, out_double, NULL, cancel, status);
    if (code != DEBYE_STATUS_OK)
      return code;
    done += planes;
  }
  return DEBYE_STATUS_OK;
}

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  lane->kernel->destroy(lane->plan);
  free(lane);
}

static void
planes_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyePotentialMap *map = context;
  size_t points = plane_points(&map->settings);
  if (map->progress != NULL)
    map->progress(map->progress_data, (DebyeSlab){first, count}, n_done * points,
                  points * map->settings.potential.grid.shape[2]);
}

DebyeStatusCode
debye_potential_map_create(const DebyePotentialMapSettings *settings, const DebyeDeviceEntry *const *devices,
                           size_t n_devices, DebyePotentialMap **map, DebyeStatus *status)
{
  *map = NULL;
  DebyePotentialMap *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->settings = *settings;
    made->work = (DebyeLaneWork){.context = made,
                                 .open = open_lane,
                                 .work = work_planes,
                                 .close = close_lane,
                                 .finished = planes_finished};
    made->lanes = debye_lanes_new(devices, n_devices);
    for (size_t i = 0; i < n_devices; i++)
      made->n_accelerators += !is_processor(devices[i]);
  }
  if (made == NULL || made->lanes == NULL) {
    free(made);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a map.");
  }
  DebyeStatusCode code = debye_lanes_open(made->lanes, &made->work, status);
  if (code != DEBYE_STATUS_OK) {
    debye_potential_map_destroy(made);
    return code;
  }
  *map = made;
  return DEBYE_STATUS_OK;
}

DebyeStatusCode
debye_potential_map_execute(DebyePotentialMap *map, const DebyeCharges *charges, const DebyeCell *cell,
                            float *out, double *out_double, const volatile bool *cancel,
                            DebyePotentialProgress progress, void *data, DebyeStatus *status)
{
  map->charges = charges;
  map->cell = cell;
  map->frame++;
  map->out = out;
  map->out_double = out_double;
  map->progress = progress;
  map->progress_data = data;
  double item_cost = debye_potential_pairs(&map->settings.potential, charges->n) /
                     (double)map->settings.potential.grid.shape[2];
  return debye_lanes_run(map->lanes, map->settings.potential.grid.shape[2], item_cost, cancel, status);
}

size_t
debye_potential_map_get_reports(const DebyePotentialMap *map, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(map->lanes, reports);
}

void
debye_potential_map_destroy(DebyePotentialMap *map)
{
  if (map == NULL)
    return;
  debye_lanes_free(map->lanes);
  free(map);
}

void
debye_potential_map_estimate(const DebyePotentialMapSettings *settings,
                             const DebyeDeviceEntry *const *devices, size_t n_devices, double *seconds,
                             uint64_t *host_bytes, uint64_t *device_bytes)
{
  double speed = 0.0, start = START_SECONDS;
  size_t value = settings->potential.double_precision ? sizeof(double) : sizeof(float);
  *host_bytes = (uint64_t)debye_grid_n_points(&settings->potential.grid) * value;
  *device_bytes = 0;
  for (size_t i = 0; i < n_devices; i++) {
    DebyePotentialSettings kernel_settings;
    uint64_t bytes;
    if (get_kernel(settings, devices[i]) == NULL ||
        !plan_memory(settings, devices[i], &kernel_settings, &bytes))
      continue;
    bool is_cpu = is_processor(devices[i]);
    speed += devices[i]->info.score;
    if (is_cpu)
      *host_bytes += bytes;
    else
      *device_bytes += bytes;
    if (!is_cpu)
      start = ACCELERATOR_START_SECONDS;
  }
  double pairs = debye_potential_pairs(&settings->potential, settings->potential.max_charges);
  *seconds = speed > 0.0 ? start + pairs / speed : INFINITY;
}
