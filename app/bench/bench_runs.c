/* SPDX-License-Identifier: MIT */
/* Counts and times the runs of a ladder's step; called by bench_ladder*.c. */
#include "bench_runs.h"

#include "bench_power.h"

#include <math.h>

/* A race over 100,000 atoms takes 5 s on an H200: it isn't repeated while a class waits. */
#define MAX_SECONDS 3.0
#define LEAST_SECONDS 1e-9 /* of a clock that didn't move */

DebyeBenchRuns
debye_bench_runs_begin(guint n_wanted, gboolean warms_up, const char *device)
{
  return (DebyeBenchRuns){
      .n_wanted = n_wanted, .warms_up = warms_up, .best = INFINITY, .meter = debye_bench_power_start(device)};
}

static guint
count_ones(const DebyeBenchRuns *self)
{
  return self->warms_up && self->n > 1 ? self->n - 1 : self->n;
}

gboolean
debye_bench_runs_want_more(const DebyeBenchRuns *self)
{
  if (self->n > 0 && self->spent >= MAX_SECONDS)
    return FALSE;
  return self->n < self->n_wanted + (self->warms_up ? 1 : 0) || debye_bench_power_is_short(self->meter);
}

gboolean
debye_bench_runs_note(DebyeBenchRuns *self, double seconds)
{
  /* What warmed up stood for all until now. */
  if (self->warms_up && self->n == 1) {
    self->best = INFINITY;
    self->worst = 0.0;
  }
  self->n++;
  self->spent += seconds;
  self->worst = MAX(self->worst, seconds);
  if (!(seconds < self->best))
    return FALSE;
  self->best = MAX(seconds, LEAST_SECONDS);
  return TRUE;
}

void
debye_bench_runs_end(DebyeBenchRuns *self, double whole, DebyeBenchResult *result)
{
  const DebyeBenchPower power = debye_bench_power_stop(g_steal_pointer(&self->meter));
  if (result == NULL)
    return;
  *result = (DebyeBenchResult){.seconds = self->best * whole,
                               .fastest = self->best * whole,
                               .slowest = self->worst * whole,
                               .n_repeats = count_ones(self),
                               .whole = whole,
                               .power = power};
}
