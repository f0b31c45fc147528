/* SPDX-License-Identifier: MIT */
/* Runs an analysis over its frames, part by part, each shared by the processes, after which the file of the job is written;
 * called by the runs of maps, pairs, scattering and measurements. */
#include "frame_run.h"

#include "data/files/error.h"

#define FRAMES DEBYE_JOB_RESTART "frames"
/* s: from one part to the next where there is no file; each process then takes as much as it was fast. */
#define SHARE_INTERVAL 10.0
#define LEAST_FRAMES_A_RANK 2 /* of the first part, so that every process' speed is known */

static gboolean
is_first(const DebyeFrameRun *run)
{
  return !debye_ranks_are_several(run->input->ranks) || run->input->ranks->rank == 0;
}

/* --- What is summed --- */

static void
list_state(DebyeFrameRun *run)
{
  G_STATIC_ASSERT(sizeof(gsize) == sizeof(guint64));
  debye_frame_state_init(&run->state);
  debye_frame_state_add_counts(&run->state, "used", DEBYE_STATE_SUM, (guint64 *)&run->n_done, 1);
  debye_frame_state_add_counts(&run->state, "left_out", DEBYE_STATE_SUM, (guint64 *)&run->n_left_out, 1);
  run->class->list_state(run->own, &run->state);
}

/* The sums so far are the first process' to keep. */
static void
forget(DebyeFrameRun *run)
{
  if (is_first(run))
    return;
  debye_frame_state_forget(&run->state);
  g_string_truncate(run->left_out, 0);
}

static void
share_left_out(DebyeFrameRun *run)
{
  g_auto(GStrv) texts = run->input->ranks->gather(run->left_out->str);
  g_string_truncate(run->left_out, 0);
  for (char **text = texts; *text != NULL; text++)
    if ((*text)[0] != '\0')
      g_string_append_printf(run->left_out, "%s%s", run->left_out->len > 0 ? ", " : "", *text);
}

/* --- The file --- */

static void
add_frames(const DebyeFrameRun *run, DebyeResult *result)
{
  const double behind = (double)(run->parts.n_done + run->parts.n_next);
  const char *const left_out[] = {run->left_out->str, NULL};
  g_autoptr(DebyeTable) table = debye_table_new(FRAMES);
  debye_table_add_numbers(table, &(DebyeQuantity){"behind", "behind", NULL}, 1, &behind);
  debye_table_add_texts(table, &(DebyeQuantity){"names_left_out", "left out", NULL}, left_out);
  debye_result_add_table(result, table);
}

