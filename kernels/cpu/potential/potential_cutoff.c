/* SPDX-License-Identifier: MIT */
/* The cutoff method on the CPU; its twin is cuda/potential/potential_cutoff.cu.
 *
 * One chunk of work is a column of blocks along x. A block takes from the bins the atoms that one of its
 * points may see, relative to its middle, and sums them from first-level cache. Where atoms are few, as those
 * that a GPU leaves to the CPU are, looking for them would take longer than their sums: then a few
 * blocks in a row look together. Blocks begin at multiples of their size, and so do those rows, so that a map
 * does not depend on its slabs. */
#include "cutoff_short_range.h"

#include <string.h>

#include "cutoff_frame.h"
#include "unpacked_charges.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/plan.h"

#define BLOCK_WIDTH (DEBYE_CUTOFF_COLUMNS * DEBYE_CUTOFF_SIDE)

typedef struct {
  DebyePotentialSettings settings;
  DebyePairFunction function;
  DebyeCutoffPair pair;
  const DebyeCutoffBlock *block;
  DebyePool *pool;
  DebyeCutoffBins bins;
  DebyeUnpackedCharges unpacked;
  bool has_few; /* of the frame: on the average a row of blocks sees few atoms */
} DebyeCutoffPlan;

/* One call of execute, shared by its chunks. */
typedef struct {
  const DebyeCutoffPlan *plan;
  DebyeSlab slab;
  float *out;
  double *out_double;
  const void *base;            /* what is added to; NULL: zeros */
  size_t first_layer, columns; /* of blocks: in z; in a layer */
} Execution;

/* Blocks that look for atoms together: so few that no atom near one of them is so far from another that its
 * fixed-point position would wrap around. */
#define ROW_BLOCKS 4
/* Atoms of such a row that are few. */
#define FEW_ATOMS 128

/* The atoms near a row of blocks, copied together. */
typedef struct {
  bool are_few;
  uint32_t n;
  DebyeBinnedAtom atom[FEW_ATOMS];
  DebyeBinnedExactAtom exact[FEW_ATOMS];
} FewAtoms;

/* A block at work. */
typedef struct {
  const Execution *execution;
  const DebyeBinnedAtom *atoms; /* the bins', or those of a row of blocks */
  const DebyeBinnedExactAtom *exact_atoms;
  size_t first[3], count[3];
  DebyeBlockBox box;
  DebyeCutoffFrame frame;
  DebyeCutoffTile tile;
  DebyeCutoffLists lists;
  float sum[DEBYE_CUTOFF_COLUMNS][DEBYE_CUTOFF_ROWS][DEBYE_CUTOFF_POINTS];
  double sum_double[DEBYE_CUTOFF_COLUMNS][DEBYE_CUTOFF_ROWS][DEBYE_CUTOFF_POINTS];
} Block;

static const size_t block_points[3] = {BLOCK_WIDTH, DEBYE_CUTOFF_ROWS, DEBYE_CUTOFF_SIDE};

