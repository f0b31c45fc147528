/* SPDX-License-Identifier: MIT */
/* The Poisson-Boltzmann equation on a GPU; its twin is cpu/poisson/poisson.c. */
#include "kernels/poisson/poisson.h"

#include <math.h>

#include "poisson_plan.cuh"

/* Until the residual is computed anew, which is as much work as a fifth of an iteration, and what was learned of
 * directions lost. Rounding makes it differ from the one that iterations keep by 2e-7 of the whole. */
#define RESTART 5e-7
/* An iteration leaves more of a residual than one over this. */
#define AHEAD 25.0
/* As the CPU's. */
#define LEAST_GAIN 0.5
#define STEP_SHARE 0.02
#define MAX_HALVINGS 8

typedef DebyeCudaPoissonPlan Plan;

static DebyeStatusCode
set_grid(DebyeCudaPoissonGrid *grid, const size_t shape[3], const bool periodic[3], DebyeStatus *status)
{
  for (int axis = 0; axis < 3; axis++) {
    grid->shape[axis] = (int)shape[axis];
    grid->periodic[axis] = periodic[axis];
  }
  grid->n = shape[0] * shape[1] * shape[2];
  grid->y = (uint32_t)shape[0];
  grid->z = (uint32_t)(shape[0] * shape[1]);
  return grid->n <= UINT32_MAX ? debye_status_ok(status)
                               : debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                                  "A grid of %zu × %zu × %zu points is too large.", shape[0],
                                                  shape[1], shape[2]);
}

/* Of a plan with slabs no device has the finest grid. */
static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  size_t shapes[DEBYE_POISSON_MAX_LEVELS][3];
  plan->settings = *(const DebyePoissonSettings *)settings;
  plan->device = device;
  DebyeStatusCode code = debye_poisson_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->levels.n_levels = debye_poisson_levels(plan->settings.shape, plan->settings.periodic, shapes);
  for (size_t i = plan->settings.slabs.n > 0 ? 1 : 0; i < plan->levels.n_levels && code == DEBYE_STATUS_OK;
       i++)
    code = set_grid(&plan->levels.grids[i], shapes[i], plan->settings.periodic, status);
  return code;
}

/* Places count from the slab's first plane, of an even number in the whole: colours are the same, and points of the second
 * level at even places. */
static DebyeStatusCode
set_up_slab(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  const DebyeCudaPoissonSlab *slab = (const DebyeCudaPoissonSlab *)settings;
  const size_t planes = slab->settings->slabs.planes[slab->number];
  plan->settings = *slab->settings;
  plan->settings.slabs.n = 0;
  plan->device = device;
  plan->is_slab = true;
  for (unsigned i = 0; i < slab->number; i++)
    plan->begin += (int)slab->settings->slabs.planes[i];
  const size_t *whole = plan->settings.shape;
  const size_t fine[3] = {whole[0], whole[1], planes + 2},
               coarse[3] = {(whole[0] + 1) / 2, (whole[1] + 1) / 2, planes / 2 + 2};
  plan->levels.n_levels = 2;
  const DebyeStatusCode code = set_grid(&plan->levels.grids[0], fine, plan->settings.periodic, status);
  return code != DEBYE_STATUS_OK ? code
                                 : set_grid(&plan->levels.grids[1], coarse, plan->settings.periodic, status);
}

