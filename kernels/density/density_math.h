/* SPDX-License-Identifier: MIT */
/* Which voxel a point is in and what is added there, one copy for C and CUDA. Every step is one operation in double, the
 * fused one asked for by name, so that all devices agree. */
#pragma once

#include "density_map.h"
#include "kernels/minimum_image.h"

DEBYE_BEGIN_DECLS

/* A view of a frame, made ready. */
typedef struct {
  double from[3];        /* placed in the lattice where the nearest image counts */
  double turn[3][3];     /* from a difference to voxels … */
  double offset[3];      /* … and where the difference is zero */
  double fraction[3][3]; /* from a difference to fractions of the cell … */
  double vector[3][3];   /* … whose vectors are these rows */
  double rotation[3][3]; /* of weights that are vectors */
  double metric[3][3];   /* of the voxels' steps, over −2·width² … */
  double height;         /* … and the Gaussian's at its middle, in the sums' unit */
  double reach[3];       /* voxels that it goes in each direction */
  uint32_t owner;
  uint32_t frame;
} DebyeDensitySample;

/* Where a plan adds; what isn't added to is NULL. */
typedef struct {
  int32_t shape[3];
  size_t n_voxels;
  DebyeDensityPlacing placing;
  unsigned n_components;
  bool is_spread;
  uint32_t *counts, *bits;
  int64_t *sums;
} DebyeDensityTarget;

void debye_density_target_init(DebyeDensityTarget *target, const DebyeDensitySettings *settings);
void debye_density_sample_init(DebyeDensitySample *sample, const DebyeDensitySettings *settings,
                               const DebyeDensityFrame *frame, size_t view, const DebyeLattice *lattice);

#ifdef __CUDACC__
#define DEBYE_DENSITY_MATH static __device__ __forceinline__
#else
#define DEBYE_DENSITY_MATH static inline __attribute__((always_inline))
#endif

DEBYE_DENSITY_MATH void
debye_density_add_sum(int64_t *sum, int64_t value)
{
#ifdef __CUDACC__
  atomicAdd((unsigned long long *)sum, (unsigned long long)value);
#else
  __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}

DEBYE_DENSITY_MATH void
debye_density_add_count(uint32_t *count)
{
#ifdef __CUDACC__
  atomicAdd(count, 1u);
#else
  __atomic_fetch_add(count, 1u, __ATOMIC_RELAXED);
#endif
}

DEBYE_DENSITY_MATH void
debye_density_set_bits(uint32_t *bits, uint32_t value)
{
#ifdef __CUDACC__
  atomicOr(bits, value);
#else
  __atomic_fetch_or(bits, value, __ATOMIC_RELAXED);
#endif
}

/* The point in units of voxels, from the grid's corner. */
DEBYE_DENSITY_MATH void
debye_density_place(const DebyeDensityTarget *target, const DebyeLattice *lattice,
                    const DebyeDensitySample *sample, float x, float y, float z, double *u)
{
  double d[3], given[3] = {(double)x, (double)y, (double)z};
  if (target->placing == DEBYE_DENSITY_NEAREST) {
    debye_lattice_place(lattice, x, y, z, given);
    debye_pair_nearest_difference(lattice, given, sample->from, d);
  } else {
    for (int k = 0; k < 3; k++)
      d[k] = given[k] - sample->from[k];
  }
  if (target->placing == DEBYE_DENSITY_FRACTIONS) {
    for (int k = 0; k < 3; k++) {
      double part = debye_dot3(sample->fraction[k], d);
      part -= floor(part);
      u[k] = (part < 1.0 ? part : 0.0) * (double)target->shape[k];
    }
    return;
  }
  if (target->placing == DEBYE_DENSITY_PARALLEL) {
    double whole[3];
    for (int k = 0; k < 3; k++)
      whole[k] = -rint(debye_dot3(sample->fraction[k], d));
    for (int k = 0; k < 3; k++)
      d[k] = fma(whole[2], sample->vector[2][k],
                 fma(whole[1], sample->vector[1][k], fma(whole[0], sample->vector[0][k], d[k])));
  }
  for (int k = 0; k < 3; k++)
    u[k] = debye_dot3(sample->turn[k], d) + sample->offset[k];
}

