/* SPDX-License-Identifier: MIT */
/* The Poisson-Boltzmann equation on the CPU; its twin is cuda/poisson/poisson.cu. Sums over the grid are of planes, added in
 * their order: the result is the same on any number of threads. */
#include "kernels/poisson/poisson.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/plan.h"
#include "kernels/poisson/poisson_math.h"
#include "poisson_levels.h"

/* Conjugate gradients begin anew when the residual that they carry along is this share of the one they began with: in float
 * it can't be trusted further. */
#define RESTART 1e-4
/* Beginning anew that gains less than this is the end of what rounding allows. */
#define LEAST_GAIN 0.5
/* Of Newton's method: how far each step is solved, and how often it is halved. */
#define STEP_SHARE 0.02
#define MAX_HALVINGS 8

typedef struct {
  DebyePoissonSettings settings;
  DebyePoissonLevels levels;
  DebyePoissonOperator given;
  float *direction;
  double *sums; /* of each plane */
  /* Of the nonlinear equation: the step under way, and the screening that the ions answer it with. */
  double *correction;
  float *slope;
  bool has_operator;
} Plan;

/* One call, shared by its chunks. */
typedef struct {
  Plan *plan;
  const float *source;
  double *potential;            /* of the equation */
  const DebyePoissonSalt *salt; /* NULL: linear */
  double *solution;             /* that conjugate gradients add to: the potential or the correction */
  double step;
  float scale;
  double part; /* of the correction that is added to the potential */
} Call;

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyePoissonSettings *)settings;
  const DebyeStatusCode code = debye_poisson_settings_check(&plan->settings, status);
  if (code == DEBYE_STATUS_OK)
    debye_poisson_levels_set_up(&plan->levels, plan->settings.shape, plan->settings.periodic);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  debye_poisson_levels_list(&plan->levels, memory);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->direction, plan->levels.levels[0].n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->sums, plan->settings.shape[2]);
  if (plan->settings.nonlinear) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->correction, plan->levels.levels[0].n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->slope, plan->levels.levels[0].n);
  }
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const size_t *shape = ((const Plan *)made)->settings.shape;
  return debye_status_set(
      status, DEBYE_STATUS_NO_MEMORY,
      "There is no memory to solve the Poisson-Boltzmann equation on %zu × %zu × %zu points.", shape[0],
      shape[1], shape[2]);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  plan->levels.block = debye_poisson_block(debye_cpu_get_level());
  plan->levels.pool = debye_pool_new(debye_cpu_threads_beside(plan->settings.spare_cores));
  return plan->levels.pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

static void
clear(void *made)
{
  debye_pool_free(((Plan *)made)->levels.pool);
}

DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

static DebyeStatusCode
set_operator(DebyeKernelPlan *handle, const DebyePoissonOperator *operator_, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->given = *operator_;
  debye_poisson_levels_set_operator(&plan->levels, operator_);
  plan->has_operator = true;
  return debye_status_ok(status);
}

/* Steps of the method, each over all planes. */

static double
sum_planes(const Call *call, void (*function)(void *context, size_t plane))
{
  const Plan *plan = call->plan;
  const DebyePoissonLevel *fine = &plan->levels.levels[0];
  double sum = 0.0;
  debye_poisson_level_planes(&plan->levels, fine, function, (void *)call);
  for (size_t plane = 0; plane < fine->shape[2] - 2; plane++)
    sum += plan->sums[plane];
  return sum;
}

static size_t
plane_points(const DebyePoissonLevel *level)
{
  return level->shape[0] * level->shape[1];
}

/* Adds what the ions answer beyond the linear equation; returns the sum of the squares. */
static double
add_ions(const Call *call, size_t first, size_t n)
{
  const Plan *plan = call->plan;
  const float *screening = plan->given.screening + first;
  const double *potential = call->potential + first;
  float *right = plan->levels.levels[0].right + first, *slope = plan->slope + first;
  double sum = 0.0;
  for (size_t i = 1; i + 1 < n; i++) {
    slope[i] = 0.0f;
    if (screening[i] > 0.0f) {
      double rise;
      const double answer = debye_poisson_ions(call->salt, potential[i], &rise);
      right[i] = (float)((double)right[i] + (double)screening[i] * (potential[i] - answer));
      slope[i] = (float)((double)screening[i] * rise);
    }
    sum += (double)right[i] * (double)right[i];
  }
  return sum;
}

/* Periodic copies of a grid's values. */
static void
wrap(const Plan *plan, void *values, size_t size)
{
  debye_poisson_wrap(values, size, plan->settings.shape, plan->settings.periodic);
}

