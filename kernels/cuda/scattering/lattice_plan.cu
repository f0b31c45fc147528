/* SPDX-License-Identifier: MIT */
/* The plan of a reciprocal lattice's amplitudes on a GPU; called by scattering_lattice.cu. */
#include "lattice_plan.cuh"

#include <string.h>

static size_t
n_factors(const DebyeCudaLatticePlan *plan, int axis)
{
  return 2 * (size_t)plan->settings.extent[axis] + 1;
}

static size_t
larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static size_t
real_bytes(const DebyeLatticeSpread *spread)
{
  return spread->double_precision ? sizeof(double) : sizeof(float);
}

static DebyeFourierSettings
fourier_settings(const DebyeLatticeSpread *spread)
{
  DebyeFourierSettings settings = {};
  settings.real = true;
  settings.double_precision = spread->double_precision;
  memcpy(settings.shape, spread->mesh, sizeof settings.shape);
  settings.batch = 1;
  return settings;
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)made;
  const DebyeLatticeSettings *settings = (const DebyeLatticeSettings *)data;
  const DebyeStatusCode code = debye_lattice_settings_check(settings, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->device = device;
  plan->settings = *settings;
  plan->spread = debye_lattice_spread(settings);
  const DebyeFourierSettings fourier = fourier_settings(&plan->spread);
  plan->n_entries = debye_scattering_n_entries(&settings->groups);
  plan->packed_atoms =
      debye_scattering_packed_atoms(&settings->groups, settings->n_atoms, settings->may_be_packed);
  plan->n_mesh = debye_fourier_n_real(&fourier);
  plan->n_complex = debye_fourier_n_complex(&fourier);
  plan->n_values = debye_lattice_n_values(settings->extent);
  return code;
}

/* Of the whole numbers, and what else is kept there. */
static size_t
whole_bytes(const DebyeCudaLatticePlan *plan)
{
  const size_t whole = plan->n_mesh * sizeof(unsigned long long), widened = plan->n_values * sizeof(double2);
  return larger(larger(whole, widened), plan->n_complex * 2 * sizeof(float));
}

static size_t
other_bytes(const DebyeCudaLatticePlan *plan)
{
  return plan->spread.double_precision ? plan->n_complex * 2 * sizeof(double) : plan->n_mesh * sizeof(float);
}

static size_t
amplitude_bytes(const DebyeCudaLatticePlan *plan)
{
  return plan->settings.groups.n_groups * plan->n_values * 2 * real_bytes(&plan->spread);
}

size_t
debye_cuda_lattice_sum_bytes(const DebyeCudaLatticePlan *plan)
{
  const size_t n_groups = plan->settings.groups.n_groups;
  return plan->settings.sums
             ? debye_lattice_n_pairs(n_groups) * debye_lattice_n_sums(&plan->settings) * sizeof(double)
             : 0;
}

static bool
adds_by_length(const DebyeCudaLatticePlan *plan)
{
  return plan->settings.sums && plan->settings.by_length;
}

size_t
debye_cuda_lattice_chosen_bytes(const DebyeCudaLatticePlan *plan)
{
  return plan->settings.groups.n_groups * plan->settings.n_chosen * sizeof(double2);
}

/* Whether the mesh in whole numbers is too large for the second-level cache. */
static bool
is_beyond_cache(const DebyeCudaLatticePlan *plan)
{
  int bytes = 0;
  return cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, plan->device) == cudaSuccess &&
         plan->n_mesh * sizeof(unsigned long long) > (size_t)bytes;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)made;
  const DebyeLatticeSettings *settings = &plan->settings;
  const DebyeFourierSettings fourier = fourier_settings(&plan->spread);
  debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->whole, whole_bytes(plan), 1);
  debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->other, other_bytes(plan), 1);
  debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->amplitudes, amplitude_bytes(plan), 1);
  debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->sums, debye_cuda_lattice_sum_bytes(plan), 1);
  debye_plan_memory_add(memory, DEBYE_MEMORY_DEVICE, &plan->chosen, debye_cuda_lattice_chosen_bytes(plan), 1);
  debye_plan_memory_add(memory, DEBYE_MEMORY_PINNED, &plan->chosen_host,
                        debye_cuda_lattice_chosen_bytes(plan), 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->positions, 3 * plan->n_entries);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->positions_host, 3 * plan->n_entries);
  if (is_beyond_cache(plan)) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->bin_starts, DEBYE_LATTICE_BINS);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->order, plan->n_entries);
  }
  debye_cuda_packed_list(&plan->packed, &plan->packed_atoms, memory);
  for (int axis = 0; axis < 3; axis++) {
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->factor[axis], n_factors(plan, axis));
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->factor_host[axis], n_factors(plan, axis));
  }
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->places, settings->n_chosen);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->places_host, settings->n_chosen);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->units_host, settings->groups.n_groups);
  if (adds_by_length(plan)) {
    const size_t n_starts = debye_lattice_n_lengths(settings->extent) + 1;
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->of_length, plan->n_values);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->of_length_host, plan->n_values);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->length_starts, n_starts);
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->length_starts_host, n_starts);
  }
  if (settings->groups.weight != NULL)
    DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->weight, plan->n_entries);
  debye_plan_memory_add_bytes(memory, debye_cuda_fourier_bytes(&fourier));
  /* What the kernels count with. */
  if (plan->n_entries > UINT32_MAX || (adds_by_length(plan) && plan->n_values > UINT32_MAX))
    debye_plan_memory_add_bytes(memory, UINT64_MAX);
}

