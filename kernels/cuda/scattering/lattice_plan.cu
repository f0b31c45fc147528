/* SPDX-License-Identifier: MIT */
/* The memory of a plan of a reciprocal lattice's amplitudes on a GPU; called by scattering_lattice.cu. */
#include "lattice_plan.cuh"

#include <stdlib.h>
#include <string.h>

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
set_sizes(DebyeCudaLatticePlan *plan, const DebyeLatticeSettings *settings)
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
  return plan->settings.sums ? debye_lattice_n_pairs(n_groups) * plan->n_values * sizeof(double) : 0;
}

size_t
debye_cuda_lattice_chosen_bytes(const DebyeCudaLatticePlan *plan)
{
  return plan->settings.groups.n_groups * plan->settings.n_chosen * sizeof(double2);
}

uint64_t
debye_cuda_lattice_bytes(int device, const DebyeLatticeSettings *settings)
{
  (void)device;
  if (debye_lattice_settings_check(settings, NULL) != DEBYE_STATUS_OK)
    return SIZE_MAX;
  DebyeCudaLatticePlan plan = {};
  set_sizes(&plan, settings);
  const DebyeFourierSettings fourier = fourier_settings(&plan.spread);
  if (plan.n_entries > UINT32_MAX)
    return SIZE_MAX;
  return whole_bytes(&plan) + other_bytes(&plan) + amplitude_bytes(&plan) +
         debye_cuda_lattice_sum_bytes(&plan) + debye_cuda_lattice_chosen_bytes(&plan) +
         4 * sizeof(float) * plan.n_entries + debye_cuda_fourier_bytes(&fourier);
}

void
debye_cuda_lattice_plan_free(DebyeCudaLatticePlan *plan)
{
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
set_factors(DebyeCudaLatticePlan *plan)
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
set_places(DebyeCudaLatticePlan *plan)
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
set_weights(DebyeCudaLatticePlan *plan)
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
make_device_parts(DebyeCudaLatticePlan *plan)
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
    error = cudaMalloc(&plan->sums, larger(debye_cuda_lattice_sum_bytes(plan), 1));
  if (error == cudaSuccess)
    error = cudaMemset(plan->sums, 0, larger(debye_cuda_lattice_sum_bytes(plan), 1));
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->positions, position_bytes);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->positions_host, position_bytes, cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->chosen, larger(debye_cuda_lattice_chosen_bytes(plan), 1));
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->chosen_host, larger(debye_cuda_lattice_chosen_bytes(plan), 1),
                          cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = set_factors(plan);
  if (error == cudaSuccess)
    error = set_places(plan);
  if (error == cudaSuccess)
    error = set_weights(plan);
  /* Copies from memory that is not pinned may still be under way, and streams don't wait for them. */
  return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

DebyeCudaLatticePlan *
debye_cuda_lattice_plan_new(int device, const DebyeLatticeSettings *settings, DebyeStatus *status)
{
  if (debye_lattice_settings_check(settings, status) != DEBYE_STATUS_OK)
    return NULL;
  DebyeCudaLatticePlan *plan = (DebyeCudaLatticePlan *)calloc(1, sizeof *plan);
  if (plan == NULL) {
    debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "The host has no memory for a plan.");
    return NULL;
  }
  plan->device = device;
  set_sizes(plan, settings);
  DebyeStatusCode code = debye_cuda_status(make_device_parts(plan), "planning a reciprocal lattice", status);
  if (code == DEBYE_STATUS_OK) {
    const DebyeFourierSettings fourier = fourier_settings(&plan->spread);
    code = debye_cuda_fourier_create(&fourier, plan->stream, &plan->fourier, status);
  }
  if (code == DEBYE_STATUS_OK)
    return plan;
  debye_cuda_lattice_plan_free(plan);
  return NULL;
}
