/* SPDX-License-Identifier: MIT */
/* Items of the lanes are frames. A lane sums in its plan, from zero for each run of frames, and adds that to
 * the sums of all when the run is complete: what fails half way is never counted, and can be repeated. */
#include "lattice_series.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What a mesh point and an atom's share of them cost against the Coulomb pair that devices' scores are given
 * in, roughly: half transform, half spreading. */
#define POINT_COST 100.0
#define ATOM_COST 5000.0

struct DebyeLatticeSeries {
  DebyeLatticeSeriesSettings settings;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  unsigned n_accelerators;
  size_t n_values, n_pairs; /* n_pairs 0: no sums */
  pthread_mutex_t mutex;    /* sums, n_summed and bad_frame */
  double *sums;
  size_t n_summed; /* frames */

  /* The execution under way. */
  const DebyeScatteringFrame *frames;
  size_t n_frames;
  double *chosen;
  size_t bad_frame;
  DebyeLatticeProgress progress;
  void *progress_data;
};

/* A lane's own. */
typedef struct {
  const DebyeLatticeKernel *kernel;
  DebyeLatticePlan *plan;
  double *sums; /* of all pairs, for the moment of adding them */
} LanePlan;

static void
close_lane(void *context, void *lane_state)
{
  (void)context;
  LanePlan *lane = lane_state;
  if (lane->plan != NULL)
    lane->kernel->destroy(lane->plan);
  free(lane->sums);
  free(lane);
}

static DebyeStatusCode
check_memory(const DebyeLatticeSeries *series, const DebyeDeviceEntry *device, DebyeStatus *status)
{
  const DebyeLatticeKernel *kernel = device->backend->lattice;
  if (kernel == NULL)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "%s can't compute reciprocal lattices.",
                            device->backend->title);
  const uint64_t limit = series->settings.memory_limit;
  const uint64_t bytes = kernel->bytes_needed(device->device, &series->settings.lattice);
  if (limit > 0 && bytes > limit)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "It needs %.1f MB, the limit is %.1f MB.",
                            1e-6 * (double)bytes, 1e-6 * (double)limit);
  return debye_status_ok(status);
}

