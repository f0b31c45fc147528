/* SPDX-License-Identifier: MIT */
/* How two tiles see each other: their places relative to each other, and how far a float's distances can be
 * trusted. */
#pragma once

#include "pair_block.cuh"

/* u, the error of a float's rounding. */
#define DEBYE_PAIR_ROUNDING 5.9604644775390625e-8
/* From this part of the longest way between two tiles' atoms on they are far. */
#define DEBYE_PAIR_FAR_PART 0.25
/* With an error of so many bins a float tells too little. */
#define DEBYE_PAIR_WORST 0.25

/* What one lane finds out about a pair of tiles, for the others. */
struct DebyePairApproach {
  double between[3];
  DebyePairScales scales;
  float cull2; /* atoms j farther from tile i's box are out of range */
  DebyePairManner manner;
};

/* How far from an edge, relative to its distance, a far pair's float can't tell its bin. The vectors' errors
 * are those of debye_pair_tolerance, u·(2·|D| + 4·(h_i + h_j)) in all; relative to the distance they are the
 * greatest where it is the least, that is the boxes' `gap`. The square of the distance has three roundings,
 * 1.5 units of the distance, the root two, the scale one; the product has none, for it is rounded together
 * with the addition that makes it a bin. */
static __device__ __forceinline__ double
debye_far_tolerance(double apart, double radii, double gap)
{
  return DEBYE_PAIR_ROUNDING * 1.001 * ((2.0 * apart + 4.0 * radii) / gap + 4.5);
}

static __device__ __forceinline__ double
debye_box_gap(const double *between, const float *half_i, const float *half_j)
{
  double square = 0.0;
  for (int k = 0; k < 3; k++) {
    const double gap = fmax(fabs(between[k]) - (double)half_i[k] - (double)half_j[k], 0.0);
    square = fma(gap, gap, square);
  }
  return sqrt(square);
}

/* For a pair of tiles whose `between` is set. */
static __device__ __forceinline__ void
debye_set_approach(const DebyePairLaunch &launch, const DebyeTileBox &box, const DebyeTileBox &other,
                   bool special, DebyePairApproach *approach)
{
  const double *const between = approach->between, radii = (double)box.radius + (double)other.radius;
  const double bins_per_angstrom = launch.layout.bins_per_angstrom,
               gap = debye_box_gap(between, box.half, other.half);
  const double apart = sqrt(debye_dot3(between, between));
  const float tolerance = debye_pair_tolerance(&launch.layout, between, box.radius + other.radius);
  const float reach = (float)launch.layout.reach + tolerance / (float)bins_per_angstrom;
  /* 1e-9 of a bin: what a double's distance is off. */
  const double relative = gap > DEBYE_PAIR_FAR_PART * (apart + radii)
                              ? debye_far_tolerance(apart, radii, gap) + 1e-9 / (gap * bins_per_angstrom)
                              : 1.0;
  const bool far = !special && relative * ((double)launch.n_bins + 1.0) < DEBYE_PAIR_WORST;
  approach->cull2 = reach * reach * 1.00001f;
  approach->manner = far                             ? DEBYE_PAIR_FAR
                     : tolerance >= DEBYE_PAIR_WORST ? special ? DEBYE_PAIR_EXACT_SPECIAL : DEBYE_PAIR_EXACT
                     : special                       ? DEBYE_PAIR_SPECIAL
                                                     : DEBYE_PAIR_NEAR;
  approach->scales.low = (float)(far ? bins_per_angstrom * (1.0 - relative) : bins_per_angstrom);
  approach->scales.high = (float)(far ? bins_per_angstrom * (1.0 + relative) : bins_per_angstrom);
  approach->scales.offset = tolerance;
}

static __device__ __forceinline__ DebyePairApproach
debye_approach_of_lane(const DebyePairApproach &mine, int lane)
{
  DebyePairApproach its;
  for (int k = 0; k < 3; k++)
    its.between[k] = __shfl_sync(~0u, mine.between[k], lane);
  its.scales.low = __shfl_sync(~0u, mine.scales.low, lane);
  its.scales.high = __shfl_sync(~0u, mine.scales.high, lane);
  its.scales.offset = __shfl_sync(~0u, mine.scales.offset, lane);
  its.cull2 = __shfl_sync(~0u, mine.cull2, lane);
  its.manner = (DebyePairManner)__shfl_sync(~0u, (int)mine.manner, lane);
  return its;
}

static __device__ __forceinline__ float
debye_outside(float x, float middle, float half)
{
  return fmaxf(fabsf(x - middle) - half, 0.0f);
}

