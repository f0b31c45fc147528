/* SPDX-License-Identifier: MIT */
/* Measures what the GPU's special function unit is off by in the mean over a turn; called by
 * amplitude_plan.cu. */
#include "amplitude_plan.cuh"

/* Blocks that measure the unit's mean over a turn, 2²³ phases. */
constexpr unsigned MEAN_BLOCKS = 1024, MEAN_THREADS = 256;

/* Sums of the unit's cosines and sines over phases that are spread evenly over a turn, a block each. */
static __global__ void
measure_mean(double2 *means)
{
  __shared__ double2 shared[MEAN_THREADS];
  const unsigned first = blockIdx.x * MEAN_THREADS + threadIdx.x, step = MEAN_BLOCKS * MEAN_THREADS;
  double2 sum = make_double2(0.0, 0.0);
  for (unsigned i = first; i < 1u << 23; i += step) {
    float sine, cosine;
    debye_fast_sine_cosine(__uint_as_float(0x3f800000u | i) - 1.5f, &sine, &cosine);
    sum.x += (double)cosine;
    sum.y += (double)sine;
  }
  shared[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (unsigned i = 1; i < MEAN_THREADS; i++) {
    sum.x += shared[i].x;
    sum.y += shared[i].y;
  }
  means[blockIdx.x] = sum;
}

cudaError_t
debye_cuda_amplitude_mean_error(double2 *mean)
{
  double2 means[MEAN_BLOCKS], *on_device = NULL;
  cudaError_t error = cudaMalloc(&on_device, sizeof means);
  if (error == cudaSuccess) {
    measure_mean<<<MEAN_BLOCKS, MEAN_THREADS>>>(on_device);
    error = cudaMemcpy(means, on_device, sizeof means, cudaMemcpyDeviceToHost);
  }
  cudaFree(on_device);
  *mean = make_double2(0.0, 0.0);
  for (size_t i = 0; i < MEAN_BLOCKS && error == cudaSuccess; i++) {
    mean->x += means[i].x / (1 << 23);
    mean->y += means[i].y / (1 << 23);
  }
  return error;
}
