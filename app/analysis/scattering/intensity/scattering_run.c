/* SPDX-License-Identifier: MIT */
/* The loop over frames, called by scattering_job.c: passes some frames at a time to the method that suits the
 * plan. */
#include "scattering_run.h"

#include <math.h>

#include "data/files/error.h"
#include "app/analysis/driver/frame_run.h"
#include "app/analysis/scattering/system/scatterer_groups.h"
#include "scattering_blocks.h"
#include "scattering_checkpoint.h"
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
  DebyeScattererGroups groups;         /* the species */
  const DebyeScatteringMethod *method; /* NULL where nothing interferes */
  gpointer state;
  DebyeScatteringFrames *frames;
  DebyeFrameRun reading;
  double complex *products;     /* of a batch of frames together */
  DebyeScatteringBlocks blocks; /* of the plan's frames */
  DebyeRankShare share;         /* of the block's frames, of this process */
  gsize n_earlier;              /* frames that an earlier run was through */
  gsize n_seen;                 /* frames of the plan that went through run->frames */
  gsize n_before;               /* frames that this process had used before the block */
} ScatteringRun;

static void
scattering_run_clear(ScatteringRun *run)
{
  if (run->state != NULL)
    run->method->close(run->state);
  g_clear_pointer(&run->frames, debye_scattering_frames_free);
  debye_scattering_blocks_clear(&run->blocks);
  debye_frame_run_clear(&run->reading);
  debye_scatterer_groups_clear(&run->groups);
  g_free(run->products);
  g_free(run->found.q);
  g_clear_pointer(&run->found.sums, debye_scattering_sums_free);
  g_clear_pointer(&run->found.volume, debye_scattering_volume_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ScatteringRun, scattering_run_clear)

static gboolean
shares(const ScatteringRun *run)
{
  return run->input->ranks != NULL && run->input->ranks->n_ranks > 1;
}

/* --- Preparing --- */

static void
forget_sums(ScatteringRun *run)
{
  debye_scattering_sums_clear(run->found.sums);
  if (run->found.volume != NULL)
    debye_scattering_volume_clear(run->found.volume);
  run->found.n_frames = run->reading.n_done = run->reading.n_left_out = 0;
}

static gboolean
open_volume(ScatteringRun *run, GError **error)
{
  unsigned extent[3];
  debye_scattering_lattice_extent(&run->found.plan, extent);
  run->found.volume = debye_scattering_volume_new(&run->found.plan, extent, error);
  return run->found.volume != NULL;
}

static gboolean
open_way(ScatteringRun *run, GError **error)
{
  DebyeScatteringFound *found = &run->found;
  if (found->plan.settings.volume_map && !open_volume(run, error))
    return FALSE;
  debye_scatterer_groups_init(&run->groups, &found->plan.scatterers);
  const DebyeScatteringTask task = {.plan = &found->plan,
                                    .groups = run->groups.groups,
                                    .q = found->q,
                                    .n_q = found->n_q,
                                    .devices = run->devices,
                                    .n_devices = run->n_devices,
                                    .lanes = &found->lanes,
                                    .volume = found->volume,
                                    .cancel = debye_frame_run_get_cancel(&run->reading)};
  gsize n_species = task.groups.n_groups;
  run->method = debye_scattering_choose_method(&found->plan);
  run->state = run->method->open(&task, error);
  if (run->state == NULL)
    return FALSE;
  run->reading.max_batch = CLAMP(run->method->get_frames_at_once(run->state), 1, MAX_FRAMES_AT_ONCE);
  run->reading.first_batch = run->reading.max_batch;
  run->products = g_try_new(double complex, debye_scattering_n_pairs(n_species) * found->n_q);
  found->sums = debye_scattering_sums_new(
      found->n_q, n_species, debye_frame_blocks(found->plan.frames.n_frames, found->plan.n_blocks));
  if (run->products != NULL && found->sums != NULL)
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY,
              "Scattering vector: no memory for %" G_GSIZE_FORMAT " values of q of %" G_GSIZE_FORMAT
              " species",
              found->n_q, n_species);
  return FALSE;
}

