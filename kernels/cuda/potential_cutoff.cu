/* SPDX-License-Identifier: MIT */
/* The cutoff method on a GPU; its twin is cpu/potential_cutoff.c.
 *
 * A slab goes through the device in chunks of planes, several at once, as in the direct sum: while one is
 * copied the next ones compute. What the bins had no room for the caller's host sums meanwhile, chunk by
 * chunk, ahead of the device, which then adds its part. */
#include "potential_cutoff.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bin_sorter.cuh"
#include "kernels/chunk_threads.h"
#include "potential_cutoff.cuh"

/* The fastest of those that tests/bench/bench_cutoff_shapes measures side by side on an H200
 * (tests/bench/RESULTS.md). */
using ProductionShape = DebyeCutoffShape<8, 8, 2, 1>;

constexpr int SLOTS = 4;
/* Some milliseconds of work each for the largest device. */
constexpr size_t CHUNK_POINTS = (size_t)1 << 22;
constexpr size_t MAX_GRID_YZ = 65535;

struct Slot {
  cudaStream_t stream;
  cudaEvent_t done;
  void *device, *host;
  size_t first, count; /* planes of the slab; count 0: free */
};

/* Memory on the device that grows where a frame needs more. */
struct Array {
  void *memory;
  size_t bytes;
};

typedef struct {
  int device;
  DebyePotentialSettings settings;
  DebyePairForm form;
  DebyeCutoffBins bins;
  Array atoms, exact_atoms, start, offsets;
  DebyeBinSorter *sorter; /* of frames that come on the device; made with the first */
  DebyeCutoffLaunch launch;
  size_t n_slots; /* 0: made for other methods, which bring their own memory */
  Slot slots[SLOTS];
  /* Blocks look at a flag on the device: across the bus that would take ten times as long as their sums. A
   * copy from the host's one ends them. */
  int *stop, *one;
  cudaStream_t stop_stream;
} DebyeCutoffPlan;

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

/* Planes of a chunk, whole layers of blocks where they can be. */
static size_t
planes_in_chunk(const DebyePotentialSettings *settings)
{
  constexpr size_t LAYER = ProductionShape::LANES_Z;
  size_t planes = CHUNK_POINTS / plane_points(settings) / LAYER * LAYER;
  planes = smaller(planes > LAYER ? planes : LAYER, smaller(settings->max_planes, settings->grid.shape[2]));
  return smaller(planes, MAX_GRID_YZ);
}

