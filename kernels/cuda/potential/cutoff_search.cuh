/* SPDX-License-Identifier: MIT */
/* How the warps of a group find their atoms: together those that any of them may see, then each its own; included by
 * potential_cutoff.cuh. */
#pragma once

#include <float.h>

#include "cutoff_sum.cuh"

/* What a group has found, by the warp that did: where a form takes negative charges apart, they are at the end. */
template <class Shape, int FORM> struct DebyeCutoffShared {
  DebyeCutoffBlock block;
  float half[3]; /* of the edges of the box around the group's points */
  float4 seen[Shape::WARPS][Shape::SEEN];
  uint32_t seen_index[DEBYE_CUTOFF_STEPS<FORM> ? Shape::WARPS : 1][Shape::SEEN];
  int count[Shape::WARPS][2];
  DebyeCutoffStore<Shape, FORM> store[Shape::WARPS];
};

/* The box around a group's points and what its atoms are measured from. */
struct DebyeCutoffGroup {
  DebyeBlockBox box;
  uint32_t middle[3];
};

/* Where a warp stands in the group's rows of bins, of which it has each WARPS-th. */
struct DebyeCutoffRows {
  long offset;
  unsigned left;       /* the lanes whose row is still to come */
  uint32_t first, end; /* of the lane's row */
  uint32_t at, stop;   /* of the row that is gone through */
};

static __device__ __forceinline__ unsigned
debye_cutoff_lanes_below(void)
{
  return (1u << threadIdx.x % 32) - 1u;
}

/* Goes on to the next row that holds an atom; false where there is none. */
template <class Shape>
static __device__ __forceinline__ bool
debye_cutoff_next_row(const DebyeCutoffLaunch &launch, const DebyeCutoffGroup &group, DebyeCutoffRows &rows)
{
  while (rows.left == 0) {
    if (rows.offset >= launch.map.n_offsets)
      return false;
    /* Each lane finds out about a row; then the warp goes through them together. */
    const long own = rows.offset + (long)(threadIdx.x % 32 * Shape::WARPS + threadIdx.x / 32);
    rows.first = rows.end = 0;
    if (own < launch.map.n_offsets)
      debye_bin_row(&launch.map, &group.box, launch.map.offset[own], &rows.first, &rows.end);
    rows.left = __ballot_sync(0xffffffffu, rows.end > rows.first);
    rows.offset += 32 * Shape::WARPS;
  }
  const int lane = __ffs((int)rows.left) - 1;
  rows.left &= rows.left - 1;
  rows.at = __shfl_sync(0xffffffffu, rows.first, lane);
  rows.stop = __shfl_sync(0xffffffffu, rows.end, lane);
  return true;
}

/* An atom from the group's middle; false where the group can't see it. */
static __device__ __forceinline__ bool
debye_cutoff_fetch(const DebyeCutoffLaunch &launch, const DebyeCutoffGroup &group, const float half[3],
                   uint32_t at, float4 *atom)
{
  const float unit = launch.block.unit;
  const uint4 bits = __ldg((const uint4 *)launch.atoms + at);
  atom->x = unit * (float)(int)(bits.x - group.middle[0]);
  atom->y = unit * (float)(int)(bits.y - group.middle[1]);
  atom->z = unit * (float)(int)(bits.z - group.middle[2]);
  atom->w = __uint_as_float(bits.w);
  const float x = fmaxf(fabsf(atom->x) - half[0], 0.0f);
  const float y = fmaxf(fabsf(atom->y) - half[1], 0.0f);
  const float z = fmaxf(fabsf(atom->z) - half[2], 0.0f);
  return fmaf(x, x, fmaf(y, y, z * z)) < launch.block.reach2;
}

/* The root of a charge in units of DEBYE_CUTOFF_CHARGE, in which those below 1.24e-32 e are subnormal: they count as 0. */
static __device__ __forceinline__ float
debye_cutoff_charge_root(float charge)
{
  const float inverse = debye_cutoff_rsqrt(charge), root = charge * inverse;
  return fmaf(fmaf(-root, root, charge), 0.5f * inverse, root);
}

/* Fills the warp's part of what the group has found, in the order of bins and lanes, so that sums don't depend on chance;
 * false when there is nothing more to come. */
