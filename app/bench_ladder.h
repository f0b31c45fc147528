/* SPDX-License-Identifier: MIT */
/* Timing of the teaching variants, side by side, with what each device can do at most. */
#pragma once

#include "bench.h"
#include "kernels/ladder.h"

G_BEGIN_DECLS

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
/* Ends `results` with a line for each variant of this name (NULL: of any) of each of the devices: the kernel
 * alone, in as many rows of the map as take it a fraction of a second. `limits` as measured. */
gboolean debye_bench_variants(const DebyeBenchProblem *problem, const GArray *limits, const char *id,
                              guint repeat, GArray *results, GError **error);
/* The same for the pair distances of the problem's atoms, all of which are in the histogram, so that their
 * number is known; the error is the share that was lost. */
gboolean debye_bench_counts(const DebyeBenchProblem *problem, const GArray *limits, guint repeat,
                            GArray *results, GError **error);

G_END_DECLS
