/* SPDX-License-Identifier: MIT */
/* The table of the teaching variants on the CPU; its twin is cuda/ladder/ladder.cu. */
#include "ladder_steps.h"

#include <stdlib.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"

enum {
  GRID_OUTER,
  ATOM_OUTER,
  SQUARES_BEFORE,
  UNROLLED,
  BLOCKED,
  VECTORS,
  THREADS,
  OURS,
  COUNT_RACE,
  COUNT_ATOMIC,
  N_VARIANTS,
};

static const DebyeLadderVariant variants[N_VARIANTS] = {
    [GRID_OUTER] =
        {
            .id = "grid-outer",
            .title = "Grid points outside",
            .lesson =
                "Each grid point sums over all atoms, as the formula reads: its sum stays in a register, "
                "and every evaluation computes a whole distance, a square root and a division.",
            .operations = 12.0,
            .evaluation_bytes = 16.0,
            .point_bytes = 4.0,
        },
    [ATOM_OUTER] =
        {
            .id = "atom-outer",
            .title = "Atoms outside",
            .lesson =
                "The loops change places and each atom visits all points: the atom is read once, but now "
                "every evaluation reads and writes the map.",
            .operations = 12.0,
            .evaluation_bytes = 8.0,
            .point_bytes = 4.0,
            .atom_bytes = 16.0,
        },
    [SQUARES_BEFORE] =
        {
            .id = "dz2",
            .title = "Squares beforehand",
            .lesson = "What all points of a plane or of a row have in common, dz² and dy² + dz², is computed "
                      "once for them: 7 of 12 operations are left, but among them the square root and the "
                      "division, which are what takes the time.",
            .operations = 7.0,
            .evaluation_bytes = 8.0,
            .point_bytes = 4.0,
            .atom_bytes = 16.0,
        },
    [UNROLLED] =
        {
            .id = "unrolled",
            .title = "Eight points at once",
            .lesson = "Eight neighbours of a row keep their sums in registers while all atoms pass, so that "
                      "the map is written once and what is read of an atom serves eight evaluations.",
            .operations = 7.0 + 3.0 / 8.0,
            .evaluation_bytes = 20.0 / 8.0,
            .point_bytes = 4.0,
        },
    [BLOCKED] =
        {
            .id = "blocked",
            .title = "Blocked for the cache",
            .lesson =
                "A tile of 512 atoms stays in the first-level cache while a whole row of points passes, "
                "and its dy² + dz² are computed once for the row.",
            .operations = 7.0,
            .evaluation_bytes = 8.0 / 512.0,
            .point_bytes = 4.0,
        },
    [VECTORS] =
        {
            .id = "simd",
            .title = "Vectors",
            .lesson = "The points of a strip become the lanes of vectors: one instruction does 4, 8 or 16 "
                      "evaluations, and the square root and the division are what is left to wait for.",
            .operations = 7.0,
            .evaluation_bytes = 8.0 / 512.0,
            .point_bytes = 4.0,
        },
    [THREADS] =
        {
            .id = "threads",
            .title = "All threads",
            .lesson = "The rows of the map are shared among all processors; no two write the same row, so "
                      "nothing has to be locked.",
            .operations = 7.0,
            .evaluation_bytes = 8.0 / 512.0,
            .point_bytes = 4.0,
        },
    [OURS] =
        {
            .id = "ours",
            .title = "Debye's own",
            .lesson = "The processor's estimate of 1/√ and one Newton step replace square root and division, "
                      "and four rows share each difference in x, which leaves 5¼ operations.",
            .operations = 5.0 + 1.0 / 4.0,
            .evaluation_bytes = 8.0 / 512.0,
            .point_bytes = 4.0,
        },
    [COUNT_RACE] =
        {
            .id = "histogram-race",
            .title = "Histogram without atomics",
            .lesson = "All threads read, increase and write the same bins: what another counts between the "
                      "read and the write is lost, so the counts are wrong, and differently each time.",
            .kind = DEBYE_LADDER_COUNT,
            .loses_counts = true,
            .operations = 11.0,
            .evaluation_bytes = 28.0,
        },
    [COUNT_ATOMIC] =
        {
            .id = "histogram-atomic",
            .title = "Histogram with atomics",
            .lesson =
                "Each addition to a bin is one indivisible step: the counts are right, and threads that "
                "want the same bin wait for each other.",
            .kind = DEBYE_LADDER_COUNT,
            .operations = 11.0,
            .evaluation_bytes = 28.0,
        },
};