/* The first process writes it, and nothing where no frame could be used yet. */
static gboolean
keep(DebyeFrameRun *run, GError **error)
{
  const gsize n_gone = run->parts.n_done + run->parts.n_next;
  if (run->parts.path == NULL || n_gone == run->frames->n_frames || !is_first(run) || run->n_done == 0) {
    run->parts.n_done = n_gone;
    return TRUE;
  }
  g_autoptr(DebyeResult) result =
      run->done != NULL ? debye_job_file_copy(run->done) : run->class->make_result(run, run->own);
  if (result == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for the result");
  debye_result_set_partial(result, run->done == NULL);
  add_frames(run, result);
  debye_frame_state_save(&run->state, result);
  if (run->done == NULL)
    debye_frame_run_stamp(run, result);
  return debye_job_blocks_save(&run->parts, result, error);
}

static gboolean
set_other(const char *name, gboolean is_other, gsize n_gone, GError **error)
{
  if (is_other)
    return debye_error_set_about(
        error, DEBYE_ERROR_MISMATCH, "Continue",
        "the file holds sums of %" G_GSIZE_FORMAT
        " frames for other %s than are left: expected the %s that the job was begun with",
        n_gone, name, name);
  return debye_error_set_about(error, DEBYE_ERROR_MISMATCH, "Continue",
                               "the file holds sums of %" G_GSIZE_FORMAT
                               " frames, but not “%s” as this version of the program makes it: expected a "
                               "file that this version began",
                               n_gone, name);
}

static gboolean
restore(DebyeFrameRun *run, DebyeResult *begun, GError **error)
{
  gsize n = 0;
  gboolean is_other = FALSE;
  const double *behind = debye_job_file_find_column(begun, FRAMES, "behind", &n);
  const gsize n_gone = n == 1 ? MIN((gsize)behind[0], run->frames->n_frames) : 0;
  const char *wrong = n == 1 ? debye_frame_state_load(&run->state, begun, &is_other) : "frames";
  if (wrong != NULL)
    return set_other(wrong, is_other, n_gone, error);
  DebyeTable *table = debye_result_find_table(begun, FRAMES);
  const char *const *left_out = debye_table_get_texts(table, debye_table_get_n_columns(table) - 1);
  run->n_earlier = n_gone;
  g_string_assign(run->left_out, left_out != NULL ? left_out[0] : "");
  return TRUE;
}

static gboolean
open_file(DebyeFrameRun *run, DebyeResult **finished, GError **error)
{
  g_autoptr(DebyeResult) found = NULL;
  if (run->class->list_state == NULL)
    return TRUE;
  list_state(run);
  if (run->job != NULL && !run->job_is_open &&
      !debye_job_file_open(run->job, NULL, run->input, &found, error))
    return FALSE;
  if (found != NULL && !debye_job_file_is_begun(found)) {
    *finished = g_steal_pointer(&found);
    return TRUE;
  }
  DebyeResult *begun = found != NULL ? found : run->begun;
  return begun == NULL || restore(run, begun, error);
}

static gboolean
close_file(DebyeFrameRun *run, DebyeResult *result, GError **error)
{
  return run->job == NULL || run->job_is_open || run->parts.path == NULL || !is_first(run) ||
         debye_job_blocks_save(&run->parts, result, error);
}

/* --- A part --- */

/* The frames of a part are of one block for errors where processes share them: together they have its sum when it ends. */
static gsize
choose_part(DebyeFrameRun *run)
{
  DebyeJobBlocks *parts = &run->parts;
  gsize n = debye_job_blocks_next(parts);
  if (n > 0 && debye_ranks_are_several(run->input->ranks)) {
    const gsize end = debye_frame_blocks_end(run->blocks, parts->n_done);
    n = parts->n_next = MIN(n, end - parts->n_done);
  }
  return n;
}

static void
begin_part(DebyeFrameRun *run, gsize n)
{
  const DebyeFrameRange *all = &run->frames->range;
  const gsize first = run->parts.n_done;
  const DebyeFrameRange part = {.first = all->first + all->step * first,
                                .last = all->first + all->step * (first + n - 1),
                                .step = all->step};
  run->share = debye_ranks_get_share(run->input->ranks, run->speeds, &part, n);
  run->block_end = debye_frame_blocks_end(run->blocks, first);
  forget(run);
  run->n_before = run->n_done;
}

/* This process' frames. FALSE with an error. */
static gboolean
read_share(DebyeFrameRun *run, GError **error)
{
  DebyeFrameRange range = run->share.range;
  const gint64 start = g_get_monotonic_time();
  if (run->share.n == 0)
    return TRUE;
  if (run->class->extend != NULL && !run->class->extend(run->own, &range, run->n_seen, error))
    return FALSE;
  if (!debye_frame_run_read(run, &range, error))
    return FALSE;
  run->n_seen = run->parts.n_done + run->share.first + run->share.n;
  run->seconds += (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
  run->n_own += run->share.n;
  return TRUE;
}

/* Combines the frames and stops of all processes. */
static void
share_part(DebyeFrameRun *run)
{
  double stopped = run->is_stopped;
  if (!debye_ranks_are_several(run->input->ranks))
    return;
  run->input->ranks->sum(&stopped, 1);
  run->is_stopped = stopped > 0.0;
  debye_frame_state_share(&run->state, run->input->ranks);
  share_left_out(run);
  g_free(run->speeds);
  run->speeds = debye_ranks_share_speeds(run->input->ranks,
                                         run->n_own > 0 ? (double)run->n_own / MAX(run->seconds, 1e-6) : 0.0);
}

static gboolean
do_part(DebyeFrameRun *run, gsize n, GError **error)
{
  begin_part(run, n);
  if (!read_share(run, error))
    return FALSE;
  if (run->class->settle != NULL)
    run->class->settle(run->own);
  share_part(run);
  if (run->is_stopped)
    return TRUE;
  debye_frame_run_reach(run, run->parts.n_done + n);
  return keep(run, error);
}

/* --- The whole --- */

static void
begin(DebyeFrameRun *run)
{
  DebyeJobBlocks *parts = &run->parts;
  debye_job_blocks_begin(parts, run->input, run->job, "frames", run->frames->n_frames, run->n_earlier, TRUE);
  if (!debye_ranks_are_several(run->input->ranks))
    return;
  parts->is_shared = TRUE;
  parts->n_first = LEAST_FRAMES_A_RANK * run->input->ranks->n_ranks;
  if (parts->path == NULL)
    parts->interval = SHARE_INTERVAL;
}

static gboolean
compute_parts(DebyeFrameRun *run, GError **error)
{
  begin(run);
  for (gsize n; !run->is_stopped && (n = choose_part(run)) > 0;)
    if (!do_part(run, n, error))
      return FALSE;
  if (!run->is_stopped || run->parts.path == NULL || run->parts.n_done == 0)
    return TRUE;
  debye_job_blocks_set_stopped(&run->parts, error);
  return FALSE;
}

static void
add_part_notes(const DebyeFrameRun *run, DebyeResult *result)
{
  if (run->n_earlier > 0)
    debye_result_add_note(result,
                          "Continued: the sums of %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " frames are from an earlier run",
                          run->n_earlier, run->frames->n_frames);
  if (!debye_ranks_are_several(run->input->ranks))
    return;
  debye_result_add_note(result, "Frames were shared by %u processes", run->input->ranks->n_ranks);
  debye_lane_totals_add_process_notes(run->lanes, run->input->ranks, run->n_own, "frames", run->seconds,
                                      result);
}

/* --- From begin to end --- */

static void
set_nothing_error(const DebyeFrameRun *run, GError **error)
{
  if (run->n_done > 0)
    debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for the result");
  else if (run->is_stopped)
    debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
  else
    debye_error_set_about(error, DEBYE_ERROR_VALUE, "Frames",
                          "none of the %" G_GSIZE_FORMAT
                          " frames has finite coordinates of the chosen atoms (frame %s)",
                          run->frames->n_frames, run->left_out->str);
}

static void
open_run(DebyeFrameRun *run)
{
  if (run->start == 0)
    run->start = g_get_monotonic_time();
  run->last_partial = run->start;
  run->batch = g_ptr_array_new_with_free_func((GDestroyNotify)debye_frame_unref);
  run->left_out = g_string_new(NULL);
}

static DebyeResult *
conclude(DebyeFrameRun *run, GError **error)
{
  if (!run->is_stopped) {
    debye_frame_run_reach(run, run->frames->n_frames);
    if (run->n_done > 0 && run->class->check != NULL && !run->class->check(run->own, error))
      return NULL;
  }
  run->is_over = TRUE;
  DebyeResult *result = run->class->make_result(run, run->own);
  if (result == NULL) {
    set_nothing_error(run, error);
    return NULL;
  }
  debye_result_set_partial(result, run->n_done + run->n_left_out != run->frames->n_frames);
  add_part_notes(run, result);
  debye_frame_run_stamp(run, result);
  return result;
}

DebyeResult *
debye_frame_run_execute(DebyeFrameRun *run, GError **error)
{
  g_autoptr(DebyeResult) finished = NULL;
  open_run(run);
  if (!open_file(run, &finished, error))
    return NULL;
  if (finished != NULL)
    return g_steal_pointer(&finished);
  if (!compute_parts(run, error))
    return NULL;
  g_autoptr(DebyeResult) result = conclude(run, error);
  return result != NULL && close_file(run, result, error) ? g_steal_pointer(&result) : NULL;
}
