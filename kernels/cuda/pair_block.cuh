/* SPDX-License-Identifier: MIT */
/* The inner loop of the GPU's pair histogram: atoms of one tile against those of another; its twin is
 * cpu/pair_block.h.
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

#include "pair_launch.cuh"

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