DEBYE_DENSITY_MATH void
debye_density_add_weights(const DebyeDensityTarget *target, size_t voxel, const double *weights, double share)
{
  for (unsigned c = 0; c < target->n_components; c++)
    debye_density_add_sum(target->sums + c * target->n_voxels + voxel, (int64_t)rint(weights[c] * share));
}

/* Voxels whose centres are within reach; those of fractions of a cell repeat. */
DEBYE_DENSITY_MATH void
debye_density_spread(const DebyeDensityTarget *target, const DebyeDensitySample *sample, const double *u,
                     const double *weights)
{
  const bool repeats = target->placing == DEBYE_DENSITY_FRACTIONS;
  int32_t first[3], last[3];
  for (int k = 0; k < 3; k++) {
    const double low = ceil(u[k] - 0.5 - sample->reach[k]), high = floor(u[k] - 0.5 + sample->reach[k]);
    const double end = (double)(target->shape[k] - 1);
    if (!repeats && !(high >= 0.0 && low <= end))
      return;
    first[k] = (int32_t)(repeats || low >= 0.0 ? low : 0.0);
    last[k] = (int32_t)(repeats || high <= end ? high : end);
  }
  for (int32_t k = first[2]; k <= last[2]; k++)
    for (int32_t j = first[1]; j <= last[1]; j++)
      for (int32_t i = first[0]; i <= last[0]; i++) {
        const double d[3] = {(double)i + 0.5 - u[0], (double)j + 0.5 - u[1], (double)k + 0.5 - u[2]};
        const double row[3] = {debye_dot3(sample->metric[0], d), debye_dot3(sample->metric[1], d),
                               debye_dot3(sample->metric[2], d)};
        int32_t at[3] = {i, j, k};
        for (int axis = 0; axis < 3 && repeats; axis++)
          at[axis] = (at[axis] % target->shape[axis] + target->shape[axis]) % target->shape[axis];
        const size_t voxel = (size_t)at[0] + (size_t)target->shape[0] *
                                                 ((size_t)at[1] + (size_t)target->shape[1] * (size_t)at[2]);
        debye_density_add_weights(target, voxel, weights, sample->height * exp(debye_dot3(row, d)));
      }
}

/* `weights` of the point, `stride` from one component to the next; NULL: 1. `bit`: the sample's number among 32. */
DEBYE_DENSITY_MATH void
debye_density_add_point(const DebyeDensityTarget *target, const DebyeLattice *lattice,
                        const DebyeDensitySample *sample, unsigned bit, float x, float y, float z,
                        const float *weights, size_t stride)
{
  double u[3], given[3] = {1.0, 0.0, 0.0}, turned[3] = {1.0, 0.0, 0.0};
  if (!(fabsf(x) <= 1e15f && fabsf(y) <= 1e15f && fabsf(z) <= 1e15f))
    return;
  debye_density_place(target, lattice, sample, x, y, z, u);
  for (unsigned c = 0; c < target->n_components && weights != NULL; c++)
    turned[c] = given[c] = (double)weights[c * stride];
  for (int c = 0; c < 3 && target->n_components == 3; c++)
    turned[c] = debye_dot3(sample->rotation[c], given);
  if (target->is_spread) {
    debye_density_spread(target, sample, u, turned);
    return;
  }
  for (int k = 0; k < 3; k++)
    if (!(u[k] >= 0.0 && u[k] < (double)target->shape[k]))
      return;
  const size_t voxel =
      (size_t)u[0] + (size_t)target->shape[0] * ((size_t)u[1] + (size_t)target->shape[1] * (size_t)u[2]);
  if (target->bits != NULL)
    debye_density_set_bits(target->bits + voxel, UINT32_C(1) << bit);
  else if (target->counts != NULL)
    debye_density_add_count(target->counts + voxel);
  else
    debye_density_add_weights(target, voxel, turned, sample->height);
}

DEBYE_END_DECLS
