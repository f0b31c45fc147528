/* SPDX-License-Identifier: MIT */
/* Runs an analysis over its frames, with read-ahead, cancel and unusable frames; called by all runs over
 * frames. */
#include "frame_loop.h"

#include "kernels/chunk_threads.h"
#include "kernels/status.h"

#define READERS_BYTES (256u << 20)
#define NAMED_FRAMES 10 /* of those left out: a warning is one sentence */

void
debye_frame_loop_report_clear(DebyeFrameLoopReport *report)
{
  if (report->left_out != NULL)
    g_string_free(report->left_out, TRUE);
  *report = (DebyeFrameLoopReport){0};
}

static gboolean
is_usable(const DebyeFrameLoop *loop, const DebyeFrame *frame)
{
  return frame->n_bad == 0 || (loop->usable != NULL && loop->usable(frame, loop->data));
}

static void
leave_out(DebyeFrameLoopReport *report, gsize index)
{
  report->n_left_out++;
  if (report->n_left_out <= NAMED_FRAMES)
    g_string_append_printf(report->left_out, "%s%" G_GSIZE_FORMAT, report->n_left_out > 1 ? ", " : "", index);
  else if (report->n_left_out == NAMED_FRAMES + 1)
    g_string_append(report->left_out, " …");
}

/* Beside the frames that the work keeps there is one for each reader, as far as this memory goes. */
DebyeFrameStream *
debye_frame_loop_open(const DebyeFrameLoop *loop)
{
  const gsize frame_bytes = 3 * sizeof(float) * MAX(debye_trajectory_get_n_atoms(loop->trajectory), 1);
  const guint n_readers =
      debye_trajectory_has_many_readers(loop->trajectory) ? debye_chunk_threads_count() : 1;
  const guint depth =
      loop->depth > 0 ? loop->depth + (guint)MIN(n_readers - 1, READERS_BYTES / frame_bytes) : 0;
  return debye_frame_stream_new_prepared(loop->trajectory, loop->range, depth, n_readers, loop->may_be_packed,
                                         loop->prepare, loop->data);
}

gboolean
debye_frame_loop_run(const DebyeFrameLoop *loop, DebyeFrameLoopReport *report, GError **error)
{
  *report = (DebyeFrameLoopReport){.left_out = g_string_new(NULL)};
  g_autoptr(DebyeFrameStream) begun = loop->stream == NULL ? debye_frame_loop_open(loop) : NULL;
  DebyeFrameStream *stream = loop->stream != NULL ? loop->stream : begun;
  while (!debye_is_cancelled(loop->cancel)) {
    g_autoptr(GError) problem = NULL;
    const DebyeStage before = debye_stages_enter(loop->stages, DEBYE_STAGE_READ);
    g_autoptr(DebyeFrame) frame = debye_frame_stream_next(stream, &problem);
    debye_stages_enter(loop->stages, before);
    if (frame == NULL) {
      if (problem == NULL)
        return TRUE;
      g_propagate_error(error, g_steal_pointer(&problem));
      return FALSE;
    }
    if (!is_usable(loop, frame)) {
      leave_out(report, frame->index);
      continue;
    }
    if (!loop->work(frame, loop->data, &problem)) {
      report->cancelled = problem == NULL;
      if (problem != NULL)
        g_propagate_error(error, g_steal_pointer(&problem));
      return report->cancelled;
    }
    report->n_done++;
  }
  report->cancelled = TRUE;
  return TRUE;
}
