/* SPDX-License-Identifier: MIT */
/* Divides a job into blocks of rows of q, frames or atoms and writes the finished part to the file of the
 * setting “continue” after each block, so that a killed run can be continued. Without that setting there is
 * one block. scattering_job.c, scattering_run.c and time/scattering_counting.c use it. */
#pragma once

#include "app/analysis/driver/analysis.h"
#include "app/analysis/scattering/system/scattering_settings.h"

G_BEGIN_DECLS

typedef struct {
  const char *path;            /* borrowed; NULL: nothing is written */
  double interval;             /* s, from one file to the next */
  const char *unit;            /* borrowed; what the blocks are of: "rows of q" */
  gboolean divisible;          /* one costs work of its own: else blocks would repeat what all share */
  gsize n_all, n_done, n_next; /* of the job, finished, of the block at hand */
  gint64 begun;
  GPtrArray *records; /* of the inputs, for all files: they are read through once; NULL: not yet */
  const DebyeRunInput *input;
  DebyeRunCallbacks callbacks; /* for a block: its progress is a part of the job's */
} DebyeScatteringBlocks;

/* Of `n_all` there are `n_done`; `settings` tells the file, NULL: nothing is written. The blocks are given to their own callbacks as data: they stay where they
 * are. */
void debye_scattering_blocks_begin(DebyeScatteringBlocks *blocks, const DebyeRunInput *input,
                                   const DebyeScatteringSettings *settings, const char *unit, gsize n_all,
                                   gsize n_done, gboolean divisible);
void debye_scattering_blocks_clear(DebyeScatteringBlocks *blocks);
/* How many of those that are left come next; 0: all are done. As many as took about the interval before;
 * the same in all processes that share the job. */
gsize debye_scattering_blocks_next(DebyeScatteringBlocks *blocks);
/* That block is done: `result` has all so far. FALSE with an error where it can't be written. */
gboolean debye_scattering_blocks_save(DebyeScatteringBlocks *blocks, DebyeResult *result, GError **error);
/* The error of a job that was stopped: what is done stays in the file. */
void debye_scattering_blocks_set_stopped(const DebyeScatteringBlocks *blocks, GError **error);

/* A copy without what only says how the job is done, for the result: “continue” and “save-every”. */
DebyeRequest *debye_scattering_blocks_strip(DebyeRequest *request);

G_END_DECLS
