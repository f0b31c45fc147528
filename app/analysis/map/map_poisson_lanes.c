/* SPDX-License-Identifier: MIT */
/* Implementation of map_poisson_lanes.h. */
#include "map_poisson_lanes.h"

#include <string.h>

#include "data/files/error.h"

struct DebyeMapPoissonLanes {
  const DebyeMapPlan *plan;
  DebyeLanes *lanes;
  DebyeLaneWork work;
  gsize n_devices;
  DebyeMapPoisson **solvers; /* of each lane, with its sums; NULL: it had no frame yet */
  double frame_cost;         /* as debye_lanes_run's */
  GMutex mutex;
  GError *problem;     /* of a frame, which no device can do anything about */
  gsize problem_frame; /* the first such frame */
  /* The execution under way. */
  const DebyeMapFrame *frames;
  gboolean *is_done; /* by frame: what a lane gave back may partly have been done */
  gsize n_frames;
  DebyePotentialSink sink;
  DebyeSharingProgress progress;
  gpointer data;
};

typedef struct {
  const DebyeDeviceEntry *device;
  gsize number;
  float *map;
} Lane;

static DebyeStatusCode
open_lane(void *context G_GNUC_UNUSED, const DebyeDeviceEntry *device, size_t number, void *state,
          DebyeStatus *status)
{
  *(Lane *)state = (Lane){.device = device, .number = number};
  return device->backend->poisson != NULL
             ? debye_status_ok(status)
             : debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "%s can't %s.", device->backend->title,
                                N_("solve the Poisson-Boltzmann equation"));
}

static void
close_lane(void *context G_GNUC_UNUSED, void *state)
{
  g_free(((Lane *)state)->map);
}

/* --- A frame --- */

static gboolean
begin(DebyeMapPoissonLanes *self, Lane *lane, GError **error)
{
  DebyeMapPoisson **solver = &self->solvers[lane->number];
  if (lane->map == NULL)
    lane->map = g_try_new(float, debye_grid_n_points(&self->plan->potential.grid));
  if (lane->map == NULL)
    return debye_error_set_memory(error, NULL, debye_grid_n_points(&self->plan->potential.grid), "points");
  if (*solver == NULL)
    *solver = debye_map_poisson_new(self->plan, &lane->device, 1, error);
  return *solver != NULL;
}

/* Without charges, which a selection that follows the atoms may choose none of, it is zero everywhere. */
static gboolean
solve(DebyeMapPoissonLanes *self, Lane *lane, const DebyeMapFrame *frame, const volatile bool *cancel,
      GError **error)
{
  if (!begin(self, lane, error))
    return FALSE;
  if (frame->view.charges.n > 0)
    return debye_map_poisson_solve(self->solvers[lane->number], frame, lane->map, NULL, cancel, error);
  memset(lane->map, 0, debye_grid_n_points(&self->plan->potential.grid) * sizeof *lane->map);
  return TRUE;
}

/* Frames before it are still solved, so that the first that can't be is named, whichever lane comes upon its own first. */
static void
note_problem(DebyeMapPoissonLanes *self, gsize frame, const GError *error)
{
  g_mutex_lock(&self->mutex);
  if (self->problem == NULL || frame < self->problem_frame) {
    g_clear_error(&self->problem);
    self->problem = g_error_copy(error);
    self->problem_frame = frame;
  }
  g_mutex_unlock(&self->mutex);
}

static gboolean
is_after_problem(DebyeMapPoissonLanes *self, gsize frame)
{
  g_mutex_lock(&self->mutex);
  const gboolean is_after = self->problem != NULL && frame > self->problem_frame;
  g_mutex_unlock(&self->mutex);
  return is_after;
}

static gboolean
is_of_frame(const GError *error)
{
  return error != NULL && !g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY) &&
         !g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_DEVICE);
}

/* Why a frame that can be done wasn't solved, for the lanes: another device may do what this one couldn't. What this one has on
 * its device is for nobody then; its sums stay. */
static DebyeStatusCode
give_up(DebyeMapPoissonLanes *self, const Lane *lane, const GError *error, DebyeStatus *status)
{
  if (error == NULL)
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  const DebyeStatusCode code = g_error_matches(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY)
                                   ? DEBYE_STATUS_NO_MEMORY
                                   : DEBYE_STATUS_DEVICE_FAILED;
  if (self->solvers[lane->number] != NULL)
    debye_map_poisson_finish(self->solvers[lane->number]);
  return debye_status_set(status, code, "%s", debye_error_get_message(error));
}

