/* SPDX-License-Identifier: MIT */
/* Implementation of map_live.h: computes the map of each frame shown; called by window_live.c. */
#include "map_live.h"

#include <string.h>

#include "app/analysis/driver/dataset_choice.h"
#include "app/analysis/driver/device_choice.h"
#include "app/analysis/driver/potential_unit.h"
#include "data/files/error.h"
#include "data/trajectory/cell_choice.h"
#include "kernels/potential/potential_map_lanes.h"
#include "map_buffers.h"
#include "map_frame.h"
#include "map_method.h"
#include "map_poisson.h"

struct _DebyeMapLive {
  DebyeDataset *dataset; /* the plan borrows of it */
  DebyeCellChoice cell;  /* the request's, which frames of a picture may not have */
  DebyeMapPlan plan;
  DebyeMapFrames frames;
  DebyeMapFrame frame;
  DebyeSharing *map;
  DebyeMapPoisson *poisson; /* in its place; NULL: a sum over the charges */
  DebyeLaneTotals lanes;
  DebyeMapBuffers *buffers;
  gsize n_points;
  double *twice;         /* the map in e/Å where the sum is in double; NULL otherwise */
  DebyeRequest *request; /* whose texts the plan borrows … */
  char *first;           /* … but this for its frames */
  char *medium;
};

/* --- Making --- */

/* "20:500:10" begins with frame 20. */
static char *
first_frame(const char *range)
{
  gsize length = range != NULL ? strcspn(range, ":") : 0;
  return length > 0 ? g_strndup(range, length) : g_strdup("0");
}

static gboolean
create_map(DebyeMapLive *live, const DebyeRegistry *registry, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyePotentialMapLanesSettings settings = {.potential = live->plan.potential,
                                             .memory_limit = live->plan.memory_limit};
  DebyeStatus status = {0};
  settings.potential.max_charges = debye_topology_get_n_atoms(live->plan.topology);
  gsize n_devices = debye_device_choose(registry, &live->plan.settings.lanes, devices, error);
  if (n_devices == 0)
    return FALSE;
  if (debye_map_is_poisson(&live->plan.settings)) {
    live->poisson = debye_map_poisson_new(&live->plan, devices, n_devices, error);
    return live->poisson != NULL;
  }
  if (debye_potential_map_lanes_create(&settings, devices, n_devices, &live->map, &status) == DEBYE_STATUS_OK)
    return TRUE;
  return debye_device_set_error(error, &status);
}

static gboolean
set_memory_error(GError **error)
{
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Grid spacing",
                               "no memory for a map of this many points");
}

static gboolean
allocate(DebyeMapLive *live, GError **error)
{
  live->n_points = debye_grid_n_points(&live->plan.potential.grid);
  live->buffers = debye_map_buffers_new(live->n_points);
  if (live->plan.potential.double_precision)
    live->twice = g_try_new(double, live->n_points);
  if (live->plan.potential.double_precision && live->twice == NULL)
    return set_memory_error(error);
  return debye_map_frame_init(&live->frame, &live->frames, error);
}

/* Frames are superposed on the first, whichever is shown first. */
static gboolean
set_reference(DebyeMapLive *live, GError **error)
{
  if (live->frames.edit == NULL)
    return TRUE;
  g_autoptr(DebyeFrame) first = debye_frame_copy(live->plan.frames.first);
  if (first == NULL)
    return set_memory_error(error);
  return debye_frame_edit_apply(live->frames.edit, first, error);
}

DebyeMapLive *
debye_map_live_new(DebyeDataset *dataset, DebyeRequest *request, const DebyeRegistry *registry,
                   GError **error)
{
  g_autoptr(DebyeMapLive) live = g_new0(DebyeMapLive, 1);
  DebyeMapSettings settings;
  live->request = debye_request_copy(request);
  debye_request_fill(live->request, &settings);
  live->first = first_frame(settings.frames);
  settings.frames = live->first;
  settings.statistic = DEBYE_MAP_MEAN;
  settings.blocks = 0;
  settings.energies = FALSE;
  settings.follow = NULL;
  live->dataset = debye_dataset_choose(dataset, live->request, NULL, error);
  debye_map_poisson_settle(&settings);
  live->medium = debye_map_method_describe_medium(&settings);
  /* What is shown moves through the trajectory, whatever range was asked for. */
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  live->plan.follows_frames = trajectory != NULL && debye_trajectory_get_n_frames(trajectory) > 1;
  if (live->dataset == NULL ||
      !debye_cell_choice_parse(debye_dataset_get_cell_choice(live->dataset), &live->cell, error) ||
      !debye_map_plan_init(&live->plan, live->dataset, &settings, NULL, error) ||
      !debye_map_frames_init(&live->frames, &live->plan, error) || !set_reference(live, error) ||
      !allocate(live, error) || !create_map(live, registry, error))
    return NULL;
  return g_steal_pointer(&live);
}

