/* SPDX-License-Identifier: MIT */
/* The plan of amplitudes on a GPU, shared by the files that make it, bring frames into order and launch.
 *
 * Frames go through the device in batches, two at once: while one is summed the next is brought into the
 * order of the groups on the host, and copied; packed ones are unpacked on the device, and brought into that order
 * there. */
#pragma once

#include "kernels/cuda/common/stream.cuh"
#include "kernels/cuda/common/unpacking.cuh"
#include "kernels/scattering/amplitude_rays.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "amplitude_kernels.cuh"

constexpr size_t DEBYE_AMPLITUDE_LARGEST_TILE = 512; /* vectors, of the shapes in amplitude_launch.cu */
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
  double *turns, *turns_host; /* of the vectors in no tile of a ray */
  size_t n_vectors;
  /* Tiles of rays (kernels/scattering/amplitude_rays.h): starts and steps of each axis; the places of all
   * slots in the list of vectors, then those of the single ones. */
  size_t ray_shape, n_ray_tiles, n_singles;
  double *rays, *rays_host;
  uint32_t *places, *places_host;
};

/* Numbers of `rays` and `places` for as many vectors as there may be; 0 in double, which has no tiles of rays. */
static inline size_t
debye_amplitude_ray_stride(const DebyeCudaAmplitudePlan *plan)
{
  return plan->settings.double_precision ? 0 : debye_ray_most_numbers(plan->settings.max_vectors);
}

static inline size_t
debye_amplitude_n_places(const DebyeCudaAmplitudePlan *plan)
{
  const size_t n = plan->settings.max_vectors;
  return plan->settings.double_precision ? 0 : debye_ray_most_places(n) + n;
}

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

/* Cuts the vectors into tiles of rays and single ones, and brings both to the device (amplitude_vectors.cu).
 */
cudaError_t debye_cuda_amplitude_set_vectors(DebyeCudaAmplitudePlan *plan, const DebyeVec3 *q,
                                             size_t n_vectors);

/* The shapes of tiles of rays, with what they cost (amplitude_launch.cu). */
constexpr size_t DEBYE_AMPLITUDE_RAY_SHAPES = 4;
extern const DebyeRayShape debye_cuda_amplitude_ray_shapes[DEBYE_AMPLITUDE_RAY_SHAPES];

/* Into the slot's stream: the sums of its frames over all q (amplitude_launch.cu). */
void debye_cuda_amplitude_launch(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot);
