/* SPDX-License-Identifier: MIT */
/* Timing of the teaching variants, side by side, with what each device can do at most. */
#pragma once

#include "bench.h"
#include "kernels/ladder/ladder.h"

G_BEGIN_DECLS

/* Of the histogram. */
#define DEBYE_BENCH_N_BINS 200

/* What a device can do at most. */
typedef struct {
  const DebyeDeviceEntry *device;
  DebyeLadderLimits limits;
} DebyeBenchLimits;

/* Of each device that has teaching variants. FALSE with an error. */
gboolean debye_bench_measure_limits(const DebyeDeviceEntry *const *devices, gsize n_devices, GArray *limits,
                                    GError **error);
/* Whether one of the devices has a teaching variant of the direct sum of this name. */
gboolean debye_bench_has_variant(const DebyeDeviceEntry *const *devices, gsize n_devices, const char *id);
/* Variant `number` of the direct sum: the kernel alone, in as many rows of the map as take it a fraction of a
 * second. */
gboolean debye_bench_variant(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                             guint repeat, DebyeBenchResult *result, GError **error);
/* Ends `results` with a line for each variant of this name (NULL: of any) of each of the devices.
 * `limits` as measured. */
gboolean debye_bench_variants(const DebyeBenchProblem *problem, const GArray *limits, const char *id,
                              guint repeat, GArray *results, GError **error);
/* No two of the problem's atoms are farther apart (Å). */
double debye_bench_find_range(const DebyeBenchProblem *problem);
/* The same for the pair distances of the problem's atoms, all of which are in the histogram (up to that
 * range), so that their number is known; the error is the share that was lost. `counts` are the last run's. */
gboolean debye_bench_count(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                           guint repeat, guint64 counts[DEBYE_BENCH_N_BINS], DebyeBenchResult *result,
                           GError **error);
gboolean debye_bench_counts(const DebyeBenchProblem *problem, const GArray *limits, guint repeat,
                            GArray *results, GError **error);

G_END_DECLS