/* The sums so far are the first process' to keep. */
static gboolean
restore(ScatteringRun *run, DebyeResult *begun, GError **error)
{
  const DebyeRanks *ranks = run->input->ranks;
  if (begun == NULL)
    return TRUE;
  run->n_earlier = debye_scattering_checkpoint_get_frames(begun, &run->reading);
  if (!debye_scattering_checkpoint_restore(begun, &run->found, error))
    return FALSE;
  run->reading.n_done = run->found.n_frames;
  if (ranks != NULL && ranks->rank > 0)
    forget_sums(run);
  return TRUE;
}

static gboolean
prepare(ScatteringRun *run, const DebyeScatteringFile *file, GError **error)
{
  const DebyeRunInput *job = file != NULL ? file->job : run->input;
  const DebyeScatteringSettings *settings = &run->found.plan.settings;
  run->n_devices = debye_device_choose(run->input->registry, &settings->lanes, run->devices, error);
  if (run->n_devices == 0)
    return FALSE;
  if (debye_scattering_choose_method(&run->found.plan) == &debye_scattering_by_vectors)
    debye_scattering_rounding_settle(&run->found.plan, run->devices, run->n_devices);
  run->found.q = debye_scattering_plan_list_q(&run->found.plan, &run->found.n_q);
  run->frames = debye_scattering_frames_new(&run->found.plan, run->input->dataset, error);
  if (run->frames == NULL || (run->found.plan.with_coherent && !open_way(run, error)) ||
      !restore(run, file != NULL ? file->begun : NULL, error))
    return FALSE;
  debye_scattering_blocks_begin(&run->blocks, job, file != NULL ? settings : NULL, "frames",
                                run->found.plan.frames.n_frames, run->n_earlier, TRUE);
  return TRUE;
}

/* --- Frames --- */

