/* SPDX-License-Identifier: MIT */
/* The cutoff method on a GPU; its twin is cpu/potential/potential_cutoff.c.
 *
 * The device sorts the charges into bins itself. Where bins have a capacity, what they had no room for the
 * caller's host sums, chunk by chunk, while the device goes on with the next ones. */
#include "cutoff_short_range.cuh"

#include <stdlib.h>

#include "bin_sorter.cuh"
#include "potential_cutoff.cuh"
#include "slab_pipeline.cuh"
#include "staged_charges.cuh"

/* The fastest of those that tests/bench/bench_cutoff_shapes measures side by side on an H200
 * (tests/bench/RESULTS.md). */
using ProductionShape = DebyeCutoffShape<8, 8, 2, 1>;

/* A third of a millisecond of work for the largest device, so that the first is soon copied and the last is
 * soon over. */
constexpr DebyeSlabChunks CHUNKS = {(size_t)1 << 20, ProductionShape::LANES_Z};
/* Where the host sums too: enough for all of its threads, which are woken for each chunk. */
constexpr DebyeSlabChunks SHARED_CHUNKS = {(size_t)1 << 22, ProductionShape::LANES_Z};
constexpr size_t MAX_GRID_YZ = 65535;

typedef struct {
  int device;
  DebyePotentialSettings settings;
  DebyePairForm form;
  DebyeCutoffBins bins;
  DebyeBinSorter *sorter; /* made with the first frame */
  DebyeCutoffLaunch launch;
  /* NULL, as all that follows: made for other methods, which bring their own memory. */
  DebyeSlabPipeline *pipeline;
  DebyeStagedCharges staged;
  cudaStream_t stream; /* of the charges */
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

static DebyeSlabChunks
chunks_for(const DebyePotentialSettings *settings)
{
  return settings->bin_capacity > 0 ? SHARED_CHUNKS : CHUNKS;
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  (void)device;
  if (debye_cutoff_settings_check(settings, settings->cutoff, NULL) != DEBYE_STATUS_OK ||
      settings->grid.shape[1] > MAX_GRID_YZ * DebyeCutoffDoubleShape::POINTS_Y)
    return SIZE_MAX;
  uint64_t atoms = debye_cutoff_bins_bytes(settings, settings->cutoff);
  uint64_t rest = debye_slab_pipeline_bytes(settings, chunks_for(settings)) +
                  debye_staged_charges_bytes(settings->max_charges);
  return atoms < SIZE_MAX - rest ? atoms + rest : SIZE_MAX;
}

static void
destroy(DebyePotentialPlan *handle)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  if (plan == NULL)
    return;
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(plan->device);
  debye_slab_pipeline_destroy(plan->pipeline);
  debye_staged_charges_clear(&plan->staged);
  if (plan->stream != NULL)
    cudaStreamDestroy(plan->stream);
  if (plan->stop_stream != NULL)
    cudaStreamDestroy(plan->stop_stream);
  cudaFree(plan->stop);
  cudaFreeHost(plan->one);
  cudaGetLastError();
  debye_bin_sorter_free(plan->sorter);
  debye_cutoff_bins_clear(&plan->bins);
  free(plan);
}

static DebyeStatusCode
make_own_parts(DebyeCutoffPlan *plan, DebyeStatus *status)
{
  cudaError_t error = cudaMalloc((void **)&plan->stop, sizeof *plan->stop);
  if (error == cudaSuccess)
    error = cudaHostAlloc((void **)&plan->one, sizeof *plan->one, cudaHostAllocDefault);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->stop_stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking);
  if (error == cudaSuccess)
    error = debye_staged_charges_create(&plan->staged, plan->settings.max_charges);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "planning the cutoff method", status);
  *plan->one = 1;
  return debye_slab_pipeline_create(&plan->settings, chunks_for(&plan->settings), &plan->pipeline, status);
}