/* With the pair function that the cutoff method has, or another method's. */
typedef struct {
  const DebyePotentialSettings *potential;
  const DebyePairFunction *function;
  bool takes_packed; /* frames; another method unpacks them itself */
} Settings;

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = made;
  const Settings *settings = data;
  const double cutoff = settings->function->cutoff;
  (void)device;
  plan->settings = *settings->potential;
  plan->function = *settings->function;
  if (!settings->takes_packed)
    plan->settings.packed = (DebyePackedAtoms){0};
  const DebyeStatusCode code = debye_cutoff_settings_check(&plan->settings, cutoff, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const bool exact = plan->settings.double_precision || debye_pair_function_has_step(&plan->function);
  plan->bins = debye_cutoff_bins(&plan->settings, cutoff, block_points, exact);
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCutoffPlan *plan = made;
  debye_cutoff_bins_list(&plan->bins, memory);
  debye_unpacked_charges_list(&plan->unpacked, &plan->settings, memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeCutoffPlan *plan = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the bins of %zu atoms.",
                          plan->settings.max_charges);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = made;
  plan->block = debye_cutoff_block(debye_cpu_get_level());
  debye_cutoff_pair_set(&plan->pair, &plan->function, plan->settings.core_radius,
                        debye_cutoff_block_extent(&plan->bins), plan->block->add_by_table != NULL);
  plan->pool = debye_pool_new(debye_cpu_threads_beside(plan->settings.spare_cores));
  if (plan->pool == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for threads.");
  return debye_status_ok(status);
}

DEBYE_POOL_CLEAR_PLAN(DebyeCutoffPlan)

static const DebyePlanKind kind = DEBYE_PLAN_KIND(DebyeCutoffPlan, debye_host_memory_source,
                                                  .no_memory = no_memory, .prepare = prepare, .clear = clear);

uint64_t
debye_cpu_cutoff_bytes_with(const DebyePotentialSettings *settings, const DebyePairFunction *function)
{
  return debye_plan_bytes(&kind, 0, &(Settings){settings, function, false});
}

DebyeStatusCode
debye_cpu_cutoff_create_with(const DebyePotentialSettings *settings, const DebyePairFunction *function,
                             DebyeKernelPlan **plan, DebyeStatus *status)
{
  void *made = NULL;
  const DebyeStatusCode code =
      debye_plan_create(&kind, 0, &(Settings){settings, function, false}, &made, status);
  *plan = made;
  return code;
}

static uint64_t
bytes_needed(int device, const void *of_potential)
{
  const DebyePotentialSettings *settings = of_potential;
  const DebyePairFunction function = debye_pair_function_smoothing(settings->smoothing, settings->cutoff);
  return debye_plan_bytes(&kind, device, &(Settings){settings, &function, true});
}

static DebyeStatusCode
create(int device, const void *of_potential, DebyeKernelPlan **plan, DebyeStatus *status)
{
  const DebyePotentialSettings *settings = of_potential;
  const DebyePairFunction function = debye_pair_function_smoothing(settings->smoothing, settings->cutoff);
  void *made = NULL;
  const DebyeStatusCode code =
      debye_plan_create(&kind, device, &(Settings){settings, &function, true}, &made, status);
  *plan = made;
  return code;
}

static void
destroy(DebyeKernelPlan *plan)
{
  debye_plan_destroy(&kind, plan);
}

/* On the average over the bins. */
static double
atoms_near_row(const DebyeCutoffBins *bins)
{
  const DebyeBinMap *map = &bins->map;
  const double length = ROW_BLOCKS * BLOCK_WIDTH * fabs(bins->grid.step_x) + 2.0 * map->cutoff;
  const double in_bin = bins->n_bins > 0 ? (double)bins->n_atoms / (double)bins->n_bins : 0.0;
  return in_bin * (double)map->n_offsets * (length / map->edge[0] + 1.0);
}

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  const DebyeChunkRunner runner = debye_pool_runner(plan->pool);
  DebyeStatusCode code = debye_cutoff_bins_set(&plan->bins, charges, cell, &runner, status);
  plan->has_few = code == DEBYE_STATUS_OK && atoms_near_row(&plan->bins) < FEW_ATOMS / 2;
  return code;
}

static DebyeStatusCode
set_packed(DebyeKernelPlan *handle, const DebyePackedCoordinates *packed, const DebyeCell *cell,
           DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  DebyeCharges charges;
  const DebyeStatusCode code =
      debye_unpacked_charges_set(&plan->unpacked, &plan->settings, packed, plan->pool, &charges, status);
  return code == DEBYE_STATUS_OK ? set_charges(handle, &charges, cell, status) : code;
}

static DebyeVec3
point_at(const Block *block, size_t column, size_t row, size_t i)
{
  return debye_cutoff_point(&block->execution->plan->bins.grid, block->first, column, row, i);
}

/* Decides the pairs that float could not: a step is as high as the function. */
static void
add_edge_pairs(Block *block, size_t column)
{
  const DebyeCutoffPlan *plan = block->execution->plan;
  const DebyeCutoffTile *tile = &block->tile;
  const double cutoff2 = plan->function.cutoff * plan->function.cutoff;
  const double core2 = plan->settings.core_radius * plan->settings.core_radius;
  for (size_t n = 0; n < tile->n_edge_pairs; n++) {
    const DebyeEdgePair *pair = &tile->edge_pair[n];
    const DebyeBinnedExactAtom *atom = &block->exact_atoms[tile->index[pair->atom]];
    for (size_t i = 0; i < DEBYE_CUTOFF_POINTS; i++) {
      if ((pair->points >> i & 1u) == 0)
        continue;
      const DebyeVec3 at = point_at(block, column, pair->row, i);
      const double dx = atom->x - at.x, dy = atom->y - at.y, dz = atom->z - at.z;
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cutoff2)
        block->sum[column][pair->row][i] +=
            (float)(atom->charge * debye_pair_value(&plan->function, r2, core2));
    }
  }
}

