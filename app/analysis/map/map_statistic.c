/* SPDX-License-Identifier: MIT */
/* Accumulates mean, extremes or deviation of a map over frames; called by the runs of maps. */
#include "map_statistic.h"

#include <math.h>
#include <string.h>

struct _DebyeMapAccumulator {
  DebyeMapStatistic statistic;
  gsize n_points;
  guint64 n_frames;
  double *value;   /* sum of the frames for the mean; the extreme; Welford's running mean for the deviation */
  double *squares; /* Welford's sum of squared deviations, of frames or of blocks; NULL otherwise */
  DebyeFrameBlocksProgress progress;
  double *block;      /* sum of the block under way; NULL: no blocks */
  double *block_mean; /* Welford's running mean of the whole blocks */
};

gsize
debye_map_statistic_bytes_per_point(DebyeMapStatistic statistic, gboolean has_error)
{
  gsize n = statistic == DEBYE_MAP_DEVIATION ? 2 : has_error ? 4 : 1;
  return n * sizeof(double) + (has_error ? sizeof(float) : 0);
}

/* Of no frames: any value is less, or more. */
static void
begin_values(DebyeMapAccumulator *accumulator)
{
  const double nothing = accumulator->statistic == DEBYE_MAP_MINIMUM   ? INFINITY
                         : accumulator->statistic == DEBYE_MAP_MAXIMUM ? -INFINITY
                                                                       : 0.0;
  for (gsize i = 0; i < accumulator->n_points; i++)
    accumulator->value[i] = nothing;
}

DebyeMapAccumulator *
debye_map_accumulator_new(DebyeMapStatistic statistic, gsize n_points, DebyeFrameBlocks blocks)
{
  const gboolean has_blocks = blocks.n_blocks > 0;
  g_autoptr(DebyeMapAccumulator) accumulator = g_new0(DebyeMapAccumulator, 1);
  accumulator->statistic = statistic;
  accumulator->n_points = n_points;
  accumulator->value = g_try_new(double, n_points);
  accumulator->progress.blocks = blocks;
  if (statistic == DEBYE_MAP_DEVIATION || has_blocks)
    accumulator->squares = g_try_new0(double, n_points);
  if (has_blocks) {
    accumulator->block = g_try_new0(double, n_points);
    accumulator->block_mean = g_try_new0(double, n_points);
  }
  if (accumulator->value == NULL ||
      ((statistic == DEBYE_MAP_DEVIATION || has_blocks) && accumulator->squares == NULL) ||
      (has_blocks && (accumulator->block == NULL || accumulator->block_mean == NULL)))
    return NULL;
  begin_values(accumulator);
  return g_steal_pointer(&accumulator);
}

void
debye_map_accumulator_free(DebyeMapAccumulator *accumulator)
{
  if (accumulator == NULL)
    return;
  g_free(accumulator->value);
  g_free(accumulator->squares);
  g_free(accumulator->block);
  g_free(accumulator->block_mean);
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
    if (sign * value > sign * accumulator->value[i])
      accumulator->value[i] = value;
  }
}

/* Welford's update by the n-th value: no cancellation where the mean is large against the spread. */
static inline void
update_spread(double *mean, double *squares, double value, double n)
{
  double before = value - *mean;
  *mean += before / n;
  *squares += before * (value - *mean);
}

static void
add_deviation(DebyeMapAccumulator *accumulator, const float *single, const double *twice)
{
  for (gsize i = 0; i < accumulator->n_points; i++)
    update_spread(&accumulator->value[i], &accumulator->squares[i], value_at(single, twice, i),
                  (double)accumulator->n_frames);
}

static void
add_to_mean(DebyeMapAccumulator *accumulator, const float *single, const double *twice)
{
  for (gsize i = 0; i < accumulator->n_points; i++)
    accumulator->value[i] += value_at(single, twice, i);
  if (accumulator->block == NULL)
    return;
  for (gsize i = 0; i < accumulator->n_points; i++)
    accumulator->block[i] += value_at(single, twice, i);
}

