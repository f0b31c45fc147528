/* SPDX-License-Identifier: MIT */
/* Mean, minimum, maximum or standard deviation of each point of a map over frames, in double precision. */
#pragma once

#include "app/analysis/driver/frame_blocks.h"

typedef enum {
  DEBYE_MAP_MEAN,
  DEBYE_MAP_MINIMUM,
  DEBYE_MAP_MAXIMUM,
  DEBYE_MAP_DEVIATION,
} DebyeMapStatistic;

gsize debye_map_statistic_bytes_per_point(DebyeMapStatistic statistic, gboolean has_error);

typedef struct _DebyeMapAccumulator DebyeMapAccumulator;

/* NULL when there isn't the memory. `blocks`, for the mean only: those of the standard error. */
DebyeMapAccumulator *debye_map_accumulator_new(DebyeMapStatistic statistic, gsize n_points,
                                               DebyeFrameBlocks blocks);
void debye_map_accumulator_free(DebyeMapAccumulator *accumulator);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeMapAccumulator, debye_map_accumulator_free)
/* One frame's map, in one of the two precisions; the other is NULL. */
void debye_map_accumulator_add(DebyeMapAccumulator *accumulator, const float *single, const double *twice);
/* Adds the frames of another accumulator of the same kind, without blocks: lanes keep one each. Where
 * `accumulator` has blocks, the frames are of the one under way. */
void debye_map_accumulator_merge(DebyeMapAccumulator *accumulator, const DebyeMapAccumulator *other);
/* Before that frame is added, of those that are asked for and not only of those that could be used, and when
 * all are behind: ends the block of the frames before, where it ends there. */
void debye_map_accumulator_reach(DebyeMapAccumulator *accumulator, gsize frame);
void debye_map_accumulator_list_state(DebyeMapAccumulator *accumulator, DebyeFrameState *state);
/* Back to no frames. */
void debye_map_accumulator_clear(DebyeMapAccumulator *accumulator);
gsize debye_map_accumulator_get_n_frames(const DebyeMapAccumulator *accumulator);
/* The statistic of the frames so far, times `scale`. At least one frame. */
void debye_map_accumulator_get(const DebyeMapAccumulator *accumulator, double scale, float *values);
const DebyeFrameBlocksProgress *debye_map_accumulator_get_blocks(const DebyeMapAccumulator *accumulator);
/* The standard error of the mean from the spread of the means of whole blocks of successive frames (Flyvbjerg
 * & Petersen, J. Chem. Phys. 91 (1989) 461): honest once a block is longer than the correlation in time. At
 * least two of them. */
void debye_map_accumulator_get_error(const DebyeMapAccumulator *accumulator, double scale, float *values);
