/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling on a GPU: a block is a tile of voxels; its twin is cpu/ligand/ligand_map.c.
 *
 * A block collects the atoms that its samples reach, and those near enough to reject one. Threads go through samples and
 * orientations; what no near atom rejects waits in a queue, from which a whole block of energies is summed at a time. All
 * is in a fixed order, so that runs are equal. */
#include <math.h>

#include "kernels/cuda/common/stream.cuh"
#include "kernels/ligand/ligand_bins.h"
#include "kernels/plan.h"

#define TILE DEBYE_LIGAND_TILE
#define TILE_VOXELS (TILE * TILE * TILE)
#define THREADS 256
#define WARPS (THREADS / 32)
/* Atoms that a block holds: more are brought again for each round of energies. */
#define CANDIDATES 2048
#define NEAR 512
/* Rows of bins around a tile, so that their table fits. */
#define MAX_ROWS 2048
/* Of one launch: several times what a device does at once. */
#define LAUNCHED_TILES ((size_t)16384)

/* Handed to the kernel by value. */
typedef struct {
  int shape[3], tiles[3]; /* voxels, tiles */
  int margin[3], bins[3];
  float step[3][3];   /* of bins */
  float sample[3][3]; /* of samples */
  float away;         /* squared, from a tile's centre */
  float near_away;    /* beyond a type's hard radius: a tile's and the ligand's extent */
  float square, inverse;
  int subsamples, n_kinds, n_sites, n_orientations;
  bool has_charges;
  const DebyeLigandAtom *atoms;
  const uint32_t *codes, *start;
  const float2 *pairs;    /* A and B */
  const float *hard;      /* squares */
  const float *hard_most; /* by type */
  const float *places, *charges;
  const uint8_t *kinds;
} Tiles;

typedef struct {
  DebyeLigandSettings settings;
  int device;
  DebyeStream stream;
  DebyeLigandBins bins; /* on the host */
  Tiles tiles;
  size_t n_rows, shared_bytes;
  uint32_t *start;
  DebyeRoom atoms, codes;
  float2 *pairs, *host_pairs;
  float *hard, *hard_most, *places, *charges, *host_hard, *host_hard_most, *host_places, *host_charges;
  uint8_t *kinds, *host_kinds;
  float *means, *host_means;
} Plan;

/* --- Atoms of a tile --- */

typedef struct {
  float4 atoms
      [CANDIDATES]; /* from the tile's centre; the charge, or, of a ligand without charges, the type's bits */
  float4 near[NEAR]; /* the type's bits; if all sites are of one kind, the square that rejects */
  uint32_t types[CANDIDATES];
  uint32_t queue[2 * THREADS];
  float values[THREADS];
  float sums[TILE_VOXELS];
  uint32_t counts[2][WARPS];
  uint32_t rows[1]; /* n_rows + 1: atoms of the rows before */
} Shared;

/* How many of the block's threads before this one say yes, and all; each thread of the block calls it, with another
 * `turn` than in the call before. */
static __device__ uint32_t
rank_among(Shared *shared, int turn, bool yes, uint32_t *total)
{
  const unsigned votes = __ballot_sync(0xffffffffu, yes), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0)
    shared->counts[turn][warp] = (uint32_t)__popc(votes);
  __syncthreads();
  uint32_t before = 0, all = 0;
  for (unsigned w = 0; w < WARPS; w++) {
    before += w < warp ? shared->counts[turn][w] : 0;
    all += shared->counts[turn][w];
  }
  *total = all;
  return before + (uint32_t)__popc(votes & ((1u << lane) - 1u));
}

/* Bins of the row around the tile. */
static __device__ size_t
find_row(const Tiles &t, int3 tile, int row)
{
  const int width = 2 * t.margin[1] + 1;
  const size_t y = (size_t)(tile.y + row % width), z = (size_t)(tile.z + row / width);
  return (z * (size_t)t.bins[1] + y) * (size_t)t.bins[0] + (size_t)tile.x;
}

