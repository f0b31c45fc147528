/* SPDX-License-Identifier: MIT */
/* Accumulates mean, extremes or deviation of a map over frames; called by the runs of maps. */
#include "map_statistic.h"

#include <math.h>

#include "kernels/chunk_threads.h"

#define CHUNK_POINTS 65536 /* half a megabyte of each array: more than a thread costs */

struct _DebyeMapAccumulator {
  DebyeMapStatistic statistic;
  gsize n_points;
  guint64 n_frames;
  gboolean
      is_blank; /* nothing is written yet: a first frame that is written is half the work of one that is added */
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

/* --- Loops over points, on all cores: one alone can't keep up with a GPU's maps --- */

typedef struct _PointLoop PointLoop;
typedef void (*PointFunc)(const PointLoop *loop, gsize first, gsize end);

struct _PointLoop {
  PointFunc function;
  DebyeMapAccumulator *accumulator;
  const DebyeMapAccumulator *other; /* that is merged into it */
  const float *single;              /* one of these: a frame's values … */
  const double *twice;
  float *values; /* … or what comes of all */
  double scale;
  gsize length; /* of the block that has ended, in frames */
};

static void
run_chunk(void *context, size_t chunk)
{
  const PointLoop *loop = context;
  const gsize first = chunk * CHUNK_POINTS;
  loop->function(loop, first, MIN(first + CHUNK_POINTS, loop->accumulator->n_points));
}

static void
run_loop(PointLoop loop)
{
  debye_chunk_threads_run((loop.accumulator->n_points + CHUNK_POINTS - 1) / CHUNK_POINTS, run_chunk, &loop);
}

/* Of no frames: any value is less, or more. */
static void
begin_points(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  double *const zeros[] = {accumulator->squares, accumulator->block, accumulator->block_mean};
  const double nothing = accumulator->statistic == DEBYE_MAP_MINIMUM   ? INFINITY
                         : accumulator->statistic == DEBYE_MAP_MAXIMUM ? -INFINITY
                                                                       : 0.0;
  for (gsize i = first; i < end; i++)
    accumulator->value[i] = nothing;
  for (gsize k = 0; k < G_N_ELEMENTS(zeros); k++)
    for (gsize i = first; zeros[k] != NULL && i < end; i++)
      zeros[k][i] = 0.0;
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
    accumulator->squares = g_try_new(double, n_points);
  if (has_blocks) {
    accumulator->block = g_try_new(double, n_points);
    accumulator->block_mean = g_try_new(double, n_points);
  }
  if (accumulator->value == NULL ||
      ((statistic == DEBYE_MAP_DEVIATION || has_blocks) && accumulator->squares == NULL) ||
      (has_blocks && (accumulator->block == NULL || accumulator->block_mean == NULL)))
    return NULL;
  accumulator->is_blank = TRUE;
  return g_steal_pointer(&accumulator);
}

static void
begin_if_blank(DebyeMapAccumulator *accumulator)
{
  if (accumulator->is_blank)
    run_loop((PointLoop){.function = begin_points, .accumulator = accumulator});
  accumulator->is_blank = FALSE;
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
value_at(const PointLoop *loop, gsize i)
{
  return loop->twice != NULL ? loop->twice[i] : (double)loop->single[i];
}

static void
add_extreme(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  double sign = accumulator->statistic == DEBYE_MAP_MINIMUM ? -1.0 : 1.0;
  for (gsize i = first; i < end; i++) {
    double value = value_at(loop, i);
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
add_deviation(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  for (gsize i = first; i < end; i++)
    update_spread(&accumulator->value[i], &accumulator->squares[i], value_at(loop, i),
                  (double)accumulator->n_frames);
}

static void
add_to_mean(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  for (gsize i = first; i < end; i++)
    accumulator->value[i] += value_at(loop, i);
  if (accumulator->block == NULL)
    return;
  for (gsize i = first; i < end; i++)
    accumulator->block[i] += value_at(loop, i);
}

/* The first of a mean without blocks: as if it were added to zero. */
static void
write_mean(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  for (gsize i = first; i < end; i++)
    accumulator->value[i] = 0.0 + value_at(loop, i);
}

void
debye_map_accumulator_add(DebyeMapAccumulator *accumulator, const float *single, const double *twice)
{
  static const PointFunc functions[] = {[DEBYE_MAP_MEAN] = add_to_mean,
                                        [DEBYE_MAP_MINIMUM] = add_extreme,
                                        [DEBYE_MAP_MAXIMUM] = add_extreme,
                                        [DEBYE_MAP_DEVIATION] = add_deviation};
  const gboolean is_written =
      accumulator->is_blank && accumulator->statistic == DEBYE_MAP_MEAN && accumulator->block == NULL;
  if (is_written)
    accumulator->is_blank = FALSE;
  else
    begin_if_blank(accumulator);
  accumulator->n_frames++;
  accumulator->progress.n_frames++;
  run_loop((PointLoop){.function = is_written ? write_mean : functions[accumulator->statistic],
                       .accumulator = accumulator,
                       .single = single,
                       .twice = twice});
}

/* Two spreads made one: Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242. */
static void
merge_deviation(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  const DebyeMapAccumulator *other = loop->other;
  double mine = (double)accumulator->n_frames, theirs = (double)other->n_frames, all = mine + theirs;
  for (gsize i = first; i < end; i++) {
    double apart = other->value[i] - accumulator->value[i];
    accumulator->value[i] += apart * theirs / all;
    accumulator->squares[i] += other->squares[i] + apart * apart * mine * theirs / all;
  }
}

static void
merge_extreme(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  const DebyeMapAccumulator *other = loop->other;
  double sign = accumulator->statistic == DEBYE_MAP_MINIMUM ? -1.0 : 1.0;
  for (gsize i = first; i < end; i++)
    if (sign * other->value[i] > sign * accumulator->value[i])
      accumulator->value[i] = other->value[i];
}

static void
merge_mean(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  const DebyeMapAccumulator *other = loop->other;
  for (gsize i = first; i < end; i++)
    accumulator->value[i] += other->value[i];
  for (gsize i = first; accumulator->block != NULL && i < end; i++)
    accumulator->block[i] += other->value[i];
}

void
debye_map_accumulator_merge(DebyeMapAccumulator *accumulator, const DebyeMapAccumulator *other)
{
  static const PointFunc functions[] = {[DEBYE_MAP_MEAN] = merge_mean,
                                        [DEBYE_MAP_MINIMUM] = merge_extreme,
                                        [DEBYE_MAP_MAXIMUM] = merge_extreme,
                                        [DEBYE_MAP_DEVIATION] = merge_deviation};
  g_return_if_fail(accumulator->statistic == other->statistic && accumulator->n_points == other->n_points);
  g_return_if_fail(other->block == NULL);
  if (other->n_frames == 0)
    return;
  begin_if_blank(accumulator);
  run_loop(
      (PointLoop){.function = functions[accumulator->statistic], .accumulator = accumulator, .other = other});
  accumulator->n_frames += other->n_frames;
  accumulator->progress.n_frames += other->n_frames;
}

static void
end_block(const PointLoop *loop, gsize first, gsize end)
{
  DebyeMapAccumulator *accumulator = loop->accumulator;
  for (gsize i = first; i < end; i++) {
    update_spread(&accumulator->block_mean[i], &accumulator->squares[i],
                  accumulator->block[i] / (double)loop->length, (double)accumulator->progress.n_whole);
    accumulator->block[i] = 0.0;
  }
}

void
debye_map_accumulator_reach(DebyeMapAccumulator *accumulator, gsize frame)
{
  const gsize length = debye_frame_blocks_reach(&accumulator->progress, frame);
  if (length > 0)
    run_loop((PointLoop){.function = end_block, .accumulator = accumulator, .length = length});
}

void
debye_map_accumulator_list_state(DebyeMapAccumulator *accumulator, DebyeFrameState *state)
{
  static const DebyeFrameStateKind kinds[] = {[DEBYE_MAP_MEAN] = DEBYE_STATE_SUM,
                                              [DEBYE_MAP_MINIMUM] = DEBYE_STATE_LEAST,
                                              [DEBYE_MAP_MAXIMUM] = DEBYE_STATE_MOST};
  const gsize n = accumulator->n_points;
  begin_if_blank(accumulator); /* the state of others may be added */
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
  accumulator->is_blank = TRUE;
  accumulator->n_frames = 0;
  accumulator->progress = (DebyeFrameBlocksProgress){.blocks = accumulator->progress.blocks};
}

gsize
debye_map_accumulator_get_n_frames(const DebyeMapAccumulator *accumulator)
{
  return accumulator->n_frames;
}

static void
get_values(const PointLoop *loop, gsize first, gsize end)
{
  const DebyeMapAccumulator *accumulator = loop->accumulator;
  const double n_frames = (double)accumulator->n_frames;
  for (gsize i = first; i < end; i++) {
    double value = accumulator->value[i];
    if (accumulator->statistic == DEBYE_MAP_MEAN)
      value /= n_frames;
    else if (accumulator->statistic == DEBYE_MAP_DEVIATION)
      value = sqrt(accumulator->squares[i] / n_frames);
    loop->values[i] = (float)(value * loop->scale);
  }
}

void
debye_map_accumulator_get(const DebyeMapAccumulator *accumulator, double scale, float *values)
{
  run_loop((PointLoop){.function = get_values,
                       .accumulator = (DebyeMapAccumulator *)accumulator,
                       .values = values,
                       .scale = scale});
}

const DebyeFrameBlocksProgress *
debye_map_accumulator_get_blocks(const DebyeMapAccumulator *accumulator)
{
  return &accumulator->progress;
}

static void
get_errors(const PointLoop *loop, gsize first, gsize end)
{
  const double n_blocks = (double)loop->accumulator->progress.n_whole;
  for (gsize i = first; i < end; i++)
    loop->values[i] =
        (float)(loop->scale * sqrt(loop->accumulator->squares[i] / (n_blocks - 1.0) / n_blocks));
}

void
debye_map_accumulator_get_error(const DebyeMapAccumulator *accumulator, double scale, float *values)
{
  run_loop((PointLoop){.function = get_errors,
                       .accumulator = (DebyeMapAccumulator *)accumulator,
                       .values = values,
                       .scale = fabs(scale)});
}
