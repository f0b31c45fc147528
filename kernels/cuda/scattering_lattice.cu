/* SPDX-License-Identifier: MIT */
/* All amplitudes of a reciprocal lattice on a GPU; its twin is cpu/scattering_lattice.c. */
#include "scattering_lattice.cuh"

#include <stdlib.h>
#include <string.h>

#include "device.cuh"
#include "fourier.cuh"
#include "kernels/chunk_threads.h"

constexpr unsigned THREADS = 256, MOST_BLOCKS = 132 * 32;
constexpr size_t CHUNK_ENTRIES = (size_t)1 << 16;

typedef struct {
  int device;
  DebyeLatticeSettings settings;
  DebyeLatticeSpread spread;
  size_t n_entries, n_mesh, n_complex, n_values;
  cudaStream_t stream;
  DebyeCudaFourier *fourier;
  /* The mesh in whole numbers; in double the same memory holds it as the transform takes it, in float it
   * holds the transform. */
  unsigned long long *whole;
  void *other; /* the transform in double, the mesh in float */
  void *amplitudes;
  double *sums;
  double *factor[3];
  float *positions, *positions_host, *weight;
  double *units_host; /* of each group */
  long long *places;
  double2 *chosen, *chosen_host;
  bool has_frame;
} DebyeLatticeCudaPlan;

/* A frame that the host brings into the order of the groups. */
struct Gathering {
  const DebyeLatticeCudaPlan *plan;
  const DebyeScatteringFrame *frame;
  uint64_t first_bad;
};

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

/* Sizes that follow from the settings. */
static void
set_sizes(DebyeLatticeCudaPlan *plan, const DebyeLatticeSettings *settings)
{
  plan->settings = *settings;
  plan->spread = debye_lattice_spread(settings);
  const DebyeFourierSettings fourier = fourier_settings(&plan->spread);
  plan->n_entries = debye_scattering_n_entries(&settings->groups);
  plan->n_mesh = debye_fourier_n_real(&fourier);
  plan->n_complex = debye_fourier_n_complex(&fourier);
  plan->n_values = debye_lattice_n_values(settings->extent);
}

/* Of the whole numbers, and what else is kept there. */
static size_t
whole_bytes(const DebyeLatticeCudaPlan *plan)
{
  const size_t whole = plan->n_mesh * sizeof(unsigned long long), widened = plan->n_values * sizeof(double2);
  return larger(larger(whole, widened), plan->n_complex * 2 * sizeof(float));
}

static size_t
other_bytes(const DebyeLatticeCudaPlan *plan)
{
  return plan->spread.double_precision ? plan->n_complex * 2 * sizeof(double) : plan->n_mesh * sizeof(float);
}

static size_t
amplitude_bytes(const DebyeLatticeCudaPlan *plan)
{
  return plan->settings.groups.n_groups * plan->n_values * 2 * real_bytes(&plan->spread);
}

static size_t
sum_bytes(const DebyeLatticeCudaPlan *plan)
{
  const size_t n_groups = plan->settings.groups.n_groups;
  return plan->settings.sums ? debye_lattice_n_pairs(n_groups) * plan->n_values * sizeof(double) : 0;
}

static size_t
chosen_bytes(const DebyeLatticeCudaPlan *plan)
{
  return plan->settings.groups.n_groups * plan->settings.n_chosen * sizeof(double2);
}

static uint64_t
bytes_needed(int device, const DebyeLatticeSettings *settings)
{
  (void)device;
  if (debye_lattice_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  DebyeLatticeCudaPlan plan = {};
  set_sizes(&plan, settings);
  const DebyeFourierSettings fourier = fourier_settings(&plan.spread);
  if (plan.n_entries > UINT32_MAX)
    return SIZE_MAX;
  return whole_bytes(&plan) + other_bytes(&plan) + amplitude_bytes(&plan) + sum_bytes(&plan) +
         chosen_bytes(&plan) + 4 * sizeof(float) * plan.n_entries + debye_cuda_fourier_bytes(&fourier);
}

static void
destroy(DebyeLatticePlan *handle)
{
  DebyeLatticeCudaPlan *plan = (DebyeLatticeCudaPlan *)handle;
  if (plan == NULL)
    return;
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  debye_cuda_fourier_destroy(plan->fourier);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  cudaFree(plan->whole);
  cudaFree(plan->other);
  cudaFree(plan->amplitudes);
  cudaFree(plan->sums);
  for (double *factor : plan->factor)
    cudaFree(factor);
  cudaFree(plan->positions);
  cudaFree(plan->weight);
  cudaFree(plan->places);
  cudaFree(plan->chosen);
  cudaFreeHost(plan->positions_host);
  cudaFreeHost(plan->chosen_host);
  cudaGetLastError();
  free(plan->units_host);
  free(plan);
}

/* Planning. */

static cudaError_t
set_factors(DebyeLatticeCudaPlan *plan)
{
  cudaError_t error = cudaSuccess;
  for (int axis = 0; axis < 3 && error == cudaSuccess; axis++) {
    const unsigned extent = plan->settings.extent[axis];
    const size_t bytes = (2 * (size_t)extent + 1) * sizeof(double);
    double *factor = (double *)malloc(bytes);
    error = factor != NULL ? cudaMalloc(&plan->factor[axis], bytes) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
      debye_lattice_factors(&plan->spread, axis, extent, factor);
      error = cudaMemcpy(plan->factor[axis], factor, bytes, cudaMemcpyHostToDevice);
    }
    free(factor);
  }
  return error;
}