/* Sums of what rows have, by one thread: there are some dozens to a few thousand. */
static __device__ void
count_rows(const Tiles &t, int3 tile, Shared *shared, int n_rows)
{
  for (int row = (int)threadIdx.x; row < n_rows; row += THREADS) {
    const size_t first = find_row(t, tile, row);
    shared->rows[row + 1] = t.start[first + (size_t)(2 * t.margin[0] + 1)] - t.start[first];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    shared->rows[0] = 0;
    for (int row = 0; row < n_rows; row++)
      shared->rows[row + 1] += shared->rows[row];
  }
  __syncthreads();
}

/* Atom `i` of all those in the tile's rows, from its centre. */
static __device__ float4
load_atom(const Tiles &t, int3 tile, const Shared *shared, int n_rows, uint32_t i, uint32_t *type)
{
  int low = 0, high = n_rows - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (shared->rows[middle] <= i)
      low = middle;
    else
      high = middle - 1;
  }
  const size_t at = t.start[find_row(t, tile, low)] + (i - shared->rows[low]);
  const DebyeLigandAtom atom = t.atoms[at];
  const uint32_t code = t.codes[at];
  const int width = 2 * t.margin[1] + 1;
  const float a = (float)((int)(code >> 16) - tile.x - t.margin[0]) - 0.5f,
              b = (float)(low % width - t.margin[1]) - 0.5f, c = (float)(low / width - t.margin[2]) - 0.5f;
  *type = code & 0xffffu;
  return make_float4(atom.x + (a * t.step[0][0] + b * t.step[1][0] + c * t.step[2][0]),
                     atom.y + (a * t.step[0][1] + b * t.step[1][1] + c * t.step[2][1]),
                     atom.z + (a * t.step[0][2] + b * t.step[1][2] + c * t.step[2][2]), atom.charge);
}

/* Those in reach from number `skip` on, as many as there is room for. Returns how many there are in all. */
static __device__ uint32_t
load_candidates(const Tiles &t, int3 tile, Shared *shared, int n_rows, uint32_t skip)
{
  const uint32_t n = shared->rows[n_rows];
  uint32_t found = 0, total;
  __syncthreads();
  for (uint32_t first = 0, turn = 0; first < n; first += THREADS, turn ^= 1) {
    const uint32_t i = first + threadIdx.x;
    uint32_t type = 0;
    float4 atom = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i < n)
      atom = load_atom(t, tile, shared, n_rows, i, &type);
    const bool is_in = i < n && atom.x * atom.x + atom.y * atom.y + atom.z * atom.z < t.away;
    const uint32_t place = found + rank_among(shared, (int)turn, is_in, &total);
    if (is_in && place >= skip && place - skip < CANDIDATES) {
      if (!t.has_charges)
        atom.w = __uint_as_float(type);
      shared->atoms[place - skip] = atom;
      shared->types[place - skip] = type;
    }
    found += total;
  }
  __syncthreads();
  return found;
}

/* Of the candidates that are there: one that is left out rejects nothing, and energies tell. */
static __device__ uint32_t
find_near(const Tiles &t, Shared *shared, uint32_t n)
{
  uint32_t found = 0, total;
  for (uint32_t first = 0, turn = 0; first < n; first += THREADS, turn ^= 1) {
    const uint32_t i = first + threadIdx.x;
    bool is_near = false;
    float4 atom = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i < n) {
      atom = shared->atoms[i];
      const float hard = t.hard_most[shared->types[i]], away = hard + t.near_away;
      is_near = hard > 0.0f && atom.x * atom.x + atom.y * atom.y + atom.z * atom.z < away * away;
      atom.w = t.n_kinds == 1 ? t.hard[shared->types[i]] : __uint_as_float(shared->types[i]);
    }
    const uint32_t place = found + rank_among(shared, (int)turn, is_near, &total);
    if (is_near && place < NEAR)
      shared->near[place] = atom;
    found += total;
  }
  __syncthreads();
  return found < NEAR ? found : NEAR;
}

/* --- Samples --- */

/* A number among a tile's: voxels slowest, then samples, orientations fastest. */
typedef struct {
  float3 point; /* from the tile's centre */
  int orientation;
  uint32_t voxel;
} Sample;

