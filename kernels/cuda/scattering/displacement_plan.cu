/* SPDX-License-Identifier: MIT */
/* The memory of a plan of displacements on a GPU; called by displacement_histogram.cu. */
#include "displacement_plan.cuh"

#include <stdlib.h>
#include <string.h>

/* Pieces of the atoms: enough blocks for every multiprocessor to have several, but no more sums than that; of
 * each warp's atoms as many as of any other's. */
#define WANTED_BLOCKS 1024
#define LEAST_ATOMS (DEBYE_DISPLACEMENT_THREADS / 32)
/* Of the counts of lags that are counted at once, and of those on their way to the host. */
#define COUNT_BYTES ((size_t)512 << 20)
#define STAGE_BYTES ((size_t)4 << 20)
#define MAX_LAGS ((size_t)65472) /* blocks of listed ones */

/* Sizes. */

/* Lags of a block, with a column of counters for two of them: as many as have all their rows in shared
 * memory, or else the fewest. One of listed ones. */
static size_t
run_lags_of(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  size_t columns = 32;
  if (settings->lags != NULL)
    return 1;
  while (columns > 4 && (settings->n_bins + 1) * columns * sizeof(unsigned) > shared_bytes)
    columns /= 2;
  return 2 * columns;
}

static size_t
shared_bytes_of(int device)
{
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return (size_t)bytes;
}

/* In whole runs. */
static size_t
lags_of_batch(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  const size_t run = run_lags_of(settings, shared_bytes);
  const size_t lag = (settings->n_bins + 1) * sizeof(unsigned long long) * settings->n_groups;
  size_t lags = COUNT_BYTES / lag / run * run;
  lags = lags < run ? run : lags > MAX_LAGS ? MAX_LAGS : lags;
  return lags < settings->n_lags ? lags : settings->n_lags;
}

/* And one more, where a batch begins with an odd lag. */
static size_t
runs_of_batch(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  const size_t run = run_lags_of(settings, shared_bytes);
  return lags_of_batch(settings, shared_bytes) / run + 1;
}

static size_t
lags_of_stage(const DebyeDisplacementSettings *settings)
{
  const size_t lags = STAGE_BYTES / ((settings->n_bins + 1) * sizeof(unsigned long long));
  return lags < 1 ? 1 : lags < settings->n_lags ? lags : settings->n_lags;
}

static size_t
bytes_of_stage(const DebyeDisplacementSettings *settings)
{
  return lags_of_stage(settings) * (settings->n_bins + 1) * sizeof(unsigned long long);
}

size_t
debye_cuda_displacement_piece_atoms(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  const size_t atoms = settings->max_atoms * runs_of_batch(settings, shared_bytes) / WANTED_BLOCKS;
  return atoms < LEAST_ATOMS ? LEAST_ATOMS : atoms / LEAST_ATOMS * LEAST_ATOMS;
}

static size_t
pieces_of(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  return settings->max_atoms / debye_cuda_displacement_piece_atoms(settings, shared_bytes) +
         settings->n_groups;
}

/* Of the counts, and of the moments of each lag. */
static size_t
rows_of_batch(const DebyeDisplacementSettings *settings, size_t shared_bytes)
{
  return runs_of_batch(settings, shared_bytes) * run_lags_of(settings, shared_bytes);
}

