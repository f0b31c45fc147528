/* SPDX-License-Identifier: MIT */
/* Brings counts of displacements to the host for displacement_histogram.cu, through two pinned stages: while
 * one is copied to the caller's arrays, whose memory may be any, the other is on its way. */
#include <string.h>

#include "displacement_kernels.cuh"
#include "displacement_plan.cuh"
#include "kernels/chunk_threads.h"

static void
start_stage(DebyeCudaDisplacementPlan *plan, DebyeDisplacementStage *stage, size_t n_lags, size_t skip)
{
  const size_t n_bins = plan->settings.n_bins, run = plan->run_lags;
  const size_t runs = (n_lags + skip + run - 1) / run, values = stage->count * (n_bins + 1);
  const size_t blocks = (values + 255) / 256;
  const unsigned long long *counts = plan->counts + stage->group * runs * run * (n_bins + 1);
  debye_displacement_gather<<<(unsigned)(blocks < 4096 ? blocks : 4096), 256, 0, plan->stream.handle>>>(
      counts, (unsigned)run, n_bins, skip + stage->first, stage->count, stage->counts);
  debye_stream_note_launch(&plan->stream);
  debye_stream_download(&plan->stream, stage->counts_host, stage->counts, values * sizeof *stage->counts);
  debye_stream_record(&plan->stream, stage->done);
}

static void
finish_stage(DebyeCudaDisplacementPlan *plan, DebyeDisplacementStage *stage, size_t first,
             DebyeDisplacementSums *sums)
{
  const size_t n_bins = plan->settings.n_bins, count = stage->count;
  const size_t place = stage->group * plan->settings.n_lags + first + stage->first;
  if (debye_stream_is_good(&plan->stream))
    debye_stream_note(&plan->stream, cudaEventSynchronize(stage->done));
  stage->count = 0;
  if (!debye_stream_is_good(&plan->stream))
    return;
  debye_chunk_threads_copy(sums->counts + place * n_bins, stage->counts_host,
                           count * n_bins * sizeof *sums->counts);
  memcpy(sums->beyond + place, stage->counts_host + count * n_bins, count * sizeof *sums->beyond);
}

static void
fetch_moments(DebyeCudaDisplacementPlan *plan, size_t first, size_t n_lags, size_t skip,
              DebyeDisplacementSums *sums)
{
  const size_t n_groups = plan->settings.n_groups, row = n_lags + skip;
  debye_stream_download(&plan->stream, plan->host_moments, plan->moments, n_groups * row * sizeof(double2));
  debye_stream_wait(&plan->stream);
  for (size_t i = 0; i < n_groups * n_lags && debye_stream_is_good(&plan->stream); i++) {
    const size_t group = i / n_lags, lag = i % n_lags;
    const double2 sum = plan->host_moments[group * row + skip + lag];
    sums->square[group * plan->settings.n_lags + first + lag] = sum.x;
    sums->fourth[group * plan->settings.n_lags + first + lag] = sum.y;
  }
}

void
debye_cuda_displacement_fetch(DebyeCudaDisplacementPlan *plan, size_t first, size_t n_lags, size_t skip,
                              DebyeDisplacementSums *sums)
{
  const size_t per_group = (n_lags + plan->stage_lags - 1) / plan->stage_lags;
  for (size_t i = 0; i < plan->settings.n_groups * per_group && debye_stream_is_good(&plan->stream); i++) {
    DebyeDisplacementStage *stage = &plan->stages[i % 2], *other = &plan->stages[1 - i % 2];
    const size_t begin = i % per_group * plan->stage_lags, left = n_lags - begin;
    stage->group = i / per_group;
    stage->first = begin;
    stage->count = left < plan->stage_lags ? left : plan->stage_lags;
    start_stage(plan, stage, n_lags, skip);
    if (other->count > 0)
      finish_stage(plan, other, first, sums);
  }
  for (DebyeDisplacementStage &stage : plan->stages)
    if (stage.count > 0)
      finish_stage(plan, &stage, first, sums);
  fetch_moments(plan, first, n_lags, skip, sums);
}
