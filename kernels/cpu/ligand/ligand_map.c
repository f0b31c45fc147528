/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling on the CPU: a chunk of work is a tile; its twin is cuda/ligand/ligand_map.cu. */
#include "kernels/ligand/ligand_map.h"

#include <math.h>

#include "kernels/cpu/common/cpu_kernels.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/scratch.h"
#include "kernels/ligand/ligand_bins.h"
#include "kernels/plan.h"
#include "ligand_block.h"

/* Of a voxel: its atoms are gathered for it alone. */
#define MANY_SAMPLES 200.0
#define TILE DEBYE_LIGAND_TILE
/* What is certain in double is so in single precision. */
#define ROUNDED 0.99999

typedef struct {
  DebyeLigandSettings settings;
  DebyeLigandSamples samples;
  DebyeLigandBins bins;
  const DebyeLigandBlock *block;
  DebyePool *pool;
  DebyeScratch scratch;
  unsigned n_threads;
  float *repulsion, *attraction, *hard, *hard_most, *certain, *places, *charges;
  /* From a tile's centre: atoms that its samples reach, and beyond a hard radius those that can reject one. */
  float away, close;
} Plan;

static DebyeStatusCode
set_frame(DebyeKernelPlan *handle, const DebyeLigandFrame *frame, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const DebyeStatusCode code = debye_ligand_frame_check(&plan->settings, frame, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!debye_ligand_bins_set(&plan->bins, &plan->settings, frame, &debye_host_memory_source))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the images of %zu atoms.",
                            frame->n);
  return debye_status_ok(status);
}

/* --- A tile --- */

typedef struct {
  Plan *plan;
  size_t first; /* layer */
  float *means;
  bool is_crowded; /* more atoms than a tile has room for */
} Pass;

/* Of a row of bins along x; false where the room is full. */
static bool
add_row(const Plan *plan, DebyeLigandPiece *piece, const int64_t tile[3], int64_t y, int64_t z)
{
  const DebyeLigandBins *bins = &plan->bins;
  const DebyeLigandAtom *atoms = bins->atoms.memory;
  const uint32_t *codes = bins->codes.memory;
  const size_t row = debye_ligand_bins_at(bins, tile[0], y, z);
  const uint32_t end = bins->start[row + (size_t)(2 * bins->margin[0] + 1)];
  for (uint32_t i = bins->start[row]; i < end; i++) {
    const double shift[3] = {(double)((int64_t)(codes[i] >> 16) - tile[0] - bins->margin[0]) - 0.5,
                             (double)(y - tile[1] - bins->margin[1]) - 0.5,
                             (double)(z - tile[2] - bins->margin[2]) - 0.5};
    float place[3];
    for (int k = 0; k < 3; k++)
      place[k] =
          (float)(shift[0] * bins->step[0][k] + shift[1] * bins->step[1][k] + shift[2] * bins->step[2][k]);
    const DebyeLigandCandidate atom = {atoms[i].x + place[0], atoms[i].y + place[1], atoms[i].z + place[2],
                                       atoms[i].charge, codes[i] & 0xffffu};
    const float square = atom.x * atom.x + atom.y * atom.y + atom.z * atom.z;
    const float hard = plan->hard_most[atom.type], close = hard + plan->close;
    if (square >= plan->away * plan->away)
      continue;
    if (hard > 0.0f && square < close * close && piece->n_close < DEBYE_LIGAND_CLOSE)
      piece->close[piece->n_close++] = atom;
    if (piece->n == DEBYE_LIGAND_CANDIDATES)
      return false;
    piece->candidates[piece->n++] = atom;
  }
  return true;
}

static bool
find_candidates(const Plan *plan, DebyeLigandPiece *piece, const int64_t tile[3])
{
  const int64_t *margin = plan->bins.margin;
  piece->n = piece->n_close = 0;
  for (int64_t z = tile[2]; z <= tile[2] + 2 * margin[2]; z++)
    for (int64_t y = tile[1]; y <= tile[1] + 2 * margin[1]; y++)
      if (!add_row(plan, piece, tile, y, z))
        return false;
  return true;
}

