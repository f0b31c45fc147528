/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling on a GPU: a block is a tile of voxels; its twin is cpu/ligand/ligand_map.c.
 *
 * A block collects the atoms that its samples reach, and those near enough to reject one. It drops the sample points that
 * are so near to an atom that no orientation survives, then goes through the orientations of the others. What no near atom
 * rejects waits in a queue, from which a whole block of energies is summed at a time. Atoms that only energies need are
 * loaded when the first is summed: a third of the tiles has none. All is in a fixed order, so that runs are equal. */
#include "kernels/chunk_threads.h"
#include "kernels/plan.h"
#include "ligand_energy.cuh"

#define NOT_LOADED UINT32_MAX
/* Of the atoms that a block of few has room for: some tiles have more than the mean. */
#define SPARSE_PART 0.9
/* Of one launch: several times what a device does at once. */
#define LAUNCHED_TILES ((size_t)16384)

typedef struct {
  DebyeLigandSettings settings;
  int device;
  DebyeStream stream;
  DebyeLigandBins bins; /* on the host */
  Tiles tiles;
  size_t n_rows;
  bool is_sparse; /* a tile's atoms fit into the smaller block */
  uint32_t *start;
  DebyeRoom atoms, codes;
  float2 *pairs, *host_pairs;
  float *hard, *hard_most, *certain, *places, *charges;
  float *host_hard, *host_hard_most, *host_certain, *host_places, *host_charges;
  uint8_t *kinds, *host_kinds;
  float *means, *host_means;
} Plan;

template <class Shared>
static __device__ void
write_means(const Tiles &t, int3 tile, const Shared *shared, size_t first_layer, float *means)
{
  const int v = (int)threadIdx.x;
  const int x = TILE * tile.x + v % TILE, y = TILE * tile.y + v / TILE % TILE,
            z = TILE * tile.z + v / TILE / TILE;
  if (v >= TILE_VOXELS || x >= t.shape[0] || y >= t.shape[1] || z >= t.shape[2])
    return;
  const float n = (float)(t.subsamples * t.subsamples * t.subsamples) * (float)t.n_orientations;
  const size_t row = ((size_t)z - TILE * first_layer) * (size_t)t.shape[1] + (size_t)y;
  means[row * (size_t)t.shape[0] + (size_t)x] = shared->sums[v] / n;
}

/* Sums the energies of what waits, as long as the block is full; of all with `is_last`. */
template <class Shared>
static __device__ uint32_t
empty_queue(const Tiles &t, int3 tile, Shared *shared, uint32_t *n_all, uint32_t waiting, bool is_last)
{
  const uint32_t batch = THREADS * n_together(t);
  while (waiting >= batch || (is_last && waiting > 0)) {
    const uint32_t count = waiting < batch ? waiting : batch;
    if (*n_all == NOT_LOADED) {
      count_rows(t, tile, shared, t.margin, t.all_reach);
      *n_all = load_candidates(t, tile, shared, 0);
    }
    sum_queue(t, tile, shared, *n_all, count);
    waiting -= count;
    move_queue(shared, count, waiting);
  }
  return waiting;
}