/* Coarser grids' conductances in float, and their screening, lie in `keys` until the cycle has what it needs of them: their
 * points are less than half as many as the finest grid's, and mostly a seventh. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const size_t n = plan->levels.grids[0].n;
  if (plan->settings.slabs.n > 0) {
    debye_cuda_poisson_slabs_list(plan, memory);
    return;
  }
  for (size_t i = 0; i < plan->levels.n_levels; i++) {
    DebyeCudaPoissonGrid &grid = plan->levels.grids[i];
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.rough[0], 3 * (uint64_t)grid.n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.inverse, grid.n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.right, grid.n);
    if (i > 0)
      DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, grid.values, grid.n);
  }
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->levels.grids[0].rest[0], 3 * (uint64_t)n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->keys, n + 2);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->potential.rounded, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->potential.rest, n);
  if (plan->settings.nonlinear)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->levels.grids[0].screening, n);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->posed,
                             plan->settings.n_atoms == 0 ? 2 * (uint64_t)n : 0, sizeof(float));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->sums.of_blocks,
                   debye_cuda_poisson_count_sums(&plan->levels.grids[0]));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->sums.n_done, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->sums.scalars, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_scalars, DEBYE_POISSON_IN_FLIGHT);
  debye_cuda_poisson_molecule_list(plan, memory);
}

/* Where the finest grid's screening is, of which an iteration has to know. */
void
debye_cuda_poisson_record(DebyeCudaPoissonPlan *plan, DebyeCudaPoissonIons ions)
{
  DebyeStream *stream = &plan->stream;
  cudaGraph_t graph = NULL;
  plan->levels.grids[0].ions = ions;
  if (plan->is_slab)
    return;
  if (plan->iteration != NULL && plan->recorded.flags == ions.flags &&
      plan->recorded.screening == ions.screening)
    return;
  if (plan->iteration != NULL)
    cudaGraphExecDestroy(plan->iteration);
  plan->iteration = NULL;
  plan->recorded = ions;
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, cudaStreamBeginCapture(stream->handle, cudaStreamCaptureModeThreadLocal));
  if (!debye_stream_is_good(stream))
    return;
  const DebyeCudaPoissonGrid *fine = &plan->levels.grids[0];
  debye_cuda_poisson_cycle(&plan->levels, 0, &plan->sums, stream);
  debye_cuda_poisson_turn(fine, &plan->sums, plan->direction, plan->potential.rest, stream);
  debye_cuda_poisson_advance(fine, &plan->sums, fine->periodic[0] || fine->periodic[1] || fine->periodic[2],
                             stream);
  debye_stream_note(stream, cudaStreamEndCapture(stream->handle, &graph));
  if (debye_stream_is_good(stream))
    debye_stream_note(stream, cudaGraphInstantiate(&plan->iteration, graph, 0));
  if (graph != NULL)
    cudaGraphDestroy(graph);
}

/* Places of coarser grids' screenings, then of their conductances. */
static void
lay_coarser(Plan *plan, float *place)
{
  for (size_t i = 1; i < plan->levels.n_levels; i++) {
    plan->levels.grids[i].screening = place;
    place += plan->levels.grids[i].n;
  }
  for (size_t i = 1; i < plan->levels.n_levels; i++)
    for (float *&along : plan->levels.grids[i].along) {
      along = place;
      place += plan->levels.grids[i].n;
    }
}

/* Outer points keep the zeros that are written here. */
static void
lay_level(Plan *plan, size_t level)
{
  DebyeCudaPoissonGrid &grid = plan->levels.grids[level];
  DebyeStream *stream = &plan->stream;
  grid.left = grid.values;
  debye_stream_clear(stream, grid.rough[0], 3 * grid.n * sizeof *grid.rough[0]);
  if (level == 0)
    debye_stream_clear(stream, grid.rest[0], 3 * grid.n * sizeof *grid.rest[0]);
  for (int axis = 1; axis < 3; axis++) {
    grid.rough[axis] = grid.rough[0] + (size_t)axis * grid.n;
    grid.rest[axis] = level == 0 ? grid.rest[0] + (size_t)axis * grid.n : NULL;
  }
  for (float *array : {grid.inverse, grid.values, grid.right})
    debye_stream_clear(stream, array, grid.n * sizeof *array);
}

static void
lay_finest(Plan *plan)
{
  DebyeCudaPoissonGrid &grid = plan->levels.grids[0];
  DebyeStream *stream = &plan->stream;
  grid.values = (float *)plan->keys;
  lay_level(plan, 0);
  plan->direction = grid.left + (grid.n + 3) / 4 * 4;
  debye_stream_clear(stream, plan->direction, grid.n * sizeof *plan->direction);
  debye_stream_clear(stream, plan->sums.n_done, sizeof *plan->sums.n_done);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  DebyeStream *stream = &plan->stream;
  const bool has_finest = plan->settings.slabs.n == 0;
  debye_stream_open(stream);
  if (has_finest)
    lay_finest(plan);
  for (size_t i = 1; i < plan->levels.n_levels; i++)
    lay_level(plan, i);
  lay_coarser(plan, has_finest ? plan->levels.grids[0].left : plan->coarser);
  debye_stream_clear(stream, plan->sums.scalars, sizeof *plan->sums.scalars);
  for (cudaEvent_t &event : plan->iterated)
    debye_stream_new_event(stream, &event);
  debye_stream_new_event(stream, &plan->passed);
  debye_stream_wait(stream);
  if (has_finest)
    debye_cuda_poisson_molecule_open(plan);
  if (has_finest && plan->settings.n_atoms > 0)
    debye_cuda_poisson_record(plan, DebyeCudaPoissonIons{plan->molecule.flags, plan->molecule.uncut, NULL});
  const DebyeStatusCode code =
      debye_stream_finish(stream, "preparing the Poisson-Boltzmann equation", status);
  return code != DEBYE_STATUS_OK || has_finest ? code : debye_cuda_poisson_slabs_open(plan, status);
}

