/* SPDX-License-Identifier: MIT */
/* Finds how far a block's atoms move for displacement_histogram_lanes.c. A thread takes some atoms at a time, frame by
 * frame, so that what lies side by side is read side by side. */
#include "displacement_extent.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/chunk_threads.h"

#define CHUNK_ATOMS ((size_t)256)

typedef struct {
  const DebyeSelfBlock *block;
  size_t n_frames;
  double *square; /* the largest of each chunk; NAN where a place can't be used */
} Extents;

static bool
widen(const float *restrict places, size_t n, float *restrict low, float *restrict high)
{
  unsigned bad = 0;
  for (size_t i = 0; i < n; i++) {
    low[i] = places[i] < low[i] ? places[i] : low[i];
    high[i] = places[i] > high[i] ? places[i] : high[i];
    bad |= !(fabsf(places[i]) <= (float)DEBYE_SELF_FARTHEST);
  }
  return bad == 0;
}

static void
measure_chunk(void *context, size_t chunk)
{
  const Extents *extents = context;
  const DebyeSelfBlock *block = extents->block;
  const float *axes[3] = {block->x, block->y, block->z};
  const size_t first = chunk * CHUNK_ATOMS, left = block->n_atoms - first;
  const size_t n = left < CHUNK_ATOMS ? left : CHUNK_ATOMS;
  double square[CHUNK_ATOMS] = {0.0}, largest = 0.0;
  bool all = true;
  for (int axis = 0; axis < 3; axis++) {
    float low[CHUNK_ATOMS], high[CHUNK_ATOMS];
    for (size_t i = 0; i < n; i++) {
      low[i] = INFINITY;
      high[i] = -INFINITY;
    }
    for (size_t t = 0; t < extents->n_frames; t++)
      all &= widen(axes[axis] + t * block->stride + first, n, low, high);
    for (size_t i = 0; i < n; i++)
      square[i] += ((double)high[i] - (double)low[i]) * ((double)high[i] - (double)low[i]);
  }
  for (size_t i = 0; i < n; i++)
    largest = fmax(largest, square[i]);
  extents->square[chunk] = all ? largest : NAN;
}

DebyeStatusCode
debye_displacement_farthest(const DebyeSelfBlock *block, size_t n_frames, double *farthest,
                            DebyeStatus *status)
{
  const size_t n_chunks = (block->n_atoms + CHUNK_ATOMS - 1) / CHUNK_ATOMS;
  *farthest = 0.0;
  if (n_chunks == 0)
    return debye_status_ok(status);
  Extents extents = {block, n_frames, malloc(n_chunks * sizeof(double))};
  if (extents.square == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for %zu atoms.",
                            block->n_atoms);
  debye_chunk_threads_run(n_chunks, measure_chunk, &extents);
  bool all = true;
  for (size_t i = 0; i < n_chunks; i++) {
    all &= !isnan(extents.square[i]);
    *farthest = fmax(*farthest, extents.square[i]);
  }
  free(extents.square);
  *farthest = sqrt(*farthest);
  return all ? debye_status_ok(status) : debye_self_positions_check(block, 0, n_frames, status);
}
