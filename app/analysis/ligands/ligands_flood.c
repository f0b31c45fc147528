/* SPDX-License-Identifier: MIT */
/* Implementation of ligands_flood.h; called by ligands_cavities.c. */
#include "ligands_flood.h"

#include <math.h>

#define N_NEIGHBOURS 6
/* Of a step, beside its Boltzmann factor: on flat ground the shorter way is taken. */
#define LEAST_RESISTANCE 0.05

/* --- The grid --- */

/* The neighbour towards side 0 … 5: down and up along x, y, z. */
static gsize
get_neighbour(const DebyeLigandsTerrain *terrain, gsize voxel, int side)
{
  const gsize *shape = terrain->grid.shape;
  const int axis = side / 2;
  const gsize stride = axis == 0 ? 1 : axis == 1 ? shape[0] : shape[0] * shape[1];
  const gsize at = voxel / stride % shape[axis];
  if (side % 2 == 0 && at > 0)
    return voxel - stride;
  if (side % 2 == 1 && at + 1 < shape[axis])
    return voxel + stride;
  if (!terrain->is_periodic[axis] || shape[axis] < 2)
    return DEBYE_LIGANDS_NO_VOXEL;
  return side % 2 == 0 ? voxel + (shape[axis] - 1) * stride : voxel - (shape[axis] - 1) * stride;
}

static void
get_indices(const DebyeLigandsTerrain *terrain, gsize voxel, double indices[3])
{
  const gsize *shape = terrain->grid.shape;
  indices[0] = (double)(voxel % shape[0]);
  indices[1] = (double)(voxel / shape[0] % shape[1]);
  indices[2] = (double)(voxel / (shape[0] * shape[1]));
}

static DebyeVec3
combine(const DebyeGrid *grid, const double indices[3])
{
  DebyeVec3 sum = debye_vec3(0.0, 0.0, 0.0);
  for (int axis = 0; axis < 3; axis++)
    sum = debye_vec3_add(sum, debye_vec3_scale(grid->step[axis], indices[axis]));
  return sum;
}

gsize
debye_ligands_terrain_find_voxel(const DebyeLigandsTerrain *terrain, DebyeVec3 point)
{
  const DebyeVec3 *step = terrain->grid.step, from = debye_vec3_subtract(point, terrain->grid.origin);
  const double volume = debye_vec3_dot(step[0], debye_vec3_cross(step[1], step[2]));
  gsize voxel = 0, stride = 1;
  for (int axis = 0; axis < 3; axis++) {
    const DebyeVec3 across = debye_vec3_cross(step[(axis + 1) % 3], step[(axis + 2) % 3]);
    const double n = (double)terrain->grid.shape[axis];
    double at = floor(debye_vec3_dot(from, across) / volume + 0.5);
    if (terrain->is_periodic[axis])
      at -= n * floor(at / n);
    if (!(at >= 0.0 && at < n))
      return DEBYE_LIGANDS_NO_VOXEL;
    voxel += (gsize)at * stride;
    stride *= terrain->grid.shape[axis];
  }
  return voxel;
}

DebyeVec3
debye_ligands_terrain_get_place(const DebyeLigandsTerrain *terrain, gsize voxel)
{
  double indices[3];
  get_indices(terrain, voxel, indices);
  return debye_vec3_add(terrain->grid.origin, combine(&terrain->grid, indices));
}

DebyeVec3
debye_ligands_terrain_get_step(const DebyeLigandsTerrain *terrain, gsize from, gsize to)
{
  double start[3], end[3];
  get_indices(terrain, from, start);
  get_indices(terrain, to, end);
  for (int axis = 0; axis < 3; axis++) {
    const double n = (double)terrain->grid.shape[axis];
    end[axis] -= start[axis];
    if (terrain->is_periodic[axis])
      end[axis] -= n * round(end[axis] / n);
  }
  return combine(&terrain->grid, end);
}

/* --- Regions --- */

/* What touches voxels that are open, and in turn what was added, of values from `low` to below or at `high`. */
static void
spread(const DebyeLigandsTerrain *terrain, guint32 number, double low, double high, guint32 *regions,
       GArray *open)
{
  while (open->len > 0) {
    const gsize voxel = g_array_index(open, gsize, open->len - 1);
    g_array_set_size(open, open->len - 1);
    for (int side = 0; side < N_NEIGHBOURS; side++) {
      const gsize next = get_neighbour(terrain, voxel, side);
      if (next == DEBYE_LIGANDS_NO_VOXEL || regions[next] != 0)
        continue;
      const double value = (double)terrain->values[next];
      if (!(value >= low && value <= high))
        continue;
      regions[next] = number;
      g_array_append_val(open, next);
    }
  }
}

guint32 *
debye_ligands_terrain_find_regions(const DebyeLigandsTerrain *terrain, double level, guint32 *n_regions)
{
  const gsize n = debye_grid_n_points(&terrain->grid);
  const double below = nextafter(level, -INFINITY);
  guint32 *regions = g_new0(guint32, n);
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(gsize));
  *n_regions = 0;
  for (gsize i = 0; i < n; i++) {
    if (regions[i] != 0 || !((double)terrain->values[i] <= below))
      continue;
    regions[i] = ++*n_regions;
    g_array_append_val(open, i);
    spread(terrain, *n_regions, -INFINITY, below, regions, open);
  }
  return regions;
}

