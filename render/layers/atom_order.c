/* SPDX-License-Identifier: MIT */
/* Sorts atoms into cells of some thousand atoms by counting; called by molecule_layer.c. */
#include "atom_order.h"

#include <string.h>

#define ATOMS_A_CHUNK 2048
#define MAX_CELLS 64 /* along an axis */
/* Chunks that have grown by this hide little any more. */
#define STALE 1.7

typedef struct {
  double low[3], scale[3];
  guint n[3];
} Cells;

static guint
cell_of(const Cells *cells, const DebyeFrame *frame, guint32 atom)
{
  const float *const columns[3] = {frame->x, frame->y, frame->z};
  guint index = 0;
  for (int axis = 2; axis >= 0; axis--) {
    double place = ((double)columns[axis][atom] - cells->low[axis]) * cells->scale[axis];
    guint cell = place > 0.0 ? (guint)fmin(place, (double)cells->n[axis] - 1.0) : 0;
    index = index * cells->n[axis] + cell;
  }
  return index;
}

static void
make_cells(Cells *cells, const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  DebyeVec3 low = {0}, high = {0};
  debye_frame_get_bounds(frame, atoms, n_atoms, &low, &high);
  double size[3] = {high.x - low.x + 1e-3, high.y - low.y + 1e-3, high.z - low.z + 1e-3};
  double side = cbrt(size[0] * size[1] * size[2] * ATOMS_A_CHUNK / fmax((double)n_atoms, 1.0));
  const double corner[3] = {low.x, low.y, low.z};
  for (int axis = 0; axis < 3; axis++) {
    cells->n[axis] = (guint)CLAMP(round(size[axis] / side), 1.0, (double)MAX_CELLS);
    if (n_atoms <= 2 * ATOMS_A_CHUNK)
      cells->n[axis] = 1;
    cells->low[axis] = corner[axis];
    cells->scale[axis] = cells->n[axis] / size[axis];
  }
}

/* Gives where each cell begins: n_cells + 1 numbers. */
static guint32 *
sort_atoms(DebyeAtomOrder *order, const DebyeFrame *frame, const guint32 *atoms, const Cells *cells,
           guint n_cells)
{
  guint32 *first = g_new0(guint32, n_cells + 1);
  g_autofree guint32 *cell = g_new(guint32, order->n_atoms + 1);
  for (gsize i = 0; i < order->n_atoms; i++) {
    cell[i] = cell_of(cells, frame, atoms ? atoms[i] : (guint32)i);
    first[cell[i] + 1]++;
  }
  for (guint c = 0; c < n_cells; c++)
    first[c + 1] += first[c];
  g_autofree guint32 *next = g_memdup2(first, n_cells * sizeof *first);
  for (gsize i = 0; i < order->n_atoms; i++)
    order->atoms[next[cell[i]]++] = atoms ? atoms[i] : (guint32)i;
  return first;
}

static double
update_bounds(DebyeAtomOrder *order, const DebyeFrame *frame)
{
  const float *const columns[3] = {frame->x, frame->y, frame->z};
  double spread = 0.0;
  for (gsize c = 0; c < order->n_chunks; c++) {
    DebyeAtomChunk *chunk = &order->chunks[c];
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      float low = INFINITY, high = -INFINITY;
      for (guint32 i = 0; i < chunk->count; i++) {
        float value = columns[axis][order->atoms[chunk->first + i]];
        low = value < low ? value : low;
        high = value > high ? value : high;
      }
      chunk->low[axis] = low;
      chunk->high[axis] = high;
      square += (double)(high - low) * (double)(high - low);
    }
    spread += isfinite(square) ? sqrt(square) / (double)order->n_chunks : 0.0;
  }
  return spread;
}

DebyeAtomOrder *
debye_atom_order_new(const DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  DebyeAtomOrder *order = g_new0(DebyeAtomOrder, 1);
  Cells cells;
  make_cells(&cells, frame, atoms, n_atoms);
  guint n_cells = cells.n[0] * cells.n[1] * cells.n[2];
  order->n_atoms = n_atoms;
  order->atoms = g_new(guint32, n_atoms + 1);
  order->chunks = g_new0(DebyeAtomChunk, n_cells);
  g_autofree guint32 *first = sort_atoms(order, frame, atoms, &cells, n_cells);
  for (guint c = 0; c < n_cells; c++)
    if (first[c + 1] > first[c])
      order->chunks[order->n_chunks++] =
          (DebyeAtomChunk){.first = first[c], .count = first[c + 1] - first[c]};
  order->spread = update_bounds(order, frame);
  return order;
}

void
debye_atom_order_free(DebyeAtomOrder *order)
{
  if (!order)
    return;
  g_free(order->atoms);
  g_free(order->chunks);
  g_free(order);
}

gboolean
debye_atom_order_update(DebyeAtomOrder *order, const DebyeFrame *frame)
{
  double spread = update_bounds(order, frame);
  return order->n_chunks < 2 || spread <= STALE * order->spread;
}