static void
clear(void *made)
{
  Plan *plan = (Plan *)made;
  if (plan->settings.slabs.n > 0)
    debye_cuda_poisson_slabs_close(plan);
  cudaSetDevice(plan->device);
  if (plan->iteration != NULL)
    cudaGraphExecDestroy(plan->iteration);
  for (cudaEvent_t event : plan->iterated)
    debye_event_free(event);
  debye_event_free(plan->passed);
  debye_cuda_poisson_molecule_close(plan);
  debye_stream_close(&plan->stream);
}

DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

const DebyePlanKind debye_cuda_poisson_slab_kind = {.size = sizeof(Plan),
                                                    .source = &debye_cuda_memory_source,
                                                    .set_up = set_up_slab,
                                                    .list_memory = list_memory,
                                                    .no_memory = NULL,
                                                    .prepare = prepare,
                                                    .clear = clear};

static DebyeStatusCode
set_operator(DebyeKernelPlan *handle, const DebyePoissonOperator *operator_, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const DebyeCudaPoissonGrid &fine = plan->levels.grids[0];
  DebyeStream *stream = &plan->stream;
  if (plan->settings.slabs.n > 0)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "Several devices can't share an equation that the host makes.");
  debye_stream_note(stream, cudaSetDevice(plan->device));
  plan->has_operator = plan->molecule.has_medium = false;
  /* The molecule may have left too little of the device. */
  if (plan->posed.bytes < 2 * (uint64_t)fine.n * sizeof(float))
    debye_cuda_poisson_molecule_release(plan);
  debye_stream_reserve(stream, &plan->posed, 2 * (uint64_t)fine.n, sizeof(float));
  float *screening = (float *)plan->posed.memory + fine.n;
  debye_stream_upload(stream, screening, operator_->screening, fine.n * sizeof(float));
  for (int axis = 0; axis < 3; axis++) {
    debye_stream_upload(stream, plan->keys, operator_->along[axis], fine.n * sizeof(float));
    debye_cuda_poisson_halve(&fine, axis, (const float *)plan->keys, stream);
  }
  /* The list of cut edges may have been there. */
  debye_stream_clear(stream, fine.right, fine.n * sizeof *fine.right);
  debye_cuda_poisson_record(plan, DebyeCudaPoissonIons{NULL, NULL, screening});
  debye_cuda_poisson_reset_screening(&plan->levels, stream);
  debye_cuda_poisson_coarsen(&plan->levels, stream);
  const DebyeStatusCode code = debye_stream_finish(stream, "setting the Poisson-Boltzmann operator", status);
  plan->has_operator = code == DEBYE_STATUS_OK;
  return code;
}

static bool
is_of_molecule(const Plan *part)
{
  return part->levels.grids[0].ions.flags != NULL;
}

static DebyeCudaPoissonEquation
equation_of(const Plan *part, const DebyePoissonSalt *salt)
{
  DebyeCudaPoissonEquation equation = {};
  equation.source = is_of_molecule(part) ? part->levels.grids[0].right : (const float *)part->posed.memory;
  equation.potential = part->potential;
  if (salt != NULL)
    equation.salt = *salt;
  return equation;
}

/* The norm that was put into the stream, when it is there. */
static double
fetch_norm(Plan *plan)
{
  DebyeStream *stream = &plan->stream;
  debye_stream_download(stream, plan->host_scalars, plan->sums.scalars, sizeof *plan->host_scalars);
  debye_stream_wait(stream);
  return debye_stream_is_good(stream) ? sqrt(plan->host_scalars->norm2) : NAN;
}

static void
place_source(Plan *part)
{
  if (is_of_molecule(part))
    debye_cuda_poisson_place_charges(&part->molecule, part->levels.grids[0].right, &part->stream);
}

