/* SPDX-License-Identifier: MIT */
/* The plan of amplitudes on a GPU; called by scattering_amplitude.cu. */
#include "amplitude_plan.cuh"

/* Half a thousand terms a thread, some hundreds of blocks for a frame of a million atoms. */
constexpr size_t SECTION_ENTRIES = 2048;
constexpr size_t BATCH_POSITION_BYTES = (size_t)32 << 20;
constexpr size_t BATCH_SUM_BYTES = (size_t)64 << 20;
constexpr size_t BATCH_FRAMES = 4096;

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)made;
  const DebyeAmplitudeSettings *settings = (const DebyeAmplitudeSettings *)data;
  const DebyeScatteringGroups *groups = &settings->groups;
  const DebyeStatusCode code = debye_amplitude_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->device = device;
  plan->settings = *settings;
  plan->n_entries = debye_scattering_n_entries(groups);
  plan->packed_atoms = debye_scattering_packed_atoms(groups, settings->n_atoms, settings->may_be_packed);
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
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)made;
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  const size_t positions = plan->batch * 3 * plan->n_entries;
  const size_t out = plan->batch * groups->n_groups * plan->settings.max_vectors;
  for (DebyeAmplitudeSlot &slot : plan->slots) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, slot.positions, positions);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, slot.positions_host, positions);
    debye_cuda_packed_list(&slot.packed, &plan->packed_atoms, memory);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, slot.out, out);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, slot.out_host, out);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, slot.sums,
                     plan->batch * plan->n_sections * plan->chunk_tiles * 32);
  }
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->sections, plan->n_sections);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->sections_host, plan->n_sections);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->group_section, groups->n_groups + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->group_section_host, groups->n_groups + 1);
  if (groups->weight != NULL)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->weight, plan->n_entries);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->turns, 6 * plan->padded);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->turns_host, 6 * plan->padded);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->rays, 6 * debye_amplitude_ray_stride(plan));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->rays_host, 6 * debye_amplitude_ray_stride(plan));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->places, debye_amplitude_n_places(plan));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->places_host, debye_amplitude_n_places(plan));
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->bias, plan->n_sections);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->bias_host, plan->n_sections);
  if (plan->n_entries > UINT32_MAX) /* what the kernels count with */
    debye_plan_memory_add_bytes(memory, UINT64_MAX);
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
static void
set_bias(DebyeCudaAmplitudePlan *plan, DebyeStream *stream)
{
  double2 mean;
  debye_stream_note(stream, debye_cuda_amplitude_mean_error(&mean));
  for (size_t i = 0; i < plan->n_sections; i++) {
    const double weight = section_weight(plan, &plan->sections_host[i]);
    plan->bias_host[i] = make_double2(mean.x * weight, mean.y * weight);
  }
  debye_stream_upload(stream, plan->bias, plan->bias_host, plan->n_sections * sizeof *plan->bias);
}

static void
set_sections(DebyeCudaAmplitudePlan *plan, DebyeStream *stream)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  unsigned n = 0;
  for (size_t g = 0; g < groups->n_groups; g++) {
    for (size_t first = groups->first[g]; first < groups->first[g + 1]; first += SECTION_ENTRIES)
      plan->sections_host[n++] = {
          (uint32_t)first, (uint32_t)debye_amplitude_smaller(SECTION_ENTRIES, groups->first[g + 1] - first)};
    plan->group_section_host[g + 1] = n;
  }
  debye_stream_upload(stream, plan->sections, plan->sections_host, plan->n_sections * sizeof *plan->sections);
  debye_stream_upload(stream, plan->group_section, plan->group_section_host,
                      (groups->n_groups + 1) * sizeof *plan->group_section);
  if (groups->weight != NULL)
    debye_stream_upload(stream, plan->weight, groups->weight, plan->n_entries * sizeof *plan->weight);
}

/* Those that compute in double at half the speed of float have them; consumers' devices have a few units in
 * double for show. Code compiled for an older generation, which the driver has translated for this one, lacks
 * them. */
static void
look_for_matrices(DebyeCudaAmplitudePlan *plan, DebyeStream *stream)
{
  int ratio = 0, generation = 0;
  bool compiled = false;
  debye_stream_note(
      stream, cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, plan->device));
  debye_stream_note(stream,
                    cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, plan->device));
  debye_stream_note(stream, debye_cuda_amplitude_has_matrices(&compiled));
  plan->matrices = compiled && generation >= 8 && ratio <= 4;
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)made;
  DebyeStream *stream = &plan->slots[0].stream;
  for (DebyeAmplitudeSlot &slot : plan->slots) {
    debye_stream_open(&slot.stream);
    debye_stream_new_event(stream, &slot.done);
    debye_cuda_packed_open(&slot.packed, &plan->packed_atoms, stream);
  }
  debye_stream_note(stream, plan->slots[1].stream.error);
  look_for_matrices(plan, stream);
  set_sections(plan, stream);
  if (!plan->settings.double_precision)
    set_bias(plan, stream);
  return debye_stream_finish(stream, "planning amplitudes", status);
}

static void
clear(void *made)
{
  DebyeCudaAmplitudePlan *plan = (DebyeCudaAmplitudePlan *)made;
  cudaSetDevice(plan->device);
  for (DebyeAmplitudeSlot &slot : plan->slots) {
    debye_stream_close(&slot.stream);
    debye_event_free(slot.done);
    debye_cuda_packed_close(&slot.packed);
  }
}

const DebyePlanKind debye_cuda_amplitude_plan_kind =
    DEBYE_PLAN_KIND(DebyeCudaAmplitudePlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear);
