/* SPDX-License-Identifier: MIT */
/* Self scattering by stages: phases are written, transformed by cuFFT and summed; called by
 * scattering_self.cu. */
#include "self_plan.cuh"

#include <string.h>

#include "self_series.cuh"

template <class Real2, bool POWER>
static DebyeStatusCode
sum_batch(DebyeCudaSelfPlan *plan, const DebyeSelfBatch *batch, double *sum, double *fq2, DebyeStatus *status)
{
  Real2 *values = (Real2 *)plan->values;
  const unsigned blocks = (unsigned)((batch->length + 255) / 256);
  const unsigned rows = batch->count < 32768 ? batch->count : 32768;
  debye_self_phases<<<dim3(blocks, rows), 256, 0, plan->stream.handle>>>(*batch, values);
  /* The plan transforms as many as it was made for; what is behind the batch is nobody's. */
  const DebyeStatusCode code =
      POWER ? debye_cuda_fourier_forward(plan->fourier, values, status) : debye_status_ok(status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_self_slices<Real2, POWER>
      <<<dim3(blocks, DEBYE_SELF_SLICES), 256, 0, plan->stream.handle>>>(*batch, values, plan->slices);
  debye_self_add_slices<POWER><<<blocks, 256, 0, plan->stream.handle>>>(plan->slices, batch->length, sum);
  if (plan->settings.elastic) {
    debye_self_mean_squares<Real2, POWER><<<batch->count, 256, 0, plan->stream.handle>>>(
        *batch, values, (const double2 *)plan->mean_weights, plan->squares);
    debye_self_add_all<<<1, 256, 0, plan->stream.handle>>>(plan->squares, batch->count, fq2);
  }
  debye_stream_note_launch(&plan->stream);
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
sum_group(DebyeCudaSelfPlan *plan, DebyeSelfBatch *batch, size_t group, size_t place,
          const volatile bool *cancel, DebyeStatus *status)
{
  const size_t end = plan->series.group_end[group];
  const bool in_double = plan->settings.double_precision;
  double *sum = plan->spectra + place * plan->n_values, *fq2 = plan->fq2 + place;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  size_t first = group > 0 ? plan->series.group_end[group - 1] : 0;
  for (; first < end && code == DEBYE_STATUS_OK; first += plan->max_atoms) {
    if (debye_is_cancelled(cancel))
      return debye_status_set(status, DEBYE_STATUS_CANCELLED, "Self scattering was stopped.");
    batch->first = (uint32_t)first;
    batch->count = (uint32_t)(end - first < plan->max_atoms ? end - first : plan->max_atoms);
    if (debye_cuda_self_correlates(&plan->settings))
      code = in_double ? sum_batch<double2, true>(plan, batch, sum, fq2, status)
                       : sum_batch<float2, true>(plan, batch, sum, fq2, status);
    else
      code = in_double ? sum_batch<double2, false>(plan, batch, sum, fq2, status)
                       : sum_batch<float2, false>(plan, batch, sum, fq2, status);
  }
  return code;
}

DebyeStatusCode
debye_cuda_self_sum_stages(DebyeCudaSelfPlan *plan, size_t first, size_t count, const volatile bool *cancel,
                           DebyeStatus *status)
{
  const size_t results = count * plan->settings.n_groups;
  DebyeSelfBatch batch = {};
  for (int axis = 0; axis < 3; axis++)
    batch.position[axis] = plan->series.position[axis];
  batch.row = plan->series.row;
  batch.n_frames = (unsigned)plan->settings.n_frames;
  batch.length = plan->length;
  batch.scattering_length = plan->lengths;
  debye_stream_clear(&plan->stream, plan->spectra, results * plan->n_values * sizeof(double));
  debye_stream_clear(&plan->stream, plan->fq2, results * sizeof(double));
  DebyeStatusCode code = debye_status_ok(status);
  for (size_t i = 0; i < results && code == DEBYE_STATUS_OK; i++) {
    memcpy(batch.q, plan->host_turns + 3 * (first + i / plan->settings.n_groups), sizeof batch.q);
    code = sum_group(plan, &batch, i % plan->settings.n_groups, i, cancel, status);
  }
  return code;
}
