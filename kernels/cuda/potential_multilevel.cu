/* SPDX-License-Identifier: MIT */
/* Multilevel summation on a GPU; its twin is cpu/potential_multilevel.c.
 *
 * A frame goes up and down the lattices in a stream of its own. A slab is interpolated from the finest
 * lattice chunk by chunk, and the cutoff kernel adds the short-range part to what stands there, on the
 * device. */
#include "potential_multilevel.cuh"

#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "device_array.cuh"
#include "split_sum.cuh"

/* Values that a fold may read beyond the last of a lattice. */
constexpr int SPILL_PLANES = DEBYE_MULTILEVEL_POINTS + 2 * DEBYE_MULTILEVEL_COLUMN;
/* Up to so many points a block sums a point: columns of one lattice of 28³ would be fewer blocks than a
 * device has multiprocessors. */
constexpr size_t SMALL_LATTICE = 32768;
constexpr size_t MAX_GRID_YZ = 65535;

/* A stencil on the device. */
struct Fold {
  DebyeDeviceArray columns, weights;
  unsigned n_columns;
};

typedef struct {
  DebyeSplitSum sum;
  DebyeMultilevel multilevel;
  DebyeMultilevelStencils stencils;
  Fold level_fold, top_fold;
  DebyeMultilevelLevel level[DEBYE_MULTILEVEL_MOST_LEVELS];
  DebyeDeviceArray charges[DEBYE_MULTILEVEL_MOST_LEVELS], potential[DEBYE_MULTILEVEL_MOST_LEVELS], fixed;
  DebyeMultilevelLaunch launch;
  /* Coarse lattices, too small for a device, are folded beside the finest. */
  cudaStream_t beside;
  cudaEvent_t raised, folded;
} DebyeMultilevelPlan;

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  DebyeMultilevel multilevel;
  (void)device;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      debye_multilevel_choose(settings, &multilevel, NULL) != DEBYE_STATUS_OK ||
      !debye_split_sum_fits(settings))
    return SIZE_MAX;
  const uint64_t sum = debye_split_sum_bytes(settings, multilevel.cutoff);
  const uint64_t levels = debye_multilevel_levels_bytes(&multilevel, settings);
  if (sum == SIZE_MAX || levels == SIZE_MAX)
    return SIZE_MAX;
  return sum + levels + (uint64_t)debye_multilevel_typical_points(&multilevel, settings) * sizeof(uint64_t);
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  if (plan == NULL)
    return;
  debye_split_sum_clear(&plan->sum);
  debye_multilevel_stencils_clear(&plan->stencils);
  for (int i = 0; i < DEBYE_MULTILEVEL_MOST_LEVELS; i++) {
    debye_device_array_clear(&plan->charges[i]);
    debye_device_array_clear(&plan->potential[i]);
  }
  for (DebyeDeviceArray *array : {&plan->fixed, &plan->level_fold.columns, &plan->level_fold.weights,
                                  &plan->top_fold.columns, &plan->top_fold.weights})
    debye_device_array_clear(array);
  if (plan->beside != NULL)
    cudaStreamDestroy(plan->beside);
  for (cudaEvent_t event : {plan->raised, plan->folded})
    if (event != NULL)
      cudaEventDestroy(event);
  cudaGetLastError();
  free(plan);
}