static __device__ Sample
find_sample(const Tiles &t, uint32_t number)
{
  const int n = t.subsamples, n_samples = n * n * n;
  Sample sample;
  sample.orientation = (int)(number % (uint32_t)t.n_orientations);
  const uint32_t rest = number / (uint32_t)t.n_orientations;
  const int s = (int)(rest % (uint32_t)n_samples);
  sample.voxel = rest / (uint32_t)n_samples;
  const int v = (int)sample.voxel;
  const float middle = 0.5f * (float)(TILE * n - 1);
  const float a = (float)(v % TILE * n + s % n) - middle,
              b = (float)(v / TILE % TILE * n + s / n % n) - middle,
              c = (float)(v / TILE / TILE * n + s / n / n) - middle;
  sample.point = make_float3(a * t.sample[0][0] + b * t.sample[1][0] + c * t.sample[2][0],
                             a * t.sample[0][1] + b * t.sample[1][1] + c * t.sample[2][1],
                             a * t.sample[0][2] + b * t.sample[1][2] + c * t.sample[2][2]);
  return sample;
}

static __device__ bool
is_rejected_alike(const Shared *shared, uint32_t n_near, float x, float y, float z)
{
  for (uint32_t i = 0; i < n_near; i++) {
    const float4 atom = shared->near[i];
    const float dx = atom.x - x, dy = atom.y - y, dz = atom.z - z;
    if (dx * dx + dy * dy + dz * dz < atom.w)
      return true;
  }
  return false;
}

static __device__ bool
is_rejected(const Tiles &t, const Shared *shared, uint32_t n_near, const Sample &sample)
{
  const float *places = t.places + 3 * (size_t)sample.orientation * (size_t)t.n_sites;
  for (int site = 0; site < t.n_sites; site++) {
    const float x = sample.point.x + places[3 * site], y = sample.point.y + places[3 * site + 1],
                z = sample.point.z + places[3 * site + 2];
    const float *hard = t.hard + t.kinds[site];
    if (t.n_kinds == 1) {
      if (is_rejected_alike(shared, n_near, x, y, z))
        return true;
      continue;
    }
    for (uint32_t i = 0; i < n_near; i++) {
      const float4 atom = shared->near[i];
      const float dx = atom.x - x, dy = atom.y - y, dz = atom.z - z;
      if (dx * dx + dy * dy + dz * dz < hard[__float_as_uint(atom.w) * (uint32_t)t.n_kinds])
        return true;
    }
  }
  return false;
}

/* 1/d², which errs by a unit of the last place: its twelfth power is in exponents of at most DEBYE_LIGAND_MAX_ENERGY. */
static __device__ float
invert_square(float square)
{
  return __fdividef(1.0f, fmaxf(square, (float)DEBYE_LIGAND_LEAST_SQUARE));
}

/* Of SITES sites of one kind without charges, over the first n candidates: each is loaded once for all sites. */
template <int SITES>
static __device__ float
sum_alike(const Tiles &t, const Shared *shared, uint32_t n, const Sample &sample)
{
  const float *places = t.places + 3 * (size_t)sample.orientation * SITES;
  float x[SITES], y[SITES], z[SITES], sums[SITES] = {};
  for (int site = 0; site < SITES; site++) {
    x[site] = sample.point.x + places[3 * site];
    y[site] = sample.point.y + places[3 * site + 1];
    z[site] = sample.point.z + places[3 * site + 2];
  }
#pragma unroll 4
  for (uint32_t i = 0; i < n; i++) {
    const float4 atom = shared->atoms[i];
    const float2 pair = __ldg(t.pairs + __float_as_uint(atom.w));
#pragma unroll
    for (int site = 0; site < SITES; site++) {
      const float dx = atom.x - x[site], dy = atom.y - y[site], dz = atom.z - z[site];
      const float square = dx * dx + dy * dy + dz * dz;
      const float inverse = invert_square(square), cube = inverse * inverse * inverse;
      sums[site] += square < t.square ? (pair.x * cube - pair.y) * cube : 0.0f;
    }
  }
  float energy = 0.0f;
  for (int site = 0; site < SITES; site++)
    energy += sums[site];
  return energy;
}

