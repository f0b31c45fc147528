/* SPDX-License-Identifier: MIT */
/* The loop over frames, called by scattering_job.c: passes some frames at a time to the method that suits the
 * plan. */
#include "scattering_run.h"

#include <math.h>

#include "data/files/error.h"
#include "app/analysis/driver/frame_run.h"
#include "app/analysis/scattering/system/scatterer_groups.h"
#include "app/analysis/scattering/system/scattering_frames.h"
#include "scattering_result.h"
#include "scattering_rounding.h"
#include "scattering_method.h"

#define MAX_FRAMES_AT_ONCE 64

typedef struct {
  const DebyeRunInput *input;
  DebyeScatteringFound found;
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  gsize n_devices;
  DebyeFormulaBasis basis;
  DebyeScattererGroups groups;         /* the species */
  const DebyeScatteringMethod *method; /* NULL where nothing interferes */
  gpointer state;
  DebyeScatteringFrames *frames;
  DebyeFrameRun reading;
  double complex *products; /* of a batch of frames together */
} ScatteringRun;

static void
scattering_run_clear(ScatteringRun *run)
{
  if (run->state != NULL)
    run->method->close(run->state);
  g_clear_pointer(&run->frames, debye_scattering_frames_free);
  debye_frame_run_clear(&run->reading);
  debye_scatterer_groups_clear(&run->groups);
  g_free(run->products);
  g_free(run->found.q);
  g_clear_pointer(&run->found.sums, debye_scattering_sums_free);
  g_clear_pointer(&run->found.volume, debye_scattering_volume_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ScatteringRun, scattering_run_clear)

/* --- Preparing --- */

static gboolean
open_volume(ScatteringRun *run, GError **error)
{
  unsigned extent[3];
  debye_scattering_lattice_extent(&run->found.plan, extent);
  run->found.volume = debye_scattering_volume_new(&run->found.plan, extent, error);
  return run->found.volume != NULL;
}

/* Where molecules are followed through frames that the step leaves out, the run has others to read. */
static void
begin_reading(ScatteringRun *run)
{
  const DebyeFrameRange *all = &run->found.plan.frames.range;
  DebyeFrameRange range = *all;
  debye_scattering_frames_extend(run->frames, &range, 0);
  if (range.first == all->first && range.step == all->step)
    debye_frame_run_read_ahead(&run->reading);
}

static gboolean
open_way(ScatteringRun *run, GError **error)
{
  DebyeScatteringFound *found = &run->found;
  if (found->plan.settings.volume_map && !open_volume(run, error))
    return FALSE;
  debye_scatterer_groups_init(&run->groups, &found->plan.scatterers);
  run->method = debye_scattering_choose_method(&found->plan);
  run->reading.may_be_packed =
      run->method->takes_packed &&
      debye_scattering_frames_may_be_packed(run->frames, &found->plan, run->devices, run->n_devices);
  const DebyeScatteringTask task = {.plan = &found->plan,
                                    .groups = run->groups.groups,
                                    .q = found->q,
                                    .n_q = found->n_q,
                                    .devices = run->devices,
                                    .n_devices = run->n_devices,
                                    .basis = run->basis,
                                    .lanes = &found->lanes,
                                    .may_be_packed = run->reading.may_be_packed,
                                    .volume = found->volume,
                                    .cancel = debye_frame_run_get_cancel(&run->reading)};
  gsize n_species = task.groups.n_groups;
  run->reading.max_batch = CLAMP(run->method->get_frames_at_once(&task), 1, MAX_FRAMES_AT_ONCE);
  run->reading.first_batch = run->reading.max_batch;
  begin_reading(run);
  run->state = run->method->open(&task, error);
  if (run->state == NULL)
    return FALSE;
  run->products = g_try_new(double complex, debye_scattering_n_pairs(n_species) * found->n_q);
  found->sums = debye_scattering_sums_new(
      found->n_q, n_species, debye_frame_blocks(found->plan.frames.n_frames, found->plan.n_blocks));
  if (run->products != NULL && found->sums != NULL)
    return TRUE;
  return debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Scattering vector",
                               "no memory for %" G_GSIZE_FORMAT " values of q of %" G_GSIZE_FORMAT " species",
                               found->n_q, n_species);
}

static gboolean
prepare(ScatteringRun *run, GError **error)
{
  /* What is asked for must be there, whichever compute. */
  run->n_devices =
      debye_device_choose(run->input->registry, &run->found.plan.settings.lanes, run->devices, error);
  if (run->n_devices == 0)
    return FALSE;
  run->basis =
      debye_scattering_formula_basis(&run->found.plan, run->devices, run->n_devices, run->input->ranks);
  const DebyeLaneSettings lanes = debye_scattering_get_lanes(&run->found.plan, &run->basis);
  run->n_devices = debye_device_choose(run->input->registry, &lanes, run->devices, error);
  if (run->n_devices == 0)
    return FALSE;
  if (debye_scattering_choose_method(&run->found.plan) == &debye_scattering_by_vectors)
    debye_scattering_rounding_settle(&run->found.plan, run->devices, run->n_devices);
  run->found.q = debye_scattering_plan_list_q(&run->found.plan, &run->found.n_q);
  run->frames = debye_scattering_frames_new(&run->found.plan, run->input->dataset, error);
  return run->frames != NULL && (!run->found.plan.with_coherent || open_way(run, error));
}

/* --- Frames --- */

static void
reach(gpointer own, gsize place)
{
  const ScatteringRun *run = own;
  debye_scattering_sums_reach(run->found.sums, place);
}

