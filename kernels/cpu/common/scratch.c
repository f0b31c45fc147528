/* SPDX-License-Identifier: MIT */
/* Memory that the chunks of parallel loops borrow, kept on a stack; used by the CPU's scattering kernels. */
#include "scratch.h"

void
debye_scratch_list(DebyeScratch *scratch, unsigned n_pieces, size_t bytes, DebyePlanMemory *memory)
{
  const size_t alignment = DEBYE_SCRATCH_ALIGNMENT;
  scratch->n_pieces = n_pieces;
  scratch->piece_bytes = (bytes + alignment - 1) / alignment * alignment;
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, scratch->pieces, n_pieces);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, scratch->memory,
                   n_pieces * (uint64_t)scratch->piece_bytes + alignment - 1);
}

void
debye_scratch_init(DebyeScratch *scratch)
{
  char *first = debye_scratch_align(scratch->memory);
  pthread_mutex_init(&scratch->mutex, NULL);
  for (scratch->n_free = 0; scratch->n_free < scratch->n_pieces; scratch->n_free++)
    scratch->pieces[scratch->n_free] = first + scratch->n_free * scratch->piece_bytes;
}

void
debye_scratch_clear(DebyeScratch *scratch)
{
  if (scratch->n_free > 0)
    pthread_mutex_destroy(&scratch->mutex);
  scratch->n_free = 0;
}

void *
debye_scratch_take(DebyeScratch *scratch)
{
  pthread_mutex_lock(&scratch->mutex);
  void *piece = scratch->pieces[--scratch->n_free];
  pthread_mutex_unlock(&scratch->mutex);
  return piece;
}

void
debye_scratch_give(DebyeScratch *scratch, void *piece)
{
  pthread_mutex_lock(&scratch->mutex);
  scratch->pieces[scratch->n_free++] = piece;
  pthread_mutex_unlock(&scratch->mutex);
}
