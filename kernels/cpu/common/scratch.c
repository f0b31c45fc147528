/* SPDX-License-Identifier: MIT */
/* Memory that the chunks of parallel loops borrow, kept on a stack; used by the CPU's scattering kernels. */
#include "scratch.h"

#include <stdlib.h>

bool
debye_scratch_init(DebyeScratch *scratch, unsigned n_pieces, size_t bytes)
{
  pthread_mutex_init(&scratch->mutex, NULL);
  scratch->pieces = calloc(n_pieces, sizeof *scratch->pieces);
  for (unsigned i = 0; i < n_pieces && scratch->pieces != NULL; i++) {
    void *piece = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (piece == NULL)
      break;
    scratch->pieces[scratch->n_free++] = piece;
  }
  scratch->n_pieces = scratch->n_free;
  return scratch->n_pieces == n_pieces;
}

void
debye_scratch_clear(DebyeScratch *scratch)
{
  if (scratch->pieces == NULL)
    return;
  for (unsigned i = 0; i < scratch->n_pieces; i++)
    free(scratch->pieces[i]);
  free(scratch->pieces);
  scratch->pieces = NULL;
  pthread_mutex_destroy(&scratch->mutex);
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
