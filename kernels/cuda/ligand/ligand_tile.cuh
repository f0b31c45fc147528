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
/* Atoms that a block holds: more are brought again for each round of energies. */
#define CANDIDATES 1792
#define NEAR 512
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

typedef struct {
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
    const bool is_in = i < n && is_in_reach(t, atom);
    const uint32_t place = found + rank_among(shared, (int)turn, is_in, &total);
    if (is_in && place >= skip && place - skip < CANDIDATES) {
      shared->types[place - skip] = (uint16_t)type;
      shared->atoms[place - skip] = t.is_alike ? expand(atom) : atom;
      if (t.is_alike)
        shared->pairs[place - skip] = t.pairs[type];
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
    uint32_t type = 0;
    if (i < n) {
      const float scale = t.is_alike ? -0.5f : 1.0f;
      type = shared->types[i];
      atom = shared->atoms[i];
      atom = make_float4(scale * atom.x, scale * atom.y, scale * atom.z,
                         t.n_kinds == 1 ? t.hard[type] : __uint_as_float(type));
      const float hard = t.hard_most[type], away = hard + t.near_away;
      is_near = hard > 0.0f && atom.x * atom.x + atom.y * atom.y + atom.z * atom.z < away * away;
    }
    const uint32_t place = found + rank_among(shared, (int)turn, is_near, &total);
    if (is_near && place < NEAR) {
      shared->near[place] = atom;
      shared->certain[place] = t.certain[type];
    }
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