static cudaError_t
make_beside(DebyeMultilevelPlan *plan)
{
  cudaError_t error = cudaStreamCreateWithFlags(&plan->beside, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&plan->raised, cudaEventDisableTiming);
  return error == cudaSuccess ? cudaEventCreateWithFlags(&plan->folded, cudaEventDisableTiming) : error;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  DebyeMultilevel multilevel;
  if (debye_potential_settings_check(settings, status) != DEBYE_STATUS_OK ||
      debye_multilevel_choose(settings, &multilevel, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (!debye_split_sum_fits(settings))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  DebyeMultilevelPlan *made = (DebyeMultilevelPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->multilevel = multilevel;
  const DebyePairFunction function = debye_multilevel_pair_function(&multilevel);
  DebyeStatusCode code = debye_split_sum_init(&made->sum, device, settings, &function, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(make_beside(made), "planning the lattices", status);
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyePotentialPlan *)made);
    return code;
  }
  *plan = (DebyePotentialPlan *)made;
  return debye_status_ok(status);
}

/* Room for a frame. */

/* In the plan's precision; synchronous, since the host's copy goes. */
static cudaError_t
upload_weights(const DebyeMultilevelPlan *plan, DebyeMultilevelRows *rows, DebyeDeviceArray *to)
{
  if (!plan->sum.settings.double_precision)
    for (size_t i = 0; i < rows->n_weights; i++) {
      /* In place: a float is never written before its double was read. */
      const float value = (float)rows->weights[i];
      memcpy((char *)rows->weights + i * sizeof value, &value, sizeof value);
    }
  const size_t bytes = rows->n_weights * debye_value_bytes(&plan->sum.settings);
  cudaError_t error = debye_device_array_reserve(to, bytes, NULL);
  return error == cudaSuccess ? debye_cuda_upload(to->memory, rows->weights, bytes) : error;
}

static DebyeStatusCode
set_fold(const DebyeMultilevelPlan *plan, const DebyeMultilevelStencil *stencil, Fold *fold,
         DebyeStatus *status)
{
  DebyeMultilevelRows rows;
  DebyeStatusCode code = debye_multilevel_rows_set(stencil, 2, DEBYE_MULTILEVEL_COLUMN, &rows, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const size_t bytes = rows.n_rows * sizeof *rows.rows;
  fold->n_columns = (unsigned)rows.n_rows;
  cudaError_t error = debye_device_array_reserve(&fold->columns, bytes, NULL);
  if (error == cudaSuccess)
    error = debye_cuda_upload(fold->columns.memory, rows.rows, bytes);
  if (error == cudaSuccess)
    error = upload_weights(plan, &rows, &fold->weights);
  debye_multilevel_rows_clear(&rows);
  return debye_cuda_status(error, "copying a stencil to the device", status);
}

static cudaError_t
set_levels(DebyeMultilevelPlan *plan)
{
  const DebyeMultilevelFrame *frame = &plan->launch.frame;
  const size_t value = debye_value_bytes(&plan->sum.settings);
  cudaError_t error = cudaSuccess;
  for (unsigned i = 0; i < frame->n_levels && error == cudaSuccess; i++) {
    DebyeMultilevelLevel *level = &plan->level[i];
    *level = debye_multilevel_level(frame, i, &plan->stencils, 0);
    /* What is read beyond the last plane need not be anything: its sums are dropped. */
    const size_t bytes = (level->n_charges + SPILL_PLANES * level->plane) * value;
    bool grew;
    error = debye_device_array_reserve(&plan->charges[i], bytes, &grew);
    if (error == cudaSuccess && grew)
      error = cudaMemsetAsync(plan->charges[i].memory, 0, plan->charges[i].bytes, plan->sum.stream);
    if (error == cudaSuccess)
      error = debye_device_array_reserve(&plan->potential[i], level->n_potential * value, NULL);
    level->charge = (char *)plan->charges[i].memory + level->origin * value;
    level->potential = plan->potential[i].memory;
  }
  if (error == cudaSuccess)
    error = debye_device_array_reserve(&plan->fixed, plan->level[0].n_potential * sizeof(unsigned long long),
                                       NULL);
  return error;
}

static DebyeStatusCode
set_frame(DebyeMultilevelPlan *plan, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeMultilevelFrame *frame = &plan->launch.frame;
  bool changed = false;
  DebyeStatusCode code = debye_multilevel_frame_set(&plan->multilevel, &plan->sum.settings, cell, charges,
                                                    &debye_chunk_threads, frame, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_multilevel_stencils_set(&plan->stencils, &plan->multilevel, frame, &changed, status);
  if (code == DEBYE_STATUS_OK && changed)
    code = set_fold(plan, &plan->stencils.level, &plan->level_fold, status);
  if (code == DEBYE_STATUS_OK && changed)
    code = set_fold(plan, &plan->stencils.top, &plan->top_fold, status);
  if (code != DEBYE_STATUS_OK) {
    plan->stencils.frame.n_levels = 0;
    return code;
  }
  return debye_cuda_status(set_levels(plan), "making room for the lattices", status);
}

/* The kernel of a family for the plan's order and precision. */
#define KERNEL_FOR(family, order, exact)                             \
  ((exact)        ? (order) == 4   ? (const void *)family<4, double> \
                    : (order) == 6 ? (const void *)family<6, double> \
                                   : (const void *)family<8, double> \
          : (order) == 4 ? (const void *)family<4, float>            \
   : (order) == 6 ? (const void *)family<6, float>                   \
                  : (const void *)family<8, float>)
#define KERNEL_OF(family, exact) ((exact) ? (const void *)family<double> : (const void *)family<float>)

static cudaError_t
launch_step(const void *kernel, DebyeMultilevelStep *step, dim3 blocks, dim3 threads, cudaStream_t stream)
{
  void *arguments[] = {step};
  return cudaLaunchKernel(kernel, blocks, threads, arguments, 0, stream);
}

/* Launched over all of the larger lattice. */
static cudaError_t
launch_larger(const void *kernel, DebyeMultilevelStep *step, cudaStream_t stream)
{
  const DebyeMultilevelLevel *level = &step->level;
  return launch_step(
      kernel, step,
      dim3(debye_blocks_for(level->plane, 256), (unsigned)(level->n[2] + level->before[2] + level->after[2])),
      dim3(256), stream);
}

static DebyeMultilevelStep
make_step(const DebyeMultilevelPlan *plan, unsigned level, unsigned other)
{
  const DebyeMultilevelFrame *frame = &plan->launch.frame;
  DebyeMultilevelStep step = {};
  step.level = plan->level[level];
  if (other < frame->n_levels)
    step.other = plan->level[other];
  step.half = (int)frame->order / 2;
  memcpy(step.shift, frame->shift, sizeof step.shift);
  memcpy(step.periodic, frame->periodic, sizeof step.periodic);
  memcpy(step.halving, frame->halving, sizeof step.halving);
  step.fixed = plan->launch.fixed;
  step.unit = plan->launch.unit;
  return step;
}

/* Charges onto the finest lattice. */
static cudaError_t
spread(DebyeMultilevelPlan *plan)
{
  const bool exact = plan->sum.settings.double_precision;
  const DebyeMultilevelLaunch *launch = &plan->launch;
  cudaError_t error =
      cudaMemsetAsync(launch->fixed, 0, plan->level[0].n_potential * sizeof *launch->fixed, plan->sum.stream);
  void *arguments[] = {&plan->launch};
  if (error == cudaSuccess && launch->n_atoms > 0)
    error = cudaLaunchKernel(KERNEL_FOR(debye_multilevel_spread, launch->frame.order, exact),
                             dim3(debye_blocks_for(launch->n_atoms, DEBYE_MULTILEVEL_ATOMS)),
                             dim3(DEBYE_MULTILEVEL_THREADS), arguments, 0, plan->sum.stream);
  DebyeMultilevelStep step = make_step(plan, 0, 1);
  if (error == cudaSuccess)
    error = launch_larger(KERNEL_OF(debye_multilevel_convert, exact), &step, plan->sum.stream);
  return error;
}

static cudaError_t
fold(DebyeMultilevelPlan *plan, unsigned number, cudaStream_t stream)
{
  const bool is_top = number + 1 == plan->launch.frame.n_levels, exact = plan->sum.settings.double_precision;
  const Fold *with = is_top ? &plan->top_fold : &plan->level_fold;
  const int *n = plan->level[number].n;
  DebyeMultilevelStep step = make_step(plan, number, number + 1);
  step.columns = (const DebyeMultilevelRow *)with->columns.memory;
  step.n_columns = with->n_columns;
  step.weights = with->weights.memory;
  step.scale = is_top ? 1.0 : ldexp(1.0, -(int)number);
  if (step.level.n_potential <= SMALL_LATTICE)
    return launch_step(KERNEL_OF(debye_multilevel_fold_small, exact), &step,
                       dim3((unsigned)step.level.n_potential), dim3(DEBYE_MULTILEVEL_THREADS), stream);
  return launch_step(KERNEL_OF(debye_multilevel_fold, exact), &step,
                     dim3(debye_blocks_for(n[0], DEBYE_MULTILEVEL_X),
                          debye_blocks_for(n[1], DEBYE_MULTILEVEL_Y),
                          debye_blocks_for(n[2], DEBYE_MULTILEVEL_POINTS)),
                     dim3(DEBYE_MULTILEVEL_X, DEBYE_MULTILEVEL_Y), stream);
}

/* Charges of all lattices, each from the one below. */
static cudaError_t
go_up(DebyeMultilevelPlan *plan)
{
  cudaError_t error = cudaSuccess;
  for (unsigned i = 1; i < plan->launch.frame.n_levels && error == cudaSuccess; i++) {
    DebyeMultilevelStep step = make_step(plan, i, i - 1);
    error = launch_larger(KERNEL_OF(debye_multilevel_restrict, plan->sum.settings.double_precision), &step,
                          plan->sum.stream);
  }
  return error;
}

/* Every lattice's own sum. Between two events, so that the plan's stream still says when all is done. */
static cudaError_t
fold_all(DebyeMultilevelPlan *plan)
{
  cudaError_t error = cudaEventRecord(plan->raised, plan->sum.stream);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(plan->beside, plan->raised, 0);
  if (error == cudaSuccess)
    error = fold(plan, 0, plan->sum.stream);
  for (unsigned i = 1; i < plan->launch.frame.n_levels && error == cudaSuccess; i++)
    error = fold(plan, i, plan->beside);
  if (error == cudaSuccess)
    error = cudaEventRecord(plan->folded, plan->beside);
  return error == cudaSuccess ? cudaStreamWaitEvent(plan->sum.stream, plan->folded, 0) : error;
}

/* What each lattice has of those above it. */
static cudaError_t
go_down(DebyeMultilevelPlan *plan)
{
  cudaError_t error = cudaSuccess;
  for (unsigned i = plan->launch.frame.n_levels - 1; i-- > 0 && error == cudaSuccess;) {
    DebyeMultilevelStep step = make_step(plan, i, i + 1);
    const int *size = step.level.n;
    error = launch_step(KERNEL_OF(debye_multilevel_prolong, plan->sum.settings.double_precision), &step,
                        dim3(debye_blocks_for((size_t)size[0] * (size_t)size[1], 256), (unsigned)size[2]),
                        dim3(256), plan->sum.stream);
  }
  return error;
}

/* A launch's blocks in y are planes. */
static bool
lattice_fits_launches(const DebyeMultilevelPlan *plan)
{
  const DebyeMultilevelLevel *level = &plan->level[0];
  return (size_t)(level->n[2] + level->before[2] + level->after[2]) <= MAX_GRID_YZ &&
         (size_t)level->n[1] <= MAX_GRID_YZ * DEBYE_MULTILEVEL_Y && level->plane < INT32_MAX;
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  DebyeMultilevelLaunch *launch = &plan->launch;
  DebyeStatusCode code = debye_split_sum_set_charges(&plan->sum, charges, cell, status);
  if (code == DEBYE_STATUS_OK)
    code = set_frame(plan, charges, cell, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!lattice_fits_launches(plan))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "The lattice is too large for the device.");
  launch->x = plan->sum.staged.charges.x;
  launch->y = plan->sum.staged.charges.y;
  launch->z = plan->sum.staged.charges.z;
  launch->charge = plan->sum.staged.charges.charge;
  launch->n_atoms = (unsigned)charges->n;
  launch->unit = debye_split_sum_unit(&plan->sum);
  launch->fixed = (unsigned long long *)plan->fixed.memory;
  launch->potential = plan->level[0].potential;
  cudaError_t error = spread(plan);
  if (error == cudaSuccess)
    error = go_up(plan);
  if (error == cudaSuccess)
    error = fold_all(plan);
  if (error == cudaSuccess)
    error = go_down(plan);
  code = debye_cuda_status(error, "filling the lattices", status);
  return code == DEBYE_STATUS_OK ? debye_split_sum_finish(&plan->sum, status) : code;
}

/* The smooth part of some planes, written to `out`. */
static cudaError_t
interpolate(void *context, DebyeSlab planes, void *out, cudaStream_t stream)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)context;
  const DebyeGrid *grid = &plan->sum.settings.grid;
  DebyeMultilevelTarget target = {};
  target.grid = debye_multilevel_grid(&plan->launch.frame, grid);
  target.shape[0] = (unsigned)grid->shape[0];
  target.shape[1] = (unsigned)grid->shape[1];
  target.first_plane = planes.first;
  void *arguments[] = {&plan->launch, &target, &out};
  const dim3 blocks(debye_blocks_for(grid->shape[0], 32), debye_blocks_for(grid->shape[1], 4),
                    (unsigned)planes.count);
  return cudaLaunchKernel(
      KERNEL_FOR(debye_multilevel_interpolate, plan->multilevel.order, plan->sum.settings.double_precision),
      blocks, dim3(32, 4), arguments, 0, stream);
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  (void)meanwhile;
  return debye_split_sum_execute(&plan->sum, slab, out, out_double, interpolate, plan, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_multilevel = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};