/* The centre of a block of voxels from the tile's. */
static void
find_centre(const Plan *plan, const size_t first[3], unsigned edge, float centre[3])
{
  for (int axis = 0; axis < 3; axis++) {
    double sum = 0.0;
    for (int v = 0; v < 3; v++)
      sum += ((double)first[v] + 0.5 * (double)edge - 0.5 * TILE) / TILE * plan->bins.step[v][axis];
    centre[axis] = (float)sum;
  }
}

/* Voxels group by group. */
static void
compute_tile(void *context, size_t chunk)
{
  Pass *pass = context;
  Plan *plan = pass->plan;
  const DebyeGrid *grid = &plan->settings.grid;
  const size_t nx = debye_ligand_n_tiles(&plan->settings, 0), ny = debye_ligand_n_tiles(&plan->settings, 1);
  const size_t at[3] = {chunk % nx, chunk / nx % ny, pass->first + chunk / nx / ny};
  const int64_t tile[3] = {(int64_t)at[0], (int64_t)at[1], (int64_t)at[2]};
  const unsigned edge = plan->samples.edge, groups = TILE / edge, each = edge * edge * edge;
  DebyeLigandPiece *piece = debye_scratch_take(&plan->scratch);
  if (!find_candidates(plan, piece, tile))
    __atomic_store_n(&pass->is_crowded, true, __ATOMIC_RELAXED);
  for (size_t number = 0; number < (size_t)(TILE * TILE * TILE); number++) {
    const size_t group = number / each, in = number % each;
    const size_t first[3] = {group % groups * edge, group / groups % groups * edge,
                             group / groups / groups * edge};
    const size_t place[3] = {first[0] + in % edge, first[1] + in / edge % edge, first[2] + in / edge / edge};
    const size_t i = TILE * at[0] + place[0], j = TILE * at[1] + place[1], k = TILE * at[2] + place[2];
    float centre[3];
    if (in == 0) {
      piece->is_gathered = false;
      find_centre(plan, first, edge, piece->about);
    }
    if (i >= grid->shape[0] || j >= grid->shape[1] || k >= grid->shape[2])
      continue;
    find_centre(plan, place, 1, centre);
    pass->means[i + grid->shape[0] * (j + grid->shape[1] * k)] =
        plan->block->voxel(&plan->samples, piece, centre);
  }
  debye_scratch_give(&plan->scratch, piece);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t count, float *means, const volatile bool *cancel,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  Pass pass = {plan, first, means, false};
  const size_t n =
      count * debye_ligand_n_tiles(&plan->settings, 0) * debye_ligand_n_tiles(&plan->settings, 1);
  if (!debye_parallel_for(plan->pool, n, compute_tile, &pass, cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Sampling a ligand was stopped.");
  if (pass.is_crowded)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "More than %d atoms are within the cutoff of a few voxels.",
                            DEBYE_LIGAND_CANDIDATES);
  return debye_status_ok(status);
}

/* --- The plan --- */

static DebyeStatusCode
set_up(void *made, int device, const void *settings, DebyeStatus *status)
{
  Plan *plan = made;
  (void)device;
  plan->settings = *(const DebyeLigandSettings *)settings;
  plan->n_threads = debye_cpu_threads_beside(plan->settings.spare_cores);
  const DebyeStatusCode code = debye_ligand_settings_check(&plan->settings, status);
  if (code == DEBYE_STATUS_OK && !debye_ligand_bins_init(&plan->bins, &plan->settings))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The cutoff reaches too far in so fine a grid.");
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = made;
  const DebyeLigandSettings *settings = &plan->settings;
  const size_t pairs = settings->n_types * settings->n_kinds;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->repulsion, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->attraction, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->hard, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->hard_most, settings->n_types);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->certain, settings->n_types);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->places, 3 * settings->n_orientations * settings->n_sites);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->charges, settings->n_sites);
  debye_ligand_bins_list(&plan->bins, settings, DEBYE_MEMORY_HOST, memory);
  debye_scratch_list(&plan->scratch, plan->n_threads, sizeof(DebyeLigandPiece), memory);
}

