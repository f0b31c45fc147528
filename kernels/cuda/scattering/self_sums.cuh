/* SPDX-License-Identifier: MIT */
/* What self scattering's kernels have in common at the end: pieces added to spectra, spectra turned back. */
#pragma once

#include "self_kernels.cuh"

/* Σ over each group's pieces, in their order: spectra[(vector·n_groups + group)·length + point], points in
 * their natural order. Blocks: points in x, groups in y, vectors in z. */
static __global__ void
debye_self_add_pieces(const float *sums, unsigned n_pieces, const uint32_t *piece_end, unsigned n_residues,
                      double *spectra)
{
  const unsigned length = DEBYE_SELF_POINTS * n_residues, k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= length)
    return;
  const unsigned group = blockIdx.y, vector = blockIdx.z;
  const uint32_t first = group > 0 ? piece_end[group - 1] : 0, end = piece_end[group];
  const float *from = sums + (size_t)vector * n_pieces * length + k;
  double sum = 0.0;
#pragma unroll 8
  for (uint32_t piece = first; piece < end; piece++)
    sum += (double)from[(size_t)piece * length];
  const unsigned point = k % DEBYE_SELF_POINTS * n_residues + k / DEBYE_SELF_POINTS;
  spectra[((size_t)vector * gridDim.y + group) * length + point] = sum;
}

/* fq2 of a vector (y) and group (x) from the atoms' means by residue, by 256 threads, in a fixed order. */
static __global__ void
debye_self_add_means(const float2 *means, unsigned n_residues, size_t n_atoms, const float *weight,
                     const uint32_t *atom_end, double *fq2)
{
  __shared__ double shared[256];
  const unsigned group = blockIdx.x, vector = blockIdx.y;
  const uint32_t first = group > 0 ? atom_end[group - 1] : 0, end = atom_end[group];
  double sum = 0.0;
  for (uint32_t atom = first + threadIdx.x; atom < end; atom += 256) {
    double re = 0.0, im = 0.0;
    for (unsigned residue = 0; residue < n_residues; residue++) {
      const float2 mean = means[((size_t)vector * n_residues + residue) * n_atoms + atom];
      re += (double)mean.x;
      im += (double)mean.y;
    }
    const double b2 = weight[atom];
    sum += b2 * b2 * (re * re + im * im);
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width)
      shared[threadIdx.x] += shared[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    fq2[vector * gridDim.x + group] = shared[0];
}

#define DEBYE_SELF_TILE 256

/* f(τ) = 1/(L·(NF − τ)) Σ_k P(k) exp(2πi kτ/L), one τ a thread: one transform a vector and group is not worth
 * a library. A tile's powers are made by multiplication, and each tile begins with the table's root, so that
 * errors don't grow. Blocks of TILE threads: τ in x, spectra in y. */
static __global__ void
debye_self_turn_back(const double *spectra, const double2 *roots, size_t length, unsigned n_frames,
                     double2 *f)
{
  __shared__ double power[DEBYE_SELF_TILE];
  const size_t tau = (size_t)blockIdx.x * DEBYE_SELF_TILE + threadIdx.x;
  const double *spectrum = spectra + blockIdx.y * length;
  const double2 step = roots[tau % length];
  double2 sum = make_double2(0.0, 0.0);
  for (size_t first = 0; first < length; first += DEBYE_SELF_TILE) {
    __syncthreads();
    if (first + threadIdx.x < length)
      power[threadIdx.x] = spectrum[first + threadIdx.x];
    __syncthreads();
    const size_t left = length - first;
    const int count = left < DEBYE_SELF_TILE ? (int)left : DEBYE_SELF_TILE;
    double2 root = roots[first * tau % length];
    for (int k = 0; k < count; k++) {
      sum.x = fma(power[k], root.x, sum.x);
      sum.y = fma(power[k], root.y, sum.y);
      root = make_double2(fma(root.x, step.x, -root.y * step.y), fma(root.x, step.y, root.y * step.x));
    }
  }
  if (tau < n_frames) {
    const double share = 1.0 / ((double)length * (double)(n_frames - tau));
    f[blockIdx.y * (size_t)n_frames + tau] = make_double2(sum.x * share, sum.y * share);
  }
}
