/* SPDX-License-Identifier: MIT */
/* The plan of self scattering on a GPU; called by scattering_self.cu. */
#include "self_plan.cuh"

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

static bool
has_mean_weights(const DebyeSelfSettings *settings)
{
  return settings->elastic && debye_cuda_self_correlates(settings);
}

static void
list_fast_memory(DebyeCudaSelfPlan *plan, DebyePlanMemory *memory)
{
  const DebyeSelfSettings *settings = &plan->settings;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->pieces, plan->max_pieces);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->twiddles, DEBYE_SELF_TABLE);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->sums, plan->batch * plan->max_pieces * plan->length);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->means,
                   settings->elastic ? plan->batch * settings->max_atoms * (plan->length / 1024) : 0);
}

static void
list_stages_memory(DebyeCudaSelfPlan *plan, DebyePlanMemory *memory)
{
  debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->values, plan->max_atoms * plan->length,
                        bytes_of_value(&plan->settings));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->slices, DEBYE_SELF_SLICES * plan->length);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->squares, plan->max_atoms);
  if (debye_cuda_self_correlates(&plan->settings)) {
    const DebyeFourierSettings transform = transform_of(&plan->settings);
    debye_plan_memory_add_bytes(memory, debye_cuda_fourier_bytes(&transform));
  }
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeCudaSelfPlan *plan = (DebyeCudaSelfPlan *)made;
  const DebyeSelfSettings *settings = (const DebyeSelfSettings *)data;
  const DebyeStatusCode code = debye_self_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->device = device;
  plan->settings = *settings;
  plan->fast = is_fast(settings);
  plan->length = padded_length(settings);
  plan->n_values = values_of_sum(settings);
  plan->batch = vectors_of_batch(settings);
  plan->max_pieces = pieces_of(settings);
  plan->max_atoms = atoms_of_batch(settings);
  return code;
}

/* The square needs none. */
static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCudaSelfPlan *plan = (DebyeCudaSelfPlan *)made;
  const DebyeSelfSettings *settings = &plan->settings;
  if (settings->signal == DEBYE_SIGNAL_SQUARE)
    return;
  const size_t results = plan->batch * settings->n_groups, atoms = settings->max_atoms;
  debye_series_block_list(&plan->series, atoms, settings->n_frames, settings->n_groups, memory);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->turns, 3 * settings->n_vectors);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_turns, 3 * settings->n_vectors);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->lengths, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_lengths, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->weights, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_weights, atoms);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->ends, 2 * settings->n_groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_ends, 2 * settings->n_groups);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->roots, plan->length);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_roots, plan->length);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->spectra, results * plan->n_values);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->fq2, results);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->f, results * settings->n_frames);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_pieces, plan->max_pieces);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_table, plan->length + DEBYE_SELF_POINTS);
  if (has_mean_weights(settings)) {
    debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->mean_weights, plan->length,
                          plan->fast ? sizeof(float2) : sizeof(double2));
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->host_mean_weights, plan->length);
  }
  if (plan->fast)
    list_fast_memory(plan, memory);
  else
    list_stages_memory(plan, memory);
}

static void
upload_vectors(DebyeCudaSelfPlan *plan)
{
  const double share = 1.0 / (2.0 * 3.14159265358979323846);
  for (size_t i = 0; i < plan->settings.n_vectors; i++) {
    const DebyeVec3 q = plan->settings.vectors[i];
    plan->host_turns[3 * i] = q.x * share;
    plan->host_turns[3 * i + 1] = q.y * share;
    plan->host_turns[3 * i + 2] = q.z * share;
  }
  debye_stream_upload(&plan->stream, plan->turns, plan->host_turns,
                      3 * plan->settings.n_vectors * sizeof(double));
}

static void
upload_twiddles(DebyeCudaSelfPlan *plan)
{
  debye_self_fill_twiddles(plan->host_table);
  debye_stream_upload(&plan->stream, plan->twiddles, plan->host_table,
                      DEBYE_SELF_TABLE * sizeof *plan->twiddles);
}

/* W of padded length L, for whatever n_frames: of the fast way in float and by residue. */
static void
upload_mean_weights(DebyeCudaSelfPlan *plan)
{
  const size_t length = plan->length, n_residues = length / DEBYE_SELF_POINTS;
  const double2 *weights = plan->host_mean_weights;
  float2 *by_residue = plan->host_table + DEBYE_SELF_POINTS;
  debye_self_mean_weights(plan->settings.n_frames, length, (const double *)plan->host_roots,
                          (double *)plan->host_mean_weights);
  for (size_t k = 0; k < length && plan->fast; k++)
    by_residue[k % n_residues * DEBYE_SELF_POINTS + k / n_residues] =
        make_float2((float)weights[k].x, (float)weights[k].y);
  if (plan->fast)
    debye_stream_upload(&plan->stream, plan->mean_weights, by_residue, length * sizeof *by_residue);
  else
    debye_stream_upload(&plan->stream, plan->mean_weights, weights, length * sizeof *weights);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCudaSelfPlan *plan = (DebyeCudaSelfPlan *)made;
  if (plan->settings.signal == DEBYE_SIGNAL_SQUARE)
    return debye_status_ok(status);
  debye_stream_open(&plan->stream);
  debye_series_block_open(&plan->series, &plan->stream);
  upload_vectors(plan);
  plan->settings.vectors = NULL;
  debye_self_roots(plan->length, (double *)plan->host_roots);
  debye_stream_upload(&plan->stream, plan->roots, plan->host_roots, plan->length * sizeof *plan->roots);
  if (plan->fast)
    upload_twiddles(plan);
  if (has_mean_weights(&plan->settings))
    upload_mean_weights(plan);
  const DebyeStatusCode code = debye_stream_finish(&plan->stream, "preparing self scattering", status);
  if (code != DEBYE_STATUS_OK || plan->fast || !debye_cuda_self_correlates(&plan->settings))
    return code;
  const DebyeFourierSettings transform = transform_of(&plan->settings);
  return debye_cuda_fourier_create(&transform, plan->stream.handle, &plan->fourier, status);
}

static void
clear(void *made)
{
  DebyeCudaSelfPlan *plan = (DebyeCudaSelfPlan *)made;
  cudaSetDevice(plan->device);
  debye_series_block_close(&plan->series);
  debye_cuda_fourier_destroy(plan->fourier);
  debye_stream_close(&plan->stream);
}

const DebyePlanKind debye_cuda_self_plan_kind =
    DEBYE_PLAN_KIND(DebyeCudaSelfPlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear);
