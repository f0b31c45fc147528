/* SPDX-License-Identifier: MIT */
/* Reads the frames of a run and hands them on in batches; called by frame_run_parts.c, and by what is called there: the runs of
 * maps, pairs, scattering and measurements. */
#include "frame_run.h"

#include "frame_loop.h"
#include "data/messages/message.h"

#define PARTIAL_INTERVAL (G_USEC_PER_SEC / 4) /* a person sees four pictures a second as growth */

void
debye_frame_run_clear(DebyeFrameRun *run)
{
  g_clear_pointer(&run->batch, g_ptr_array_unref);
  if (run->left_out != NULL)
    g_string_free(g_steal_pointer(&run->left_out), TRUE);
  debye_frame_state_clear(&run->state);
  debye_job_blocks_clear(&run->parts);
  g_clear_pointer(&run->speeds, g_free);
  g_clear_pointer(&run->ahead, debye_frame_stream_free);
}

const volatile bool *
debye_frame_run_get_cancel(const DebyeFrameRun *run)
{
  return run->input->callbacks != NULL ? run->input->callbacks->cancel : NULL;
}

void
debye_frame_run_stamp(const DebyeFrameRun *run, DebyeResult *result)
{
  debye_result_set_inputs(result, debye_dataset_get_paths(run->input->dataset));
  debye_result_set_wall_time(result, (double)(g_get_monotonic_time() - run->start) / G_USEC_PER_SEC);
}

/* --- What others see meanwhile --- */

/* What this process has done of a part stands for what all have. */
static double
count_all(const DebyeFrameRun *run, double n_done)
{
  const double n_ours = MAX(n_done - (double)run->n_before, 0.0);
  if (!debye_ranks_are_several(run->input->ranks) || run->share.n == 0)
    return n_done;
  return (double)run->parts.n_done + n_ours * (double)run->parts.n_next / (double)run->share.n;
}

void
debye_frame_run_report(const DebyeFrameRun *run, double n_done)
{
  const DebyeRunCallbacks *callbacks = run->input->callbacks;
  const gsize n_frames = run->frames->n_frames;
  if (callbacks == NULL || callbacks->progress == NULL)
    return;
  n_done = count_all(run, n_done);
  g_autofree char *message = NULL;
  if (n_frames > 1 || run->activity == NULL)
    message = debye_say("frame %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, MIN((gsize)n_done + 1, n_frames),
                        n_frames);
  callbacks->progress(MIN(n_done / (double)n_frames, 1.0), message != NULL ? message : run->activity,
                      callbacks->data);
}

void
debye_frame_run_report_batch(void *run, size_t done, size_t total)
{
  const DebyeFrameRun *frames = run;
  const double share = (double)done / (double)MAX(total, 1);
  debye_frame_run_report(frames, (double)frames->n_done + share * (double)frames->batch->len);
}

gboolean
debye_frame_run_wants_partial(const DebyeFrameRun *run)
{
  return run->input->callbacks != NULL && run->input->callbacks->partial != NULL;
}

gboolean
debye_frame_run_partial_is_due(const DebyeFrameRun *run)
{
  return debye_frame_run_wants_partial(run) && g_get_monotonic_time() - run->last_partial >= PARTIAL_INTERVAL;
}

void
debye_frame_run_publish(DebyeFrameRun *run)
{
  g_autoptr(DebyeResult) result = run->class->make_result(run, run->own);
  if (result == NULL)
    return;
  debye_result_set_partial(result, TRUE);
  debye_frame_run_stamp(run, result);
  run->input->callbacks->partial(result, run->input->callbacks->data);
  run->last_partial = g_get_monotonic_time();
}

/* --- Batches --- */

static gsize
get_batch_size(const DebyeFrameRun *run)
{
  const gsize first = CLAMP(run->first_batch, 1, run->max_batch);
  return CLAMP(run->n_done, first, run->max_batch);
}

/* Computes what the batch has so far, before something changes for the next frame. */
static gboolean
flush(DebyeFrameRun *run, GError **error)
{
  if (run->batch->len == 0)
    return TRUE;
  const DebyeStage before = debye_stages_enter(run->input->stages, DEBYE_STAGE_COMPUTE);
  const gboolean is_done = run->class->compute(run, run->own, error);
  debye_stages_enter(run->input->stages, before);
  g_ptr_array_set_size(run->batch, 0);
  if (is_done && run->n_done + run->n_left_out < run->frames->n_frames && debye_frame_run_partial_is_due(run))
    debye_frame_run_publish(run);
  return is_done;
}

void
debye_frame_run_reach(DebyeFrameRun *run, gsize place)
{
  if (run->class->reach != NULL)
    run->class->reach(run->own, place);
}

static gboolean
begin_block(DebyeFrameRun *run, gsize place, GError **error)
{
  if (!flush(run, error))
    return FALSE;
  debye_frame_run_reach(run, place);
  run->block_end = debye_frame_blocks_end(run->blocks, place);
  return TRUE;
}

/* NULL without an error: nothing is to be computed of it. */
static DebyeFrame *
prepare_frame(DebyeFrameRun *run, const DebyeFrame *frame, GError **error)
{
  if (run->class->take == NULL)
    return debye_frame_ref((DebyeFrame *)frame);
  const DebyeStage before = debye_stages_enter(run->input->stages, DEBYE_STAGE_PREPARE);
  DebyeFrame *prepared = run->class->take(run, frame, run->own, error);
  debye_stages_enter(run->input->stages, before);
  return prepared;
}

