/* SPDX-License-Identifier: MIT */
/* Self scattering on a GPU; its twin is cpu/scattering/scattering_self.c. Whichever way the sums are made
 * (self_plan.cuh), one transform back follows for each vector and group, in double. */
#include <string.h>

#include "self_plan.cuh"
#include "self_sums.cuh"

/* The block. */

static void
upload_block(DebyeCudaSelfPlan *plan)
{
  const size_t n = plan->block.n_atoms, n_groups = plan->settings.n_groups;
  for (size_t group = 0; group < n_groups; group++)
    plan->host_ends[group] = (uint32_t)plan->series.group_end[group];
  plan->n_pieces = debye_series_block_cut(&plan->series, debye_cuda_self_atoms_of_piece(&plan->settings),
                                          plan->host_pieces, plan->host_ends + n_groups);
  for (size_t i = 0; i < n; i++) {
    const size_t atom = plan->series.order[i];
    const double *b = plan->block.length != NULL ? plan->block.length + 2 * atom : NULL;
    plan->host_lengths[i] = b != NULL ? make_double2(b[0], b[1]) : make_double2(1.0, 0.0);
    plan->host_weights[i] = (float)debye_self_weight(&plan->block, atom);
  }
  debye_stream_upload(&plan->stream, plan->ends, plan->host_ends, 2 * n_groups * sizeof *plan->ends);
  debye_stream_upload(&plan->stream, plan->lengths, plan->host_lengths, n * sizeof(double2));
  debye_stream_upload(&plan->stream, plan->weights, plan->host_weights, n * sizeof(float));
  if (plan->fast)
    debye_stream_upload(&plan->stream, plan->pieces, plan->host_pieces,
                        plan->n_pieces * sizeof *plan->pieces);
}

static DebyeStatusCode
set_block(DebyeKernelPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  DebyeCudaSelfPlan *plan = (DebyeCudaSelfPlan *)handle;
  plan->block = {};
  plan->n_pieces = 0;
  DebyeStatusCode code = debye_self_block_check(&plan->settings, block, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  plan->block = *block;
  /* The square's sums need no places, which are only looked through. */
  const bool places = plan->settings.signal != DEBYE_SIGNAL_SQUARE;
  if (!places)
    code = debye_self_positions_check(block, 0, plan->settings.n_frames, status);
  else
    code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  if (code == DEBYE_STATUS_OK && places)
    code = debye_series_block_set(&plan->series, block, &plan->stream, status);
  if (code == DEBYE_STATUS_OK && places) {
    upload_block(plan);
    code = debye_stream_finish(&plan->stream, "copying the atoms' scattering lengths", status);
  }
  if (code != DEBYE_STATUS_OK)
    plan->block = {};
  return code;
}

/* Both. */

static void
fetch(DebyeCudaSelfPlan *plan, size_t count, double *f, double *fq2)
{
  const size_t results = count * plan->settings.n_groups, n_frames = plan->settings.n_frames;
  const void *from = plan->spectra;
  if (debye_cuda_self_correlates(&plan->settings)) {
    const dim3 blocks((unsigned)((n_frames + DEBYE_SELF_TILE - 1) / DEBYE_SELF_TILE), (unsigned)results);
    debye_self_turn_back<<<blocks, DEBYE_SELF_TILE, 0, plan->stream.handle>>>(
        plan->spectra, plan->roots, plan->length, (unsigned)n_frames, plan->f);
    debye_stream_note_launch(&plan->stream);
    from = plan->f;
  }
  debye_stream_download(&plan->stream, f, from, results * n_frames * sizeof(double2));
  if (fq2 != NULL)
    debye_stream_download(&plan->stream, fq2, plan->fq2, results * sizeof(double));
}

static DebyeStatusCode
execute_batch(DebyeCudaSelfPlan *plan, size_t first, size_t count, double *f, double *fq2,
              const volatile bool *cancel, DebyeStatus *status)
{
  if (debye_is_cancelled(cancel))
    return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Self scattering was stopped.");
  if (plan->fast && plan->n_pieces > 0)
    debye_cuda_self_sum_fast(plan, first, count);
  DebyeStatusCode code = debye_status_ok(status);
  if (!plan->fast || plan->n_pieces == 0)
    code = debye_cuda_self_sum_stages(plan, first, count, cancel, status);
  if (code != DEBYE_STATUS_OK) {
    /* Nothing of it may run on when the caller has his memory back. */
    debye_stream_finish(&plan->stream, "stopping", NULL);
    return code;
  }
  fetch(plan, count, f, fq2);
  return debye_stream_finish(&plan->stream, "computing self scattering", status);
}

static DebyeStatusCode
execute(DebyeKernelPlan *handle, size_t first, size_t count, double *f, double *fq2,
        const volatile bool *cancel, DebyeStatus *status)
{
  DebyeCudaSelfPlan *plan = (DebyeCudaSelfPlan *)handle;
  const size_t n_groups = plan->settings.n_groups;
  fq2 = plan->settings.elastic ? fq2 : NULL;
  if (plan->settings.signal == DEBYE_SIGNAL_SQUARE) {
    debye_self_square(&plan->settings, &plan->block, count, f, fq2);
    return debye_status_ok(status);
  }
  DebyeStatusCode code = debye_cuda_status(cudaSetDevice(plan->device), "choosing the device", status);
  for (size_t done = 0; done < count && code == DEBYE_STATUS_OK; done += plan->batch) {
    const size_t n = count - done < plan->batch ? count - done : plan->batch;
    code = execute_batch(plan, first + done, n, f + done * n_groups * 2 * plan->settings.n_frames,
                         fq2 != NULL ? fq2 + done * n_groups : NULL, cancel, status);
  }
  return code;
}

DEBYE_PLAN_HEAD(debye_cuda_self_plan_kind)

extern "C" const DebyeSelfKernel debye_cuda_self = {
    .head = {bytes_needed, create, destroy},
    .set_block = set_block,
    .execute = execute,
};