static DebyeStatusCode
make_plan(int device, const DebyePotentialSettings *settings, const DebyePairFunction *function,
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
      debye_cutoff_bins_init(&made->bins, settings, function->cutoff, BLOCK, exact, status);
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
  return make_plan(device, settings, function, plan, status);
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  const DebyePairFunction function = debye_pair_function_smoothing(settings->smoothing, settings->cutoff);
  DebyeStatusCode code = make_plan(device, settings, &function, plan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (bytes_needed(device, settings) == SIZE_MAX)
    code = debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  else
    code = make_own_parts((DebyeCutoffPlan *)*plan, status);
  if (code != DEBYE_STATUS_OK) {
    destroy(*plan);
    *plan = NULL;
  }
  return code;
}

static void
use_bins(DebyeCutoffPlan *plan, const DebyeSortedBins *sorted)
{
  plan->launch.map = plan->bins.map;
  plan->launch.map.start = sorted->start;
  plan->launch.map.offset = sorted->offset;
  plan->launch.atoms = sorted->atoms;
  plan->launch.exact_atoms = sorted->exact_atoms;
  plan->launch.unit = plan->bins.unit;
}

DebyeStatusCode
debye_cuda_cutoff_begin_frame(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
                              cudaStream_t stream, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  if (plan->sorter == NULL && (plan->sorter = debye_bin_sorter_new()) == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory to sort charges with.");
  return debye_bin_sorter_count(plan->sorter, &plan->bins, charges, cell, stream, status);
}

static DebyeStatusCode
sort(DebyeCutoffPlan *plan, const DebyeBinLimit *limit, cudaStream_t stream, DebyeStatus *status)
{
  DebyeSortedBins sorted;
  DebyeStatusCode code = debye_bin_sorter_sort(plan->sorter, &plan->bins, limit, stream, &sorted, status);
  if (code == DEBYE_STATUS_OK)
    use_bins(plan, &sorted);
  return code;
}

DebyeStatusCode
debye_cuda_cutoff_end_frame(DebyePotentialPlan *handle, cudaStream_t stream, DebyeStatus *status)
{
  return sort((DebyeCutoffPlan *)handle, NULL, stream, status);
}

/* Slabs are summed in other streams, so that the charges' is waited for. */
static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  const DebyePotentialSettings *settings = &plan->settings;
  const DebyeBinLimit limit = {settings->bin_capacity, settings->overflow_share, &plan->staged.on_host};
  if (charges->n > settings->max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu charges were given, planned were at most %zu.",
                            charges->n, settings->max_charges);
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_staged_charges_set(&plan->staged, charges, plan->stream, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_cutoff_begin_frame(handle, &plan->staged.charges, cell, plan->stream, status);
  if (code == DEBYE_STATUS_OK)
    code = sort(plan, settings->bin_capacity > 0 ? &limit : NULL, plan->stream, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaStreamSynchronize(plan->stream), "sorting the charges into bins", status);
  return code;
}

static void
get_overflow(const DebyePotentialPlan *handle, DebyeCharges *overflow)
{
  const DebyeCutoffPlan *plan = (const DebyeCutoffPlan *)handle;
  *overflow = DebyeCharges{};
  if (plan->sorter != NULL)
    *overflow = debye_bin_sorter_overflow(plan->sorter);
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
launch_slab(const DebyeCutoffPlan *plan, DebyeSlab slab, void *out, const volatile int *stop,
            cudaStream_t stream)
{
  DebyeCutoffLaunch launch = plan->launch;
  launch.stop = stop;
  cudaError_t error = cudaSuccess;
  /* A launch has at most 65,535 layers. */
  for (size_t done = 0; done < slab.count && error == cudaSuccess; done += launch.n_planes) {
    launch.first_plane = slab.first + done;
    launch.n_planes = slab.count - done < MAX_GRID_YZ - 1 ? slab.count - done : MAX_GRID_YZ - 1;
    const size_t plane_bytes = launch.grid.shape[0] * launch.grid.shape[1] * value_bytes(&plan->settings);
    void *part = (char *)out + done * plane_bytes;
    if (plan->settings.double_precision)
      error = launch_blocks<DebyeCutoffDoubleShape>((const void *)debye_cutoff_double, &launch, part, stream);
    else
      error = launch_blocks<ProductionShape>(choose_kernel(plan), &launch, part, stream);
  }
  return error;
}

DebyeStatusCode
debye_cuda_cutoff_enqueue(DebyePotentialPlan *handle, DebyeSlab slab, void *out, cudaStream_t stream,
                          DebyeStatus *status)
{
  const DebyeCutoffPlan *plan = (const DebyeCutoffPlan *)handle;
  return debye_cuda_status(launch_slab(plan, slab, out, NULL, stream), "summing within the cutoff", status);
}

/* One call of execute. */
struct Execution {
  const DebyeCutoffPlan *plan;
  const DebyeMeanwhile *meanwhile;
};

static DebyeStatusCode
start_planes(void *context, DebyeSlab planes, void *out, cudaStream_t stream, DebyeStatus *status)
{
  const DebyeCutoffPlan *plan = ((const Execution *)context)->plan;
  return debye_cuda_status(launch_slab(plan, planes, out, plan->stop, stream), "summing within the cutoff",
                           status);
}

static void
take_planes(void *context, DebyeSlab planes, const void *values, void *out)
{
  const DebyeMeanwhile *meanwhile = ((const Execution *)context)->meanwhile;
  (void)out;
  meanwhile->work(meanwhile->context, planes, values);
}

static void
stop_blocks(void *context)
{
  const DebyeCutoffPlan *plan = ((const Execution *)context)->plan;
  cudaMemcpyAsync(plan->stop, plan->one, sizeof *plan->stop, cudaMemcpyHostToDevice, plan->stop_stream);
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  Execution execution = {plan, meanwhile};
  const DebyeSlabWork work = {start_planes, meanwhile != NULL ? take_planes : NULL, stop_blocks, &execution};
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  cudaError_t error = cudaSetDevice(plan->device);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(plan->stop, 0, sizeof *plan->stop, plan->stop_stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(plan->stop_stream);
  if (error != cudaSuccess)
    return debye_cuda_status(error, "summing within the cutoff", status);
  void *result = plan->settings.double_precision ? (void *)out_double : (void *)out;
  return debye_slab_pipeline_run(plan->pipeline, slab, result, &work, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_cutoff = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .get_overflow = get_overflow,
    .execute = execute,
    .destroy = destroy,
};
