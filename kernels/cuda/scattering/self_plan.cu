/* SPDX-License-Identifier: MIT */
/* The memory of a plan of self scattering on a GPU; called by scattering_self.cu. */
#include "self_plan.cuh"

#include <stdlib.h>

#include "self_series.cuh"

/* Atoms of a piece, as long as the pieces' spectra are not too many. */
#define PIECE_ATOMS 32
#define MAX_PIECES 32768
#define PIECE_BYTES ((size_t)256 << 20)
#define MAX_VECTORS 64
/* Values of a batch by stages. */
#define VALUE_BYTES ((size_t)256 << 20)

/* Sizes. */

static bool
is_fast(const DebyeSelfSettings *settings)
{
  return debye_cuda_self_correlates(settings) && !settings->double_precision &&
         settings->n_frames <= DEBYE_SELF_WARP_FRAMES;
}

static size_t
padded_length(const DebyeSelfSettings *settings)
{
  if (!debye_cuda_self_correlates(settings))
    return settings->n_frames;
  const size_t length = debye_self_length(settings->n_frames);
  return is_fast(settings) && length < DEBYE_SELF_POINTS ? DEBYE_SELF_POINTS : length;
}

static size_t
values_of_sum(const DebyeSelfSettings *settings)
{
  return debye_cuda_self_correlates(settings) ? padded_length(settings) : 2 * settings->n_frames;
}

size_t
debye_cuda_self_atoms_of_piece(const DebyeSelfSettings *settings)
{
  return PIECE_ATOMS * (1 + settings->max_atoms / PIECE_ATOMS / MAX_PIECES);
}

static size_t
pieces_of(const DebyeSelfSettings *settings)
{
  return settings->max_atoms / debye_cuda_self_atoms_of_piece(settings) + settings->n_groups;
}

static size_t
vectors_of_batch(const DebyeSelfSettings *settings)
{
  const size_t spectrum = padded_length(settings) * sizeof(float);
  size_t vectors = is_fast(settings) ? PIECE_BYTES / (pieces_of(settings) * spectrum) : 1;
  vectors = vectors < 1 ? 1 : vectors > MAX_VECTORS ? MAX_VECTORS : vectors;
  return vectors < settings->n_vectors ? vectors : settings->n_vectors;
}

static size_t
bytes_of_value(const DebyeSelfSettings *settings)
{
  return settings->double_precision ? sizeof(double2) : sizeof(float2);
}

static size_t
atoms_of_batch(const DebyeSelfSettings *settings)
{
  const size_t fits = VALUE_BYTES / (padded_length(settings) * bytes_of_value(settings));
  return fits < 1 ? 1 : fits < settings->max_atoms ? fits : settings->max_atoms;
}

static DebyeFourierSettings
transform_of(const DebyeSelfSettings *settings)
{
  DebyeFourierSettings transform = {};
  transform.double_precision = settings->double_precision;
  transform.shape[0] = padded_length(settings);
  transform.shape[1] = transform.shape[2] = 1;
  transform.batch = atoms_of_batch(settings);
  return transform;
}

static uint64_t
bytes_of_ways(const DebyeSelfSettings *settings)
{
  const size_t length = padded_length(settings);
  if (is_fast(settings))
    return vectors_of_batch(settings) * (pieces_of(settings) * length * sizeof(float) +
                                         (settings->elastic ? settings->max_atoms * (length / 1024) * 8 : 0));
  const DebyeFourierSettings transform = transform_of(settings);
  return atoms_of_batch(settings) * (length * bytes_of_value(settings) + sizeof(double)) +
         DEBYE_SELF_SLICES * length * sizeof(double2) +
         (debye_cuda_self_correlates(settings) ? debye_cuda_fourier_bytes(&transform) : 0);
}

