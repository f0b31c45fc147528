/* SPDX-License-Identifier: MIT */
/* Histograms of displacements on a GPU; its twin is cpu/scattering/displacement_histogram.c. */
#include <stdlib.h>

#include "displacement_plan.cuh"

static DebyeStatusCode
create(int device, const DebyeDisplacementSettings *settings, DebyeDisplacementPlan **handle,
       DebyeStatus *status)
{
  DebyeStatus local = {};
  status = status != NULL ? status : &local;
  *handle = (DebyeDisplacementPlan *)debye_cuda_displacement_plan_new(device, settings, status);
  return *handle != NULL ? debye_status_ok(status) : status->code;
}

static void
destroy(DebyeDisplacementPlan *handle)
{
  debye_cuda_displacement_plan_free((DebyeCudaDisplacementPlan *)handle);
}

static cudaError_t
cut_into_pieces(DebyeCudaDisplacementPlan *plan)
{
  const size_t atoms = debye_cuda_displacement_piece_atoms(&plan->settings, plan->shared_bytes);
  const size_t n_groups = plan->settings.n_groups;
  uint32_t *ends = (uint32_t *)calloc(n_groups, sizeof *ends);
  if (ends == NULL)
    return cudaErrorMemoryAllocation;
  plan->n_pieces = debye_series_block_cut(&plan->series, atoms, plan->host_pieces, ends);
  cudaError_t error = debye_cuda_upload(plan->piece_end, ends, n_groups * sizeof *ends);
  free(ends);
  if (error == cudaSuccess)
    error = debye_cuda_upload(plan->pieces, plan->host_pieces, plan->n_pieces * sizeof *plan->pieces);
  return error;
}

static DebyeStatusCode
set_block(DebyeDisplacementPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)handle;
  plan->n_pieces = 0;
  DebyeStatusCode code = debye_displacement_block_check(&plan->settings, block, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_set(&plan->series, block, plan->stream, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cut_into_pieces(plan), "copying the atoms' order", status);
  return code;
}

static DebyeStatusCode
execute(DebyeDisplacementPlan *handle, size_t first, size_t n_lags, DebyeDisplacementSums *sums,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)handle;
  cudaError_t error = cudaSetDevice(plan->device);
  for (size_t done = 0; done < n_lags && error == cudaSuccess; done += plan->batch) {
    const size_t n = n_lags - done < plan->batch ? n_lags - done : plan->batch;
    size_t skip = 0;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Counting displacements was stopped.");
    error = debye_cuda_displacement_launch(plan, first + done, n, &skip);
    if (error == cudaSuccess)
      error = debye_cuda_displacement_fetch(plan, first + done, n, skip, sums);
  }
  return debye_cuda_status(error, "counting displacements", status);
}

extern "C" const DebyeDisplacementKernel debye_cuda_displacement = {
    .bytes_needed = debye_cuda_displacement_bytes,
    .create = create,
    .set_block = set_block,
    .execute = execute,
    .destroy = destroy,
};
