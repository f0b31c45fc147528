/* SPDX-License-Identifier: MIT */
/* Histograms of displacements on a GPU; its twin is cpu/displacement_histogram.c. */
#include "displacement_histogram.cuh"

#include <stdlib.h>
#include <string.h>

#include "series_block.cuh"

/* Pieces of the atoms: enough blocks for every multiprocessor to have several, but no more sums than that. */
#define WANTED_BLOCKS 2048
#define LEAST_ATOMS 8
/* Of the counts of lags that are counted at once. */
#define COUNT_BYTES ((size_t)512 << 20)
#define LISTED_BINS 11000
/* Of a block. */
#define THREADS 1024

typedef struct {
  DebyeDisplacementSettings settings;
  int device;
  cudaStream_t stream;
  DebyeSeriesBlock series;
  size_t shared_bytes; /* that a block may have */
  size_t batch;        /* lags at once */
  size_t max_pieces, n_pieces;
  uint32_t *host_lags, *lags;
  double *edge2;
  DebyeDisplacementPiece *host_pieces, *pieces;
  uint32_t *piece_end; /* by group */
  unsigned long long *counts, *beyond;
  double2 *piece_moments, *moments, *host_moments;
} Plan;

/* Sizes. */

static size_t
lags_of_run(const DebyeDisplacementSettings *settings)
{
  return settings->lags != NULL ? 1 : 64;
}

static size_t
lags_of_batch(const DebyeDisplacementSettings *settings)
{
  const size_t row = settings->n_bins * sizeof(unsigned long long) * settings->n_groups;
  size_t lags = COUNT_BYTES / row / 64 * 64;
  lags = lags < 64 ? 64 : lags > 65536 ? 65536 : lags;
  return lags < settings->n_lags ? lags : settings->n_lags;
}

static size_t
atoms_of_piece(const DebyeDisplacementSettings *settings)
{
  const size_t runs = (lags_of_batch(settings) + lags_of_run(settings) - 1) / lags_of_run(settings);
  const size_t atoms = settings->max_atoms * runs / WANTED_BLOCKS;
  return atoms < LEAST_ATOMS ? LEAST_ATOMS : atoms;
}

static size_t
pieces_of(const DebyeDisplacementSettings *settings)
{
  return settings->max_atoms / atoms_of_piece(settings) + settings->n_groups;
}

static uint64_t
bytes_needed(int device, const DebyeDisplacementSettings *settings)
{
  (void)device;
  if (debye_displacement_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return UINT64_MAX;
  const uint64_t lags = lags_of_batch(settings);
  return debye_series_block_bytes(settings->max_atoms, settings->n_frames) +
         lags * settings->n_groups * ((settings->n_bins + 1) * sizeof(unsigned long long) + sizeof(double2)) +
         pieces_of(settings) * (lags * sizeof(double2) + sizeof(DebyeDisplacementPiece)) +
         (settings->n_bins + 1) * sizeof(double) + settings->n_lags * sizeof(uint32_t);
}

/* The plan. */

static void
destroy(DebyeDisplacementPlan *handle)
{
  Plan *plan = (Plan *)handle;
  if (plan == NULL)
    return;
  cudaSetDevice(plan->device);
  debye_series_block_clear(&plan->series);
  void *const memory[] = {plan->lags,   plan->edge2,  plan->pieces,        plan->piece_end,
                          plan->counts, plan->beyond, plan->piece_moments, plan->moments};
  for (void *piece : memory)
    cudaFree(piece);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  cudaGetLastError();
  free(plan->host_lags);
  free(plan->host_pieces);
  free(plan->host_moments);
  free(plan);
}

static bool
allocate_on_host(Plan *plan)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  plan->host_lags = (uint32_t *)calloc(settings->n_lags, sizeof(uint32_t));
  plan->host_pieces = (DebyeDisplacementPiece *)calloc(plan->max_pieces, sizeof(DebyeDisplacementPiece));
  plan->host_moments = (double2 *)calloc(plan->batch * settings->n_groups, sizeof(double2));
  if (plan->host_lags == NULL || plan->host_pieces == NULL || plan->host_moments == NULL)
    return false;
  if (settings->lags != NULL) {
    memcpy(plan->host_lags, settings->lags, settings->n_lags * sizeof(uint32_t));
    plan->settings.lags = plan->host_lags;
  }
  return true;
}

static cudaError_t
allocate_all(Plan *plan)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  const size_t rows = plan->batch * settings->n_groups;
  cudaError_t error = cudaMalloc(&plan->lags, settings->n_lags * sizeof(uint32_t));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->edge2, (settings->n_bins + 1) * sizeof(double));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->pieces, plan->max_pieces * sizeof(DebyeDisplacementPiece));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->piece_end, settings->n_groups * sizeof(uint32_t));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->counts, rows * settings->n_bins * sizeof(unsigned long long));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->beyond, rows * sizeof(unsigned long long));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->piece_moments, plan->max_pieces * plan->batch * sizeof(double2));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->moments, rows * sizeof(double2));
  return error;
}

