/* SPDX-License-Identifier: MIT */
/* Chooses the frames of an analysis and reads the first; called by the plans of analyses. */
#include "frame_choice.h"

#include <math.h>

#include "data/files/error.h"
#include "data/trajectory/kept_frames.h"

#define SAME_STEP 0.01

void
debye_frame_choice_clear(DebyeFrameChoice *choice)
{
  g_clear_pointer(&choice->first, debye_frame_unref);
}

/* From the first of the frames to another one, in steps; NAN: not known. */
static double
get_mean_step(const DebyeFrameChoice *choice, gsize n_steps)
{
  g_autoptr(DebyeFrame) frame = debye_trajectory_get_frame(
      choice->trajectory, choice->range.first + n_steps * choice->range.step, NULL);
  return frame != NULL ? (frame->time - choice->first->time) / (double)n_steps : NAN;
}

/* The mean is better than one step, which the file rounded, unless the clock begins anew on the way. */
double
debye_frame_choice_get_time_step(const DebyeFrameChoice *choice)
{
  const gsize n_steps = choice->n_frames - 1;
  double first, last, step;
  if (n_steps == 0 || !debye_trajectory_get_times(choice->trajectory, &first, &last, &step))
    return 0.0;
  const double begin = get_mean_step(choice, 1), mean = get_mean_step(choice, n_steps);
  step = begin > 0.0 && !(fabs(mean - begin) <= SAME_STEP * begin) ? begin : mean;
  return isfinite(step) ? step : 0.0;
}

gboolean
debye_frame_choice_init(DebyeFrameChoice *choice, DebyeDataset *dataset, const char *frames, const char **key,
                        GError **error)
{
  *key = NULL;
  choice->trajectory = debye_dataset_get_trajectory(dataset);
  if (choice->trajectory == NULL || debye_trajectory_get_n_frames(choice->trajectory) == 0)
    return debye_error_set(
        error, DEBYE_ERROR_MISSING,
        "%s: no coordinates: expected a file that has them (a structure or a trajectory) as well",
        debye_dataset_get_name(dataset));
  if (!debye_frame_range_parse(frames, debye_trajectory_get_n_frames(choice->trajectory), &choice->range,
                               error)) {
    *key = "frames";
    return FALSE;
  }
  choice->n_frames = debye_frame_range_count(&choice->range);
  choice->first = debye_trajectory_get_frame(choice->trajectory, choice->range.first, error);
  return choice->first != NULL;
}

/* --- Notes --- */

/* ps, of the first and the last of the frames. FALSE: the files don't say, or the clock begins anew on the way. */
static gboolean
get_span(const DebyeFrameChoice *choice, double span[2])
{
  double first, last, step;
  const double n_all = (double)debye_trajectory_get_n_frames(choice->trajectory);
  if (!debye_trajectory_get_times(choice->trajectory, &first, &last, &step) ||
      fabs(first + (n_all - 1.0) * step - last) > SAME_STEP * step)
    return FALSE;
  span[0] = first + step * (double)choice->range.first;
  span[1] = span[0] + step * (double)((choice->n_frames - 1) * choice->range.step);
  return isfinite(span[0]) && isfinite(span[1]);
}

static void
add_span(const DebyeFrameChoice *choice, gsize n_used, DebyeResult *result)
{
  double span[2];
  char begin[G_ASCII_DTOSTR_BUF_SIZE], end[G_ASCII_DTOSTR_BUF_SIZE];
  if (n_used < 2)
    return;
  if (!get_span(choice, span)) {
    debye_result_add_note_of(result, DEBYE_NOTE_SPAN, NULL, "%" G_GSIZE_FORMAT " frames", n_used);
    return;
  }
  const gboolean in_ns = span[1] >= 10000.0;
  const double scale = in_ns ? 1e-3 : 1.0;
  debye_result_add_note_of(result, DEBYE_NOTE_SPAN, NULL, "%" G_GSIZE_FORMAT " frames, %s–%s %s", n_used,
                           g_ascii_formatd(begin, sizeof begin, "%.6g", scale * span[0]),
                           g_ascii_formatd(end, sizeof end, "%.6g", scale * span[1]), in_ns ? "ns" : "ps");
}

void
debye_frame_choice_add_notes(const DebyeFrameChoice *choice, gsize n_used, DebyeResult *result)
{
  g_autofree char *range = debye_frame_range_to_string(&choice->range);
  const DebyeNoteKind kind = choice->n_frames == 1 ? DEBYE_NOTE_STRUCTURE : DEBYE_NOTE_FRAMES;
  debye_result_add_note_of(result, kind, NULL, "Frames: %s, %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " used",
                           range, n_used, choice->n_frames);
  add_span(choice, n_used, result);
}
