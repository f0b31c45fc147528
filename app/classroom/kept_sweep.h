/* SPDX-License-Identifier: MIT */
/* A sweep over a listing's choices as a record has and a session keeps it, so that nothing is compiled or measured when it is
 * opened; called by classroom_source.c and measured_ladder.c. */
#pragma once

#include "app/bench/bench_sweep.h"
#include "classroom.h"

G_BEGIN_DECLS

/* "TILE = 128, Cutoff = 8 Å"; to be freed. */
char *debye_kept_sweep_name_point(const DebyeBenchSweep *sweep, const gsize *at);
/* Gives the record the plot of `rows` (DebyeBenchRow) and `fits` (DebyeBenchFit), the fastest point in words, and what a session
 * keeps, `design_kept`. Nothing of this where no point has a time. `axes`: as --sweep has them. */
void debye_kept_sweep_describe(DebyeClassroomRecord *record, const char *const *axes,
                               const DebyeBenchSweep *sweep, const GArray *rows, const GArray *fits);
/* A record with the same from `design_kept` as it was read. NULL: something is missing or isn't possible. */
DebyeClassroomRecord *debye_kept_sweep_load(GVariant *saved);

G_END_DECLS
