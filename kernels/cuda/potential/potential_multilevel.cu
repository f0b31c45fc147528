/* SPDX-License-Identifier: MIT */
/* Multilevel summation on a GPU; its twin is cpu/potential/potential_multilevel.c.
 *
 * A frame goes up and down the lattices in streams of its own: first all the way up, which is quick, then the
 * coarse ones fold in one launch, the top, whose stencil is the longest, first, beside the finest. What is
 * interpolated from that one is added chunk by chunk to the short-range part, which the cutoff kernel leaves
 * on the device. */
#include "potential_multilevel.cuh"

#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/cuda/common/device_array.cuh"
#include "split_sum.cuh"

/* Values that a fold may read beyond the last of a lattice. */
constexpr int SPILL_PLANES = DEBYE_MULTILEVEL_POINTS + 2 * DEBYE_MULTILEVEL_COLUMN;
/* Blocks have rows of points where there are MANY_BLOCKS of them, a dozen for each multiprocessor of a large
 * device; else parts of the stencil, and the more of these the fewer the blocks. */
constexpr size_t MANY_BLOCKS = 2048, FEW_BLOCKS = 1024;
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
  DebyeMultilevelLevel level[DEBYE_MULTILEVEL_MAX_LEVELS];
  DebyeDeviceArray charges[DEBYE_MULTILEVEL_MAX_LEVELS], potential[DEBYE_MULTILEVEL_MAX_LEVELS], fixed;
  DebyeMultilevelLaunch launch;
  /* Coarse lattices, too small for a device and one waiting for the other, go beside the finest. */
  cudaStream_t beside;
  cudaEvent_t raised, lowered;
} DebyeMultilevelPlan;

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  DebyeMultilevel multilevel;
  (void)device;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      debye_multilevel_choose(settings, &multilevel, NULL) != DEBYE_STATUS_OK ||
      debye_split_sum_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  const uint64_t sum = debye_split_sum_bytes(settings, multilevel.cutoff);
  DebyeMultilevelLevel level[DEBYE_MULTILEVEL_MAX_LEVELS];
  const unsigned n_levels = debye_multilevel_usual_levels(&multilevel, settings, level);
  uint64_t levels = 0;
  for (unsigned i = 0; i < n_levels; i++)
    levels += (level[i].n_charges + level[i].n_potential) * debye_value_bytes(settings);
  if (sum == SIZE_MAX || n_levels == 0)
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
  for (int i = 0; i < DEBYE_MULTILEVEL_MAX_LEVELS; i++) {
    debye_device_array_clear(&plan->charges[i]);
    debye_device_array_clear(&plan->potential[i]);
  }
  for (DebyeDeviceArray *array : {&plan->fixed, &plan->level_fold.columns, &plan->level_fold.weights,
                                  &plan->top_fold.columns, &plan->top_fold.weights})
    debye_device_array_clear(array);
  if (plan->beside != NULL)
    cudaStreamDestroy(plan->beside);
  for (cudaEvent_t event : {plan->raised, plan->lowered})
    if (event != NULL)
      cudaEventDestroy(event);
  cudaGetLastError();
  free(plan);
}

