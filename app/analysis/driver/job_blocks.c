/* SPDX-License-Identifier: MIT */
/* Divides a job into blocks; called by frame_run_parts.c for frames, by scattering_job.c for rows of q and by
 * scattering_counting.c for atoms. */
#include "app/analysis/driver/job_blocks.h"

#include "data/files/error.h"

#define FIRST_PART 32 /* of all are tried first: they tell how long one takes */
#define MAX_GROWTH 4  /* of a block against the one before: rows of larger q may cost more */

static void
report(double fraction, const char *message, gpointer data)
{
  const DebyeJobBlocks *blocks = data;
  double part = ((double)blocks->n_done + fraction * (double)blocks->n_next) / (double)blocks->n_all;
  blocks->input->callbacks->progress(MIN(part, 1.0), message, blocks->input->callbacks->data);
}

static void
hand_on(DebyeResult *result, gpointer data)
{
  const DebyeJobBlocks *blocks = data;
  if (blocks->n_next == blocks->n_all)
    blocks->input->callbacks->partial(result, blocks->input->callbacks->data);
}

void
debye_job_blocks_begin(DebyeJobBlocks *blocks, const DebyeRunInput *input, const DebyeJobSettings *settings,
                       const char *unit, gsize n_all, gsize n_done, gboolean divisible)
{
  const DebyeRunCallbacks *outer = input->callbacks;
  const char *path = settings != NULL ? settings->continued : NULL;
  *blocks = (DebyeJobBlocks){.path = path != NULL && path[0] != '\0' ? path : NULL,
                             .interval = settings != NULL ? settings->save_every : 0.0,
                             .unit = unit,
                             .divisible = divisible,
                             .n_all = n_all,
                             .n_done = n_done,
                             .input = input};
  blocks->callbacks =
      (DebyeRunCallbacks){.cancel = outer != NULL ? outer->cancel : NULL,
                          .progress = outer != NULL && outer->progress != NULL ? report : NULL,
                          .partial = outer != NULL && outer->partial != NULL ? hand_on : NULL,
                          .data = blocks};
}

void
debye_job_blocks_clear(DebyeJobBlocks *blocks)
{
  g_clear_pointer(&blocks->records, g_ptr_array_unref);
}

/* The first process' clock counts for all. */
static double
get_seconds(const DebyeJobBlocks *blocks)
{
  const DebyeRanks *ranks = blocks->input->ranks;
  double seconds = (double)(g_get_monotonic_time() - blocks->begun) / G_USEC_PER_SEC;
  if (ranks == NULL || ranks->n_ranks == 1)
    return seconds;
  if (ranks->rank > 0)
    seconds = 0.0;
  ranks->sum(&seconds, 1);
  return seconds;
}

gsize
debye_job_blocks_next(DebyeJobBlocks *blocks)
{
  gsize n_left = blocks->n_all - blocks->n_done, n = blocks->n_next;
  if (n_left == 0)
    return 0;
  if ((blocks->path == NULL && !blocks->is_shared) || !blocks->divisible) {
    n = n_left;
  } else if (n == 0) {
    n = MAX(blocks->n_all / FIRST_PART, blocks->n_first);
  } else {
    double fits = (double)n * blocks->interval / MAX(get_seconds(blocks), 1e-6);
    n = (gsize)MIN(fits, (double)(MAX_GROWTH * n));
  }
  blocks->begun = g_get_monotonic_time();
  blocks->n_next = CLAMP(n, 1, n_left);
  return blocks->n_next;
}

static gboolean
record_inputs(DebyeJobBlocks *blocks, DebyeResult *result, GError **error)
{
  if (blocks->records != NULL)
    debye_result_set_input_records(result, blocks->records);
  else
    blocks->records = debye_result_get_input_records(result, NULL, error);
  return blocks->records != NULL;
}

gboolean
debye_job_blocks_save(DebyeJobBlocks *blocks, DebyeResult *result, GError **error)
{
  blocks->n_done += blocks->n_next;
  if (blocks->n_done < blocks->n_all)
    debye_result_add_note_of(result, DEBYE_NOTE_UNFINISHED, NULL,
                             "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                             " %s are done: the same job with --continue computes the rest",
                             blocks->n_done, blocks->n_all, blocks->unit);
  if (blocks->path == NULL || (blocks->input->ranks != NULL && blocks->input->ranks->rank > 0))
    return TRUE;
  if (!record_inputs(blocks, result, error))
    return FALSE;
  g_autofree char *command = debye_request_to_command(debye_result_get_request(result),
                                                      debye_result_get_inputs(result), blocks->path);
  return debye_result_save(result, blocks->path, command, error);
}

void
debye_job_blocks_set_stopped(const DebyeJobBlocks *blocks, GError **error)
{
  if (blocks->n_done == 0) {
    debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
    return;
  }
  g_autofree char *name = debye_error_name_file(blocks->path);
  debye_error_set(error, DEBYE_ERROR_STOPPED,
                  "stopped: %s holds %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " %s", name, blocks->n_done,
                  blocks->n_all, blocks->unit);
}