template <class Shape, int FORM>
static __device__ __forceinline__ bool
debye_cutoff_gather(const DebyeCutoffLaunch &launch, const DebyeCutoffGroup &group, DebyeCutoffRows &rows,
                    DebyeCutoffShared<Shape, FORM> &shared)
{
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int n = 0, n_down = 0;
  bool more = true;
  while (n + n_down <= Shape::SEEN - 32) {
    if (rows.at >= rows.stop && !(more = debye_cutoff_next_row<Shape>(launch, group, rows)))
      break;
    const uint32_t at = rows.at + lane;
    float4 atom = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    bool keeps = at < rows.stop && debye_cutoff_fetch(launch, group, shared.half, at, &atom);
    bool down = false;
    if (DEBYE_CUTOFF_SIGNED<FORM>) {
      const float charge = fabsf(atom.w) * (1.0f / DEBYE_CUTOFF_CHARGE);
      down = atom.w < 0.0f;
      atom.w = debye_cutoff_charge_root(charge);
      keeps = keeps && charge >= FLT_MIN;
    }
    const unsigned ups = __ballot_sync(0xffffffffu, keeps && !down);
    const unsigned downs = DEBYE_CUTOFF_SIGNED<FORM> ? __ballot_sync(0xffffffffu, keeps && down) : 0;
    const int rank = __popc((down ? downs : ups) & debye_cutoff_lanes_below());
    const int place = down ? Shape::SEEN - 1 - n_down - rank : n + rank;
    if (keeps) {
      shared.seen[warp][place] = atom;
      if (DEBYE_CUTOFF_STEPS<FORM>)
        shared.seen_index[warp][place] = at;
    }
    n += __popc(ups);
    n_down += __popc(downs);
    rows.at += 32;
  }
  if (lane < 2)
    shared.count[warp][lane] = lane == 0 ? n : n_down;
  return more;
}

/* Where the next of those that wait are to be put. */
struct DebyeCutoffWaiting {
  int whole, low, high, near;
};

/* Puts the lanes' atoms where they are to wait; a lane without one has it out of reach. */
template <class Shape, int FORM>
static __device__ __forceinline__ void
debye_cutoff_sort(const DebyeCutoffBlock &block, const float middle[3], float4 atom, uint32_t index,
                  DebyeCutoffStore<Shape, FORM> &store, DebyeCutoffWaiting &waiting)
{
  const float x = fmaxf(fabsf(atom.x - middle[0]) - block.half[0], 0.0f);
  const float z = fmaxf(fabsf(atom.z - middle[2]) - block.half[2], 0.0f), s = fmaf(x, x, z * z);
  const float y = atom.y - middle[1], up = 0.25f * Shape::POINTS_Y * block.row_y;
  const float y_low = fmaxf(fabsf(y + up) - block.half_half_y, 0.0f);
  const float y_high = fmaxf(fabsf(y - up) - block.half_half_y, 0.0f);
  const float low2 = fmaf(y_low, y_low, s), high2 = fmaf(y_high, y_high, s);
  const bool in_low = low2 < block.reach2, in_high = high2 < block.reach2;
  const bool large = DEBYE_CUTOFF_SIGNED<FORM> && atom.w > 1.0f;
  const bool near = (in_low | in_high) & (large | (fminf(low2, high2) <= block.near2));
  const unsigned lows = __ballot_sync(0xffffffffu, in_low & !near);
  const unsigned highs = __ballot_sync(0xffffffffu, in_high & !near);
  const unsigned nears = __ballot_sync(0xffffffffu, near);
  const unsigned whole = lows & highs, low = lows & ~highs, high = highs & ~lows;
  unsigned own = in_low ? low : high;
  int place = in_low ? waiting.low : waiting.high;
  own = in_low & in_high ? whole : own;
  place = in_low & in_high ? waiting.whole : place;
  own = near ? nears : own;
  place = near ? waiting.near : place;
  place += __popc(own & debye_cutoff_lanes_below());
  if (in_low || in_high) {
    store.atom[place] = atom;
    if (DEBYE_CUTOFF_STEPS<FORM>)
      store.index[place] = index;
  }
  waiting.whole += __popc(whole);
  waiting.low += __popc(low);
  waiting.high += __popc(high);
  waiting.near += __popc(nears);
}

