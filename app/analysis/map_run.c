/* SPDX-License-Identifier: MIT */
/* Computing a map over frames: one kernel plan for all of them, the statistic in double, partial results on
 * the way. */
#include "map_run.h"

#include <math.h>
#include <string.h>

#include "data/error.h"
#include "device_choice.h"
#include "frame_loop.h"
#include "kernels/potential_map.h"
#include "map_notes.h"
#include "map_plan.h"

#define PARTIAL_INTERVAL (G_USEC_PER_SEC / 4) /* a person sees four pictures a second as growth */

typedef struct {
  const DebyeRunInput *input;
  DebyeMapPlan plan;
  DebyePotentialMap *map;
  DebyeFrameEdit *edit;             /* NULL: frames stay where they are */
  DebyeMapAccumulator *accumulator; /* NULL: one frame, which is the result */
  gsize n_points;
  float *single; /* the frame's map in e/Å, in one of the two precisions */
  double *twice;
  float *growing; /* planes of the first frame that are finished, NAN elsewhere; NULL: not asked for */
  gsize n_frames_done;
  DebyeLaneTotals lanes;
  gint64 start, last_partial;
  float *x, *y, *z, *charge; /* the charged atoms where they aren't all of the frame */
} MapRun;

static void
map_run_clear(MapRun *run)
{
  g_clear_pointer(&run->map, debye_potential_map_destroy);
  g_clear_pointer(&run->accumulator, debye_map_accumulator_free);
  g_free(run->single);
  g_free(run->twice);
  g_free(run->growing);
  g_free(run->x);
  g_free(run->y);
  g_free(run->z);
  g_free(run->charge);
  g_clear_pointer(&run->edit, debye_frame_edit_free);
  debye_map_plan_clear(&run->plan);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MapRun, map_run_clear)

static gboolean
set_memory_error(GError **error)
{
  g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
                      "Grid spacing: no memory for a map of this many points");
  return FALSE;
}

/* --- The result, whole or in the making --- */

static char *
make_title(const MapRun *run)
{
  static const char *const words[] = {"mean", "minimum", "maximum", "standard deviation"};
  if (run->plan.frames.n_frames == 1)
    return g_strdup("Electrostatic potential");
  return g_strdup_printf("Electrostatic potential, %s of %" G_GSIZE_FORMAT " frames",
                         words[run->plan.statistic], MAX(run->n_frames_done, 1));
}

/* A second map: how sure the mean is. */
static void
add_error_field(const MapRun *run, DebyeResult *result)
{
  g_autofree float *values = g_try_new(float, run->n_points);
  gsize n_blocks =
      values != NULL ? debye_map_accumulator_get_error(run->accumulator, run->plan.scale, values) : 0;
  if (n_blocks < 2)
    return;
  g_autoptr(DebyeField) field =
      debye_field_new_take("potential_error", &run->plan.potential.grid, g_steal_pointer(&values),
                           debye_request_get(run->input->request, "unit"));
  debye_result_add_field(result, field);
  debye_result_add_note(result,
                        "Standard error of the mean from %" G_GSIZE_FORMAT " blocks of %" G_GSIZE_FORMAT
                        " frames: potential_error",
                        n_blocks, run->plan.frames.n_frames / run->plan.n_blocks);
}

/* Takes `values`. */
static DebyeResult *
make_result(const MapRun *run, float *values)
{
  DebyeRequest *request = run->input->request;
  g_autoptr(DebyeRequest) complete = debye_request_copy(request);
  g_autofree char *title = make_title(run);
  g_autoptr(DebyeField) field = debye_field_new_take("potential", &run->plan.potential.grid, values,
                                                     debye_request_get(request, "unit"));
  DebyeResult *result = debye_result_new(complete, title);
  debye_result_add_field(result, field);
  debye_result_set_inputs(result, debye_dataset_get_paths(run->input->dataset));
  debye_result_set_wall_time(result, (double)(g_get_monotonic_time() - run->start) / G_USEC_PER_SEC);
  return result;
}

static float *
scaled_copy(const MapRun *run, const float *values)
{
  float *copy = g_try_new(float, run->n_points);
  for (gsize i = 0; copy != NULL && i < run->n_points; i++)
    copy[i] = (float)((double)values[i] * run->plan.scale);
  return copy;
}