static void
report(const ScatteringRun *run)
{
  const gsize n_ours = run->found.n_frames - run->n_before;
  debye_frame_run_report(&run->reading,
                         (double)(run->blocks.n_done + n_ours * run->blocks.n_next / run->share.n));
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
  debye_scattering_sums_reach(found->sums, debye_frame_choice_get_place(choice, frames[n - 1]) + 1);
  found->n_frames += n;
  reading->n_done = found->n_frames;
  report(run);
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

/* Whether a frame is this process' to sum: others are only those before it. */
static gboolean
is_ours(const ScatteringRun *run, const DebyeFrame *frame)
{
  const DebyeFrameRange *range = &run->found.plan.frames.range;
  return frame->index >= range->first + range->step * (run->blocks.n_done + run->share.first);
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
  g_autoptr(DebyeFrame) prepared = debye_scattering_frames_prepare(run->frames, frame, error);
  return prepared != NULL && is_ours(run, frame) ? g_steal_pointer(&prepared) : NULL;
}

/* --- Blocks of frames --- */

/* Frames that depend on those before are made by every process from the first one on. */
static void
begin_block(ScatteringRun *run, gsize n)
{
  const DebyeFrameRange *all = &run->found.plan.frames.range;
  gsize first = run->blocks.n_done;
  const DebyeFrameRange block = {.first = all->first + all->step * first,
                                 .last = all->first + all->step * (first + n - 1),
                                 .step = all->step};
  run->share = debye_ranks_get_share(run->input->ranks, &block, n);
  debye_scattering_frames_extend(run->frames, &run->share.range, run->n_seen);
  if (!shares(run))
    return;
  if (run->input->ranks->rank > 0)
    forget_sums(run);
}

/* This process' frames of the block. FALSE with an error. */
static gboolean
sum_block(ScatteringRun *run, gsize n, GError **error)
{
  begin_block(run, n);
  if (run->share.n == 0)
    return TRUE;
  run->n_before = run->found.n_frames;
  if (!debye_frame_run_read(&run->reading, &run->share.range, error))
    return FALSE;
  run->n_seen = run->blocks.n_done + run->share.first + run->share.n;
  return TRUE;
}

/* What all processes have together. */
static void
share_sums(ScatteringRun *run)
{
  const DebyeRanks *ranks = run->input->ranks;
  double counts[] = {(double)run->found.n_frames, (double)run->reading.n_left_out};
  if (!shares(run))
    return;
  ranks->sum(counts, G_N_ELEMENTS(counts));
  debye_scattering_sums_share(run->found.sums, ranks);
  if (run->found.volume != NULL)
    debye_scattering_volume_share(run->found.volume, ranks);
  run->found.n_frames = run->reading.n_done = (gsize)counts[0];
  run->reading.n_left_out = (gsize)counts[1];
}

/* What was left out at the block's end is behind, too. */
static void
end_block(ScatteringRun *run)
{
  gsize n_gone = run->blocks.n_done + run->blocks.n_next;
  if (!run->reading.is_stopped && run->found.n_frames + run->reading.n_left_out >= n_gone)
    debye_scattering_sums_reach(run->found.sums, n_gone);
}

/* The block is done. The last one's sums become the result. */
static gboolean
keep(ScatteringRun *run, DebyeResult *done, GError **error)
{
  DebyeScatteringBlocks *blocks = &run->blocks;
  gsize n_gone = blocks->n_done + blocks->n_next;
  if (blocks->path == NULL || n_gone == blocks->n_all || (shares(run) && run->input->ranks->rank > 0)) {
    blocks->n_done = n_gone;
    return TRUE;
  }
  g_autoptr(DebyeResult) result =
      debye_scattering_checkpoint_new(done, run->input, &run->found, n_gone, &run->reading);
  if (done == NULL)
    debye_frame_run_stamp(&run->reading, result);
  return debye_scattering_blocks_save(blocks, result, error);
}

static gboolean
sum_frames(ScatteringRun *run, DebyeResult *done, GError **error)
{
  for (gsize n; !run->reading.is_stopped && (n = debye_scattering_blocks_next(&run->blocks)) > 0;) {
    if (!sum_block(run, n, error))
      return FALSE;
    share_sums(run);
    end_block(run);
    if (!run->reading.is_stopped && !keep(run, done, error))
      return FALSE;
  }
  if (!run->reading.is_stopped || run->blocks.path == NULL || run->blocks.n_done == 0)
    return TRUE;
  debye_scattering_blocks_set_stopped(&run->blocks, error);
  return FALSE;
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
  if (shares(run))
    debye_result_add_note(result, "Frames were shared by %u processes", run->input->ranks->n_ranks);
  if (run->n_earlier > 0)
    debye_result_add_note(result,
                          "Continued: the sums of %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " frames are an earlier run's",
                          run->n_earlier, found->plan.frames.n_frames);
  debye_lane_totals_add_notes(&found->lanes, run->input->registry, "pieces", result);
}

static DebyeResult *
make_result(DebyeFrameRun *reading, gpointer own)
{
  ScatteringRun *run = own;
  if (run->found.n_frames == 0)
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
    .make_result = make_result,
};

static DebyeResult *
compute(ScatteringRun *run, DebyeResult *done, GError **error)
{
  const DebyeScatteringPlan *plan = &run->found.plan;
  if (run->method == NULL) {
    /* Nothing of the incoherent sum depends on where the atoms are, only on how large a sample they are. */
    run->found.n_frames = run->reading.n_done = plan->frames.n_frames;
    if (plan->is_periodic && plan->volume == 0.0 &&
        !debye_scattering_mean_volume(plan, run->input->callbacks, 1.0, &run->found.cell_volume, error))
      return NULL;
  } else if (!sum_frames(run, done, error)) {
    return NULL;
  }
  return debye_frame_run_conclude(&run->reading, error);
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
                                .max_batch = 1};
  debye_frame_run_open(&run.reading);
  return prepare(&run, file, error) ? compute(&run, file != NULL ? file->done : NULL, error) : NULL;
}