static const DebyeLadderStep steps[N_VARIANTS] = {
    [GRID_OUTER] = debye_ladder_grid_outer,
    [ATOM_OUTER] = debye_ladder_atom_outer,
    [SQUARES_BEFORE] = debye_ladder_squares_before,
    [UNROLLED] = debye_ladder_unrolled,
    [BLOCKED] = debye_ladder_blocked,
    [VECTORS] = debye_ladder_vectors,
    [THREADS] = debye_ladder_threads,
};

static uint64_t
bytes_needed(int device, size_t variant, const DebyeLadderProblem *problem)
{
  if (debye_ladder_problem_check(&debye_cpu_ladder, variant, problem, NULL) != DEBYE_STATUS_OK ||
      problem->charges.n > SIZE_MAX / 64)
    return SIZE_MAX;
  const DebyePotentialSettings settings = debye_ladder_production_settings(problem);
  if (variant == OURS)
    return debye_cpu_direct.head.bytes_needed(device, &settings);
  return problem->charges.n * (sizeof(DebyeLadderAtom) + 4 * sizeof(double) + sizeof(float));
}

static DebyeStatusCode
run_ours(int device, const DebyeLadderProblem *problem, float *map, double *seconds,
         const volatile bool *cancel, DebyeStatus *status)
{
  const DebyePotentialSettings settings = debye_ladder_production_settings(problem);
  DebyeKernelPlan *plan = NULL;
  DebyeStatusCode code = debye_cpu_direct.head.create(device, &settings, &plan, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cpu_direct.set_charges(plan, &problem->charges, NULL, status);
  const double start = debye_ladder_now();
  if (code == DEBYE_STATUS_OK)
    code = debye_cpu_direct.execute(plan, (DebyeSlab){0, problem->grid.shape[2]}, map, NULL, NULL, cancel,
                                    status);
  *seconds = debye_ladder_now() - start;
  debye_cpu_direct.head.destroy(plan);
  return code;
}

static DebyeStatusCode
run_step(DebyeLadderStep step, const DebyeLadderProblem *problem, float *map, double *seconds,
         const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderFrame frame;
  DebyeStatusCode code = debye_ladder_frame_init(&frame, problem, status);
  float *scratch = calloc(frame.n_atoms > 0 ? frame.n_atoms : 1, sizeof *scratch);
  if (code == DEBYE_STATUS_OK && scratch == NULL)
    code = debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the charges of %zu atoms.", problem->charges.n);
  const double start = debye_ladder_now();
  if (code == DEBYE_STATUS_OK && !step(&frame, map, scratch, cancel))
    code = debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  *seconds = debye_ladder_now() - start;
  free(scratch);
  debye_ladder_frame_clear(&frame);
  return code;
}

static DebyeStatusCode
run(int device, size_t variant, const DebyeLadderProblem *problem, float *map, double *seconds,
    const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_problem_check(&debye_cpu_ladder, variant, problem, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (variant == OURS)
    return run_ours(device, problem, map, seconds, cancel, status);
  return run_step(steps[variant], problem, map, seconds, cancel, status);
}

static DebyeStatusCode
count(int device, size_t variant, const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
      const volatile bool *cancel, DebyeStatus *status)
{
  (void)device;
  if (debye_ladder_pairs_check(&debye_cpu_ladder, variant, pairs, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  return debye_ladder_count_pairs(pairs, variant == COUNT_ATOMIC, counts, seconds, cancel, status);
}

const DebyeLadderKernel debye_cpu_ladder = {
    .variants = variants,
    .n_variants = N_VARIANTS,
    .bytes_needed = bytes_needed,
    .run = run,
    .count = count,
    .measure_limits = debye_cpu_measure_limits,
};