static cudaError_t
upload_tables(Plan *plan)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  const size_t bytes = (settings->n_bins + 1) * sizeof(double);
  double *edge2 = (double *)malloc(bytes);
  if (edge2 == NULL)
    return cudaErrorMemoryAllocation;
  debye_displacement_set_edges(edge2, settings->bin_width, settings->n_bins);
  cudaError_t error = debye_cuda_upload(plan->edge2, edge2, bytes);
  free(edge2);
  if (error == cudaSuccess && settings->lags != NULL)
    error = debye_cuda_upload(plan->lags, plan->host_lags, settings->n_lags * sizeof(uint32_t));
  return error;
}

template <int COLUMNS>
static cudaError_t
allow_shared_memory(size_t bytes)
{
  return cudaFuncSetAttribute(debye_displacement_consecutive<COLUMNS, THREADS>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

static cudaError_t
choose_shared_memory(Plan *plan)
{
  int bytes = 0;
  cudaError_t error = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, plan->device);
  plan->shared_bytes = (size_t)bytes;
  if (error == cudaSuccess)
    error = allow_shared_memory<32>(plan->shared_bytes);
  if (error == cudaSuccess)
    error = allow_shared_memory<16>(plan->shared_bytes);
  if (error == cudaSuccess)
    error = allow_shared_memory<8>(plan->shared_bytes);
  if (error == cudaSuccess)
    error = allow_shared_memory<4>(plan->shared_bytes);
  return error;
}

static DebyeStatusCode
prepare(Plan *plan, DebyeStatus *status)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  plan->batch = lags_of_batch(settings);
  plan->max_pieces = pieces_of(settings);
  cudaError_t error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = allocate_on_host(plan) ? allocate_all(plan) : cudaErrorMemoryAllocation;
  if (error == cudaSuccess)
    error = upload_tables(plan);
  if (error == cudaSuccess)
    error = choose_shared_memory(plan);
  DebyeStatusCode code = debye_cuda_status(error, "preparing displacements", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_init(&plan->series, settings->max_atoms, settings->n_frames, settings->n_groups,
                                   status);
  return code;
}

static DebyeStatusCode
create(int device, const DebyeDisplacementSettings *settings, DebyeDisplacementPlan **handle,
       DebyeStatus *status)
{
  *handle = NULL;
  DebyeStatusCode code = debye_displacement_settings_check(settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Plan *plan = (Plan *)calloc(1, sizeof *plan);
  if (plan == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  plan->settings = *settings;
  plan->device = device;
  code = prepare(plan, status);
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyeDisplacementPlan *)plan);
    return code;
  }
  *handle = (DebyeDisplacementPlan *)plan;
  return debye_status_ok(status);
}

/* The block. */

static cudaError_t
cut_into_pieces(Plan *plan)
{
  const size_t atoms = atoms_of_piece(&plan->settings), n_groups = plan->settings.n_groups;
  uint32_t *ends = (uint32_t *)calloc(n_groups, sizeof *ends);
  size_t first = 0;
  if (ends == NULL)
    return cudaErrorMemoryAllocation;
  for (size_t group = 0; group < n_groups; group++) {
    for (const size_t end = plan->series.group_end[group]; first < end;) {
      const size_t count = end - first < atoms ? end - first : atoms;
      plan->host_pieces[plan->n_pieces++] = {(uint32_t)first, (uint32_t)count, (uint32_t)group};
      first += count;
    }
    ends[group] = (uint32_t)plan->n_pieces;
  }
  cudaError_t error = debye_cuda_upload(plan->piece_end, ends, n_groups * sizeof *ends);
  free(ends);
  if (error == cudaSuccess)
    error =
        debye_cuda_upload(plan->pieces, plan->host_pieces, plan->n_pieces * sizeof(DebyeDisplacementPiece));
  return error;
}

