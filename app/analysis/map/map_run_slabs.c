/* SPDX-License-Identifier: MIT */
/* Maps of one frame at a time; called by map_run.c. A frame's planes are shared over the devices; what is
 * finished of the first frame is shown as it grows. */
#include <math.h>
#include <string.h>

#include "kernels/potential/potential_map_lanes.h"
#include "map_result.h"
#include "map_run_private.h"

typedef struct {
  DebyeMapRun *run;
  DebyeFrameRun *frames;
  DebyePotentialMapLanes *map;
  DebyeMapFrame frame;
  float *single; /* the frame's map in e/Å, in one of the two precisions */
  double *twice;
  float *growing; /* planes of the first frame that are finished, NAN elsewhere; NULL: not asked for */
} Slabs;

static void
slabs_clear(Slabs *slabs)
{
  g_clear_pointer(&slabs->map, debye_potential_map_lanes_destroy);
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
      &run->variant, &run->plan->potential, &slabs->frame.charges, slabs->single,
      debye_frame_run_get_cancel(slabs->frames), slab_finished, slabs, &report, status);
  debye_lane_totals_add(&run->lanes, &report, 1);
  return code;
}

static DebyeStatusCode
sum_with_devices(Slabs *slabs, DebyeStatus *status)
{
  DebyeMapRun *run = slabs->run;
  DebyeStatusCode code = debye_potential_map_lanes_execute(
      slabs->map, &slabs->frame.charges, slabs->frame.cell, slabs->single, slabs->twice,
      debye_frame_run_get_cancel(slabs->frames), slab_finished, slabs, status);
  const DebyeLaneReport *reports = NULL;
  gsize n_reports = debye_potential_map_lanes_get_reports(slabs->map, &reports);
  debye_lane_totals_add(&run->lanes, reports, n_reports);
  return code;
}

static gboolean
sum_frame(Slabs *slabs, GError **error)
{
  DebyeStatus status = {0};
  if (slabs->frame.charges.n == 0) {
    fill_zero(slabs);
    return TRUE;
  }
  DebyeStatusCode code = slabs->run->variant.device != NULL ? sum_with_variant(slabs, &status)
                                                            : sum_with_devices(slabs, &status);
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
  if (run->accumulator != NULL)
    debye_map_accumulator_add(run->accumulator, slabs->single, slabs->twice);
  frames->n_done++;
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

static void
list_state(gpointer own, DebyeFrameState *state)
{
  const Slabs *slabs = own;
  if (slabs->run->accumulator != NULL)
    debye_map_accumulator_list_state(slabs->run->accumulator, state);
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
  float *values = is_growing || has_something(slabs) ? copy_values(slabs) : NULL;
  return debye_map_run_make_result(slabs->run, frames, values, "slabs");
}

static const DebyeFrameRunClass by_slabs = {
    .usable = is_usable,
    .compute = do_frame,
    .reach = reach,
    .list_state = list_state,
    .make_result = make_result,
};

/* --- The whole --- */

static gboolean
allocate(Slabs *slabs)
{
  const DebyeMapRun *run = slabs->run;
  if (run->plan->potential.double_precision)
    slabs->twice = g_try_new(double, run->n_points);
  else
    slabs->single = g_try_new(float, run->n_points);
  if (slabs->single == NULL && slabs->twice == NULL)
    return FALSE;
  /* What a cancelled frame did not reach must not look like a value. */
  for (gsize i = 0; i < run->n_points; i++)
    if (slabs->twice != NULL)
      slabs->twice[i] = NAN;
    else
      slabs->single[i] = NAN;
  if (!debye_frame_run_wants_partial(slabs->frames) || run->plan->settings.statistic == DEBYE_MAP_DEVIATION)
    return TRUE;
  slabs->growing = g_try_new(float, run->n_points);
  for (gsize i = 0; slabs->growing != NULL && i < run->n_points; i++)
    slabs->growing[i] = NAN;
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
  if (run->variant.device != NULL)
    return TRUE;
  if (debye_potential_map_lanes_create(&settings, run->devices, run->n_devices, &slabs->map, &status) ==
      DEBYE_STATUS_OK)
    return TRUE;
  debye_device_set_error(error, &status);
  return FALSE;
}

DebyeResult *
debye_map_run_by_slabs(DebyeMapRun *run, DebyeFrameRun *frames, GError **error)
{
  g_auto(Slabs) slabs = {.run = run, .frames = frames};
  if (!debye_map_frame_init(&slabs.frame, &run->frames, error) || !create_map(&slabs, error))
    return NULL;
  frames->class = &by_slabs;
  frames->own = &slabs;
  frames->max_batch = 1;
  return debye_frame_run_execute(frames, error);
}