static size_t
slots_used(const DebyePotentialSettings *settings)
{
  size_t planes = smaller(settings->max_planes, settings->grid.shape[2]), chunk = planes_in_chunk(settings);
  return smaller((planes + chunk - 1) / chunk, SLOTS);
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  (void)device;
  if (debye_cutoff_settings_check(settings, settings->cutoff, NULL) != DEBYE_STATUS_OK ||
      settings->grid.shape[1] > MAX_GRID_YZ * DebyeCutoffDoubleShape::POINTS_Y)
    return SIZE_MAX;
  uint64_t atoms = debye_cutoff_bins_bytes(settings, settings->cutoff);
  uint64_t slots =
      slots_used(settings) * planes_in_chunk(settings) * plane_points(settings) * value_bytes(settings);
  return atoms < SIZE_MAX - slots ? atoms + slots : SIZE_MAX;
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
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
  for (Array *array : {&plan->atoms, &plan->exact_atoms, &plan->start, &plan->offsets})
    cudaFree(array->memory);
  if (plan->stop_stream != NULL)
    cudaStreamDestroy(plan->stop_stream);
  cudaFree(plan->stop);
  cudaFreeHost(plan->one);
  cudaGetLastError();
  debye_bin_sorter_free(plan->sorter);
  debye_cutoff_bins_clear(&plan->bins);
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
make_slots(DebyeCutoffPlan *plan)
{
  const DebyePotentialSettings *settings = &plan->settings;
  const size_t bytes = planes_in_chunk(settings) * plane_points(settings) * value_bytes(settings);
  cudaError_t error = cudaMalloc((void **)&plan->stop, sizeof *plan->stop);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->one, sizeof *plan->one, cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->stop_stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    *plan->one = 1;
  plan->n_slots = slots_used(settings);
  for (size_t i = 0; i < plan->n_slots && error == cudaSuccess; i++)
    error = make_slot(&plan->slots[i], bytes);
  return error;
}

static DebyeStatusCode
make_plan(int device, const DebyePotentialSettings *settings, const DebyePairFunction *function, bool limited,
          DebyePotentialPlan **plan, DebyeStatus *status)
{
  constexpr size_t BLOCK[3] = {ProductionShape::LANES_X, ProductionShape::POINTS_Y, ProductionShape::LANES_Z};
  *plan = NULL;
  if (debye_cutoff_settings_check(settings, function->cutoff, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeCutoffPlan *made = (DebyeCutoffPlan *)calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
  made->device = device;
  made->settings = *settings;
  made->form = debye_pair_form(function);
  bool exact = settings->double_precision || debye_pair_function_has_step(function);
  DebyeStatusCode code =
      debye_cutoff_bins_init(&made->bins, settings, function->cutoff, BLOCK, limited, exact, status);
  if (code == DEBYE_STATUS_OK) {
    made->launch.grid = made->bins.grid;
    made->launch.function = *function;
    made->launch.pair =
        debye_pair_floats(function, settings->core_radius, debye_cutoff_block_extent(&made->bins));
    made->launch.core2 = settings->core_radius * settings->core_radius;
    code = debye_cuda_status(cudaSetDevice(device), "choosing the device", status);
  }
  if (code != DEBYE_STATUS_OK) {
    destroy((DebyePotentialPlan *)made);
    return code;
  }
  *plan = (DebyePotentialPlan *)made;
  return DEBYE_STATUS_OK;
}

DebyeStatusCode
debye_cuda_cutoff_create_with(int device, const DebyePotentialSettings *settings,
                              const DebyePairFunction *function, DebyePotentialPlan **plan,
                              DebyeStatus *status)
{
  return make_plan(device, settings, function, false, plan, status);
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  const DebyePairFunction function = debye_pair_function_smoothing(settings->smoothing, settings->cutoff);
  DebyeStatusCode code = make_plan(device, settings, &function, true, plan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (bytes_needed(device, settings) == SIZE_MAX)
    code = debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  else
    code = debye_cuda_status(make_slots((DebyeCutoffPlan *)*plan), "planning the cutoff method", status);
  if (code != DEBYE_STATUS_OK) {
    destroy(*plan);
    *plan = NULL;
  }
  return code;
}

/* Copies to the device, into more memory where there was less. */
static cudaError_t
upload(Array *array, const void *from, size_t bytes)
{
  if (bytes > array->bytes || array->memory == NULL) {
    cudaFree(array->memory);
    *array = {};
    const size_t wanted = bytes + bytes / 4 + 16;
    cudaError_t error = cudaMalloc(&array->memory, wanted);
    if (error != cudaSuccess)
      return error;
    array->bytes = wanted;
  }
  return bytes > 0 ? cudaMemcpyAsync(array->memory, from, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread)
                   : cudaSuccess;
}

static cudaError_t
upload_bins(DebyeCutoffPlan *plan)
{
  const DebyeCutoffBins *bins = &plan->bins;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = upload(&plan->atoms, bins->atoms, bins->n_atoms * sizeof *bins->atoms);
  if (error == cudaSuccess && bins->exact)
    error = upload(&plan->exact_atoms, bins->exact_atoms, bins->n_atoms * sizeof *bins->exact_atoms);
  if (error == cudaSuccess)
    error = upload(&plan->start, bins->start, (bins->n_bins + 1) * sizeof *bins->start);
  if (error == cudaSuccess)
    error = upload(&plan->offsets, bins->offset, (size_t)bins->map.n_offsets * sizeof *bins->offset);
  /* The bins' memory is used again for the next frame, and other streams will read what was copied. */
  return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : error;
}

static void
run_on_threads(void *runner, size_t n_chunks, void (*function)(void *, size_t), void *context)
{
  (void)runner;
  debye_chunk_threads_run(n_chunks, function, context);
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  const DebyeChunkRunner runner = {run_on_threads, NULL};
  DebyeStatusCode code = debye_cutoff_bins_set(&plan->bins, charges, cell, &runner, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cudaError_t error = upload_bins(plan);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "copying the charges to the device", status);
  plan->launch.map = plan->bins.map;
  plan->launch.map.start = (const uint32_t *)plan->start.memory;
  plan->launch.map.offset = (const DebyeBinOffset *)plan->offsets.memory;
  plan->launch.atoms = (const DebyeBinnedAtom *)plan->atoms.memory;
  plan->launch.exact_atoms = (const DebyeBinnedExactAtom *)plan->exact_atoms.memory;
  plan->launch.unit = plan->bins.unit;
  return debye_status_ok(status);
}

DebyeStatusCode
debye_cuda_cutoff_set_on_device(DebyePotentialPlan *handle, const DebyeCharges *charges,
                                const DebyeCell *cell, cudaStream_t stream, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  DebyeBinFrame frame;
  DebyeSortedBins sorted;
  if (plan->sorter == NULL && (plan->sorter = debye_bin_sorter_new()) == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory to sort charges with.");
  DebyeStatusCode code = debye_cutoff_bins_set_empty(&plan->bins, cell, charges->n, &frame, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_bin_sorter_sort(plan->sorter, &plan->bins, &frame, charges, stream, &sorted, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->launch.map = plan->bins.map;
  plan->launch.map.start = sorted.start;
  plan->launch.map.offset = sorted.offset;
  plan->launch.atoms = sorted.atoms;
  plan->launch.exact_atoms = sorted.exact_atoms;
  plan->launch.unit = plan->bins.unit;
  return debye_status_ok(status);
}

static void
get_overflow(const DebyePotentialPlan *handle, DebyeCharges *overflow)
{
  const DebyeCutoffBins *bins = &((const DebyeCutoffPlan *)handle)->bins;
  *overflow = {bins->overflow[0], bins->overflow[1], bins->overflow[2], bins->overflow[3], bins->n_overflow};
}

template <int FORM>
static const void *
kernel_of_form(bool sheared)
{
  return sheared ? (const void *)debye_cutoff_float<ProductionShape, FORM, true>
                 : (const void *)debye_cutoff_float<ProductionShape, FORM, false>;
}

static const void *
choose_kernel(const DebyeCutoffPlan *plan)
{
  const bool sheared = plan->launch.grid.row_x != 0.0;
  switch (plan->form) {
  case DEBYE_PAIR_SCREENED:
    return kernel_of_form<DEBYE_PAIR_SCREENED>(sheared);
  case DEBYE_PAIR_STEP:
    return kernel_of_form<DEBYE_PAIR_STEP>(sheared);
  case DEBYE_PAIR_EVEN_4:
    return kernel_of_form<DEBYE_PAIR_EVEN_4>(sheared);
  case DEBYE_PAIR_EVEN_8:
    return kernel_of_form<DEBYE_PAIR_EVEN_8>(sheared);
  case DEBYE_PAIR_EVEN_12:
    return kernel_of_form<DEBYE_PAIR_EVEN_12>(sheared);
  case DEBYE_PAIR_EVEN_16:
    return kernel_of_form<DEBYE_PAIR_EVEN_16>(sheared);
  default:
    return kernel_of_form<DEBYE_PAIR_ANY>(sheared);
  }
}

template <class Shape>
static cudaError_t
launch_blocks(const void *kernel, const DebyeCutoffLaunch *launch, void *out, cudaStream_t stream)
{
  const size_t *shape = launch->grid.shape;
  const size_t width = Shape::LANES_X * Shape::WARPS;
  const size_t first_layer = launch->first_plane / Shape::LANES_Z;
  const size_t end_layer = (launch->first_plane + launch->n_planes + Shape::LANES_Z - 1) / Shape::LANES_Z;
  const dim3 blocks((unsigned)((shape[0] + width - 1) / width),
                    (unsigned)((shape[1] + Shape::POINTS_Y - 1) / Shape::POINTS_Y),
                    (unsigned)(end_layer - first_layer));
  void *arguments[] = {(void *)launch, &out};
  return cudaLaunchKernel(kernel, blocks, dim3(Shape::THREADS), arguments, 0, stream);
}

static cudaError_t
launch_slab(const DebyeCutoffPlan *plan, DebyeSlab slab, void *out, bool adds, const volatile int *stop,
            cudaStream_t stream)
{
  DebyeCutoffLaunch launch = plan->launch;
  launch.adds = adds;
  launch.stop = stop;
  cudaError_t error = cudaSuccess;
  /* A launch has at most 65,535 layers. */
  for (size_t done = 0; done < slab.count && error == cudaSuccess; done += launch.n_planes) {
    launch.first_plane = slab.first + done;
    launch.n_planes = smaller(slab.count - done, MAX_GRID_YZ - 1);
    void *part = (char *)out + done * plane_points(&plan->settings) * value_bytes(&plan->settings);
    if (plan->settings.double_precision)
      error = launch_blocks<DebyeCutoffDoubleShape>((const void *)debye_cutoff_double, &launch, part, stream);
    else
      error = launch_blocks<ProductionShape>(choose_kernel(plan), &launch, part, stream);
  }
  return error;
}

DebyeStatusCode
debye_cuda_cutoff_enqueue(DebyePotentialPlan *handle, DebyeSlab slab, void *out, bool adds,
                          const volatile int *stop, cudaStream_t stream, DebyeStatus *status)
{
  const DebyeCutoffPlan *plan = (const DebyeCutoffPlan *)handle;
  return debye_cuda_status(launch_slab(plan, slab, out, adds, stop, stream), "summing within the cutoff",
                           status);
}

/* Begins the slot's planes: kernel, then the copy of what it writes. */
static cudaError_t
start_slot(const DebyeCutoffPlan *plan, const Slot *slot, size_t first_plane)
{
  const size_t bytes = slot->count * plane_points(&plan->settings) * value_bytes(&plan->settings);
  cudaError_t error =
      launch_slab(plan, {first_plane, slot->count}, slot->device, false, plan->stop, slot->stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(slot->host, slot->device, bytes, cudaMemcpyDeviceToHost, slot->stream);
  return error == cudaSuccess ? cudaEventRecord(slot->done, slot->stream) : error;
}

/* Waits for the slot without spinning long: the host computes too. False where it was told to stop. */
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
drain(DebyeCutoffPlan *plan)
{
  cudaMemcpyAsync(plan->stop, plan->one, sizeof *plan->stop, cudaMemcpyHostToDevice, plan->stop_stream);
  for (size_t i = 0; i < plan->n_slots; i++) {
    cudaStreamSynchronize(plan->slots[i].stream);
    plan->slots[i].count = 0;
  }
  cudaGetLastError();
}

template <class Value>
static void
add_values(Value *out, const Value *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    out[i] += from[i];
}

/* The slot's values into the result: written, or added to what the host put there meanwhile. */
static void
take_values(const DebyeCutoffPlan *plan, const Slot *slot, char *result, bool adds)
{
  const size_t points = slot->count * plane_points(&plan->settings);
  char *out = result + slot->first * plane_points(&plan->settings) * value_bytes(&plan->settings);
  if (!adds)
    memcpy(out, slot->host, points * value_bytes(&plan->settings));
  else if (plan->settings.double_precision)
    add_values((double *)out, (const double *)slot->host, points);
  else
    add_values((float *)out, (const float *)slot->host, points);
}

/* How many planes the slot gets from `first_plane` on: chunks end where a layer of blocks does. */
static size_t
next_planes(size_t chunk, size_t first_plane, size_t left)
{
  constexpr size_t LAYER = ProductionShape::LANES_Z;
  return smaller(chunk > LAYER ? chunk - first_plane % LAYER : chunk, left);
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  char *result = plan->settings.double_precision ? (char *)out_double : (char *)out;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(plan->stop, 0, sizeof *plan->stop, plan->stop_stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(plan->stop_stream);
  const size_t chunk = planes_in_chunk(&plan->settings);
  size_t started = 0, finished = 0;
  /* The slots in turn: what one has done is taken, then it gets the next planes. */
  for (size_t next = 0; finished < slab.count && error == cudaSuccess; next = (next + 1) % plan->n_slots) {
    Slot *slot = &plan->slots[next];
    if (slot->count > 0 && meanwhile != NULL)
      meanwhile->work(meanwhile->context, {slab.first + slot->first, slot->count});
    if (debye_is_cancelled(cancel) || (slot->count > 0 && !wait_for_slot(slot, cancel, &error))) {
      drain(plan);
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Stopped.");
    }
    if (slot->count > 0) {
      if (error == cudaSuccess)
        take_values(plan, slot, result, meanwhile != NULL);
      finished += slot->count;
      slot->count = 0;
    }
    if (error == cudaSuccess && started < slab.count) {
      slot->first = started;
      slot->count = next_planes(chunk, slab.first + started, slab.count - started);
      started += slot->count;
      error = start_slot(plan, slot, slab.first + slot->first);
    }
  }
  if (error != cudaSuccess)
    drain(plan);
  return debye_cuda_status(error, "summing within the cutoff", status);
}

extern "C" const DebyePotentialKernel debye_cuda_cutoff = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .get_overflow = get_overflow,
    .execute = execute,
    .destroy = destroy,
};
