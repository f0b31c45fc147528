/* SPDX-License-Identifier: MIT */
/* A sweep over a listing's choices as a record has and a session keeps it, so that nothing is compiled or measured when it is
 * opened; called by classroom_source.c and measured_ladder.c. */
#pragma once

#include "app/bench/bench_sweep.h"
#include "classroom.h"

/* "TILE = 128, Cutoff = 8 Å"; to be freed. */
char *debye_kept_sweep_name_point(const DebyeBenchSweep *sweep, const gsize *at);
/* What a sweep was asked for. */
typedef struct {
  const char *const *axes;   /* as --sweep has them */
  const char *listing;       /* the id of the shipped one; NULL: the class's own code */
  const char *const *macros; /* that were chosen besides, as "TILE=128"; NULL: none */
} DebyeSweepChoice;

/* Gives the record the plot of `rows` (DebyeBenchRow) and `fits` (DebyeBenchFit), the fastest point in words, and what a session
 * keeps, `design_kept`. Nothing of this where no point has a time. */
void debye_kept_sweep_describe(DebyeClassroomRecord *record, const DebyeSweepChoice *choice,
                               const DebyeBenchSweep *sweep, const GArray *rows, const GArray *fits);
/* A record with the same from `design_kept` as it was read. NULL: something is missing or isn't possible. */
DebyeClassroomRecord *debye_kept_sweep_load(GVariant *saved);
/* Of `design_kept` the texts "axes" or "macros", to be freed with g_strfreev(); NULL: it has none. */
char **debye_kept_sweep_list(GVariant *kept, const char *key);
