/* SPDX-License-Identifier: MIT */
/* Sums of voxels or bins over frames, and from the spread of blocks' means their standard errors, in double. */
#pragma once

#include "app/analysis/driver/frame_blocks.h"

typedef struct {
  gsize n;
  guint64 n_frames;
  double *total;
  DebyeFrameBlocksProgress progress;
  double *block;                /* sum of the block under way; NULL: no blocks */
  double *block_mean, *squares; /* Welford's, of the whole blocks */
} DebyeDensityStatistic;

/* Bytes of each value. */
gsize debye_density_statistic_bytes(DebyeFrameBlocks blocks);
/* All zero before; FALSE without the memory. */
gboolean debye_density_statistic_init(DebyeDensityStatistic *statistic, gsize n, DebyeFrameBlocks blocks);
void debye_density_statistic_clear(DebyeDensityStatistic *statistic);
/* The sums of so many frames, of one block. */
void debye_density_statistic_add_counts(DebyeDensityStatistic *statistic, const gint64 *sums, double unit,
                                        gsize n_frames);
void debye_density_statistic_add(DebyeDensityStatistic *statistic, const double *sums, gsize n_frames);
/* All frames before that place are behind. */
void debye_density_statistic_reach(DebyeDensityStatistic *statistic, gsize place);
void debye_density_statistic_list_state(DebyeDensityStatistic *statistic, DebyeFrameState *state);
/* Of one value; the error is NAN with fewer than two whole blocks. */
double debye_density_statistic_get_mean(const DebyeDensityStatistic *statistic, gsize i);
double debye_density_statistic_get_error(const DebyeDensityStatistic *statistic, gsize i);