static DebyeStatusCode
set_block(DebyeDisplacementPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->n_pieces = 0;
  DebyeStatusCode code = debye_displacement_block_check(&plan->settings, block, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_self_positions_check(block, 0, plan->settings.n_frames, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_set(&plan->series, block, plan->stream, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cut_into_pieces(plan), "copying the atoms' order", status);
  return code;
}

/* Executing. */

template <int COLUMNS>
static void
launch_consecutive(const Plan *plan, DebyeDisplacementLaunch *launch)
{
  using Shape = DebyeDisplacementShape<COLUMNS, THREADS>;
  const size_t fits = (plan->shared_bytes - Shape::bytes(0)) / (COLUMNS * sizeof(unsigned));
  launch->shared_bins = (unsigned)(fits < launch->n_bins ? fits : launch->n_bins);
  const dim3 blocks(launch->n_pieces, (launch->n_lags + Shape::LAGS - 1) / Shape::LAGS);
  debye_displacement_consecutive<COLUMNS, THREADS>
      <<<blocks, THREADS, Shape::bytes(launch->shared_bins), plan->stream>>>(*launch);
}

/* As many lags at once as have their bins in shared memory. */
static void
launch_counting(const Plan *plan, DebyeDisplacementLaunch *launch)
{
  const size_t words = plan->shared_bytes / sizeof(unsigned) - THREADS * 4;
  if (launch->lags != NULL) {
    launch->shared_bins = launch->n_bins < LISTED_BINS ? launch->n_bins : LISTED_BINS;
    debye_displacement_listed<<<dim3(launch->n_pieces, launch->n_lags), 256,
                                launch->shared_bins * sizeof(unsigned), plan->stream>>>(*launch);
  } else if (launch->n_bins * (size_t)32 <= words) {
    launch_consecutive<32>(plan, launch);
  } else if (launch->n_bins * (size_t)16 <= words) {
    launch_consecutive<16>(plan, launch);
  } else if (launch->n_bins * (size_t)8 <= words) {
    launch_consecutive<8>(plan, launch);
  } else {
    launch_consecutive<4>(plan, launch);
  }
}

static cudaError_t
count(Plan *plan, size_t first, size_t n_lags)
{
  const DebyeDisplacementSettings *settings = &plan->settings;
  DebyeDisplacementLaunch launch = {};
  for (int axis = 0; axis < 3; axis++)
    launch.position[axis] = plan->series.position[axis];
  launch.row = plan->series.row;
  launch.n_frames = (unsigned)settings->n_frames;
  launch.n_bins = (unsigned)settings->n_bins;
  launch.first_lag = (unsigned)first;
  launch.n_lags = (unsigned)n_lags;
  launch.lags = settings->lags != NULL ? plan->lags : NULL;
  launch.pieces = plan->pieces;
  launch.n_pieces = (unsigned)plan->n_pieces;
  launch.scale = (float)(1.0 / settings->bin_width);
  launch.bins = {plan->edge2, settings->n_bins, 1.0 / settings->bin_width};
  launch.counts = plan->counts;
  launch.moments = plan->piece_moments;
  launch.beyond = plan->beyond;
  const size_t rows = n_lags * settings->n_groups, bytes = rows * sizeof *plan->counts;
  cudaError_t error = cudaMemsetAsync(plan->counts, 0, bytes * settings->n_bins, plan->stream);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(plan->beyond, 0, bytes, plan->stream);
  if (error != cudaSuccess)
    return error;
  if (plan->n_pieces > 0)
    launch_counting(plan, &launch);
  const dim3 blocks((unsigned)((n_lags + 127) / 128), (unsigned)settings->n_groups);
  debye_displacement_add_moments<<<blocks, 128, 0, plan->stream>>>(plan->piece_moments, plan->piece_end,
                                                                   launch.n_lags, plan->moments);
  return cudaGetLastError();
}

static cudaError_t
fetch_group(Plan *plan, size_t group, size_t first, size_t n_lags, DebyeDisplacementSums *sums)
{
  const size_t n_bins = plan->settings.n_bins, place = group * plan->settings.n_lags + first;
  const size_t bytes = n_lags * sizeof *plan->counts;
  cudaError_t error = cudaMemcpyAsync(sums->counts + place * n_bins, plan->counts + group * n_lags * n_bins,
                                      bytes * n_bins, cudaMemcpyDeviceToHost, plan->stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(sums->beyond + place, plan->beyond + group * n_lags, bytes,
                            cudaMemcpyDeviceToHost, plan->stream);
  return error;
}

static cudaError_t
fetch(Plan *plan, size_t first, size_t n_lags, DebyeDisplacementSums *sums)
{
  const size_t n_groups = plan->settings.n_groups;
  cudaError_t error = cudaSuccess;
  for (size_t group = 0; group < n_groups && error == cudaSuccess; group++)
    error = fetch_group(plan, group, first, n_lags, sums);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(plan->host_moments, plan->moments, n_groups * n_lags * sizeof(double2),
                            cudaMemcpyDeviceToHost, plan->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(plan->stream);
  for (size_t i = 0; i < n_groups * n_lags && error == cudaSuccess; i++) {
    const size_t place = i / n_lags * plan->settings.n_lags + first + i % n_lags;
    sums->square[place] = plan->host_moments[i].x;
    sums->fourth[place] = plan->host_moments[i].y;
  }
  return error;
}

static DebyeStatusCode
execute(DebyeDisplacementPlan *handle, size_t first, size_t n_lags, DebyeDisplacementSums *sums,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  cudaError_t error = cudaSetDevice(plan->device);
  for (size_t done = 0; done < n_lags && error == cudaSuccess; done += plan->batch) {
    const size_t n = n_lags - done < plan->batch ? n_lags - done : plan->batch;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Counting displacements was stopped.");
    error = count(plan, first + done, n);
    if (error == cudaSuccess)
      error = fetch(plan, first + done, n, sums);
  }
  return debye_cuda_status(error, "counting displacements", status);
}

extern "C" const DebyeDisplacementKernel debye_cuda_displacement = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_block = set_block,
    .execute = execute,
    .destroy = destroy,
};
