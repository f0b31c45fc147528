/* SPDX-License-Identifier: MIT */
/* Tells whether a trajectory's frames are evenly spaced in time; called by command_info.c. */
#include "info_times.h"

#include <math.h>

#define N_FIRST 4   /* what a written-out beginning shows */
#define N_SPREAD 12 /* two pieces that were joined have other steps */

/* A part of the step, and what single precision leaves of the time. */
#define UNEVEN 1e-3
#define ROUNDED 2.5e-7

gboolean
debye_info_times_are_even(DebyeTrajectory *trajectory, double first, double step)
{
  const gsize n = debye_trajectory_get_n_frames(trajectory), n_looks = MIN(n, N_FIRST + N_SPREAD);
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, NULL);
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  for (gsize i = 0; reader != NULL && frame != NULL && i < n_looks; i++) {
    const gsize number =
        n_looks == n || i < N_FIRST ? i : N_FIRST + (i - N_FIRST) * (n - 1 - N_FIRST) / (N_SPREAD - 1);
    const double expected = first + (double)number * step;
    if (!debye_trajectory_reader_read(reader, number, frame, NULL))
      return TRUE;
    if (fabs(frame->time - expected) > UNEVEN * fabs(step) + ROUNDED * fabs(expected))
      return FALSE;
  }
  return TRUE;
}