static void
add_column(Block *block, size_t column)
{
  const DebyeCutoffBlock *loops = block->execution->plan->block;
  const DebyeCutoffFrame *frame = &block->frame;
  DebyeCutoffTile *tile = &block->tile;
  DebyeCutoffLists *lists = &block->lists;
  tile->n_edge_pairs = 0;
  loops->list(frame, tile, column, lists);
  for (int class = 0; class < DEBYE_CUTOFF_CLASSES; class ++) {
    const uint32_t *list = lists->atom[class];
    const size_t n = lists->n[class];
    if (n == 0)
      continue;
    if (class <= DEBYE_CUTOFF_NEAR)
      loops->add(frame, tile, column, list, n, class == DEBYE_CUTOFF_CORE, block->sum[column]);
    else
      loops->add_by_table(frame, tile, column, (DebyeCutoffClass) class, list, n, block->sum[column]);
  }
  add_edge_pairs(block, column);
}

static size_t
columns_of(const Block *block)
{
  return (block->count[0] + DEBYE_CUTOFF_SIDE - 1) / DEBYE_CUTOFF_SIDE;
}

static void
flush(Block *block)
{
  if (block->tile.n == 0)
    return;
  block->execution->plan->block->fill_rows(&block->frame, &block->tile);
  for (size_t column = 0; column < columns_of(block); column++)
    add_column(block, column);
  block->tile.n = 0;
}

static void
add_run(Block *block, uint32_t first, uint32_t end)
{
  const DebyeCutoffPlan *plan = block->execution->plan;
  for (uint32_t at = first; at < end; at += DEBYE_CUTOFF_BATCH) {
    size_t n = end - at < DEBYE_CUTOFF_BATCH ? end - at : DEBYE_CUTOFF_BATCH;
    plan->block->select(&block->frame, block->atoms + at, n, at, &block->tile);
    if (block->tile.n > DEBYE_CUTOFF_TILE - DEBYE_CUTOFF_BATCH)
      flush(block);
  }
}

static void
set_double_row(const Block *block, size_t column, size_t row, DebyeCutoffDoubleRow *part)
{
  for (size_t i = 0; i < DEBYE_CUTOFF_POINTS; i++) {
    const DebyeVec3 at = point_at(block, column, row, i);
    const double p[3] = {at.x, at.y, at.z};
    part->x[i] = at.x;
    part->y[i] = at.y;
    part->z[i] = at.z;
    for (int axis = 0; axis < 3; axis++) {
      part->low[axis] = i == 0 ? p[axis] : fmin(part->low[axis], p[axis]);
      part->high[axis] = i == 0 ? p[axis] : fmax(part->high[axis], p[axis]);
    }
  }
}

static void
add_run_double(Block *block, uint32_t first, uint32_t end)
{
  const DebyeCutoffPlan *plan = block->execution->plan;
  DebyeCutoffDoubleRow part = {.n_atoms = end - first,
                               .atom = block->exact_atoms + first,
                               .pair = &plan->function,
                               .core2 = plan->settings.core_radius * plan->settings.core_radius};
  for (size_t column = 0; column < columns_of(block) && part.n_atoms > 0; column++)
    for (size_t row = 0; row < block->count[1]; row++) {
      set_double_row(block, column, row, &part);
      plan->block->add_double(&part, block->sum_double[column][row]);
    }
}

/* Writes or adds the points that are in the grid and in the slab. */
static void
store(const Block *block)
{
  const Execution *execution = block->execution;
  const size_t *shape = execution->plan->bins.grid.shape;
  const DebyeSlab slab = execution->slab;
  for (size_t k = 0; k < block->count[2]; k++) {
    const size_t plane = block->first[2] + k;
    if (plane < slab.first || plane >= slab.first + slab.count)
      continue;
    for (size_t row = 0; row < block->count[1]; row++) {
      const size_t at =
          block->first[0] + shape[0] * (block->first[1] + row + shape[1] * (plane - slab.first));
      for (size_t i = 0; i < block->count[0]; i++) {
        const size_t column = i / DEBYE_CUTOFF_SIDE, point = k * DEBYE_CUTOFF_SIDE + i % DEBYE_CUTOFF_SIDE;
        if (execution->out_double != NULL)
          execution->out_double[at + i] =
              (execution->base != NULL ? ((const double *)execution->base)[at + i] : 0.0) +
              block->sum_double[column][row][point];
        else
          execution->out[at + i] =
              (execution->base != NULL ? ((const float *)execution->base)[at + i] : 0.0f) +
              block->sum[column][row][point];
      }
    }
  }
}

static void
add_atoms(Block *block, uint32_t first, uint32_t end)
{
  if (block->execution->plan->settings.double_precision)
    add_run_double(block, first, end);
  else
    add_run(block, first, end);
}

