/* SPDX-License-Identifier: MIT */
/* How long a job still takes, from the fraction done and the time that it took. A job's rate changes: the first frames wait for
 * files, another program takes the CPUs. The rate is therefore that of the later part, between a half and three quarters of
 * the time so far, and follows a change after as long again as the job has run. */
#pragma once

#include <glib.h>

/* A moment: seconds since the start, and the fraction done by then. */
typedef struct {
  double seconds, fraction;
} DebyeJobMoment;

/* All zero: a job that has just started. */
typedef struct {
  DebyeJobMoment from, next; /* the rate is measured since `from`; `next` takes its place */
} DebyeJobPace;

/* Seconds left at that moment, 0 at a fraction of 1; NAN while too little is known. Call it with growing moments. */
double debye_job_pace_estimate(DebyeJobPace *pace, DebyeJobMoment now);
