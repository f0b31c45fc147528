/* SPDX-License-Identifier: MIT */
/* The cutoff method on a GPU; its twin is cpu/potential/potential_cutoff.c.
 *
 * The device sorts the charges into bins itself. Where bins have a capacity, what they had no room for the
 * caller's host sums, chunk by chunk, while the device goes on with the next ones. */
#include "cutoff_short_range.cuh"

#include "bin_sorter.cuh"
#include "potential_cutoff.cuh"
#include "slab_pipeline.cuh"
#include "staged_charges.cuh"

/* The fastest of those that tests/bench/bench_cutoff_shapes measures side by side on an H200
 * (tests/bench/RESULTS.md). */
using ProductionShape = DebyeCutoffShape<4, 8, 2, 2, 0, 5>;

/* A third of a millisecond of work for the largest device, so that the first is soon copied and the last is
 * soon over. */
constexpr DebyeSlabChunks CHUNKS = {(size_t)1 << 20, ProductionShape::DEPTH};
/* Where the host sums too: enough for all of its threads, which are woken for each chunk. */
constexpr DebyeSlabChunks SHARED_CHUNKS = {(size_t)1 << 22, ProductionShape::DEPTH};
constexpr size_t MAX_GRID_YZ = 65535;

typedef struct {
  int device;
  DebyePotentialSettings settings;
  DebyePairForm form;
  DebyeCutoffBins bins;
  uint64_t sorter_bytes;
  DebyeBinSorter *sorter;
  DebyeCutoffLaunch launch;
  /* False where it was made for other methods, which bring what follows. */
  bool is_whole;
  DebyeSlabPipeline pipeline;
  DebyeStagedCharges staged;
  DebyeStream stream; /* of the charges */
  /* Blocks look at a flag on the device: across the bus that would take ten times as long as their sums. A
   * copy from the host's one ends them. */
  int *stop, *one;
  DebyeStream stop_stream;
} DebyeCutoffPlan;

/* With the pair function that the cutoff method has, or another method's. */
typedef struct {
  const DebyePotentialSettings *potential;
  const DebyePairFunction *function;
  bool is_whole;
} Settings;

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

static void
set_launch(DebyeCutoffPlan *plan, const DebyePairFunction *function)
{
  plan->form = debye_pair_form(function);
  plan->launch.grid = plan->bins.grid;
  debye_cutoff_launch_set<ProductionShape>(&plan->launch, function, plan->settings.core_radius,
                                           debye_cutoff_block_extent(&plan->bins));
}

static DebyeBinSorterSettings
sorter_settings(const DebyeCutoffPlan *plan)
{
  return {&plan->bins, plan->is_whole && plan->settings.bin_capacity > 0};
}

static DebyeStatusCode
set_up(void *made, int device, const void *data, DebyeStatus *status)
{
  constexpr size_t GROUP[3] = {ProductionShape::WIDTH, ProductionShape::HEIGHT, ProductionShape::DEPTH};
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)made;
  const Settings *settings = (const Settings *)data;
  const DebyePairFunction *function = settings->function;
  const DebyeStatusCode code = debye_cutoff_settings_check(settings->potential, function->cutoff, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (settings->is_whole && settings->potential->grid.shape[1] > MAX_GRID_YZ)
    return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                            "The grid or the number of charges is beyond the device.");
  plan->device = device;
  plan->settings = *settings->potential;
  plan->is_whole = settings->is_whole;
  const bool exact = plan->settings.double_precision || debye_pair_function_has_step(function);
  plan->bins = debye_cutoff_bins(&plan->settings, function->cutoff, GROUP, exact);
  set_launch(plan, function);
  const DebyeBinSorterSettings sorter = sorter_settings(plan);
  plan->sorter_bytes = debye_plan_bytes(&debye_bin_sorter_kind, device, &sorter);
  debye_staged_charges_set_up(&plan->staged, &plan->settings);
  if (plan->is_whole)
    debye_slab_pipeline_set_up(&plan->pipeline, &plan->settings, chunks_for(&plan->settings));
  return code;
}

static void
list_memory(void *made, DebyePlanMemory *memory)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)made;
  debye_cutoff_bins_list_layout(&plan->bins, memory);
  debye_plan_memory_add_bytes(memory, plan->sorter_bytes);
  if (!plan->is_whole)
    return;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->stop, 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_PINNED, plan->one, 1);
  debye_staged_charges_list(&plan->staged, memory);
  debye_slab_pipeline_list(&plan->pipeline, memory);
}

