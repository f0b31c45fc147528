/* SPDX-License-Identifier: MIT */
/* The direct sum on the CPU; its twin is cuda/potential/potential_direct.cu.
 *
 * One chunk of work is a few rows of one plane. It goes through the atoms tile by tile: what a tile's atoms
 * have in common for the rows (y, z) is computed once and used for every block of points along x, from
 * first-level cache. */
#include "kernels/potential/potential_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "direct_block.h"
#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/plan.h"

typedef struct {
  DebyePotentialSettings settings;
  DebyeTurnedGrid grid;
  const DebyeDirectBlock *block;
  DebyePool *pool;
  size_t n_atoms;
  DebyeTurnedAtoms atoms;
  DebyeNearestImage image; /* of the frame, where something is periodic */
} DebyeDirectPlan;

/* One call of execute, shared by its chunks. */
typedef struct {
  const DebyeDirectPlan *plan;
  DebyeSlab slab;
  float *out;
  double *out_double;
  size_t row_groups; /* in a plane */
} Execution;

/* The nearest image is found in double, whatever the precision of the map. */
static bool
has_exact_atoms(const DebyePotentialSettings *settings)
{
  return settings->double_precision || settings->periodic != DEBYE_PERIODIC_NONE;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeDirectPlan *plan = made;
  const uint64_t n = plan->settings.max_charges;
  DebyeTurnedAtoms *atoms = &plan->atoms;
  const bool exact = has_exact_atoms(&plan->settings);
  for (int axis = 0; axis < 3 && exact; axis++)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, atoms->exact[axis], n);
  for (int axis = 0; axis < 3 && !exact; axis++) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, atoms->high[axis], n);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, atoms->low[axis], n);
  }
  if (exact)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, atoms->exact_charge, n);
  else
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, atoms->charge, n);
}

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  DebyeDirectPlan *plan = made;
  (void)device;
  plan->settings = *(const DebyePotentialSettings *)settings;
  const DebyeStatusCode code = debye_potential_settings_check(&plan->settings, status);
  if (code == DEBYE_STATUS_OK)
    plan->grid = debye_turned_grid(&plan->settings.grid);
  return code;
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const DebyeDirectPlan *plan = made;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the charges of %zu atoms.",
                          plan->settings.max_charges);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeDirectPlan *plan = made;
  plan->atoms.stride = 1;
  plan->block = debye_direct_block(debye_cpu_get_level());
  plan->pool = debye_pool_new(debye_cpu_threads_beside(plan->settings.spare_cores));
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_POOL_CLEAR_PLAN(DebyeDirectPlan)
DEBYE_PLAN(DebyeDirectPlan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare,
           .clear = clear)

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)handle;
  DebyeStatusCode code =
      debye_nearest_image_set(&plan->image, &plan->grid, plan->settings.periodic, cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_turned_atoms_set(&plan->grid, charges, plan->settings.max_charges, &plan->atoms, status);
  plan->n_atoms = code == DEBYE_STATUS_OK ? charges->n : 0;
  return code;
}

/* The middle of [first, first + width) points along x in row `j` of plane `k`. */
static double
block_reference(const DebyeTurnedGrid *grid, size_t first, size_t width, size_t j, size_t k)
{
  double i = (double)first + 0.5 * (double)(width - 1);
  return i * grid->step_x + (double)j * grid->row_x + (double)k * grid->plane_x;
}

/* The parts of the tile that all blocks of these rows share: s of each row, and the charges. */
static void
fill_rows(const DebyeDirectPlan *plan, size_t first_atom, size_t j, size_t k, DebyeFloatTile *tile)
{
  const DebyeTurnedGrid *grid = &plan->grid;
  const double z = (double)k * grid->plane_z;
  const float z_high = (float)z, z_low = (float)(z - (double)z_high);
  for (size_t row = 0; row < DEBYE_BLOCK_ROWS; row++) {
    const double y = (double)(j + row) * grid->row_y + (double)k * grid->plane_y;
    const float y_high = (float)y, y_low = (float)(y - (double)y_high);
    const float *ah = plan->atoms.high[1] + first_atom, *al = plan->atoms.low[1] + first_atom;
    const float *bh = plan->atoms.high[2] + first_atom, *bl = plan->atoms.low[2] + first_atom;
    for (size_t i = 0; i < tile->n_atoms; i++) {
      float dy = (ah[i] - y_high) + (al[i] - y_low), dz = (bh[i] - z_high) + (bl[i] - z_low);
      tile->s[row][i] = dy * dy + dz * dz;
    }
    tile->row_x[row] = (float)((double)row * grid->row_x);
  }
  memcpy(tile->charge, plan->atoms.charge + first_atom, tile->n_atoms * sizeof *tile->charge);
}

