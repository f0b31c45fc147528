/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/histogram on a GPU, some atoms a launch; called by ladder.cu. Its twin is
 * cpu/ladder/ladder_histogram.c. */
#include <string.h>

#include "direct.cuh"

/* Pairs of a launch, so that a Stop is seen soon, and its atoms at least, so that all of the device has work. */
constexpr double LAUNCH_PAIRS = 4e9, LAUNCH_ATOMS = 65536.0;

struct Count {
  const DebyeLadderCode *code;
  const DebyeLadderPairs *pairs;
  unsigned long long *counts; /* on the device */
  const float *axes;          /* there, too: x, then y and z */
};

static cudaError_t
launch_some(DebyeLadderStream *stream, const Count &count, size_t first_atom, size_t n)
{
  const DebyeLadderPairs *pairs = count.pairs;
  const DebyeLadderCode *code = count.code;
  unsigned long long *counts = count.counts;
  const float *x = count.axes, *y = x + pairs->n, *z = y + pairs->n;
  int n_bins = (int)pairs->n_bins, n_atoms = (int)pairs->n, first = (int)first_atom, end = first + (int)n;
  float scale = debye_ladder_bins_per_angstrom(pairs), ex = debye_ladder_edge(pairs, 0),
        ey = debye_ladder_edge(pairs, 1), ez = debye_ladder_edge(pairs, 2);
  void *arguments[] = {&counts, &n_bins, &scale, &x, &y, &z, &n_atoms, &first, &end, &ex, &ey, &ez};
  const dim3 threads(code->block[0], code->block[1]);
  const dim3 blocks = code->grid[0] > 0 ? dim3(code->grid[0], code->grid[1])
                                        : dim3((unsigned)((n + threads.x - 1) / threads.x));
  return cudaLaunchKernel(code->kernel, blocks, threads, arguments, 0, stream->stream);
}

static cudaError_t
launch_all(DebyeLadderStream *stream, const Count &count)
{
  const double atoms = LAUNCH_PAIRS / (count.pairs->n + 1.0);
  const size_t step = (size_t)(atoms < LAUNCH_ATOMS ? LAUNCH_ATOMS : atoms);
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < count.pairs->n && debye_ladder_stream_begins(stream, &error);
       first += step) {
    const size_t left = count.pairs->n - first;
    error = launch_some(stream, count, first, left < step ? left : step);
    if (error == cudaSuccess)
      error = debye_ladder_stream_ends(stream);
  }
  return error;
}

/* From the last bin on: a count takes the place of two floats that were read before. */
static void
widen_floats(uint64_t *counts, size_t n_bins)
{
  for (size_t bin = n_bins; bin-- > 0;) {
    float value;
    memcpy(&value, (const char *)counts + bin * sizeof value, sizeof value);
    counts[bin] = (uint64_t)value;
  }
}

/* Everything in one piece of memory: the counts, then x, y and z. */
static cudaError_t
count_in(DebyeLadderStream *stream, char *memory, const char *source, const DebyeLadderPairs *pairs,
         uint64_t *counts, double *seconds)
{
  const size_t counts_bytes = pairs->n_bins * sizeof *counts, axis_bytes = pairs->n * sizeof(float);
  float *axes = (float *)(memory + counts_bytes);
  const float *const from[3] = {pairs->x, pairs->y, pairs->z};
  Count count = {};
  count.code = debye_ladder_find_code(source);
  count.pairs = pairs;
  count.counts = (unsigned long long *)memory;
  count.axes = axes;
  cudaError_t error = cudaMemsetAsync(memory, 0, counts_bytes, stream->stream);
  for (size_t axis = 0; axis < 3 && error == cudaSuccess; axis++)
    error = debye_ladder_copy_in(axes + axis * pairs->n, from[axis], axis_bytes, stream->stream);
  if (error == cudaSuccess)
    error = launch_all(stream, count);
  cudaError_t finished = debye_ladder_stream_finish(stream, seconds);
  error = error == cudaSuccess ? finished : error;
  if (error == cudaSuccess)
    error = debye_ladder_copy_out(counts, memory, counts_bytes);
  if (error == cudaSuccess && count.code->counts_floats)
    widen_floats(counts, pairs->n_bins);
  return error;
}

DebyeStatusCode
debye_cuda_count_pairs(int device, const char *source, const DebyeLadderPairs *pairs, uint64_t *counts,
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
    error = count_in(&stream, memory, source, pairs, counts, seconds);
  cudaFree(memory);
  debye_ladder_stream_clear(&stream);
  return debye_ladder_stream_status(&stream, error, status);
}