uint64_t
debye_cuda_self_bytes(int device, const DebyeSelfSettings *settings)
{
  (void)device;
  if (debye_self_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return UINT64_MAX;
  if (settings->signal == DEBYE_SIGNAL_SQUARE)
    return 0;
  const uint64_t results = vectors_of_batch(settings) * settings->n_groups *
                           (values_of_sum(settings) * sizeof(double) + settings->n_frames * sizeof(double2));
  return debye_series_block_bytes(settings->max_atoms, settings->n_frames) + settings->max_atoms * 24 +
         padded_length(settings) * 2 * sizeof(double2) + results + bytes_of_ways(settings);
}

/* The plan. */

void
debye_cuda_self_plan_free(DebyeCudaSelfPlan *plan)
{
  if (plan == NULL)
    return;
  cudaSetDevice(plan->device);
  debye_series_block_clear(&plan->series);
  debye_cuda_fourier_destroy(plan->fourier);
  void *const memory[] = {plan->turns,  plan->lengths,  plan->weights, plan->ends,
                          plan->roots,  plan->spectra,  plan->fq2,     plan->f,
                          plan->pieces, plan->twiddles, plan->means,   plan->mean_weights,
                          plan->sums,   plan->values,   plan->slices,  plan->squares};
  for (void *piece : memory)
    cudaFree(piece);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  cudaGetLastError();
  free(plan->host_turns);
  free(plan->host_lengths);
  free(plan->host_weights);
  free(plan->host_pieces);
  free(plan);
}

template <class T>
static void
allocate(T **memory, size_t n, cudaError_t *error)
{
  if (*error == cudaSuccess)
    *error = cudaMalloc(memory, (n > 0 ? n : 1) * sizeof(T));
}

static cudaError_t
allocate_all(DebyeCudaSelfPlan *plan)
{
  const DebyeSelfSettings *settings = &plan->settings;
  const size_t results = plan->batch * settings->n_groups;
  cudaError_t error = cudaSuccess;
  allocate(&plan->turns, 3 * settings->n_vectors, &error);
  allocate(&plan->lengths, settings->max_atoms, &error);
  allocate(&plan->weights, settings->max_atoms, &error);
  allocate(&plan->ends, 2 * settings->n_groups, &error);
  allocate(&plan->roots, plan->length, &error);
  allocate(&plan->spectra, results * plan->n_values, &error);
  allocate(&plan->fq2, results, &error);
  allocate(&plan->f, results * settings->n_frames, &error);
  if (plan->fast) {
    allocate(&plan->pieces, plan->max_pieces, &error);
    allocate(&plan->twiddles, DEBYE_SELF_POINTS, &error);
    allocate(&plan->sums, plan->batch * plan->max_pieces * plan->length, &error);
    allocate(&plan->means, settings->elastic ? plan->batch * settings->max_atoms * (plan->length / 1024) : 0,
             &error);
  } else {
    allocate((char **)&plan->values, plan->max_atoms * plan->length * bytes_of_value(settings), &error);
    allocate(&plan->slices, DEBYE_SELF_SLICES * plan->length, &error);
    allocate(&plan->squares, plan->max_atoms, &error);
  }
  return error;
}

static bool
allocate_on_host(DebyeCudaSelfPlan *plan)
{
  const size_t atoms = plan->settings.max_atoms;
  plan->host_turns = (double *)calloc(3 * plan->settings.n_vectors, sizeof(double));
  plan->host_lengths = (double2 *)calloc(atoms, sizeof(double2));
  plan->host_weights = (float *)calloc(atoms, sizeof(float));
  plan->host_pieces = (DebyeSeriesPiece *)calloc(plan->max_pieces, sizeof(DebyeSeriesPiece));
  return plan->host_turns != NULL && plan->host_lengths != NULL && plan->host_weights != NULL &&
         plan->host_pieces != NULL;
}

static cudaError_t
upload_vectors(DebyeCudaSelfPlan *plan)
{
  const double share = 1.0 / (2.0 * 3.14159265358979323846);
  for (size_t i = 0; i < plan->settings.n_vectors; i++) {
    const DebyeVec3 q = plan->settings.vectors[i];
    plan->host_turns[3 * i] = q.x * share;
    plan->host_turns[3 * i + 1] = q.y * share;
    plan->host_turns[3 * i + 2] = q.z * share;
  }
  return debye_cuda_upload(plan->turns, plan->host_turns, 3 * plan->settings.n_vectors * sizeof(double));
}

/* exp(−2πi k·lane/1024) of the exchange. */
static cudaError_t
upload_twiddles(DebyeCudaSelfPlan *plan, const double2 *roots)
{
  float2 *table = (float2 *)malloc(DEBYE_SELF_POINTS * sizeof(float2));
  if (table == NULL)
    return cudaErrorMemoryAllocation;
  for (size_t k = 0; k < 32; k++)
    for (size_t lane = 0; lane < 32; lane++) {
      const double2 root = roots[k * lane * (plan->length / DEBYE_SELF_POINTS)];
      table[32 * k + lane] = make_float2((float)root.x, -(float)root.y);
    }
  cudaError_t error = debye_cuda_upload(plan->twiddles, table, DEBYE_SELF_POINTS * sizeof(float2));
  free(table);
  return error;
}

/* W of padded length L, for whatever n_frames: of the fast way in float and by residue. */
static cudaError_t
upload_mean_weights(DebyeCudaSelfPlan *plan, const double2 *roots)
{
  const size_t length = plan->length, n_residues = length / DEBYE_SELF_POINTS;
  const size_t bytes = length * (plan->fast ? sizeof(float2) : sizeof(double2));
  double2 *weights = (double2 *)malloc(length * sizeof(double2));
  float2 *by_residue = (float2 *)malloc(length * sizeof(float2));
  cudaError_t error = cudaErrorMemoryAllocation;
  if (weights != NULL && by_residue != NULL)
    error = cudaMalloc(&plan->mean_weights, bytes);
  if (error == cudaSuccess) {
    debye_self_mean_weights(plan->settings.n_frames, length, (const double *)roots, (double *)weights);
    for (size_t k = 0; k < length && plan->fast; k++)
      by_residue[k % n_residues * DEBYE_SELF_POINTS + k / n_residues] =
          make_float2((float)weights[k].x, (float)weights[k].y);
    error = debye_cuda_upload(plan->mean_weights, plan->fast ? (void *)by_residue : (void *)weights, bytes);
  }
  free(weights);
  free(by_residue);
  return error;
}

static cudaError_t
upload_tables(DebyeCudaSelfPlan *plan)
{
  double2 *roots = (double2 *)malloc(plan->length * sizeof(double2));
  if (roots == NULL)
    return cudaErrorMemoryAllocation;
  debye_self_roots(plan->length, (double *)roots);
  cudaError_t error = debye_cuda_upload(plan->roots, roots, plan->length * sizeof(double2));
  if (error == cudaSuccess && plan->fast)
    error = upload_twiddles(plan, roots);
  if (error == cudaSuccess && plan->settings.elastic && debye_cuda_self_correlates(&plan->settings))
    error = upload_mean_weights(plan, roots);
  free(roots);
  return error;
}

static DebyeStatusCode
prepare(DebyeCudaSelfPlan *plan, DebyeStatus *status)
{
  const DebyeSelfSettings *settings = &plan->settings;
  plan->fast = is_fast(settings);
  plan->length = padded_length(settings);
  plan->n_values = values_of_sum(settings);
  plan->batch = vectors_of_batch(settings);
  plan->max_pieces = pieces_of(settings);
  plan->max_atoms = atoms_of_batch(settings);
  cudaError_t error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = allocate_on_host(plan) ? allocate_all(plan) : cudaErrorMemoryAllocation;
  if (error == cudaSuccess)
    error = upload_vectors(plan);
  if (error == cudaSuccess)
    error = upload_tables(plan);
  if (error == cudaSuccess && plan->fast)
    error = debye_cuda_self_prepare_fast();
  DebyeStatusCode code = debye_cuda_status(error, "preparing self scattering", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_init(&plan->series, settings->max_atoms, settings->n_frames, settings->n_groups,
                                   status);
  if (code != DEBYE_STATUS_OK || plan->fast || !debye_cuda_self_correlates(settings))
    return code;
  const DebyeFourierSettings transform = transform_of(settings);
  return debye_cuda_fourier_create(&transform, plan->stream, &plan->fourier, status);
}

DebyeCudaSelfPlan *
debye_cuda_self_plan_new(int device, const DebyeSelfSettings *settings, DebyeStatus *status)
{
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return NULL;
  DebyeCudaSelfPlan *plan = (DebyeCudaSelfPlan *)calloc(1, sizeof *plan);
  if (plan == NULL) {
    debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
    return NULL;
  }
  plan->settings = *settings;
  plan->device = device;
  if (settings->signal != DEBYE_SIGNAL_SQUARE)
    code = prepare(plan, status);
  plan->settings.vectors = NULL;
  if (code == DEBYE_STATUS_OK)
    return plan;
  debye_cuda_self_plan_free(plan);
  return NULL;
}
