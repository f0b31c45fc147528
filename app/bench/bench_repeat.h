/* SPDX-License-Identifier: MIT */
/* The loop of all benchmarks, called by the cases (bench_case.h): repeats until the median of the times is steady. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
  guint n;                     /* so often; 0: until the median is steady, or max_seconds have passed */
  double max_seconds;          /* 0: 3 */
  const volatile bool *cancel; /* or NULL */
  gint64 (*now)(void);         /* µs, for tests; NULL: the monotonic clock */
  /* What is watched meanwhile, or NULL: begun once caches are warm; a watch that is short is given more runs. */
  void (*begin)(gpointer watch);
  gboolean (*is_short)(gpointer watch);
  gpointer watch;
} DebyeBenchRepeats;

/* Another program can only make a run longer: the fastest is the machine's, the median what a person gets. */
typedef struct {
  double median, fastest, slowest; /* s */
  guint n;
} DebyeBenchTime;

/* FALSE with an error where it could not be done; a run that is cancelled says so itself. */
typedef gboolean (*DebyeBenchRun)(gpointer data, GError **error);

/* Runs once more before, which doesn't count: it warms caches and clocks. */
gboolean debye_bench_repeat(const DebyeBenchRepeats *repeats, DebyeBenchRun run, gpointer data,
                            DebyeBenchTime *time, GError **error);