static float *
scaled_frame(const MapRun *run)
{
  if (run->twice == NULL)
    return scaled_copy(run, run->single);
  float *copy = g_try_new(float, run->n_points);
  for (gsize i = 0; copy != NULL && i < run->n_points; i++)
    copy[i] = (float)(run->twice[i] * run->plan.scale);
  return copy;
}

/* What stands so far: the statistic, or the frame (its unfinished planes are NAN). NULL: nothing, or no
 * memory. */
static float *
current_values(const MapRun *run)
{
  if (run->n_frames_done > 0 && run->accumulator != NULL) {
    float *values = g_try_new(float, run->n_points);
    if (values != NULL)
      debye_map_accumulator_get(run->accumulator, run->plan.scale, values);
    return values;
  }
  return scaled_frame(run);
}

static void
publish(MapRun *run, float *values)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  if (values == NULL)
    return;
  g_autoptr(DebyeResult) result = make_result(run, values);
  debye_result_set_partial(result, TRUE);
  callbacks->partial(result, callbacks->data);
  run->last_partial = g_get_monotonic_time();
}

static gboolean
partial_is_due(const MapRun *run)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  return callbacks != NULL && callbacks->partial != NULL &&
         g_get_monotonic_time() - run->last_partial >= PARTIAL_INTERVAL;
}

/* --- One frame --- */

static void
report_progress(const MapRun *run, double fraction_of_frame)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  if (callbacks == NULL || callbacks->progress == NULL)
    return;
  g_autofree char *message = NULL;
  if (run->plan.frames.n_frames > 1)
    message = g_strdup_printf("frame %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, run->n_frames_done + 1,
                              run->plan.frames.n_frames);
  callbacks->progress(((double)run->n_frames_done + fraction_of_frame) / (double)run->plan.frames.n_frames,
                      message != NULL ? message : "summing charges", callbacks->data);
}

/* Planes are copied when they are finished: other lanes write theirs while a picture is made. */
static void
grow(MapRun *run, DebyeSlab slab)
{
  gsize plane = run->plan.potential.grid.shape[0] * run->plan.potential.grid.shape[1];
  gsize first = slab.first * plane, count = slab.count * plane;
  for (gsize i = first; i < first + count; i++)
    run->growing[i] = run->twice != NULL ? (float)run->twice[i] : run->single[i];
}

static void
slab_finished(void *data, DebyeSlab slab, size_t done, size_t total)
{
  MapRun *run = data;
  if (run->growing != NULL) {
    grow(run, slab);
    if (done < total && partial_is_due(run))
      publish(run, scaled_copy(run, run->growing));
  }
  report_progress(run, (double)done / (double)total);
}

static gboolean
frame_is_usable(const DebyeFrame *frame, gpointer data)
{
  MapRun *run = data;
  if (debye_selection_is_dynamic(run->plan.selection))
    return FALSE;
  for (guint i = 0; i < run->plan.atoms->len; i++) {
    guint32 atom = g_array_index(run->plan.atoms, guint32, i);
    if (!isfinite(frame->x[atom]) || !isfinite(frame->y[atom]) || !isfinite(frame->z[atom]))
      return FALSE;
  }
  return TRUE;
}

/* The charges of this frame: the frame's own arrays where every atom counts, else copies of those that do. */
static void
gather_charges(MapRun *run, const DebyeFrame *frame, const GArray *atoms, DebyeCharges *charges)
{
  const float *charge = debye_topology_get_charges(run->plan.topology);
  if (run->x == NULL) {
    *charges =
        (DebyeCharges){.x = frame->x, .y = frame->y, .z = frame->z, .charge = charge, .n = frame->n_atoms};
    return;
  }
  gsize n = 0;
  for (guint i = 0; i < atoms->len; i++) {
    guint32 atom = g_array_index(atoms, guint32, i);
    if (charge[atom] == 0.0f)
      continue;
    run->x[n] = frame->x[atom];
    run->y[n] = frame->y[atom];
    run->z[n] = frame->z[atom];
    run->charge[n++] = charge[atom];
  }
  *charges = (DebyeCharges){.x = run->x, .y = run->y, .z = run->z, .charge = run->charge, .n = n};
}

/* A sum over no charge is zero everywhere: nothing for a device to do. */
static void
fill_zero(MapRun *run)
{
  if (run->twice != NULL)
    memset(run->twice, 0, run->n_points * sizeof(double));
  else
    memset(run->single, 0, run->n_points * sizeof(float));
}