static void
list_state(gpointer own, DebyeFrameState *state)
{
  const ScatteringRun *run = own;
  debye_frame_state_add(state, "q", DEBYE_STATE_SAME, run->found.q, run->found.n_q);
  debye_scattering_sums_list_state(run->found.sums, state);
  if (run->found.volume != NULL)
    debye_scattering_volume_list_state(run->found.volume, state);
}

/* Frames that depend on those before are made by every process from the first one on. */
static gboolean
extend(gpointer own, DebyeFrameRange *range, gsize n_seen, GError **error G_GNUC_UNUSED)
{
  const ScatteringRun *run = own;
  debye_scattering_frames_extend(run->frames, range, n_seen);
  return TRUE;
}

/* FALSE with an error, or without one where it was stopped. */
static gboolean
sum_batch(DebyeFrameRun *reading, gpointer own, GError **error)
{
  ScatteringRun *run = own;
  DebyeScatteringFound *found = &run->found;
  DebyeFrame *const *frames = (DebyeFrame *const *)reading->batch->pdata;
  const guint n = reading->batch->len;
  double volume = 0.0;
  if (!run->method->sum(run->state, frames, n, run->products, error))
    return FALSE;
  for (guint i = 0; i < n && found->plan.is_periodic; i++)
    volume += fabs(debye_cell_volume(&frames[i]->cell));
  const DebyeFrameChoice *choice = &found->plan.frames;
  debye_scattering_sums_add(found->sums, debye_frame_choice_get_place(choice, frames[0]), run->products, n,
                            volume);
  reach(run, debye_frame_choice_get_place(choice, frames[n - 1]) + 1);
  reading->n_done += n;
  debye_frame_run_report(reading, (double)reading->n_done);
  return TRUE;
}

/* Only the atoms that scatter must have positions. */
static gboolean
is_usable(const DebyeFrame *frame, gpointer own)
{
  const ScatteringRun *run = own;
  return debye_scattering_frames_leave_out(run->frames, frame) ||
         debye_scattering_frames_has_positions(run->frames, frame);
}

/* Molecules are followed through frames that the step leaves out, and through those of other processes. */
static DebyeFrame *
take(DebyeFrameRun *reading G_GNUC_UNUSED, const DebyeFrame *frame, gpointer own, GError **error)
{
  const ScatteringRun *run = own;
  if (!debye_scattering_check_cell(&run->found.plan, frame, error))
    return NULL;
  if (debye_scattering_frames_leave_out(run->frames, frame)) {
    debye_scattering_frames_follow(run->frames, frame, error);
    return NULL;
  }
  return debye_scattering_frames_prepare(run->frames, frame, error);
}

/* --- The whole --- */

static void
add_notes(ScatteringRun *run, DebyeResult *result)
{
  DebyeScatteringFound *found = &run->found;
  debye_frame_run_add_left_out_note(&run->reading, result);
  debye_scattering_frames_add_notes(run->frames, result);
  debye_scattering_rounding_add_note(&found->plan, result);
  if (found->sums != NULL)
    debye_frame_blocks_add_missing_note(debye_scattering_sums_get_blocks(found->sums),
                                        debye_scattering_sums_get_n_blocks(found->sums), result);
  if (run->method != NULL && run->method->add_notes != NULL)
    run->method->add_notes(run->state, result);
  debye_lane_totals_add_notes(&found->lanes, run->input->registry, "pieces", result);
}

static DebyeResult *
make_result(DebyeFrameRun *reading, gpointer own)
{
  ScatteringRun *run = own;
  run->found.n_frames = reading->n_done;
  if (reading->n_done == 0)
    return NULL;
  DebyeResult *result = debye_scattering_result_new(run->input, &run->found);
  if (reading->is_over)
    add_notes(run, result);
  return result;
}

static const DebyeFrameRunClass reading_class = {
    .usable = is_usable,
    .take = take,
    .compute = sum_batch,
    .reach = reach,
    .list_state = list_state,
    .extend = extend,
    .make_result = make_result,
};

/* Nothing of the incoherent sum depends on where the atoms are, only on how large a sample they are. */
static DebyeResult *
count_atoms(ScatteringRun *run, GError **error)
{
  const DebyeScatteringPlan *plan = &run->found.plan;
  if (plan->is_periodic && plan->volume == 0.0 &&
      !debye_scattering_mean_volume(plan, run->input->callbacks, 1.0, &run->found.cell_volume, error))
    return NULL;
  run->reading.n_done = plan->frames.n_frames;
  run->reading.is_over = TRUE;
  DebyeResult *result = make_result(&run->reading, run);
  debye_frame_run_stamp(&run->reading, result);
  return result;
}

DebyeResult *
debye_scattering_run_rows(const DebyeRunInput *input, const DebyeScatteringPlan *plan,
                          const DebyeScatteringFile *file, GError **error)
{
  g_auto(ScatteringRun) run = {.input = input, .found.plan = *plan};
  run.reading = (DebyeFrameRun){.class = &reading_class,
                                .own = &run,
                                .input = input,
                                .frames = &run.found.plan.frames,
                                .blocks = debye_frame_blocks(plan->frames.n_frames, plan->n_blocks),
                                .max_batch = 1,
                                .lanes = &run.found.lanes,
                                .job = file != NULL ? &run.found.plan.settings.job : NULL,
                                .job_is_open = TRUE,
                                .begun = file != NULL ? file->begun : NULL,
                                .done = file != NULL ? file->done : NULL,
                                .start = g_get_monotonic_time()};
  if (!prepare(&run, error))
    return NULL;
  return run.method != NULL ? debye_frame_run_execute(&run.reading, error) : count_atoms(&run, error);
}