static cudaError_t
set_places(DebyeLatticeCudaPlan *plan)
{
  const DebyeLatticeSettings *settings = &plan->settings;
  const size_t bytes = larger(settings->n_chosen, 1) * sizeof(long long);
  long long *places = (long long *)calloc(1, bytes);
  cudaError_t error = places != NULL ? cudaMalloc(&plan->places, bytes) : cudaErrorMemoryAllocation;
  for (size_t i = 0; i < settings->n_chosen && error == cudaSuccess; i++) {
    const DebyeMiller m = settings->chosen[i];
    const int sign = m.h < 0 ? -1 : 1;
    places[i] =
        sign * (long long)(debye_lattice_index(settings->extent, sign * m.h, sign * m.k, sign * m.l) + 1);
  }
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->places, places, bytes, cudaMemcpyHostToDevice);
  free(places);
  return error;
}

/* The power of two of whole numbers a unit of weight that the sum of all weights in one place can't leave the
 * range of, with a place to spare for rounding. */
static cudaError_t
set_weights(DebyeLatticeCudaPlan *plan)
{
  const DebyeScatteringGroups *groups = &plan->settings.groups;
  plan->units_host = (double *)calloc(groups->n_groups, sizeof *plan->units_host);
  if (plan->units_host == NULL)
    return cudaErrorMemoryAllocation;
  for (size_t g = 0; g < groups->n_groups; g++) {
    double sum = groups->weight != NULL ? 0.0 : (double)(groups->first[g + 1] - groups->first[g]);
    for (size_t i = groups->first[g]; groups->weight != NULL && i < groups->first[g + 1]; i++)
      sum += fabs((double)groups->weight[i]);
    plan->units_host[g] = sum > 0.0 ? exp2(floor(61.0 - log2(sum))) : 1.0;
  }
  if (groups->weight == NULL)
    return cudaSuccess;
  cudaError_t error = cudaMalloc(&plan->weight, larger(plan->n_entries, 1) * sizeof *plan->weight);
  if (error == cudaSuccess)
    error = cudaMemcpy(plan->weight, groups->weight, plan->n_entries * sizeof *plan->weight,
                       cudaMemcpyHostToDevice);
  return error;
}

static cudaError_t
make_device_parts(DebyeLatticeCudaPlan *plan)
{
  const size_t position_bytes = 3 * sizeof(float) * larger(plan->n_entries, 1);
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->whole, whole_bytes(plan));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->other, other_bytes(plan));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->amplitudes, amplitude_bytes(plan));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->sums, larger(sum_bytes(plan), 1));
  if (error == cudaSuccess)
    error = cudaMemset(plan->sums, 0, larger(sum_bytes(plan), 1));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->positions, position_bytes);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->positions_host, position_bytes, cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->chosen, larger(chosen_bytes(plan), 1));
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->chosen_host, larger(chosen_bytes(plan), 1), cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = set_factors(plan);
  if (error == cudaSuccess)
    error = set_places(plan);
  if (error == cudaSuccess)
    error = set_weights(plan);
  /* Copies from memory that is not pinned may still be under way, and streams don't wait for them. */
  return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

static DebyeStatusCode
create(int device, const DebyeLatticeSettings *settings, DebyeLatticePlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  if (debye_lattice_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeLatticeCudaPlan *made = (DebyeLatticeCudaPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "The host has no memory for a plan.");
  made->device = device;
  set_sizes(made, settings);
  DebyeStatusCode code = debye_cuda_status(make_device_parts(made), "planning a reciprocal lattice", status);
  if (code == DEBYE_STATUS_OK) {
    const DebyeFourierSettings fourier = fourier_settings(&made->spread);
    code = debye_cuda_fourier_create(&fourier, made->stream, &made->fourier, status);
  }
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyeLatticePlan *)made);
    return code;
  }
  *plan = (DebyeLatticePlan *)made;
  return debye_status_ok(status);
}

/* A frame. */