static gboolean
sum_frame(MapRun *run, const DebyeCharges *charges, const DebyeCell *cell, GError **error)
{
  DebyeStatus status = {0};
  if (charges->n == 0) {
    fill_zero(run);
    return TRUE;
  }
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  DebyeStatusCode code =
      debye_potential_map_execute(run->map, charges, cell, run->single, run->twice,
                                  callbacks != NULL ? callbacks->cancel : NULL, slab_finished, run, &status);
  const DebyeLaneReport *reports = NULL;
  gsize n_reports = debye_potential_map_get_reports(run->map, &reports);
  debye_lane_totals_add(&run->lanes, reports, n_reports);
  if (code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, &status);
  return code == DEBYE_STATUS_OK;
}

/* Each frame's own cell; NULL where nothing is periodic. */
static gboolean
get_cell(const MapRun *run, const DebyeFrame *frame, const DebyeCell **cell, GError **error)
{
  if (run->plan.potential.periodic == DEBYE_PERIODIC_NONE)
    return TRUE;
  *cell = &frame->cell;
  if (frame->has_cell && debye_cell_is_valid(&frame->cell))
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
              "Frames: frame %" G_GSIZE_FORMAT " has no cell of any volume, expected one for periodic images",
              frame->index);
  return FALSE;
}

/* A copy, superposed and centred: the stream's frame is read by others. */
static DebyeFrame *
move_frame(MapRun *run, const DebyeFrame *frame, GError **error)
{
  g_autoptr(DebyeFrame) moved = debye_frame_copy(frame);
  if (moved == NULL) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "Superpose: no memory for a frame's copy");
    return NULL;
  }
  return debye_frame_edit_apply(run->edit, moved, error) ? g_steal_pointer(&moved) : NULL;
}

static gboolean
do_frame(const DebyeFrame *frame, gpointer data, GError **error)
{
  MapRun *run = data;
  DebyeCharges charges;
  const DebyeCell *cell = NULL;
  g_autoptr(GArray) chosen = NULL;
  g_autoptr(DebyeFrame) moved = NULL;
  if (!get_cell(run, frame, &cell, error))
    return FALSE;
  if (run->edit != NULL) {
    moved = move_frame(run, frame, error);
    if (moved == NULL)
      return FALSE;
    frame = moved;
    cell = cell != NULL ? &frame->cell : NULL;
  }
  if (debye_selection_is_dynamic(run->plan.selection)) {
    chosen = debye_selection_evaluate(run->plan.selection, run->plan.topology, frame, error);
    if (chosen == NULL)
      return FALSE;
  }
  gather_charges(run, frame, chosen != NULL ? chosen : run->plan.atoms, &charges);
  if (!sum_frame(run, &charges, cell, error))
    return FALSE;
  if (run->accumulator != NULL)
    debye_map_accumulator_add(run->accumulator, run->single, run->twice);
  run->n_frames_done++;
  g_clear_pointer(&run->growing, g_free);
  if (run->n_frames_done < run->plan.frames.n_frames && partial_is_due(run))
    publish(run, current_values(run));
  return TRUE;
}

/* --- Before and after the frames --- */

static gboolean
needs_gathering(const DebyeMapPlan *plan)
{
  gsize n_atoms = debye_topology_get_n_atoms(plan->topology);
  const float *charges = debye_topology_get_charges(plan->topology);
  if (plan->atoms->len < n_atoms || debye_selection_is_dynamic(plan->selection))
    return TRUE;
  for (gsize i = 0; i < n_atoms; i++)
    if (charges[i] == 0.0f)
      return TRUE;
  return FALSE;
}

static gboolean
allocate_charges(MapRun *run, gsize n)
{
  run->x = g_try_new(float, n);
  run->y = g_try_new(float, n);
  run->z = g_try_new(float, n);
  run->charge = g_try_new(float, n);
  return run->x != NULL && run->y != NULL && run->z != NULL && run->charge != NULL;
}

static gsize
block_length(const MapRun *run)
{
  return run->plan.n_blocks > 0 ? run->plan.frames.n_frames / run->plan.n_blocks : 0;
}

