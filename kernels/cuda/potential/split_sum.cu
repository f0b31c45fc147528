/* SPDX-License-Identifier: MIT */
/* Implementation of split_sum.cuh for potential_ewald.cu and potential_multilevel.cu: charges to the device,
 * bins of the short-range part, and slabs of both parts. */
#include "split_sum.cuh"

#include <math.h>

#include "kernels/potential/cutoff_bins.h"
#include "cutoff_short_range.cuh"

/* A copy of a chunk takes a tenth of a millisecond. The cutoff kernel's blocks are 8 planes thick. */
constexpr DebyeSlabChunks CHUNKS = {(size_t)1 << 19, 8};

/* Points of a block that interpolates, in x and y. */
constexpr unsigned BLOCK_X = 32, BLOCK_Y = 4;
constexpr size_t MAX_BLOCKS_Y = 65535;

DebyeStatusCode
debye_split_sum_check(const DebyePotentialSettings *settings, DebyeStatus *status)
{
  if (settings->max_charges <= INT32_MAX && settings->grid.shape[0] <= INT32_MAX &&
      settings->grid.shape[1] <= BLOCK_Y * MAX_BLOCKS_Y)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_UNSUPPORTED,
                          "The grid or the number of charges is beyond the device.");
}

void
debye_split_sum_set_up(DebyeSplitSum *sum, int device, const DebyePotentialSettings *settings,
                       const DebyePairFunction *near)
{
  sum->device = device;
  sum->settings = *settings;
  debye_staged_charges_set_up(&sum->staged, settings);
  debye_slab_pipeline_set_up(&sum->pipeline, settings, CHUNKS);
  sum->has_near = near != NULL;
  if (!sum->has_near)
    return;
  sum->function = *near;
  sum->near_bytes = debye_cuda_cutoff_bytes_with(device, settings, near);
}

void
debye_split_sum_list(DebyeSplitSum *sum, DebyePlanMemory *memory)
{
  debye_staged_charges_list(&sum->staged, memory);
  debye_slab_pipeline_list(&sum->pipeline, memory);
  debye_plan_memory_add_bytes(memory, sum->near_bytes);
}

/* What is done once a frame goes before slabs that wait for room on the device: the sooner it is over, the
 * sooner the first of them are on their way to the host. */
