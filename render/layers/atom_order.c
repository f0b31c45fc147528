/* SPDX-License-Identifier: MIT */
/* Sorts atoms into cells of some thousand atoms and finds where these are in each frame; called by molecule_layer.c. */
#include "atom_order.h"

#include "data/work/parts.h"

#define ATOMS_A_CHUNK 2048
#define ATOMS_WORTH_THREADS 200000
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

/* --- Sorting, by counting: each part of the atoms on a thread --- */

typedef struct {
  const DebyeFrame *frame;
  const guint32 *atoms; /* NULL: all */
  gsize n_atoms, n_parts;
  const Cells *cells;
  guint n_cells;
  guint32 *cell;  /* of each atom */
  guint32 *place; /* [part][cell]: how many, then where the next of them goes */
  guint32 *sorted;
} Sorting;

static guint32
atom_at(const Sorting *sorting, gsize i)
{
  return sorting->atoms ? sorting->atoms[i] : (guint32)i;
}

static void
count_part(gsize part, gpointer data)
{
  const Sorting *sorting = data;
  const gsize end = sorting->n_atoms * (part + 1) / sorting->n_parts;
  guint32 *count = sorting->place + part * sorting->n_cells;
  for (gsize i = sorting->n_atoms * part / sorting->n_parts; i < end; i++) {
    sorting->cell[i] = cell_of(sorting->cells, sorting->frame, atom_at(sorting, i));
    count[sorting->cell[i]]++;
  }
}

static void
place_part(gsize part, gpointer data)
{
  const Sorting *sorting = data;
  const gsize end = sorting->n_atoms * (part + 1) / sorting->n_parts;
  guint32 *next = sorting->place + part * sorting->n_cells;
  for (gsize i = sorting->n_atoms * part / sorting->n_parts; i < end; i++)
    sorting->sorted[next[sorting->cell[i]]++] = atom_at(sorting, i);
}

/* Numbers become places; chunks are the cells that have atoms. */
static void
find_places(const Sorting *sorting, DebyeAtomOrder *order)
{
  guint32 first = 0;
  for (guint c = 0; c < sorting->n_cells; c++) {
    const guint32 begin = first;
    for (gsize part = 0; part < sorting->n_parts; part++) {
      guint32 *place = sorting->place + part * sorting->n_cells + c;
      const guint32 count = *place;
      *place = first;
      first += count;
    }
    if (first > begin)
      order->chunks[order->n_chunks++] = (DebyeAtomChunk){.first = begin, .count = first - begin};
  }
}

static void
sort_atoms(DebyeAtomOrder *order, const DebyeFrame *frame, const guint32 *atoms, const Cells *cells,
           guint n_cells)
{
  const gsize n_parts = order->n_atoms < ATOMS_WORTH_THREADS ? 1 : debye_parts_count_threads();
  g_autofree guint32 *cell = g_new(guint32, order->n_atoms + 1);
  g_autofree guint32 *place = g_new0(guint32, n_parts * n_cells);
  Sorting sorting = {frame, atoms, order->n_atoms, n_parts, cells, n_cells, cell, place, order->atoms};
  debye_parts_run(n_parts, count_part, &sorting);
  find_places(&sorting, order);
  debye_parts_run(n_parts, place_part, &sorting);
}

/* --- Where chunks are --- */

typedef struct {
  DebyeAtomOrder *order;
  const DebyeFrame *frame;
  gsize n_parts;
} Bounding;

static void
bound_chunk(const DebyeAtomOrder *order, const DebyeFrame *frame, DebyeAtomChunk *chunk)
{
  const float *const columns[3] = {frame->x, frame->y, frame->z};
  const guint32 *atoms = order->atoms + chunk->first;
  for (int axis = 0; axis < 3; axis++) {
    float low = INFINITY, high = -INFINITY;
    for (guint32 i = 0; i < chunk->count; i++) {
      float value = columns[axis][atoms[i]];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    chunk->low[axis] = low;
    chunk->high[axis] = high;
  }
}

static void
bound_part(gsize part, gpointer data)
{
  const Bounding *bounding = data;
  const gsize n = bounding->order->n_chunks, end = n * (part + 1) / bounding->n_parts;
  for (gsize c = n * part / bounding->n_parts; c < end; c++)
    bound_chunk(bounding->order, bounding->frame, &bounding->order->chunks[c]);
}

/* The mean diagonal. */
static double
update_bounds(DebyeAtomOrder *order, const DebyeFrame *frame)
{
  const gsize n_parts = order->n_atoms < ATOMS_WORTH_THREADS ? 1 : 4 * debye_parts_count_threads();
  Bounding bounding = {order, frame, n_parts};
  double spread = 0.0;
  debye_parts_run(n_parts, bound_part, &bounding);
  for (gsize c = 0; c < order->n_chunks; c++) {
    const DebyeAtomChunk *chunk = &order->chunks[c];
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++)
      square +=
          (double)(chunk->high[axis] - chunk->low[axis]) * (double)(chunk->high[axis] - chunk->low[axis]);
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
  sort_atoms(order, frame, atoms, &cells, n_cells);
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

/* --- Bonds --- */

typedef struct {
  const DebyeFrame *frame;
  const DebyeBond *bonds;
  gsize n_bonds, n_parts, n_boxes;
  float longest;
  float *boxes;
} Boxing;

static void
extend_box(float *box, const float place[3])
{
  for (int axis = 0; axis < 3; axis++) {
    box[axis] = place[axis] < box[axis] ? place[axis] : box[axis];
    box[3 + axis] = place[axis] > box[3 + axis] ? place[axis] : box[3 + axis];
  }
}

static void
box_bonds(const Boxing *boxing, gsize number)
{
  const DebyeFrame *frame = boxing->frame;
  float *box = boxing->boxes + 6 * number;
  const gsize end = MIN((number + 1) * DEBYE_BONDS_A_BOX, boxing->n_bonds);
  for (int axis = 0; axis < 3; axis++) {
    box[axis] = INFINITY;
    box[3 + axis] = -INFINITY;
  }
  for (gsize i = number * DEBYE_BONDS_A_BOX; i < end; i++) {
    const guint32 a = boxing->bonds[i].i, b = boxing->bonds[i].j;
    const float from[3] = {frame->x[a], frame->y[a], frame->z[a]};
    const float to[3] = {frame->x[b], frame->y[b], frame->z[b]};
    const float way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    if (way[0] * way[0] + way[1] * way[1] + way[2] * way[2] > 1.001f * boxing->longest * boxing->longest)
      continue;
    extend_box(box, from);
    extend_box(box, to);
  }
}

static void
box_part(gsize part, gpointer data)
{
  const Boxing *boxing = data;
  const gsize end = boxing->n_boxes * (part + 1) / boxing->n_parts;
  for (gsize number = boxing->n_boxes * part / boxing->n_parts; number < end; number++)
    box_bonds(boxing, number);
}

float *
debye_bond_boxes_new(const DebyeFrame *frame, const DebyeBond *bonds, gsize n_bonds, float longest)
{
  const gsize n_boxes = (n_bonds + DEBYE_BONDS_A_BOX - 1) / DEBYE_BONDS_A_BOX;
  Boxing boxing = {frame,
                   bonds,
                   n_bonds,
                   n_bonds < ATOMS_WORTH_THREADS ? 1 : debye_parts_count_threads(),
                   n_boxes,
                   longest,
                   g_new(float, 6 * n_boxes + 1)};
  debye_parts_run(boxing.n_parts, box_part, &boxing);
  return boxing.boxes;
}