static void
gather_chunk(void *context, size_t chunk)
{
  Gathering *gathering = (Gathering *)context;
  const DebyeLatticeCudaPlan *plan = gathering->plan;
  const size_t first = chunk * CHUNK_ENTRIES, left = plan->n_entries - first;
  float *x = plan->positions_host + first, *y = x + plan->n_entries;
  const uint64_t bad =
      debye_scattering_gather(&plan->settings.groups, gathering->frame, first,
                              left < CHUNK_ENTRIES ? left : CHUNK_ENTRIES, x, y, y + plan->n_entries);
  uint64_t known = __atomic_load_n(&gathering->first_bad, __ATOMIC_RELAXED);
  while (bad < known && !__atomic_compare_exchange_n(&gathering->first_bad, &known, bad, true,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static unsigned
blocks_for(size_t n)
{
  const size_t blocks = (n + THREADS - 1) / THREADS;
  return blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks > 0 ? (unsigned)blocks : 1;
}

static cudaError_t
spread_group(const DebyeLatticeCudaPlan *plan, size_t group, const DebyeLatticeTurn *turn)
{
  const size_t first = plan->settings.groups.first[group];
  DebyeLatticeLaunch launch = {};
  launch.spread = plan->spread;
  launch.turn = *turn;
  for (size_t axis = 0; axis < 3; axis++)
    launch.position[axis] = plan->positions + axis * plan->n_entries + first;
  launch.weight = plan->weight != NULL ? plan->weight + first : NULL;
  launch.n_entries = (unsigned)(plan->settings.groups.first[group + 1] - first);
  launch.units = plan->units_host[group];
  launch.whole = plan->whole;
  const unsigned blocks = (launch.n_entries + DEBYE_LATTICE_WARPS - 1) / DEBYE_LATTICE_WARPS;
  cudaError_t error = cudaMemsetAsync(plan->whole, 0, plan->n_mesh * sizeof *plan->whole, plan->stream);
  if (error != cudaSuccess || blocks == 0)
    return error;
  if (plan->spread.width <= 8)
    debye_lattice_spread_atoms<8><<<blocks, 32 * DEBYE_LATTICE_WARPS, 0, plan->stream>>>(launch);
  else
    debye_lattice_spread_atoms<16><<<blocks, 32 * DEBYE_LATTICE_WARPS, 0, plan->stream>>>(launch);
  return cudaGetLastError();
}

/* From the mesh in whole numbers to the group's amplitudes. */
template <class Real, class Complex>
static DebyeStatusCode
transform_group(const DebyeLatticeCudaPlan *plan, size_t group, Real *mesh, Complex *transform,
                DebyeStatus *status)
{
  const unsigned *extent = plan->settings.extent;
  debye_lattice_to_real<Real><<<blocks_for(plan->n_mesh), THREADS, 0, plan->stream>>>(
      plan->whole, 1.0 / plan->units_host[group], plan->n_mesh, mesh);
  const DebyeStatusCode code = debye_cuda_fourier_real_forward(plan->fourier, mesh, transform, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_lattice_take<Complex><<<blocks_for(plan->n_values), THREADS, 0, plan->stream>>>(
      transform, plan->spread, make_uint3(extent[0], extent[1], extent[2]), plan->factor[0], plan->factor[1],
      plan->factor[2], (Complex *)plan->amplitudes + group * plan->n_values);
  return debye_cuda_status(cudaGetLastError(), "transforming the mesh", status);
}

static DebyeStatusCode
compute_group(const DebyeLatticeCudaPlan *plan, size_t group, const DebyeLatticeTurn *turn,
              DebyeStatus *status)
{
  const cudaError_t error = spread_group(plan, group, turn);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "spreading atoms", status);
  if (plan->spread.double_precision)
    return transform_group<double, double2>(plan, group, (double *)plan->whole, (double2 *)plan->other,
                                            status);
  return transform_group<float, float2>(plan, group, (float *)plan->other, (float2 *)plan->whole, status);
}

/* Products and chosen amplitudes of a frame that is complete. */
template <class Complex>
static cudaError_t
take_results(const DebyeLatticeCudaPlan *plan, bool chosen)
{
  const Complex *amplitudes = (const Complex *)plan->amplitudes;
  const unsigned n_groups = (unsigned)plan->settings.groups.n_groups;
  const unsigned n_chosen = (unsigned)plan->settings.n_chosen;
  if (plan->settings.sums)
    debye_lattice_add_products<Complex><<<blocks_for(plan->n_values), THREADS, 0, plan->stream>>>(
        amplitudes, plan->n_values, n_groups, plan->sums);
  if (!chosen || n_chosen == 0)
    return cudaGetLastError();
  debye_lattice_pick<Complex>
      <<<dim3((n_chosen + THREADS - 1) / THREADS, n_groups), THREADS, 0, plan->stream>>>(
          amplitudes, plan->n_values, plan->places, n_chosen, plan->chosen);
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? cudaMemcpyAsync(plan->chosen_host, plan->chosen, chosen_bytes(plan),
                                                cudaMemcpyDeviceToHost, plan->stream)
                              : error;
}

static DebyeStatusCode
bring_frame(DebyeLatticeCudaPlan *plan, const DebyeScatteringFrame *frame, DebyeStatus *status)
{
  Gathering gathering = {plan, frame, UINT64_MAX};
  debye_chunk_threads_run((plan->n_entries + CHUNK_ENTRIES - 1) / CHUNK_ENTRIES, gather_chunk, &gathering);
  if (gathering.first_bad != UINT64_MAX)
    return debye_scattering_bad_atom(frame, (size_t)gathering.first_bad, status);
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(plan->positions, plan->positions_host, 3 * sizeof(float) * plan->n_entries,
                            cudaMemcpyHostToDevice, plan->stream);
  return debye_cuda_status(error, "copying a frame to the device", status);
}

static DebyeStatusCode
execute(DebyeLatticePlan *handle, const DebyeScatteringFrame *frame, double *chosen,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeLatticeCudaPlan *plan = (DebyeLatticeCudaPlan *)handle;
  plan->has_frame = false;
  if (debye_lattice_cell_check(frame->cell, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const DebyeLatticeTurn turn = debye_lattice_turn(&plan->spread, frame->cell);
  DebyeStatusCode code = bring_frame(plan, frame, status);
  for (size_t g = 0; g < plan->settings.groups.n_groups && code == DEBYE_STATUS_OK; g++) {
    code = debye_is_cancelled(cancel) ? debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.")
                                      : compute_group(plan, g, &turn, status);
    /* So that a cancel meets one group's work at most. */
    if (code == DEBYE_STATUS_OK)
      code = debye_cuda_status(cudaStreamSynchronize(plan->stream), "computing amplitudes", status);
  }
  if (code != DEBYE_STATUS_OK) {
    cudaStreamSynchronize(plan->stream);
    cudaGetLastError();
    return code;
  }
  cudaError_t error = plan->spread.double_precision ? take_results<double2>(plan, chosen != NULL)
                                                    : take_results<float2>(plan, chosen != NULL);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(plan->stream);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "adding up amplitudes", status);
  if (chosen != NULL)
    memcpy(chosen, plan->chosen_host, chosen_bytes(plan));
  plan->has_frame = true;
  return debye_status_ok(status);
}

static DebyeStatusCode
get_amplitudes(DebyeLatticePlan *handle, size_t group, double *amplitudes, DebyeStatus *status)
{
  DebyeLatticeCudaPlan *plan = (DebyeLatticeCudaPlan *)handle;
  if (!plan->has_frame || group >= plan->settings.groups.n_groups)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no amplitudes of a group %zu.", group);
  double2 *wide = (double2 *)plan->whole;
  const size_t n = plan->n_values;
  cudaError_t error = cudaSetDevice(plan->device);
  if (plan->spread.double_precision)
    debye_lattice_widen<double2>
        <<<blocks_for(n), THREADS, 0, plan->stream>>>((const double2 *)plan->amplitudes + group * n, n, wide);
  else
    debye_lattice_widen<float2>
        <<<blocks_for(n), THREADS, 0, plan->stream>>>((const float2 *)plan->amplitudes + group * n, n, wide);
  if (error == cudaSuccess)
    error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(amplitudes, wide, n * sizeof *wide, cudaMemcpyDeviceToHost, plan->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(plan->stream);
  return debye_cuda_status(error, "copying amplitudes to the host", status);
}

static DebyeStatusCode
get_sums(DebyeLatticePlan *handle, size_t pair, double *sums, DebyeStatus *status)
{
  const DebyeLatticeCudaPlan *plan = (const DebyeLatticeCudaPlan *)handle;
  const size_t bytes = plan->n_values * sizeof *sums;
  if (pair * bytes >= sum_bytes(plan))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are no sums of a pair %zu.", pair);
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMemcpy(sums, plan->sums + pair * plan->n_values, bytes, cudaMemcpyDeviceToHost);
  return debye_cuda_status(error, "copying sums to the host", status);
}

static DebyeStatusCode
clear_sums(DebyeLatticePlan *handle, DebyeStatus *status)
{
  const DebyeLatticeCudaPlan *plan = (const DebyeLatticeCudaPlan *)handle;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMemset(plan->sums, 0, sum_bytes(plan));
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  return debye_cuda_status(error, "clearing sums", status);
}

extern "C" const DebyeLatticeKernel debye_cuda_lattice = {
    .bytes_needed = bytes_needed,
    .create = create,
    .execute = execute,
    .get_amplitudes = get_amplitudes,
    .get_sums = get_sums,
    .clear_sums = clear_sums,
    .destroy = destroy,
};
