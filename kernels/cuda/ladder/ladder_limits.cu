/* SPDX-License-Identifier: MIT */
/* What a GPU can do at most: loops of nothing but multiply-adds, reciprocal square roots, and copies. Its
 * twin is cpu/ladder/ladder_limits.c. */
#include "ladder_parts.cuh"

constexpr unsigned THREADS = 256, BLOCKS_A_MULTIPROCESSOR = 16, STEPS = 2048, CHAINS = 8;
constexpr int REPEATS = 4;
constexpr size_t COPY_BYTES = (size_t)512 << 20; /* more than caches hold */

/* Eight independent chains hide the latency. What would never be true keeps the compiler from leaving the
 * loop out. */
template <bool ROOTS>
static __global__ void
probe(float factor, float term, float *out)
{
  float value[CHAINS];
#pragma unroll
  for (unsigned i = 0; i < CHAINS; i++)
    value[i] = 1.5f + (float)(threadIdx.x + i);
  for (unsigned step = 0; step < STEPS; step++)
#pragma unroll
    for (unsigned i = 0; i < CHAINS; i++)
      if (ROOTS)
        asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(value[i]));
      else
        value[i] = fmaf(value[i], factor, term);
  float sum = 0.0f;
#pragma unroll
  for (unsigned i = 0; i < CHAINS; i++)
    sum += value[i];
  if (sum < -1e30f)
    *out = sum;
}

/* The best of a few; the first warms up. `work` is what one call does. */
template <class Call>
static cudaError_t
best_rate(Call call, double work, double *rate)
{
  *rate = 0.0;
  for (int repeat = 0; repeat <= REPEATS; repeat++) {
    DebyeLadderStream stream = {};
    double seconds = 0.0;
    cudaError_t error = debye_ladder_stream_init(&stream, NULL);
    stream.is_limit = true;
    if (debye_ladder_stream_begins(&stream, &error)) {
      error = call(stream.stream);
      cudaError_t ended = debye_ladder_stream_ends(&stream);
      error = error == cudaSuccess ? ended : error;
    }
    cudaError_t finished = debye_ladder_stream_finish(&stream, &seconds);
    debye_ladder_stream_clear(&stream);
    error = error == cudaSuccess ? finished : error;
    if (error != cudaSuccess)
      return error;
    if (repeat > 0 && work / seconds > *rate)
      *rate = work / seconds;
  }
  return cudaSuccess;
}

static cudaError_t
measure(char *memory, unsigned multiprocessors, DebyeLadderLimits *limits)
{
  const unsigned blocks = multiprocessors * BLOCKS_A_MULTIPROCESSOR;
  const double values = (double)blocks * THREADS * CHAINS * STEPS;
  float *out = (float *)memory;
  const auto multiply_adds = [=](cudaStream_t stream) {
    probe<false><<<blocks, THREADS, 0, stream>>>(0.999f, 0.001f, out);
    return cudaGetLastError();
  };
  const auto roots = [=](cudaStream_t stream) {
    probe<true><<<blocks, THREADS, 0, stream>>>(0.0f, 0.0f, out);
    return cudaGetLastError();
  };
  const auto copy = [=](cudaStream_t stream) {
    return cudaMemcpyAsync(memory, memory + COPY_BYTES, COPY_BYTES, cudaMemcpyDeviceToDevice, stream);
  };
  cudaError_t error = best_rate(multiply_adds, 2.0 * values, &limits->operations);
  if (error == cudaSuccess)
    error = best_rate(roots, values, &limits->reciprocal_roots);
  /* Read and written. */
  return error == cudaSuccess ? best_rate(copy, 2.0 * COPY_BYTES, &limits->bandwidth) : error;
}

DebyeStatusCode
debye_cuda_measure_limits(int device, DebyeLadderLimits *limits, DebyeStatus *status)
{
  *limits = DebyeLadderLimits{};
  int multiprocessors = 0;
  char *memory = NULL;
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&memory, 2 * COPY_BYTES);
  if (error == cudaSuccess)
    error = measure(memory, (unsigned)multiprocessors, limits);
  cudaFree(memory);
  return debye_cuda_status(error, "measuring the device's limits", status);
}