static DebyeStatusCode
open_lane(void *context, const DebyeDeviceEntry *device, void **lane_state, DebyeStatus *status)
{
  const DebyeLatticeSeries *series = context;
  DebyeLatticeSettings settings = series->settings.lattice;
  settings.spare_processors = series->n_accelerators;
  DebyeStatusCode code = check_memory(series, device, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  LanePlan *lane = calloc(1, sizeof *lane);
  if (lane != NULL)
    lane->sums = calloc(series->n_pairs * series->n_values + 1, sizeof *lane->sums);
  if (lane == NULL || lane->sums == NULL) {
    free(lane);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  }
  lane->kernel = device->backend->lattice;
  code = lane->kernel->create(device->device, &settings, &lane->plan, status);
  if (code != DEBYE_STATUS_OK) {
    close_lane(context, lane);
    return code;
  }
  *lane_state = lane;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
add_sums(DebyeLatticeSeries *series, LanePlan *lane, size_t n_frames, DebyeStatus *status)
{
  for (size_t pair = 0; pair < series->n_pairs; pair++) {
    const DebyeStatusCode code =
        lane->kernel->get_sums(lane->plan, pair, lane->sums + pair * series->n_values, status);
    if (code != DEBYE_STATUS_OK)
      return code;
  }
  pthread_mutex_lock(&series->mutex);
  for (size_t i = 0; i < series->n_pairs * series->n_values; i++)
    series->sums[i] += lane->sums[i];
  series->n_summed += n_frames;
  pthread_mutex_unlock(&series->mutex);
  return debye_status_ok(status);
}

static DebyeStatusCode
work_frames(void *context, void *lane_state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  DebyeLatticeSeries *series = context;
  LanePlan *lane = lane_state;
  const DebyeLatticeSettings *settings = &series->settings.lattice;
  const size_t n_chosen = 2 * settings->groups.n_groups * settings->n_chosen;
  DebyeStatusCode code = lane->kernel->clear_sums(lane->plan, status);
  for (size_t frame = first; frame < first + count && code == DEBYE_STATUS_OK; frame++) {
    double *chosen = series->chosen != NULL ? series->chosen + frame * n_chosen : NULL;
    code = lane->kernel->execute(lane->plan, &series->frames[frame], chosen, cancel, status);
    if (code == DEBYE_STATUS_INVALID) {
      pthread_mutex_lock(&series->mutex);
      series->bad_frame = frame;
      pthread_mutex_unlock(&series->mutex);
    }
  }
  return code == DEBYE_STATUS_OK ? add_sums(series, lane, count, status) : code;
}

static void
frames_finished(void *context, size_t first, size_t count, size_t n_done)
{
  const DebyeLatticeSeries *series = context;
  (void)first;
  (void)count;
  if (series->progress != NULL)
    series->progress(series->progress_data, n_done, series->n_frames);
}

DebyeStatusCode
debye_lattice_series_create(const DebyeLatticeSeriesSettings *settings,
                            const DebyeDeviceEntry *const *devices, size_t n_devices,
                            DebyeLatticeSeries **series, DebyeStatus *status)
{
  *series = NULL;
  DebyeStatusCode code = debye_lattice_settings_check(&settings->lattice, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeLatticeSeries *made = calloc(1, sizeof *made);
  if (made != NULL) {
    pthread_mutex_init(&made->mutex, NULL);
    made->settings = *settings;
    made->n_values = debye_lattice_n_values(settings->lattice.extent);
    made->n_pairs = settings->lattice.sums ? debye_lattice_n_pairs(settings->lattice.groups.n_groups) : 0;
    made->work = (DebyeLaneWork){.context = made,
                                 .open = open_lane,
                                 .work = work_frames,
                                 .close = close_lane,
                                 .finished = frames_finished};
    for (size_t i = 0; i < n_devices; i++)
      made->n_accelerators += strcmp(devices[i]->backend->name, "cpu") != 0;
    made->sums = calloc(made->n_pairs * made->n_values + 1, sizeof *made->sums);
    if (made->sums != NULL)
      made->lanes = debye_lanes_new(devices, n_devices);
  }
  if (made == NULL || made->lanes == NULL) {
    debye_lattice_series_destroy(made);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the sums of a reciprocal lattice.");
  }
  code = debye_lanes_open(made->lanes, &made->work, status);
  if (code != DEBYE_STATUS_OK) {
    debye_lattice_series_destroy(made);
    return code;
  }
  *series = made;
  return DEBYE_STATUS_OK;
}

DebyeStatusCode
debye_lattice_series_execute(DebyeLatticeSeries *series, const DebyeScatteringFrame *frames, size_t n_frames,
                             double *chosen, size_t *bad_frame, const volatile bool *cancel,
                             DebyeLatticeProgress progress, void *data, DebyeStatus *status)
{
  if (n_frames == 0)
    return debye_status_ok(status);
  series->frames = frames;
  series->n_frames = n_frames;
  series->chosen = chosen;
  series->bad_frame = 0;
  series->progress = progress;
  series->progress_data = data;
  const DebyeScatteringGroups *groups = &series->settings.lattice.groups;
  const double cost = POINT_COST * (double)(series->n_values * groups->n_groups) +
                      ATOM_COST * (double)debye_scattering_n_entries(groups);
  const DebyeStatusCode code = debye_lanes_run(series->lanes, n_frames, cost, cancel, status);
  if (bad_frame != NULL)
    *bad_frame = series->bad_frame;
  return code;
}

const double *
debye_lattice_series_get_sums(const DebyeLatticeSeries *series, size_t pair)
{
  return pair < series->n_pairs ? series->sums + pair * series->n_values : NULL;
}

size_t
debye_lattice_series_get_n_frames(const DebyeLatticeSeries *series)
{
  return series->n_summed;
}

size_t
debye_lattice_series_get_reports(const DebyeLatticeSeries *series, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(series->lanes, reports);
}

void
debye_lattice_series_destroy(DebyeLatticeSeries *series)
{
  if (series == NULL)
    return;
  debye_lanes_free(series->lanes);
  pthread_mutex_destroy(&series->mutex);
  free(series->sums);
  free(series);
}
