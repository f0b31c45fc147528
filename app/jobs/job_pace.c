/* SPDX-License-Identifier: MIT */
/* The time left of a job; job.c asks at each step of its progress. */
#include "job_pace.h"

#include <math.h>

/* Before this much is done or has passed an estimate would only flicker. */
#define MINIMUM_FRACTION 0.01
#define MINIMUM_SECONDS 0.2

/* Each moment is twice as late as the one before it, so the rate is that of half the time or more. */
static void
move_on(DebyeJobPace *pace, DebyeJobMoment now)
{
  if (now.seconds < 2.0 * pace->next.seconds)
    return;
  pace->from = pace->next;
  pace->next = now;
}

double
debye_job_pace_estimate(DebyeJobPace *pace, DebyeJobMoment now)
{
  if (now.fraction < MINIMUM_FRACTION || now.seconds < MINIMUM_SECONDS)
    return NAN;
  move_on(pace, now);
  return (now.seconds - pace->from.seconds) * (1.0 - now.fraction) / (now.fraction - pace->from.fraction);
}
