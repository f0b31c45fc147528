/* SPDX-License-Identifier: MIT */
/* Multilevel summation on a GPU; its twin is cpu/potential_multilevel.c.
 *
 * A frame goes up and down the lattices in a stream of its own while the host sorts the charges for the
 * short-range part. A slab is interpolated from the finest lattice chunk by chunk, and the cutoff kernel adds
 * the short-range part to what stands there, on the device. */
#include "potential_multilevel.cuh"

#include <stdlib.h>
#include <string.h>

#include "kernels/chunk_threads.h"
#include "potential_cutoff.h"
#include "slab_pipeline.cuh"

/* Values that a fold may read beyond the last of a lattice. */
constexpr int SPILL_PLANES = DEBYE_MULTILEVEL_POINTS + 2 * DEBYE_MULTILEVEL_COLUMN;
/* Below so many points a block sums a point. */
constexpr size_t SMALL_LATTICE = 8192;
constexpr size_t MAX_GRID_YZ = 65535;

/* Memory on the device that grows where a frame needs more. */
struct Array {
  void *memory;
  size_t bytes;
};

/* A stencil on the device. */
struct Fold {
  Array columns, weights;
  unsigned n_columns;
};

typedef struct {
  int device;
  DebyePotentialSettings settings;
  DebyeMultilevel multilevel;
  DebyeMultilevelStencils stencils;
  Fold level_fold, top_fold;
  DebyeMultilevelLevel level[DEBYE_MULTILEVEL_MOST_LEVELS];
  Array charges[DEBYE_MULTILEVEL_MOST_LEVELS], potential[DEBYE_MULTILEVEL_MOST_LEVELS], fixed;
  cudaStream_t stream;       /* of what is done once a frame */
  cudaEvent_t ready;         /* the finest lattice holds the potential */
  float *atoms, *atoms_host; /* all x, all y, all z, all charges */
  DebyeSlabPipeline *pipeline;
  DebyePotentialPlan *near; /* the short-range part */
  DebyeMultilevelLaunch launch;
} DebyeMultilevelPlan;

static void
run_on_threads(void *runner, size_t n_chunks, void (*function)(void *, size_t), void *context)
{
  (void)runner;
  debye_chunk_threads_run(n_chunks, function, context);
}

static const DebyeChunkRunner on_threads = {run_on_threads, NULL};

static size_t
value_bytes(const DebyePotentialSettings *settings)
{
  return settings->double_precision ? sizeof(double) : sizeof(float);
}

static size_t
atom_room(const DebyePotentialSettings *settings)
{
  return settings->max_charges > 0 ? settings->max_charges : 1;
}

static DebyePotentialSettings
near_settings(const DebyePotentialSettings *settings, const DebyeMultilevel *multilevel)
{
  DebyePotentialSettings near = *settings;
  near.method = DEBYE_POTENTIAL_CUTOFF;
  near.smoothing = DEBYE_SMOOTHING_NONE;
  near.cutoff = multilevel->cutoff;
  return near;
}

/* Beyond these a launch has too many blocks. */
static bool
fits_launches(const DebyePotentialSettings *settings)
{
  return settings->max_charges <= INT32_MAX && settings->grid.shape[0] <= INT32_MAX &&
         settings->grid.shape[1] <= 4 * MAX_GRID_YZ;
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  DebyeMultilevel multilevel;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      debye_multilevel_choose(settings, &multilevel, NULL) != DEBYE_STATUS_OK || !fits_launches(settings))
    return SIZE_MAX;
  const DebyePotentialSettings near = near_settings(settings, &multilevel);
  const uint64_t near_bytes = debye_cuda_cutoff.bytes_needed(device, &near);
  const uint64_t levels = debye_multilevel_levels_bytes(&multilevel, settings);
  if (near_bytes == SIZE_MAX || levels == SIZE_MAX)
    return SIZE_MAX;
  const uint64_t fixed = (uint64_t)debye_multilevel_typical_points(&multilevel, settings) * sizeof(uint64_t);
  return near_bytes + levels + fixed + 4 * sizeof(float) * atom_room(settings) +
         debye_slab_pipeline_bytes(settings);
}

static void
free_array(Array *array)
{
  cudaFree(array->memory);
  *array = {};
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  if (plan == NULL)
    return;
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  if (plan->near != NULL)
    debye_cuda_cutoff.destroy(plan->near);
  debye_slab_pipeline_destroy(plan->pipeline);
  debye_multilevel_stencils_clear(&plan->stencils);
  for (int i = 0; i < DEBYE_MULTILEVEL_MOST_LEVELS; i++) {
    free_array(&plan->charges[i]);
    free_array(&plan->potential[i]);
  }
  for (Array *array : {&plan->fixed, &plan->level_fold.columns, &plan->level_fold.weights,
                       &plan->top_fold.columns, &plan->top_fold.weights})
    free_array(array);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  if (plan->ready != NULL)
    cudaEventDestroy(plan->ready);
  cudaFree(plan->atoms);
  cudaFreeHost(plan->atoms_host);
  cudaGetLastError();
  free(plan);
}

