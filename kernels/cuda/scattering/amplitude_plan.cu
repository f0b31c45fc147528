/* SPDX-License-Identifier: MIT */
/* The memory of a plan of amplitudes on a GPU; called by scattering_amplitude.cu. */
#include "amplitude_plan.cuh"

#include <stdlib.h>

/* Half a thousand terms a thread, some hundreds of blocks for a frame of a million atoms. */
constexpr size_t SECTION_ENTRIES = 2048;
constexpr size_t BATCH_POSITION_BYTES = (size_t)32 << 20;
constexpr size_t BATCH_SUM_BYTES = (size_t)64 << 20;
constexpr size_t BATCH_FRAMES = 4096;

/* Sizes that follow from the settings. */
static void
set_sizes(DebyeCudaAmplitudePlan *plan)
{
  const DebyeAmplitudeSettings *settings = &plan->settings;
  const DebyeScatteringGroups *groups = &settings->groups;
  plan->n_entries = debye_scattering_n_entries(groups);
  plan->n_sections = 0;
  for (size_t g = 0; g < groups->n_groups; g++)
    plan->n_sections += debye_amplitude_pieces(groups->first[g + 1] - groups->first[g], SECTION_ENTRIES);
  plan->padded =
      debye_amplitude_larger(debye_amplitude_pieces(settings->max_vectors, DEBYE_AMPLITUDE_LARGEST_TILE), 1) *
      DEBYE_AMPLITUDE_LARGEST_TILE;
  const size_t position_bytes = 3 * sizeof(float) * debye_amplitude_larger(plan->n_entries, 1);
  const size_t out_bytes =
      sizeof(double2) * groups->n_groups * debye_amplitude_larger(settings->max_vectors, 1);
  const size_t least_sums =
      sizeof(double2) * debye_amplitude_larger(plan->n_sections, 1) * DEBYE_AMPLITUDE_LARGEST_TILE;
  size_t batch = debye_amplitude_smaller(debye_amplitude_smaller(settings->max_frames, BATCH_FRAMES),
                                         BATCH_POSITION_BYTES / position_bytes);
  batch = debye_amplitude_smaller(
      batch, debye_amplitude_smaller(BATCH_SUM_BYTES / out_bytes, BATCH_SUM_BYTES / least_sums));
  /* Several of them, so that copies hide behind sums. */
  plan->batch = debye_amplitude_larger(
      debye_amplitude_smaller(batch, debye_amplitude_pieces(settings->max_frames, DEBYE_AMPLITUDE_BATCHES)),
      1);
  plan->chunk_tiles =
      DEBYE_AMPLITUDE_LARGEST_TILE / 32 *
      debye_amplitude_larger(debye_amplitude_smaller(BATCH_SUM_BYTES / (least_sums * plan->batch),
                                                     plan->padded / DEBYE_AMPLITUDE_LARGEST_TILE),
                             1);
}

static size_t
slot_position_bytes(const DebyeCudaAmplitudePlan *plan)
{
  return plan->batch * 3 * sizeof(float) * debye_amplitude_larger(plan->n_entries, 1);
}

static size_t
slot_out_bytes(const DebyeCudaAmplitudePlan *plan)
{
  return plan->batch * sizeof(double2) * plan->settings.groups.n_groups *
         debye_amplitude_larger(plan->settings.max_vectors, 1);
}

static size_t
slot_sum_bytes(const DebyeCudaAmplitudePlan *plan)
{
  return plan->batch * sizeof(double2) * debye_amplitude_larger(plan->n_sections, 1) * plan->chunk_tiles * 32;
}

