/* SPDX-License-Identifier: MIT */
/* The pair histogram's inner kernel.
 *
 * A warp holds the atoms of tile i in registers, TILE/32 a lane, and brings one tile j after the other into
 * its part of the shared memory. Both are relative to the middle of tile j's image, so that a pair costs
 * three subtractions, three multiply-adds, a root and the rounding to its bin; no image is looked for. A
 * block's warps share one histogram in shared memory and nothing else: they wait for each other only when it
 * is emptied.
 *
 * Pairs too near to an edge for a float (pair_layout.h) go into a short list of the warp, which is worked off
 * in double once for each pair of tiles, so that all its lanes have something to do. */
#pragma once

#include <stdint.h>

#include "kernels/pair_layout.h"

/* The list's length; what does not fit is decided at once. */
#define DEBYE_PAIR_DOUBTS 192
/* 1.5·2²³: adding it leaves the nearest whole number in a float's last bits. */
#define DEBYE_PAIR_MAGIC 12582912.0f
#define DEBYE_PAIR_MAGIC_BITS 0x4b400000u
/* A block empties its histogram when one of the counters could have come this far. */
#define DEBYE_PAIR_MOST_COUNTS ((uint64_t)1 << 31)

/* A pair of groups in a launch. An item is one tile of the first group against one part of the second's. */
struct DebyePairWork {
  uint64_t n_items;
  uint32_t first_tile; /* of the first group, in the launch */
  uint32_t group;      /* the second */
  uint32_t histogram;
  uint32_t same_group;
};

struct DebyePairLaunch {
  DebyePairLayout layout;
  const DebyePairColumns *columns;
  const uint32_t *column_tile, *tile_atoms;
  const DebyeTileBox *box;
  const float4 *slots;  /* x, y, z from the tile's middle, atoms of empty places nowhere */
  const uint32_t *atom; /* in each slot */
  const double *place;
  const double *edge2;
  size_t n_bins;
  double inverse_width;
  const DebyePairWork *work;
  uint32_t n_work;
  uint32_t n_parts;
  uint32_t parts_by_tile;        /* tiles, not columns, are dealt out among the parts */
  unsigned copies;               /* counters of a bin */
  unsigned long long *next_item; /* of each work */
  unsigned long long *counts;    /* n_bins for each histogram */
  /* Not 0 when the result is no longer wanted. On the device: a look across the bus takes a microsecond, and
   * all warps would wait in one line for it. */
  const volatile unsigned long long *stop;
};

/* Behind the bins and one that rounding could reach, where a bank begins. */
static __host__ __device__ __forceinline__ size_t
debye_first_waste(size_t n_bins, unsigned copies)
{
  return ((n_bins + 1) * copies + 31) / 32 * 32;
}

/* What a warp's lanes know of the pair of tiles at hand. */
struct DebyePairMeeting {
  uint32_t tile, other;
  int n[3];
  float scale, limit2, clear;
  uint32_t n_j;
};

/* Shared by a block, in front of its histogram. */
template <int WARPS> struct DebyePairShared {
  DebyePairWork work;
  unsigned which;      /* its number; n_work: there is no more */
  unsigned n_looked;   /* works that were looked at */
  unsigned n_meetings; /* since the histogram was emptied */
  unsigned n_doubts[WARPS];
  uint16_t doubt[WARPS][DEBYE_PAIR_DOUBTS];
};

static __device__ __forceinline__ float
debye_root(float square)
{
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(square));
  return result;
}

/* Into the block's histogram, or where that is too large for shared memory straight into the total. */
template <bool SHARED>
static __device__ __forceinline__ void
debye_count_bin(const DebyePairLaunch &launch, unsigned *histogram, uint32_t which, size_t bin)
{
  if (SHARED)
    atomicAdd(&histogram[bin * launch.copies + threadIdx.x % launch.copies], 1u);
  else
    atomicAdd(&launch.counts[which * launch.n_bins + bin], 1ull);
}

