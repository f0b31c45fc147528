/* SPDX-License-Identifier: MIT */
/* Self scattering on a GPU; its twin is cpu/scattering_self.c.
 *
 * In float and up to DEBYE_SELF_WARP_FRAMES frames one kernel goes from the atoms' places to the sums of
 * power spectra (scattering_self.cuh); else cuFFT transforms what kernels of their own write and read
 * (self_series.cuh). Either way one transform back follows for each vector and group, in double. */
#include <stdlib.h>
#include <string.h>

#include "fourier.cuh"
#include "self_series.cuh"
#include "self_sums.cuh"
#include "series_block.cuh"

/* Chosen by tests/bench/bench_self_shapes.cu. */
#define WARPS 4
#define BLOCKS 5
#define LONG_BLOCKS 4
/* Atoms of a piece, as long as the pieces' spectra are not too many. */
#define PIECE_ATOMS 32
#define MOST_PIECES 32768
#define PIECE_BYTES ((size_t)256 << 20)
#define MOST_VECTORS 64
/* Values of a batch of the other way. */
#define VALUE_BYTES ((size_t)256 << 20)

typedef struct {
  DebyeSelfSettings settings;
  int device;
  cudaStream_t stream;
  DebyeSeriesBlock series;
  bool fast;
  size_t length;        /* padded */
  size_t n_values;      /* doubles that are summed for a vector and group: a spectrum, or complex series */
  size_t batch;         /* vectors at once */
  size_t max_pieces;    /* of the fast way */
  size_t max_atoms;     /* at once, of the other */
  DebyeSelfBlock block; /* as set, for the square */

  double *host_turns, *turns;
  double2 *host_lengths, *lengths;
  float *host_weights, *weights;
  uint32_t *ends; /* of the groups' atoms, then of their pieces */
  double2 *roots;
  double *spectra, *fq2;
  double2 *f;
  void *mean_weights;

  DebyeSelfPiece *host_pieces, *pieces;
  size_t n_pieces;
  float2 *twiddles, *means;
  float *sums;

  DebyeCudaFourier *fourier;
  void *values;
  double2 *slices;
  double *squares;
} Plan;

/* Sizes. */

static bool
correlates(const DebyeSelfSettings *settings)
{
  return settings->signal == DEBYE_SIGNAL_AUTOCORRELATE;
}

static bool
is_fast(const DebyeSelfSettings *settings)
{
  return correlates(settings) && !settings->double_precision && settings->n_frames <= DEBYE_SELF_WARP_FRAMES;
}

static size_t
padded_length(const DebyeSelfSettings *settings)
{
  if (!correlates(settings))
    return settings->n_frames;
  const size_t length = debye_self_length(settings->n_frames);
  return is_fast(settings) && length < DEBYE_SELF_POINTS ? DEBYE_SELF_POINTS : length;
}

static size_t
values_of_sum(const DebyeSelfSettings *settings)
{
  return correlates(settings) ? padded_length(settings) : 2 * settings->n_frames;
}

static size_t
atoms_of_piece(const DebyeSelfSettings *settings)
{
  return PIECE_ATOMS * (1 + settings->max_atoms / PIECE_ATOMS / MOST_PIECES);
}

static size_t
pieces_of(const DebyeSelfSettings *settings)
{
  return settings->max_atoms / atoms_of_piece(settings) + settings->n_groups;
}

static size_t
vectors_of_batch(const DebyeSelfSettings *settings)
{
  const size_t spectrum = padded_length(settings) * sizeof(float);
  size_t vectors = is_fast(settings) ? PIECE_BYTES / (pieces_of(settings) * spectrum) : 1;
  vectors = vectors < 1 ? 1 : vectors > MOST_VECTORS ? MOST_VECTORS : vectors;
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
         (correlates(settings) ? debye_cuda_fourier_bytes(&transform) : 0);
}

static uint64_t
bytes_needed(int device, const DebyeSelfSettings *settings)
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

