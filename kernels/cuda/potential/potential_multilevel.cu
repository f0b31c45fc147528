/* SPDX-License-Identifier: MIT */
/* Multilevel summation on a GPU; its twin is cpu/potential/potential_multilevel.c.
 *
 * A frame goes up and down the lattices in streams of its own: first all the way up, which is quick, then the
 * coarse ones fold in one launch, the top, whose stencil is the longest, first, beside the finest. What is
 * interpolated from that one is added chunk by chunk to the short-range part, which the cutoff kernel leaves
 * on the device. */
#include "potential_multilevel.cuh"

#include <string.h>

#include "kernels/chunk_threads.h"
#include "kernels/potential/multilevel.h"
#include "split_sum.cuh"

/* Values that a fold may read beyond the last of a lattice. */
constexpr int SPILL_PLANES = DEBYE_MULTILEVEL_POINTS + 2 * DEBYE_MULTILEVEL_COLUMN;
/* Blocks have rows of points where there are MANY_BLOCKS of them, a dozen for each multiprocessor of a large
 * device; else parts of the stencil, and the more of these the fewer the blocks. */
constexpr size_t MANY_BLOCKS = 2048, FEW_BLOCKS = 1024;
constexpr size_t MAX_GRID_YZ = 65535;

/* A stencil on the device. */
struct Fold {
  DebyeRoom columns, weights;
  unsigned n_columns;
};

typedef struct {
  DebyeSplitSum sum;
  DebyeMultilevel multilevel;
  DebyeMultilevelStencils stencils;
  Fold level_fold, top_fold;
  DebyeMultilevelLevel level[DEBYE_MULTILEVEL_MAX_LEVELS];
  DebyeRoom charges[DEBYE_MULTILEVEL_MAX_LEVELS], potential[DEBYE_MULTILEVEL_MAX_LEVELS], fixed;
  DebyeMultilevelLaunch launch;
  /* Coarse lattices, too small for a device and one waiting for the other, go beside the finest. */
  DebyeStream beside;
  cudaEvent_t raised, lowered;
} DebyeMultilevelPlan;

/* With what is read beyond the last plane, which need not be anything: its sums are dropped. */
static size_t
count_charges(const DebyeMultilevelLevel *level)
{
  return level->n_charges + SPILL_PLANES * level->plane;
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)made;
  const DebyePotentialSettings *settings = (const DebyePotentialSettings *)data;
  DebyeStatusCode code = debye_potential_settings_check(settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_multilevel_choose(settings, &plan->multilevel, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const DebyePairFunction function = debye_multilevel_pair_function(&plan->multilevel);
  debye_split_sum_set_up(&plan->sum, device, settings, &function);
  return debye_multilevel_usual_levels(&plan->multilevel, settings, plan->level, status);
}

/* All levels are in it, since a frame may have more of them than a typical one: those have no size yet. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)made;
  const size_t value = debye_value_bytes(&plan->sum.settings);
  debye_split_sum_list(&plan->sum, memory);
  for (int i = 0; i < DEBYE_MULTILEVEL_MAX_LEVELS; i++) {
    const DebyeMultilevelLevel *level = &plan->level[i];
    debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->charges[i], count_charges(level), value);
    debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->potential[i], level->n_potential, value);
  }
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->fixed, plan->level[0].n_potential,
                             sizeof(unsigned long long));
  for (DebyeRoom *room : {&plan->level_fold.columns, &plan->level_fold.weights, &plan->top_fold.columns,
                          &plan->top_fold.weights})
    debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, room, 0, 1);
}

/* The short kernels beside go before what else waits for room on the device. */
static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)made;
  DebyeStream *beside = &plan->beside;
  const DebyeStatusCode code = debye_split_sum_open(&plan->sum, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_stream_open_urgent(beside, 1.0);
  debye_stream_new_event(beside, &plan->raised);
  debye_stream_new_event(beside, &plan->lowered);
  for (const DebyeRoom &room : plan->charges)
    debye_stream_clear(beside, room.memory, room.bytes);
  return debye_stream_finish(beside, "planning the lattices", status);
}

