/* SPDX-License-Identifier: MIT */
/* What the teaching variants of both back ends share; called by their tables, the benchmark and the
 * classroom. */
#include "ladder.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/potential/cutoff_bins.h"
#include "kernels/potential/potential_math.h"
#include "ladder_bins.h"
#include "ladder_texts.h"

size_t
debye_ladder_find(const DebyeLadderKernel *ladder, const char *id)
{
  size_t variant = 0;
  while (variant < ladder->n_variants && strcmp(ladder->variants[variant].id, id) != 0)
    variant++;
  return variant;
}

const char *
debye_ladder_source_text(const char *source)
{
  for (const DebyeLadderText *text = debye_ladder_texts; text->source != NULL; text++)
    if (strcmp(text->source, source) == 0)
      return text->text;
  return NULL;
}

double
debye_ladder_intensity(const DebyeLadderVariant *variant, double n_points, double n_atoms)
{
  const DebyeLadderCost *cost = &variant->cost;
  return cost->operations /
         (cost->evaluation_bytes + cost->point_bytes / n_atoms + cost->atom_bytes / n_points);
}

double
debye_ladder_roof(const DebyeLadderLimits *limits, double intensity)
{
  return fmin(limits->operations, limits->bandwidth * intensity);
}

DebyePotentialSettings
debye_ladder_production_settings(const DebyeLadderProblem *problem)
{
  const bool has_cutoff = problem->cutoff > 0.0;
  return (DebyePotentialSettings){.method = has_cutoff ? DEBYE_POTENTIAL_CUTOFF : DEBYE_POTENTIAL_DIRECT,
                                  .cutoff = problem->cutoff,
                                  .smoothing = DEBYE_SMOOTHING_SMOOTH,
                                  .grid = problem->grid,
                                  .core_radius = problem->core_radius,
                                  .max_charges = problem->charges.n,
                                  .max_planes = problem->grid.shape[2]};
}

DebyeStatusCode
debye_ladder_run_production(const DebyePotentialKernel *kernel, int device, const DebyeLadderProblem *problem,
                            float *map, double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  const DebyePotentialSettings settings = debye_ladder_production_settings(problem);
  DebyeKernelPlan *plan = NULL;
  DebyeStatusCode code = kernel->head.create(device, &settings, &plan, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_charges(plan, &problem->charges, NULL, status);
  const double start = debye_ladder_now();
  if (code == DEBYE_STATUS_OK)
    code = kernel->execute(plan, (DebyeSlab){0, problem->grid.shape[2]}, map, NULL, NULL, cancel, status);
  *seconds = debye_ladder_now() - start;
  kernel->head.destroy(plan);
  return code;
}

static DebyeStatusCode
check_variant(const DebyeLadderKernel *ladder, size_t variant, DebyeLadderKind kind, DebyeStatus *status)
{
  if (variant < ladder->n_variants && ladder->variants[variant].kind == kind)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_INVALID,
                          "There is no teaching variant number %zu of this kind.", variant);
}

/* A step of a grid of one point along that axis stands at no angle to the others. */
static bool
has_right_angles(const DebyeTurnedGrid *grid)
{
  const double least = 1e-9;
  return fabs(grid->row_x) <= least * fabs(grid->row_y) &&
         fabs(grid->plane_x) + fabs(grid->plane_y) <= least * fabs(grid->plane_z);
}

DebyeStatusCode
debye_ladder_problem_check(const DebyeLadderKernel *ladder, size_t variant, const DebyeLadderProblem *problem,
                           DebyeStatus *status)
{
  const DebyePotentialSettings settings = debye_ladder_production_settings(problem);
  const bool has_cutoff = settings.method == DEBYE_POTENTIAL_CUTOFF;
  if (check_variant(ladder, variant, has_cutoff ? DEBYE_LADDER_CUTOFF : DEBYE_LADDER_MAP, status) !=
          DEBYE_STATUS_OK ||
      debye_potential_settings_check(&settings, status) != DEBYE_STATUS_OK ||
      (has_cutoff && debye_cutoff_settings_check(&settings, problem->cutoff, status) != DEBYE_STATUS_OK))
    return DEBYE_STATUS_INVALID;
  const DebyeTurnedGrid grid = debye_turned_grid(&problem->grid);
  if (!has_right_angles(&grid))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The teaching variants need a grid with right angles.");
  if (has_cutoff && !debye_ladder_bins_can_reach(problem))
    return debye_ladder_bins_refuse_reach(problem, status);
  return debye_status_ok(status);
}