/* Whether an atom of the tile may be within the core radius of one of the rows, wherever along x. */
static bool
is_near_rows(const DebyeFloatTile *tile)
{
  float least = INFINITY;
  for (size_t row = 0; row < DEBYE_BLOCK_ROWS; row++)
    for (size_t i = 0; i < tile->n_atoms; i++)
      least = tile->s[row][i] < least ? tile->s[row][i] : least;
  return least <= 1.01f * tile->core2;
}

static void
fill_block(const DebyeDirectPlan *plan, size_t first_atom, size_t first, size_t j, size_t k,
           DebyeFloatTile *tile)
{
  const double x = block_reference(&plan->grid, first, tile->width, j, k);
  const float x_high = (float)x, x_low = (float)(x - (double)x_high);
  const float *high = plan->atoms.high[0] + first_atom, *low = plan->atoms.low[0] + first_atom;
  for (size_t i = 0; i < tile->n_atoms; i++)
    tile->x[i] = (high[i] - x_high) + (low[i] - x_low);
  for (size_t i = 0; i < tile->width; i++)
    tile->point_x[i] = (float)(((double)i - 0.5 * (double)(tile->width - 1)) * plan->grid.step_x);
}

static size_t
at_most(size_t value, size_t limit)
{
  return value < limit ? value : limit;
}

/* Adds the sums of a block to the rows of the result. Rows and points beyond the grid are computed and
 * dropped. */
static void
add_block(float (*sum)[DEBYE_BLOCK_WIDTH], float *plane, size_t nx, size_t first, size_t j, size_t n_rows)
{
  size_t count = at_most(DEBYE_BLOCK_WIDTH, nx - first);
  for (size_t row = 0; row < n_rows; row++) {
    float *out = plane + (j + row) * nx + first;
    for (size_t i = 0; i < count; i++)
      out[i] += sum[row][i];
  }
}

static void
sum_rows(const DebyeDirectPlan *plan, size_t j, size_t k, float *plane)
{
  const size_t nx = plan->grid.shape[0], n_rows = at_most(DEBYE_BLOCK_ROWS, plan->grid.shape[1] - j);
  DebyeFloatTile tile;
  tile.core2 = (float)(plan->settings.core_radius * plan->settings.core_radius);
  tile.sheared = plan->grid.row_x != 0.0;
  memset(plane + j * nx, 0, n_rows * nx * sizeof *plane);
  for (size_t atom = 0; atom < plan->n_atoms; atom += DEBYE_DIRECT_TILE) {
    tile.n_atoms = at_most(DEBYE_DIRECT_TILE, plan->n_atoms - atom);
    fill_rows(plan, atom, j, k, &tile);
    tile.clamped = is_near_rows(&tile);
    for (size_t first = 0; first < nx; first += DEBYE_BLOCK_WIDTH) {
      float sum[DEBYE_BLOCK_ROWS][DEBYE_BLOCK_WIDTH] = {{0.0f}};
      size_t count = at_most(DEBYE_BLOCK_WIDTH, nx - first);
      tile.width = (count + DEBYE_BLOCK_STEP - 1) / DEBYE_BLOCK_STEP * DEBYE_BLOCK_STEP;
      fill_block(plan, atom, first, j, k, &tile);
      plan->block->add_float(&tile, sum);
      add_block(sum, plane, nx, first, j, n_rows);
    }
  }
}

