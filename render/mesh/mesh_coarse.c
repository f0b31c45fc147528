/* SPDX-License-Identifier: MIT */
/* Makes a coarser mesh for pictures while a view moves: each cell of a grid keeps one of its vertices. */
#include "mesh_coarse.h"

#include <cglm/cglm.h>
#include <math.h>

/* Cells along an axis that a key has room for. */
#define LARGEST_CELL ((1 << 20) - 1)
#define LAST_MET_BITS 10

typedef struct {
  float sum[3]; /* of its vertices' places */
  guint32 n, nearest;
  float distance; /* squared, of the nearest to the mean */
} Cell;

static double
measure_area(const DebyeMesh *mesh)
{
  double twice = 0.0;
  for (const guint32 *t = mesh->indices; t < mesh->indices + 3 * mesh->n_triangles; t += 3) {
    vec3 a, b, normal;
    glm_vec3_sub(mesh->positions + 3 * t[1], mesh->positions + 3 * t[0], a);
    glm_vec3_sub(mesh->positions + 3 * t[2], mesh->positions + 3 * t[0], b);
    glm_vec3_cross(a, b, normal);
    twice += (double)glm_vec3_norm(normal);
  }
  return 0.5 * twice;
}

/* A number of the cell that is no other's, spread out for a hash table. */
static gpointer
find_key(const float *position, const float low[3], float side)
{
  guint64 key = 0;
  for (int axis = 0; axis < 3; axis++)
    key = key << 21 | (guint64)(1.0f + fminf((position[axis] - low[axis]) / side, LARGEST_CELL));
  return (gpointer)(guintptr)(key * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15));
}

/* The number of a key's cell, which is made if it is new. */
static guint32
find_cell(GHashTable *numbers, GArray *cells, gpointer key)
{
  gpointer found;
  if (!g_hash_table_lookup_extended(numbers, key, NULL, &found)) {
    found = GUINT_TO_POINTER(cells->len);
    g_hash_table_insert(numbers, key, found);
    g_array_append_val(cells, ((Cell){.distance = INFINITY}));
  }
  return GPOINTER_TO_UINT(found);
}

/* The number of each vertex's cell; the cells with their sums. Vertices come slice by slice, so that a few cells that
 * were met last answer for most of them. */
static GArray *
sort_vertices(const DebyeMesh *mesh, const float low[3], float side, guint32 *cell_of)
{
  GArray *cells = g_array_new(FALSE, FALSE, sizeof(Cell));
  g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
  struct {
    gpointer key;
    guint32 number;
  } last_met[1 << LAST_MET_BITS] = {{NULL, 0}};
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    const float *position = mesh->positions + 3 * i;
    gpointer key = find_key(position, low, side);
    const gsize slot = (guintptr)key >> (64 - LAST_MET_BITS);
    if (last_met[slot].key != key) {
      last_met[slot].key = key;
      last_met[slot].number = find_cell(numbers, cells, key);
    }
    cell_of[i] = last_met[slot].number;
    Cell *cell = &g_array_index(cells, Cell, cell_of[i]);
    glm_vec3_add(cell->sum, (float *)position, cell->sum);
    cell->n++;
  }
  return cells;
}

static void
choose_vertices(const DebyeMesh *mesh, GArray *cells, const guint32 *cell_of)
{
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    Cell *cell = &g_array_index(cells, Cell, cell_of[i]);
    vec3 mean;
    glm_vec3_scale(cell->sum, 1.0f / (float)cell->n, mean);
    float distance = glm_vec3_distance2(mesh->positions + 3 * i, mean);
    if (distance < cell->distance) {
      cell->distance = distance;
      cell->nearest = (guint32)i;
    }
  }
}

static void
keep_triangles(DebyeMesh *mesh, const GArray *cells, const guint32 *cell_of)
{
  guint32 *kept = g_new(guint32, 3 * mesh->n_triangles);
  gsize n = 0;
  for (gsize t = 0; t < mesh->n_triangles; t++) {
    const guint32 *corners = mesh->indices + 3 * t;
    guint32 a = cell_of[corners[0]], b = cell_of[corners[1]], c = cell_of[corners[2]];
    if (a == b || b == c || c == a)
      continue;
    kept[3 * n] = g_array_index(cells, Cell, a).nearest;
    kept[3 * n + 1] = g_array_index(cells, Cell, b).nearest;
    kept[3 * n + 2] = g_array_index(cells, Cell, c).nearest;
    n++;
  }
  mesh->coarse = g_renew(guint32, kept, 3 * n);
  mesh->n_coarse = n;
}

void
debye_mesh_coarsen(DebyeMesh *mesh, gsize n_triangles)
{
  DebyeVec3 low, high;
  g_clear_pointer(&mesh->coarse, g_free);
  mesh->n_coarse = 0;
  if (mesh->n_triangles <= n_triangles || n_triangles == 0 || !debye_mesh_get_bounds(mesh, &low, &high))
    return;
  /* Two triangles a cell that the surface passes, and it passes some one and a half for each of its area. */
  double side = sqrt(3.0 * measure_area(mesh) / (double)n_triangles);
  if (!(side > 0.0) || !isfinite(side))
    return;
  const float corner[3] = {(float)low.x, (float)low.y, (float)low.z};
  g_autofree guint32 *cell_of = g_new(guint32, mesh->n_vertices);
  g_autoptr(GArray) cells = sort_vertices(mesh, corner, (float)side, cell_of);
  choose_vertices(mesh, cells, cell_of);
  keep_triangles(mesh, cells, cell_of);
}