/* Its short kernels go before what else waits for room on the device. */
static cudaError_t
make_beside(DebyeMultilevelPlan *plan)
{
  int least = 0, greatest = 0;
  cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithPriority(&plan->beside, cudaStreamNonBlocking, greatest);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&plan->raised, cudaEventDisableTiming);
  return error == cudaSuccess ? cudaEventCreateWithFlags(&plan->lowered, cudaEventDisableTiming) : error;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  DebyeMultilevel multilevel;
  DebyeStatusCode code = debye_potential_settings_check(settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_multilevel_choose(settings, &multilevel, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  DebyeMultilevelPlan *made = (DebyeMultilevelPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->multilevel = multilevel;
  const DebyePairFunction function = debye_multilevel_pair_function(&multilevel);
  code = debye_split_sum_init(&made->sum, device, settings, &function, status);
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

static DebyeMultilevelKernels
kernels_of(const DebyeMultilevelPlan *plan)
{
  return plan->sum.settings.double_precision ? debye_multilevel_kernels<double>(plan->multilevel.order)
                                             : debye_multilevel_kernels<float>(plan->multilevel.order);
}

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
  memcpy(step.shift, frame->shift, sizeof step.shift);
  memcpy(step.periodic, frame->periodic, sizeof step.periodic);
  memcpy(step.halving, frame->halving, sizeof step.halving);
  step.fixed = plan->launch.fixed;
  step.unit = plan->launch.atoms.unit;
  return step;
}

/* Charges onto the finest lattice. */
static cudaError_t
spread(DebyeMultilevelPlan *plan)
{
  const DebyeMultilevelKernels kernels = kernels_of(plan);
  const DebyeMultilevelLaunch *launch = &plan->launch;
  cudaError_t error =
      cudaMemsetAsync(launch->fixed, 0, plan->level[0].n_potential * sizeof *launch->fixed, plan->sum.stream);
  void *arguments[] = {&plan->launch};
  if (error == cudaSuccess && launch->atoms.n > 0)
    error = cudaLaunchKernel(kernels.spread, dim3(debye_blocks_for(launch->atoms.n, DEBYE_MULTILEVEL_ATOMS)),
                             dim3(DEBYE_MULTILEVEL_THREADS), arguments, 0, plan->sum.stream);
  DebyeMultilevelStep step = make_step(plan, 0, 1);
  if (error == cudaSuccess)
    error = launch_larger(kernels.convert, &step, plan->sum.stream);
  return error;
}

/* With so many rows of points, or parts of the stencil, a block. */
static cudaError_t
launch_fold(const void *kernel, DebyeMultilevelStep *step, unsigned rows, unsigned parts, cudaStream_t stream)
{
  const int *n = step->level.n;
  return launch_step(kernel, step,
                     dim3(debye_blocks_for(n[0], DEBYE_MULTILEVEL_X), debye_blocks_for(n[1], rows),
                          debye_blocks_for(n[2], DEBYE_MULTILEVEL_POINTS)),
                     dim3(DEBYE_MULTILEVEL_X, rows * parts), stream);
}

/* Blocks that fold a lattice, where each has a row of columns. */
static size_t
fold_blocks(const DebyeMultilevelLevel *level)
{
  return (size_t)debye_blocks_for(level->n[0], DEBYE_MULTILEVEL_X) * (size_t)level->n[1] *
         debye_blocks_for(level->n[2], DEBYE_MULTILEVEL_POINTS);
}

static DebyeMultilevelStep
make_fold_step(const DebyeMultilevelPlan *plan, unsigned number)
{
  const bool is_top = number + 1 == plan->launch.frame.n_levels;
  const Fold *with = is_top ? &plan->top_fold : &plan->level_fold;
  DebyeMultilevelStep step = make_step(plan, number, number + 1);
  step.columns = (const DebyeMultilevelRow *)with->columns.memory;
  step.n_columns = with->n_columns;
  step.weights = with->weights.memory;
  step.scale = is_top ? 1.0 : ldexp(1.0, -(int)number);
  return step;
}

/* A lattice's own sum. */
static cudaError_t
fold(DebyeMultilevelPlan *plan, unsigned number, cudaStream_t stream)
{
  const DebyeMultilevelKernels kernels = kernels_of(plan);
  const size_t blocks = fold_blocks(&plan->level[number]);
  DebyeMultilevelStep step = make_fold_step(plan, number);
  if (blocks >= DEBYE_MULTILEVEL_ROWS * MANY_BLOCKS)
    return launch_fold(kernels.fold_rows, &step, DEBYE_MULTILEVEL_ROWS, 1, stream);
  if (blocks >= FEW_BLOCKS)
    return launch_fold(kernels.fold_parts, &step, 1, DEBYE_MULTILEVEL_PARTS, stream);
  return launch_fold(kernels.fold_max_parts, &step, 1, DEBYE_MULTILEVEL_MAX_PARTS, stream);
}

/* Those of lattices from `number` downwards that are small, all in one launch; *next is the first that isn't
 * among them. */
static cudaError_t
fold_together(DebyeMultilevelPlan *plan, unsigned number, unsigned *next, cudaStream_t stream)
{
  DebyeMultilevelSteps steps = {};
  unsigned n_blocks = 0;
  for (; number > 0 && steps.n < DEBYE_MULTILEVEL_TOGETHER; number--) {
    const size_t blocks = fold_blocks(&plan->level[number]);
    if (blocks >= FEW_BLOCKS)
      break;
    n_blocks += (unsigned)blocks;
    steps.step[steps.n] = make_fold_step(plan, number);
    steps.end[steps.n++] = n_blocks;
  }
  *next = number;
  if (steps.n == 0)
    return cudaSuccess;
  void *arguments[] = {&steps};
  return cudaLaunchKernel(kernels_of(plan).fold_together, dim3(n_blocks),
                          dim3(DEBYE_MULTILEVEL_X, DEBYE_MULTILEVEL_MAX_PARTS), arguments, 0, stream);
}

/* Those of all lattices but the finest, the top first. */
static cudaError_t
fold_coarse(DebyeMultilevelPlan *plan, cudaStream_t stream)
{
  unsigned next = plan->launch.frame.n_levels - 1;
  cudaError_t error = cudaSuccess;
  while (next > 0 && error == cudaSuccess) {
    const unsigned number = next;
    error = fold_together(plan, number, &next, stream);
    if (error == cudaSuccess && next == number)
      error = fold(plan, next--, stream);
  }
  return error;
}

/* Charges of a lattice, from the one below. */
static cudaError_t
raise(DebyeMultilevelPlan *plan, unsigned number, cudaStream_t stream)
{
  DebyeMultilevelStep step = make_step(plan, number, number - 1);
  return launch_larger(kernels_of(plan).restrict_charges, &step, stream);
}

/* What a lattice has of those above it. */
static cudaError_t
lower(DebyeMultilevelPlan *plan, unsigned number, cudaStream_t stream)
{
  DebyeMultilevelStep step = make_step(plan, number, number + 1);
  const int *size = step.level.n;
  return launch_step(kernels_of(plan).prolong, &step,
                     dim3(debye_blocks_for((size_t)size[0] * (size_t)size[1], 256), (unsigned)size[2]),
                     dim3(256), stream);
}

/* Charges of all lattices but the finest. */
static cudaError_t
raise_all(DebyeMultilevelPlan *plan, cudaStream_t stream)
{
  cudaError_t error = cudaSuccess;
  for (unsigned i = 1; i < plan->launch.frame.n_levels && error == cudaSuccess; i++)
    error = raise(plan, i, stream);
  return error;
}

/* Down to the lattice above the finest. */
static cudaError_t
lower_coarse(DebyeMultilevelPlan *plan, cudaStream_t stream)
{
  cudaError_t error = cudaSuccess;
  for (unsigned i = plan->launch.frame.n_levels - 1; i-- > 1 && error == cudaSuccess;)
    error = lower(plan, i, stream);
  return error;
}

/* From the finest lattice's charges to its potential. Coarse ones between two events, so that the plan's
 * stream still says when all is done; they are launched first, because the finest's blocks fill the device
 * until they end. */
static cudaError_t
fill_lattices(DebyeMultilevelPlan *plan)
{
  cudaStream_t stream = plan->sum.stream;
  cudaError_t error = raise_all(plan, stream);
  if (error == cudaSuccess)
    error = cudaEventRecord(plan->raised, stream);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(plan->beside, plan->raised, 0);
  if (error == cudaSuccess)
    error = fold_coarse(plan, plan->beside);
  if (error == cudaSuccess)
    error = fold(plan, 0, stream);
  if (error == cudaSuccess)
    error = lower_coarse(plan, plan->beside);
  if (error == cudaSuccess)
    error = cudaEventRecord(plan->lowered, plan->beside);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(stream, plan->lowered, 0);
  return error == cudaSuccess && plan->launch.frame.n_levels > 1 ? lower(plan, 0, stream) : error;
}

/* A launch's blocks in y are planes. */
static bool
lattice_fits_launches(const DebyeMultilevelPlan *plan)
{
  const DebyeMultilevelLevel *level = &plan->level[0];
  return (size_t)(level->n[2] + level->before[2] + level->after[2]) <= MAX_GRID_YZ &&
         (size_t)level->n[1] <= MAX_GRID_YZ * DEBYE_MULTILEVEL_ROWS && level->plane < INT32_MAX;
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
  launch->atoms = debye_split_sum_atoms(&plan->sum);
  launch->fixed = (unsigned long long *)plan->fixed.memory;
  launch->potential = plan->level[0].potential;
  code = debye_cuda_status(spread(plan), "spreading the charges", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_finish_near(&plan->sum, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(fill_lattices(plan), "filling the lattices", status);
  return code == DEBYE_STATUS_OK ? debye_split_sum_finish(&plan->sum, status) : code;
}

/* The smooth part of some planes. */
static cudaError_t
interpolate(void *context, DebyeSlab planes, void *out, bool adds, cudaStream_t stream)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)context;
  const DebyeSplitSum *sum = &plan->sum;
  const DebyeEwaldGrid grid = debye_multilevel_grid(&plan->launch.frame, &sum->settings.grid);
  return debye_split_sum_interpolate(sum, kernels_of(plan).interpolate, &plan->launch, &grid, planes, out,
                                     adds, stream);
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
