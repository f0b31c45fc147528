/* SPDX-License-Identifier: MIT */
/* A job in blocks of rows of q: what is done is written to the file that the setting “continue” names, block
 * by block, so that a run that is killed leaves it, and the next one computes the rest. Without that setting
 * there is one block. */
#pragma once

#include "analysis.h"

G_BEGIN_DECLS

typedef struct {
  const char *path;            /* borrowed; NULL: nothing is written */
  double interval;             /* s, from one file to the next */
  gboolean divisible;          /* a row costs work of its own: else blocks would repeat what all rows share */
  gsize n_all, n_done, n_next; /* rows: of the job, finished, of the block at hand */
  gint64 begun;
  const DebyeRunInput *input;
  DebyeRunCallbacks callbacks; /* for a block: its progress is a part of the job's */
} DebyeScatteringBlocks;

/* Of `n_all` rows `n_done` are there. The blocks are given to their own callbacks as data: they stay where
 * they are. */
void debye_scattering_blocks_begin(DebyeScatteringBlocks *blocks, const DebyeRunInput *input, gsize n_all,
                                   gsize n_done, gboolean divisible);
/* How many of the rows that are left come next; 0: all are done. As many as took about the interval before;
 * the same in all processes that share the job. */
gsize debye_scattering_blocks_next(DebyeScatteringBlocks *blocks);
/* That block is done: `result` has all rows so far. FALSE with an error where it can't be written. */
gboolean debye_scattering_blocks_save(DebyeScatteringBlocks *blocks, DebyeResult *result, GError **error);
/* The error of a job that was stopped: the rows that are done stay in the file. */
void debye_scattering_blocks_set_stopped(const DebyeScatteringBlocks *blocks, GError **error);

/* A copy without what only says how the job is done, for the result: “continue” and “save-every”. */
DebyeRequest *debye_scattering_blocks_strip(DebyeRequest *request);

G_END_DECLS