static DebyeStatusCode
prepare(void *made, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)made;
  const DebyeBinSorterSettings settings = sorter_settings(plan);
  void *sorter = NULL;
  DebyeStatusCode code = debye_plan_create(&debye_bin_sorter_kind, plan->device, &settings, &sorter, status);
  plan->sorter = (DebyeBinSorter *)sorter;
  if (code != DEBYE_STATUS_OK || !plan->is_whole)
    return code;
  *plan->one = 1;
  debye_stream_open(&plan->stream);
  debye_stream_open(&plan->stop_stream);
  debye_stream_note(&plan->stream, plan->stop_stream.error);
  debye_staged_charges_open(&plan->staged, &plan->stream);
  code = debye_stream_finish(&plan->stream, "planning the cutoff method", status);
  return code == DEBYE_STATUS_OK ? debye_slab_pipeline_open(&plan->pipeline, status) : code;
}

static void
clear(void *made)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)made;
  cudaSetDevice(plan->device);
  debye_slab_pipeline_close(&plan->pipeline);
  debye_staged_charges_close(&plan->staged);
  debye_stream_close(&plan->stream);
  debye_stream_close(&plan->stop_stream);
  debye_plan_destroy(&debye_bin_sorter_kind, plan->sorter);
}

static const DebyePlanKind kind =
    DEBYE_PLAN_KIND(DebyeCutoffPlan, debye_cuda_memory_source, .prepare = prepare, .clear = clear);

static uint64_t
bytes_with(int device, const Settings &settings)
{
  return debye_plan_bytes(&kind, device, &settings);
}

static DebyeStatusCode
create_with(int device, const Settings &settings, DebyeKernelPlan **plan, DebyeStatus *status)
{
  void *made = NULL;
  const DebyeStatusCode code = debye_plan_create(&kind, device, &settings, &made, status);
  *plan = (DebyeKernelPlan *)made;
  return code;
}

uint64_t
debye_cuda_cutoff_bytes_with(int device, const DebyePotentialSettings *settings,
                             const DebyePairFunction *function)
{
  return bytes_with(device, {settings, function, false});
}

DebyeStatusCode
debye_cuda_cutoff_create_with(int device, const DebyePotentialSettings *settings,
                              const DebyePairFunction *function, DebyeKernelPlan **plan, DebyeStatus *status)
{
  return create_with(device, {settings, function, false}, plan, status);
}

static uint64_t
bytes_needed(int device, const void *of_potential)
{
  const DebyePotentialSettings *settings = (const DebyePotentialSettings *)of_potential;
  const DebyePairFunction function = debye_pair_function_smoothing(settings->smoothing, settings->cutoff);
  return bytes_with(device, {settings, &function, true});
}

static DebyeStatusCode
create(int device, const void *of_potential, DebyeKernelPlan **plan, DebyeStatus *status)
{
  const DebyePotentialSettings *settings = (const DebyePotentialSettings *)of_potential;
  const DebyePairFunction function = debye_pair_function_smoothing(settings->smoothing, settings->cutoff);
  return create_with(device, {settings, &function, true}, plan, status);
}

static void
destroy(DebyeKernelPlan *plan)
{
  debye_plan_destroy(&kind, plan);
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
  plan->launch.block.unit = (float)plan->bins.unit;
}

DebyeStatusCode
debye_cuda_cutoff_begin_frame(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
                              DebyeStream *stream, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  return debye_bin_sorter_count(plan->sorter, &plan->bins, charges, cell, stream, status);
}

static DebyeStatusCode
sort(DebyeCutoffPlan *plan, const DebyeBinLimit *limit, DebyeStream *stream, DebyeStatus *status)
{
  DebyeSortedBins sorted;
  DebyeStatusCode code = debye_bin_sorter_sort(plan->sorter, &plan->bins, limit, stream, &sorted, status);
  if (code == DEBYE_STATUS_OK)
    use_bins(plan, &sorted);
  return code;
}

DebyeStatusCode
debye_cuda_cutoff_end_frame(DebyeKernelPlan *handle, DebyeStream *stream, DebyeStatus *status)
{
  return sort((DebyeCutoffPlan *)handle, NULL, stream, status);
}

/* What is staged. Slabs are summed in other streams, so that the charges' is waited for. */
static DebyeStatusCode
sort_staged(DebyeCutoffPlan *plan, const DebyeCell *cell, DebyeStatus *status)
{
  const DebyePotentialSettings *settings = &plan->settings;
  const DebyeBinLimit limit = {settings->bin_capacity, settings->overflow_share, &plan->staged.on_host};
  DebyeStatusCode code = debye_cuda_cutoff_begin_frame((DebyeKernelPlan *)plan, &plan->staged.charges, cell,
                                                       &plan->stream, status);
  if (code == DEBYE_STATUS_OK)
    code = sort(plan, settings->bin_capacity > 0 ? &limit : NULL, &plan->stream, status);
  return code == DEBYE_STATUS_OK ? debye_stream_finish(&plan->stream, "sorting the charges into bins", status)
                                 : code;
}

static DebyeStatusCode
set_charges(DebyeKernelPlan *handle, const DebyeCharges *charges, const DebyeCell *cell, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  if (charges->n > plan->settings.max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu charges were given; the plan holds at most %zu.", charges->n,
                            plan->settings.max_charges);
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_staged_charges_set(&plan->staged, charges, &plan->stream, status);
  return code == DEBYE_STATUS_OK ? sort_staged(plan, cell, status) : code;
}

