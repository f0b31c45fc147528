/* SPDX-License-Identifier: MIT */
/* Maps of one frame at a time; called by map_analysis.c. A frame's planes are shared over the devices; what is
 * finished of the first frame is shown as it grows. */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/host_memory.h"
#include "kernels/potential/potential_map_lanes.h"
#include "map_result.h"
#include "map_run_private.h"

#define CHUNK_POINTS 65536

typedef struct {
  DebyeMapRun *run;
  DebyeFrameRun *frames;
  DebyeSharing *map;
  DebyeMapFrame frame;
  float *single; /* the frame's map in e/Å, in one of the two precisions */
  double *twice;
  DebyeMapPlanes planes; /* of each frame, or of the one that is a job by itself */
  DebyeFrameState state; /* of that job */
  float *growing;        /* planes of the first frame that are finished, NAN elsewhere; NULL: not asked for */
} Slabs;

static void
slabs_clear(Slabs *slabs)
{
  g_clear_pointer(&slabs->map, debye_sharing_free);
  debye_map_planes_clear(&slabs->planes);
  debye_frame_state_clear(&slabs->state);
  debye_map_frame_clear(&slabs->frame);
  g_free(slabs->single);
  g_free(slabs->twice);
  g_free(slabs->growing);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Slabs, slabs_clear)

/* --- One frame --- */

/* Planes are copied when they are finished: other lanes write theirs while a picture is made. */
static void
grow(Slabs *slabs, DebyeSlab slab)
{
  const gsize *shape = slabs->run->plan->potential.grid.shape;
  gsize plane = shape[0] * shape[1], first = slab.first * plane, count = slab.count * plane;
  for (gsize i = first; i < first + count; i++)
    slabs->growing[i] = slabs->twice != NULL ? (float)slabs->twice[i] : slabs->single[i];
}

static void
slab_finished(void *data, DebyeSlab slab, size_t done, size_t total)
{
  Slabs *slabs = data;
  if (slabs->growing != NULL) {
    grow(slabs, slab);
    if (done < total && debye_frame_run_partial_is_due(slabs->frames))
      debye_frame_run_publish(slabs->frames);
  }
  debye_frame_run_report(slabs->frames, (double)slabs->frames->n_done + (double)done / (double)total);
}

/* A sum over no charge is zero everywhere: nothing for a device to do. */
static void
fill_zero(Slabs *slabs)
{
  if (slabs->twice != NULL)
    memset(slabs->twice, 0, slabs->run->n_points * sizeof(double));
  else
    memset(slabs->single, 0, slabs->run->n_points * sizeof(float));
}

static DebyeStatusCode
sum_with_variant(Slabs *slabs, DebyeStatus *status)
{
  DebyeMapRun *run = slabs->run;
  DebyeLaneReport report;
  DebyeStatusCode code = debye_map_variant_execute(
      &run->variant, &run->plan->potential, &slabs->frame.view.charges, slabs->single,
      debye_frame_run_get_cancel(slabs->frames), slab_finished, slabs, &report, status);
  debye_lane_totals_add(&run->lanes, &report, 1);
  return code;
}

/* What one that is stopped has written is no value. */
static gboolean
solve_frame(Slabs *slabs, GError **error)
{
  if (debye_map_poisson_solve(slabs->run->poisson, &slabs->frame, slabs->single, &slabs->run->lanes,
                              debye_frame_run_get_cancel(slabs->frames), error))
    return TRUE;
  for (gsize i = 0; i < slabs->run->n_points; i++)
    slabs->single[i] = NAN;
  return FALSE;
}

static gboolean
sum_frame(Slabs *slabs, GError **error)
{
  DebyeStatus status = {0};
  if (slabs->frame.view.charges.n == 0) {
    fill_zero(slabs);
    return TRUE;
  }
  if (slabs->run->poisson != NULL)
    return solve_frame(slabs, error);
  if (slabs->run->variant.device == NULL)
    return debye_map_planes_sum(&slabs->planes, &slabs->frame.view, slabs->single, slabs->twice, error);
  const DebyeStatusCode code = sum_with_variant(slabs, &status);
  if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK;
}