static gboolean
allocate_map(MapRun *run)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  run->n_points = debye_grid_n_points(&run->plan.potential.grid);
  if (run->plan.potential.double_precision)
    run->twice = g_try_new(double, run->n_points);
  else
    run->single = g_try_new(float, run->n_points);
  if (run->single == NULL && run->twice == NULL)
    return FALSE;
  /* What a cancelled frame did not reach must not look like a value. */
  for (gsize i = 0; i < run->n_points; i++)
    if (run->twice != NULL)
      run->twice[i] = NAN;
    else
      run->single[i] = NAN;
  if (run->plan.frames.n_frames > 1 || run->plan.statistic == DEBYE_MAP_DEVIATION) {
    run->accumulator = debye_map_accumulator_new(run->plan.statistic, run->n_points, block_length(run));
    if (run->accumulator == NULL)
      return FALSE;
  }
  if (callbacks == NULL || callbacks->partial == NULL || run->plan.statistic == DEBYE_MAP_DEVIATION)
    return TRUE;
  run->growing = g_try_new(float, run->n_points);
  for (gsize i = 0; run->growing != NULL && i < run->n_points; i++)
    run->growing[i] = NAN;
  return run->growing != NULL;
}

static gboolean
create_map(MapRun *run, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_atoms = debye_topology_get_n_atoms(run->plan.topology);
  gsize n_devices = debye_device_choose(run->input->registry, run->input->request, devices, error);
  if (n_devices == 0)
    return FALSE;
  if (!allocate_map(run) || (needs_gathering(&run->plan) && !allocate_charges(run, n_atoms)))
    return set_memory_error(error);
  DebyePotentialMapSettings settings = {
      .potential = run->plan.potential,
      .memory_limit = run->plan.memory_limit,
  };
  /* A selection that follows the atoms may choose more of them in a later frame. */
  settings.potential.max_charges = n_atoms;
  DebyeStatus status = {0};
  if (debye_potential_map_create(&settings, devices, n_devices, &run->map, &status) != DEBYE_STATUS_OK) {
    debye_device_set_error(error, &status);
    return FALSE;
  }
  return TRUE;
}

static gboolean
has_something(const MapRun *run)
{
  if (run->n_frames_done > 0)
    return TRUE;
  if (run->plan.statistic == DEBYE_MAP_DEVIATION)
    return FALSE;
  for (gsize i = 0; i < run->n_points; i++)
    if (!isnan(run->twice != NULL ? run->twice[i] : (double)run->single[i]))
      return TRUE;
  return FALSE;
}

static DebyeResult *
finish(MapRun *run, const DebyeFrameLoopReport *report, GError **error)
{
  gboolean whole = report->n_done + report->n_left_out == run->plan.frames.n_frames;
  if (!has_something(run)) {
    if (report->cancelled)
      g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped before anything was finished");
    else
      g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
                  "Frames: in none of the %" G_GSIZE_FORMAT
                  " frames have the chosen atoms finite coordinates (frame %s)",
                  run->plan.frames.n_frames, report->left_out->str);
    return NULL;
  }
  float *values = current_values(run);
  if (values == NULL) {
    set_memory_error(error);
    return NULL;
  }
  DebyeResult *result = make_result(run, values);
  debye_result_set_partial(result, !whole);
  if (run->plan.n_blocks > 0 && run->accumulator != NULL)
    add_error_field(run, result);
  debye_map_notes_add_plan(result, run->input->request, &run->plan);
  debye_map_notes_add_frames(result, &run->plan, report);
  debye_lane_totals_add_notes(&run->lanes, run->input->registry, "slabs", result);
  return result;
}

DebyeResult *
debye_map_run(const DebyeRunInput *input, GError **error)
{
  g_auto(MapRun) run = {.input = input, .start = g_get_monotonic_time()};
  g_auto(DebyeFrameLoopReport) report = {0};
  run.last_partial = run.start;
  if (!debye_map_plan_init(&run.plan, input->dataset, input->request, NULL, error) ||
      !create_map(&run, error))
    return NULL;
  if (debye_map_plan_moves_frames(&run.plan) &&
      (run.edit = debye_map_plan_new_edit(&run.plan, error)) == NULL)
    return NULL;
  DebyeFrameLoop loop = {
      .trajectory = run.plan.frames.trajectory,
      .range = run.plan.frames.range,
      .cancel = input->callbacks != NULL ? input->callbacks->cancel : NULL,
      .data = &run,
      .usable = frame_is_usable,
      .work = do_frame,
  };
  if (!debye_frame_loop_run(&loop, &report, error))
    return NULL;
  return finish(&run, &report, error);
}
