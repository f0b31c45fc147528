/* SPDX-License-Identifier: MIT */
/* The plan of amplitudes on a GPU, shared by the files that make it, bring frames into order and launch.
 *
 * Frames go through the device in batches, two at once: while one is summed the next is brought into the
 * order of the groups on the host, and copied; packed ones are unpacked on the device, and brought into that order
 * there. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/cuda/common/unpacking.cuh"
#include "kernels/scattering/scattering_amplitude.h"
#include "amplitude_kernels.cuh"

constexpr size_t DEBYE_AMPLITUDE_LARGEST_TILE = 128; /* vectors, of the shapes in amplitude_launch.cu */
constexpr size_t DEBYE_AMPLITUDE_BATCHES = 2;        /* of a call, at least */

struct DebyeAmplitudeSlot {
  DebyeStream stream;
  cudaEvent_t done;
  float *positions, *positions_host;
  DebyeCudaPacked packed;
  double2 *out, *out_host, *sums;
  size_t first, count; /* frames of the call; count 0: free */
};

struct DebyeCudaAmplitudePlan {
  int device;
  DebyeAmplitudeSettings settings;
  bool matrices;                        /* units for products of matrices in double that are worth it */
  size_t n_entries, n_sections, padded; /* vectors to the end of a largest tile */
  size_t batch;                         /* frames */
  size_t chunk_tiles;                   /* of the smallest tiles, of one launch */
  DebyePackedAtoms packed_atoms;
  DebyeAmplitudeSlot slots[2];
  DebyeAmplitudeSection *sections, *sections_host;
  unsigned *group_section, *group_section_host;
  float *weight;
  double2 *bias, *bias_host;
  double *turns, *turns_host;
  size_t n_vectors;
};

static inline size_t
debye_amplitude_smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

static inline size_t
debye_amplitude_larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static inline size_t
debye_amplitude_pieces(size_t n, size_t size)
{
  return (n + size - 1) / size;
}

/* Of DebyeAmplitudeSettings. */
extern const DebyePlanKind debye_cuda_amplitude_plan_kind;

/* What the special function unit is off by in the mean over a turn, a cosine and a sine: a constant of the
 * device (amplitude_bias.cu). */
cudaError_t debye_cuda_amplitude_mean_error(double2 *mean);

/* Whether the kernels by matrices are more than empty ones in the code that the current device runs: their
 * instruction needs code compiled for generation 8.0 or later (amplitude_launch.cu). */
cudaError_t debye_cuda_amplitude_has_matrices(bool *has);

/* Into the slot's stream: the sums of its frames over all q (amplitude_launch.cu). */
void debye_cuda_amplitude_launch(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot);
