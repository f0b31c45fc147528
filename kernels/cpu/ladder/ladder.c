/* SPDX-License-Identifier: MIT */
/* The table of the teaching variants on the CPU; its twin is cuda/ladder/ladder.cu. */
#include "direct.h"
#include "ladder_steps.h"

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/ladder/ladder_bins.h"
#include "kernels/ladder/ladder_density.h"
#include "kernels/ladder/ladder_ligand.h"
#include "kernels/ladder/ladder_orbital.h"

static const DebyePotentialKernel *
get_production(size_t variant)
{
  return debye_ladder_cpu_variants[variant].kind == DEBYE_LADDER_CUTOFF ? &debye_cpu_cutoff
                                                                        : &debye_cpu_direct;
}

static uint64_t
bytes_needed(int device, size_t variant, const DebyeLadderProblem *problem)
{
  if (debye_ladder_problem_check(&debye_cpu_ladder, variant, problem, NULL) != DEBYE_STATUS_OK ||
      problem->charges.n > SIZE_MAX / 64)
    return SIZE_MAX;
  const DebyePotentialSettings settings = debye_ladder_production_settings(problem);
  if (debye_ladder_cpu_variants[variant].source == NULL)
    return get_production(variant)->head.bytes_needed(device, &settings);
  return debye_ladder_cpu_variants[variant].kind == DEBYE_LADDER_CUTOFF ? debye_ladder_bins_bytes(problem)
                                                                        : debye_ladder_direct_bytes(problem);
}

static DebyeStatusCode
run(int device, size_t variant, const DebyeLadderProblem *problem, float *map, double *seconds,
    const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_problem_check(&debye_cpu_ladder, variant, problem, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const char *source = debye_ladder_cpu_variants[variant].source;
  if (source == NULL)
    return debye_ladder_run_production(get_production(variant), device, problem, map, seconds, cancel,
                                       status);
  return debye_ladder_cpu_variants[variant].kind == DEBYE_LADDER_CUTOFF
             ? debye_ladder_cutoff_run(source, problem, map, seconds, cancel, status)
             : debye_ladder_direct_run(source, problem, map, seconds, cancel, status);
}

static DebyeStatusCode
count(int device, size_t variant, const DebyeLadderPairs *pairs, uint64_t *counts, double *seconds,
      const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_pairs_check(&debye_cpu_ladder, variant, pairs, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const char *source = debye_ladder_cpu_variants[variant].source;
  return source != NULL ? debye_ladder_count_pairs(source, pairs, counts, seconds, cancel, status)
                        : debye_ladder_count_ours(&debye_cpu_pair_histogram, device, pairs, counts, seconds,
                                                  cancel, status);
}

static DebyeStatusCode
scatter(int device, size_t variant, const DebyeLadderCourses *courses, float *f, double *seconds,
        const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_courses_check(&debye_cpu_ladder, variant, courses, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const char *source = debye_ladder_cpu_variants[variant].source;
  return source != NULL
             ? debye_ladder_scatter(source, courses, f, seconds, cancel, status)
             : debye_ladder_scatter_ours(&debye_cpu_self, device, courses, f, seconds, cancel, status);
}

static DebyeStatusCode
draw_orbital(int device, size_t variant, const DebyeLadderOrbital *orbital, float *map, double *seconds,
             const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_orbital_check(&debye_cpu_ladder, variant, orbital, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const char *source = debye_ladder_cpu_variants[variant].source;
  return source != NULL
             ? debye_ladder_orbital_run(source, orbital, map, seconds, cancel, status)
             : debye_ladder_orbital_ours(&debye_cpu_orbital, device, orbital, map, seconds, cancel, status);
}

static DebyeStatusCode
sample_ligand(int device, size_t variant, const DebyeLadderLigand *ligand, float *means, double *seconds,
              const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_ligand_check(&debye_cpu_ladder, variant, ligand, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const char *source = debye_ladder_cpu_variants[variant].source;
  return source != NULL
             ? debye_ladder_ligand_run(source, ligand, means, seconds, cancel, status)
             : debye_ladder_ligand_ours(&debye_cpu_ligand, device, ligand, means, seconds, cancel, status);
}

static DebyeStatusCode
fill_voxels(int device, size_t variant, const DebyeLadderDensity *density, uint32_t *counts, double *seconds,
            const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_ladder_density_check(&debye_cpu_ladder, variant, density, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const char *source = debye_ladder_cpu_variants[variant].source;
  return source != NULL ? debye_ladder_density_run(source, density, counts, seconds, cancel, status)
                        : debye_ladder_density_ours(&debye_cpu_density, device, density, counts, seconds,
                                                    cancel, status);
}

const DebyeLadderKernel debye_cpu_ladder = {
    .variants = debye_ladder_cpu_variants,
    .n_variants = DEBYE_LADDER_N_CPU,
    .bytes_needed = bytes_needed,
    .run = run,
    .count = count,
    .scatter = scatter,
    .draw_orbital = draw_orbital,
    .sample_ligand = sample_ligand,
    .fill_voxels = fill_voxels,
    .measure_limits = debye_cpu_measure_limits,
};
