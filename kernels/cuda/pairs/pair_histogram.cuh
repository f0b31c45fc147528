/* SPDX-License-Identifier: MIT */
/* The pair histogram's kernel: blocks that take work until there is none. */
#pragma once

#include "pair_kernel.cuh"
#include "pair_meetings.cuh"
#include "pair_nearest.cuh"

template <class Shape>
static __device__ __forceinline__ void
debye_empty_histogram(const DebyePairLaunch &launch, DebyePairShared<Shape> *shared, unsigned *histogram)
{
  for (size_t bin = threadIdx.x; bin < launch.n_bins; bin += 32 * Shape::WARPS) {
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
template <class Shape>
static __device__ __forceinline__ void
debye_take_work(const DebyePairLaunch &launch, DebyePairShared<Shape> *shared)
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
template <class Shape>
static __device__ __forceinline__ unsigned long long
debye_take_item(const DebyePairLaunch &launch, DebyePairShared<Shape> *shared)
{
  const uint64_t tile_atoms = launch.layout.tile_atoms;
  unsigned long long item = ~0ull;
  if (threadIdx.x % 32 == 0 && *launch.stop == 0 &&
      *(volatile unsigned *)&shared->n_meetings * tile_atoms * tile_atoms / launch.copies <
          DEBYE_PAIR_MAX_COUNTS)
    item = atomicAdd(&launch.next_item[shared->which], 1ull);
  return __shfl_sync(~0u, item, 0);
}

/* Launched with as many blocks as there are multiprocessors; shared memory for DebyePairShared and, where it
 * is SHARED, the histogram. */
template <class Shape>
static __global__ void __launch_bounds__(32 * Shape::WARPS, 1)
    debye_count_pairs(const __grid_constant__ DebyePairLaunch launch)
{
  extern __shared__ float4 memory[];
  DebyePairShared<Shape> *shared = (DebyePairShared<Shape> *)memory;
  unsigned *histogram = (unsigned *)(shared + 1);
  for (size_t at = threadIdx.x; Shape::SHARED && at < launch.n_bins * launch.copies; at += 32 * Shape::WARPS)
    histogram[at] = 0;
  if (threadIdx.x % 32 == 0)
    shared->n_doubts[threadIdx.x / 32] = 0;
  if (threadIdx.x == 0)
    shared->n_looked = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x < 32)
      debye_take_work<Shape>(launch, shared);
    __syncthreads();
    if (shared->which >= launch.n_work)
      break;
    for (;;) {
      const unsigned long long item = debye_take_item<Shape>(launch, shared);
      if (item >= shared->work.n_items)
        break;
      if (launch.layout.nearest_only)
        debye_do_nearest<Shape>(launch, item, shared->work, histogram);
      else
        debye_do_item<Shape>(launch, item, shared, histogram);
    }
    __syncthreads();
    if (Shape::SHARED)
      debye_empty_histogram<Shape>(launch, shared, histogram);
  }
}

/* One block a multiprocessor, so that its histogram has room for a counter a lane. */
#define DEBYE_PAIR_WARPS 32

template <class Shape>
static DebyePairKernel
debye_pair_kernel_of_shape()
{
  return {(const void *)debye_count_pairs<Shape>, Shape::WARPS, sizeof(DebyePairShared<Shape>),
          Shape::SHARED};
}

template <int EACH>
DebyePairKernel
debye_pair_kernel(bool shared)
{
  return shared ? debye_pair_kernel_of_shape<DebyePairShape<EACH, DEBYE_PAIR_WARPS, true>>()
                : debye_pair_kernel_of_shape<DebyePairShape<EACH, DEBYE_PAIR_WARPS, false>>();
}