/* Tile j's atoms, those in range of tile i's box, side by side into the warp's memory; filled up to a whole
 * step with atoms nowhere. Returns how many they are. */
template <class Shape>
static __device__ __forceinline__ unsigned
debye_bring_atoms(const DebyePairLaunch &launch, uint32_t tile, const DebyePairApproach &approach,
                  const DebyeTileBox &box, DebyePairShared<Shape> *shared)
{
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float middle[3] = {(float)approach.between[0], (float)approach.between[1],
                           (float)approach.between[2]};
  unsigned n = 0;
  __syncwarp();
#pragma unroll
  for (int a = 0; a < Shape::EACH; a++) {
    const unsigned j = lane + 32 * a;
    const float4 at = launch.slots[(size_t)tile * Shape::TILE + j];
    const float x = debye_outside(at.x, middle[0], box.half[0]);
    const float y = debye_outside(at.y, middle[1], box.half[1]);
    const float z = debye_outside(at.z, middle[2], box.half[2]);
    const bool stays = fmaf(z, z, fmaf(y, y, x * x)) < approach.cull2;
    const unsigned staying = __ballot_sync(~0u, stays);
    const unsigned place = n + __popc(staying & ((1u << lane) - 1));
    if (stays) {
      shared->atoms_j[warp][place] = at;
      shared->number[warp][place] = (uint8_t)j;
    }
    n += __popc(staying);
  }
  const unsigned whole = (n + Shape::UNROLL - 1) / Shape::UNROLL * Shape::UNROLL;
  if (lane < whole - n) {
    const float4 nowhere = make_float4(DEBYE_PAIR_NOWHERE, DEBYE_PAIR_NOWHERE, DEBYE_PAIR_NOWHERE, 0.0f);
    shared->atoms_j[warp][n + lane] = nowhere;
    shared->number[warp][n + lane] = 0;
  }
  __syncwarp();
  return whole;
}

/* Tile i's atoms as they are seen from the middle of tile j. */
template <class Shape>
static __device__ __forceinline__ DebyePairRow<Shape::EACH>
debye_see_atoms(const float4 (&atoms_i)[Shape::EACH], const double *between)
{
  float high[3], low[3];
  DebyePairRow<Shape::EACH> row;
  for (int k = 0; k < 3; k++) {
    high[k] = (float)between[k];
    low[k] = (float)(between[k] - (double)high[k]);
  }
#pragma unroll
  for (int a = 0; a < Shape::EACH; a++) {
    row.x[a] = high[0] + (atoms_i[a].x + low[0]);
    row.y[a] = high[1] + (atoms_i[a].y + low[1]);
    row.z[a] = high[2] + (atoms_i[a].z + low[2]);
  }
  return row;
}

/* One tile j, brought near and counted. */
template <class Shape>
static __device__ __forceinline__ void
debye_meet(const DebyePairLaunch &launch, const DebyeTilePair &tiles, const DebyePairApproach &approach,
           const DebyeTileBox &box, const float4 (&atoms_i)[Shape::EACH], DebyePairShared<Shape> *shared,
           unsigned *histogram)
{
  if (approach.manner == DEBYE_PAIR_EXACT) {
    debye_decide_tiles<Shape, DEBYE_PAIR_NEAR>(launch, tiles, shared->work.histogram, histogram);
  } else if (approach.manner == DEBYE_PAIR_EXACT_SPECIAL) {
    debye_decide_tiles<Shape, DEBYE_PAIR_SPECIAL>(launch, tiles, shared->work.histogram, histogram);
  } else {
    const unsigned n_j = debye_bring_atoms<Shape>(launch, tiles.j, approach, box, shared);
    const DebyePairMeeting<Shape> meeting = {launch, shared, histogram, tiles, approach.scales, n_j};
    const DebyePairRow<Shape::EACH> row = debye_see_atoms<Shape>(atoms_i, approach.between);
    if (approach.manner == DEBYE_PAIR_FAR)
      debye_count_meeting<Shape, DEBYE_PAIR_FAR>(meeting, row);
    else if (approach.manner == DEBYE_PAIR_SPECIAL)
      debye_count_meeting<Shape, DEBYE_PAIR_SPECIAL>(meeting, row);
    else
      debye_count_meeting<Shape, DEBYE_PAIR_NEAR>(meeting, row);
  }
  if (threadIdx.x % 32 == 0)
    atomicAdd(&shared->n_meetings, 1u);
}