template <bool SHARED>
static __device__ __noinline__ void
debye_decide(const DebyePairLaunch &launch, const DebyePairMeeting &meeting, unsigned *histogram,
             uint32_t which, unsigned i, unsigned j)
{
  const size_t tile_atoms = launch.layout.tile_atoms;
  const size_t atom_i = launch.atom[meeting.tile * tile_atoms + i],
               atom_j = launch.atom[meeting.other * tile_atoms + j];
  double difference[3];
  debye_pair_difference(&launch.layout.lattice, &launch.place[3 * atom_i], &launch.place[3 * atom_j],
                        meeting.n, difference);
  const DebyePairBins bins = {launch.edge2, launch.n_bins, launch.inverse_width};
  const size_t bin = debye_pair_bin(&bins, debye_dot3(difference, difference));
  if (bin < launch.n_bins)
    debye_count_bin<SHARED>(launch, histogram, which, bin);
}

/* The pairs that may count: all, or of a tile with itself (only j after i) or with its own image (j ≠ i). */
template <bool SPECIAL>
static __device__ __forceinline__ bool
debye_belongs(bool upper, unsigned i, unsigned j)
{
  return !SPECIAL || (upper ? j > i : j != i);
}

/* A pair in float: whether it may be in range, its bin as DEBYE_PAIR_MAGIC leaves it, and how far from the
 * bin's middle it is. Rounding t − 1/2 to the nearest is t's whole part. */
static __device__ __forceinline__ bool
debye_look(float scale, float limit2, float xi, float yi, float zi, float4 b, float *rounded, float *rest)
{
  const float dx = xi - b.x, dy = yi - b.y, dz = zi - b.z;
  const float square = fmaf(dz, dz, fmaf(dy, dy, dx * dx));
  const float t = fmaf(debye_root(square), scale, -0.5f);
  *rounded = t + DEBYE_PAIR_MAGIC;
  *rest = fabsf(t - (*rounded - DEBYE_PAIR_MAGIC));
  return square < limit2;
}

/* Where the bin of a number rounded by DEBYE_PAIR_MAGIC is: its address is that of the bits, scaled. */
struct DebyePairBinAddress {
  unsigned shared, stride, waste;
  unsigned n_bins;
  unsigned long long *counts;
};

template <bool SHARED>
static __device__ __forceinline__ DebyePairBinAddress
debye_bin_address(const DebyePairLaunch &launch, unsigned *histogram, uint32_t which)
{
  DebyePairBinAddress address = {};
  if (SHARED) {
    const unsigned begin = (unsigned)__cvta_generic_to_shared(histogram);
    address.stride = 4u * launch.copies;
    address.shared = begin + 4u * (threadIdx.x % launch.copies) - address.stride * DEBYE_PAIR_MAGIC_BITS;
    address.waste =
        begin + 4u * (unsigned)(debye_first_waste(launch.n_bins, launch.copies) + threadIdx.x % 32);
  } else {
    address.counts = launch.counts + which * launch.n_bins;
    address.n_bins = (unsigned)launch.n_bins;
  }
  return address;
}

/* Pairs that don't count go to the waste behind the bins, each lane to its own bank: a branch around the
 * instruction, which is what a condition becomes, would cost three others. */
template <bool SHARED>
static __device__ __forceinline__ void
debye_count_rounded(const DebyePairBinAddress &address, float rounded, bool counts)
{
  const unsigned bits = __float_as_uint(rounded);
  if (SHARED)
    asm volatile(
        "red.shared.add.u32 [%0], 1;" ::"r"(counts ? address.shared + address.stride * bits : address.waste)
        : "memory");
  else if (counts && bits - DEBYE_PAIR_MAGIC_BITS < address.n_bins)
    atomicAdd(&address.counts[bits - DEBYE_PAIR_MAGIC_BITS], 1ull);
}

