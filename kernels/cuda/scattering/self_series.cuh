/* SPDX-License-Identifier: MIT */
/* Self scattering stage by stage, for what its fast kernel (self_kernels.cuh) doesn't do: double
 * precision, series that are too long for it, and the plain sum. Values of some atoms go through the device's
 * memory. */
#pragma once

#include "self_kernels.cuh"

/* Atoms of one group, and one vector. */
struct DebyeSelfBatch {
  const float *position[3]; /* [atom·row + frame] */
  size_t row;
  unsigned n_frames;
  size_t length; /* values from one atom to the next; zeros follow the frames */
  uint32_t first, count;
  double q[3]; /* in turns */
  const double2 *scattering_length;
};

#define DEBYE_SELF_SLICES 64

template <class Real2> struct DebyeSelfReal;
template <> struct DebyeSelfReal<float2> {
  static __device__ __forceinline__ float2 phase(const DebyeSelfBatch &batch, size_t place)
  {
    return debye_self_point(
        debye_self_turns(batch.position[0], batch.position[1], batch.position[2], place, batch.q));
  }
};
template <> struct DebyeSelfReal<double2> {
  static __device__ __forceinline__ double2 phase(const DebyeSelfBatch &batch, size_t place)
  {
    const double turns =
        fma(batch.q[0], (double)batch.position[0][place],
            fma(batch.q[1], (double)batch.position[1][place], batch.q[2] * (double)batch.position[2][place]));
    double2 value;
    sincospi(2.0 * (turns - rint(turns)), &value.y, &value.x);
    return value;
  }
};

/* Blocks: points in x, atoms in y and on. */
template <class Real2>
static __global__ void
debye_self_phases(const DebyeSelfBatch batch, Real2 *values)
{
  const size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= batch.length)
    return;
  for (uint32_t i = blockIdx.y; i < batch.count; i += gridDim.y) {
    Real2 value = {0, 0};
    if (t < batch.n_frames)
      value = DebyeSelfReal<Real2>::phase(batch, (batch.first + i) * batch.row + t);
    values[i * batch.length + t] = value;
  }
}

/* Σ |b|²·|value|², or Σ b·value, over a slice of the batch's atoms: [slice][point]. */
template <class Real2, bool POWER>
static __global__ void
debye_self_slices(const DebyeSelfBatch batch, const Real2 *values, double2 *slices)
{
  const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= batch.length)
    return;
  double2 sum = make_double2(0.0, 0.0);
  for (uint32_t i = blockIdx.y; i < batch.count; i += DEBYE_SELF_SLICES) {
    const double2 b = batch.scattering_length[batch.first + i];
    const double re = values[i * batch.length + k].x, im = values[i * batch.length + k].y;
    if (POWER)
      sum.x += (b.x * b.x + b.y * b.y) * (re * re + im * im);
    else
      sum = make_double2(sum.x + b.x * re - b.y * im, sum.y + b.x * im + b.y * re);
  }
  slices[blockIdx.y * batch.length + k] = sum;
}

/* Adds the slices in their order: real parts to a spectrum, or complex values to a series. */
template <bool POWER>
static __global__ void
debye_self_add_slices(const double2 *slices, size_t length, double *out)
{
  const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= length)
    return;
  double2 sum = make_double2(0.0, 0.0);
  for (int slice = 0; slice < DEBYE_SELF_SLICES; slice++) {
    sum.x += slices[slice * length + k].x;
    sum.y += slices[slice * length + k].y;
  }
  if (POWER) {
    out[k] += sum.x;
  } else {
    out[2 * k] += sum.x;
    out[2 * k + 1] += sum.y;
  }
}

/* An atom's share of fq2, by a block of 256 threads: from its spectrum and W, or from its series. */
template <class Real2, bool POWER>
static __global__ void
debye_self_mean_squares(const DebyeSelfBatch batch, const Real2 *values, const double2 *mean_weights,
                        double *squares)
{
  __shared__ double2 shared[256];
  const Real2 *own = values + blockIdx.x * batch.length;
  double2 sum = make_double2(0.0, 0.0);
  for (size_t k = threadIdx.x; k < batch.length; k += 256) {
    const double re = own[k].x, im = own[k].y;
    const double2 w = POWER ? mean_weights[k] : make_double2(1.0 / batch.n_frames, 0.0);
    const double power = re * re + im * im;
    sum.x += POWER ? power * w.x : re * w.x;
    sum.y += POWER ? power * w.y : im * w.x;
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      shared[threadIdx.x].x += shared[threadIdx.x + width].x;
      shared[threadIdx.x].y += shared[threadIdx.x + width].y;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const double2 b = batch.scattering_length[batch.first + blockIdx.x], m = shared[0];
    const double weight = b.x * b.x + b.y * b.y;
    squares[blockIdx.x] = (POWER ? weight * weight : weight) * (m.x * m.x + m.y * m.y);
  }
}

/* Adds n numbers to *out, by one block of 256 threads, always in the same order. */
static __global__ void
debye_self_add_all(const double *numbers, size_t n, double *out)
{
  __shared__ double shared[256];
  double sum = 0.0;
  for (size_t i = threadIdx.x; i < n; i += 256)
    sum += numbers[i];
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width)
      shared[threadIdx.x] += shared[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out += shared[0];
}