static cudaError_t
make_device_parts(DebyeMultilevelPlan *plan)
{
  const size_t bytes = 4 * sizeof(float) * atom_room(&plan->settings);
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&plan->ready, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&plan->atoms, bytes);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->atoms_host, bytes, cudaHostAllocDefault);
  return error;
}

static DebyeStatusCode
make_parts(DebyeMultilevelPlan *plan, DebyeStatus *status)
{
  const DebyePotentialSettings near = near_settings(&plan->settings, &plan->multilevel);
  const DebyePairFunction function = debye_multilevel_pair_function(&plan->multilevel);
  DebyeStatusCode code = debye_cuda_status(make_device_parts(plan), "planning multilevel summation", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_slab_pipeline_create(&plan->settings, &plan->pipeline, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_cutoff_create_with(plan->device, &near, &function, &plan->near, status);
  return code;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  DebyeMultilevel multilevel;
  if (debye_potential_settings_check(settings, status) != DEBYE_STATUS_OK ||
      debye_multilevel_choose(settings, &multilevel, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (!fits_launches(settings))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  DebyeMultilevelPlan *made = (DebyeMultilevelPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->device = device;
  made->settings = *settings;
  made->multilevel = multilevel;
  DebyeStatusCode code = make_parts(made, status);
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyePotentialPlan *)made);
    return code;
  }
  *plan = (DebyePotentialPlan *)made;
  return debye_status_ok(status);
}

/* Room for a frame. */

static cudaError_t
grow(Array *array, size_t bytes)
{
  if (bytes <= array->bytes && array->memory != NULL)
    return cudaSuccess;
  free_array(array);
  cudaError_t error = cudaMalloc(&array->memory, bytes + 16);
  if (error == cudaSuccess)
    array->bytes = bytes;
  return error;
}

/* In the plan's precision; synchronous, since the host's copy goes. */
static cudaError_t
upload_weights(const DebyeMultilevelPlan *plan, DebyeMultilevelRows *rows, Array *to)
{
  if (!plan->settings.double_precision)
    for (size_t i = 0; i < rows->n_weights; i++) {
      /* In place: a float is never written before its double was read. */
      const float value = (float)rows->weights[i];
      memcpy((char *)rows->weights + i * sizeof value, &value, sizeof value);
    }
  const size_t bytes = rows->n_weights * value_bytes(&plan->settings);
  cudaError_t error = grow(to, bytes);
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
  cudaError_t error = grow(&fold->columns, bytes);
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
  const size_t value = value_bytes(&plan->settings);
  cudaError_t error = cudaSuccess;
  for (unsigned i = 0; i < frame->n_levels && error == cudaSuccess; i++) {
    DebyeMultilevelLevel *level = &plan->level[i];
    *level = debye_multilevel_level(frame, i, &plan->stencils, 0);
    /* What is read beyond the last plane need not be anything: its sums are dropped. */
    const size_t bytes = (level->n_charges + SPILL_PLANES * level->plane) * value;
    const bool larger = bytes > plan->charges[i].bytes;
    error = grow(&plan->charges[i], bytes);
    if (error == cudaSuccess && larger)
      error = cudaMemsetAsync(plan->charges[i].memory, 0, bytes, plan->stream);
    if (error == cudaSuccess)
      error = grow(&plan->potential[i], level->n_potential * value);
    level->charge = (char *)plan->charges[i].memory + level->origin * value;
    level->potential = plan->potential[i].memory;
  }
  if (error == cudaSuccess)
    error = grow(&plan->fixed, plan->level[0].n_potential * sizeof(unsigned long long));
  return error;
}

static DebyeStatusCode
set_frame(DebyeMultilevelPlan *plan, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeMultilevelFrame *frame = &plan->launch.frame;
  bool changed = false;
  DebyeStatusCode code = debye_multilevel_frame_set(&plan->multilevel, &plan->settings, cell, charges,
                                                    &on_threads, frame, status);
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

/* A part of the charges into pinned memory, and the sum of their sizes. */
constexpr size_t STAGE_PARTS = 64;

struct Staging {
  const DebyeCharges *charges;
  float *to;
  size_t room;
  double total[STAGE_PARTS];
};

static void
stage_part(void *context, size_t part)
{
  Staging *staging = (Staging *)context;
  const DebyeCharges *charges = staging->charges;
  const size_t begin = charges->n * part / STAGE_PARTS, n = charges->n * (part + 1) / STAGE_PARTS - begin;
  double total = 0.0;
  for (size_t i = begin; i < begin + n; i++)
    total += fabs((double)charges->charge[i]);
  staging->total[part] = total;
  if (n == 0)
    return;
  memcpy(staging->to + begin, charges->x + begin, n * sizeof(float));
  memcpy(staging->to + staging->room + begin, charges->y + begin, n * sizeof(float));
  memcpy(staging->to + 2 * staging->room + begin, charges->z + begin, n * sizeof(float));
  memcpy(staging->to + 3 * staging->room + begin, charges->charge + begin, n * sizeof(float));
}

static double
stage_atoms(DebyeMultilevelPlan *plan, const DebyeCharges *charges)
{
  Staging staging = {charges, plan->atoms_host, atom_room(&plan->settings), {}};
  double total = 0.0;
  debye_chunk_threads_run(STAGE_PARTS, stage_part, &staging);
  for (double part : staging.total)
    total += part;
  return total;
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

static unsigned
blocks_for(size_t n, size_t size)
{
  return (unsigned)((n + size - 1) / size);
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
      dim3(blocks_for(level->plane, 256), (unsigned)(level->n[2] + level->before[2] + level->after[2])),
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

/* Charges to the device and onto the finest lattice. */
static cudaError_t
spread(DebyeMultilevelPlan *plan)
{
  const bool exact = plan->settings.double_precision;
  const DebyeMultilevelLaunch *launch = &plan->launch;
  const size_t bytes = 4 * atom_room(&plan->settings) * sizeof(float);
  cudaError_t error =
      cudaMemcpyAsync(plan->atoms, plan->atoms_host, bytes, cudaMemcpyHostToDevice, plan->stream);
  if (error == cudaSuccess)
    error =
        cudaMemsetAsync(launch->fixed, 0, plan->level[0].n_potential * sizeof *launch->fixed, plan->stream);
  void *arguments[] = {&plan->launch};
  if (error == cudaSuccess && launch->n_atoms > 0)
    error = cudaLaunchKernel(KERNEL_FOR(debye_multilevel_spread, launch->frame.order, exact),
                             dim3(blocks_for(launch->n_atoms, DEBYE_MULTILEVEL_ATOMS)),
                             dim3(DEBYE_MULTILEVEL_THREADS), arguments, 0, plan->stream);
  DebyeMultilevelStep step = make_step(plan, 0, 1);
  if (error == cudaSuccess)
    error = launch_larger(KERNEL_OF(debye_multilevel_convert, exact), &step, plan->stream);
  return error;
}

static cudaError_t
fold(DebyeMultilevelPlan *plan, unsigned number)
{
  const bool is_top = number + 1 == plan->launch.frame.n_levels, exact = plan->settings.double_precision;
  const Fold *with = is_top ? &plan->top_fold : &plan->level_fold;
  const int *n = plan->level[number].n;
  DebyeMultilevelStep step = make_step(plan, number, number + 1);
  step.columns = (const DebyeMultilevelRow *)with->columns.memory;
  step.n_columns = with->n_columns;
  step.weights = with->weights.memory;
  step.scale = is_top ? 1.0 : ldexp(1.0, -(int)number);
  if (step.level.n_potential <= SMALL_LATTICE)
    return launch_step(KERNEL_OF(debye_multilevel_fold_small, exact), &step,
                       dim3((unsigned)step.level.n_potential), dim3(DEBYE_MULTILEVEL_THREADS), plan->stream);
  return launch_step(KERNEL_OF(debye_multilevel_fold, exact), &step,
                     dim3(blocks_for(n[0], DEBYE_MULTILEVEL_X), blocks_for(n[1], DEBYE_MULTILEVEL_Y),
                          blocks_for(n[2], DEBYE_MULTILEVEL_POINTS)),
                     dim3(DEBYE_MULTILEVEL_X, DEBYE_MULTILEVEL_Y), plan->stream);
}

static cudaError_t
up_and_down(DebyeMultilevelPlan *plan)
{
  const unsigned n = plan->launch.frame.n_levels;
  const bool exact = plan->settings.double_precision;
  cudaError_t error = cudaSuccess;
  for (unsigned i = 0; i < n && error == cudaSuccess; i++) {
    error = fold(plan, i);
    if (i + 1 == n || error != cudaSuccess)
      break;
    DebyeMultilevelStep step = make_step(plan, i + 1, i);
    error = launch_larger(KERNEL_OF(debye_multilevel_restrict, exact), &step, plan->stream);
  }
  for (unsigned i = n - 1; i-- > 0 && error == cudaSuccess;) {
    DebyeMultilevelStep step = make_step(plan, i, i + 1);
    const int *size = step.level.n;
    error = launch_step(KERNEL_OF(debye_multilevel_prolong, exact), &step,
                        dim3(blocks_for((size_t)size[0] * (size_t)size[1], 256), (unsigned)size[2]),
                        dim3(256), plan->stream);
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

/* The short-range part's bins: on the device where it can sort them, else on the host while the lattices are
 * filled.
 */
static DebyeStatusCode
set_near_charges(DebyeMultilevelPlan *plan, const DebyeCharges *charges, const DebyeCell *cell,
                 DebyeStatus *status)
{
  const DebyeMultilevelLaunch *launch = &plan->launch;
  DebyeStatusCode code;
  if (plan->settings.periodic == DEBYE_PERIODIC_ALL) {
    const DebyeCharges on_device = {launch->x, launch->y, launch->z, launch->charge, charges->n};
    code = debye_cuda_cutoff_set_on_device(plan->near, &on_device, cell, plan->stream, status);
  } else {
    code = debye_cuda_cutoff.set_charges(plan->near, charges, cell, status);
  }
  if (code != DEBYE_STATUS_OK)
    return code;
  return debye_cuda_status(cudaEventRecord(plan->ready, plan->stream), "filling the lattices", status);
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  DebyeMultilevelLaunch *launch = &plan->launch;
  const size_t room = atom_room(&plan->settings);
  DebyeStatusCode code =
      debye_multilevel_charges_check(charges, plan->settings.max_charges, &on_threads, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  /* What is staged for the last frame may still be on its way. */
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaStreamSynchronize(plan->stream), "computing a frame", status);
  if (code == DEBYE_STATUS_OK)
    code = set_frame(plan, charges, cell, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!lattice_fits_launches(plan))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "The lattice is too large for the device.");
  const double total = stage_atoms(plan, charges);
  launch->x = plan->atoms;
  launch->y = plan->atoms + room;
  launch->z = plan->atoms + 2 * room;
  launch->charge = plan->atoms + 3 * room;
  launch->n_atoms = (unsigned)charges->n;
  launch->unit = total > 0.0 ? ldexp(1.0, ilogb(total) - 61) : 1.0;
  launch->fixed = (unsigned long long *)plan->fixed.memory;
  launch->potential = plan->level[0].potential;
  cudaError_t error = spread(plan);
  if (error == cudaSuccess)
    error = up_and_down(plan);
  code = debye_cuda_status(error, "filling the lattices", status);
  return code == DEBYE_STATUS_OK ? set_near_charges(plan, charges, cell, status) : code;
}

/* The smooth part of some planes, written to `out`. */
static DebyeStatusCode
start_interpolation(DebyeMultilevelPlan *plan, DebyeSlab planes, void *out, cudaStream_t stream,
                    DebyeStatus *status)
{
  const DebyeGrid *grid = &plan->settings.grid;
  const size_t plane_bytes = grid->shape[0] * grid->shape[1] * value_bytes(&plan->settings);
  const void *kernel =
      KERNEL_FOR(debye_multilevel_interpolate, plan->multilevel.order, plan->settings.double_precision);
  DebyeMultilevelTarget target = {};
  target.grid = debye_multilevel_grid(&plan->launch.frame, grid);
  target.shape[0] = (unsigned)grid->shape[0];
  target.shape[1] = (unsigned)grid->shape[1];
  cudaError_t error = cudaSuccess;
  for (size_t done = 0, count; done < planes.count && error == cudaSuccess; done += count) {
    count = planes.count - done < MAX_GRID_YZ ? planes.count - done : MAX_GRID_YZ;
    target.first_plane = planes.first + done;
    void *part = (char *)out + done * plane_bytes;
    void *arguments[] = {&plan->launch, &target, &part};
    const dim3 blocks(blocks_for(grid->shape[0], 32), blocks_for(grid->shape[1], 4), (unsigned)count);
    error = cudaLaunchKernel(kernel, blocks, dim3(32, 4), arguments, 0, stream);
  }
  return debye_cuda_status(error, "interpolating from the lattice", status);
}

static DebyeStatusCode
start_planes(void *context, DebyeSlab planes, void *out, cudaStream_t stream, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)context;
  cudaError_t error = cudaStreamWaitEvent(stream, plan->ready, 0);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "waiting for the lattices", status);
  DebyeStatusCode code = start_interpolation(plan, planes, out, stream, status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_cutoff_enqueue(plan->near, planes, out, true, NULL, stream, status)
             : code;
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "choosing the device", status);
  void *result = plan->settings.double_precision ? (void *)out_double : (void *)out;
  return debye_slab_pipeline_run(plan->pipeline, slab, result, start_planes, plan, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_multilevel = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};
