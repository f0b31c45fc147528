/* SPDX-License-Identifier: MIT */
/* Timing of the potential's methods on ever larger volumes at one density and one spacing: how each grows. */
#pragma once

#include "bench.h"

G_BEGIN_DECLS

/* A cube of made-up charges of this volume (Å³), at 0.1 atoms/Å³, with a grid point each Å. */
DebyeBenchProblem *debye_bench_problem_new_for_volume(double volume);
/* The devices together; *seconds of one map, after one that doesn't count where that was short. */
gboolean debye_bench_method(const DebyeBenchProblem *problem, DebyePotentialMethod method,
                            const DebyeDeviceEntry *const *devices, gsize n_devices, double *seconds,
                            GError **error);

G_END_DECLS
