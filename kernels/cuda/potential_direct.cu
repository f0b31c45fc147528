/* SPDX-License-Identifier: MIT */
/* The direct sum on a GPU; its twin is cpu/potential_direct.c.
 *
 * A slab goes through the device in chunks of planes, several at once: each slot has a stream, a buffer on
 * the device and a pinned one on the host. While a chunk is copied the next ones compute, and the last blocks
 * of one chunk share the device with the first of the next, so that it is never half empty. Device memory
 * does not depend on the slab. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.cuh"
#include "potential_direct.cuh"

using ProductionShape = DebyeDirectProductionShape;

constexpr int SLOTS = 4;
/* Enough in four slots to fill the largest device; a copy of it to the host takes less than a millisecond. */
constexpr size_t CHUNK_POINTS = (size_t)1 << 20;
/* Atoms of one launch: its blocks are over soon, so that the device stays full almost to the end of a slab;
 * at most this many launches a chunk. */
constexpr size_t LAUNCH_ATOMS = 8 * DEBYE_DIRECT_TILE;
constexpr size_t MAX_LAUNCHES = 64;
constexpr size_t MAX_GRID_YZ = 65535;

struct Slot {
  cudaStream_t stream;
  cudaEvent_t done;
  void *device, *host;
  size_t first, count; /* planes of the slab; count 0: free */
};

typedef struct {
  int device;
  DebyePotentialSettings settings;
  size_t chunk_planes;
  size_t n_atoms;
  size_t n_slots;
  Slot slots[SLOTS];
  void *atoms; /* on the device */
  void *atoms_host;
  int *stop; /* on the host, read by kernels */
  DebyeDirectLaunch launch;
} DebyeDirectPlan;

/* 8 floats or 4 doubles. */
constexpr size_t ATOM_BYTES = 32;

static size_t
value_bytes(const DebyePotentialSettings *settings)
{
  return settings->double_precision ? sizeof(double) : sizeof(float);
}

static size_t
plane_points(const DebyePotentialSettings *settings)
{
  return settings->grid.shape[0] * settings->grid.shape[1];
}

static size_t
smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t
planes_in_chunk(const DebyePotentialSettings *settings, size_t points)
{
  size_t planes = points / plane_points(settings);
  return smaller(smaller(planes > 0 ? planes : 1, smaller(settings->max_planes, settings->grid.shape[2])),
                 MAX_GRID_YZ);
}

/* As many slots as the thickest slab has planes to share among them. */
static size_t
slots_used(const DebyePotentialSettings *settings)
{
  return smaller(smaller(settings->max_planes, settings->grid.shape[2]), SLOTS);
}

static size_t
slot_bytes(const DebyePotentialSettings *settings)
{
  return planes_in_chunk(settings, CHUNK_POINTS) * plane_points(settings) * value_bytes(settings);
}

static size_t
atoms_bytes(const DebyePotentialSettings *settings)
{
  return (settings->max_charges > 0 ? settings->max_charges : 1) * ATOM_BYTES;
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  (void)device;
  if (debye_potential_settings_check(settings, NULL) != DEBYE_STATUS_OK ||
      settings->max_charges > SIZE_MAX / 64)
    return SIZE_MAX;
  /* A launch has at most 65,535 blocks along y; more rows than that are no map. */
  if (settings->grid.shape[1] > MAX_GRID_YZ * ProductionShape::BLOCK_Y)
    return SIZE_MAX;
  return atoms_bytes(settings) + slots_used(settings) * slot_bytes(settings);
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)handle;
  if (plan == NULL)
    return;
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  for (Slot &slot : plan->slots) {
    if (slot.stream != NULL)
      cudaStreamDestroy(slot.stream);
    if (slot.done != NULL)
      cudaEventDestroy(slot.done);
    cudaFree(slot.device);
    cudaFreeHost(slot.host);
  }
  cudaFree(plan->atoms);
  cudaFreeHost(plan->stop);
  cudaGetLastError();
  free(plan->atoms_host);
  free(plan);
}

static cudaError_t
make_slot(Slot *slot, size_t bytes)
{
  cudaError_t error = cudaStreamCreateWithFlags(&slot->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming);
  if (error == cudaSuccess)
    error = cudaMalloc(&slot->device, bytes);
  if (error == cudaSuccess)
    error = cudaHostAlloc(&slot->host, bytes, cudaHostAllocDefault);
  return error;
}