static gboolean
take_frame(const DebyeFrame *frame, gpointer data, GError **error)
{
  DebyeFrameRun *run = data;
  g_autoptr(GError) problem = NULL;
  g_autoptr(DebyeFrame) prepared = prepare_frame(run, frame, &problem);
  if (problem != NULL) {
    g_propagate_error(error, g_steal_pointer(&problem));
    return FALSE;
  }
  const gsize place = debye_frame_choice_get_place(run->frames, frame);
  if (prepared == NULL || place < run->parts.n_done + run->share.first)
    return TRUE;
  if (place >= run->block_end && !begin_block(run, place, error))
    return FALSE;
  g_ptr_array_add(run->batch, g_steal_pointer(&prepared));
  return run->batch->len < get_batch_size(run) || flush(run, error);
}

static gboolean
is_usable(const DebyeFrame *frame, gpointer data)
{
  const DebyeFrameRun *run = data;
  return run->class->usable != NULL && run->class->usable(frame, run->own);
}

static void
prepare_read(DebyeFrame *frame, gpointer data)
{
  const DebyeFrameRun *run = data;
  run->class->prepare(frame, run->own);
}

/* --- The whole --- */

/* Appends the frames that one range left out to those of the earlier ranges. */
static void
add_left_out(DebyeFrameRun *run, const DebyeFrameLoopReport *report)
{
  if (run->left_out->len > 0 && report->left_out->len > 0)
    g_string_append(run->left_out, ", ");
  g_string_append(run->left_out, report->left_out->str);
  run->n_left_out += report->n_left_out;
}

static DebyeFrameLoop
describe_loop(DebyeFrameRun *run, const DebyeFrameRange *range)
{
  return (DebyeFrameLoop){.trajectory = run->frames->trajectory,
                          .range = *range,
                          /* While some are computed, as many are read. */
                          .depth = run->max_batch > 1 ? 2 * (guint)run->max_batch + 1 : 0,
                          .cancel = debye_frame_run_get_cancel(run),
                          .stages = run->input->stages,
                          .data = run,
                          .may_be_packed = run->may_be_packed,
                          .prepare = run->class->prepare != NULL ? prepare_read : NULL,
                          .usable = is_usable,
                          .work = take_frame};
}

void
debye_frame_run_read_ahead(DebyeFrameRun *run)
{
  const gboolean is_continued =
      run->job != NULL && run->job->continued != NULL && run->job->continued[0] != '\0';
  if (debye_ranks_are_several(run->input->ranks) || is_continued || run->begun != NULL || run->done != NULL)
    return;
  const DebyeFrameLoop frames = describe_loop(run, &run->frames->range);
  g_clear_pointer(&run->ahead, debye_frame_stream_free);
  run->ahead = debye_frame_loop_open(&frames);
  run->ahead_range = frames.range;
  run->ahead_depth = frames.depth;
  run->ahead_may_be_packed = frames.may_be_packed;
}

/* Frames that are being read already, if they are these. */
static DebyeFrameStream *
steal_ahead(DebyeFrameRun *run, const DebyeFrameLoop *frames)
{
  g_autoptr(DebyeFrameStream) ahead = g_steal_pointer(&run->ahead);
  const DebyeFrameRange *begun = &run->ahead_range, *range = &frames->range;
  const gboolean is_it = begun->first == range->first && begun->step == range->step &&
                         debye_frame_range_count(begun) == debye_frame_range_count(range) &&
                         run->ahead_depth == frames->depth &&
                         run->ahead_may_be_packed == frames->may_be_packed;
  return is_it ? g_steal_pointer(&ahead) : NULL;
}

static gboolean
loop(DebyeFrameRun *run, const DebyeFrameRange *range, GError **error)
{
  g_auto(DebyeFrameLoopReport) report = {0};
  DebyeFrameLoop frames = describe_loop(run, range);
  g_autoptr(DebyeFrameStream) ahead = frames.stream = steal_ahead(run, &frames);
  const gboolean is_read = debye_frame_loop_run(&frames, &report, error);
  add_left_out(run, &report);
  run->is_stopped = report.cancelled;
  return is_read;
}

/* The frames that the loop left in the batch. */
static gboolean
finish_batch(DebyeFrameRun *run, GError **error)
{
  g_autoptr(GError) problem = NULL;
  if (run->is_stopped || flush(run, &problem))
    return TRUE;
  run->is_stopped = problem == NULL;
  if (problem != NULL)
    g_propagate_error(error, g_steal_pointer(&problem));
  return run->is_stopped;
}

gboolean
debye_frame_run_read(DebyeFrameRun *run, const DebyeFrameRange *range, GError **error)
{
  return loop(run, range, error) && finish_batch(run, error);
}

void
debye_frame_run_add_left_out_note(const DebyeFrameRun *run, DebyeResult *result)
{
  if (run->n_left_out == 1)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "frame %s is left out: chosen atoms have NaN or infinite coordinates in it",
                             run->left_out->str);
  else if (run->n_left_out > 1)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, NULL,
                             "frames %s are left out: chosen atoms have NaN or infinite coordinates in them",
                             run->left_out->str);
}
