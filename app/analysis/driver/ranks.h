/* SPDX-License-Identifier: MIT */
/* Processes that do one job together, on one machine or many: each takes a part of the frames, then all have
 * the sums over all. What they talk through is the program's business. */
#pragma once

#include "data/trajectory/frame_stream.h"

/* All processes call these functions in the same order, with as many values. NULL where there is one process. A process that
 * has failed ends the others here: they don't come back. */
typedef struct {
  guint rank, n_ranks;        /* n_ranks 1: alone */
  guint node_rank, n_on_node; /* the same among those of this process' machine */
  /* Each value becomes the sum of all processes' there, or the least, in all of them. */
  void (*sum)(double *values, gsize n);
  void (*least)(double *values, gsize n);
  /* Every process' text, in order. */
  GStrv (*gather)(const char *text);
} DebyeRanks;

/* A process' frames of n_frames in a range: successive ones. */
typedef struct {
  gsize first, n; /* numbers within the range */
  DebyeFrameRange range;
} DebyeRankShare;

/* `ranks` NULL: none but this one. */
gboolean debye_ranks_are_several(const DebyeRanks *ranks);
/* A process' part of n_frames: in proportion to the processes' speeds; NULL: alike. `ranks` NULL: all. */
DebyeRankShare debye_ranks_get_share(const DebyeRanks *ranks, const double *speeds,
                                     const DebyeFrameRange *range, gsize n_frames);

/* Of every process, from each one's own: items a second, 0: not known yet, which counts as the slowest. To be freed. */
double *debye_ranks_share_speeds(const DebyeRanks *ranks, double own);