void
debye_ligands_terrain_grow(const DebyeLigandsTerrain *terrain, guint32 number, double low, double high,
                           guint32 *regions)
{
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(gsize));
  for (gsize i = 0; i < debye_grid_n_points(&terrain->grid); i++)
    if (regions[i] == number)
      g_array_append_val(open, i);
  spread(terrain, number, low, high, regions, open);
}

/* --- A heap whose least comes first --- */

typedef struct {
  double key;
  gsize voxel;
} Entry;

static void
heap_push(GArray *heap, double key, gsize voxel)
{
  const Entry added = {key, voxel};
  g_array_append_val(heap, added);
  Entry *entries = (Entry *)(gpointer)heap->data;
  gsize at = heap->len - 1;
  for (; at > 0 && entries[(at - 1) / 2].key > key; at = (at - 1) / 2)
    entries[at] = entries[(at - 1) / 2];
  entries[at] = added;
}

static Entry
heap_pop(GArray *heap)
{
  Entry *entries = (Entry *)(gpointer)heap->data;
  const Entry least = entries[0], last = entries[heap->len - 1];
  const gsize n = heap->len - 1;
  gsize at = 0;
  for (;;) {
    gsize child = 2 * at + 1;
    if (child + 1 < n && entries[child + 1].key < entries[child].key)
      child++;
    if (child >= n || entries[child].key >= last.key)
      break;
    entries[at] = entries[child];
    at = child;
  }
  entries[at] = last;
  g_array_set_size(heap, (guint)n);
  return least;
}

/* --- Ways --- */

float *
debye_ligands_terrain_flood(const DebyeLigandsTerrain *terrain, const guint32 *regions, guint32 source)
{
  const gsize n = debye_grid_n_points(&terrain->grid);
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(Entry));
  float *highest = g_new(float, n);
  for (gsize i = 0; i < n; i++) {
    highest[i] = regions[i] == source ? terrain->values[i] : NAN;
    if (regions[i] == source)
      heap_push(heap, (double)highest[i], i);
  }
  while (heap->len > 0) {
    const Entry entry = heap_pop(heap);
    for (int side = 0; side < N_NEIGHBOURS; side++) {
      const gsize next = get_neighbour(terrain, entry.voxel, side);
      if (next == DEBYE_LIGANDS_NO_VOXEL || !isfinite(terrain->values[next]) || !isnan(highest[next]))
        continue;
      highest[next] = fmaxf((float)entry.key, terrain->values[next]);
      heap_push(heap, (double)highest[next], next);
    }
  }
  return highest;
}

static GArray *
trace(const guint8 *came_from, const DebyeLigandsTerrain *terrain, gsize from, gsize end)
{
  GArray *way = g_array_new(FALSE, FALSE, sizeof(gsize));
  gsize at = end;
  g_array_append_val(way, at);
  while (at != from) {
    at = get_neighbour(terrain, at, came_from[at] ^ 1);
    g_array_append_val(way, at);
  }
  for (guint i = 0; i < way->len / 2; i++) {
    gsize *voxels = (gsize *)(gpointer)way->data, other = voxels[way->len - 1 - i];
    voxels[way->len - 1 - i] = voxels[i];
    voxels[i] = other;
  }
  return way;
}

/* Dijkstra's. */
GArray *
debye_ligands_terrain_find_way(const DebyeLigandsTerrain *terrain, const guint32 *regions, guint32 target,
                               gsize from, double highest, double kt)
{
  const gsize n = debye_grid_n_points(&terrain->grid);
  g_autofree float *resistance = g_new(float, n);
  g_autofree guint8 *came_from = g_new0(guint8, n); /* the side that was gone to */
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(Entry));
  for (gsize i = 0; i < n; i++)
    resistance[i] = INFINITY;
  resistance[from] = 0.0f;
  heap_push(heap, 0.0, from);
  while (heap->len > 0) {
    const Entry entry = heap_pop(heap);
    if (regions[entry.voxel] == target)
      return trace(came_from, terrain, from, entry.voxel);
    for (int side = 0; side < N_NEIGHBOURS && (float)entry.key <= resistance[entry.voxel]; side++) {
      const gsize next = get_neighbour(terrain, entry.voxel, side);
      if (next == DEBYE_LIGANDS_NO_VOXEL || !((double)terrain->values[next] <= highest))
        continue;
      const double factor = exp(((double)terrain->values[next] - highest) / kt) + LEAST_RESISTANCE;
      const float sum = (float)(entry.key + factor * debye_vec3_length(terrain->grid.step[side / 2]));
      if (sum >= resistance[next])
        continue;
      resistance[next] = sum;
      came_from[next] = (guint8)side;
      heap_push(heap, (double)sum, next);
    }
  }
  return NULL;
}