static void
clear(void *made)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)made;
  debye_split_sum_close(&plan->sum);
  debye_multilevel_stencils_clear(&plan->stencils);
  debye_stream_close(&plan->beside);
  debye_event_free(plan->raised);
  debye_event_free(plan->lowered);
}

DEBYE_PLAN(DebyeMultilevelPlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

/* Room for a frame. */

/* In the plan's precision. */
static void
upload_weights(DebyeMultilevelPlan *plan, DebyeMultilevelRows *rows, DebyeRoom *to)
{
  const size_t value = debye_value_bytes(&plan->sum.settings);
  if (!plan->sum.settings.double_precision)
    for (size_t i = 0; i < rows->n_weights; i++) {
      /* In place: a float is never written before its double was read. */
      const float weight = (float)rows->weights[i];
      memcpy((char *)rows->weights + i * sizeof weight, &weight, sizeof weight);
    }
  debye_stream_reserve(&plan->sum.stream, to, rows->n_weights, value);
  debye_stream_upload(&plan->sum.stream, to->memory, rows->weights, rows->n_weights * value);
}

/* Waited for, since the host's copy goes. */
static DebyeStatusCode
set_fold(DebyeMultilevelPlan *plan, const DebyeMultilevelStencil *stencil, Fold *fold, DebyeStatus *status)
{
  DebyeMultilevelRows rows;
  DebyeStream *stream = &plan->sum.stream;
  DebyeStatusCode code = debye_multilevel_rows_set(stencil, 2, DEBYE_MULTILEVEL_COLUMN, &rows, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  fold->n_columns = (unsigned)rows.n_rows;
  debye_stream_reserve(stream, &fold->columns, rows.n_rows, sizeof *rows.rows);
  debye_stream_upload(stream, fold->columns.memory, rows.rows, rows.n_rows * sizeof *rows.rows);
  upload_weights(plan, &rows, &fold->weights);
  code = debye_stream_finish(stream, "copying a stencil to the device", status);
  debye_multilevel_rows_clear(&rows);
  return code;
}

static DebyeStatusCode
set_levels(DebyeMultilevelPlan *plan, DebyeStatus *status)
{
  const DebyeMultilevelFrame *frame = &plan->launch.frame;
  DebyeStream *stream = &plan->sum.stream;
  const size_t value = debye_value_bytes(&plan->sum.settings);
  for (unsigned i = 0; i < frame->n_levels; i++) {
    DebyeMultilevelLevel *level = &plan->level[i];
    *level = debye_multilevel_level(frame, i, &plan->stencils, 0);
    debye_stream_reserve(stream, &plan->charges[i], count_charges(level), value);
    debye_stream_reserve(stream, &plan->potential[i], level->n_potential, value);
    level->charge = (char *)plan->charges[i].memory + level->origin * value;
    level->potential = plan->potential[i].memory;
  }
  debye_stream_reserve(stream, &plan->fixed, plan->level[0].n_potential, sizeof(unsigned long long));
  return debye_stream_report(stream, "making room for the lattices", status);
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
  return set_levels(plan, status);
}

static DebyeMultilevelKernels
kernels_of(const DebyeMultilevelPlan *plan)
{
  return plan->sum.settings.double_precision ? debye_multilevel_kernels<double>(plan->multilevel.order)
                                             : debye_multilevel_kernels<float>(plan->multilevel.order);
}

static void
launch_step(const void *kernel, DebyeMultilevelStep *step, dim3 blocks, dim3 threads, DebyeStream *stream)
{
  void *arguments[] = {step};
  debye_stream_launch(stream, kernel, blocks, threads, arguments);
}

/* Launched over all of the larger lattice. */
static void
launch_larger(const void *kernel, DebyeMultilevelStep *step, DebyeStream *stream)
{
  const DebyeMultilevelLevel *level = &step->level;
  launch_step(
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
static void
spread(DebyeMultilevelPlan *plan)
{
  const DebyeMultilevelKernels kernels = kernels_of(plan);
  const DebyeMultilevelLaunch *launch = &plan->launch;
  DebyeStream *stream = &plan->sum.stream;
  void *arguments[] = {&plan->launch};
  DebyeMultilevelStep step = make_step(plan, 0, 1);
  debye_stream_clear(stream, launch->fixed, plan->level[0].n_potential * sizeof *launch->fixed);
  if (launch->atoms.n > 0)
    debye_stream_launch(stream, kernels.spread,
                        dim3(debye_blocks_for(launch->atoms.n, DEBYE_MULTILEVEL_ATOMS)),
                        dim3(DEBYE_MULTILEVEL_THREADS), arguments);
  launch_larger(kernels.convert, &step, stream);
}

/* With so many rows of points, or parts of the stencil, a block. */
static void
launch_fold(const void *kernel, DebyeMultilevelStep *step, unsigned rows, unsigned parts, DebyeStream *stream)
{
  const int *n = step->level.n;
  launch_step(kernel, step,
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
static void
fold(DebyeMultilevelPlan *plan, unsigned number, DebyeStream *stream)
{
  const DebyeMultilevelKernels kernels = kernels_of(plan);
  const size_t blocks = fold_blocks(&plan->level[number]);
  DebyeMultilevelStep step = make_fold_step(plan, number);
  if (blocks >= DEBYE_MULTILEVEL_ROWS * MANY_BLOCKS)
    launch_fold(kernels.fold_rows, &step, DEBYE_MULTILEVEL_ROWS, 1, stream);
  else if (blocks >= FEW_BLOCKS)
    launch_fold(kernels.fold_parts, &step, 1, DEBYE_MULTILEVEL_PARTS, stream);
  else
    launch_fold(kernels.fold_max_parts, &step, 1, DEBYE_MULTILEVEL_MAX_PARTS, stream);
}

/* Those of lattices from `number` downwards that are small, all in one launch; *next is the first that isn't
 * among them. */
static void
fold_together(DebyeMultilevelPlan *plan, unsigned number, unsigned *next, DebyeStream *stream)
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
  void *arguments[] = {&steps};
  if (steps.n > 0)
    debye_stream_launch(stream, kernels_of(plan).fold_together, dim3(n_blocks),
                        dim3(DEBYE_MULTILEVEL_X, DEBYE_MULTILEVEL_MAX_PARTS), arguments);
}

/* Those of all lattices but the finest, the top first. */
static void
fold_coarse(DebyeMultilevelPlan *plan, DebyeStream *stream)
{
  unsigned next = plan->launch.frame.n_levels - 1;
  while (next > 0) {
    const unsigned number = next;
    fold_together(plan, number, &next, stream);
    if (next == number)
      fold(plan, next--, stream);
  }
}

/* Charges of a lattice, from the one below. */
static void
raise(DebyeMultilevelPlan *plan, unsigned number, DebyeStream *stream)
{
  DebyeMultilevelStep step = make_step(plan, number, number - 1);
  launch_larger(kernels_of(plan).restrict_charges, &step, stream);
}

/* What a lattice has of those above it. */
static void
lower(DebyeMultilevelPlan *plan, unsigned number, DebyeStream *stream)
{
  DebyeMultilevelStep step = make_step(plan, number, number + 1);
  const int *size = step.level.n;
  launch_step(kernels_of(plan).prolong, &step,
              dim3(debye_blocks_for((size_t)size[0] * (size_t)size[1], 256), (unsigned)size[2]), dim3(256),
              stream);
}

/* Charges of all lattices but the finest. */
static void
raise_all(DebyeMultilevelPlan *plan, DebyeStream *stream)
{
  for (unsigned i = 1; i < plan->launch.frame.n_levels; i++)
    raise(plan, i, stream);
}

/* Down to the lattice above the finest. */
static void
lower_coarse(DebyeMultilevelPlan *plan, DebyeStream *stream)
{
  for (unsigned i = plan->launch.frame.n_levels - 1; i-- > 1;)
    lower(plan, i, stream);
}

/* From the finest lattice's charges to its potential. Coarse ones between two events, so that the plan's
 * stream still says when all is done; they are launched first, because the finest's blocks fill the device
 * until they end. */
static DebyeStatusCode
fill_lattices(DebyeMultilevelPlan *plan, DebyeStatus *status)
{
  DebyeStream *stream = &plan->sum.stream, *beside = &plan->beside;
  raise_all(plan, stream);
  debye_stream_record(stream, plan->raised);
  debye_stream_follow(beside, plan->raised);
  fold_coarse(plan, beside);
  fold(plan, 0, stream);
  lower_coarse(plan, beside);
  debye_stream_record(beside, plan->lowered);
  debye_stream_follow(stream, plan->lowered);
  if (plan->launch.frame.n_levels > 1)
    lower(plan, 0, stream);
  const DebyeStatusCode code = debye_stream_report(beside, "filling the lattices", status);
  return code == DEBYE_STATUS_OK ? debye_stream_report(stream, "filling the lattices", status) : code;
}

/* A launch's blocks in y are planes. */
static bool
lattice_fits_launches(const DebyeMultilevelPlan *plan)
{
  const DebyeMultilevelLevel *level = &plan->level[0];
  return (size_t)(level->n[2] + level->before[2] + level->after[2]) <= MAX_GRID_YZ &&
         (size_t)level->n[1] <= MAX_GRID_YZ * DEBYE_MULTILEVEL_ROWS && level->plane < INT32_MAX;
}

/* They are on their way to the device, and those of a packed frame nowhere else. */
static DebyeStatusCode
use_charges(DebyeMultilevelPlan *plan, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeMultilevelLaunch *launch = &plan->launch;
  DebyeStatusCode code = set_frame(plan, charges, cell, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!lattice_fits_launches(plan))
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED, "The lattice is too large for the device.");
  launch->atoms = debye_split_sum_atoms(&plan->sum);
  launch->fixed = (unsigned long long *)plan->fixed.memory;
  launch->potential = plan->level[0].potential;
  spread(plan);
  code = debye_stream_report(&plan->sum.stream, "spreading the charges", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_split_sum_finish_near(&plan->sum, status);
  if (code == DEBYE_STATUS_OK)
    code = fill_lattices(plan, status);
  return code == DEBYE_STATUS_OK ? debye_split_sum_finish(&plan->sum, status) : code;
}

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  const DebyeStatusCode code = debye_split_sum_set_charges(&plan->sum, charges, cell, status);
  return code == DEBYE_STATUS_OK ? use_charges(plan, charges, cell, status) : code;
}

/* Along open axes lattices reach as far as the charges, which the host would have to know. */
static DebyeStatusCode
set_packed(DebyeKernelPlan *handle, const DebyePackedCoordinates *packed, const DebyeCell *cell,
           DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  const DebyeCharges none = {};
  if (plan->sum.settings.periodic != DEBYE_PERIODIC_ALL)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A packed frame needs a cell.");
  const DebyeStatusCode code = debye_split_sum_set_packed(&plan->sum, packed, cell, status);
  return code == DEBYE_STATUS_OK ? use_charges(plan, &none, cell, status) : code;
}

/* The smooth part of some planes. */
static void
interpolate(void *context, DebyeSlab planes, void *out, bool adds, DebyeStream *stream)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)context;
  const DebyeSplitSum *sum = &plan->sum;
  const DebyeEwaldGrid grid = debye_multilevel_grid(&plan->launch.frame, &sum->settings.grid);
  debye_split_sum_interpolate(sum, kernels_of(plan).interpolate, &plan->launch, &grid, planes, out, adds,
                              stream);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeMultilevelPlan *plan = (DebyeMultilevelPlan *)handle;
  (void)meanwhile;
  return debye_split_sum_execute(&plan->sum, slab, out, out_double, interpolate, plan, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_multilevel = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .set_packed = set_packed,
    .execute = execute,
};