static bool
cell_is_good(const DebyeLadderPairs *pairs)
{
  const double *edge = pairs->edge;
  if (edge[0] == 0.0 && edge[1] == 0.0 && edge[2] == 0.0)
    return true;
  for (int axis = 0; axis < 3; axis++)
    if (!(edge[axis] > 0.0) || !(edge[axis] < DEBYE_DIRECT_FARTHEST))
      return false;
  return true;
}

static DebyeStatusCode
check_positions(const DebyeLadderPairs *pairs, DebyeStatus *status)
{
  for (size_t i = 0; i < pairs->n; i++) {
    const double reach = fabs((double)pairs->x[i]) + fabs((double)pairs->y[i]) + fabs((double)pairs->z[i]);
    if (!(reach < DEBYE_DIRECT_FARTHEST))
      return debye_status_set(status, DEBYE_STATUS_INVALID, "Atom %zu has no position that can be counted.",
                              i + 1);
  }
  return debye_status_ok(status);
}

DebyeStatusCode
debye_ladder_pairs_check(const DebyeLadderKernel *ladder, size_t variant, const DebyeLadderPairs *pairs,
                         DebyeStatus *status)
{
  if (check_variant(ladder, variant, DEBYE_LADDER_COUNT, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (pairs->n_bins < 1 || pairs->n_bins > DEBYE_LADDER_MAX_BINS || !(pairs->r_max > 0.0) ||
      !(pairs->r_max < DEBYE_DIRECT_FARTHEST) || pairs->n > DEBYE_LADDER_MAX_COUNTED)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu bins up to %g Å of %zu atoms can't be counted.", pairs->n_bins, pairs->r_max,
                            pairs->n);
  if (!cell_is_good(pairs))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A cell of %g × %g × %g Å has no nearest images.",
                            pairs->edge[0], pairs->edge[1], pairs->edge[2]);
  return check_positions(pairs, status);
}

float
debye_ladder_bins_per_angstrom(const DebyeLadderPairs *pairs)
{
  return (float)((double)pairs->n_bins / pairs->r_max);
}

float
debye_ladder_edge(const DebyeLadderPairs *pairs, int axis)
{
  return pairs->edge[axis] > 0.0 ? (float)pairs->edge[axis] : DEBYE_LADDER_NO_EDGE;
}

double
debye_ladder_now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

DebyeStatusCode
debye_ladder_count_ours(const DebyePairHistogramKernel *kernel, int device, const DebyeLadderPairs *pairs,
                        uint64_t *counts, double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  const DebyeGroupPair all = {0, 0};
  const DebyePairSettings settings = {.max_atoms = pairs->n > 0 ? pairs->n : 1,
                                      .n_groups = 1,
                                      .pairs = &all,
                                      .n_pairs = 1,
                                      .r_max = pairs->r_max,
                                      .n_bins = pairs->n_bins,
                                      .images = DEBYE_PAIR_IMAGES_NEAREST};
  const DebyeCell cell = {{pairs->edge[0], 0.0, 0.0}, {0.0, pairs->edge[1], 0.0}, {0.0, 0.0, pairs->edge[2]}};
  const DebyePairFrame frame = {.x = pairs->x,
                                .y = pairs->y,
                                .z = pairs->z,
                                .n = pairs->n,
                                .cell = pairs->edge[0] > 0.0 ? &cell : NULL};
  DebyeKernelPlan *plan = NULL;
  memset(counts, 0, pairs->n_bins * sizeof *counts);
  DebyeStatusCode code = kernel->head.create(device, &settings, &plan, status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_frame(plan, &frame, status);
  const double start = debye_ladder_now();
  if (code == DEBYE_STATUS_OK)
    code = kernel->execute(plan, 0, 1, 1, counts, cancel, status);
  *seconds = debye_ladder_now() - start;
  kernel->head.destroy(plan);
  return code;
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void
debye_ladder_begin_turn(void)
{
  pthread_mutex_lock(&turn);
}

void
debye_ladder_end_turn(void)
{
  pthread_mutex_unlock(&turn);
}