/* Of any ligand. */
static __device__ float
sum_sites(const Tiles &t, const Shared *shared, uint32_t n, const Sample &sample)
{
  const float *places = t.places + 3 * (size_t)sample.orientation * (size_t)t.n_sites;
  float energy = 0.0f;
  for (int site = 0; site < t.n_sites; site++) {
    const float x = sample.point.x + places[3 * site], y = sample.point.y + places[3 * site + 1],
                z = sample.point.z + places[3 * site + 2];
    const float2 *pairs = t.pairs + t.kinds[site];
    const float charge = t.has_charges ? t.charges[site] : 0.0f;
    float sum = 0.0f;
#pragma unroll 4
    for (uint32_t i = 0; i < n; i++) {
      const float4 atom = shared->atoms[i];
      const float2 pair = __ldg(pairs + shared->types[i] * (uint32_t)t.n_kinds);
      const float dx = atom.x - x, dy = atom.y - y, dz = atom.z - z;
      const float square = dx * dx + dy * dy + dz * dz;
      const float inverse = invert_square(square), cube = inverse * inverse * inverse;
      float term = (pair.x * cube - pair.y) * cube;
      if (charge != 0.0f)
        term += charge * atom.w * (sqrtf(inverse) - t.inverse);
      sum += square < t.square ? term : 0.0f;
    }
    energy += sum;
  }
  return energy;
}

static __device__ float
sum_energy(const Tiles &t, const Shared *shared, uint32_t n, const Sample &sample)
{
  const bool is_alike = t.n_kinds == 1 && !t.has_charges;
  if (is_alike && t.n_sites == 1)
    return sum_alike<1>(t, shared, n, sample);
  if (is_alike && t.n_sites == 2)
    return sum_alike<2>(t, shared, n, sample);
  return sum_sites(t, shared, n, sample);
}

/* The first `count` of the queue, of which each thread has one at most; `n_all` atoms are in reach. */
static __device__ void
sum_queue(const Tiles &t, int3 tile, Shared *shared, int n_rows, uint32_t n_all, uint32_t count)
{
  const bool is_mine = threadIdx.x < count;
  Sample sample = {};
  float energy = 0.0f;
  if (is_mine)
    sample = find_sample(t, shared->queue[threadIdx.x]);
  for (uint32_t skip = 0; skip < n_all; skip += CANDIDATES) {
    const uint32_t left = n_all - skip, n = left < CANDIDATES ? left : CANDIDATES;
    if (n_all > CANDIDATES)
      load_candidates(t, tile, shared, n_rows, skip);
    if (is_mine)
      energy += sum_energy(t, shared, n, sample);
  }
  if (is_mine)
    shared->values[threadIdx.x] = energy <= (float)DEBYE_LIGAND_MAX_ENERGY ? expf(-energy) : 0.0f;
  __syncthreads();
  /* The first of each voxel adds what its voxel has in the queue. */
  const uint32_t per_voxel =
      (uint32_t)(t.subsamples * t.subsamples * t.subsamples) * (uint32_t)t.n_orientations;
  if (is_mine && (threadIdx.x == 0 || shared->queue[threadIdx.x - 1] / per_voxel != sample.voxel)) {
    float sum = 0.0f;
    for (uint32_t i = threadIdx.x; i < count && shared->queue[i] / per_voxel == sample.voxel; i++)
      sum += shared->values[i];
    shared->sums[sample.voxel] += sum;
  }
  __syncthreads();
}

/* What is left of the queue moves to its beginning. */
static __device__ void
move_queue(Shared *shared, uint32_t count, uint32_t left)
{
  const uint32_t moved = threadIdx.x < left ? shared->queue[count + threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x < left)
    shared->queue[threadIdx.x] = moved;
  __syncthreads();
}

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

