/* SPDX-License-Identifier: MIT */
/* Pair distances counted by all threads of a GPU into one histogram, without and with atomic additions; its
 * twin is cpu/ladder/ladder_histogram.c. */
#include "kernels/ladder/ladder_math.h"
#include "ladder.cuh"

constexpr unsigned THREADS = 256;
/* Pairs of a launch, so that a Stop is seen soon. */
constexpr double LAUNCH_PAIRS = 4e9;

struct Count {
  const float *x, *y, *z;
  unsigned n, n_bins;
  float inverse_width, range2;
  unsigned first; /* atom of the launch's first thread */
  unsigned long long *counts;
};

/* A thread an atom, against all that follow it. */
template <bool ATOMICALLY>
static __global__ void
count_pairs(const __grid_constant__ Count count)
{
  const unsigned i = count.first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count.n)
    return;
  const float x = count.x[i], y = count.y[i], z = count.z[i];
  for (unsigned j = i + 1; j < count.n; j++) {
    const float dx = count.x[j] - x, dy = count.y[j] - y, dz = count.z[j] - z;
    const float r2 = dx * dx + dy * dy + dz * dz;
    if (!(r2 < count.range2))
      continue;
    const unsigned bin = debye_ladder_bin(r2, count.inverse_width);
    if (bin >= count.n_bins)
      continue;
    if (ATOMICALLY) {
      atomicAdd(count.counts + bin, 1ull);
    } else {
      /* Volatile, so that the compiler leaves the three steps as they are written. */
      volatile unsigned long long *at = count.counts + bin;
      *at = *at + 1;
    }
  }
}

static cudaError_t
launch_count(DebyeLadderStream *stream, Count count, bool atomically)
{
  const double atoms = LAUNCH_PAIRS / (count.n + 1.0);
  const unsigned step = (unsigned)(atoms < 65536.0 ? 65536.0 : atoms) / THREADS * THREADS;
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < count.n && debye_ladder_stream_begins(stream, &error); first += step) {
    const size_t left = count.n - first;
    const unsigned blocks = (unsigned)(((left < step ? left : step) + THREADS - 1) / THREADS);
    count.first = (unsigned)first;
    if (atomically)
      count_pairs<true><<<blocks, THREADS, 0, stream->stream>>>(count);
    else
      count_pairs<false><<<blocks, THREADS, 0, stream->stream>>>(count);
    error = debye_ladder_stream_ends(stream);
  }
  return error;
}

/* Everything in one piece of memory: the counts, then x, y and z. */
static cudaError_t
count_in(DebyeLadderStream *stream, char *memory, const DebyeLadderPairs *pairs, bool atomically,
         uint64_t *counts, double *seconds)
{
  const size_t counts_bytes = pairs->n_bins * sizeof *counts, axis_bytes = pairs->n * sizeof(float);
  float *axes = (float *)(memory + counts_bytes);
  const float *const from[3] = {pairs->x, pairs->y, pairs->z};
  Count count = {};
  count.x = axes;
  count.y = axes + pairs->n;
  count.z = axes + 2 * pairs->n;
  count.n = (unsigned)pairs->n;
  count.n_bins = (unsigned)pairs->n_bins;
  count.inverse_width = (float)((double)pairs->n_bins / pairs->r_max);
  count.range2 = (float)(pairs->r_max * pairs->r_max);
  count.counts = (unsigned long long *)memory;
  cudaError_t error = cudaMemsetAsync(memory, 0, counts_bytes, stream->stream);
  for (size_t axis = 0; axis < 3 && error == cudaSuccess; axis++)
    error = cudaMemcpyAsync(axes + axis * pairs->n, from[axis], axis_bytes, cudaMemcpyHostToDevice,
                            stream->stream);
  if (error == cudaSuccess)
    error = launch_count(stream, count, atomically);
  cudaError_t finished = debye_ladder_stream_finish(stream, seconds);
  error = error == cudaSuccess ? finished : error;
  return error == cudaSuccess ? cudaMemcpy(counts, memory, counts_bytes, cudaMemcpyDeviceToHost) : error;
}

DebyeStatusCode
debye_cuda_count_pairs(int device, const DebyeLadderPairs *pairs, bool atomically, uint64_t *counts,
                       double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderStream stream = {};
  char *memory = NULL;
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess)
    error = debye_ladder_stream_init(&stream, cancel);
  if (error == cudaSuccess)
    error = cudaMalloc((void **)&memory, pairs->n_bins * sizeof *counts + 3 * pairs->n * sizeof(float));
  if (error == cudaSuccess)
    error = count_in(&stream, memory, pairs, atomically, counts, seconds);
  cudaFree(memory);
  debye_ladder_stream_clear(&stream);
  return debye_ladder_stream_status(&stream, error, status);
}
