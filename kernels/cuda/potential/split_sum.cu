/* SPDX-License-Identifier: MIT */
/* Implementation of split_sum.cuh for potential_ewald.cu and potential_multilevel.cu: charges to the device,
 * bins of the short-range part, and slabs of both parts. */
#include "split_sum.cuh"

#include <math.h>

#include "kernels/potential/cutoff_bins.h"
#include "cutoff_short_range.cuh"

/* A copy of a chunk takes a tenth of a millisecond. The cutoff kernel's blocks are 8 planes thick. */
constexpr DebyeSlabChunks CHUNKS = {(size_t)1 << 19, 8};

static DebyePotentialSettings
near_settings(const DebyePotentialSettings *settings, double cutoff)
{
  DebyePotentialSettings near = *settings;
  near.method = DEBYE_POTENTIAL_CUTOFF;
  near.smoothing = DEBYE_SMOOTHING_NONE;
  near.cutoff = cutoff;
  return near;
}

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

uint64_t
debye_split_sum_bytes(const DebyePotentialSettings *settings, double cutoff)
{
  const uint64_t bytes =
      debye_staged_charges_bytes(settings->max_charges) + debye_slab_pipeline_bytes(settings, CHUNKS);
  const uint64_t bins = cutoff > 0.0 ? debye_cutoff_bins_bytes(settings, cutoff) : 0;
  return bins < SIZE_MAX - bytes ? bins + bytes : SIZE_MAX;
}

/* What is done once a frame goes before slabs that wait for room on the device: the sooner it is over, the
 * sooner the first of them are on their way to the host. */
static cudaError_t
make_streams(DebyeSplitSum *sum)
{
  int least = 0, greatest = 0;
  cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
  const int between = (least + greatest) / 2;
  for (cudaStream_t *stream : {&sum->stream, &sum->near_stream})
    if (error == cudaSuccess)
      error = cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, between);
  return error;
}

static cudaError_t
make_device_parts(DebyeSplitSum *sum)
{
  cudaError_t error = cudaSetDevice(sum->device);
  if (error == cudaSuccess)
    error = make_streams(sum);
  for (cudaEvent_t *event : {&sum->uploaded, &sum->ready, &sum->near_ready})
    if (error == cudaSuccess)
      error = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  return error == cudaSuccess ? debye_staged_charges_create(&sum->staged, sum->settings.max_charges) : error;
}