static cudaError_t
make_device_parts(DebyeDirectPlan *plan)
{
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMalloc(&plan->atoms, atoms_bytes(&plan->settings));
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->stop, sizeof *plan->stop, cudaHostAllocMapped);
  int *stop = NULL;
  if (error == cudaSuccess)
    error = cudaHostGetDevicePointer((void **)&stop, plan->stop, 0);
  plan->launch.stop = stop;
  plan->n_slots = slots_used(&plan->settings);
  for (size_t i = 0; i < plan->n_slots && error == cudaSuccess; i++)
    error = make_slot(&plan->slots[i], slot_bytes(&plan->settings));
  return error;
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  *plan = NULL;
  if (debye_potential_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  if (bytes_needed(device, settings) == SIZE_MAX)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  DebyeDirectPlan *made = (DebyeDirectPlan *)calloc(1, sizeof *made);
  if (made != NULL)
    made->atoms_host = calloc(1, atoms_bytes(settings));
  if (made == NULL || made->atoms_host == NULL) {
    free(made);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "The host has no memory for the charges of %zu atoms.", settings->max_charges);
  }
  made->device = device;
  made->settings = *settings;
  made->chunk_planes = planes_in_chunk(settings, CHUNK_POINTS);
  made->launch.grid = debye_turned_grid(&settings->grid);
  made->launch.core_radius = (float)settings->core_radius;
  made->launch.exact_core2 = settings->core_radius * settings->core_radius;
  made->launch.core2 = (float)made->launch.exact_core2;
  cudaError_t error = make_device_parts(made);
  if (error != cudaSuccess) {
    destroy((DebyePotentialPlan *)made);
    return debye_cuda_status(error, "planning the direct sum", status);
  }
  made->launch.atoms = (const float4 *)made->atoms;
  made->launch.exact = (const DebyeExactAtom *)made->atoms;
  *plan = (DebyePotentialPlan *)made;
  return debye_status_ok(status);
}

static DebyeTurnedAtoms
atoms_layout(const DebyeDirectPlan *plan)
{
  DebyeTurnedAtoms atoms = {};
  float *floats = (float *)plan->atoms_host;
  double *doubles = (double *)plan->atoms_host;
  /* The nearest image is found in double, whatever the precision of the map. */
  bool exact = plan->settings.double_precision || plan->settings.periodic != DEBYE_PERIODIC_NONE;
  for (int axis = 0; axis < 3; axis++) {
    atoms.exact[axis] = exact ? doubles + axis : NULL;
    atoms.high[axis] = exact ? NULL : floats + axis;
    atoms.low[axis] = exact ? NULL : floats + 4 + axis;
  }
  atoms.exact_charge = exact ? doubles + 3 : NULL;
  atoms.charge = exact ? NULL : floats + 3;
  atoms.stride = exact ? 4 : 8;
  return atoms;
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)handle;
  DebyeTurnedAtoms atoms = atoms_layout(plan);
  plan->n_atoms = 0;
  DebyeStatusCode code =
      debye_nearest_image_set(&plan->launch.image, &plan->launch.grid, plan->settings.periodic, cell, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_turned_atoms_set(&plan->launch.grid, charges, plan->settings.max_charges, &atoms, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess && charges->n > 0)
    error = debye_cuda_upload(plan->atoms, plan->atoms_host, charges->n * ATOM_BYTES);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "copying the charges to the device", status);
  plan->n_atoms = charges->n;
  return debye_status_ok(status);
}

/* NULL: the production kernel does it. */
static const void *
double_kernel(const DebyePotentialSettings *settings)
{
  if (settings->periodic != DEBYE_PERIODIC_NONE)
    return settings->double_precision ? (const void *)debye_direct_double<double, true>
                                      : (const void *)debye_direct_double<float, true>;
  return settings->double_precision ? (const void *)debye_direct_double<double, false> : NULL;
}