static DebyeDoubleRow
double_row(const DebyeDirectPlan *plan, size_t j, size_t k)
{
  const DebyeTurnedGrid *grid = &plan->grid;
  return (DebyeDoubleRow){
      .n_atoms = plan->n_atoms,
      .row_x = (double)j * grid->row_x + (double)k * grid->plane_x,
      .y = (double)j * grid->row_y + (double)k * grid->plane_y,
      .z = (double)k * grid->plane_z,
      .step_x = grid->step_x,
      .core2 = plan->settings.core_radius * plan->settings.core_radius,
      .x = plan->atoms.exact[0],
      .y_atom = plan->atoms.exact[1],
      .z_atom = plan->atoms.exact[2],
      .charge = plan->atoms.exact_charge,
      .image = &plan->image,
  };
}

/* Into one of the two planes. */
static void
sum_rows_double(const DebyeDirectPlan *plan, size_t j, size_t k, float *plane, double *plane_double)
{
  const size_t nx = plan->grid.shape[0], end = at_most(j + DEBYE_BLOCK_ROWS, plan->grid.shape[1]);
  const bool nearest = plan->settings.periodic != DEBYE_PERIODIC_NONE;
  for (; j < end; j++) {
    const DebyeDoubleRow row = double_row(plan, j, k);
    for (size_t first = 0; first < nx; first += DEBYE_BLOCK_WIDTH) {
      double sum[DEBYE_BLOCK_WIDTH];
      size_t count = at_most(DEBYE_BLOCK_WIDTH, nx - first);
      (nearest ? plan->block->sum_nearest : plan->block->sum_double)(&row, first, count, sum);
      for (size_t i = 0; i < count; i++)
        if (plane_double != NULL)
          plane_double[j * nx + first + i] = sum[i];
        else
          plane[j * nx + first + i] = (float)sum[i];
    }
  }
}

/* A block of points in float, whose atoms are brought next to its middle. */
typedef struct {
  double middle[3], half[3];
  DebyeFloatTile clear; /* of which one image is the nearest for all points */
  DebyeNearestTile doubtful;
} NearestBlock;

static void
begin_block(const DebyeDirectPlan *plan, size_t first, size_t count, size_t j, size_t k, NearestBlock *block)
{
  const DebyeTurnedGrid *grid = &plan->grid;
  const size_t width = (count + DEBYE_BLOCK_STEP - 1) / DEBYE_BLOCK_STEP * DEBYE_BLOCK_STEP;
  const double in_x = 0.5 * (double)(width - 1), in_y = 0.5 * (DEBYE_BLOCK_ROWS - 1);
  const double i = (double)first + in_x, row = (double)j + in_y;
  block->middle[0] = i * grid->step_x + row * grid->row_x + (double)k * grid->plane_x;
  block->middle[1] = row * grid->row_y + (double)k * grid->plane_y;
  block->middle[2] = (double)k * grid->plane_z;
  block->half[0] = in_x * fabs(grid->step_x) + in_y * fabs(grid->row_x);
  block->half[1] = in_y * fabs(grid->row_y);
  block->half[2] = 0.0;
  block->clear.width = block->doubtful.width = width;
  block->clear.core2 = block->doubtful.core2 =
      (float)(plan->settings.core_radius * plan->settings.core_radius);
  block->clear.sheared = grid->row_x != 0.0;
  block->doubtful.image = &plan->image;
  for (size_t point = 0; point < width; point++)
    block->clear.point_x[point] = block->doubtful.point_x[point] =
        (float)(((double)point - in_x) * grid->step_x);
  for (size_t at = 0; at < DEBYE_BLOCK_ROWS; at++) {
    block->clear.row_x[at] = block->doubtful.row_x[at] = (float)(((double)at - in_y) * grid->row_x);
    block->doubtful.row_y[at] = (float)(((double)at - in_y) * grid->row_y);
  }
}

