/* SPDX-License-Identifier: MIT */
/* Processes that do one job together, on one machine or many: each takes a part of the frames, then all have
 * the sums over all. What they talk through is the program's business. */
#pragma once

#include "data/trajectory/frame_stream.h"

G_BEGIN_DECLS

typedef struct {
  guint rank, n_ranks; /* n_ranks 1: alone */
  /* Each value becomes the sum of all processes' there, in all of them. All call it in the same order, with
   * as many values. NULL where there is one process. */
  void (*sum)(double *values, gsize n);
} DebyeRanks;

/* A process' frames of n_frames in a range: successive ones. */
typedef struct {
  gsize first, n; /* numbers within the range */
  DebyeFrameRange range;
} DebyeRankShare;

/* `ranks` NULL: all. */
DebyeRankShare debye_ranks_get_share(const DebyeRanks *ranks, const DebyeFrameRange *range, gsize n_frames);

G_END_DECLS
