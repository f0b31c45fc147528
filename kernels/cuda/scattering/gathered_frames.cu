/* SPDX-License-Identifier: MIT */
/* Gathers frames by groups of atoms on the host's threads; called by scattering_amplitude.cu and
 * scattering_lattice.cu. */
#include "gathered_frames.cuh"

#include "kernels/chunk_threads.h"

constexpr size_t CHUNK_ENTRIES = (size_t)1 << 16;

struct Gathering {
  const DebyeScatteringGroups *groups;
  const DebyeScatteringFrame *frames;
  size_t n_atoms, n_entries, n_frames, chunks_wide;
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
  const size_t frame = chunk / gathering->chunks_wide, first = chunk % gathering->chunks_wide * CHUNK_ENTRIES;
  const size_t n = gathering->n_entries, left = n - first, axis = gathering->n_frames * n;
  float *x = gathering->out + frame * n + first;
  const size_t bad =
      debye_scattering_gather(gathering->groups, &gathering->frames[frame], first,
                              left < CHUNK_ENTRIES ? left : CHUNK_ENTRIES, x, x + axis, x + 2 * axis);
  if (bad != SIZE_MAX)
    note_bad(gathering, (uint64_t)frame * gathering->n_atoms + bad);
}

uint64_t
debye_cuda_gather_frames(const DebyeScatteringGroups *groups, size_t n_atoms,
                         const DebyeScatteringFrame *frames, size_t n_frames, float *out)
{
  const size_t n_entries = debye_scattering_n_entries(groups);
  Gathering gathering = {groups,    frames,    n_atoms,
                         n_entries, n_frames,  (n_entries + CHUNK_ENTRIES - 1) / CHUNK_ENTRIES,
                         out,       UINT64_MAX};
  /* Small frames are not worth a thread. */
  if (n_frames * n_entries < CHUNK_ENTRIES)
    for (size_t chunk = 0; chunk < n_frames * gathering.chunks_wide; chunk++)
      gather_chunk(&gathering, chunk);
  else
    debye_chunk_threads_run(n_frames * gathering.chunks_wide, gather_chunk, &gathering);
  return gathering.first_bad;
}
