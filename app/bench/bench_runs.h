/* SPDX-License-Identifier: MIT */
/* How often a step of a ladder runs, and what comes of the times: called by all families' bench_ladder*.c.
 * Production kernels repeat until their median is steady (bench_repeat.h). */
#pragma once

#include "bench.h"

typedef struct DebyeBenchPowerMeter DebyeBenchPowerMeter;

typedef struct {
  guint n, n_wanted;
  gboolean warms_up;  /* the first run isn't counted, unless it takes so long that it is the only one */
  double best, worst; /* s, of those that count; INFINITY and 0 before */
  double spent;       /* s */
  DebyeBenchPowerMeter *meter;
} DebyeBenchRuns;

/* `device` as the registry calls it. */
DebyeBenchRuns debye_bench_runs_begin(guint n_wanted, gboolean warms_up, const char *device);
/* Whether another is to follow: until `n_wanted` ran or some seconds are spent, and the driver's counter of energy has moved. */
gboolean debye_bench_runs_want_more(const DebyeBenchRuns *self);
/* TRUE where it is the best so far. */
gboolean debye_bench_runs_note(DebyeBenchRuns *self, double seconds);
/* `whole`: of all, over what one run did. Frees the meter; `result` NULL where a run failed. */
void debye_bench_runs_end(DebyeBenchRuns *self, double whole, DebyeBenchResult *result);