template <class Shared, int ALIVE>
static __global__ void
__launch_bounds__(THREADS, ALIVE) sample_tiles(const Tiles t, int first_layer, float *means)
{
  extern __shared__ __align__(16) unsigned char memory[];
  Shared *shared = (Shared *)memory;
  const int3 tile = make_int3((int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z + first_layer);
  const uint32_t n_of_voxel = (uint32_t)(t.subsamples * t.subsamples * t.subsamples),
                 n_orientations = (uint32_t)t.n_orientations;
  const uint32_t n_voxels = n_of_voxel * TILE_VOXELS <= POINTS ? TILE_VOXELS : POINTS / n_of_voxel;
  if (threadIdx.x < TILE_VOXELS)
    shared->sums[threadIdx.x] = 0.0f;
  count_rows(t, tile, shared, t.near_margin, (float)INFINITY);
  const uint32_t n_near = load_near(t, tile, shared);
  uint32_t n_all = NOT_LOADED;
  uint32_t waiting = 0, total;
  for (uint32_t voxel = 0; voxel < TILE_VOXELS; voxel += n_voxels) {
    const uint32_t end = min(voxel + n_voxels, (uint32_t)TILE_VOXELS), point = voxel * n_of_voxel;
    const uint32_t n_samples = find_open(t, shared, n_near, voxel, end) * n_orientations;
    for (uint32_t first = 0, turn = 0; first < n_samples; first += THREADS, turn ^= 1) {
      const uint32_t i = first + threadIdx.x;
      const uint32_t number =
          i < n_samples ? (point + shared->open[i / n_orientations]) * n_orientations + i % n_orientations
                        : 0;
      const bool is_left =
          i < n_samples && (t.is_certain || !is_rejected(t, shared, n_near, find_sample(t, number)));
      const uint32_t place = waiting + rank_among(shared, (int)turn, is_left, &total);
      if (is_left)
        shared->queue[place] = number;
      waiting += total;
      __syncthreads();
      waiting = empty_queue(t, tile, shared, &n_all, waiting, false);
    }
  }
  empty_queue(t, tile, shared, &n_all, waiting, true);
  __syncthreads();
  write_means(t, tile, shared, (size_t)first_layer, means);
}

/* Where its atoms are enough, four blocks of the smaller one share a multiprocessor. */
typedef Parts<1792, 512> Wide;
typedef Parts<1280, 256> Narrow;

/* --- Frames --- */

/* Atoms in reach of a tile, by the mean of all bins: of those within the tile grown by the reach, its corners rounded off. */
static double
count_typical(const Plan *plan)
{
  const DebyeLigandBins *bins = &plan->bins;
  const double *r = bins->around;
  const double bins_in_reach = 1.0 + 2.0 * (r[0] + r[1] + r[2]) +
                               M_PI * (r[0] * r[1] + r[1] * r[2] + r[2] * r[0]) +
                               4.0 / 3.0 * M_PI * r[0] * r[1] * r[2];
  return bins_in_reach * (double)bins->n_atoms / (double)bins->n_bins;
}

static DebyeStatusCode
set_frame(DebyeKernelPlan *handle, const DebyeLigandFrame *frame, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  DebyeLigandBins *bins = &plan->bins;
  DebyeStream *stream = &plan->stream;
  DebyeStatusCode code = debye_ligand_frame_check(&plan->settings, frame, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!debye_ligand_bins_set(bins, &plan->settings, frame, &debye_cuda_memory_source))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the images of %zu atoms.",
                            frame->n);
  debye_stream_reserve(stream, &plan->atoms, bins->n_atoms + 1, sizeof(DebyeLigandAtom));
  debye_stream_reserve(stream, &plan->codes, bins->n_atoms + 1, sizeof(uint32_t));
  debye_stream_upload(stream, plan->start, bins->start, (bins->n_bins + 1) * sizeof *plan->start);
  debye_stream_upload(stream, plan->atoms.memory, bins->atoms.memory,
                      bins->n_atoms * sizeof(DebyeLigandAtom));
  debye_stream_upload(stream, plan->codes.memory, bins->codes.memory, bins->n_atoms * sizeof(uint32_t));
  plan->is_sparse = count_typical(plan) < SPARSE_PART * Narrow::CANDIDATES;
  plan->tiles.start = plan->start;
  plan->tiles.atoms = (const DebyeLigandAtom *)plan->atoms.memory;
  plan->tiles.codes = (const uint32_t *)plan->codes.memory;
  return debye_stream_finish(stream, "copying atoms", status);
}

static void
launch(const Plan *plan, size_t layer, size_t n_layers, float *means)
{
  const dim3 blocks((unsigned)plan->tiles.tiles[0], (unsigned)plan->tiles.tiles[1], (unsigned)n_layers);
  const size_t rows = 2 * plan->n_rows * sizeof(uint32_t);
  if (plan->is_sparse)
    sample_tiles<Narrow, 4>
        <<<blocks, THREADS, sizeof(Narrow) + rows, plan->stream.handle>>>(plan->tiles, (int)layer, means);
  else
    sample_tiles<Wide, 3>
        <<<blocks, THREADS, sizeof(Wide) + rows, plan->stream.handle>>>(plan->tiles, (int)layer, means);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t count, float *means, const volatile bool *cancel,
        DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t *shape = plan->settings.grid.shape;
  const size_t plane = shape[0] * shape[1],
               end = TILE * (first + count) < shape[2] ? TILE * (first + count) : shape[2];
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  const size_t tiles = (size_t)plan->tiles.tiles[0] * (size_t)plan->tiles.tiles[1];
  const size_t at_once = tiles < LAUNCHED_TILES ? LAUNCHED_TILES / tiles : 1;
  for (size_t layer = first; layer < first + count; layer += at_once) {
    const size_t left = first + count - layer, n = left < at_once ? left : at_once;
    if (debye_is_cancelled(cancel)) {
      debye_stream_wait(&plan->stream);
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Sampling a ligand was stopped.");
    }
    if (debye_stream_is_good(&plan->stream))
      launch(plan, layer, n, plan->means + (layer - first) * TILE * plane);
    debye_stream_note_launch(&plan->stream);
    /* What waits on the device can't be stopped. */
    if (cancel != NULL && layer + n < first + count)
      debye_stream_wait(&plan->stream);
  }
  const size_t n_values = (end - TILE * first) * plane;
  debye_stream_download(&plan->stream, plan->host_means, plan->means, n_values * sizeof *means);
  const DebyeStatusCode code = debye_stream_finish(&plan->stream, "sampling a ligand", status);
  if (code == DEBYE_STATUS_OK)
    debye_chunk_threads_copy(means + TILE * first * plane, plan->host_means, n_values * sizeof *means);
  return code;
}

