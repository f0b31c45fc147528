/* SPDX-License-Identifier: MIT */
/* The ladder's steps that keep a tile of atoms in the first-level cache while all points of a row pass: one
 * evaluation at a time, with vectors, with all threads. On a GPU the tile is in shared memory,
 * cuda/ladder/ladder_kernels.cuh. */
#include <string.h>

#include "ladder_steps.h"
#include "ladder_strip.h"
#include "kernels/cpu/common/parallel.h"
#include "kernels/cpu/common/cpu_settings.h"

typedef struct {
  const DebyeLadderFrame *frame;
  const DebyeLadderStrip *strip;
  float *map;
} Blocked;

static void
fill_tile(const DebyeLadderFrame *frame, size_t first, float y, float z, DebyeLadderTile *tile)
{
  const size_t left = frame->n_atoms - first;
  tile->n_atoms = left < DEBYE_DIRECT_TILE ? left : DEBYE_DIRECT_TILE;
  for (size_t i = 0; i < tile->n_atoms; i++) {
    const DebyeLadderAtom atom = frame->atoms[first + i];
    const float dy = y - atom.y, dz = z - atom.z;
    tile->x[i] = atom.x;
    tile->square[i] = dy * dy + dz * dz;
    tile->charge[i] = atom.charge;
  }
}

/* The end of the last strip is computed and dropped. */
static void
add_tile(const Blocked *blocked, const DebyeLadderTile *tile, float *row)
{
  const size_t nx = blocked->frame->shape[0], width = blocked->strip->width;
  for (size_t first = 0; first < nx; first += width) {
    float x[DEBYE_LADDER_STRIP], sum[DEBYE_LADDER_STRIP] = {0.0f};
    const size_t count = nx - first < width ? nx - first : width;
    for (size_t i = 0; i < width; i++)
      x[i] = (float)(first + i) * blocked->frame->step[0];
    blocked->strip->add(tile, x, sum);
    for (size_t i = 0; i < count; i++)
      row[first + i] += sum[i];
  }
}

static void
sum_row(void *context, size_t chunk)
{
  const Blocked *blocked = context;
  const DebyeLadderFrame *frame = blocked->frame;
  const size_t j = chunk % frame->shape[1], k = chunk / frame->shape[1];
  float *row = blocked->map + chunk * frame->shape[0];
  DebyeLadderTile tile = {.core2 = frame->core2};
  memset(row, 0, frame->shape[0] * sizeof *row);
  for (size_t first = 0; first < frame->n_atoms; first += DEBYE_DIRECT_TILE) {
    fill_tile(frame, first, (float)j * frame->step[1], (float)k * frame->step[2], &tile);
    add_tile(blocked, &tile, row);
  }
}

static bool
sum_rows(Blocked *blocked, const volatile bool *cancel)
{
  const size_t n_rows = blocked->frame->shape[1] * blocked->frame->shape[2];
  for (size_t row = 0; row < n_rows; row++) {
    if (debye_is_cancelled(cancel))
      return false;
    sum_row(blocked, row);
  }
  return true;
}

bool
debye_ladder_blocked(const DebyeLadderFrame *frame, float *map, float *scratch, const volatile bool *cancel)
{
  Blocked blocked = {frame, &debye_ladder_strip_single, map};
  (void)scratch;
  return sum_rows(&blocked, cancel);
}

bool
debye_ladder_vectors(const DebyeLadderFrame *frame, float *map, float *scratch, const volatile bool *cancel)
{
  Blocked blocked = {frame, debye_ladder_strip_vectors(debye_cpu_get_level()), map};
  (void)scratch;
  return sum_rows(&blocked, cancel);
}

bool
debye_ladder_threads(const DebyeLadderFrame *frame, float *map, float *scratch, const volatile bool *cancel)
{
  Blocked blocked = {frame, debye_ladder_strip_vectors(debye_cpu_get_level()), map};
  DebyePool *pool = debye_pool_new(debye_cpu_get_threads());
  (void)scratch;
  if (pool == NULL)
    return sum_rows(&blocked, cancel);
  bool whole = debye_parallel_for(pool, frame->shape[1] * frame->shape[2], sum_row, &blocked, cancel);
  debye_pool_free(pool);
  return whole;
}
