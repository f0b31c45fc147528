/* SPDX-License-Identifier: MIT */
/* Runs the sources of kernels/ladder/cutoff on a GPU, some regions of the map a launch, with the host adding the atoms that
 * had no slot, afterwards or meanwhile; called by ladder.cu. Its twin is cpu/ladder/ladder_cutoff.c. */
#include <stdlib.h>

#include "direct.cuh"
#include "kernels/chunk_threads.h"
#include "kernels/ladder/ladder_bins.h"

/* Tests of a launch, so that a Stop is seen soon. */
constexpr double LAUNCH_TESTS = 2e10;
constexpr size_t HOST_THREADS = 64; /* that the overflow is shared among, at most: planes of the map */
constexpr const char *OVERFLOW_SOURCE = "cutoff/30-overlap.cu";

struct Cutoff {
  const DebyeLadderCode *code;
  DebyeLadderBins *bins;
  DebyeLadderStream *stream;
  float *map; /* on the device, as are: */
  float4 *atoms, *slots;
  int *head, *next;
  float *overflow_map; /* the host's */
};

template <typename T>
static cudaError_t
put(Cutoff *run, T **to, const void *from, size_t n)
{
  cudaError_t error = cudaMalloc((void **)to, (n + 1) * sizeof(T));
  return error == cudaSuccess ? debye_ladder_copy_in(*to, from, n * sizeof(T), run->stream->stream) : error;
}

static size_t
count_points(const DebyeLadderBins *bins)
{
  return (size_t)bins->shape[0] * (size_t)bins->shape[1] * (size_t)bins->shape[2];
}

static cudaError_t
fill(Cutoff *run)
{
  const DebyeLadderBins *bins = run->bins;
  void *bank = NULL;
  cudaError_t error = cudaMalloc((void **)&run->map, count_points(bins) * sizeof(float));
  if (error == cudaSuccess)
    error = put(run, &run->atoms, bins->frame.atoms, bins->frame.n_atoms);
  if (error == cudaSuccess)
    error = put(run, &run->slots, bins->slots, bins->n_bins * (size_t)bins->capacity);
  if (error == cudaSuccess)
    error = put(run, &run->head, bins->head, bins->n_bins);
  if (error == cudaSuccess)
    error = put(run, &run->next, bins->next, bins->frame.n_atoms);
  if (error == cudaSuccess && run->code->find_bank != NULL)
    error = run->code->find_bank(&bank);
  if (error == cudaSuccess && bank != NULL)
    error = cudaMemcpyAsync(bank, bins->offsets, (size_t)bins->n_offsets * sizeof(int),
                            cudaMemcpyHostToDevice, run->stream->stream);
  return error == cudaSuccess ? cudaStreamSynchronize(run->stream->stream) : error;
}

static cudaError_t
launch(const Cutoff *run, size_t first_region, size_t n_regions)
{
  DebyeLadderBins *bins = run->bins;
  const unsigned *block = run->code->block;
  float *energy = run->map;
  const float4 *atoms = run->atoms, *slots = run->slots;
  const int *head = run->head, *next = run->next;
  int n_atoms = (int)bins->frame.n_atoms, first = (int)first_region;
  void *arguments[] = {&energy,         &bins->shape[0], &bins->shape[1],  &bins->shape[2], &bins->step[0],
                       &bins->step[1],  &bins->step[2],  &atoms,           &n_atoms,        &slots,
                       &head,           &next,           &bins->bins[0],   &bins->bins[1],  &bins->reach[0],
                       &bins->reach[1], &bins->reach[2], &bins->n_offsets, &bins->cutoff2,  &bins->core2,
                       &first};
  return cudaLaunchKernel(run->code->kernel, dim3((unsigned)n_regions), dim3(block[0], block[1], block[2]),
                          arguments, 0, run->stream->stream);
}

static cudaError_t
launch_all(Cutoff *run)
{
  const size_t n = run->bins->n_regions,
               some = debye_ladder_bins_at_once(run->bins, !run->code->has_bins, LAUNCH_TESTS);
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < n && debye_ladder_stream_begins(run->stream, &error); first += some) {
    error = launch(run, first, n - first < some ? n - first : some);
    if (error == cudaSuccess)
      error = debye_ladder_stream_ends(run->stream);
  }
  return error;
}

