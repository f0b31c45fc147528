/* SPDX-License-Identifier: MIT */
/* Frames brought into the order of the groups, on the host. */
#include "amplitude_plan.cuh"
#include "kernels/chunk_threads.h"

constexpr size_t CHUNK_ENTRIES = (size_t)1 << 16;

/* Frames that the host brings into order. */
struct Gathering {
  const DebyeCudaAmplitudePlan *plan;
  const DebyeScatteringFrame *frames;
  size_t n_frames, chunks_wide;
  float *out;
  uint64_t first_bad;
};

static void
note_bad(Gathering *gathering, uint64_t found)
{
  uint64_t known = __atomic_load_n(&gathering->first_bad, __ATOMIC_RELAXED);
  while (found < known && !__atomic_compare_exchange_n(&gathering->first_bad, &known, found, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void
gather_chunk(void *context, size_t chunk)
{
  Gathering *gathering = (Gathering *)context;
  const DebyeCudaAmplitudePlan *plan = gathering->plan;
  const size_t frame = chunk / gathering->chunks_wide, first = chunk % gathering->chunks_wide * CHUNK_ENTRIES;
  const size_t n = plan->n_entries, count = debye_amplitude_smaller(CHUNK_ENTRIES, n - first);
  float *x = gathering->out + frame * n + first, *y = x + gathering->n_frames * n;
  const size_t bad = debye_scattering_gather(&plan->settings.groups, &gathering->frames[frame], first, count,
                                             x, y, y + gathering->n_frames * n);
  if (bad != SIZE_MAX)
    note_bad(gathering, (uint64_t)frame * plan->settings.n_atoms + bad);
}

uint64_t
debye_cuda_amplitude_gather(const DebyeCudaAmplitudePlan *plan, const DebyeScatteringFrame *frames,
                            size_t n_frames, float *out)
{
  Gathering gathering = {plan, frames,    n_frames, debye_amplitude_pieces(plan->n_entries, CHUNK_ENTRIES),
                         out,  UINT64_MAX};
  /* Small frames are not worth a thread. */
  if (n_frames * plan->n_entries < CHUNK_ENTRIES)
    for (size_t chunk = 0; chunk < n_frames * gathering.chunks_wide; chunk++)
      gather_chunk(&gathering, chunk);
  else
    debye_chunk_threads_run(n_frames * gathering.chunks_wide, gather_chunk, &gathering);
  return gathering.first_bad;
}
