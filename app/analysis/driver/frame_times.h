/* SPDX-License-Identifier: MIT */
/* Whether frames follow each other in time: what scattering in time and mean square displacements ask of each
 * frame. */
#pragma once

#include <math.h>

#include <glib.h>

typedef enum {
  DEBYE_TIME_FOLLOWS,  /* a step later, or nobody knows */
  DEBYE_TIME_ANEW,     /* the clock begins anew, as with another file: at the first frame's time or before */
  DEBYE_TIME_REPEATED, /* the same moment */
  DEBYE_TIME_UNEVEN, /* by another step, or back into what was there: a run that went on from a checkpoint */
} DebyeTimeFollows;

/* Steps of time that differ by less are the same: files round their times, and single precision does. */
#define DEBYE_TIME_EVEN_STEP 1e-2
#define DEBYE_TIME_ROUNDED 2.5e-7

/* Of a frame at `time` and the one before it; `first`: of the first one of all; `step` 0: not known. All in
 * ps. */
static inline DebyeTimeFollows
debye_frame_times_judge(double first, double last, double time, double step)
{
  const double passed = time - last, room = DEBYE_TIME_EVEN_STEP * step + DEBYE_TIME_ROUNDED * fabs(time);
  if (!(step > 0.0) || !isfinite(passed) || fabs(passed - step) <= room)
    return DEBYE_TIME_FOLLOWS;
  if (fabs(passed) <= room)
    return DEBYE_TIME_REPEATED;
  return passed < 0.0 && time <= first + step + room ? DEBYE_TIME_ANEW : DEBYE_TIME_UNEVEN;
}

/* How many such frames there are, the first of them, and the step that frames go on with. */
#define DEBYE_NOTE_CLOCK                                                                   \
  "Times: restarts of the clock: %" G_GSIZE_FORMAT ", the first in frame %" G_GSIZE_FORMAT \
  "; the frames are treated as successive, %s ps apart"
