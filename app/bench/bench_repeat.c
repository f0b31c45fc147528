/* SPDX-License-Identifier: MIT */
/* Repeats a run until its median is steady; called for every kernel that bench_case.c times. */
#include "bench_repeat.h"

#include <math.h>

#define LEAST_RUNS 5
#define MAX_RUNS 1000
#define LEAST_SECONDS 0.1 /* shorter and a clock that still rises is all that is seen */
#define MAX_SECONDS 3.0
#define STEADY 0.02 /* standard error of the median, relative to it */

static gint64
get_now(const DebyeBenchRepeats *repeats)
{
  return repeats->now != NULL ? repeats->now() : g_get_monotonic_time();
}

static int
compare(gconstpointer a, gconstpointer b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double
find_quantile(const GArray *sorted, double part)
{
  const double place = part * (double)(sorted->len - 1);
  const guint below = (guint)place, above = MIN(below + 1, sorted->len - 1);
  const double low = g_array_index(sorted, double, below), high = g_array_index(sorted, double, above);
  return low + (place - (double)below) * (high - low);
}

static DebyeBenchTime
summarise(const GArray *seconds)
{
  return (DebyeBenchTime){
      .median = find_quantile(seconds, 0.5),
      .fastest = g_array_index(seconds, double, 0),
      .slowest = g_array_index(seconds, double, seconds->len - 1),
      .n = seconds->len,
  };
}

/* From the quartiles, which a single run that another program delayed doesn't move: the median of n values
 * of a normal distribution errs by 1.25 σ/√n, and σ is the quartiles' distance over 1.35. */
static gboolean
is_steady(const GArray *seconds)
{
  const double spread = find_quantile(seconds, 0.75) - find_quantile(seconds, 0.25);
  return 1.25 / 1.35 * spread / sqrt((double)seconds->len) <= STEADY * find_quantile(seconds, 0.5);
}

static gboolean
is_enough(const DebyeBenchRepeats *repeats, const GArray *seconds, double sum)
{
  if (repeats->cancel != NULL && *repeats->cancel)
    return TRUE;
  if (repeats->is_short != NULL && repeats->is_short(repeats->watch))
    return FALSE;
  if (repeats->n > 0)
    return seconds->len >= repeats->n;
  if (sum >= (repeats->max_seconds > 0.0 ? repeats->max_seconds : MAX_SECONDS) || seconds->len >= MAX_RUNS)
    return TRUE;
  return seconds->len >= LEAST_RUNS && sum >= LEAST_SECONDS && is_steady(seconds);
}

gboolean
debye_bench_repeat(const DebyeBenchRepeats *repeats, DebyeBenchRun run, gpointer data, DebyeBenchTime *time,
                   GError **error)
{
  g_autoptr(GArray) seconds = g_array_new(FALSE, FALSE, sizeof(double));
  double sum = 0.0;
  if (!run(data, error))
    return FALSE;
  if (repeats->begin != NULL)
    repeats->begin(repeats->watch);
  do {
    const gint64 start = get_now(repeats);
    if (!run(data, error))
      return FALSE;
    const double passed = (double)MAX(get_now(repeats) - start, 1) / G_USEC_PER_SEC;
    g_array_append_val(seconds, passed);
    g_array_sort(seconds, compare);
    sum += passed;
  } while (!is_enough(repeats, seconds, sum));
  *time = summarise(seconds);
  return TRUE;
}