static DebyeStatusCode
no_memory(const void *made, DebyeStatus *status)
{
  const size_t *shape = ((const Plan *)made)->settings.grid.shape;
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory to sample a ligand in %zu × %zu × %zu voxels.", shape[0],
                          shape[1], shape[2]);
}

static void
set_samples(Plan *plan)
{
  const DebyeLigandSettings *settings = &plan->settings;
  for (size_t type = 0; type < settings->n_types; type++) {
    plan->certain[type] = (float)(debye_ligand_certain_radius(settings, type) * ROUNDED);
    for (size_t kind = 0; kind < settings->n_kinds; kind++) {
      const size_t pair = type * settings->n_kinds + kind;
      const double hard = debye_ligand_hard_radius(settings, type, kind);
      plan->repulsion[pair] = (float)settings->repulsion[pair];
      plan->attraction[pair] = (float)settings->attraction[pair];
      plan->hard[pair] = (float)(hard * hard);
      plan->hard_most[type] = fmaxf(plan->hard_most[type], (float)hard);
    }
  }
  for (size_t i = 0; i < 3 * settings->n_orientations * settings->n_sites; i++)
    plan->places[i] = (float)settings->places[i];
  for (size_t i = 0; i < settings->n_sites && settings->charges != NULL; i++)
    plan->charges[i] = (float)(settings->charges[i] * settings->coulomb);
  plan->samples = (DebyeLigandSamples){.subsamples = settings->subsamples,
                                       .n_kinds = settings->n_kinds,
                                       .n_sites = settings->n_sites,
                                       .n_orientations = settings->n_orientations,
                                       .square = (float)(settings->cutoff * settings->cutoff),
                                       .inverse = (float)(1.0 / settings->cutoff),
                                       .reach = (float)debye_ligand_reach(settings),
                                       .inner = (float)(debye_ligand_block_radius(settings, 1.0) *
                                                        (1.0 - 1.0 / settings->subsamples) / ROUNDED),
                                       .cutoff = (float)settings->cutoff,
                                       .repulsion = plan->repulsion,
                                       .attraction = plan->attraction,
                                       .hard = plan->hard,
                                       .hard_most = plan->hard_most,
                                       .certain = plan->certain,
                                       .kinds = settings->kinds,
                                       .places = plan->places,
                                       .charges = settings->charges != NULL ? plan->charges : NULL};
  for (int k = 0; k < 3; k++)
    for (int axis = 0; axis < 3; axis++)
      plan->samples.step[k][axis] = (float)(plan->bins.step[k][axis] / TILE / (double)settings->subsamples);
  /* To gather atoms costs as much as some samples, to sum those that only the group reaches as much as a part of each. */
  plan->samples.edge =
      (double)settings->n_orientations * pow(settings->subsamples, 3.0) < MANY_SAMPLES ? 2 : 1;
  plan->samples.whole = (float)debye_ligand_block_radius(settings, plan->samples.edge);
  plan->close = (float)(debye_ligand_reach(settings) + debye_ligand_block_radius(settings, TILE));
  plan->away = (float)(plan->bins.reach + debye_ligand_block_radius(settings, TILE));
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = made;
  debye_scratch_init(&plan->scratch);
  set_samples(plan);
  plan->block = debye_ligand_block(debye_cpu_get_level());
  plan->pool = debye_pool_new(plan->n_threads);
  return plan->pool != NULL ? debye_status_ok(status) : no_memory(plan, status);
}

DEBYE_SCRATCH_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)

const DebyeLigandKernel debye_cpu_ligand = {
    .head = {bytes_needed, create, destroy},
    .set_frame = set_frame,
    .execute = execute,
};