uint64_t
debye_cuda_displacement_bytes(int device, const DebyeDisplacementSettings *settings)
{
  if (debye_displacement_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return UINT64_MAX;
  const size_t shared = shared_bytes_of(device);
  const uint64_t lags = rows_of_batch(settings, shared);
  return debye_series_block_bytes(settings->max_atoms, settings->n_frames) +
         lags * settings->n_groups * ((settings->n_bins + 1) * sizeof(unsigned long long) + sizeof(double2)) +
         pieces_of(settings, shared) * (lags * sizeof(double2) + sizeof(DebyeSeriesPiece)) +
         4 * bytes_of_stage(settings) + lags * settings->n_groups * sizeof(double2) +
         settings->n_lags * sizeof(uint32_t);
}

/* The plan. */

static void
clear_stage(DebyeDisplacementStage *stage)
{
  if (stage->done != NULL)
    cudaEventDestroy(stage->done);
  cudaFree(stage->counts);
  cudaFreeHost(stage->counts_host);
}

void
debye_cuda_displacement_plan_free(DebyeCudaDisplacementPlan *plan)
{
  if (plan == NULL)
    return;
  cudaSetDevice(plan->device);
  debye_series_block_clear(&plan->series);
  void *const memory[] = {plan->lags,   plan->pieces,        plan->piece_end,
                          plan->counts, plan->piece_moments, plan->moments};
  for (void *piece : memory)
    cudaFree(piece);
  for (DebyeDisplacementStage &stage : plan->stages)
    clear_stage(&stage);
  cudaFreeHost(plan->host_moments);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  cudaGetLastError();
  free(plan->host_lags);
  free(plan->host_pieces);
  free(plan);
}

static bool
allocate_on_host(DebyeCudaDisplacementPlan *plan)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  plan->host_lags = (uint32_t *)calloc(settings->n_lags, sizeof(uint32_t));
  plan->host_pieces = (DebyeSeriesPiece *)calloc(plan->max_pieces, sizeof(DebyeSeriesPiece));
  if (plan->host_lags == NULL || plan->host_pieces == NULL)
    return false;
  if (settings->lags != NULL) {
    memcpy(plan->host_lags, settings->lags, settings->n_lags * sizeof(uint32_t));
    plan->settings.lags = plan->host_lags;
  }
  return true;
}

static cudaError_t
make_stage(DebyeDisplacementStage *stage, size_t bytes)
{
  cudaError_t error = cudaEventCreateWithFlags(&stage->done, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaMalloc(&stage->counts, bytes);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&stage->counts_host, bytes, cudaHostAllocDefault);
  return error;
}

static cudaError_t
allocate_all(DebyeCudaDisplacementPlan *plan)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  const size_t lags = rows_of_batch(settings, plan->shared_bytes), rows = lags * settings->n_groups;
  cudaError_t error = cudaMalloc(&plan->lags, settings->n_lags * sizeof(uint32_t));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->pieces, plan->max_pieces * sizeof(DebyeSeriesPiece));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->piece_end, settings->n_groups * sizeof(uint32_t));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->counts, rows * (settings->n_bins + 1) * sizeof(unsigned long long));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->piece_moments, plan->max_pieces * lags * sizeof(double2));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->moments, rows * sizeof(double2));
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->host_moments, rows * sizeof(double2), cudaHostAllocDefault);
  for (DebyeDisplacementStage &stage : plan->stages)
    if (error == cudaSuccess)
      error = make_stage(&stage, bytes_of_stage(settings));
  return error;
}

static DebyeStatusCode
prepare(DebyeCudaDisplacementPlan *plan, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  plan->shared_bytes = shared_bytes_of(plan->device);
  plan->run_lags = run_lags_of(settings, plan->shared_bytes);
  plan->batch = lags_of_batch(settings, plan->shared_bytes);
  plan->stage_lags = lags_of_stage(settings);
  plan->max_pieces = pieces_of(settings, plan->shared_bytes);
  cudaError_t error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = allocate_on_host(plan) ? allocate_all(plan) : cudaErrorMemoryAllocation;
  if (error == cudaSuccess && settings->lags != NULL)
    error = debye_cuda_upload(plan->lags, plan->host_lags, settings->n_lags * sizeof(uint32_t));
  if (error == cudaSuccess)
    error = debye_cuda_displacement_allow_memory(plan->shared_bytes);
  DebyeStatusCode code = debye_cuda_status(error, "preparing displacements", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_init(&plan->series, settings->max_atoms, settings->n_frames, settings->n_groups,
                                   status);
  return code;
}

DebyeCudaDisplacementPlan *
debye_cuda_displacement_plan_new(int device, const DebyeDisplacementSettings *settings, DebyeStatus *status)
{
  if (debye_displacement_settings_check(settings, status) != DEBYE_STATUS_OK ||
      debye_cuda_status(cudaSetDevice(device), "choosing the device", status) != DEBYE_STATUS_OK)
    return NULL;
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)calloc(1, sizeof *plan);
  if (plan == NULL) {
    debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
    return NULL;
  }
  plan->settings = *settings;
  plan->device = device;
  if (prepare(plan, status) == DEBYE_STATUS_OK)
    return plan;
  debye_cuda_displacement_plan_free(plan);
  return NULL;
}
