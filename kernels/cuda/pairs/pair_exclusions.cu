/* SPDX-License-Identifier: MIT */
/* Excluded pairs' nearest images taken away from the counts; its twin is cpu/pairs/pair_exclusions.c. */
#include "pair_plan.cuh"

struct Exclusions {
  DebyeLattice lattice;
  const uint32_t *members, *member_end, *partners, *partner_first, *group, *histogram_of;
  uint64_t n_members, begin, end;
  uint32_t n_groups, n_pairs;
  size_t n_frame;
  const double *place, *edge2;
  size_t n_bins;
  double inverse_width;
  unsigned long long *counts;
};

static __device__ __forceinline__ void
exclude(const Exclusions &e, uint32_t i, uint32_t j)
{
  if (i >= e.n_frame || j >= e.n_frame || e.group[i] >= e.n_groups || e.group[j] >= e.n_groups)
    return;
  const uint32_t pair = e.histogram_of[(size_t)e.group[i] * e.n_groups + e.group[j]];
  const DebyePairBins bins = {e.edge2, e.n_bins, e.inverse_width};
  const size_t u = i < j ? i : j, v = i < j ? j : i;
  const size_t bin = debye_pair_bin(&bins, debye_pair_nearest(&e.lattice, &e.place[3 * u], &e.place[3 * v]));
  if (pair < e.n_pairs && bin < e.n_bins)
    atomicAdd(&e.counts[pair * e.n_bins + bin], ~0ull);
}

static __global__ void
take_exclusions(const __grid_constant__ Exclusions e)
{
  const uint64_t at = e.begin + (uint64_t)blockIdx.x * DEBYE_TILES_THREADS + threadIdx.x;
  if (at >= e.end)
    return;
  if (at < e.n_members) {
    for (uint32_t other = (uint32_t)at + 1; other < e.member_end[at]; other++)
      exclude(e, e.members[at], e.members[other]);
  } else {
    const uint32_t i = (uint32_t)(at - e.n_members);
    for (uint32_t k = e.partner_first[i]; k < e.partner_first[i + 1]; k++)
      exclude(e, i, e.partners[k]);
  }
}

void
debye_cuda_pair_take_exclusions(DebyeCudaPairPlan *plan, size_t first, size_t end, size_t n_slices)
{
  const DebyePairLaunch *launch = &plan->launch;
  const uint64_t members = plan->n_members, all = members + plan->settings.exclusions.n_listed;
  const Exclusions exclusions = {launch->layout.lattice,
                                 plan->members,
                                 plan->member_end,
                                 plan->partners,
                                 plan->partner_first,
                                 plan->group,
                                 plan->histogram_of,
                                 members,
                                 debye_pair_slice_begin(all, first, n_slices),
                                 debye_pair_slice_begin(all, end, n_slices),
                                 (uint32_t)plan->settings.n_groups,
                                 (uint32_t)plan->settings.n_pairs,
                                 plan->n_frame,
                                 plan->place,
                                 plan->edge2,
                                 plan->settings.n_bins,
                                 launch->inverse_width,
                                 plan->counts};
  if (exclusions.begin < exclusions.end && debye_stream_is_good(&plan->stream))
    take_exclusions<<<debye_cuda_pair_blocks(exclusions.end - exclusions.begin, DEBYE_TILES_THREADS),
                      DEBYE_TILES_THREADS, 0, plan->stream.handle>>>(exclusions);
  debye_stream_note_launch(&plan->stream);
}