/* right = source − A·potential, and its square. */
static void
residual_plane(void *context, size_t plane)
{
  const Call *call = context;
  const DebyePoissonLevels *levels = &call->plan->levels;
  const DebyePoissonLevel *fine = &levels->levels[0];
  DebyePoissonRow row;
  double sum = 0.0;
  for (size_t y = 1; y + 1 < fine->shape[1]; y++) {
    const size_t first = debye_poisson_level_row(fine, y, plane + 1, &row);
    row.screening = call->plan->given.screening + first;
    const double square =
        levels->block->residual(&row, call->source + first, call->potential + first, fine->right + first);
    sum += call->salt != NULL ? add_ions(call, first, row.n) : square;
  }
  call->plan->sums[plane] = sum;
}

static double
find_residual(const Call *call)
{
  wrap(call->plan, call->potential, sizeof *call->potential);
  return sqrt(sum_planes(call, residual_plane));
}

/* potential += part·correction */
static void
correct_plane(void *context, size_t plane)
{
  const Call *call = context;
  const size_t n = plane_points(&call->plan->levels.levels[0]), first = n * (plane + 1);
  for (size_t i = first; i < first + n; i++)
    call->potential[i] += call->part * call->plan->correction[i];
}

/* values = A·direction, and direction·values. Copies of rows have no part in the residual. */
static void
apply_plane(void *context, size_t plane)
{
  const Call *call = context;
  const DebyePoissonLevels *levels = &call->plan->levels;
  const DebyePoissonLevel *fine = &levels->levels[0];
  DebyePoissonRow row;
  double sum = 0.0;
  for (size_t y = 1; y + 1 < fine->shape[1]; y++) {
    const size_t first = debye_poisson_level_row(fine, y, plane + 1, &row);
    sum += levels->block->apply(&row, call->plan->direction + first, fine->values + first);
  }
  float *values = fine->values + plane_points(fine) * (plane + 1);
  memset(values, 0, fine->shape[0] * sizeof *values);
  memset(values + plane_points(fine) - fine->shape[0], 0, fine->shape[0] * sizeof *values);
  call->plan->sums[plane] = sum;
}

static void
advance_plane(void *context, size_t plane)
{
  const Call *call = context;
  const DebyePoissonLevels *levels = &call->plan->levels;
  const DebyePoissonLevel *fine = &levels->levels[0];
  const size_t n = plane_points(fine), first = n * (plane + 1);
  call->plan->sums[plane] =
      levels->block->advance(n, call->step, call->plan->direction + first, fine->values + first,
                             call->solution + first, fine->right + first);
}

static void
dot_plane(void *context, size_t plane)
{
  const Call *call = context;
  const DebyePoissonLevels *levels = &call->plan->levels;
  const DebyePoissonLevel *fine = &levels->levels[0];
  const size_t n = plane_points(fine), first = n * (plane + 1);
  call->plan->sums[plane] = levels->block->dot(n, fine->right + first, fine->values + first);
}

/* direction = values + scale·direction */
static void
turn_plane(void *context, size_t plane)
{
  const Call *call = context;
  const DebyePoissonLevels *levels = &call->plan->levels;
  const DebyePoissonLevel *fine = &levels->levels[0];
  const size_t n = plane_points(fine), first = n * (plane + 1);
  levels->block->scale_add(n, call->scale, fine->values + first, call->plan->direction + first);
}

/* Of the right-hand side: the residual of a potential that is 0 within. */
static double
right_norm(const Call *call)
{
  const Plan *plan = call->plan;
  const DebyePoissonLevel *fine = &plan->levels.levels[0];
  const size_t row = fine->shape[0], n_rows = fine->shape[1], plane = plane_points(fine);
  const bool *periodic = plan->settings.periodic;
  double sum = 0.0;
  for (size_t z = 1; z + 1 < fine->shape[2]; z++)
    for (size_t y = 1; y + 1 < n_rows; y++)
      for (size_t x = 1; x + 1 < row; x++) {
        const size_t i = x + row * y + plane * z;
        const float *const *along = fine->operator_.along;
        double right = (double)call->source[i];
        right += x == 1 && !periodic[0] ? (double)along[0][i - 1] * call->potential[i - 1] : 0.0;
        right += x + 2 == row && !periodic[0] ? (double)along[0][i] * call->potential[i + 1] : 0.0;
        right += y == 1 && !periodic[1] ? (double)along[1][i - row] * call->potential[i - row] : 0.0;
        right += y + 2 == n_rows && !periodic[1] ? (double)along[1][i] * call->potential[i + row] : 0.0;
        right += z == 1 && !periodic[2] ? (double)along[2][i - plane] * call->potential[i - plane] : 0.0;
        right +=
            z + 2 == fine->shape[2] && !periodic[2] ? (double)along[2][i] * call->potential[i + plane] : 0.0;
        sum += right * right;
      }
  return sqrt(sum);
}