static gboolean
do_frame(DebyeFrameRun *frames, gpointer own, GError **error)
{
  Slabs *slabs = own;
  DebyeMapRun *run = slabs->run;
  if (!debye_map_frame_set(&slabs->frame, &run->frames, g_ptr_array_index(frames->batch, 0), error) ||
      !sum_frame(slabs, error))
    return FALSE;
  debye_map_frame_let_go(&slabs->frame);
  slabs->planes.n_done = 0;
  if (run->accumulator != NULL)
    debye_map_accumulator_add(run->accumulator, slabs->single, slabs->twice);
  frames->n_done++;
  /* An equation is solved for all planes at once. */
  debye_frame_run_report(frames, (double)frames->n_done);
  g_clear_pointer(&slabs->growing, g_free);
  return TRUE;
}

static gboolean
is_usable(const DebyeFrame *frame, gpointer own)
{
  const Slabs *slabs = own;
  return debye_map_frames_can_use(&slabs->run->frames, frame);
}

static void
reach(gpointer own, gsize place)
{
  const Slabs *slabs = own;
  if (slabs->run->accumulator != NULL)
    debye_map_accumulator_reach(slabs->run->accumulator, place);
}

static gboolean
extend(gpointer own, DebyeFrameRange *range, gsize n_seen, GError **error)
{
  const Slabs *slabs = own;
  const DebyeFrameRange *all = &slabs->run->plan->frames.range;
  return n_seen > 0 ||
         debye_map_frames_skip(&slabs->run->frames, (range->first - all->first) / all->step, error);
}

static void
list_state(gpointer own, DebyeFrameState *state)
{
  const Slabs *slabs = own;
  if (slabs->run->accumulator != NULL)
    debye_map_accumulator_list_state(slabs->run->accumulator, state);
  if (slabs->run->poisson != NULL)
    debye_map_poisson_list_state(slabs->run->poisson, state);
}

/* --- What there is of it --- */

/* A spread is of whole frames; of anything else the finished planes of the first frame are something. */
static gboolean
has_something(const Slabs *slabs)
{
  const DebyeMapRun *run = slabs->run;
  if (slabs->frames->n_done > 0)
    return TRUE;
  if (run->plan->settings.statistic == DEBYE_MAP_DEVIATION)
    return FALSE;
  for (gsize i = 0; i < run->n_points; i++)
    if (!isnan(slabs->twice != NULL ? slabs->twice[i] : (double)slabs->single[i]))
      return TRUE;
  return FALSE;
}

/* The statistic, or the frame, whose unfinished planes are NAN: while lanes write into it, its copy. NULL: no memory. */
static float *
copy_values(const Slabs *slabs)
{
  const DebyeMapRun *run = slabs->run;
  if (slabs->frames->n_done > 0 && run->accumulator != NULL)
    return debye_map_result_scale_statistic(run->plan, run->accumulator);
  if (slabs->growing != NULL && !slabs->frames->is_over)
    return debye_map_result_scale(run->plan, slabs->growing, NULL);
  return debye_map_result_scale(run->plan, slabs->single, slabs->twice);
}

static DebyeResult *
make_result(DebyeFrameRun *frames, gpointer own)
{
  const Slabs *slabs = own;
  const gboolean is_growing = !frames->is_over && slabs->growing != NULL;
  /* Several times the map, of which a copy is made. */
  if (frames->is_over && slabs->run->poisson != NULL)
    debye_map_poisson_finish(slabs->run->poisson);
  float *values = is_growing || has_something(slabs) ? copy_values(slabs) : NULL;
  const char *items = slabs->run->poisson != NULL ? N_("equations") : N_("slabs");
  DebyeResult *result = debye_map_run_make_result(slabs->run, frames, values, items);
  if (result != NULL && frames->is_over)
    debye_map_planes_add_notes(&slabs->planes, result);
  return result;
}

/* What a file holds of one frame: the planes that are done. */
static DebyeResult *
make_kept(gpointer own)
{
  const Slabs *slabs = own;
  const DebyeMapRun *run = slabs->run;
  return debye_map_result_new(run->input, run->plan, 0,
                              debye_map_result_scale(run->plan, slabs->single, slabs->twice));
}

static const DebyeFrameRunClass by_slabs = {
    .usable = is_usable,
    .compute = do_frame,
    .reach = reach,
    .extend = extend,
    .list_state = list_state,
    .make_result = make_result,
};

/* --- The whole --- */

typedef struct {
  float *single;
  double *twice; /* or these */
  gsize n;
} Unknown;

static void
forget_chunk(void *context, size_t chunk)
{
  const Unknown *values = context;
  const gsize end = MIN((chunk + 1) * CHUNK_POINTS, values->n);
  for (gsize i = chunk * CHUNK_POINTS; i < end; i++)
    if (values->twice != NULL)
      values->twice[i] = NAN;
    else
      values->single[i] = NAN;
}