static double
find_residual(Plan *plan, const DebyePoissonSalt *salt)
{
  debye_cuda_poisson_refresh_potential(plan);
  debye_cuda_poisson_over_parts(plan, [=](Plan *part) {
    const DebyeCudaPoissonEquation equation = equation_of(part, salt);
    place_source(part);
    debye_cuda_poisson_residual(&part->levels.grids[0], &part->sums, &equation, &part->stream);
  });
  debye_cuda_poisson_add_slabs(plan, DEBYE_POISSON_TOTAL_BEGINNING);
  return fetch_norm(plan);
}

/* The norm of the right-hand side, which without a guess is the residual. */
static double
find_whole(Plan *plan, const DebyePoissonSalt *salt, bool has_guess)
{
  debye_cuda_poisson_forget_copies(plan);
  debye_cuda_poisson_over_parts(plan, [=](Plan *part) {
    const DebyeCudaPoissonGrid *fine = &part->levels.grids[0];
    const DebyeCudaPoissonEquation equation = equation_of(part, salt);
    place_source(part);
    if (has_guess)
      debye_cuda_poisson_norm(fine, &part->sums, &equation, &part->stream);
    else
      debye_cuda_poisson_begin(fine, &part->sums, &equation, &part->stream);
  });
  debye_cuda_poisson_add_slabs(plan, has_guess ? DEBYE_POISSON_TOTAL_NORM : DEBYE_POISSON_TOTAL_BEGINNING);
  return fetch_norm(plan);
}

/* Puts iteration `number` and what it finds into the stream. */
static void
iterate(Plan *plan, unsigned number)
{
  DebyeStream *stream = &plan->stream;
  const unsigned slot = number % DEBYE_POISSON_IN_FLIGHT;
  if (plan->settings.slabs.n > 0)
    debye_cuda_poisson_iterate_slabs(plan);
  else if (debye_stream_is_good(stream))
    debye_stream_note(stream, cudaGraphLaunch(plan->iteration, stream->handle));
  debye_stream_download(stream, &plan->host_scalars[slot], plan->sums.scalars, sizeof *plan->host_scalars);
  debye_stream_record(stream, plan->iterated[slot]);
}

/* The correction, of the equation's residual that is there, but for its last step. While a residual is far from its goal the
 * next iteration is on its way before that of the last is known. */
static DebyeStatusCode
descend(Plan *plan, double begin, double wanted, unsigned max_cycles, unsigned *cycles,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeStream *stream = &plan->stream;
  const double end = fmax(wanted, RESTART * begin);
  const unsigned most = max_cycles - *cycles;
  unsigned n_begun = 0, n_ended = 0;
  for (double norm = begin; norm > end && n_ended < most && debye_stream_is_good(stream);) {
    if (debye_is_cancelled(cancel))
      break;
    const unsigned in_flight = norm > AHEAD * end ? DEBYE_POISSON_IN_FLIGHT : 1;
    while (n_begun < most && n_begun < n_ended + in_flight)
      iterate(plan, n_begun++);
    const unsigned slot = n_ended++ % DEBYE_POISSON_IN_FLIGHT;
    if (debye_stream_is_good(stream))
      debye_stream_note(stream, cudaEventSynchronize(plan->iterated[slot]));
    if (!(plan->host_scalars[slot].curvature > 0.0))
      break;
    norm = sqrt(plan->host_scalars[slot].norm2);
  }
  *cycles += n_begun;
  if (!debye_is_cancelled(cancel))
    return debye_status_ok(status);
  debye_stream_wait(stream);
  return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Solving was stopped.");
}

static void
finish(Plan *plan)
{
  debye_cuda_poisson_over_parts(plan, [](Plan *part) {
    debye_cuda_poisson_finish(&part->levels.grids[0], &part->sums, part->direction, &part->potential,
                              part->settings.nonlinear, &part->stream);
  });
}

static DebyeStatusCode
solve_linear(Plan *plan, const DebyePoissonSalt *salt, double wanted, unsigned max_cycles, double *norm,
             unsigned *cycles, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeStatusCode code = debye_status_ok(status);
  for (double before = INFINITY;
       *norm > wanted && *norm < LEAST_GAIN * before && *cycles < max_cycles && code == DEBYE_STATUS_OK;) {
    before = *norm;
    code = descend(plan, *norm, wanted, max_cycles, cycles, cancel, status);
    finish(plan);
    *norm = find_residual(plan, salt);
  }
  return code;
}

