/* SPDX-License-Identifier: MIT */
/* The plan of displacements on a GPU, shared by the files that make it, count and bring counts to the host. */
#pragma once

#include "displacement_counts.cuh"

/* Of a block. */
#define DEBYE_DISPLACEMENT_THREADS 768

/* Counts on their way to the host: some lags of a group. */
struct DebyeDisplacementStage {
  unsigned long long *counts, *counts_host; /* pinned */
  cudaEvent_t done;
  size_t group, first, count; /* lags of the batch; count 0: free */
};

struct DebyeCudaDisplacementPlan {
  DebyeDisplacementSettings settings;
  int device;
  DebyeStream stream;
  DebyeSeriesBlock series;
  size_t shared_bytes; /* that a block may have */
  size_t run_lags;     /* lags of a block */
  size_t batch;        /* lags at once */
  size_t stage_lags;
  size_t max_pieces, n_pieces;
  uint32_t *host_lags, *lags;
  DebyeSeriesPiece *host_pieces, *pieces;
  uint32_t *piece_end, *host_piece_end; /* by group */
  unsigned long long *counts;           /* as displacement_counts.cuh says */
  double2 *piece_moments, *moments, *host_moments;
  DebyeDisplacementStage stages[2];
};

/* Atoms of a block, at most. */
size_t debye_cuda_displacement_piece_atoms(const DebyeDisplacementSettings *settings, size_t shared_bytes);

/* Of DebyeDisplacementSettings. */
extern const DebyePlanKind debye_cuda_displacement_plan_kind;

/* Counts lags [first, first + n_lags) of the settings' into the plan's arrays, in its stream
 * (displacement_launch.cu). *skip: so many lags stand in them before the first. */
cudaError_t debye_cuda_displacement_allow_memory(size_t shared_bytes);
void debye_cuda_displacement_launch(DebyeCudaDisplacementPlan *plan, size_t first, size_t n_lags,
                                    size_t *skip);

/* Brings them to the caller's arrays and waits for them (displacement_fetch.cu). */
void debye_cuda_displacement_fetch(DebyeCudaDisplacementPlan *plan, size_t first, size_t n_lags, size_t skip,
                                   DebyeDisplacementSums *sums);