static void
sum_block(Block *block, const FewAtoms *few)
{
  const DebyeCutoffPlan *plan = block->execution->plan;
  const DebyeBinMap *map = &plan->bins.map;
  memset(block->sum, 0, sizeof block->sum);
  if (plan->settings.double_precision)
    memset(block->sum_double, 0, sizeof block->sum_double);
  block->tile.n = 0;
  if (!few->are_few || few->n > 0) {
    block->box = debye_block_box(map, &plan->bins.grid, block->first, block->count);
    debye_cutoff_frame_set(&plan->pair, &plan->bins, block->first, &block->box, &block->frame);
  }
  block->atoms = few->are_few ? few->atom : plan->bins.atoms;
  block->exact_atoms = few->are_few ? few->exact : plan->bins.exact_atoms;
  if (few->are_few)
    add_atoms(block, 0, few->n);
  for (long i = 0; !few->are_few && i < map->n_offsets; i++) {
    uint32_t first, end;
    debye_bin_row(map, &block->box, map->offset[i], &first, &end);
    add_atoms(block, first, end);
  }
  flush(block);
  store(block);
}

static size_t
at_most(size_t value, size_t limit)
{
  return value < limit ? value : limit;
}

/* The atoms that a row of blocks may see, where they are few. */
static void
find_few(const DebyeCutoffPlan *plan, const size_t first[3], const size_t count[3], FewAtoms *few)
{
  const DebyeBinMap *map = &plan->bins.map;
  const DebyeBlockBox box = debye_block_box(map, &plan->bins.grid, first, count);
  few->are_few = plan->has_few;
  few->n = 0;
  for (long i = 0; few->are_few && i < map->n_offsets; i++) {
    uint32_t begin, end;
    debye_bin_row(map, &box, map->offset[i], &begin, &end);
    few->are_few = end - begin <= FEW_ATOMS - few->n;
    for (uint32_t at = begin; few->are_few && at < end; at++, few->n++) {
      few->atom[few->n] = plan->bins.atoms[at];
      if (plan->bins.exact)
        few->exact[few->n] = plan->bins.exact_atoms[at];
    }
  }
}

static void
sum_row(Block *block, size_t end)
{
  const DebyeCutoffPlan *plan = block->execution->plan;
  const size_t count[3] = {end - block->first[0], block->count[1], block->count[2]};
  FewAtoms few;
  find_few(plan, block->first, count, &few);
  for (; block->first[0] < end; block->first[0] += BLOCK_WIDTH) {
    block->count[0] = at_most(BLOCK_WIDTH, end - block->first[0]);
    sum_block(block, &few);
  }
}

static void
execute_chunk(void *context, size_t chunk)
{
  const Execution *execution = context;
  const size_t *shape = execution->plan->bins.grid.shape;
  Block block;
  block.execution = execution;
  block.first[1] = chunk % execution->columns * DEBYE_CUTOFF_ROWS;
  block.first[2] = (execution->first_layer + chunk / execution->columns) * DEBYE_CUTOFF_SIDE;
  for (int axis = 1; axis < 3; axis++)
    block.count[axis] = at_most(block_points[axis], shape[axis] - block.first[axis]);
  for (size_t first = 0; first < shape[0]; first += ROW_BLOCKS * BLOCK_WIDTH) {
    block.first[0] = first;
    sum_row(&block, at_most(first + ROW_BLOCKS * BLOCK_WIDTH, shape[0]));
  }
}

static DebyeStatusCode
run(DebyeCutoffPlan *plan, DebyeSlab slab, const void *base, float *out, double *out_double,
    const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  Execution execution = {.plan = plan,
                         .slab = slab,
                         .out = out,
                         .out_double = plan->settings.double_precision ? out_double : NULL,
                         .base = base,
                         .first_layer = slab.first / DEBYE_CUTOFF_SIDE,
                         .columns = (plan->bins.grid.shape[1] + DEBYE_CUTOFF_ROWS - 1) / DEBYE_CUTOFF_ROWS};
  size_t end_layer = (slab.first + slab.count + DEBYE_CUTOFF_SIDE - 1) / DEBYE_CUTOFF_SIDE;
  size_t layers = slab.count > 0 ? end_layer - execution.first_layer : 0;
  if (!debye_parallel_for(plan->pool, layers * execution.columns, execute_chunk, &execution, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  (void)meanwhile;
  return run((DebyeCutoffPlan *)handle, slab, NULL, out, out_double, cancel, status);
}

static DebyeStatusCode
add(DebyeKernelPlan *handle, DebyeSlab slab, const void *base, float *out, double *out_double,
    const volatile bool *cancel, DebyeStatus *status)
{
  return run((DebyeCutoffPlan *)handle, slab, base, out, out_double, cancel, status);
}

const DebyePotentialKernel debye_cpu_cutoff = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .set_packed = set_packed,
    .execute = execute,
    .add = add,
};