static void
destroy(DebyeSelfPlan *handle)
{
  Plan *plan = (Plan *)handle;
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
allocate_all(Plan *plan)
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
allocate_on_host(Plan *plan)
{
  const size_t atoms = plan->settings.max_atoms;
  plan->host_turns = (double *)calloc(3 * plan->settings.n_vectors, sizeof(double));
  plan->host_lengths = (double2 *)calloc(atoms, sizeof(double2));
  plan->host_weights = (float *)calloc(atoms, sizeof(float));
  plan->host_pieces = (DebyeSelfPiece *)calloc(plan->max_pieces, sizeof(DebyeSelfPiece));
  return plan->host_turns != NULL && plan->host_lengths != NULL && plan->host_weights != NULL &&
         plan->host_pieces != NULL;
}

static cudaError_t
upload_vectors(Plan *plan)
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
upload_twiddles(Plan *plan, const double2 *roots)
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
upload_mean_weights(Plan *plan, const double2 *roots)
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
upload_tables(Plan *plan)
{
  double2 *roots = (double2 *)malloc(plan->length * sizeof(double2));
  if (roots == NULL)
    return cudaErrorMemoryAllocation;
  debye_self_roots(plan->length, (double *)roots);
  cudaError_t error = debye_cuda_upload(plan->roots, roots, plan->length * sizeof(double2));
  if (error == cudaSuccess && plan->fast)
    error = upload_twiddles(plan, roots);
  if (error == cudaSuccess && plan->settings.elastic && correlates(&plan->settings))
    error = upload_mean_weights(plan, roots);
  free(roots);
  return error;
}

/* More shared memory than is given without asking. */
static cudaError_t
allow_shared_memory(void)
{
  const int bytes = (int)debye_self_shared_bytes(WARPS);
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaError_t error = cudaFuncSetAttribute(debye_self_spectra<WARPS, BLOCKS, false, false>, attribute, bytes);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(debye_self_spectra<WARPS, BLOCKS, false, true>, attribute, bytes);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(debye_self_spectra<WARPS, LONG_BLOCKS, true, false>, attribute, bytes);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(debye_self_spectra<WARPS, LONG_BLOCKS, true, true>, attribute, bytes);
  return error;
}

static DebyeStatusCode
prepare(Plan *plan, DebyeStatus *status)
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
    error = allow_shared_memory();
  DebyeStatusCode code = debye_cuda_status(error, "preparing self scattering", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_init(&plan->series, settings->max_atoms, settings->n_frames, settings->n_groups,
                                   status);
  if (code != DEBYE_STATUS_OK || plan->fast || !correlates(settings))
    return code;
  const DebyeFourierSettings transform = transform_of(settings);
  return debye_cuda_fourier_create(&transform, plan->stream, &plan->fourier, status);
}

static DebyeStatusCode
create(int device, const DebyeSelfSettings *settings, DebyeSelfPlan **handle, DebyeStatus *status)
{
  *handle = NULL;
  DebyeStatusCode code = debye_self_settings_check(settings, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(device), "choosing the device", status);
  if (code != DEBYE_STATUS_OK)
    return code;
  Plan *plan = (Plan *)calloc(1, sizeof *plan);
  if (plan == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  plan->settings = *settings;
  plan->device = device;
  if (settings->signal != DEBYE_SIGNAL_SQUARE)
    code = prepare(plan, status);
  plan->settings.vectors = NULL;
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyeSelfPlan *)plan);
    return code;
  }
  *handle = (DebyeSelfPlan *)plan;
  return debye_status_ok(status);
}

/* The block. */