void
debye_map_live_free(DebyeMapLive *live)
{
  if (live == NULL)
    return;
  g_clear_pointer(&live->map, debye_sharing_free);
  g_clear_pointer(&live->poisson, debye_map_poisson_free);
  debye_map_frame_clear(&live->frame);
  debye_map_frames_clear(&live->frames);
  debye_map_plan_clear(&live->plan);
  debye_map_buffers_free(live->buffers);
  g_clear_object(&live->dataset);
  g_free(live->twice);
  g_clear_object(&live->request);
  g_free(live->first);
  g_free(live->medium);
  g_free(live);
}

/* --- One frame --- */

static gboolean
check_frame(DebyeMapLive *live, const DebyeFrame *frame, GError **error)
{
  if (frame->n_bad == 0 || debye_map_frames_can_use(&live->frames, frame))
    return TRUE;
  return debye_error_set_about(
      error, DEBYE_ERROR_VALUE, "Frames",
      "frame %" G_GSIZE_FORMAT " has chosen atoms with coordinates that are NaN or infinite", frame->index);
}

/* A sum over no charge is zero everywhere. FALSE without an error: cancelled. */
static gboolean
sum(DebyeMapLive *live, float *values, const volatile bool *cancel, GError **error)
{
  const DebyeMapFrame *frame = &live->frame;
  DebyeStatus status = {0};
  if (frame->view.charges.n == 0) {
    memset(values, 0, live->n_points * sizeof *values);
    if (live->twice != NULL)
      memset(live->twice, 0, live->n_points * sizeof *live->twice);
    return TRUE;
  }
  if (live->poisson != NULL)
    return debye_map_poisson_solve(live->poisson, frame, values, &live->lanes, cancel, error);
  DebyeStatusCode code = debye_potential_map_lanes_execute(live->map, &frame->view.charges, frame->view.cell,
                                                           live->twice != NULL ? NULL : values, live->twice,
                                                           cancel, NULL, NULL, &status);
  if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK;
}

static void
scale(const DebyeMapLive *live, float *values)
{
  const double factor = live->plan.scale;
  if (live->twice != NULL)
    for (gsize i = 0; i < live->n_points; i++)
      values[i] = (float)(live->twice[i] * factor);
  else
    for (gsize i = 0; i < live->n_points; i++)
      values[i] = (float)((double)values[i] * factor);
}

/* A moved frame's map is laid where the atoms are: the window shows them unmoved. */
static DebyeGrid
grid_of_frame(const DebyeMapLive *live)
{
  DebyeGrid grid = live->plan.potential.grid;
  if (live->frames.edit == NULL)
    return grid;
  const DebyeSuperposition motion = debye_frame_edit_get_motion(live->frames.edit);
  const DebyeVec3 origin = debye_superposition_map_back(&motion, grid.origin);
  for (int axis = 0; axis < 3; axis++) {
    const DebyeVec3 next = debye_vec3_add(grid.origin, grid.step[axis]);
    grid.step[axis] = debye_vec3_subtract(debye_superposition_map_back(&motion, next), origin);
  }
  grid.origin = origin;
  return grid;
}

/* With the cell that counts: a copy where it isn't the files'. */
static DebyeFrame *
give_cell(const DebyeMapLive *live, const DebyeFrame *shown, GError **error)
{
  if (live->cell.is_of_file)
    return debye_frame_ref((DebyeFrame *)shown);
  DebyeFrame *frame = debye_frame_copy(shown);
  if (frame != NULL)
    debye_cell_choice_apply(&live->cell, frame);
  else
    set_memory_error(error);
  return frame;
}

DebyeField *
debye_map_live_compute(DebyeMapLive *live, const DebyeFrame *shown, const volatile bool *cancel,
                       GError **error)
{
  g_autoptr(DebyeFrame) frame = give_cell(live, shown, error);
  if (frame == NULL || !check_frame(live, frame, error) ||
      !debye_map_frame_set(&live->frame, &live->frames, frame, error))
    return NULL;
  float *values = debye_map_buffers_take(live->buffers);
  gboolean good = values != NULL ? sum(live, values, cancel, error) : set_memory_error(error);
  debye_map_frame_let_go(&live->frame);
  if (!good) {
    if (values != NULL)
      debye_map_buffers_give_back(values);
    return NULL;
  }
  scale(live, values);
  g_autoptr(GBytes) bytes = debye_map_buffers_wrap(live->buffers, values);
  const DebyeGrid grid = grid_of_frame(live);
  DebyeField *field =
      debye_field_new("potential", &grid, bytes, debye_potential_unit_name(live->plan.settings.unit));
  debye_field_set_medium(field, live->medium);
  if (live->poisson != NULL) {
    debye_map_poisson_mark(live->poisson, field);
    debye_map_poisson_forget(live->poisson);
  }
  return field;
}

guint
debye_map_live_get_n_allocated(DebyeMapLive *live)
{
  return debye_map_buffers_get_n_allocated(live->buffers);
}