DebyeStatusCode
debye_split_sum_open(DebyeSplitSum *sum, DebyeStatus *status)
{
  DebyeStream *stream = &sum->stream;
  debye_stream_open_urgent(stream, 0.5);
  debye_stream_open_urgent(&sum->near_stream, 0.5);
  debye_stream_note(stream, sum->near_stream.error);
  for (cudaEvent_t *event : {&sum->uploaded, &sum->ready, &sum->near_ready})
    debye_stream_new_event(stream, event);
  debye_staged_charges_open(&sum->staged, stream);
  DebyeStatusCode code = debye_stream_finish(stream, "planning the sum", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_slab_pipeline_open(&sum->pipeline, status);
  return code == DEBYE_STATUS_OK && sum->has_near
             ? debye_cuda_cutoff_create_with(sum->device, &sum->settings, &sum->function, &sum->near, status)
             : code;
}

void
debye_split_sum_close(DebyeSplitSum *sum)
{
  cudaSetDevice(sum->device);
  debye_cuda_cutoff.head.destroy(sum->near);
  debye_slab_pipeline_close(&sum->pipeline);
  debye_staged_charges_close(&sum->staged);
  debye_stream_close(&sum->stream);
  debye_stream_close(&sum->near_stream);
  for (cudaEvent_t event : {sum->uploaded, sum->ready, sum->near_ready})
    debye_event_free(event);
}

/* On the plan's device, with nothing of the frame before under way. */
static DebyeStatusCode
begin_frame(DebyeSplitSum *sum, DebyeStatus *status)
{
  const DebyeStatusCode code = debye_cuda_status(cudaSetDevice(sum->device), "choosing the device", status);
  return code == DEBYE_STATUS_OK ? debye_stream_finish(&sum->near_stream, "computing a frame", status) : code;
}

/* The charges are in the stream: the short-range part begins with them. */
static DebyeStatusCode
begin_near(DebyeSplitSum *sum, const DebyeCell *cell, DebyeStatus *status)
{
  if (sum->near == NULL)
    return debye_status_ok(status);
  debye_stream_record(&sum->stream, sum->uploaded);
  debye_stream_follow(&sum->near_stream, sum->uploaded);
  const DebyeStatusCode code = debye_stream_report(&sum->stream, "copying the charges to the device", status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_cutoff_begin_frame(sum->near, &sum->staged.charges, cell, &sum->near_stream, status)
             : code;
}

DebyeStatusCode
debye_split_sum_set_charges(DebyeSplitSum *sum, const DebyeCharges *charges, const DebyeCell *cell,
                            DebyeStatus *status)
{
  if (charges->n > sum->settings.max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu charges were given; the plan holds at most %zu.", charges->n,
                            sum->settings.max_charges);
  DebyeStatusCode code = begin_frame(sum, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_staged_charges_set(&sum->staged, charges, &sum->stream, status);
  return code == DEBYE_STATUS_OK ? begin_near(sum, cell, status) : code;
}

DebyeStatusCode
debye_split_sum_set_packed(DebyeSplitSum *sum, const DebyePackedCoordinates *packed, const DebyeCell *cell,
                           DebyeStatus *status)
{
  DebyeStatusCode code = begin_frame(sum, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_staged_charges_set_packed(&sum->staged, packed, false, &sum->stream, status);
  return code == DEBYE_STATUS_OK ? begin_near(sum, cell, status) : code;
}

DebyeStatusCode
debye_split_sum_finish_near(DebyeSplitSum *sum, DebyeStatus *status)
{
  if (sum->near == NULL)
    return debye_status_ok(status);
  DebyeStream *stream = &sum->near_stream;
  const DebyeStatusCode code = debye_cuda_cutoff_end_frame(sum->near, stream, status);
  debye_stream_record(stream, sum->near_ready);
  return code == DEBYE_STATUS_OK ? debye_stream_report(stream, "sorting the charges into bins", status)
                                 : code;
}

DebyeStatusCode
debye_split_sum_finish(DebyeSplitSum *sum, DebyeStatus *status)
{
  debye_stream_record(&sum->stream, sum->ready);
  return debye_stream_report(&sum->stream, "computing the smooth part", status);
}

/* One call of debye_split_sum_execute. */
struct Execution {
  const DebyeSplitSum *sum;
  DebyeSplitInterpolate interpolate;
  void *context;
};

static void
start_planes(void *context, DebyeSlab planes, void *out, DebyeStream *stream)
{
  const Execution *execution = (const Execution *)context;
  const DebyeSplitSum *sum = execution->sum;
  if (sum->near != NULL) {
    debye_stream_follow(stream, sum->near_ready);
    debye_cuda_cutoff_enqueue(sum->near, planes, out, stream);
  }
  debye_stream_follow(stream, sum->ready);
  execution->interpolate(execution->context, planes, out, sum->near != NULL, stream);
}

DebyeStatusCode
debye_split_sum_execute(DebyeSplitSum *sum, DebyeSlab slab, float *out, double *out_double,
                        DebyeSplitInterpolate interpolate, void *context, const volatile bool *cancel,
                        DebyeStatus *status)
{
  Execution execution = {sum, interpolate, context};
  const DebyeSlabWork work = {start_planes, NULL, NULL, &execution, N_("interpolating the smooth part")};
  if (debye_potential_slab_check(&sum->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(sum->device), "choosing the device", status);
  void *result = sum->settings.double_precision ? (void *)out_double : (void *)out;
  return code == DEBYE_STATUS_OK
             ? debye_slab_pipeline_run(&sum->pipeline, slab, result, &work, cancel, status)
             : code;
}

DebyeSplitAtoms
debye_split_sum_atoms(const DebyeSplitSum *sum)
{
  const DebyeCharges *charges = &sum->staged.charges;
  const double total = sum->staged.total, unit = total > 0.0 ? ldexp(1.0, ilogb(total) - 61) : 1.0;
  return {charges->x, charges->y, charges->z, charges->charge, (unsigned)charges->n, unit};
}

void
debye_split_sum_interpolate(const DebyeSplitSum *sum, const void *kernel, const void *launch,
                            const DebyeEwaldGrid *grid, DebyeSlab planes, void *out, bool adds,
                            DebyeStream *stream)
{
  const size_t *shape = sum->settings.grid.shape;
  DebyeSplitTarget target = {*grid, {(unsigned)shape[0], (unsigned)shape[1]}, planes.first};
  void *arguments[] = {(void *)launch, &target, &out, &adds};
  const dim3 blocks(debye_blocks_for(shape[0], BLOCK_X), debye_blocks_for(shape[1], BLOCK_Y),
                    (unsigned)planes.count);
  debye_stream_launch(stream, kernel, blocks, dim3(BLOCK_X, BLOCK_Y), arguments);
}
