/* SPDX-License-Identifier: MIT */
/* The atoms around a tile of voxels, and its sample points; for ligand_map.cu alone. */
#pragma once

#include <math.h>

#include "kernels/cuda/common/stream.cuh"
#include "kernels/ligand/ligand_bins.h"

#define TILE DEBYE_LIGAND_TILE
#define TILE_VOXELS (TILE * TILE * TILE)
#define THREADS 256
#define WARPS (THREADS / 32)
/* Sample points whose nearest atoms are looked at together. */
#define POINTS 2048
/* Energies that a block sums at once, and what waits for them. */
#define BATCH (2 * THREADS)
#define WAITING (BATCH + THREADS)
/* Rows of bins around a tile, so that their table fits. */
#define MAX_ROWS 2048
/* Handed to the kernel by value. */
typedef struct {
  int shape[3], tiles[3]; /* voxels, tiles */
  int margin[3], bins[3];
  int near_margin[3]; /* where atoms are that can reject a sample */
  float near_reach;   /* of a sample beyond a type's hard radius */
  float all_reach;    /* the same as `reach`, not squared */
  float step[3][3];   /* of bins */
  float sample[3][3]; /* of samples */
  float away;         /* squared, from a tile's centre */
  float reach;        /* squared, from a sample */
  float half[3];      /* of the box of a tile's samples, if voxels are boxes */
  float near_away;    /* beyond a type's hard radius: a tile's and the ligand's extent */
  float square, inverse;
  int subsamples, n_kinds, n_sites, n_orientations;
  bool has_charges;
  bool is_alike;    /* one or two sites of one kind without charges */
  bool is_certain;  /* the ligand is its sample point */
  bool is_straight; /* voxels are boxes along x, y and z */
  const DebyeLigandAtom *atoms;
  const uint32_t *codes, *start;
  const float2 *pairs;    /* A and B */
  const float *hard;      /* squares */
  const float *hard_most; /* by type */
  const float *certain;   /* by type: the square of a sample point that no orientation survives */
  const float *places, *charges;
  const uint8_t *kinds;
} Tiles;

/* HELD atoms for energies, REJECTING ones that can reject a sample. */
template <int HELD, int REJECTING> struct Parts {
  /* Atoms that a block holds: more are brought again for each round of energies. */
  static constexpr uint32_t CANDIDATES = HELD;
  static constexpr uint32_t NEAR = REJECTING;
  float4 atoms[CANDIDATES]; /* from the tile's centre, and the charge; of a ligand that is alike, expanded */
  float4 near[NEAR];        /* the type's bits; if all sites are of one kind, the square that rejects */
  float certain[NEAR];
  float2 pairs[CANDIDATES]; /* of a ligand that is alike */
  uint16_t types[CANDIDATES];
  uint16_t chosen[CANDIDATES]; /* those in reach of what is summed at once */
  uint16_t open[POINTS]; /* sample points that no near atom is certain to reject, from the first of them */
  uint32_t queue[WAITING];
  float parts[2][THREADS];
  float values[BATCH];
  float sums[TILE_VOXELS];
  uint32_t counts[2][WARPS];
  uint32_t rows[1]; /* n_rows + 1: atoms of the rows before; n_rows: where those of each begin */
};

/* How many of the block's threads before this one say yes, and how many of all; each thread of the block calls it, with another
 * `turn` than in the call before. */
template <class Shared>
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

/* Rows of bins around a tile, so far along y and z. */
static __device__ int
count_around(const int (&margin)[3])
{
  return (2 * margin[1] + 1) * (2 * margin[2] + 1);
}

/* Behind the sums of all rows. */
template <class Shared>
static __device__ uint32_t *
get_firsts(const Tiles &t, Shared *shared)
{
  return shared->rows + count_around(t.margin) + 1;
}

/* Bins of a row that lie within `reach` of the tile along x; of a skew grid all. */
static __device__ int
find_extent(const Tiles &t, const int (&margin)[3], float reach, int row)
{
  if (!t.is_straight)
    return margin[0];
  const int width = 2 * margin[1] + 1;
  const float y = (float)max(abs(row % width - margin[1]) - 1, 0) * fabsf(t.step[1][1]),
              z = (float)max(abs(row / width - margin[2]) - 1, 0) * fabsf(t.step[2][2]);
  const float left = reach * reach * 1.0001f - y * y - z * z;
  if (left < 0.0f)
    return -1;
  const float most = (float)margin[0]; /* a reach without end is no number of bins */
  return min(margin[0], 1 + (int)fminf(sqrtf(left) / fabsf(t.step[0][0]), most));
}