/* --- The plan --- */

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  plan->device = device;
  plan->settings = *(const DebyeLigandSettings *)data;
  const DebyeStatusCode code = debye_ligand_settings_check(&plan->settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!debye_ligand_bins_init(&plan->bins, &plan->settings))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "The cutoff reaches too far in so fine a grid.");
  plan->n_rows = (size_t)(2 * plan->bins.margin[1] + 1) * (size_t)(2 * plan->bins.margin[2] + 1);
  if (plan->n_rows > MAX_ROWS || debye_ligand_n_tiles(&plan->settings, 1) > 65535)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid is too fine for this device: its cutoff is more than %d voxels.",
                            TILE * (int)sqrt((double)MAX_ROWS) / 2);
  return debye_status_ok(status);
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  Plan *plan = (Plan *)made;
  const DebyeLigandSettings *settings = &plan->settings;
  const size_t pairs = settings->n_types * settings->n_kinds, n = debye_grid_n_points(&settings->grid);
  const size_t places = 3 * settings->n_orientations * settings->n_sites;
  debye_ligand_bins_list(&plan->bins, settings, DEBYE_MEMORY_PINNED, memory);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->start, plan->bins.n_bins + 1);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->atoms, 3 * settings->max_atoms,
                             sizeof(DebyeLigandAtom));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_DEVICE, &plan->codes, 3 * settings->max_atoms,
                             sizeof(uint32_t));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->pairs, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->hard, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->hard_most, settings->n_types);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->certain, settings->n_types);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->places, places);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->charges, settings->n_sites);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->kinds, settings->n_sites);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->means, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_pairs, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_hard, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_hard_most, settings->n_types);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_certain, settings->n_types);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_places, places);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_charges, settings->n_sites);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_kinds, settings->n_sites);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_means, n);
}

static void
set_tables(Plan *plan)
{
  const DebyeLigandSettings *settings = &plan->settings;
  const size_t places = 3 * settings->n_orientations * settings->n_sites;
  for (size_t type = 0; type < settings->n_types; type++) {
    plan->host_hard_most[type] = 0.0f;
    for (size_t kind = 0; kind < settings->n_kinds; kind++) {
      const size_t pair = type * settings->n_kinds + kind;
      const double hard = debye_ligand_hard_radius(settings, type, kind);
      plan->host_pairs[pair] =
          make_float2((float)settings->repulsion[pair], (float)settings->attraction[pair]);
      plan->host_hard[pair] = (float)(hard * hard);
      plan->host_hard_most[type] = fmaxf(plan->host_hard_most[type], (float)hard);
    }
    const double certain = debye_ligand_certain_radius(settings, type);
    plan->host_certain[type] = (float)(certain * certain);
  }
  for (size_t i = 0; i < places; i++)
    plan->host_places[i] = (float)settings->places[i];
  for (size_t i = 0; i < settings->n_sites; i++) {
    plan->host_kinds[i] = settings->kinds[i];
    plan->host_charges[i] =
        settings->charges != NULL ? (float)(settings->charges[i] * settings->coulomb) : 0.0f;
  }
  debye_stream_upload(&plan->stream, plan->pairs, plan->host_pairs,
                      settings->n_types * settings->n_kinds * sizeof *plan->pairs);
  debye_stream_upload(&plan->stream, plan->hard, plan->host_hard,
                      settings->n_types * settings->n_kinds * sizeof *plan->hard);
  debye_stream_upload(&plan->stream, plan->hard_most, plan->host_hard_most,
                      settings->n_types * sizeof *plan->hard_most);
  debye_stream_upload(&plan->stream, plan->certain, plan->host_certain,
                      settings->n_types * sizeof *plan->certain);
  debye_stream_upload(&plan->stream, plan->places, plan->host_places, places * sizeof *plan->places);
  debye_stream_upload(&plan->stream, plan->charges, plan->host_charges,
                      settings->n_sites * sizeof *plan->charges);
  debye_stream_upload(&plan->stream, plan->kinds, plan->host_kinds, settings->n_sites * sizeof *plan->kinds);
}

