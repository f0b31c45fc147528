/* SPDX-License-Identifier: MIT */
/* Sums products of amplitudes on a reciprocal lattice over frames, on all devices, for the analysis of
 * scattering. A lane's sums of a run of frames are fetched when the run is done, so that one that fails takes
 * nothing with it but frames that another lane repeats. */
#include "scattering_lattice_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/lane_plan.h"

/* What spreading an atom and transforming a point cost against the Coulomb pair of devices' scores. */
#define ATOM_COST 500.0
#define POINT_COST 100.0

struct DebyeLatticeLanes {
  DebyeLatticeLanesSettings settings;
  const DebyeDeviceEntry **devices;
  size_t n_devices;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  size_t n_values; /* of all pairs */
  double **total;  /* what each device has added; NULL: nothing yet. A lane that retires leaves it here */

  /* The execution under way. */
  const DebyeScatteringFrame *frames;
  size_t bad_frame; /* written by the one lane that finds it */
};

/* A lane's own. */
typedef struct {
  const DebyeLatticeKernel *kernel;
  DebyeLatticePlan *plan;
  size_t number;  /* of its device */
  double *values; /* of a run of frames */
} LanePlan;

static DebyeStatusCode
out_of_memory(DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the sums of a lattice.");
}

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  if (lane->plan != NULL)
    lane->kernel->destroy(lane->plan);
  free(lane->values);
}

/* The lane's number too: a device's sums are in one place, whichever lanes it has had. */
static bool
allocate_lane(DebyeLatticeLanes *lanes, const DebyeDeviceEntry *device, LanePlan *lane)
{
  while (lanes->devices[lane->number] != device)
    lane->number++;
  lane->values = malloc(lanes->n_values * sizeof *lane->values);
  if (lanes->total[lane->number] == NULL)
    lanes->total[lane->number] = calloc(lanes->n_values, sizeof **lanes->total);
  return lane->values != NULL && lanes->total[lane->number] != NULL;
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  DebyeLatticeLanes *lanes = context;
  const DebyeLatticeSettings *settings = &lanes->settings.lattice;
  LanePlan *lane = lane_state;
  const DebyeLatticeKernel *kernel = lane->kernel = device->backend->lattice;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "transform to a reciprocal lattice", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_lane_check_memory(kernel->bytes_needed(device->device, settings),
                                   lanes->settings.memory_limit, status);
  if (code == DEBYE_STATUS_OK && !allocate_lane(lanes, device, lane))
    code = out_of_memory(status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

/* All pairs are fetched before any is added: a run counts whole or not at all. */
static DebyeStatusCode
fetch(DebyeLatticeLanes *lanes, LanePlan *lane, DebyeStatus *status)
{
  const size_t n = debye_lattice_n_values(lanes->settings.lattice.extent), n_pairs = lanes->n_values / n;
  for (size_t pair = 0; pair < n_pairs; pair++) {
    const DebyeStatusCode code = lane->kernel->get_sums(lane->plan, pair, lane->values + pair * n, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  for (size_t i = 0; i < lanes->n_values; i++)
    lanes->total[lane->number][i] += lane->values[i];
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
work_frames(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  DebyeLatticeLanes *lanes = context;
  LanePlan *lane = lane_state;
  DebyeStatusCode code = lane->kernel->clear_sums(lane->plan, status);
  for (size_t i = first; i < first + count && code == DEBYE_STATUS_OK; i++) {
    code = lane->kernel->execute(lane->plan, &lanes->frames[i], NULL, cancel, status);
    if (code == DEBYE_STATUS_INVALID)
      __atomic_store_n(&lanes->bad_frame, i, __ATOMIC_RELAXED);
  }
  return code == DEBYE_STATUS_OK ? fetch(lanes, lane, status) : code;
}

static bool
allocate(DebyeLatticeLanes *lanes, const DebyeLatticeLanesSettings *settings,
         const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  lanes->settings = *settings;
  lanes->settings.lattice.sums = true;
  lanes->settings.lattice.chosen = NULL;
  lanes->settings.lattice.n_chosen = 0;
  lanes->n_devices = n_devices;
  lanes->n_values = debye_lattice_n_values(settings->lattice.extent) *
                    debye_lattice_n_pairs(settings->lattice.groups.n_groups);
  lanes->devices = malloc(n_devices * sizeof *lanes->devices);
  lanes->total = calloc(n_devices, sizeof *lanes->total);
  if (lanes->devices == NULL || lanes->total == NULL)
    return false;
  memcpy(lanes->devices, devices, n_devices * sizeof *lanes->devices);
  lanes->settings.lattice.spare_cores = debye_lane_count_accelerators(devices, n_devices);
  return true;
}

DebyeStatusCode
debye_lattice_lanes_create(const DebyeLatticeLanesSettings *settings, const DebyeDeviceEntry *const *devices,
                           size_t n_devices, DebyeLatticeLanes **lanes, DebyeStatus *status)
{
  *lanes = NULL;
  DebyeStatusCode code = debye_lattice_settings_check(&settings->lattice, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeLatticeLanes *made = calloc(1, sizeof *made);
  if (made == NULL || !allocate(made, settings, devices, n_devices)) {
    debye_lattice_lanes_destroy(made);
    return out_of_memory(status);
  }
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(LanePlan),
                               .open = open_lane,
                               .work = work_frames,
                               .close = close_lane};
  code = debye_lanes_start(devices, n_devices, &made->work, &made->lanes, status);
  if (code == DEBYE_STATUS_OK)
    *lanes = made;
  else
    debye_lattice_lanes_destroy(made);
  return code;
}

static double
cost_of_frame(const DebyeLatticeSettings *settings)
{
  const double points = 8.0 * 2.0 * (double)debye_lattice_n_values(settings->extent);
  return ATOM_COST * (double)debye_scattering_n_entries(&settings->groups) +
         POINT_COST * points * (double)settings->groups.n_groups;
}

DebyeStatusCode
debye_lattice_lanes_execute(DebyeLatticeLanes *lanes, const DebyeScatteringFrame *frames, size_t n_frames,
                            double *out, size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  lanes->frames = frames;
  lanes->bad_frame = 0;
  for (size_t d = 0; d < lanes->n_devices; d++)
    if (lanes->total[d] != NULL)
      memset(lanes->total[d], 0, lanes->n_values * sizeof **lanes->total);
  const DebyeStatusCode code =
      debye_lanes_run(lanes->lanes, n_frames, cost_of_frame(&lanes->settings.lattice), cancel, status);
  if (bad_frame != NULL)
    *bad_frame = lanes->bad_frame;
  memset(out, 0, lanes->n_values * sizeof *out);
  for (size_t d = 0; d < lanes->n_devices && code == DEBYE_STATUS_OK; d++)
    for (size_t i = 0; i < lanes->n_values && lanes->total[d] != NULL; i++)
      out[i] += lanes->total[d][i];
  return code;
}

size_t
debye_lattice_lanes_get_reports(const DebyeLatticeLanes *lanes, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(lanes->lanes, reports);
}

void
debye_lattice_lanes_destroy(DebyeLatticeLanes *lanes)
{
  if (lanes == NULL)
    return;
  debye_lanes_free(lanes->lanes);
  for (size_t d = 0; d < lanes->n_devices && lanes->total != NULL; d++)
    free(lanes->total[d]);
  free(lanes->total);
  free(lanes->devices);
  free(lanes);
}
