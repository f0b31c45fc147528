/* SPDX-License-Identifier: MIT */
/* The plan of pair histograms on a GPU, shared by the files that fill it, sort into it and count with it; its
 * twin is cpu/pairs/pair_plan.h. */
#pragma once

#include "kernels/cuda/common/unpacking.cuh"
#include "kernels/cuda/common/stream.cuh"
#include "kernels/pairs/pair_histogram.h"
#include "pair_launch.cuh"

#define DEBYE_TILES_THREADS 256

struct DebyeCudaPairPlan {
  int device;
  DebyePairSettings settings;
  DebyeGroupPair *pairs;
  DebyePairColumns *columns_host;
  uint32_t *group_tile; /* n_groups + 1, pinned */
  DebyePairWork *work_host;
  uint64_t *counts_host; /* pinned */
  DebyePairScan scan;
  DebyeStream stream, control; /* the second one brings the wish to stop past the kernels */
  cudaEvent_t done;
  unsigned long long *one; /* pinned: what is copied to stop */
  int multiprocessors;
  size_t shared_limit; /* bytes a block may have */

  float *xyz;
  DebyeCudaPacked packed;
  uint32_t *group, *chosen; /* of the frame's atoms: their numbers in packed frames */
  uint64_t groups_number;   /* of the frame that they are of; 0: none */
  double *place;
  uint64_t *key, *key_sorted;
  uint32_t *order, *order_sorted;
  void *temporary;
  size_t temporary_bytes, n_members, n_partners;
  DebyePairColumns *columns;
  uint32_t *column_atom, *n_tiles_of, *column_tile, *group_tile_device;
  DebyeTileBox *box;
  uint32_t *n_atoms, *atom;
  float4 *slots;
  double *edge2, *edge2_host;
  DebyePairWork *work;
  unsigned long long *counts; /* and behind them the next item of each work, and the wish to stop */
  uint32_t *members, *member_end, *member_end_host, *partners, *partner_first;
  uint32_t *histogram_of, *histogram_of_host;
  bool has_frame;
  size_t n_frame;
  DebyePairLaunch launch;
};

static inline size_t
debye_cuda_pair_values(const DebyePairSettings *settings)
{
  return settings->n_pairs * settings->n_bins;
}

/* All that stands in `counts`. */
static inline size_t
debye_cuda_pair_counters(const DebyePairSettings *settings)
{
  return debye_cuda_pair_values(settings) + settings->n_pairs + 1;
}

static inline unsigned
debye_cuda_pair_blocks(uint64_t n, unsigned threads)
{
  return (unsigned)((n + threads - 1) / threads);
}

/* Of DebyePairSettings. */
extern const DebyePlanKind debye_cuda_pair_plan_kind;

/* Into the plan's stream: a frame that was scanned and laid out, put into tiles (pair_tiles.cu), and the
 * exclusions of slices [first, end) taken away from the counts (pair_exclusions.cu). */
void debye_cuda_pair_set_tiles(DebyeCudaPairPlan *plan, const DebyePairFrame *frame, uint32_t n_sorted);
void debye_cuda_pair_take_exclusions(DebyeCudaPairPlan *plan, size_t first, size_t end, size_t n_slices);