static DebyeStatusCode
solve_frames(void *context, void *state, size_t first, size_t count, const volatile bool *cancel,
             DebyeStatus *status)
{
  DebyeMapPoissonLanes *self = context;
  Lane *lane = state;
  for (gsize i = first; i < first + count; i++) {
    g_autoptr(GError) error = NULL;
    if (self->is_done[i] || is_after_problem(self, i))
      continue;
    const gboolean is_solved =
        !debye_is_cancelled(cancel) && solve(self, lane, &self->frames[i], cancel, &error);
    if (is_of_frame(error))
      note_problem(self, i, error);
    else if (!is_solved)
      return give_up(self, lane, error, status);
    else
      self->sink(self->data, lane->number, i, lane->map, NULL);
    self->is_done[i] = is_solved;
  }
  return debye_status_ok(status);
}

static void
frames_finished(void *context, size_t first G_GNUC_UNUSED, size_t count G_GNUC_UNUSED, size_t n_done)
{
  const DebyeMapPoissonLanes *self = context;
  self->progress(self->data, n_done, self->n_frames);
}

/* --- All --- */

DebyeMapPoissonLanes *
debye_map_poisson_lanes_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                            GError **error)
{
  DebyeMapPoissonLanes *self = g_new0(DebyeMapPoissonLanes, 1);
  DebyeStatus status = {0};
  double start;
  guint64 bytes;
  g_mutex_init(&self->mutex);
  self->plan = plan;
  self->n_devices = n_devices;
  self->solvers = g_new0(DebyeMapPoisson *, n_devices);
  self->work = (DebyeLaneWork){.context = self,
                               .state_bytes = sizeof(Lane),
                               .open = open_lane,
                               .work = solve_frames,
                               .close = close_lane,
                               .finished = frames_finished};
  debye_map_poisson_estimate(plan, devices, n_devices, &self->frame_cost, &start, &bytes);
  self->frame_cost *= devices[0]->info.score;
  self->lanes = debye_lanes_new(devices, n_devices);
  if (self->lanes == NULL)
    debye_status_set(&status, DEBYE_STATUS_NO_MEMORY, "There is no memory to share the work.");
  else if (debye_lanes_open(self->lanes, &self->work, &status) == DEBYE_STATUS_OK)
    return self;
  debye_device_set_error(error, &status);
  debye_map_poisson_lanes_free(self);
  return NULL;
}

void
debye_map_poisson_lanes_free(DebyeMapPoissonLanes *self)
{
  if (self == NULL)
    return;
  debye_lanes_free(self->lanes);
  for (gsize i = 0; i < self->n_devices; i++)
    debye_map_poisson_free(self->solvers[i]);
  g_free(self->solvers);
  g_free(self->is_done);
  g_clear_error(&self->problem);
  g_mutex_clear(&self->mutex);
  g_free(self);
}

gboolean
debye_map_poisson_lanes_execute(DebyeMapPoissonLanes *self, const DebyeMapFrame *frames, gsize n_frames,
                                DebyePotentialSink sink, DebyeSharingProgress progress, gpointer data,
                                const volatile bool *cancel, GError **error)
{
  DebyeStatus status = {0};
  self->frames = frames;
  self->n_frames = n_frames;
  self->is_done = g_renew(gboolean, self->is_done, n_frames);
  memset(self->is_done, 0, n_frames * sizeof *self->is_done);
  self->sink = sink;
  self->progress = progress;
  self->data = data;
  const DebyeStatusCode code = debye_lanes_run(self->lanes, n_frames, self->frame_cost, cancel, &status);
  const gboolean is_good = code == DEBYE_STATUS_OK && self->problem == NULL;
  if (self->problem != NULL)
    g_propagate_error(error, g_steal_pointer(&self->problem));
  else if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, &status);
  return is_good;
}

gsize
debye_map_poisson_lanes_get_reports(const DebyeMapPoissonLanes *self, const DebyeLaneReport **reports)
{
  return debye_lanes_get_reports(self->lanes, reports);
}

void
debye_map_poisson_lanes_merge(DebyeMapPoissonLanes *self, DebyeMapPoisson *sums)
{
  for (gsize i = 0; i < self->n_devices; i++)
    if (self->solvers[i] != NULL)
      debye_map_poisson_merge(sums, self->solvers[i]);
}
