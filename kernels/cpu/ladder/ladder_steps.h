/* SPDX-License-Identifier: MIT */
/* What the table of the teaching variants on the CPU (ladder.c) is made of: the steps, the count of pairs,
 * the limits of the device. */
#pragma once

#include "kernels/ladder/ladder.h"

/* One step of the ladder: the frame's map, false where it was cancelled. `scratch` holds a float for each
 * atom. */
typedef bool (*DebyeLadderStep)(const DebyeLadderFrame *frame, float *map, float *scratch,
                                const volatile bool *cancel);

/* One evaluation at a time, one thread. */
bool debye_ladder_grid_outer(const DebyeLadderFrame *frame, float *map, float *scratch,
                             const volatile bool *cancel);
bool debye_ladder_atom_outer(const DebyeLadderFrame *frame, float *map, float *scratch,
                             const volatile bool *cancel);
bool debye_ladder_squares_before(const DebyeLadderFrame *frame, float *map, float *scratch,
                                 const volatile bool *cancel);
bool debye_ladder_unrolled(const DebyeLadderFrame *frame, float *map, float *scratch,
                           const volatile bool *cancel);
/* Tiles of atoms that stay in the first-level cache: one evaluation at a time, then with vectors. */
bool debye_ladder_blocked(const DebyeLadderFrame *frame, float *map, float *scratch,
                          const volatile bool *cancel);
bool debye_ladder_vectors(const DebyeLadderFrame *frame, float *map, float *scratch,
                          const volatile bool *cancel);
/* The same with all threads. */
bool debye_ladder_threads(const DebyeLadderFrame *frame, float *map, float *scratch,
                          const volatile bool *cancel);

/* Adds each pair to counts: without and with atomic additions. */
DebyeStatusCode debye_ladder_count_pairs(const DebyeLadderPairs *pairs, bool atomically, uint64_t *counts,
                                         double *seconds, const volatile bool *cancel, DebyeStatus *status);
DebyeStatusCode debye_cpu_measure_limits(int device, DebyeLadderLimits *limits, DebyeStatus *status);
/* A clock that never goes back, in seconds. */
double debye_ladder_now(void);
