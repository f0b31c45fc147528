/* SPDX-License-Identifier: MIT */
/* Which atoms a block and its columns may see, for instruction sets that can't move chosen lanes of a vector
 * together and have no tables; AVX-512 can, and has its own. After cutoff_loops.h in each other
 * cutoff_block_*.c. */
#include <string.h>

/* The square of how far an atom is from a box around 0. */
INLINE float
gap2_of(float x, float y, float z, const float half[3])
{
  float gap_x = fabsf(x) - half[0], gap_y = fabsf(y) - half[1], gap_z = fabsf(z) - half[2];
  gap_x = gap_x > 0.0f ? gap_x : 0.0f;
  gap_y = gap_y > 0.0f ? gap_y : 0.0f;
  gap_z = gap_z > 0.0f ? gap_z : 0.0f;
  return gap_x * gap_x + gap_y * gap_y + gap_z * gap_z;
}

static void
select_atoms(const DebyeCutoffFrame *frame, const DebyeBinnedAtom *atoms, size_t n, uint32_t first_index,
             DebyeCutoffTile *tile)
{
  float x[DEBYE_CUTOFF_BATCH], y[DEBYE_CUTOFF_BATCH], z[DEBYE_CUTOFF_BATCH], gap2[DEBYE_CUTOFF_BATCH];
  const float unit = frame->unit;
  for (size_t i = 0; i < n; i++) {
    x[i] = unit * (float)(int32_t)(atoms[i].x - frame->middle[0]);
    y[i] = unit * (float)(int32_t)(atoms[i].y - frame->middle[1]);
    z[i] = unit * (float)(int32_t)(atoms[i].z - frame->middle[2]);
    gap2[i] = gap2_of(x[i], y[i], z[i], frame->half);
  }
  for (size_t i = 0; i < n; i++) {
    const size_t at = tile->n;
    tile->x[at] = x[i];
    tile->y[at] = y[i];
    tile->z[at] = z[i];
    tile->charge[at] = frame->charge_unit * atoms[i].charge;
    tile->index[at] = first_index + (uint32_t)i;
    tile->n += gap2[i] < frame->seen2;
  }
}

static void
list_atoms(const DebyeCutoffFrame *frame, const DebyeCutoffTile *tile, size_t column, DebyeCutoffLists *lists)
{
  const float x = frame->column_x[column], y = frame->column_y, z = frame->column_z;
  float gap2[DEBYE_CUTOFF_TILE];
  for (size_t i = 0; i < tile->n; i++)
    gap2[i] = gap2_of(tile->x[i] - x, tile->y[i] - y, tile->z[i] - z, frame->column_half);
  memset(lists->n, 0, sizeof lists->n);
  for (int class = 0; class <= DEBYE_CUTOFF_NEAR; class ++) {
    const float above = frame->above2[class], to = fminf(frame->above2[class + 1], frame->seen2);
    size_t n = 0;
    for (size_t i = 0; i < tile->n; i++) {
      lists->atom[class][n] = (uint32_t)i;
      n += gap2[i] > above && gap2[i] <= to;
    }
    lists->n[class] = n;
  }
}