/* Adds the correction, which is where directions are then, and takes half of it back until the residual is less than it was. */
static double
correct(Plan *plan, const DebyePoissonSalt *salt, double before)
{
  double norm = INFINITY, part = 1.0;
  for (int i = 0; i <= MAX_HALVINGS && !(norm < before) && debye_stream_is_good(&plan->stream); i++) {
    if (i == 0)
      finish(plan);
    else
      debye_cuda_poisson_over_parts(plan, [=](Plan *of) {
        debye_cuda_poisson_correct(&of->levels.grids[0], part, of->direction, &of->potential, &of->stream);
      });
    norm = find_residual(plan, salt);
    part = i == 0 ? -0.5 : 0.5 * part;
  }
  return norm;
}

static DebyeStatusCode
solve_nonlinear(Plan *plan, const DebyePoissonSalt *salt, double wanted, unsigned max_cycles, double *norm,
                DebyePoissonReport *report, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeStatusCode code = debye_status_ok(status);
  for (double before = INFINITY; *norm > wanted && *norm < before && report->cycles < max_cycles;
       report->steps++) {
    before = *norm;
    debye_cuda_poisson_coarsen_parts(plan, false);
    code = descend(plan, *norm, fmax(0.5 * wanted, STEP_SHARE * *norm), max_cycles, &report->cycles, cancel,
                   status);
    if (code != DEBYE_STATUS_OK)
      break;
    *norm = correct(plan, salt, before);
  }
  debye_cuda_poisson_over_parts(
      plan, [](Plan *part) { debye_cuda_poisson_reset_screening(&part->levels, &part->stream); });
  debye_cuda_poisson_coarsen_parts(plan, false);
  return code;
}

DebyeStatusCode
debye_cuda_poisson_run(DebyeCudaPoissonPlan *plan, const DebyePoissonGoal *goal, bool has_guess,
                       DebyePoissonReport *report, const volatile bool *cancel, DebyeStatus *status)
{
  const double whole = find_whole(plan, goal->salt, has_guess), wanted = goal->tolerance * whole;
  double norm = has_guess ? find_residual(plan, goal->salt) : whole;
  *report = DebyePoissonReport{};
  const DebyeStatusCode code =
      goal->salt == NULL
          ? solve_linear(plan, NULL, wanted, goal->max_cycles, &norm, &report->cycles, cancel, status)
          : solve_nonlinear(plan, goal->salt, wanted, goal->max_cycles, &norm, report, cancel, status);
  report->residual = whole > 0.0 ? norm / whole : 0.0;
  plan->is_finite = isfinite(whole) && isfinite(norm);
  return code;
}

static DebyeStatusCode
solve(DebyeKernelPlan *handle, const float *source, double *potential, const DebyePoissonGoal *goal,
      DebyePoissonReport *report, const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeStream *stream = &plan->stream;
  const size_t n = plan->levels.grids[0].n;
  DebyeStatusCode code = debye_poisson_goal_check(&plan->settings, goal, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!plan->has_operator || plan->settings.slabs.n > 0 || is_of_molecule(plan))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There is no operator to solve with.");
  debye_stream_note(stream, cudaSetDevice(plan->device));
  debye_stream_upload(stream, plan->posed.memory, source, n * sizeof *source);
  debye_stream_upload(stream, plan->keys, potential, n * sizeof *potential);
  debye_cuda_poisson_split(n, (const double *)plan->keys, &plan->potential, stream);
  /* Outer points, too. */
  debye_stream_clear(stream, plan->levels.grids[0].left, n * sizeof(float));
  code = debye_cuda_poisson_run(plan, goal, true, report, cancel, status);
  debye_cuda_poisson_join(n, &plan->potential, (double *)plan->keys, stream);
  debye_stream_download(stream, potential, plan->keys, n * sizeof *potential);
  const DebyeStatusCode end = debye_stream_finish(stream, "solving the Poisson-Boltzmann equation", status);
  return end != DEBYE_STATUS_OK || code == DEBYE_STATUS_OK
             ? end
             : debye_status_set(status, code, "Solving was stopped.");
}

extern "C" const DebyePoissonKernel debye_cuda_poisson = {
    .head = {bytes_needed, create, destroy},
    .max_slabs = DEBYE_POISSON_MAX_SLABS,
    .set_operator = set_operator,
    .solve = solve,
    .solve_molecule = debye_cuda_poisson_solve_molecule,
    .fetch = debye_cuda_poisson_fetch,
};