/* Where the atoms of rows are, and sums of how many they have: these by one warp. */
template <class Shared>
static __device__ void
count_rows(const Tiles &t, int3 tile, Shared *shared, const int (&margin)[3], float reach)
{
  const int n_rows = count_around(margin), width = 2 * margin[1] + 1;
  __syncthreads();
  for (int row = (int)threadIdx.x; row < n_rows; row += THREADS) {
    const int extent = find_extent(t, margin, reach, row);
    const size_t y = (size_t)(tile.y + t.margin[1] - margin[1] + row % width),
                 z = (size_t)(tile.z + t.margin[2] - margin[2] + row / width);
    const size_t middle = (z * (size_t)t.bins[1] + y) * (size_t)t.bins[0] + (size_t)(tile.x + t.margin[0]);
    const uint32_t first = extent < 0 ? 0 : t.start[middle - (size_t)extent];
    get_firsts(t, shared)[row] = first;
    shared->rows[row + 1] = extent < 0 ? 0 : t.start[middle + (size_t)extent + 1] - first;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    uint32_t before = 0;
    for (int begin = 0; begin < n_rows; begin += 32) {
      const int row = begin + (int)threadIdx.x;
      uint32_t sum = row < n_rows ? shared->rows[row + 1] : 0;
      for (unsigned shift = 1; shift < 32; shift *= 2) {
        const uint32_t other = __shfl_up_sync(0xffffffffu, sum, shift);
        sum += threadIdx.x >= shift ? other : 0;
      }
      if (row < n_rows)
        shared->rows[row + 1] = before + sum;
      before += __shfl_sync(0xffffffffu, sum, 31);
    }
    if (threadIdx.x == 0)
      shared->rows[0] = 0;
  }
  __syncthreads();
}

/* Atom `i` of all those in the tile's rows, from its centre. */
template <class Shared>
static __device__ float4
load_atom(const Tiles &t, int3 tile, const Shared *shared, const int (&margin)[3], uint32_t i, uint32_t *type)
{
  int low = 0, high = count_around(margin) - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (shared->rows[middle] <= i)
      low = middle;
    else
      high = middle - 1;
  }
  const size_t at = get_firsts(t, (Shared *)shared)[low] + (i - shared->rows[low]);
  const DebyeLigandAtom atom = t.atoms[at];
  const uint32_t code = t.codes[at];
  const int width = 2 * margin[1] + 1;
  const float a = (float)((int)(code >> 16) - tile.x - t.margin[0]) - 0.5f,
              b = (float)(low % width - margin[1]) - 0.5f, c = (float)(low / width - margin[2]) - 0.5f;
  *type = code & 0xffffu;
  return make_float4(atom.x + (a * t.step[0][0] + b * t.step[1][0] + c * t.step[2][0]),
                     atom.y + (a * t.step[0][1] + b * t.step[1][1] + c * t.step[2][1]),
                     atom.z + (a * t.step[0][2] + b * t.step[1][2] + c * t.step[2][2]), atom.charge);
}

/* |a − p|² = |a|² + |p|² − 2a·p takes three steps where differences take six. */
static __device__ float4
expand(float4 atom)
{
  return make_float4(-2.0f * atom.x, -2.0f * atom.y, -2.0f * atom.z,
                     atom.x * atom.x + atom.y * atom.y + atom.z * atom.z);
}

/* Of the nearest point of a box about `centre`. */
static __device__ float
square_from_box(float3 atom, const float (&centre)[3], const float (&half)[3])
{
  const float x = fmaxf(fabsf(atom.x - centre[0]) - half[0], 0.0f),
              y = fmaxf(fabsf(atom.y - centre[1]) - half[1], 0.0f),
              z = fmaxf(fabsf(atom.z - centre[2]) - half[2], 0.0f);
  return x * x + y * y + z * z;
}

static __device__ bool
is_in_reach(const Tiles &t, float4 atom)
{
  if (!t.is_straight)
    return atom.x * atom.x + atom.y * atom.y + atom.z * atom.z < t.away;
  const float centre[3] = {0.0f, 0.0f, 0.0f};
  return square_from_box(make_float3(atom.x, atom.y, atom.z), centre, t.half) < t.reach;
}

template <class Shared>
static __device__ void
hold(const Tiles &t, Shared *shared, uint32_t place, float4 atom, uint32_t type)
{
  shared->types[place] = (uint16_t)type;
  shared->atoms[place] = t.is_alike ? expand(atom) : atom;
  if (t.is_alike)
    shared->pairs[place] = t.pairs[type];
}