/* Planning. */

static void
set_factors(DebyeCudaLatticePlan *plan)
{
  for (int axis = 0; axis < 3; axis++) {
    debye_lattice_factors(&plan->spread, axis, plan->settings.extent[axis], plan->factor_host[axis]);
    debye_stream_upload(&plan->stream, plan->factor[axis], plan->factor_host[axis],
                        n_factors(plan, axis) * sizeof(double));
  }
}

static void
set_places(DebyeCudaLatticePlan *plan)
{
  const DebyeLatticeSettings *settings = &plan->settings;
  for (size_t i = 0; i < settings->n_chosen; i++) {
    const DebyeMiller m = settings->chosen[i];
    const int sign = m.h < 0 ? -1 : 1;
    plan->places_host[i] =
        sign * (long long)(debye_lattice_index(settings->extent, sign * m.h, sign * m.k, sign * m.l) + 1);
  }
  debye_stream_upload(&plan->stream, plan->places, plan->places_host, settings->n_chosen * sizeof(long long));
}

/* The power of two of whole numbers a unit of weight that the sum of all weights in one place can't leave the
 * range of, with a place to spare for rounding. */
static void
set_weights(DebyeCudaLatticePlan *plan)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  for (size_t g = 0; g < groups->n_groups; g++) {
    double sum = groups->weight != NULL ? 0.0 : (double)(groups->first[g + 1] - groups->first[g]);
    for (size_t i = groups->first[g]; groups->weight != NULL && i < groups->first[g + 1]; i++)
      sum += fabs((double)groups->weight[i]);
    plan->units_host[g] = sum > 0.0 ? exp2(floor(61.0 - log2(sum))) : 1.0;
  }
  if (groups->weight != NULL)
    debye_stream_upload(&plan->stream, plan->weight, groups->weight, plan->n_entries * sizeof *plan->weight);
}

/* Counted when `places` is NULL, into starts[length + 1]; else put into their order, which is that of the half array, and
 * starts become those of the next length. */
static void
visit_lengths(const unsigned extent[3], uint32_t *starts, uint32_t *places)
{
  const int height = (int)extent[1], depth = (int)extent[2];
  const size_t n_lengths = debye_lattice_n_lengths(extent);
  for (int l = -depth; l <= depth; l++)
    for (int k = -height; k <= height; k++) {
      const size_t square = (size_t)(k * k) + (size_t)(l * l), at = debye_lattice_index(extent, 0, k, l);
      for (size_t h = 0; square + h * h < n_lengths; h++)
        if (places == NULL)
          starts[square + h * h + 1]++;
        else
          places[starts[square + h * h]++] = (uint32_t)(at + h);
    }
}

static void
set_lengths(DebyeCudaLatticePlan *plan)
{
  const unsigned *extent = plan->settings.extent;
  const size_t n_lengths = debye_lattice_n_lengths(extent);
  uint32_t *starts = plan->length_starts_host;
  if (!adds_by_length(plan))
    return;
  visit_lengths(extent, starts, NULL);
  for (size_t i = 0; i < n_lengths; i++)
    starts[i + 1] += starts[i];
  const size_t n_places = starts[n_lengths];
  visit_lengths(extent, starts, plan->of_length_host);
  memmove(starts + 1, starts, n_lengths * sizeof *starts);
  starts[0] = 0;
  debye_stream_upload(&plan->stream, plan->of_length, plan->of_length_host, n_places * sizeof(uint32_t));
  debye_stream_upload(&plan->stream, plan->length_starts, starts, (n_lengths + 1) * sizeof *starts);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)made;
  const DebyeFourierSettings fourier = fourier_settings(&plan->spread);
  debye_stream_open(&plan->stream);
  debye_stream_clear(&plan->stream, plan->sums, debye_cuda_lattice_sum_bytes(plan));
  set_factors(plan);
  set_places(plan);
  set_weights(plan);
  set_lengths(plan);
  debye_cuda_packed_open(&plan->packed, &plan->packed_atoms, &plan->stream);
  const DebyeStatusCode code = debye_stream_finish(&plan->stream, "planning a reciprocal lattice", status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_fourier_create(&fourier, plan->stream.handle, &plan->fourier, status)
             : code;
}

static void
clear(void *made)
{
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)made;
  cudaSetDevice(plan->device);
  debye_cuda_fourier_destroy(plan->fourier);
  debye_cuda_packed_close(&plan->packed);
  debye_stream_close(&plan->stream);
}

const DebyePlanKind debye_cuda_lattice_plan_kind =
    DEBYE_PLAN_KIND(DebyeCudaLatticePlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear);