/* Seldom: a few pairs in ten thousand. */
template <int EACH>
static __device__ __forceinline__ void
debye_note_doubts(const bool (&counts)[EACH], const float (&rest)[EACH], float clear, unsigned j, unsigned *n,
                  uint16_t *doubts)
{
#pragma unroll
  for (int a = 0; a < EACH; a++)
    if (counts[a] && !(rest[a] < clear)) {
      const unsigned at = atomicAdd(n, 1u);
      if (at < DEBYE_PAIR_DOUBTS)
        doubts[at] = (uint16_t)((threadIdx.x % 32 + 32 * a) << 8 | j);
    }
}

/* All pairs of two tiles that a float can tell; the others go onto the warp's list, as many as it has room
 * for. */
template <int EACH, int WARPS, bool SHARED, bool SPECIAL>
static __device__ __forceinline__ void
debye_count_tiles(const DebyePairLaunch &launch, const DebyePairMeeting &meeting, const float4 *atoms_j,
                  const float (&xi)[EACH], const float (&yi)[EACH], const float (&zi)[EACH],
                  DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const uint32_t which = shared->work.histogram, n_j = meeting.n_j;
  const float scale = meeting.scale, limit2 = meeting.limit2, clear = meeting.clear;
  const bool upper = meeting.n[0] == 0 && meeting.n[1] == 0 && meeting.n[2] == 0;
  const DebyePairBinAddress bins = debye_bin_address<SHARED>(launch, histogram, which);
#pragma unroll 2
  for (unsigned j = 0; j < n_j; j++) {
    const float4 b = atoms_j[j];
    float rounded[EACH], rest[EACH];
    bool counts[EACH];
    float unclear = 0.0f;
#pragma unroll
    for (int a = 0; a < EACH; a++)
      counts[a] = debye_look(scale, limit2, xi[a], yi[a], zi[a], b, &rounded[a], &rest[a]) &&
                  debye_belongs<SPECIAL>(upper, lane + 32 * a, j);
#pragma unroll
    for (int a = 0; a < EACH; a++) {
      const bool clearly = counts[a] && rest[a] < clear;
      debye_count_rounded<SHARED>(bins, rounded[a], clearly);
      unclear = fmaxf(unclear, rest[a]);
    }
    if (unclear >= clear)
      debye_note_doubts<EACH>(counts, rest, clear, j, &shared->n_doubts[warp], shared->doubt[warp]);
  }
}

/* Where the list overflowed: all pairs in doubt are found again and decided at once. */
template <int EACH, bool SHARED, bool SPECIAL>
static __device__ __noinline__ void
debye_decide_all(const DebyePairLaunch &launch, const DebyePairMeeting &meeting, const float4 *atoms_j,
                 const float *places_i, unsigned *histogram, uint32_t which)
{
  const bool upper = meeting.n[0] == 0 && meeting.n[1] == 0 && meeting.n[2] == 0;
  for (unsigned j = 0; j < meeting.n_j; j++)
    for (int a = 0; a < EACH; a++) {
      const unsigned i = threadIdx.x % 32 + 32 * a;
      float rounded, rest;
      if (debye_look(meeting.scale, meeting.limit2, places_i[3 * a], places_i[3 * a + 1], places_i[3 * a + 2],
                     atoms_j[j], &rounded, &rest) &&
          debye_belongs<SPECIAL>(upper, i, j) && rest >= meeting.clear)
        debye_decide<SHARED>(launch, meeting, histogram, which, i, j);
    }
}