static void
cut_into_pieces(Plan *plan, uint32_t *ends)
{
  const size_t atoms = atoms_of_piece(&plan->settings), n_groups = plan->settings.n_groups;
  size_t first = 0;
  plan->n_pieces = 0;
  for (size_t group = 0; group < n_groups; group++) {
    for (const size_t end = plan->series.group_end[group]; first < end;) {
      const size_t count = end - first < atoms ? end - first : atoms;
      plan->host_pieces[plan->n_pieces++] = {(uint32_t)first, (uint32_t)count};
      first += count;
    }
    ends[group] = (uint32_t)first;
    ends[n_groups + group] = (uint32_t)plan->n_pieces;
  }
}

static cudaError_t
upload_block(Plan *plan)
{
  const size_t n = plan->block.n_atoms, n_groups = plan->settings.n_groups;
  uint32_t *ends = (uint32_t *)calloc(2 * n_groups, sizeof *ends);
  if (ends == NULL)
    return cudaErrorMemoryAllocation;
  cut_into_pieces(plan, ends);
  for (size_t i = 0; i < n; i++) {
    const size_t atom = plan->series.order[i];
    const double *b = plan->block.length != NULL ? plan->block.length + 2 * atom : NULL;
    plan->host_lengths[i] = b != NULL ? make_double2(b[0], b[1]) : make_double2(1.0, 0.0);
    plan->host_weights[i] = (float)debye_self_weight(&plan->block, atom);
  }
  cudaError_t error = debye_cuda_upload(plan->ends, ends, 2 * n_groups * sizeof *ends);
  if (error == cudaSuccess)
    error = debye_cuda_upload(plan->lengths, plan->host_lengths, n * sizeof(double2));
  if (error == cudaSuccess)
    error = debye_cuda_upload(plan->weights, plan->host_weights, n * sizeof(float));
  if (error == cudaSuccess && plan->fast)
    error = debye_cuda_upload(plan->pieces, plan->host_pieces, plan->n_pieces * sizeof(DebyeSelfPiece));
  free(ends);
  return error;
}

