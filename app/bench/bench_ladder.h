/* SPDX-License-Identifier: MIT */
/* Timing of the teaching variants, side by side, with what each device can do at most. */
#pragma once

#include "bench.h"
#include "kernels/ladder/ladder.h"

/* A race that lost nothing counts more pairs, for so long at most (s). */
#define DEBYE_BENCH_RACE_SECONDS 10

/* What a device can do at most. */
typedef struct {
  const DebyeDeviceEntry *device;
  DebyeLadderLimits limits;
  gint64 next; /* when they are worth measuring once more; of the monotonic clock */
} DebyeBenchLimits;

/* Of each device that has teaching variants, once. FALSE with an error. */
gboolean debye_bench_measure_limits(const DebyeDeviceEntry *const *devices, gsize n_devices, GArray *limits,
                                    GError **error);
/* Measures once more and keeps the best of each, unless that was done just now. Call it beside every measurement: another
 * program may have had the device in any one of them. FALSE with an error. */
gboolean debye_bench_raise_limits(DebyeBenchLimits *limits, GError **error);
/* The share of the most operations a second that so many are; above DEBYE_BENCH_MAX_SHARE the limit was
 * measured too low. */
double debye_bench_share(const DebyeBenchLimits *limits, double operations);
/* A limit is measured to some per cent. */
#define DEBYE_BENCH_MAX_SHARE 1.05
/* Whether one of the devices has a teaching variant of this family and name. */
gboolean debye_bench_has_variant(const DebyeDeviceEntry *const *devices, gsize n_devices,
                                 DebyeLadderKind kind, const char *id);
/* Whether any back end, built or not, has one. */
gboolean debye_bench_is_variant(DebyeLadderKind kind, const char *id);
/* "double, naive, all, or on cpu: grid-outer …; on cuda:0: gather …": what can be named. */
char *debye_bench_list_variants(const DebyeDeviceEntry *const *devices, gsize n_devices,
                                DebyeLadderKind kind);
/* Variant `number`, of any family: the kernel alone. Of the direct sum in as many rows of the map as take it a fraction of
 * a second; of the cutoff in a cube in the map's middle, and the rate is that of pairs within the cutoff; of scattering
 * for some of the atoms; of orbitals and ligands in the map's middle planes, and the rate is that of pairs of a point and
 * a Gaussian that reaches it, or of a sample that nothing rejects and an atom within the cutoff; of densities for all
 * frames; of the histogram debye_bench_count(), of a race debye_bench_count_race(). */
gboolean debye_bench_variant(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                             guint repeat, DebyeBenchResult *result, GError **error);
/* Ends `results` with a line for each variant of the family with this name (NULL: with any but legacy) of each of the
 * devices. Raises `limits`, which debye_bench_measure_limits() filled, and all shares in `results` with them. */
gboolean debye_bench_variants(const DebyeBenchProblem *problem, GArray *limits, DebyeLadderKind kind,
                              const char *id, guint repeat, GArray *results, GError **error);
/* What scattering's variants need: the problem's atoms in so many frames, and vectors that are made up. `atoms` (borrowed)
 * has as many at least; NULL: made-up ones. FALSE with an error: no memory. */
gboolean debye_bench_problem_set_courses(DebyeBenchProblem *problem, const DebyeBenchAtoms *atoms,
                                         gsize n_frames, gsize n_vectors, GError **error);
/* Half the shortest edge of the problem's cell (Å): so far a pair has one image. */
double debye_bench_find_range(const DebyeBenchProblem *problem);
/* The same for the pair distances of the problem's atoms up to that range; the rate is that of all pairs, whether or
 * not in range; the error is the share of what the production kernel counts that was lost. The result's counts are the
 * last run's. */
gboolean debye_bench_count(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits, gsize number,
                           guint repeat, DebyeBenchResult *result, GError **error);
/* The same until something was lost, but `seconds` at most: each time of twice as many atoms, copies of the problem's cell
 * beside it, while there are time and memory for them, else of as many once more. The result is that of the last one. */
gboolean debye_bench_count_race(const DebyeBenchProblem *problem, const DebyeBenchLimits *limits,
                                gsize number, guint repeat, double seconds, DebyeBenchResult *result,
                                GError **error);
