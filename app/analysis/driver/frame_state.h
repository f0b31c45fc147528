/* SPDX-License-Identifier: MIT */
/* What a run over frames has summed so far, as a list of arrays that its analysis names. By this list alone the sums of
 * processes are joined, written into the file of a running job and read back. */
#pragma once

#include "data/results/result.h"
#include "ranks.h"

typedef enum {
  DEBYE_STATE_SUM, /* over the frames: processes' are added */
  DEBYE_STATE_LEAST,
  DEBYE_STATE_MOST,
  DEBYE_STATE_SAME, /* what the sums are of: must be the same in a file */
  DEBYE_STATE_KEPT, /* follows from what all processes had together, and is the same in each */
} DebyeFrameStateKind;

typedef struct {
  GArray *items; /* of frame_state.c */
} DebyeFrameState;

void debye_frame_state_init(DebyeFrameState *state);
void debye_frame_state_clear(DebyeFrameState *state);

/* Arrays of the caller, which stay where they are. A name is one of a table: letters, digits and “_”. */
void debye_frame_state_add(DebyeFrameState *state, const char *name, DebyeFrameStateKind kind, double *values,
                           gsize n);
/* Whole numbers below 2⁵³, which double holds. */
void debye_frame_state_add_counts(DebyeFrameState *state, const char *name, DebyeFrameStateKind kind,
                                  guint64 *values, gsize n);
/* In single precision, of kind DEBYE_STATE_KEPT. */
void debye_frame_state_add_floats(DebyeFrameState *state, const char *name, float *values, gsize n);
/* Running means of *n_frames values and sums of their squared deviations, by Welford's update; the number itself is added
 * as a sum of its own. */
void debye_frame_state_add_spread(DebyeFrameState *state, const char *name, const guint64 *n_frames,
                                  double *mean, double *squares, gsize n);

/* Nothing is summed yet; what is kept stays. */
void debye_frame_state_forget(const DebyeFrameState *state);
/* Adds what a part of the frames has summed, in a list of the same arrays without spreads; its own sums stay. */
void debye_frame_state_merge(const DebyeFrameState *state, const DebyeFrameState *part);
/* All processes then have what they have together. */
void debye_frame_state_share(const DebyeFrameState *state, const DebyeRanks *ranks);
/* One table an array, its name after DEBYE_JOB_RESTART. */
void debye_frame_state_save(const DebyeFrameState *state, DebyeResult *result);
/* NULL where all is there; else the name of an array that isn't, or has another length, or is another where it must be the
 * same (*is_other): nothing has changed then. */
const char *debye_frame_state_load(const DebyeFrameState *state, DebyeResult *result, gboolean *is_other);