static void
do_thread(void *context, size_t thread)
{
  const Cutoff *run = (const Cutoff *)context;
  const DebyeLadderBins *bins = run->bins;
  const int *shape = bins->shape;
  const float *step = bins->step;
  debye_ladder_find_code(OVERFLOW_SOURCE)
      ->sum_overflow(run->overflow_map, shape[0], shape[1], shape[2], step[0], step[1], step[2],
                     &bins->overflow->x, (int)bins->count.n_overflowing, bins->cutoff2, bins->core2,
                     (int)thread, (int)HOST_THREADS);
}

static void
sum_overflow(Cutoff *run)
{
  const double start = debye_ladder_now();
  if (run->overflow_map != NULL)
    debye_chunk_threads_run(HOST_THREADS, do_thread, run);
  run->bins->count.host_seconds = debye_ladder_now() - start;
}

/* The kernel, and before it or behind it the host's part; where that is done meanwhile, the time is that of both. */
static cudaError_t
sum(Cutoff *run, double *seconds)
{
  DebyeLadderOverflow *count = &run->bins->count;
  const bool meanwhile = run->code->sums_meanwhile;
  const double start = debye_ladder_now();
  cudaError_t error = launch_all(run);
  if (meanwhile && error == cudaSuccess)
    sum_overflow(run);
  const cudaError_t finished = debye_ladder_stream_finish(run->stream, &count->device_seconds);
  const double both = debye_ladder_now() - start;
  if (!meanwhile && error == cudaSuccess && finished == cudaSuccess)
    sum_overflow(run);
  *seconds = meanwhile ? both : count->device_seconds + count->host_seconds;
  if (debye_is_cancelled(run->stream->cancel))
    run->stream->cancelled = true;
  return error == cudaSuccess ? finished : error;
}

static cudaError_t
run_on_device(Cutoff *run, float *map, double *seconds)
{
  const size_t n_points = count_points(run->bins);
  cudaError_t error = fill(run);
  if (error == cudaSuccess)
    error = sum(run, seconds);
  if (error != cudaSuccess || run->stream->cancelled)
    return error;
  error = debye_ladder_copy_out(map, run->map, n_points * sizeof *map);
  for (size_t i = 0; i < n_points && run->overflow_map != NULL; i++)
    map[i] += run->overflow_map[i];
  return error;
}

static DebyeStatusCode
run_bins(Cutoff *run, int device, float *map, double *seconds, const volatile bool *cancel,
         DebyeStatus *status)
{
  DebyeLadderStream stream = {};
  run->stream = &stream;
  cudaError_t error = cudaSetDevice(device);
  if (error == cudaSuccess)
    error = debye_ladder_stream_init(&stream, cancel);
  if (error == cudaSuccess)
    error = run_on_device(run, map, seconds);
  cudaFree(run->map);
  cudaFree(run->atoms);
  cudaFree(run->slots);
  cudaFree(run->head);
  cudaFree(run->next);
  debye_ladder_stream_clear(&stream);
  return debye_ladder_stream_status(&stream, error, status);
}

DebyeStatusCode
debye_cuda_ladder_cutoff_run(int device, const char *source, const DebyeLadderProblem *problem, float *map,
                             double *seconds, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLadderBins bins;
  DebyeStatusCode code = debye_ladder_bins_init(&bins, problem, status);
  if (code == DEBYE_STATUS_OK) {
    Cutoff run = {};
    run.code = debye_ladder_find_code(source);
    run.bins = &bins;
    const bool has_overflow = run.code->has_slots && bins.count.n_overflowing > 0;
    run.overflow_map = has_overflow ? (float *)calloc(count_points(&bins), sizeof(float)) : NULL;
    code = has_overflow && run.overflow_map == NULL
               ? debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                                  "The host has no memory for a map of %zu points.", count_points(&bins))
               : run_bins(&run, device, map, seconds, cancel, status);
    free(run.overflow_map);
    if (problem->overflow != NULL && run.code->has_slots)
      *problem->overflow = bins.count;
  }
  debye_ladder_bins_clear(&bins);
  return code;
}
