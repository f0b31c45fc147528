/* SPDX-License-Identifier: MIT */
/* Histograms of displacements on a GPU; its twin is cpu/scattering/displacement_histogram.c. */

#include "displacement_plan.cuh"

static void
cut_into_pieces(DebyeCudaDisplacementPlan *plan)
{
  const size_t atoms = debye_cuda_displacement_piece_atoms(&plan->settings, plan->shared_bytes);
  plan->n_pieces = debye_series_block_cut(&plan->series, atoms, plan->host_pieces, plan->host_piece_end);
  debye_stream_upload(&plan->stream, plan->piece_end, plan->host_piece_end,
                      plan->settings.n_groups * sizeof *plan->piece_end);
  debye_stream_upload(&plan->stream, plan->pieces, plan->host_pieces, plan->n_pieces * sizeof *plan->pieces);
}

static DebyeStatusCode
set_block(DebyeKernelPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)handle;
  plan->n_pieces = 0;
  DebyeStatusCode code = debye_displacement_block_check(&plan->settings, block, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK)
    code = debye_series_block_set(&plan->series, block, &plan->stream, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  cut_into_pieces(plan);
  return debye_stream_finish(&plan->stream, "copying the atoms' order", status);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t n_lags, DebyeDisplacementSums *sums,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaDisplacementPlan *plan = (DebyeCudaDisplacementPlan *)handle;
  debye_stream_note(&plan->stream, cudaSetDevice(plan->device));
  for (size_t done = 0; done < n_lags && debye_stream_is_good(&plan->stream); done += plan->batch) {
    const size_t n = n_lags - done < plan->batch ? n_lags - done : plan->batch;
    size_t skip = 0;
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Counting displacements was stopped.");
    debye_cuda_displacement_launch(plan, first + done, n, &skip);
    debye_cuda_displacement_fetch(plan, first + done, n, skip, sums);
  }
  return debye_stream_report(&plan->stream, "counting displacements", status);
}

DEBYE_PLAN_HEAD(debye_cuda_displacement_plan_kind)

extern "C" const DebyeDisplacementKernel debye_cuda_displacement = {
    .head = {bytes_needed, create, destroy},
    .set_block = set_block,
    .execute = execute,
};
