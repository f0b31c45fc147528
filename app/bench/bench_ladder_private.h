/* SPDX-License-Identifier: MIT */
/* What the files of the teaching variants' timing share. */
#pragma once

#include "bench_case.h"
#include "bench_ladder.h"
#include "bench_runs.h"

/* Times a variant of a family, as debye_bench_variant. */
typedef gboolean DebyeBenchFamilyTimer(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits,
                                       gsize number, guint repeat, DebyeBenchResult *result, GError **error);
DebyeBenchFamilyTimer debye_bench_cutoff, debye_bench_scatter, debye_bench_draw, debye_bench_sample,
    debye_bench_fill;
/* Names, operations, share and intensity of a result that has a rate. */
void debye_bench_fill_result(const DebyeBenchLimits *limits, gsize number, double n_points, double n_atoms,
                             DebyeBenchResult *result);