/* Works off the warp's list. */
template <int EACH, int WARPS, bool SHARED, bool SPECIAL>
static __device__ __forceinline__ void
debye_decide_doubts(const DebyePairLaunch &launch, const DebyePairMeeting &meeting, const float4 *atoms_j,
                    const float (&xi)[EACH], const float (&yi)[EACH], const float (&zi)[EACH],
                    DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  __syncwarp();
  const unsigned n = shared->n_doubts[warp];
  if (n > DEBYE_PAIR_DOUBTS) {
    float places_i[3 * EACH];
    for (int a = 0; a < EACH; a++) {
      places_i[3 * a] = xi[a];
      places_i[3 * a + 1] = yi[a];
      places_i[3 * a + 2] = zi[a];
    }
    debye_decide_all<EACH, SHARED, SPECIAL>(launch, meeting, atoms_j, places_i, histogram,
                                            shared->work.histogram);
  } else {
    for (unsigned at = lane; at < n; at += 32) {
      const unsigned doubt = shared->doubt[warp][at];
      debye_decide<SHARED>(launch, meeting, histogram, shared->work.histogram, doubt >> 8, doubt & 255u);
    }
  }
  __syncwarp();
  if (lane == 0)
    shared->n_doubts[warp] = 0;
}

template <int EACH, int WARPS, bool SHARED, bool SPECIAL>
static __device__ __forceinline__ void
debye_count_meeting(const DebyePairLaunch &launch, const DebyePairMeeting &meeting, const float4 *atoms_j,
                    const float (&xi)[EACH], const float (&yi)[EACH], const float (&zi)[EACH],
                    DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  debye_count_tiles<EACH, WARPS, SHARED, SPECIAL>(launch, meeting, atoms_j, xi, yi, zi, shared, histogram);
  debye_decide_doubts<EACH, WARPS, SHARED, SPECIAL>(launch, meeting, atoms_j, xi, yi, zi, shared, histogram);
}

/* One tile j, brought near and counted. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_meet(const DebyePairLaunch &launch, DebyePairMeeting meeting, const double *between, float radii,
           const float4 (&atoms_i)[EACH], float4 *atoms_j, DebyePairShared<WARPS> *shared,
           unsigned *histogram)
{
  const unsigned lane = threadIdx.x % 32;
  const float tolerance = debye_pair_tolerance(&launch.layout, between, radii);
  const double limit = ((double)launch.n_bins + (double)tolerance) / launch.layout.shorter;
  meeting.scale = (float)launch.layout.shorter;
  meeting.limit2 = (float)(limit * limit);
  meeting.clear = fmaxf(0.5f - tolerance, 0.0f);
  meeting.n_j = launch.tile_atoms[meeting.other];
  float high[3], low[3], xi[EACH], yi[EACH], zi[EACH];
  for (int k = 0; k < 3; k++) {
    high[k] = (float)between[k];
    low[k] = (float)(between[k] - (double)high[k]);
  }
#pragma unroll
  for (int a = 0; a < EACH; a++) {
    xi[a] = high[0] + (atoms_i[a].x + low[0]);
    yi[a] = high[1] + (atoms_i[a].y + low[1]);
    zi[a] = high[2] + (atoms_i[a].z + low[2]);
  }
  __syncwarp();
#pragma unroll
  for (int a = 0; a < EACH; a++)
    atoms_j[lane + 32 * a] = launch.slots[(size_t)meeting.other * (32 * EACH) + lane + 32 * a];
  __syncwarp();
  if (shared->work.same_group != 0 && meeting.tile == meeting.other)
    debye_count_meeting<EACH, WARPS, SHARED, true>(launch, meeting, atoms_j, xi, yi, zi, shared, histogram);
  else
    debye_count_meeting<EACH, WARPS, SHARED, false>(launch, meeting, atoms_j, xi, yi, zi, shared, histogram);
  if (lane == 0)
    atomicAdd(&shared->n_meetings, 1u);
}

/* Boxes of the lattice, or columns, that [from, to] touches. */
struct DebyePairRange {
  int first, last;
};

static __device__ __forceinline__ DebyePairRange
debye_touched(double from, double to, double inverse_length)
{
  return {(int)floor(from * inverse_length), (int)floor(to * inverse_length)};
}

static __device__ __forceinline__ DebyePairRange
debye_columns_touched(double from, double to, double per_length, uint32_t n)
{
  return {(int)fmin(fmax(floor(from * per_length), 0.0), (double)n),
          (int)fmax(fmin(floor(to * per_length), (double)n - 1.0), -1.0)};
}

