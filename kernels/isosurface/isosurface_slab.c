/* SPDX-License-Identifier: MIT */
/* Marching cubes of some slices of a grid, called by isosurface_host.c for each of a thread's slabs. Slice by slice: which
 * points lie above the level (a bit each), the vertices on the crossed edges of the slice, then the cells between it and
 * the one before. A row of cells is looked at 64 cells at a time, so empty space costs one pass over the values; vertices
 * are shared through arrays of two slices, one entry a point and direction. */
#include "isosurface_slab.h"

#include <stdlib.h>
#include <string.h>

#include "isosurface_math.h"

typedef struct {
  DebyeIsosurfaceSlab *slab;
  DebyeIsosurfaceMap map;
  size_t nx, ny, nz, words; /* words of 64 bits in a row */
  const DebyeCellTable *table;
  uint64_t *bits[2];     /* points above: of the slice before and this one */
  uint32_t *along[3][2]; /* vertex on the edge that starts at a point; z edges use [2][0] only */
  DebyeIsosurface *mesh;
  size_t vertex_room, triangle_room, border_room;
  bool in_border; /* vertices of the slice are the next slab's, too */
  bool failed;
} Mesher;

static size_t
most(size_t a, size_t b)
{
  return a > b ? a : b;
}

/* --- Vertices --- */

static bool
grow(void *array, size_t n_bytes)
{
  void **place = array;
  void *larger = realloc(*place, n_bytes);
  if (!larger)
    return false;
  *place = larger;
  return true;
}

static bool
reserve_vertices(Mesher *mesher, size_t n)
{
  DebyeIsosurface *mesh = mesher->mesh;
  if (mesh->n_vertices + n <= mesher->vertex_room)
    return true;
  size_t room = most(2 * mesher->vertex_room, mesh->n_vertices + n + 4096);
  if (room >= UINT32_MAX || !grow(&mesh->positions, room * 3 * sizeof(float)) ||
      !grow(&mesh->normals, room * 3 * sizeof(float))) {
    mesher->failed = true;
    return false;
  }
  mesher->vertex_room = room;
  return true;
}

static bool
reserve_triangles(Mesher *mesher, size_t n)
{
  DebyeIsosurface *mesh = mesher->mesh;
  if (mesh->n_triangles + n <= mesher->triangle_room)
    return true;
  size_t room = most(2 * mesher->triangle_room, mesh->n_triangles + n + 8192);
  if (!grow(&mesh->indices, room * 3 * sizeof(uint32_t))) {
    mesher->failed = true;
    return false;
  }
  mesher->triangle_room = room;
  return true;
}

static void
note_border(Mesher *mesher, uint32_t vertex)
{
  DebyeIsosurfaceSlab *slab = mesher->slab;
  if (slab->n_border == mesher->border_room) {
    const size_t room = 2 * mesher->border_room + 1024;
    if (!grow(&slab->border, room * sizeof(uint32_t))) {
      mesher->failed = true;
      return;
    }
    mesher->border_room = room;
  }
  slab->border[slab->n_border++] = vertex;
}

static uint32_t
add_vertex(Mesher *mesher, const DebyeIsosurfaceVertex *vertex)
{
  DebyeIsosurface *mesh = mesher->mesh;
  if (!reserve_vertices(mesher, 1))
    return 0;
  const size_t number = mesh->n_vertices++;
  memcpy(mesh->positions + 3 * number, vertex->position, sizeof vertex->position);
  memcpy(mesh->normals + 3 * number, vertex->normal, sizeof vertex->normal);
  return (uint32_t)number;
}

/* --- Points above --- */

static void
mark_row(const Mesher *mesher, const float *row, uint64_t *bits)
{
  const float level = (float)mesher->map.level;
  for (size_t word = 0; word < mesher->words; word++) {
    size_t first = 64 * word, left = mesher->nx - first, n = left < 64 ? left : 64;
    uint8_t marks[64] = {0};
    if (mesher->map.negative)
      for (size_t i = 0; i < n; i++)
        marks[i] = (uint8_t)debye_isosurface_is_above(row[first + i], level, true);
    else
      for (size_t i = 0; i < n; i++)
        marks[i] = (uint8_t)debye_isosurface_is_above(row[first + i], level, false);
    uint64_t packed = 0;
    for (int byte = 0; byte < 8; byte++) {
      uint64_t eight;
      memcpy(&eight, marks + 8 * byte, 8);
      /* Gathers the lowest bit of eight bytes into one byte (little-endian order of the bytes). */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      eight = __builtin_bswap64(eight);
#endif
      packed |= ((eight * UINT64_C(0x0102040810204080)) >> 56) << (8 * byte);
    }
    bits[word] = packed;
  }
}