/* Those in reach from number `skip` on, as many as there is room for. Returns how many there are in all. */
template <class Shared>
static __device__ uint32_t
load_candidates(const Tiles &t, int3 tile, Shared *shared, uint32_t skip)
{
  constexpr int TOGETHER = 2;
  const uint32_t n = shared->rows[count_around(t.margin)], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t found = 0;
  __syncthreads();
  for (uint32_t first = 0, turn = 0; first < n; first += TOGETHER * THREADS, turn ^= 1) {
    float4 atoms[TOGETHER];
    uint32_t types[TOGETHER], votes[TOGETHER], mine = 0;
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
      const uint32_t i = first + (uint32_t)k * THREADS + threadIdx.x;
      types[k] = 0;
      atoms[k] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (i < n)
        atoms[k] = load_atom(t, tile, shared, t.margin, i, &types[k]);
    }
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
      votes[k] = __ballot_sync(0xffffffffu,
                               first + (uint32_t)k * THREADS + threadIdx.x < n && is_in_reach(t, atoms[k]));
      mine += (uint32_t)__popc(votes[k]);
    }
    if (lane == 0)
      shared->counts[turn][warp] = mine;
    __syncthreads();
    uint32_t before = found;
    for (unsigned w = 0; w < WARPS; w++) {
      before += w < warp ? shared->counts[turn][w] : 0;
      found += shared->counts[turn][w];
    }
#pragma unroll
    for (int k = 0; k < TOGETHER; k++) {
      const uint32_t place = before + (uint32_t)__popc(votes[k] & ((1u << lane) - 1u));
      if ((votes[k] >> lane & 1u) != 0 && place >= skip && place - skip < Shared::CANDIDATES)
        hold(t, shared, place - skip, atoms[k], types[k]);
      before += (uint32_t)__popc(votes[k]);
    }
  }
  __syncthreads();
  return found;
}

/* Atoms that can reject a sample: one that is left out rejects nothing, and energies tell. */
template <class Shared>
static __device__ uint32_t
load_near(const Tiles &t, int3 tile, Shared *shared)
{
  const uint32_t n = shared->rows[count_around(t.near_margin)];
  const float centre[3] = {0.0f, 0.0f, 0.0f};
  uint32_t found = 0, total;
  for (uint32_t first = 0, turn = 0; first < n; first += THREADS, turn ^= 1) {
    const uint32_t i = first + threadIdx.x;
    bool is_near = false;
    float4 atom = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    uint32_t type = 0;
    if (i < n) {
      atom = load_atom(t, tile, shared, t.near_margin, i, &type);
      const float hard = t.hard_most[type], away = hard + t.near_away, reach = hard + t.near_reach;
      is_near = hard > 0.0f &&
                (t.is_straight
                     ? square_from_box(make_float3(atom.x, atom.y, atom.z), centre, t.half) < reach * reach
                     : atom.x * atom.x + atom.y * atom.y + atom.z * atom.z < away * away);
      atom.w = t.n_kinds == 1 ? t.hard[type] : __uint_as_float(type);
    }
    const uint32_t place = found + rank_among(shared, (int)turn, is_near, &total);
    if (is_near && place < Shared::NEAR) {
      shared->near[place] = atom;
      shared->certain[place] = t.certain[type];
    }
    found += total;
  }
  __syncthreads();
  return found < Shared::NEAR ? found : Shared::NEAR;
}

/* --- Samples --- */

/* A number among a tile's: voxels slowest, then samples, orientations fastest. */
typedef struct {
  float3 point; /* from the tile's centre */
  int orientation;
  uint32_t voxel;
} Sample;

/* Sample s of a voxel, from the tile's centre. */
static __device__ float3
find_point(const Tiles &t, int v, int s)
{
  const int n = t.subsamples;
  const float middle = 0.5f * (float)(TILE * n - 1);
  const float a = (float)(v % TILE * n + s % n) - middle,
              b = (float)(v / TILE % TILE * n + s / n % n) - middle,
              c = (float)(v / TILE / TILE * n + s / n / n) - middle;
  return make_float3(a * t.sample[0][0] + b * t.sample[1][0] + c * t.sample[2][0],
                     a * t.sample[0][1] + b * t.sample[1][1] + c * t.sample[2][1],
                     a * t.sample[0][2] + b * t.sample[1][2] + c * t.sample[2][2]);
}

static __device__ Sample
find_sample(const Tiles &t, uint32_t number)
{
  const int n = t.subsamples, n_samples = n * n * n;
  Sample sample;
  sample.orientation = (int)(number % (uint32_t)t.n_orientations);
  const uint32_t rest = number / (uint32_t)t.n_orientations;
  const int s = (int)(rest % (uint32_t)n_samples);
  sample.voxel = rest / (uint32_t)n_samples;
  sample.point = find_point(t, (int)sample.voxel, s);
  return sample;
}
