/* SPDX-License-Identifier: MIT */
/* Accumulates voxels and bins over frames; called by density_analysis.c, ligands_analysis.c and their results. */
#include "density_statistic.h"

#include <math.h>

#include "kernels/chunk_threads.h"
#include "kernels/host_memory.h"

/* One core alone takes longer for a map of 10 million voxels than a GPU and 16 readers for the rest of a frame. */
#define CHUNK_VALUES 65536

gsize
debye_density_statistic_bytes(DebyeFrameBlocks blocks)
{
  return (blocks.n_blocks > 0 ? 4 : 1) * sizeof(double);
}

static double *
make_values(gsize n)
{
  double *values = g_try_new0(double, n);
  debye_host_memory_prefer_large_pages(values, n * sizeof *values);
  return values;
}

gboolean
debye_density_statistic_init(DebyeDensityStatistic *statistic, gsize n, DebyeFrameBlocks blocks)
{
  statistic->n = n;
  statistic->progress.blocks = blocks;
  statistic->total = make_values(n);
  if (blocks.n_blocks == 0)
    return statistic->total != NULL;
  statistic->block = make_values(n);
  statistic->block_mean = make_values(n);
  statistic->squares = make_values(n);
  return statistic->total != NULL && statistic->block != NULL && statistic->block_mean != NULL &&
         statistic->squares != NULL;
}

void
debye_density_statistic_clear(DebyeDensityStatistic *statistic)
{
  g_clear_pointer(&statistic->total, g_free);
  g_clear_pointer(&statistic->block, g_free);
  g_clear_pointer(&statistic->block_mean, g_free);
  g_clear_pointer(&statistic->squares, g_free);
}

static void
count_frames(DebyeDensityStatistic *statistic, gsize n_frames)
{
  statistic->n_frames += n_frames;
  statistic->progress.n_frames += n_frames;
}

/* --- Loops over values, on all cores --- */

typedef struct _ValueLoop ValueLoop;

struct _ValueLoop {
  void (*function)(const ValueLoop *loop, gsize first, gsize end);
  DebyeDensityStatistic *statistic;
  const gint64 *counts; /* one of these */
  const double *sums;
  double unit; /* of the counts */
  /* So that what is there is 0 and is not looked at: the system has no such pages yet, and enters them twice where they
   * are read before they are written, each time with all cores stopped. */
  gboolean first;
  gsize length; /* of the block that has ended, in frames */
};

static void
run_chunk(void *context, size_t chunk)
{
  const ValueLoop *loop = context;
  const gsize first = chunk * CHUNK_VALUES;
  loop->function(loop, first, MIN(first + CHUNK_VALUES, loop->statistic->n));
}

static void
run_loop(ValueLoop loop)
{
  debye_chunk_threads_run((loop.statistic->n + CHUNK_VALUES - 1) / CHUNK_VALUES, run_chunk, &loop);
}

static void
add_values(const ValueLoop *loop, gsize first, gsize end)
{
  DebyeDensityStatistic *statistic = loop->statistic;
  for (gsize i = first; i < end; i++) {
    const double sum = loop->counts != NULL ? (double)loop->counts[i] / loop->unit : loop->sums[i];
    statistic->total[i] = loop->first ? sum : statistic->total[i] + sum;
    if (statistic->block != NULL)
      statistic->block[i] = loop->first ? sum : statistic->block[i] + sum;
  }
}

static void
end_block(const ValueLoop *loop, gsize first, gsize end)
{
  DebyeDensityStatistic *statistic = loop->statistic;
  for (gsize i = first; i < end; i++) {
    const double mean = statistic->block[i] / (double)loop->length,
                 known = loop->first ? 0.0 : statistic->block_mean[i], before = mean - known;
    statistic->block_mean[i] = known + before / (double)statistic->progress.n_whole;
    const double square = before * (mean - statistic->block_mean[i]);
    statistic->squares[i] = loop->first ? square : statistic->squares[i] + square;
    statistic->block[i] = 0.0;
  }
}

void
debye_density_statistic_add_counts(DebyeDensityStatistic *statistic, const gint64 *sums, double unit,
                                   gsize n_frames)
{
  const gboolean first = statistic->n_frames == 0;
  count_frames(statistic, n_frames);
  run_loop((ValueLoop){add_values, statistic, .counts = sums, .unit = unit, .first = first});
}

void
debye_density_statistic_add(DebyeDensityStatistic *statistic, const double *sums, gsize n_frames)
{
  const gboolean first = statistic->n_frames == 0;
  count_frames(statistic, n_frames);
  run_loop((ValueLoop){add_values, statistic, .sums = sums, .first = first});
}

void
debye_density_statistic_reach(DebyeDensityStatistic *statistic, gsize place)
{
  const gsize length = debye_frame_blocks_reach(&statistic->progress, place);
  if (length > 0)
    run_loop((ValueLoop){end_block, statistic, .length = length, .first = statistic->progress.n_whole == 1});
}

void
debye_density_statistic_list_state(DebyeDensityStatistic *statistic, DebyeFrameState *state)
{
  const gsize n = statistic->n;
  debye_frame_state_add_counts(state, "frames_of_density", DEBYE_STATE_SUM, &statistic->n_frames, 1);
  debye_frame_state_add(state, "total", DEBYE_STATE_SUM, statistic->total, n);
  if (statistic->block == NULL)
    return;
  debye_frame_state_add(state, "block", DEBYE_STATE_SUM, statistic->block, n);
  debye_frame_state_add(state, "block_mean", DEBYE_STATE_KEPT, statistic->block_mean, n);
  debye_frame_state_add(state, "block_squares", DEBYE_STATE_KEPT, statistic->squares, n);
  debye_frame_blocks_list_state(&statistic->progress, "", state);
}

double
debye_density_statistic_get_mean(const DebyeDensityStatistic *statistic, gsize i)
{
  return statistic->total[i] / (double)statistic->n_frames;
}

double
debye_density_statistic_get_error(const DebyeDensityStatistic *statistic, gsize i)
{
  const double n = (double)statistic->progress.n_whole;
  return n >= 2.0 ? sqrt(statistic->squares[i] / (n - 1.0) / n) : NAN;
}