/* Sums what waits where there is enough of it, or all. */
template <class Shape, int FORM, bool SHEARED>
static __device__ __forceinline__ void
debye_cutoff_sum_waiting(const DebyeCutoffLaunch &launch, const DebyeCutoffBlock &block,
                         DebyeCutoffStore<Shape, FORM> &store, bool all, float sign,
                         DebyeCutoffWaiting &waiting, DebyeCutoffColumn<Shape> &column)
{
  using Store = DebyeCutoffStore<Shape, FORM>;
  constexpr int ALL = Shape::POINTS_Y, HALF = ALL / 2;
  if (waiting.whole > Store::WHOLE + (all ? 0 : Store::FULL)) {
    debye_cutoff_sum<Shape, FORM, SHEARED, false, 0, ALL>(launch, block, store, Store::WHOLE, waiting.whole,
                                                          sign, column);
    waiting.whole = Store::WHOLE;
  }
  if (waiting.low > Store::LOW + (all ? 0 : Store::HALF_FULL)) {
    debye_cutoff_sum<Shape, FORM, SHEARED, false, 0, HALF>(launch, block, store, Store::LOW, waiting.low,
                                                           sign, column);
    waiting.low = Store::LOW;
  }
  if (waiting.high > Store::HIGH + (all ? 0 : Store::HALF_FULL)) {
    debye_cutoff_sum<Shape, FORM, SHEARED, false, HALF, HALF>(launch, block, store, Store::HIGH, waiting.high,
                                                              sign, column);
    waiting.high = Store::HIGH;
  }
  if (waiting.near > Store::NEAR + (all ? 0 : Store::NEAR_FULL)) {
    debye_cutoff_sum<Shape, FORM, SHEARED, true, 0, ALL>(launch, block, store, Store::NEAR, waiting.near,
                                                         sign, column);
    waiting.near = Store::NEAR;
  }
}

/* Adds what the group has found to the column of the warp's block. */
template <class Shape, int FORM, bool SHEARED>
static __device__ __forceinline__ void
debye_cutoff_sweep(const DebyeCutoffLaunch &launch, DebyeCutoffShared<Shape, FORM> &shared,
                   DebyeCutoffColumn<Shape> &column)
{
  using Store = DebyeCutoffStore<Shape, FORM>;
  constexpr int TURNS = (DEBYE_CUTOFF_SIGNED<FORM> ? 2 : 1) * Shape::WARPS;
  Store &store = shared.store[threadIdx.x / 32];
  const DebyeCutoffBlock &block = launch.block;
  /* The first lane's column begins where the block does. */
  const float middle[3] = {__shfl_sync(0xffffffffu, column.x, 0) + block.middle[0],
                           __shfl_sync(0xffffffffu, column.y, 0) + block.middle[1],
                           __shfl_sync(0xffffffffu, column.z, 0) + block.middle[2]};
  DebyeCutoffWaiting waiting = {Store::WHOLE, Store::LOW, Store::HIGH, Store::NEAR};
  for (int turn = 0; turn < TURNS; turn++) {
    const int finder = turn % Shape::WARPS;
    const bool down = turn >= Shape::WARPS, last = finder == Shape::WARPS - 1;
    const int n = shared.count[finder][down];
    for (int from = 0; from < n || (last && from == 0); from += 32) {
      const int at = from + (int)(threadIdx.x % 32), place = down ? Shape::SEEN - 1 - at : at;
      const bool ends = last && from + 32 >= n;
      float4 atom = make_float4(1e15f, 1e15f, 1e15f, 0.0f);
      uint32_t index = 0;
      if (at < n) {
        atom = shared.seen[finder][place];
        if (DEBYE_CUTOFF_STEPS<FORM>)
          index = shared.seen_index[finder][place];
      }
      debye_cutoff_sort<Shape, FORM>(block, middle, atom, index, store, waiting);
      if (ends || waiting.whole > Store::WHOLE + Store::FULL || waiting.low > Store::LOW + Store::HALF_FULL ||
          waiting.high > Store::HIGH + Store::HALF_FULL || waiting.near > Store::NEAR + Store::NEAR_FULL) {
        __syncwarp();
        debye_cutoff_sum_waiting<Shape, FORM, SHEARED>(launch, shared.block, store, ends, down ? -1.0f : 1.0f,
                                                       waiting, column);
      }
    }
  }
}
