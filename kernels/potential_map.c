/* SPDX-License-Identifier: MIT */
/* A map's planes are the items of its lanes: each lane writes the planes it took straight into the caller's
 * array. */
#include "potential_map.h"

#include "cpu/backend_cpu.h"
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
  DebyePotentialSettings settings;
  unsigned long frame;
  /* The processor's plan for the atoms that the device has no room for; NULL until there are some. */
  DebyePotentialPlan *overflow_plan;
  bool overflows;
} LanePlan;

/* The overflow's sum of one execute. */
typedef struct {
  const DebyePotentialMap *map;
  const LanePlan *lane;
  const volatile bool *cancel;
  DebyeStatus status;
} OverflowWork;

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
  lane->settings = settings;
  DebyeStatusCode code = kernel->create(device->device, &settings, &lane->plan, status);
  if (code != DEBYE_STATUS_OK) {
    free(lane);
    return code;
  }
  *lane_state = lane;
  return DEBYE_STATUS_OK;
}

static const DebyePotentialKernel *
overflow_kernel(const DebyePotentialMap *map)
{
  return debye_backend_cpu.potential[map->settings.potential.method];
}

/* Its threads are shared fairly with the other accelerators' lanes, each of which has one too. */
static DebyeStatusCode
open_overflow(const DebyePotentialMap *map, LanePlan *lane, DebyeStatus *status)
{
  DebyeDeviceInfo info;
  DebyePotentialSettings settings = lane->settings;
  DebyeStatusCode code = debye_backend_cpu.device_info(0, &info, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  unsigned lanes = map->n_accelerators > 0 ? map->n_accelerators : 1;
  unsigned left = info.units > lanes ? info.units - lanes : 1;
  settings.spare_processors = info.units - (left / lanes > 0 ? left / lanes : 1);
  return overflow_kernel(map)->create(0, &settings, &lane->overflow_plan, status);
}

static DebyeStatusCode
set_frame(const DebyePotentialMap *map, LanePlan *lane, DebyeStatus *status)
{
  DebyeCharges overflow = {0};
  DebyeStatusCode code = lane->kernel->set_charges(lane->plan, map->charges, map->cell, status);
  if (code == DEBYE_STATUS_OK && lane->kernel->get_overflow != NULL)
    lane->kernel->get_overflow(lane->plan, &overflow);
  lane->overflows = overflow.n > 0;
  if (code == DEBYE_STATUS_OK && lane->overflows && lane->overflow_plan == NULL)
    code = open_overflow(map, lane, status);
  if (code == DEBYE_STATUS_OK && lane->overflows)
    code = overflow_kernel(map)->set_charges(lane->overflow_plan, &overflow, map->cell, status);
  if (code == DEBYE_STATUS_OK)
    lane->frame = map->frame;
  return code;
}

static void
sum_overflow(void *context, DebyeSlab part)
{
  OverflowWork *work = context;
  const DebyePotentialMap *map = work->map;
  const size_t at = part.first * plane_points(&map->settings);
  if (work->status.code == DEBYE_STATUS_OK)
    overflow_kernel(map)->execute(work->lane->overflow_plan, part, map->out != NULL ? map->out + at : NULL,
                                  map->out_double != NULL ? map->out_double + at : NULL, NULL, work->cancel,
                                  &work->status);
}

static DebyeStatusCode
work_slab(const DebyePotentialMap *map, LanePlan *lane, DebyeSlab slab, const volatile bool *cancel,
          DebyeStatus *status)
{
  const size_t at = slab.first * plane_points(&map->settings);
  OverflowWork overflow = {.map = map, .lane = lane, .cancel = cancel};
  const DebyeMeanwhile meanwhile = {sum_overflow, &overflow};
  DebyeStatusCode code = lane->kernel->execute(lane->plan, slab, map->out != NULL ? map->out + at : NULL,
                                               map->out_double != NULL ? map->out_double + at : NULL,
                                               lane->overflows ? &meanwhile : NULL, cancel, status);
  if (code == DEBYE_STATUS_OK && overflow.status.code != DEBYE_STATUS_OK)
    return debye_status_set(status, overflow.status.code, "%s", overflow.status.text);
  return code;
}

static DebyeStatusCode
work_planes(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  const DebyePotentialMap *map = context;
  LanePlan *lane = lane_state;
  DebyeStatusCode code = lane->frame != map->frame ? set_frame(map, lane, status) : DEBYE_STATUS_OK;
  for (size_t done = 0; done < count && code == DEBYE_STATUS_OK;) {
    size_t most = lane->settings.max_planes;
    DebyeSlab slab = {first + done, count - done < most ? count - done : most};
    code = work_slab(map, lane, slab, cancel, status);
    done += slab.count;
  }
  return code;
}

static void
close_lane(void *context, void *lane_state)
{
  LanePlan *lane = lane_state;
  lane->kernel->destroy(lane->plan);
  if (lane->overflow_plan != NULL)
    overflow_kernel(context)->destroy(lane->overflow_plan);
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