/* A column's tiles, 32 looked at at once. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_meet_column(const DebyePairLaunch &launch, DebyePairMeeting &meeting, const DebyeTileBox &box,
                  const double *shift, uint32_t column, uint32_t part, const float4 (&atoms_i)[EACH],
                  float4 *atoms_j, DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const uint32_t lane = threadIdx.x % 32, end = launch.column_tile[column + 1];
  for (uint32_t first = launch.column_tile[column]; first < end; first += 32) {
    const uint32_t mine = first + lane;
    double between[3] = {};
    float radii = 0.0f;
    bool meets = mine < end &&
                 (shared->work.same_group == 0 || debye_pair_owns(meeting.tile, mine, meeting.n)) &&
                 (launch.parts_by_tile == 0 || mine % launch.n_parts == part);
    if (meets) {
      const DebyeTileBox other = launch.box[mine];
      for (int k = 0; k < 3; k++)
        between[k] = (box.middle[k] - other.middle[k]) - shift[k];
      radii = box.radius + other.radius;
      meets = debye_boxes_meet(between, box.half, other.half, launch.layout.reach);
    }
    for (unsigned left = __ballot_sync(~0u, meets); left != 0; left &= left - 1) {
      const int from = __ffs(left) - 1;
      double there[3];
      for (int k = 0; k < 3; k++)
        there[k] = __shfl_sync(~0u, between[k], from);
      meeting.other = first + from;
      debye_meet<EACH, WARPS, SHARED>(launch, meeting, there, __shfl_sync(~0u, radii, from), atoms_i, atoms_j,
                                      shared, histogram);
    }
  }
}

/* The columns within reach in one image of the box; *column_number counts columns over all images. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_meet_image(const DebyePairLaunch &launch, DebyePairMeeting &meeting, const DebyeTileBox &box,
                 uint32_t part, uint32_t *column_number, const float4 (&atoms_i)[EACH], float4 *atoms_j,
                 DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const DebyePairColumns columns = launch.columns[shared->work.group];
  double shift[3], from[3], to[3];
  debye_lattice_shift(&launch.layout.lattice, meeting.n, shift);
  for (int k = 0; k < 3; k++) {
    const double middle = box.middle[k] - shift[k] - launch.layout.low[k];
    const double reach = (double)box.half[k] + launch.layout.reach;
    from[k] = middle - reach;
    to[k] = middle + reach;
  }
  const DebyePairRange x = debye_columns_touched(from[0], to[0], columns.per_x, columns.nx);
  const DebyePairRange y = debye_columns_touched(from[1], to[1], columns.per_y, columns.ny);
  for (int cy = y.first; cy <= y.last; cy++)
    for (int cx = x.first; cx <= x.last; cx++)
      if ((*column_number)++ % launch.n_parts == part || launch.parts_by_tile != 0)
        debye_meet_column<EACH, WARPS, SHARED>(launch, meeting, box, shift,
                                               columns.first_column + cx + columns.nx * cy, part, atoms_i,
                                               atoms_j, shared, histogram);
}

/* One item: a tile of the first group against its part of the second's tiles, in all images. */
template <int EACH, int WARPS, bool SHARED>
static __device__ __forceinline__ void
debye_do_item(const DebyePairLaunch &launch, unsigned long long item, float4 *atoms_j,
              DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  const unsigned lane = threadIdx.x % 32;
  const DebyeLattice &lattice = launch.layout.lattice;
  const uint32_t part = (uint32_t)(item % launch.n_parts);
  uint32_t column_number = 0;
  DebyePairMeeting meeting = {};
  meeting.tile = shared->work.first_tile + (uint32_t)(item / launch.n_parts);
  const DebyeTileBox box = launch.box[meeting.tile];
  float4 atoms_i[EACH];
#pragma unroll
  for (int a = 0; a < EACH; a++) {
    atoms_i[a] = launch.slots[(size_t)meeting.tile * (32 * EACH) + lane + 32 * a];
    /* Nowhere else than an empty place of j is. */
    if (lane + 32 * a >= launch.tile_atoms[meeting.tile])
      atoms_i[a].x = -DEBYE_PAIR_NOWHERE;
  }
  if (!lattice.periodic) {
    debye_meet_image<EACH, WARPS, SHARED>(launch, meeting, box, part, &column_number, atoms_i, atoms_j,
                                          shared, histogram);
    return;
  }
  double from[3], to[3];
  for (int k = 0; k < 3; k++) {
    from[k] = box.middle[k] - (double)box.half[k] - launch.layout.reach;
    to[k] = box.middle[k] + (double)box.half[k] + launch.layout.reach;
  }
  const DebyePairRange c = debye_touched(from[2], to[2], lattice.inverse[2]);
  for (meeting.n[2] = c.first; meeting.n[2] <= c.last; meeting.n[2]++) {
    const double y = meeting.n[2] * lattice.vector[2][1];
    const DebyePairRange b = debye_touched(from[1] - y, to[1] - y, lattice.inverse[1]);
    for (meeting.n[1] = b.first; meeting.n[1] <= b.last; meeting.n[1]++) {
      const double x = meeting.n[2] * lattice.vector[2][0] + meeting.n[1] * lattice.vector[1][0];
      const DebyePairRange a = debye_touched(from[0] - x, to[0] - x, lattice.inverse[0]);
      for (meeting.n[0] = a.first; meeting.n[0] <= a.last; meeting.n[0]++)
        debye_meet_image<EACH, WARPS, SHARED>(launch, meeting, box, part, &column_number, atoms_i, atoms_j,
                                              shared, histogram);
    }
  }
}

