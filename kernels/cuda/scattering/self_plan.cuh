/* SPDX-License-Identifier: MIT */
/* The plan of self scattering on a GPU, shared by the files that make it, set a block and sum.
 *
 * In float and up to DEBYE_SELF_WARP_FRAMES frames one kernel goes from the atoms' places to the sums of
 * power spectra (self_kernels.cuh): the fast way. Else cuFFT transforms what kernels of their own write
 * and read (self_series.cuh): by stages. */
#pragma once

#include "kernels/cuda/common/fourier.cuh"
#include "self_kernels.cuh"
#include "series_block.cuh"

struct DebyeCudaSelfPlan {
  DebyeSelfSettings settings;
  int device;
  DebyeStream stream;
  DebyeSeriesBlock series;
  bool fast;
  size_t length;        /* padded */
  size_t n_values;      /* doubles that are summed for a vector and group: a spectrum, or complex series */
  size_t batch;         /* vectors at once */
  size_t max_pieces;    /* of the fast way */
  size_t max_atoms;     /* at once, by stages */
  DebyeSelfBlock block; /* as set, for the square */

  double *host_turns, *turns;
  double2 *host_lengths, *lengths;
  float *host_weights, *weights;
  uint32_t *host_ends, *ends; /* of the groups' atoms, then of their pieces */
  double2 *host_roots, *roots;
  double *spectra, *fq2;
  double2 *f;
  double2 *host_mean_weights;
  void *mean_weights; /* of the fast way float2, by residue */

  DebyeSeriesPiece *host_pieces, *pieces;
  size_t n_pieces;
  float4 *twiddles;
  float2 *means;
  float2 *host_table; /* of twiddles or mean weights */
  float *sums;

  DebyeCudaFourier *fourier;
  void *values;
  double2 *slices;
  double *squares;
};

/* What follows from the settings. */

static inline bool
debye_cuda_self_correlates(const DebyeSelfSettings *settings)
{
  return settings->signal == DEBYE_SIGNAL_AUTOCORRELATE;
}

size_t debye_cuda_self_atoms_of_piece(const DebyeSelfSettings *settings);

/* Of DebyeSelfSettings. */
extern const DebyePlanKind debye_cuda_self_plan_kind;

/* Into the plan's stream, for vectors [first, first + count): spectra, or sums of series, and fq2 of each
 * vector and group. The fast way (self_fast.cu), and by stages (self_stages.cu). */
void debye_cuda_self_sum_fast(DebyeCudaSelfPlan *plan, size_t first, size_t count);
DebyeStatusCode debye_cuda_self_sum_stages(DebyeCudaSelfPlan *plan, size_t first, size_t count,
                                           const volatile bool *cancel, DebyeStatus *status);