static void
forget(float *single, double *twice, gsize n)
{
  Unknown values = {single, twice, n};
  debye_chunk_threads_run((n + CHUNK_POINTS - 1) / CHUNK_POINTS, forget_chunk, &values);
}

static gboolean
allocate(Slabs *slabs)
{
  const DebyeMapRun *run = slabs->run;
  if (run->plan->potential.double_precision)
    slabs->twice = g_try_new(double, run->n_points);
  else
    slabs->single = debye_map_result_new_values(run->n_points);
  if (slabs->single == NULL && slabs->twice == NULL)
    return FALSE;
  debye_host_memory_prefer_large_pages(slabs->twice, run->n_points * sizeof *slabs->twice);
  /* What a cancelled frame did not reach must not look like a value. */
  forget(slabs->single, slabs->twice, run->n_points);
  if (!debye_frame_run_wants_partial(slabs->frames) || run->poisson != NULL ||
      run->plan->settings.statistic == DEBYE_MAP_DEVIATION)
    return TRUE;
  slabs->growing = debye_map_result_new_values(run->n_points);
  if (slabs->growing != NULL)
    forget(slabs->growing, NULL, run->n_points);
  return slabs->growing != NULL;
}

static gboolean
create_map(Slabs *slabs, GError **error)
{
  const DebyeMapRun *run = slabs->run;
  const DebyePotentialMapLanesSettings settings = {.potential = debye_map_run_get_potential(run),
                                                   .memory_limit = run->plan->memory_limit};
  DebyeStatus status = {0};
  if (!allocate(slabs))
    return debye_map_run_set_memory_error(error);
  if (run->variant.device != NULL || run->poisson != NULL)
    return TRUE;
  if (debye_potential_map_lanes_create(&settings, run->devices, run->n_devices, &slabs->map, &status) ==
      DEBYE_STATUS_OK)
    return TRUE;
  return debye_device_set_error(error, &status);
}

/* Processes share frames where there are several; then each has the planes of its own to itself. */
static void
init_planes(Slabs *slabs, DebyeRunInput *alone)
{
  const DebyeMapRun *run = slabs->run;
  *alone = *run->input;
  alone->ranks = NULL;
  slabs->planes = (DebyeMapPlanes){.input = run->shares_planes ? run->input : alone,
                                   .map = slabs->map,
                                   .grid = &run->plan->potential.grid,
                                   .cancel = debye_frame_run_get_cancel(slabs->frames),
                                   .lanes = &slabs->run->lanes,
                                   .finished = slab_finished,
                                   .data = slabs,
                                   .job = run->shares_planes ? &run->plan->settings.job : NULL,
                                   .state = &slabs->state,
                                   .make_kept = make_kept};
  debye_frame_state_init(&slabs->state);
  debye_frame_state_add_counts(&slabs->state, "planes", DEBYE_STATE_KEPT, &slabs->planes.n_done, 1);
  if (slabs->twice != NULL)
    debye_frame_state_add(&slabs->state, "map", DEBYE_STATE_KEPT, slabs->twice, run->n_points);
  else
    debye_frame_state_add_floats(&slabs->state, "map", slabs->single, run->n_points);
}

DebyeResult *
debye_map_run_by_slabs(DebyeMapRun *run, DebyeFrameRun *frames, GError **error)
{
  DebyeRunInput alone;
  g_autoptr(DebyeResult) finished = NULL;
  g_auto(Slabs) slabs = {.run = run, .frames = frames};
  frames->class = &by_slabs;
  frames->own = &slabs;
  frames->max_batch = 1;
  frames->may_be_packed = run->frames.packed.n_atoms > 0;
  debye_frame_run_read_ahead(frames);
  if (!debye_map_frame_init(&slabs.frame, &run->frames, error) || !create_map(&slabs, error))
    return NULL;
  init_planes(&slabs, &alone);
  if (!debye_map_planes_open_file(&slabs.planes, &finished, error))
    return NULL;
  if (finished != NULL)
    return g_steal_pointer(&finished);
  g_autoptr(DebyeResult) result = debye_frame_run_execute(frames, error);
  return result != NULL && debye_map_planes_close_file(&slabs.planes, result, error)
             ? g_steal_pointer(&result)
             : NULL;
}