/* Pairs that have several images in range, of which only the nearest counts: in double, one by one. */
template <bool SHARED>
static __device__ __forceinline__ void
debye_do_nearest(const DebyePairLaunch &launch, unsigned long long item, const DebyePairWork &work,
                 unsigned *histogram)
{
  const uint32_t lane = threadIdx.x % 32, tile_atoms = launch.layout.tile_atoms;
  const uint32_t tile = work.first_tile + (uint32_t)(item / launch.n_parts), part = item % launch.n_parts;
  const DebyePairColumns columns = launch.columns[work.group];
  const DebyePairBins bins = {launch.edge2, launch.n_bins, launch.inverse_width};
  const uint32_t end = launch.column_tile[columns.first_column + columns.nx * columns.ny];
  const int here[3] = {0, 0, 0};
  for (uint32_t other = launch.column_tile[columns.first_column]; other < end; other++) {
    if (other % launch.n_parts != part || (work.same_group != 0 && !debye_pair_owns(tile, other, here)))
      continue;
    for (uint32_t i = lane; i < launch.tile_atoms[tile]; i += 32)
      for (uint32_t j = work.same_group != 0 && tile == other ? i + 1 : 0; j < launch.tile_atoms[other];
           j++) {
        const size_t u = launch.atom[(size_t)tile * tile_atoms + i];
        const size_t v = launch.atom[(size_t)other * tile_atoms + j];
        const double square = debye_pair_nearest(&launch.layout.lattice, &launch.place[3 * (u < v ? u : v)],
                                                 &launch.place[3 * (u < v ? v : u)]);
        const size_t bin = debye_pair_bin(&bins, square);
        if (bin < launch.n_bins)
          debye_count_bin<SHARED>(launch, histogram, work.histogram, bin);
      }
  }
}

template <int WARPS>
static __device__ __forceinline__ void
debye_empty_histogram(const DebyePairLaunch &launch, DebyePairShared<WARPS> *shared, unsigned *histogram)
{
  for (size_t bin = threadIdx.x; bin < launch.n_bins; bin += 32 * WARPS) {
    unsigned long long n = 0;
    for (unsigned k = 0; k < launch.copies; k++) {
      unsigned *counter = &histogram[bin * launch.copies + (k + threadIdx.x) % launch.copies];
      n += *counter;
      *counter = 0;
    }
    if (n > 0)
      atomicAdd(&launch.counts[shared->work.histogram * launch.n_bins + bin], n);
  }
}