static DebyeStatusCode
set_block(DebyeSelfPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  plan->block = {};
  plan->n_pieces = 0;
  DebyeStatusCode code = debye_self_block_check(&plan->settings, block, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_self_positions_check(block, 0, plan->settings.n_frames, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->block = *block;
  if (plan->settings.signal == DEBYE_SIGNAL_SQUARE)
    return DEBYE_STATUS_OK;
  code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_set(&plan->series, block, plan->stream, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(upload_block(plan), "copying the atoms' scattering lengths", status);
  return code;
}

/* Executing: the fast way. */

static void
launch_spectra(Plan *plan, const DebyeSelfLaunch *launch)
{
  const size_t bytes = debye_self_shared_bytes(WARPS);
  const unsigned warps = launch->n_pieces * launch->n_vectors * launch->n_residues;
  const unsigned blocks = (warps + WARPS - 1) / WARPS;
  const bool is_long = launch->n_frames > DEBYE_SELF_POINTS;
  if (is_long && plan->settings.elastic)
    debye_self_spectra<WARPS, LONG_BLOCKS, true, true><<<blocks, 32 * WARPS, bytes, plan->stream>>>(*launch);
  else if (is_long)
    debye_self_spectra<WARPS, LONG_BLOCKS, true, false><<<blocks, 32 * WARPS, bytes, plan->stream>>>(*launch);
  else if (plan->settings.elastic)
    debye_self_spectra<WARPS, BLOCKS, false, true><<<blocks, 32 * WARPS, bytes, plan->stream>>>(*launch);
  else
    debye_self_spectra<WARPS, BLOCKS, false, false><<<blocks, 32 * WARPS, bytes, plan->stream>>>(*launch);
}

static void
sum_fast(Plan *plan, size_t first, size_t count)
{
  const unsigned n_groups = (unsigned)plan->settings.n_groups;
  DebyeSelfLaunch launch = {};
  for (int axis = 0; axis < 3; axis++)
    launch.position[axis] = plan->series.position[axis];
  launch.row = plan->series.row;
  launch.n_frames = (unsigned)plan->settings.n_frames;
  launch.n_residues = (unsigned)(plan->length / DEBYE_SELF_POINTS);
  launch.weight = plan->weights;
  launch.pieces = plan->pieces;
  launch.n_pieces = (unsigned)plan->n_pieces;
  launch.turns = plan->turns + 3 * first;
  launch.n_vectors = (unsigned)count;
  launch.twiddles = plan->twiddles;
  launch.sums = plan->sums;
  launch.mean_weights = (const float2 *)plan->mean_weights;
  launch.means = plan->means;
  launch.n_atoms = plan->block.n_atoms;
  launch_spectra(plan, &launch);
  const dim3 blocks((unsigned)(plan->length / 128), n_groups, (unsigned)count);
  debye_self_add_pieces<<<blocks, 128, 0, plan->stream>>>(plan->sums, launch.n_pieces, plan->ends + n_groups,
                                                          launch.n_residues, plan->spectra);
  if (plan->settings.elastic)
    debye_self_add_means<<<dim3(n_groups, (unsigned)count), 256, 0, plan->stream>>>(
        plan->means, launch.n_residues, launch.n_atoms, plan->weights, plan->ends, plan->fq2);
}

/* The other way. */

template <class Real2, bool POWER>
static DebyeStatusCode
sum_batch(Plan *plan, const DebyeSelfBatch *batch, double *sum, double *fq2, DebyeStatus *status)
{
  Real2 *values = (Real2 *)plan->values;
  const unsigned blocks = (unsigned)((batch->length + 255) / 256);
  const unsigned rows = batch->count < 32768 ? batch->count : 32768;
  debye_self_phases<<<dim3(blocks, rows), 256, 0, plan->stream>>>(*batch, values);
  /* The plan transforms as many as it was made for; what is behind the batch is nobody's. */
  const DebyeStatusCode code =
      POWER ? debye_cuda_fourier_forward(plan->fourier, values, status) : debye_status_ok(status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_self_slices<Real2, POWER>
      <<<dim3(blocks, DEBYE_SELF_SLICES), 256, 0, plan->stream>>>(*batch, values, plan->slices);
  debye_self_add_slices<POWER><<<blocks, 256, 0, plan->stream>>>(plan->slices, batch->length, sum);
  if (plan->settings.elastic) {
    debye_self_mean_squares<Real2, POWER><<<batch->count, 256, 0, plan->stream>>>(
        *batch, values, (const double2 *)plan->mean_weights, plan->squares);
    debye_self_add_all<<<1, 256, 0, plan->stream>>>(plan->squares, batch->count, fq2);
  }
  return debye_cuda_status(cudaGetLastError(), "computing self scattering", status);
}

static DebyeStatusCode
sum_group(Plan *plan, DebyeSelfBatch *batch, size_t group, size_t place, const volatile bool *cancel,
          DebyeStatus *status)
{
  const size_t end = plan->series.group_end[group];
  const bool in_double = plan->settings.double_precision;
  double *sum = plan->spectra + place * plan->n_values, *fq2 = plan->fq2 + place;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  size_t first = group > 0 ? plan->series.group_end[group - 1] : 0;
  for (; first < end && code == DEBYE_STATUS_OK; first += plan->max_atoms) {
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Self scattering was stopped.");
    batch->first = (uint32_t)first;
    batch->count = (uint32_t)(end - first < plan->max_atoms ? end - first : plan->max_atoms);
    if (correlates(&plan->settings))
      code = in_double ? sum_batch<double2, true>(plan, batch, sum, fq2, status)
                       : sum_batch<float2, true>(plan, batch, sum, fq2, status);
    else
      code = in_double ? sum_batch<double2, false>(plan, batch, sum, fq2, status)
                       : sum_batch<float2, false>(plan, batch, sum, fq2, status);
  }
  return code;
}

static DebyeStatusCode
sum_stages(Plan *plan, size_t first, size_t count, const volatile bool *cancel, DebyeStatus *status)
{
  const size_t results = count * plan->settings.n_groups;
  DebyeSelfBatch batch = {};
  for (int axis = 0; axis < 3; axis++)
    batch.position[axis] = plan->series.position[axis];
  batch.row = plan->series.row;
  batch.n_frames = (unsigned)plan->settings.n_frames;
  batch.length = plan->length;
  batch.scattering_length = plan->lengths;
  cudaMemsetAsync(plan->spectra, 0, results * plan->n_values * sizeof(double), plan->stream);
  cudaMemsetAsync(plan->fq2, 0, results * sizeof(double), plan->stream);
  DebyeStatusCode code = debye_status_ok(status);
  for (size_t i = 0; i < results && code == DEBYE_STATUS_OK; i++) {
    memcpy(batch.q, plan->host_turns + 3 * (first + i / plan->settings.n_groups), sizeof batch.q);
    code = sum_group(plan, &batch, i % plan->settings.n_groups, i, cancel, status);
  }
  return code;
}

/* Both. */

static cudaError_t
fetch(Plan *plan, size_t count, double *f, double *fq2)
{
  const size_t results = count * plan->settings.n_groups, n_frames = plan->settings.n_frames;
  const void *from = plan->spectra;
  if (correlates(&plan->settings)) {
    const dim3 blocks((unsigned)((n_frames + DEBYE_SELF_TILE - 1) / DEBYE_SELF_TILE), (unsigned)results);
    debye_self_turn_back<<<blocks, DEBYE_SELF_TILE, 0, plan->stream>>>(
        plan->spectra, plan->roots, plan->length, (unsigned)n_frames, plan->f);
    from = plan->f;
  }
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(f, from, results * n_frames * sizeof(double2), cudaMemcpyDeviceToHost, plan->stream);
  if (error == cudaSuccess && fq2 != NULL)
    error = cudaMemcpyAsync(fq2, plan->fq2, results * sizeof(double), cudaMemcpyDeviceToHost, plan->stream);
  return error == cudaSuccess ? cudaStreamSynchronize(plan->stream) : error;
}

static DebyeStatusCode
execute_batch(Plan *plan, size_t first, size_t count, double *f, double *fq2, const volatile bool *cancel,
              DebyeStatus *status)
{
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Self scattering was stopped.");
  if (plan->fast && plan->n_pieces > 0)
    sum_fast(plan, first, count);
  DebyeStatusCode code = debye_status_ok(status);
  if (!plan->fast || plan->n_pieces == 0)
    code = sum_stages(plan, first, count, cancel, status);
  if (code != DEBYE_STATUS_OK) {
    /* Nothing of it may run on when the caller has his memory back. */
    cudaStreamSynchronize(plan->stream);
    return code;
  }
  return debye_cuda_status(fetch(plan, count, f, fq2), "computing self scattering", status);
}

static DebyeStatusCode
execute(DebyeSelfPlan *handle, size_t first, size_t count, double *f, double *fq2,
        const volatile bool *cancel, DebyeStatus *status)
{
  Plan *plan = (Plan *)handle;
  const size_t n_groups = plan->settings.n_groups;
  fq2 = plan->settings.elastic ? fq2 : NULL;
  if (plan->settings.signal == DEBYE_SIGNAL_SQUARE) {
    debye_self_square(&plan->settings, &plan->block, count, f, fq2);
    return debye_status_ok(status);
  }
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  for (size_t done = 0; done < count && code == DEBYE_STATUS_OK; done += plan->batch) {
    const size_t n = count - done < plan->batch ? count - done : plan->batch;
    code = execute_batch(plan, first + done, n, f + done * n_groups * 2 * plan->settings.n_frames,
                         fq2 != NULL ? fq2 + done * n_groups : NULL, cancel, status);
  }
  return code;
}

extern "C" const DebyeSelfKernel debye_cuda_self = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_block = set_block,
    .execute = execute,
    .destroy = destroy,
};
