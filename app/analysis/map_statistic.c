/* SPDX-License-Identifier: MIT */
/* Statistics over frames, see map_statistic.h. */
#include "map_statistic.h"

#include <math.h>

struct _DebyeMapAccumulator {
  DebyeMapStatistic statistic;
  gsize n_points, n_frames;
  double *value;   /* sum of the frames for the mean; the extreme; Welford's running mean for the deviation */
  double *squares; /* Welford's sum of squared deviations; NULL otherwise */
};

DebyeMapStatistic
debye_map_statistic_parse(const char *text)
{
  if (g_strcmp0(text, "min") == 0)
    return DEBYE_MAP_MINIMUM;
  if (g_strcmp0(text, "max") == 0)
    return DEBYE_MAP_MAXIMUM;
  return g_strcmp0(text, "std") == 0 ? DEBYE_MAP_DEVIATION : DEBYE_MAP_MEAN;
}

gsize
debye_map_statistic_bytes_per_point(DebyeMapStatistic statistic)
{
  return (statistic == DEBYE_MAP_DEVIATION ? 2 : 1) * sizeof(double);
}

DebyeMapAccumulator *
debye_map_accumulator_new(DebyeMapStatistic statistic, gsize n_points)
{
  g_autoptr(DebyeMapAccumulator) accumulator = g_new0(DebyeMapAccumulator, 1);
  accumulator->statistic = statistic;
  accumulator->n_points = n_points;
  accumulator->value = g_try_new0(double, n_points);
  if (statistic == DEBYE_MAP_DEVIATION)
    accumulator->squares = g_try_new0(double, n_points);
  if (accumulator->value == NULL || (statistic == DEBYE_MAP_DEVIATION && accumulator->squares == NULL))
    return NULL;
  return g_steal_pointer(&accumulator);
}

void
debye_map_accumulator_free(DebyeMapAccumulator *accumulator)
{
  if (accumulator == NULL)
    return;
  g_free(accumulator->value);
  g_free(accumulator->squares);
  g_free(accumulator);
}

static inline double
value_at(const float *single, const double *twice, gsize i)
{
  return twice != NULL ? twice[i] : (double)single[i];
}

static void
add_extreme(DebyeMapAccumulator *accumulator, const float *single, const double *twice)
{
  double sign = accumulator->statistic == DEBYE_MAP_MINIMUM ? -1.0 : 1.0;
  for (gsize i = 0; i < accumulator->n_points; i++) {
    double value = value_at(single, twice, i);
    if (accumulator->n_frames == 1 || sign * value > sign * accumulator->value[i])
      accumulator->value[i] = value;
  }
}

/* Welford's update: no cancellation where the mean is large against the spread. */
static void
add_deviation(DebyeMapAccumulator *accumulator, const float *single, const double *twice)
{
  double weight = 1.0 / (double)accumulator->n_frames;
  for (gsize i = 0; i < accumulator->n_points; i++) {
    double value = value_at(single, twice, i);
    double before = value - accumulator->value[i];
    accumulator->value[i] += before * weight;
    accumulator->squares[i] += before * (value - accumulator->value[i]);
  }
}

void
debye_map_accumulator_add(DebyeMapAccumulator *accumulator, const float *single, const double *twice)
{
  accumulator->n_frames++;
  switch (accumulator->statistic) {
  case DEBYE_MAP_MEAN:
    for (gsize i = 0; i < accumulator->n_points; i++)
      accumulator->value[i] += value_at(single, twice, i);
    break;
  case DEBYE_MAP_MINIMUM:
  case DEBYE_MAP_MAXIMUM:
    add_extreme(accumulator, single, twice);
    break;
  case DEBYE_MAP_DEVIATION:
    add_deviation(accumulator, single, twice);
    break;
  }
}

gsize
debye_map_accumulator_get_n_frames(const DebyeMapAccumulator *accumulator)
{
  return accumulator->n_frames;
}

void
debye_map_accumulator_get(const DebyeMapAccumulator *accumulator, double scale, float *values)
{
  double n_frames = (double)accumulator->n_frames;
  for (gsize i = 0; i < accumulator->n_points; i++) {
    double value = accumulator->value[i];
    if (accumulator->statistic == DEBYE_MAP_MEAN)
      value /= n_frames;
    else if (accumulator->statistic == DEBYE_MAP_DEVIATION)
      value = sqrt(accumulator->squares[i] / n_frames);
    values[i] = (float)(value * scale);
  }
}