static void
set_tiles(Plan *plan)
{
  const DebyeLigandSettings *settings = &plan->settings;
  const double away = plan->bins.reach + debye_ligand_block_radius(settings, TILE);
  Tiles *tiles = &plan->tiles;
  tiles->is_straight = true;
  for (int k = 0; k < 3; k++) {
    tiles->half[k] = (float)(0.5 * fabs(plan->bins.step[k][k]));
    tiles->shape[k] = (int)settings->grid.shape[k];
    tiles->tiles[k] = (int)debye_ligand_n_tiles(settings, k);
    tiles->margin[k] = (int)plan->bins.margin[k];
    tiles->bins[k] = (int)plan->bins.shape[k];
    for (int axis = 0; axis < 3; axis++) {
      tiles->is_straight = tiles->is_straight && (axis == k || plan->bins.step[k][axis] == 0.0);
      tiles->step[k][axis] = (float)plan->bins.step[k][axis];
      tiles->sample[k][axis] = (float)(plan->bins.step[k][axis] / TILE / (double)settings->subsamples);
    }
  }
  tiles->away = (float)(away * away);
  tiles->reach = (float)(plan->bins.reach * plan->bins.reach);
  tiles->all_reach = (float)plan->bins.reach;
  tiles->near_reach = (float)debye_ligand_reach(settings);
  double hard_most = 0.0;
  for (size_t type = 0; type < settings->n_types; type++)
    hard_most = fmax(hard_most, (double)plan->host_hard_most[type]);
  for (int k = 0; k < 3; k++)
    tiles->near_margin[k] = min(tiles->margin[k], (int)ceil((hard_most + debye_ligand_reach(settings)) /
                                                                plan->bins.reach * plan->bins.around[k] +
                                                            1e-6));
  tiles->near_away = (float)(debye_ligand_reach(settings) + debye_ligand_block_radius(settings, TILE));
  tiles->square = (float)(settings->cutoff * settings->cutoff);
  tiles->inverse = (float)(1.0 / settings->cutoff);
  tiles->subsamples = (int)settings->subsamples;
  tiles->n_kinds = (int)settings->n_kinds;
  tiles->n_sites = (int)settings->n_sites;
  tiles->n_orientations = (int)settings->n_orientations;
  tiles->has_charges = settings->charges != NULL;
  tiles->is_alike = settings->n_kinds == 1 && settings->n_sites <= 2 && !tiles->has_charges;
  tiles->is_certain = debye_ligand_reach(settings) == 0.0;
  tiles->pairs = plan->pairs;
  tiles->hard = plan->hard;
  tiles->hard_most = plan->hard_most;
  tiles->certain = plan->certain;
  tiles->places = plan->places;
  tiles->charges = plan->charges;
  tiles->kinds = plan->kinds;
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  debye_stream_open(&plan->stream);
  const int rows = 2 * MAX_ROWS * (int)sizeof(uint32_t);
  const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  if (debye_stream_is_good(&plan->stream))
    debye_stream_note(&plan->stream,
                      cudaFuncSetAttribute(sample_tiles<Wide, 3>, most, (int)sizeof(Wide) + rows));
  if (debye_stream_is_good(&plan->stream))
    debye_stream_note(&plan->stream,
                      cudaFuncSetAttribute(sample_tiles<Narrow, 4>, most, (int)sizeof(Narrow) + rows));
  set_tables(plan);
  set_tiles(plan);
  return debye_stream_finish(&plan->stream, "preparing a ligand", status);
}

DEBYE_STREAM_CLEAR_PLAN(Plan)
DEBYE_PLAN(Plan, debye_cuda_memory_source, .prepare = prepare, .clear = clear)

extern "C" const DebyeLigandKernel debye_cuda_ligand = {
    .head = {bytes_needed, create, destroy},
    .set_frame = set_frame,
    .execute = execute,
};
