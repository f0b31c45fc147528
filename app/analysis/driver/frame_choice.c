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
  if (choice->trajectory == NULL || debye_trajectory_get_n_frames(choice->trajectory) == 0) {
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "%s: no coordinates: expected a file that has them (a structure or a trajectory) as well",
                    debye_dataset_get_name(dataset));
    return FALSE;
  }
  if (!debye_frame_range_parse(frames, debye_trajectory_get_n_frames(choice->trajectory), &choice->range,
                               error)) {
    *key = "frames";
    return FALSE;
  }
  choice->n_frames = debye_frame_range_count(&choice->range);
  choice->first = debye_trajectory_get_frame(choice->trajectory, choice->range.first, error);
  return choice->first != NULL;
}