static void
mark_slice(const Mesher *mesher, size_t k, uint64_t *bits)
{
  for (size_t j = 0; j < mesher->ny; j++)
    mark_row(mesher, mesher->map.values + mesher->nx * (j + mesher->ny * k), bits + mesher->words * j);
}

/* --- Edges --- */

static void
add_vertices(Mesher *mesher, uint64_t crossed, size_t word, size_t j, size_t k, int axis, uint32_t *along)
{
  for (; crossed; crossed &= crossed - 1) {
    size_t i = 64 * word + (size_t)__builtin_ctzll(crossed);
    const DebyeIsosurfaceVertex made = debye_isosurface_vertex(&mesher->map, i, j, k, axis);
    const uint32_t vertex = along[i + mesher->nx * j] = add_vertex(mesher, &made);
    if (mesher->in_border && axis < 2)
      note_border(mesher, vertex);
  }
}

/* The bits of a row moved down by one: each cell beside its right neighbour. */
static uint64_t
next_bits(const uint64_t *row, size_t word, size_t words)
{
  return row[word] >> 1 | (word + 1 < words ? row[word + 1] << 63 : 0);
}

/* Those of the 64 places of a word at which an edge along x, or a cell, begins. */
static uint64_t
begins(const Mesher *mesher, size_t word)
{
  size_t cells = mesher->nx - 1;
  if (cells <= 64 * word)
    return 0;
  size_t n = cells - 64 * word;
  return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* Edges within the slice and, unless it is the first that the slab looks at, those from the slice before. */
static void
cross_slice(Mesher *mesher, size_t k, bool is_first)
{
  size_t words = mesher->words;
  for (size_t j = 0; j < mesher->ny; j++)
    for (size_t word = 0; word < words; word++) {
      const uint64_t *row = mesher->bits[1] + words * j;
      add_vertices(mesher, (row[word] ^ next_bits(row, word, words)) & begins(mesher, word), word, j, k, 0,
                   mesher->along[0][1]);
      if (j + 1 < mesher->ny)
        add_vertices(mesher, row[word] ^ row[word + words], word, j, k, 1, mesher->along[1][1]);
      if (!is_first)
        add_vertices(mesher, row[word] ^ mesher->bits[0][words * j + word], word, j, k - 1, 2,
                     mesher->along[2][0]);
    }
}

/* --- Cells --- */

static void
add_cell(Mesher *mesher, size_t i, size_t j, size_t k, int pattern)
{
  size_t nx = mesher->nx, place = i + nx * j;
  int decision = 0;
  if (mesher->table->n_ambiguous[pattern])
    decision = debye_isosurface_decide(&mesher->map, mesher->table, pattern,
                                       mesher->map.values + place + nx * mesher->ny * k);
  const DebyeCellSurface *surface = &mesher->table->surfaces[mesher->table->first[pattern] + decision];
  uint32_t *const *x = mesher->along[0], *const *y = mesher->along[1], *z = mesher->along[2][0];
  uint32_t vertices[12 + DEBYE_CELL_MAX_CENTRES] = {
      x[0][place], x[0][place + nx], x[1][place], x[1][place + nx], y[0][place],   y[0][place + 1],
      y[1][place], y[1][place + 1],  z[place],    z[place + 1],     z[place + nx], z[place + nx + 1],
  };
  for (int centre = 0; centre < surface->n_centres && !mesher->failed; centre++) {
    const DebyeIsosurfaceVertex made =
        debye_isosurface_center(surface, centre, vertices, mesher->mesh->positions, mesher->mesh->normals);
    vertices[DEBYE_CELL_CENTRE + centre] = add_vertex(mesher, &made);
  }
  if (mesher->failed || !reserve_triangles(mesher, surface->n_triangles))
    return;
  uint32_t *corner = mesher->mesh->indices + 3 * mesher->mesh->n_triangles;
  int second = mesher->map.left_handed ? 2 : 1;
  for (int n = 0; n < surface->n_triangles; n++, corner += 3) {
    corner[0] = vertices[surface->corners[3 * n]];
    corner[second] = vertices[surface->corners[3 * n + 1]];
    corner[3 - second] = vertices[surface->corners[3 * n + 2]];
  }
  mesher->mesh->n_triangles += surface->n_triangles;
}

/* The cells between the slice before (k) and this one. */
static void
add_cells(Mesher *mesher, size_t k)
{
  size_t words = mesher->words;
  for (size_t j = 0; j + 1 < mesher->ny; j++)
    for (size_t word = 0; word < words; word++) {
      uint64_t columns[8];
      uint64_t any = 0, all = UINT64_MAX;
      for (int corner = 0; corner < 8; corner++) {
        const uint64_t *row = mesher->bits[corner >> 2] + words * (j + (size_t)(corner >> 1 & 1));
        columns[corner] = corner & 1 ? next_bits(row, word, words) : row[word];
        any |= columns[corner];
        all &= columns[corner];
      }
      for (uint64_t active = any & ~all & begins(mesher, word); active; active &= active - 1) {
        int bit = __builtin_ctzll(active);
        int pattern = 0;
        for (int corner = 0; corner < 8; corner++)
          pattern |= (int)(columns[corner] >> bit & 1) << corner;
        add_cell(mesher, 64 * word + (size_t)bit, j, k, pattern);
      }
    }
}

/* --- All of it --- */

static void
swap_slices(Mesher *mesher)
{
  uint64_t *bits = mesher->bits[0];
  mesher->bits[0] = mesher->bits[1];
  mesher->bits[1] = bits;
  for (int axis = 0; axis < 2; axis++) {
    uint32_t *along = mesher->along[axis][0];
    mesher->along[axis][0] = mesher->along[axis][1];
    mesher->along[axis][1] = along;
  }
}

static bool
prepare(Mesher *mesher)
{
  const size_t slice = mesher->nx * mesher->ny;
  mesher->table = debye_cell_table_get();
  for (int n = 0; n < 2; n++) {
    mesher->bits[n] = malloc(mesher->words * mesher->ny * sizeof(uint64_t));
    mesher->along[0][n] = calloc(slice, sizeof(uint32_t));
    mesher->along[1][n] = calloc(slice, sizeof(uint32_t));
    if (mesher->bits[n] == NULL || mesher->along[0][n] == NULL || mesher->along[1][n] == NULL)
      return false;
  }
  mesher->along[2][0] = calloc(slice, sizeof(uint32_t));
  return mesher->along[2][0] != NULL;
}

static void
clear(Mesher *mesher)
{
  for (int n = 0; n < 2; n++) {
    free(mesher->bits[n]);
    for (int axis = 0; axis < 3; axis++)
      free(mesher->along[axis][n]);
  }
  if (!mesher->failed)
    return;
  debye_isosurface_clear(mesher->mesh);
  free(mesher->slab->border);
  mesher->slab->border = NULL;
}

void
debye_isosurface_slab_make(DebyeIsosurfaceSlab *slab)
{
  const size_t *shape = slab->grid->shape;
  Mesher mesher = {.slab = slab, .mesh = &slab->mesh, .nx = shape[0], .ny = shape[1], .nz = shape[2]};
  /* The slice before the slab's own: its vertices are the other slab's, and only copied for the cells. */
  const size_t begin = slab->first > 0 ? slab->first - 1 : 0;
  debye_isosurface_map_init(&mesher.map, slab->grid, slab->values, slab->level);
  mesher.words = (mesher.nx + 63) / 64;
  mesher.failed = !prepare(&mesher);
  for (size_t k = begin; k < slab->end && !mesher.failed; k++) {
    if (slab->is_stopped != NULL && slab->is_stopped(slab->stopper))
      mesher.failed = true;
    mesher.in_border = k + 1 == slab->end && slab->end < mesher.nz;
    mark_slice(&mesher, k, mesher.bits[1]);
    cross_slice(&mesher, k, k == begin);
    if (k < slab->first)
      slab->n_copies = mesher.mesh->n_vertices;
    if (k > begin && !mesher.failed)
      add_cells(&mesher, k - 1);
    swap_slices(&mesher);
  }
  slab->is_made = !mesher.failed;
  clear(&mesher);
}
