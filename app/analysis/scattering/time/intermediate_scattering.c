/* SPDX-License-Identifier: MIT */
/* One pass over the frames, which the coherent, self and displacement parts call; see
 * intermediate_scattering.h. */
#include "intermediate_scattering.h"

#include <math.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "app/analysis/driver/frame_loop.h"
#include "app/analysis/driver/frame_times.h"

typedef struct {
  DebyeIntermediateScattering *scattering;
  DebyeScatteringPassFunc work;
  gpointer data;
  gsize n_done;
  double last_time; /* of the frame before */
} Pass;

/* Files whose clock begins anew come one after the other. A moment that two of them keep is refused: what is
 * correlated has as many values as frames. */
static gboolean
check_time(Pass *pass, const DebyeFrame *frame, GError **error)
{
  const double step = pass->scattering->step, last = pass->last_time;
  const double first = pass->scattering->plan->frames.first->time;
  char found[G_ASCII_DTOSTR_BUF_SIZE], expected[G_ASCII_DTOSTR_BUF_SIZE];
  pass->last_time = frame->time;
  const DebyeTimeFollows follows =
      pass->n_done > 0 ? debye_frame_times_judge(first, last, frame->time, step) : DEBYE_TIME_FOLLOWS;
  if (follows == DEBYE_TIME_ANEW)
    debye_scattering_frames_begin_anew(pass->scattering->frames, frame, step);
  return follows == DEBYE_TIME_FOLLOWS || follows == DEBYE_TIME_ANEW ||
         debye_error_set_about(error, DEBYE_ERROR_VALUE, "Frames",
                               "frame %" G_GSIZE_FORMAT
                               " is at %s ps, expected %s ps: correlations in time need frames at even steps",
                               frame->index, g_ascii_formatd(found, sizeof found, "%g", frame->time),
                               g_ascii_formatd(expected, sizeof expected, "%g", last + step));
}

static gboolean
check_positions(const Pass *pass, const DebyeFrame *frame, GError **error)
{
  const DebyeScatteringGroups *groups = &pass->scattering->groups;
  for (gsize i = 0; frame->n_bad > 0 && i < debye_scattering_n_entries(groups); i++) {
    guint32 atom = groups->atoms[i];
    if (isfinite(frame->x[atom]) && isfinite(frame->y[atom]) && isfinite(frame->z[atom]))
      continue;
    return debye_error_set_about(
        error, DEBYE_ERROR_VALUE, "Frames",
        "atom %u of frame %" G_GSIZE_FORMAT
        " has NaN or infinite coordinates: correlations in time can't leave out a frame",
        atom + 1, frame->index);
  }
  return TRUE;
}

static void
tell(const Pass *pass)
{
  const DebyeIntermediateScattering *scattering = pass->scattering;
  const DebyeRunCallbacks *callbacks = scattering->callbacks;
  double n_frames = (double)scattering->plan->frames.n_frames;
  if (callbacks == NULL || callbacks->progress == NULL)
    return;
  double part =
      ((double)scattering->n_passes_done + (double)pass->n_done / n_frames) / (double)scattering->n_passes;
  g_autofree char *message =
      debye_say("pass %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT ", frame %" G_GSIZE_FORMAT,
                scattering->n_passes_done + 1, scattering->n_passes, pass->n_done);
  callbacks->progress(MIN(part, 1.0), message, callbacks->data);
}

static gboolean
do_frame(const DebyeFrame *frame, gpointer data, GError **error)
{
  Pass *pass = data;
  if (debye_scattering_frames_leave_out(pass->scattering->frames, frame))
    return debye_scattering_frames_follow(pass->scattering->frames, frame, error);
  if (!check_time(pass, frame, error) || !check_positions(pass, frame, error) ||
      !debye_scattering_check_cell(pass->scattering->plan, frame, error))
    return FALSE;
  g_autoptr(DebyeFrame) prepared = debye_scattering_frames_prepare(pass->scattering->frames, frame, error);
  if (prepared == NULL || !pass->work(pass->data, prepared, pass->n_done, error))
    return FALSE;
  pass->n_done++;
  tell(pass);
  return TRUE;
}

/* Frames with bad positions are checked above. */
static gboolean
frame_is_usable(const DebyeFrame *frame, gpointer data)
{
  (void)frame;
  (void)data;
  return TRUE;
}

void
debye_intermediate_scattering_share(const DebyeIntermediateScattering *scattering, gsize n, gsize *first,
                                    gsize *end)
{
  const DebyeRanks *ranks = scattering->input->ranks;
  *first = ranks != NULL ? n * ranks->rank / ranks->n_ranks : 0;
  *end = ranks != NULL ? n * (ranks->rank + 1) / ranks->n_ranks : n;
}

const volatile bool *
debye_intermediate_scattering_get_cancel(const DebyeIntermediateScattering *scattering)
{
  return scattering->callbacks != NULL ? scattering->callbacks->cancel : NULL;
}

gboolean
debye_intermediate_scattering_run_pass(DebyeIntermediateScattering *scattering, gboolean follows_atoms,
                                       gboolean may_be_packed, guint n_kept, DebyeScatteringPassFunc work,
                                       gpointer data, GError **error)
{
  Pass pass = {.scattering = scattering, .work = work, .data = data};
  g_auto(DebyeFrameLoopReport) report = {0};
  DebyeFrameRange range = scattering->plan->frames.range;
  if (!debye_scattering_frames_begin(scattering->frames, follows_atoms, error))
    return FALSE;
  debye_scattering_frames_extend(scattering->frames, &range, 0);
  const DebyeFrameLoop loop = {.trajectory = scattering->plan->frames.trajectory,
                               .range = range,
                               /* While some are kept, as many are read. */
                               .depth = 2 * n_kept + 2,
                               .cancel = debye_intermediate_scattering_get_cancel(scattering),
                               .data = &pass,
                               .may_be_packed = may_be_packed,
                               .usable = frame_is_usable,
                               .work = do_frame};
  if (!debye_frame_loop_run(&loop, &report, error))
    return FALSE;
  if (report.cancelled)
    return debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
  scattering->n_passes_done++;
  return TRUE;
}