static __global__ void
__launch_bounds__(THREADS) sample_tiles(const Tiles t, int n_rows, int first_layer, float *means)
{
  extern __shared__ __align__(16) unsigned char memory[];
  Shared *shared = (Shared *)memory;
  const int3 tile = make_int3((int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z + first_layer);
  const uint32_t n_samples = (uint32_t)TILE_VOXELS * (uint32_t)(t.subsamples * t.subsamples * t.subsamples) *
                             (uint32_t)t.n_orientations;
  if (threadIdx.x < TILE_VOXELS)
    shared->sums[threadIdx.x] = 0.0f;
  count_rows(t, tile, shared, n_rows);
  const uint32_t n_all = load_candidates(t, tile, shared, n_rows, 0);
  const uint32_t n_near = find_near(t, shared, n_all < CANDIDATES ? n_all : CANDIDATES);
  uint32_t waiting = 0, total;
  for (uint32_t first = 0, turn = 0; first < n_samples; first += THREADS, turn ^= 1) {
    const uint32_t number = first + threadIdx.x;
    const bool is_left = number < n_samples && !is_rejected(t, shared, n_near, find_sample(t, number));
    const uint32_t place = waiting + rank_among(shared, (int)turn, is_left, &total);
    if (is_left)
      shared->queue[place] = number;
    waiting += total;
    __syncthreads();
    const bool is_last = n_samples - first <= THREADS;
    while (waiting >= THREADS || (is_last && waiting > 0)) {
      const uint32_t count = waiting < THREADS ? waiting : THREADS;
      sum_queue(t, tile, shared, n_rows, n_all, count);
      waiting -= count;
      move_queue(shared, count, waiting);
    }
  }
  __syncthreads();
  write_means(t, tile, shared, (size_t)first_layer, means);
}

/* --- Frames --- */

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
  plan->tiles.start = plan->start;
  plan->tiles.atoms = (const DebyeLigandAtom *)plan->atoms.memory;
  plan->tiles.codes = (const uint32_t *)plan->codes.memory;
  return debye_stream_finish(stream, "copying atoms", status);
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
      sample_tiles<<<dim3((unsigned)plan->tiles.tiles[0], (unsigned)plan->tiles.tiles[1], (unsigned)n),
                     THREADS, plan->shared_bytes, plan->stream.handle>>>(
          plan->tiles, (int)plan->n_rows, (int)layer, plan->means + (layer - first) * TILE * plane);
    debye_stream_note_launch(&plan->stream);
    /* What waits on the device can't be stopped. */
    if (cancel != NULL && layer + n < first + count)
      debye_stream_wait(&plan->stream);
  }
  const size_t n_values = (end - TILE * first) * plane;
  debye_stream_download(&plan->stream, plan->host_means, plan->means, n_values * sizeof *means);
  const DebyeStatusCode code = debye_stream_finish(&plan->stream, "sampling a ligand", status);
  if (code == DEBYE_STATUS_OK)
    memcpy(means + TILE * first * plane, plan->host_means, n_values * sizeof *means);
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
  plan->shared_bytes = sizeof(Shared) + plan->n_rows * sizeof(uint32_t);
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
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->places, places);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->charges, settings->n_sites);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->kinds, settings->n_sites);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->means, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_pairs, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_hard, pairs);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->host_hard_most, settings->n_types);
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
  for (int k = 0; k < 3; k++) {
    tiles->shape[k] = (int)settings->grid.shape[k];
    tiles->tiles[k] = (int)debye_ligand_n_tiles(settings, k);
    tiles->margin[k] = (int)plan->bins.margin[k];
    tiles->bins[k] = (int)plan->bins.shape[k];
    for (int axis = 0; axis < 3; axis++) {
      tiles->step[k][axis] = (float)plan->bins.step[k][axis];
      tiles->sample[k][axis] = (float)(plan->bins.step[k][axis] / TILE / (double)settings->subsamples);
    }
  }
  tiles->away = (float)(away * away);
  tiles->near_away = (float)(debye_ligand_reach(settings) + debye_ligand_block_radius(settings, TILE));
  tiles->square = (float)(settings->cutoff * settings->cutoff);
  tiles->inverse = (float)(1.0 / settings->cutoff);
  tiles->subsamples = (int)settings->subsamples;
  tiles->n_kinds = (int)settings->n_kinds;
  tiles->n_sites = (int)settings->n_sites;
  tiles->n_orientations = (int)settings->n_orientations;
  tiles->has_charges = settings->charges != NULL;
  tiles->pairs = plan->pairs;
  tiles->hard = plan->hard;
  tiles->hard_most = plan->hard_most;
  tiles->places = plan->places;
  tiles->charges = plan->charges;
  tiles->kinds = plan->kinds;
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  Plan *plan = (Plan *)made;
  debye_stream_open(&plan->stream);
  if (debye_stream_is_good(&plan->stream))
    debye_stream_note(&plan->stream,
                      cudaFuncSetAttribute(sample_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)(sizeof(Shared) + MAX_ROWS * sizeof(uint32_t))));
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
