/* SPDX-License-Identifier: MIT */
/* What the files of the teaching variants' timing share. */
#pragma once

#include "bench_case.h"
#include "bench_ladder.h"
#include "bench_runs.h"

G_BEGIN_DECLS

/* A variant of the cutoff, as debye_bench_variant. */
gboolean debye_bench_cutoff(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                            guint repeat, DebyeBenchResult *result, GError **error);
/* A variant of scattering, likewise. */
gboolean debye_bench_scatter(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                             guint repeat, DebyeBenchResult *result, GError **error);
/* A variant of orbitals and one of ligands, likewise. */
gboolean debye_bench_draw(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                          guint repeat, DebyeBenchResult *result, GError **error);
gboolean debye_bench_sample(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                            guint repeat, DebyeBenchResult *result, GError **error);
/* One of densities, likewise. */
gboolean debye_bench_fill(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                          guint repeat, DebyeBenchResult *result, GError **error);
/* Names, operations, share and intensity of a result that has a rate. */
void debye_bench_fill_result(const DebyeBenchLimits *limits, gsize number, double n_points, double n_atoms,
                             DebyeBenchResult *result);

G_END_DECLS