void
debye_map_accumulator_add(DebyeMapAccumulator *accumulator, const float *single, const double *twice)
{
  accumulator->n_frames++;
  accumulator->progress.n_frames++;
  switch (accumulator->statistic) {
  case DEBYE_MAP_MEAN:
    add_to_mean(accumulator, single, twice);
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

/* Two spreads made one: Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242. */
static void
merge_deviation(DebyeMapAccumulator *accumulator, const DebyeMapAccumulator *other)
{
  double mine = (double)accumulator->n_frames, theirs = (double)other->n_frames, all = mine + theirs;
  for (gsize i = 0; i < accumulator->n_points; i++) {
    double apart = other->value[i] - accumulator->value[i];
    accumulator->value[i] += apart * theirs / all;
    accumulator->squares[i] += other->squares[i] + apart * apart * mine * theirs / all;
  }
}

static void
merge_extreme(DebyeMapAccumulator *accumulator, const DebyeMapAccumulator *other)
{
  double sign = accumulator->statistic == DEBYE_MAP_MINIMUM ? -1.0 : 1.0;
  for (gsize i = 0; i < accumulator->n_points; i++)
    if (sign * other->value[i] > sign * accumulator->value[i])
      accumulator->value[i] = other->value[i];
}

static void
merge_mean(DebyeMapAccumulator *accumulator, const DebyeMapAccumulator *other)
{
  for (gsize i = 0; i < accumulator->n_points; i++)
    accumulator->value[i] += other->value[i];
  for (gsize i = 0; accumulator->block != NULL && i < accumulator->n_points; i++)
    accumulator->block[i] += other->value[i];
}

void
debye_map_accumulator_merge(DebyeMapAccumulator *accumulator, const DebyeMapAccumulator *other)
{
  g_return_if_fail(accumulator->statistic == other->statistic && accumulator->n_points == other->n_points);
  g_return_if_fail(other->block == NULL);
  if (other->n_frames == 0)
    return;
  switch (accumulator->statistic) {
  case DEBYE_MAP_MEAN:
    merge_mean(accumulator, other);
    break;
  case DEBYE_MAP_MINIMUM:
  case DEBYE_MAP_MAXIMUM:
    merge_extreme(accumulator, other);
    break;
  case DEBYE_MAP_DEVIATION:
    merge_deviation(accumulator, other);
    break;
  }
  accumulator->n_frames += other->n_frames;
  accumulator->progress.n_frames += other->n_frames;
}

void
debye_map_accumulator_reach(DebyeMapAccumulator *accumulator, gsize frame)
{
  const gsize length = debye_frame_blocks_reach(&accumulator->progress, frame);
  for (gsize i = 0; length > 0 && i < accumulator->n_points; i++) {
    double mean = accumulator->block[i] / (double)length;
    update_spread(&accumulator->block_mean[i], &accumulator->squares[i], mean,
                  (double)accumulator->progress.n_whole);
    accumulator->block[i] = 0.0;
  }
}

void
debye_map_accumulator_list_state(DebyeMapAccumulator *accumulator, DebyeFrameState *state)
{
  static const DebyeFrameStateKind kinds[] = {[DEBYE_MAP_MEAN] = DEBYE_STATE_SUM,
                                              [DEBYE_MAP_MINIMUM] = DEBYE_STATE_LEAST,
                                              [DEBYE_MAP_MAXIMUM] = DEBYE_STATE_MOST};
  const gsize n = accumulator->n_points;
  debye_frame_state_add_counts(state, "frames_of_map", DEBYE_STATE_SUM, &accumulator->n_frames, 1);
  if (accumulator->statistic == DEBYE_MAP_DEVIATION)
    debye_frame_state_add_spread(state, "map", &accumulator->n_frames, accumulator->value,
                                 accumulator->squares, n);
  else
    debye_frame_state_add(state, "map", kinds[accumulator->statistic], accumulator->value, n);
  if (accumulator->block == NULL)
    return;
  debye_frame_state_add(state, "block", DEBYE_STATE_SUM, accumulator->block, n);
  debye_frame_state_add(state, "block_mean", DEBYE_STATE_KEPT, accumulator->block_mean, n);
  debye_frame_state_add(state, "block_squares", DEBYE_STATE_KEPT, accumulator->squares, n);
  debye_frame_blocks_list_state(&accumulator->progress, "", state);
}

void
debye_map_accumulator_clear(DebyeMapAccumulator *accumulator)
{
  gsize n_bytes = accumulator->n_points * sizeof(double);
  double *const arrays[] = {accumulator->squares, accumulator->block, accumulator->block_mean};
  begin_values(accumulator);
  for (gsize i = 0; i < G_N_ELEMENTS(arrays); i++)
    if (arrays[i] != NULL)
      memset(arrays[i], 0, n_bytes);
  accumulator->n_frames = 0;
  accumulator->progress = (DebyeFrameBlocksProgress){.blocks = accumulator->progress.blocks};
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

const DebyeFrameBlocksProgress *
debye_map_accumulator_get_blocks(const DebyeMapAccumulator *accumulator)
{
  return &accumulator->progress;
}

void
debye_map_accumulator_get_error(const DebyeMapAccumulator *accumulator, double scale, float *values)
{
  double n_blocks = (double)accumulator->progress.n_whole;
  for (gsize i = 0; i < accumulator->n_points; i++)
    values[i] = (float)(fabs(scale) * sqrt(accumulator->squares[i] / (n_blocks - 1.0) / n_blocks));
}