/* An atom into the tile that it belongs to. */
static void
bring_atom(const DebyeDirectPlan *plan, size_t atom, NearestBlock *block)
{
  double p[3];
  for (int axis = 0; axis < 3; axis++)
    p[axis] = plan->atoms.exact[axis][atom] - block->middle[axis];
  debye_nearest_reduce(&plan->image, p);
  const uint32_t doubts = debye_nearest_doubts(&plan->image, block->half, p);
  const float charge = (float)plan->atoms.exact_charge[atom];
  if (doubts != 0) {
    DebyeNearestTile *tile = &block->doubtful;
    const size_t at = tile->n_atoms++;
    tile->x[at] = (float)p[0];
    tile->y[at] = (float)p[1];
    tile->z[at] = (float)p[2];
    tile->charge[at] = charge;
    tile->doubts[at] = doubts;
    return;
  }
  DebyeFloatTile *tile = &block->clear;
  const size_t at = tile->n_atoms++;
  tile->x[at] = (float)p[0];
  tile->charge[at] = charge;
  for (size_t row = 0; row < DEBYE_BLOCK_ROWS; row++) {
    const float dy = (float)p[1] - block->doubtful.row_y[row], dz = (float)p[2];
    tile->s[row][at] = dy * dy + dz * dz;
  }
}

/* Whether a block is small enough beside the cell; else all is done in double. */
static bool
has_clear_blocks(const DebyeDirectPlan *plan)
{
  const DebyeTurnedGrid *grid = &plan->grid;
  const size_t width = at_most(DEBYE_BLOCK_WIDTH, grid->shape[0] + DEBYE_BLOCK_STEP - 1);
  const double x = 0.5 * (double)width * fabs(grid->step_x) + 0.5 * DEBYE_BLOCK_ROWS * fabs(grid->row_x);
  const double y = 0.5 * DEBYE_BLOCK_ROWS * fabs(grid->row_y);
  return sqrt(x * x + y * y) < plan->image.clear_reach;
}

static void
sum_rows_nearest(const DebyeDirectPlan *plan, size_t j, size_t k, float *plane)
{
  const size_t nx = plan->grid.shape[0], n_rows = at_most(DEBYE_BLOCK_ROWS, plan->grid.shape[1] - j);
  NearestBlock block;
  memset(plane + j * nx, 0, n_rows * nx * sizeof *plane);
  for (size_t first = 0; first < nx; first += DEBYE_BLOCK_WIDTH) {
    begin_block(plan, first, at_most(DEBYE_BLOCK_WIDTH, nx - first), j, k, &block);
    for (size_t atom = 0; atom < plan->n_atoms; atom += DEBYE_DIRECT_TILE) {
      float sum[DEBYE_BLOCK_ROWS][DEBYE_BLOCK_WIDTH] = {{0.0f}};
      block.clear.n_atoms = block.doubtful.n_atoms = 0;
      for (size_t i = atom; i < at_most(atom + DEBYE_DIRECT_TILE, plan->n_atoms); i++)
        bring_atom(plan, i, &block);
      block.clear.clamped = is_near_rows(&block.clear);
      plan->block->add_float(&block.clear, sum);
      plan->block->add_nearest(&block.doubtful, sum);
      add_block(sum, plane, nx, first, j, n_rows);
    }
  }
}

static void
execute_chunk(void *context, size_t chunk)
{
  const Execution *execution = context;
  const DebyeDirectPlan *plan = execution->plan;
  size_t in_slab = chunk / execution->row_groups, j = chunk % execution->row_groups * DEBYE_BLOCK_ROWS;
  size_t offset = in_slab * plan->grid.shape[0] * plan->grid.shape[1], k = execution->slab.first + in_slab;
  if (plan->settings.double_precision)
    sum_rows_double(plan, j, k, NULL, execution->out_double + offset);
  else if (plan->settings.periodic != DEBYE_PERIODIC_NONE && has_clear_blocks(plan))
    sum_rows_nearest(plan, j, k, execution->out + offset);
  else if (plan->settings.periodic != DEBYE_PERIODIC_NONE)
    sum_rows_double(plan, j, k, execution->out + offset, NULL);
  else
    sum_rows(plan, j, k, execution->out + offset);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)handle;
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  Execution execution = {.plan = plan,
                         .slab = slab,
                         .out = out,
                         .out_double = out_double,
                         .row_groups = (plan->grid.shape[1] + DEBYE_BLOCK_ROWS - 1) / DEBYE_BLOCK_ROWS};
  if (!debye_parallel_for(plan->pool, slab.count * execution.row_groups, execute_chunk, &execution, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
  return debye_status_ok(status);
}

const DebyePotentialKernel debye_cpu_direct = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .execute = execute,
};