/* Conjugate gradients from the residual in the finest grid's `right`, whose norm is `begin`, until it is `wanted`, by the
 * word of float. */
static DebyeStatusCode
descend(Call *call, double begin, double wanted, unsigned max_cycles, unsigned *cycles,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = call->plan;
  const double end = fmax(wanted, RESTART * begin);
  double norm = begin, product = 0.0;
  memset(plan->direction, 0, plan->levels.levels[0].n * sizeof *plan->direction);
  while (norm > end && *cycles < max_cycles) {
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Solving was stopped.");
    debye_poisson_levels_cycle(&plan->levels);
    const double before = product;
    product = sum_planes(call, dot_plane);
    call->scale = before > 0.0 ? (float)(product / before) : 0.0f;
    debye_poisson_level_planes(&plan->levels, &plan->levels.levels[0], turn_plane, call);
    wrap(plan, plan->direction, sizeof *plan->direction);
    const double curvature = sum_planes(call, apply_plane);
    if (!(curvature > 0.0 && isfinite(product)))
      break;
    call->step = product / curvature;
    norm = sqrt(sum_planes(call, advance_plane));
    ++*cycles;
  }
  return debye_status_ok(status);
}

/* By conjugate gradients that begin anew where float ends. */
static DebyeStatusCode
solve_linear(Call *call, double wanted, unsigned max_cycles, double *norm, unsigned *cycles,
             const volatile bool *cancel, DebyeStatus *status)
{
  DebyeStatusCode code = debye_status_ok(status);
  call->solution = call->potential;
  for (double before = INFINITY;
       *norm > wanted && *norm < LEAST_GAIN * before && *cycles < max_cycles && code == DEBYE_STATUS_OK;) {
    before = *norm;
    code = descend(call, *norm, wanted, max_cycles, cycles, cancel, status);
    *norm = find_residual(call);
  }
  return code;
}

/* Adds the correction, and takes half of it back until the residual is less than it was. */
static double
correct(Call *call, double before)
{
  const DebyePoissonLevels *levels = &call->plan->levels;
  double norm = INFINITY;
  call->part = 1.0;
  for (int i = 0; i <= MAX_HALVINGS && !(norm < before); i++) {
    debye_poisson_level_planes(levels, &levels->levels[0], correct_plane, call);
    norm = find_residual(call);
    call->part = i == 0 ? -0.5 : 0.5 * call->part;
  }
  return norm;
}

static DebyeStatusCode
solve_nonlinear(Call *call, double wanted, unsigned max_cycles, double *norm, DebyePoissonReport *report,
                const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = call->plan;
  DebyeStatusCode code = debye_status_ok(status);
  call->solution = plan->correction;
  for (double before = INFINITY; *norm > wanted && *norm < before && report->cycles < max_cycles;
       report->steps++) {
    before = *norm;
    wrap(plan, plan->slope, sizeof *plan->slope);
    debye_poisson_levels_set_screening(&plan->levels, plan->slope);
    memset(plan->correction, 0, plan->levels.levels[0].n * sizeof *plan->correction);
    code = descend(call, *norm, fmax(0.5 * wanted, STEP_SHARE * *norm), max_cycles, &report->cycles, cancel,
                   status);
    if (code != DEBYE_STATUS_OK)
      break;
    *norm = correct(call, before);
  }
  debye_poisson_levels_set_screening(&plan->levels, plan->given.screening);
  return code;
}

static DebyeStatusCode
solve(DebyeKernelPlan *handle, const float *source, double *potential, const DebyePoissonGoal *goal,
      DebyePoissonReport *report, const volatile bool *cancel, DebyeStatus *status)
{
  Call call = {.plan = (Plan *)handle, .source = source, .potential = potential, .salt = goal->salt};
  DebyeStatusCode code = debye_poisson_goal_check(&call.plan->settings, goal, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!call.plan->has_operator)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no operator to solve with.");
  const double whole = right_norm(&call), wanted = goal->tolerance * whole;
  double norm = find_residual(&call);
  *report = (DebyePoissonReport){0};
  code = goal->salt == NULL
             ? solve_linear(&call, wanted, goal->max_cycles, &norm, &report->cycles, cancel, status)
             : solve_nonlinear(&call, wanted, goal->max_cycles, &norm, report, cancel, status);
  report->residual = whole > 0.0 ? norm / whole : 0.0;
  return code;
}

const DebyePoissonKernel debye_cpu_poisson = {
    .head = {bytes_needed, create, destroy},
    .set_operator = set_operator,
    .solve = solve,
};