/* The host chooses whom the bins leave over, by where they are. */
static DebyeStatusCode
set_packed(DebyeKernelPlan *handle, const DebyePackedCoordinates *packed, const DebyeCell *cell,
           DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_staged_charges_set_packed(&plan->staged, packed, plan->settings.bin_capacity > 0,
                                           &plan->stream, status);
  return code == DEBYE_STATUS_OK ? sort_staged(plan, cell, status) : code;
}

static void
get_overflow(const DebyeKernelPlan *handle, DebyeCharges *overflow)
{
  const DebyeCutoffPlan *plan = (const DebyeCutoffPlan *)handle;
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

static void
launch_groups(const DebyeCutoffPlan *plan, const DebyeCutoffLaunch *launch, void *out, DebyeStream *stream)
{
  using Shape = ProductionShape;
  const size_t *shape = launch->grid.shape, end = launch->first_plane + launch->n_planes;
  const dim3 blocks((unsigned)((shape[0] + Shape::WIDTH - 1) / Shape::WIDTH),
                    (unsigned)((shape[1] + Shape::HEIGHT - 1) / Shape::HEIGHT),
                    (unsigned)((end + Shape::DEPTH - 1) / Shape::DEPTH - launch->first_plane / Shape::DEPTH));
  void *arguments[] = {(void *)launch, &out};
  debye_stream_launch(stream, choose_kernel(plan), blocks, dim3(Shape::THREADS), arguments);
}

static void
launch_doubles(const DebyeCutoffLaunch *launch, void *out, DebyeStream *stream)
{
  constexpr size_t WIDTH = DEBYE_CUTOFF_DOUBLE_THREADS;
  const size_t *shape = launch->grid.shape;
  const dim3 blocks((unsigned)((shape[0] + WIDTH - 1) / WIDTH), (unsigned)shape[1],
                    (unsigned)launch->n_planes);
  void *arguments[] = {(void *)launch, &out};
  debye_stream_launch(stream, (const void *)debye_cutoff_double, blocks, dim3(WIDTH), arguments);
}

static void
launch_slab(const DebyeCutoffPlan *plan, DebyeSlab slab, void *out, const volatile int *stop,
            DebyeStream *stream)
{
  DebyeCutoffLaunch launch = plan->launch;
  launch.stop = stop;
  /* A launch has at most 65,535 layers. */
  for (size_t done = 0; done < slab.count; done += launch.n_planes) {
    launch.first_plane = slab.first + done;
    launch.n_planes = slab.count - done < MAX_GRID_YZ - 1 ? slab.count - done : MAX_GRID_YZ - 1;
    const size_t plane_bytes = launch.grid.shape[0] * launch.grid.shape[1] * value_bytes(&plan->settings);
    void *part = (char *)out + done * plane_bytes;
    if (plan->settings.double_precision)
      launch_doubles(&launch, part, stream);
    else
      launch_groups(plan, &launch, part, stream);
  }
}

void
debye_cuda_cutoff_enqueue(DebyeKernelPlan *handle, DebyeSlab slab, void *out, DebyeStream *stream)
{
  launch_slab((const DebyeCutoffPlan *)handle, slab, out, NULL, stream);
}

/* One call of execute. */
struct Execution {
  DebyeCutoffPlan *plan;
  const DebyeMeanwhile *meanwhile;
};

static void
start_planes(void *context, DebyeSlab planes, void *out, DebyeStream *stream)
{
  const DebyeCutoffPlan *plan = ((const Execution *)context)->plan;
  launch_slab(plan, planes, out, plan->stop, stream);
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
  DebyeCutoffPlan *plan = ((const Execution *)context)->plan;
  debye_stream_upload(&plan->stop_stream, plan->stop, plan->one, sizeof *plan->stop);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCutoffPlan *plan = (DebyeCutoffPlan *)handle;
  Execution execution = {plan, meanwhile};
  const DebyeSlabWork work = {start_planes, meanwhile != NULL ? take_planes : NULL, stop_blocks, &execution,
                              N_("summing within the cutoff")};
  if (debye_potential_slab_check(&plan->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  debye_stream_note(&plan->stop_stream, cudaSetDevice(plan->device));
  debye_stream_clear(&plan->stop_stream, plan->stop, sizeof *plan->stop);
  const DebyeStatusCode code = debye_stream_finish(&plan->stop_stream, work.what, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  void *result = plan->settings.double_precision ? (void *)out_double : (void *)out;
  return debye_slab_pipeline_run(&plan->pipeline, slab, result, &work, cancel, status);
}

extern "C" const DebyePotentialKernel debye_cuda_cutoff = {
    .head = {bytes_needed, create, destroy},
    .set_charges = set_charges,
    .set_packed = set_packed,
    .get_overflow = get_overflow,
    .execute = execute,
};
