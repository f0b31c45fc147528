/* SPDX-License-Identifier: MIT */
/* Sums products of amplitudes on a reciprocal lattice over frames, on all devices, for the analysis of
 * scattering. A lane's sums of a run of frames are fetched when the run is done, so that one that fails takes
 * nothing with it but frames that another lane repeats. */
#include "lattice_sums.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/lane_plan.h"

/* What spreading an atom and transforming a point cost against the Coulomb pair of devices' scores. */
#define ATOM_COST 500.0
#define POINT_COST 100.0

struct DebyeLatticeSums {
  DebyeLatticeSumsSettings settings;
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
allocate_lane(DebyeLatticeSums *sums, const DebyeDeviceEntry *device, LanePlan *lane)
{
  while (sums->devices[lane->number] != device)
    lane->number++;
  lane->values = malloc(sums->n_values * sizeof *lane->values);
  if (sums->total[lane->number] == NULL)
    sums->total[lane->number] = calloc(sums->n_values, sizeof **sums->total);
  return lane->values != NULL && sums->total[lane->number] != NULL;
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void *lane_state, DebyeStatus *status)
{
  DebyeLatticeSums *sums = context;
  const DebyeLatticeSettings *settings = &sums->settings.lattice;
  LanePlan *lane = lane_state;
  const DebyeLatticeKernel *kernel = lane->kernel = device->backend->lattice;
  DebyeStatusCode code = debye_lane_check_kernel(device, kernel, "transform to a reciprocal lattice", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_lane_check_memory(kernel->bytes_needed(device->device, settings),
                                   sums->settings.memory_limit, status);
  if (code == DEBYE_STATUS_OK && !allocate_lane(sums, device, lane))
    code = out_of_memory(status);
  return code == DEBYE_STATUS_OK ? kernel->create(device->device, settings, &lane->plan, status) : code;
}

/* All pairs are fetched before any is added: a run counts whole or not at all. */
static DebyeStatusCode
fetch(DebyeLatticeSums *sums, LanePlan *lane, DebyeStatus *status)
{
  const size_t n = debye_lattice_n_values(sums->settings.lattice.extent), n_pairs = sums->n_values / n;
  for (size_t pair = 0; pair < n_pairs; pair++) {
    const DebyeStatusCode code = lane->kernel->get_sums(lane->plan, pair, lane->values + pair * n, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  for (size_t i = 0; i < sums->n_values; i++)
    sums->total[lane->number][i] += lane->values[i];
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
work_frames(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  DebyeLatticeSums *sums = context;
  LanePlan *lane = lane_state;
  DebyeStatusCode code = lane->kernel->clear_sums(lane->plan, status);
  for (size_t i = first; i < first + count && code == DEBYE_STATUS_OK; i++) {
    code = lane->kernel->execute(lane->plan, &sums->frames[i], NULL, cancel, status);
    if (code == DEBYE_STATUS_INVALID)
      __atomic_store_n(&sums->bad_frame, i, __ATOMIC_RELAXED);
  }
  return code == DEBYE_STATUS_OK ? fetch(sums, lane, status) : code;
}

static bool
allocate(DebyeLatticeSums *sums, const DebyeLatticeSumsSettings *settings,
         const DebyeDeviceEntry *const *devices, size_t n_devices)
{
  sums->settings = *settings;
  sums->settings.lattice.sums = true;
  sums->settings.lattice.chosen = NULL;
  sums->settings.lattice.n_chosen = 0;
  sums->n_devices = n_devices;
  sums->n_values = debye_lattice_n_values(settings->lattice.extent) *
                   debye_lattice_n_pairs(settings->lattice.groups.n_groups);
  sums->devices = malloc(n_devices * sizeof *sums->devices);
  sums->total = calloc(n_devices, sizeof *sums->total);
  if (sums->devices == NULL || sums->total == NULL)
    return false;
  memcpy(sums->devices, devices, n_devices * sizeof *sums->devices);
  sums->settings.lattice.spare_processors = debye_lane_count_accelerators(devices, n_devices);
  return true;
}

DebyeStatusCode
debye_lattice_sums_create(const DebyeLatticeSumsSettings *settings, const DebyeDeviceEntry *const *devices,
                          size_t n_devices, DebyeLatticeSums **sums, DebyeStatus *status)
{
  *sums = NULL;
  DebyeStatusCode code = debye_lattice_settings_check(&settings->lattice, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeLatticeSums *made = calloc(1, sizeof *made);
  if (made == NULL || !allocate(made, settings, devices, n_devices)) {
    debye_lattice_sums_destroy(made);
    return out_of_memory(status);
  }
  made->work = (DebyeLaneWork){.context = made,
                               .state_bytes = sizeof(LanePlan),
                               .open = open_lane,
                               .work = work_frames,
                               .close = close_lane};
  code = debye_lanes_start(devices, n_devices, &made->work, &made->lanes, status);
  if (code == DEBYE_STATUS_OK)
    *sums = made;
  else
    debye_lattice_sums_destroy(made);
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
debye_lattice_sums_execute(DebyeLatticeSums *sums, const DebyeScatteringFrame *frames, size_t n_frames,
                           double *out, size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  sums->frames = frames;
  sums->bad_frame = 0;
  for (size_t d = 0; d < sums->n_devices; d++)
    if (sums->total[d] != NULL)
      memset(sums->total[d], 0, sums->n_values * sizeof **sums->total);
  const DebyeStatusCode code =
      debye_lanes_run(sums->lanes, n_frames, cost_of_frame(&sums->settings.lattice), cancel, status);
  if (bad_frame != NULL)
    *bad_frame = sums->bad_frame;
  memset(out, 0, sums->n_values * sizeof *out);
  for (size_t d = 0; d < sums->n_devices && code == DEBYE_STATUS_OK; d++)
    for (size_t i = 0; i < sums->n_values && sums->total[d] != NULL; i++)
      out[i] += sums->total[d][i];
  return code;
}

size_t
debye_lattice_sums_get_reports(const DebyeLatticeSums *sums, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(sums->lanes, reports);
}

void
debye_lattice_sums_destroy(DebyeLatticeSums *sums)
{
  if (sums == NULL)
    return;
  debye_lanes_free(sums->lanes);
  for (size_t d = 0; d < sums->n_devices && sums->total != NULL; d++)
    free(sums->total[d]);
  free(sums->total);
  free(sums->devices);
  free(sums);
}
