/* SPDX-License-Identifier: MIT */
/* Divides a job into blocks of frames, atoms or rows of q and writes the finished part to the file of the setting “continue”
 * after each block, so that a killed run can be continued. Without that setting there is one block, or, where processes
 * share the job, as many as let each take as much of the next as it was fast. */
#pragma once

#include "analysis.h"
#include "common_settings.h"

typedef struct {
  const char *path;            /* borrowed; NULL: nothing is written */
  double interval;             /* s, from one file to the next */
  const char *unit;            /* borrowed; what the blocks are of: "rows of q" */
  gboolean divisible;          /* one costs work of its own: else blocks would repeat what all share */
  gboolean is_shared;          /* by processes, which learn from block to block how fast each is */
  gsize n_first;               /* at least, of the first block */
  gsize n_all, n_done, n_next; /* of the job, finished, of the block at hand */
  gint64 begun;
  GPtrArray *records; /* of the inputs, for all files: they are read through once; NULL: not yet */
  const DebyeRunInput *input;
  DebyeRunCallbacks callbacks; /* for a block: its progress is a part of the job's */
} DebyeJobBlocks;

/* Of `n_all` there are `n_done`; `settings` tells the file, NULL: nothing is written. The blocks are given to their own
 * callbacks as data: they stay where they are. */
void debye_job_blocks_begin(DebyeJobBlocks *blocks, const DebyeRunInput *input,
                            const DebyeJobSettings *settings, const char *unit, gsize n_all, gsize n_done,
                            gboolean divisible);
void debye_job_blocks_clear(DebyeJobBlocks *blocks);
/* How many of those that are left come next; 0: all are done. As many as took about the interval before;
 * the same in all processes that share the job. */
gsize debye_job_blocks_next(DebyeJobBlocks *blocks);
/* That block is done: `result` has all so far. FALSE with an error where it can't be written. */
gboolean debye_job_blocks_save(DebyeJobBlocks *blocks, DebyeResult *result, GError **error);
/* The error of a job that was stopped: what is done stays in the file. */
void debye_job_blocks_set_stopped(const DebyeJobBlocks *blocks, GError **error);