DebyeStatusCode
debye_split_sum_init(DebyeSplitSum *sum, int device, const DebyePotentialSettings *settings,
                     const DebyePairFunction *near, DebyeStatus *status)
{
  *sum = {};
  sum->device = device;
  sum->settings = *settings;
  DebyeStatusCode code = debye_cuda_status(make_device_parts(sum), "planning the sum", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_slab_pipeline_create(settings, CHUNKS, &sum->pipeline, status);
  if (code != DEBYE_STATUS_OK || near == NULL)
    return code;
  const DebyePotentialSettings of_near = near_settings(settings, near->cutoff);
  return debye_cuda_cutoff_create_with(device, &of_near, near, &sum->near, status);
}

void
debye_split_sum_clear(DebyeSplitSum *sum)
{
  /* After a failure of the device these fail too; there is nothing else to do with it then. */
  cudaSetDevice(sum->device);
  debye_cuda_cutoff.destroy(sum->near);
  debye_slab_pipeline_destroy(sum->pipeline);
  debye_staged_charges_clear(&sum->staged);
  for (cudaStream_t stream : {sum->stream, sum->near_stream})
    if (stream != NULL)
      cudaStreamDestroy(stream);
  for (cudaEvent_t event : {sum->uploaded, sum->ready, sum->near_ready})
    if (event != NULL)
      cudaEventDestroy(event);
  cudaGetLastError();
}

/* The short-range part's stream goes on where the charges have arrived. */
static cudaError_t
follow_upload(DebyeSplitSum *sum)
{
  cudaError_t error = cudaEventRecord(sum->uploaded, sum->stream);
  return error == cudaSuccess ? cudaStreamWaitEvent(sum->near_stream, sum->uploaded, 0) : error;
}

DebyeStatusCode
debye_split_sum_set_charges(DebyeSplitSum *sum, const DebyeCharges *charges, const DebyeCell *cell,
                            DebyeStatus *status)
{
  if (charges->n > sum->settings.max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu charges were given, planned were at most %zu.",
                            charges->n, sum->settings.max_charges);
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(sum->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaStreamSynchronize(sum->near_stream), "computing a frame", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_staged_charges_set(&sum->staged, charges, sum->stream, status);
  if (code != DEBYE_STATUS_OK || sum->near == NULL)
    return code;
  code = debye_cuda_status(follow_upload(sum), "copying the charges to the device", status);
  return code == DEBYE_STATUS_OK
             ? debye_cuda_cutoff_begin_frame(sum->near, &sum->staged.charges, cell, sum->near_stream, status)
             : code;
}

DebyeStatusCode
debye_split_sum_finish_near(DebyeSplitSum *sum, DebyeStatus *status)
{
  if (sum->near == NULL)
    return debye_status_ok(status);
  DebyeStatusCode code = debye_cuda_cutoff_end_frame(sum->near, sum->near_stream, status);
  return code == DEBYE_STATUS_OK ? debye_cuda_status(cudaEventRecord(sum->near_ready, sum->near_stream),
                                                     "sorting the charges into bins", status)
                                 : code;
}

DebyeStatusCode
debye_split_sum_finish(DebyeSplitSum *sum, DebyeStatus *status)
{
  return debye_cuda_status(cudaEventRecord(sum->ready, sum->stream), "computing the smooth part", status);
}

/* One call of debye_split_sum_execute. */
struct Execution {
  const DebyeSplitSum *sum;
  DebyeSplitInterpolate interpolate;
  void *context;
};

static DebyeStatusCode
start_planes(void *context, DebyeSlab planes, void *out, cudaStream_t stream, DebyeStatus *status)
{
  const Execution *execution = (const Execution *)context;
  const DebyeSplitSum *sum = execution->sum;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  if (sum->near != NULL)
    code = debye_cuda_status(cudaStreamWaitEvent(stream, sum->near_ready, 0), "sorting the charges into bins",
                             status);
  if (code == DEBYE_STATUS_OK && sum->near != NULL)
    code = debye_cuda_cutoff_enqueue(sum->near, planes, out, stream, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cudaError_t error = cudaStreamWaitEvent(stream, sum->ready, 0);
  if (error == cudaSuccess)
    error = execution->interpolate(execution->context, planes, out, sum->near != NULL, stream);
  return debye_cuda_status(error, "interpolating the smooth part", status);
}

DebyeStatusCode
debye_split_sum_execute(DebyeSplitSum *sum, DebyeSlab slab, float *out, double *out_double,
                        DebyeSplitInterpolate interpolate, void *context, const volatile bool *cancel,
                        DebyeStatus *status)
{
  Execution execution = {sum, interpolate, context};
  const DebyeSlabWork work = {start_planes, NULL, NULL, &execution};
  if (debye_potential_slab_check(&sum->settings, slab, out, out_double, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(sum->device), "choosing the device", status);
  void *result = sum->settings.double_precision ? (void *)out_double : (void *)out;
  return code == DEBYE_STATUS_OK ? debye_slab_pipeline_run(sum->pipeline, slab, result, &work, cancel, status)
                                 : code;
}

DebyeSplitAtoms
debye_split_sum_atoms(const DebyeSplitSum *sum)
{
  const DebyeCharges *charges = &sum->staged.charges;
  const double total = sum->staged.total, unit = total > 0.0 ? ldexp(1.0, ilogb(total) - 61) : 1.0;
  return {charges->x, charges->y, charges->z, charges->charge, (unsigned)charges->n, unit};
}

cudaError_t
debye_split_sum_interpolate(const DebyeSplitSum *sum, const void *kernel, const void *launch,
                            const DebyeEwaldGrid *grid, DebyeSlab planes, void *out, bool adds,
                            cudaStream_t stream)
{
  const size_t *shape = sum->settings.grid.shape;
  DebyeSplitTarget target = {*grid, {(unsigned)shape[0], (unsigned)shape[1]}, planes.first};
  void *arguments[] = {(void *)launch, &target, &out, &adds};
  const dim3 blocks(debye_blocks_for(shape[0], BLOCK_X), debye_blocks_for(shape[1], BLOCK_Y),
                    (unsigned)planes.count);
  return cudaLaunchKernel(kernel, blocks, dim3(BLOCK_X, BLOCK_Y), arguments, 0, stream);
}