uint64_t
debye_cuda_amplitude_bytes(int device, const DebyeAmplitudeSettings *settings)
{
  (void)device;
  if (debye_amplitude_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  DebyeCudaAmplitudePlan plan = {};
  plan.settings = *settings;
  set_sizes(&plan);
  if (plan.n_entries > UINT32_MAX)
    return SIZE_MAX;
  return 2 * (2 * slot_position_bytes(&plan) + 2 * slot_out_bytes(&plan) + slot_sum_bytes(&plan)) +
         2 * 6 * sizeof(double) * plan.padded + sizeof(float) * plan.n_entries +
         sizeof(DebyeAmplitudeSection) * plan.n_sections;
}

void
debye_cuda_amplitude_plan_free(DebyeCudaAmplitudePlan *plan)
{
  if (plan == NULL)
    return;
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  for (DebyeAmplitudeSlot &slot : plan->slots) {
    if (slot.stream != NULL)
      cudaStreamDestroy(slot.stream);
    if (slot.done != NULL)
      cudaEventDestroy(slot.done);
    cudaFree(slot.positions);
    cudaFree(slot.out);
    cudaFree(slot.sums);
    cudaFreeHost(slot.positions_host);
    cudaFreeHost(slot.out_host);
  }
  cudaFree(plan->sections);
  cudaFree(plan->group_section);
  cudaFree(plan->weight);
  cudaFree(plan->bias);
  cudaFree(plan->turns);
  cudaFreeHost(plan->turns_host);
  cudaGetLastError();
  free(plan->sections_host);
  free(plan);
}

static double
section_weight(const DebyeCudaAmplitudePlan *plan, const DebyeAmplitudeSection *section)
{
  const float *weight = plan->settings.groups.weight;
  double sum = weight != NULL ? 0.0 : (double)section->count;
  for (size_t i = 0; weight != NULL && i < section->count; i++)
    sum += (double)weight[section->first + i];
  return sum;
}

/* What the special function unit is off by in the mean over a turn adds up over atoms, as nothing else of its
 * error does: Σ_m e_m A(mq) with the error's harmonics e_m, of which only e_0 meets all atoms in phase. It is
 * taken off. */
static cudaError_t
set_bias(DebyeCudaAmplitudePlan *plan)
{
  double2 mean;
  cudaError_t error = debye_cuda_amplitude_mean_error(&mean);
  double2 *bias = (double2 *)calloc(plan->n_sections + 1, sizeof *bias);
  if (error == cudaSuccess && bias == NULL)
    error = cudaErrorMemoryAllocation;
  for (size_t i = 0; i < plan->n_sections && error == cudaSuccess; i++) {
    const double weight = section_weight(plan, &plan->sections_host[i]);
    bias[i] = make_double2(mean.x * weight, mean.y * weight);
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->bias, bias, plan->n_sections * sizeof *bias, cudaMemcpyHostToDevice);
  free(bias);
  return error;
}

static cudaError_t
set_sections(DebyeCudaAmplitudePlan *plan)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  DebyeAmplitudeSection *sections = plan->sections_host;
  unsigned *group_section = (unsigned *)calloc(groups->n_groups + 1, sizeof *group_section);
  cudaError_t error = group_section != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
  unsigned n = 0;
  for (size_t g = 0; g < groups->n_groups && error == cudaSuccess; g++) {
    for (size_t first = groups->first[g]; first < groups->first[g + 1]; first += SECTION_ENTRIES)
      sections[n++] = {(uint32_t)first,
                       (uint32_t)debye_amplitude_smaller(SECTION_ENTRIES, groups->first[g + 1] - first)};
    group_section[g + 1] = n;
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->sections, sections, plan->n_sections * sizeof *sections, cudaMemcpyHostToDevice);
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->group_section, group_section, (groups->n_groups + 1) * sizeof *group_section,
                       cudaMemcpyHostToDevice);
  if (error == cudaSuccess && groups->weight != NULL)
    error = cudaMemcpy(plan->weight, groups->weight, plan->n_entries * sizeof *plan->weight,
                       cudaMemcpyHostToDevice);
  free(group_section);
  return error;
}

static cudaError_t
make_slot(const DebyeCudaAmplitudePlan *plan, DebyeAmplitudeSlot *slot)
{
  cudaError_t error = cudaStreamCreateWithFlags(&slot->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->positions, slot_position_bytes(plan));
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->out, slot_out_bytes(plan));
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->sums, slot_sum_bytes(plan));
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&slot->positions_host, slot_position_bytes(plan), cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&slot->out_host, slot_out_bytes(plan), cudaHostAllocDefault);
  return error;
}

/* Those that compute in double at half the speed of float have them; consumers' devices have a few units in
 * double for show. Code compiled for an older generation, which the driver has translated for this one, lacks
 * them. */
static cudaError_t
look_for_matrices(DebyeCudaAmplitudePlan *plan)
{
  int ratio = 0, generation = 0;
  bool compiled = false;
  cudaError_t error =
      cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, plan->device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, plan->device);
  if (error == cudaSuccess)
    error = debye_cuda_amplitude_has_matrices(&compiled);
  plan->matrices = compiled && generation >= 8 && ratio <= 4;
  return error;
}

static cudaError_t
make_device_parts(DebyeCudaAmplitudePlan *plan)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = look_for_matrices(plan);
  for (DebyeAmplitudeSlot &slot : plan->slots)
    if (error == cudaSuccess)
      error = make_slot(plan, &slot);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->sections, (plan->n_sections + 1) * sizeof *plan->sections);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->group_section, (groups->n_groups + 1) * sizeof *plan->group_section);
  if (error == cudaSuccess && groups->weight != NULL)
    error = cudaMalloc(&plan->weight, debye_amplitude_larger(plan->n_entries, 1) * sizeof *plan->weight);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->turns, 6 * plan->padded * sizeof *plan->turns);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->turns_host, 6 * plan->padded * sizeof *plan->turns_host,
                          cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->bias, (plan->n_sections + 1) * sizeof *plan->bias);
  if (error == cudaSuccess)
    error = set_sections(plan);
  if (error == cudaSuccess && !plan->settings.double_precision)
    error = set_bias(plan);
  /* Copies from memory that is not pinned may still be under way, and streams don't wait for them. */
  return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

DebyeCudaAmplitudePlan *
debye_cuda_amplitude_plan_new(int device, const DebyeAmplitudeSettings *settings, DebyeStatus *status)
{
  if (debye_amplitude_settings_check(settings, status) != DEBYE_STATUS_OK)
    return NULL;
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)calloc(1, sizeof *plan);
  if (plan == NULL) {
    debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "The host has no memory for a plan.");
    return NULL;
  }
  plan->device = device;
  plan->settings = *settings;
  set_sizes(plan);
  plan->sections_host = (DebyeAmplitudeSection *)calloc(plan->n_sections + 1, sizeof *plan->sections_host);
  const cudaError_t error = plan->sections_host != NULL ? make_device_parts(plan) : cudaErrorMemoryAllocation;
  if (debye_cuda_status(error, "planning amplitudes", status) == DEBYE_STATUS_OK)
    return plan;
  debye_cuda_amplitude_plan_free(plan);
  return NULL;
}