/* The next work that has items left, by the first warp. Blocks begin at different works, so that they are not
 * all at the end of the same one; a work that is through stays so. */
template <int WARPS>
static __device__ __forceinline__ void
debye_take_work(const DebyePairLaunch &launch, DebyePairShared<WARPS> *shared)
{
  const unsigned lane = threadIdx.x, offset = (unsigned)((uint64_t)blockIdx.x * launch.n_work / gridDim.x);
  unsigned which = launch.n_work;
  unsigned looked = shared->n_looked;
  __syncwarp();
  while (which == launch.n_work && looked < launch.n_work) {
    const unsigned mine =
        looked + lane < launch.n_work ? (looked + lane + offset) % launch.n_work : launch.n_work;
    const volatile unsigned long long *next_item = launch.next_item;
    const unsigned left =
        __ballot_sync(~0u, mine < launch.n_work && next_item[mine] < launch.work[mine].n_items);
    const int first = __ffs(left) - 1;
    if (first >= 0)
      which = __shfl_sync(~0u, mine, first);
    looked += first >= 0 ? first : 32;
  }
  if (lane == 0) {
    shared->n_looked = looked;
    shared->which = *launch.stop != 0 ? launch.n_work : which;
    if (which < launch.n_work)
      shared->work = launch.work[which];
    shared->n_meetings = 0;
  }
}

/* The next item for a warp; n_items or more where there is none, nobody wants it or a counter might overflow.
 */
template <int WARPS>
static __device__ __forceinline__ unsigned long long
debye_take_item(const DebyePairLaunch &launch, DebyePairShared<WARPS> *shared)
{
  const uint64_t tile_atoms = launch.layout.tile_atoms;
  unsigned long long item = ~0ull;
  if (threadIdx.x % 32 == 0 && *launch.stop == 0 &&
      *(volatile unsigned *)&shared->n_meetings * tile_atoms * tile_atoms / launch.copies <
          DEBYE_PAIR_MOST_COUNTS)
    item = atomicAdd(&launch.next_item[shared->which], 1ull);
  return __shfl_sync(~0u, item, 0);
}

/* Launched with as many blocks as the device holds at once; shared memory for DebyePairShared, the tiles j
 * and (SHARED) the histogram. */
template <int EACH, int WARPS, int MIN_BLOCKS, bool SHARED>
static __global__ void __launch_bounds__(32 * WARPS, MIN_BLOCKS)
    debye_count_pairs(const __grid_constant__ DebyePairLaunch launch)
{
  extern __shared__ float4 memory[];
  float4 *atoms_j = memory + (threadIdx.x / 32) * (32 * EACH);
  DebyePairShared<WARPS> *shared = (DebyePairShared<WARPS> *)(memory + WARPS * 32 * EACH);
  unsigned *histogram = (unsigned *)(shared + 1);
  for (size_t at = threadIdx.x; SHARED && at < launch.n_bins * launch.copies; at += 32 * WARPS)
    histogram[at] = 0;
  if (threadIdx.x % 32 == 0)
    shared->n_doubts[threadIdx.x / 32] = 0;
  if (threadIdx.x == 0)
    shared->n_looked = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x < 32)
      debye_take_work(launch, shared);
    __syncthreads();
    if (shared->which >= launch.n_work)
      break;
    for (;;) {
      const unsigned long long item = debye_take_item(launch, shared);
      if (item >= shared->work.n_items)
        break;
      if (launch.layout.nearest_only)
        debye_do_nearest<SHARED>(launch, item, shared->work, histogram);
      else
        debye_do_item<EACH, WARPS, SHARED>(launch, item, atoms_j, shared, histogram);
    }
    __syncthreads();
    if (SHARED)
      debye_empty_histogram(launch, shared, histogram);
  }
}