/* The kernel that suits the plan, once for each part of the atoms. */
static cudaError_t
launch_kernels(const DebyeDirectPlan *plan, const Slot *slot, size_t first_plane)
{
  using Shape = ProductionShape;
  DebyeDirectLaunch launch = plan->launch;
  launch.first_plane = first_plane;
  const size_t *shape = launch.grid.shape;
  const unsigned planes = (unsigned)slot->count;
  const void *kernel = launch.grid.row_x != 0.0 ? (const void *)debye_direct_float<Shape, true>
                                                : (const void *)debye_direct_float<Shape, false>;
  unsigned threads = Shape::THREADS;
  dim3 blocks((unsigned)((shape[0] + Shape::BLOCK_X - 1) / Shape::BLOCK_X),
              (unsigned)((shape[1] + Shape::BLOCK_Y - 1) / Shape::BLOCK_Y), planes);
  if (double_kernel(&plan->settings) != NULL) {
    kernel = double_kernel(&plan->settings);
    threads = DEBYE_DOUBLE_THREADS;
    blocks = dim3((unsigned)((shape[0] + threads - 1) / threads), (unsigned)smaller(shape[1], MAX_GRID_YZ),
                  planes);
  }
  void *out = slot->device;
  void *arguments[] = {&launch, &out};
  size_t step = (plan->n_atoms / MAX_LAUNCHES / DEBYE_DIRECT_TILE + 1) * DEBYE_DIRECT_TILE;
  step = step > LAUNCH_ATOMS ? step : LAUNCH_ATOMS;
  cudaError_t error;
  /* Once also without atoms: the kernel writes the zeros. */
  do {
    launch.end_atom = launch.first_atom + smaller(step, plan->n_atoms - launch.first_atom);
    error = cudaLaunchKernel(kernel, blocks, dim3(threads), arguments, 0, slot->stream);
    launch.first_atom = launch.end_atom;
  } while (error == cudaSuccess && launch.first_atom < plan->n_atoms);
  return error;
}

/* Begins the slot's planes: kernels, then the copy of what they write. */
static cudaError_t
start_slot(const DebyeDirectPlan *plan, const Slot *slot, size_t first_plane)
{
  size_t bytes = slot->count * plane_points(&plan->settings) * value_bytes(&plan->settings);
  cudaError_t error = launch_kernels(plan, slot, first_plane);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(slot->host, slot->device, bytes, cudaMemcpyDeviceToHost, slot->stream);
  return error == cudaSuccess ? cudaEventRecord(slot->done, slot->stream) : error;
}

/* Waits for the slot without spinning long: the CPU lane needs the cores. False where it was told to stop. */
static bool
wait_for_slot(const Slot *slot, const volatile bool *cancel, cudaError_t *error)
{
  for (long nanoseconds = 2000;; nanoseconds += nanoseconds < 100000 ? nanoseconds / 4 : 0) {
    *error = cudaEventQuery(slot->done);
    if (*error != cudaErrorNotReady)
      return true;
    cudaGetLastError();
    if (debye_is_cancelled(cancel))
      return false;
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
  }
}

/* Leaves nothing under way: what the slots still write nobody will read. */
static void
drain(DebyeDirectPlan *plan)
{
  __atomic_store_n(plan->stop, 1, __ATOMIC_RELEASE);
  for (size_t i = 0; i < plan->n_slots; i++) {
    cudaStreamSynchronize(plan->slots[i].stream);
    plan->slots[i].count = 0;
  }
  cudaGetLastError();
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeDirectPlan *plan = (DebyeDirectPlan *)handle;
  (void)meanwhile;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  char *result = plan->settings.double_precision ? (char *)out_double : (char *)out;
  const size_t plane_bytes = plane_points(&plan->settings) * value_bytes(&plan->settings);
  __atomic_store_n(plan->stop, 0, __ATOMIC_RELEASE);
  cudaError_t error = cudaSetDevice(plan->device);
  /* A thin slab is spread over all slots: one stream at a time doesn't fill the device. */
  const size_t chunk = smaller(plan->chunk_planes, (slab.count + plan->n_slots - 1) / plan->n_slots);
  size_t started = 0, finished = 0;
  /* The slots in turn: what one has done is taken, then it gets the next planes. */
  for (size_t next = 0; finished < slab.count && error == cudaSuccess; next = (next + 1) % plan->n_slots) {
    Slot *slot = &plan->slots[next];
    if (debye_is_cancelled(cancel) || (slot->count > 0 && !wait_for_slot(slot, cancel, &error))) {
      drain(plan);
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    }
    if (slot->count > 0) {
      if (error == cudaSuccess)
        memcpy(result + slot->first * plane_bytes, slot->host, slot->count * plane_bytes);
      finished += slot->count;
      slot->count = 0;
    }
    if (error == cudaSuccess && started < slab.count) {
      slot->first = started;
      slot->count = smaller(chunk, slab.count - started);
      started += slot->count;
      error = start_slot(plan, slot, slab.first + slot->first);
    }
  }
  if (error != cudaSuccess)
    drain(plan);
  return debye_cuda_status(error, "summing", status);
}

extern "C" const DebyePotentialKernel debye_cuda_direct = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};
