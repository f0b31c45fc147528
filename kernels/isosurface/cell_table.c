/* SPDX-License-Identifier: MIT */
/* Derives the table of cells that isosurface_slab.c and the GPU look up. Each face joins its crossed edges in pairs; the
 * pairs of six faces close into loops; each loop is filled with triangles. Two cells decide a shared face
 * alike, so their loops meet there and the surface has no holes. A diagonal of a filling never lies in a face
 * of the cell, or the neighbour might lay the same one and the surface would touch itself. */
#include "cell_table.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static int
edge_between(int a, int b)
{
  int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  int base = a & b;
  int side = axis == 0 ? base >> 1 : axis == 1 ? (base & 1) | (base >> 1 & 2) : base & 3;
  return 4 * axis + side;
}

static void
make_geometry(DebyeCellTable *table)
{
  for (int a = 0; a < 8; a++)
    for (int bit = 1; bit < 8; bit <<= 1)
      if (!(a & bit)) {
        int edge = edge_between(a, a | bit);
        table->edge_ends[edge][0] = (uint8_t)a;
        table->edge_ends[edge][1] = (uint8_t)(a | bit);
      }
  for (int axis = 0; axis < 3; axis++) {
    int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, w = 1 << axis;
    /* (u, v, w) is right-handed: u to v is counter-clockwise seen from +w, and clockwise from −w. */
    table->faces[2 * axis] = (DebyeCellFace){{0, (uint8_t)v, (uint8_t)(u | v), (uint8_t)u}};
    table->faces[2 * axis + 1] =
        (DebyeCellFace){{(uint8_t)w, (uint8_t)(w | u), (uint8_t)(w | u | v), (uint8_t)(w | v)}};
  }
}

static bool
above(int pattern, int corner)
{
  return (pattern >> corner) & 1;
}

static bool
face_is_ambiguous(const DebyeCellFace *face, int pattern)
{
  bool first = above(pattern, face->corners[0]);
  return above(pattern, face->corners[2]) == first && above(pattern, face->corners[1]) != first &&
         above(pattern, face->corners[3]) != first;
}

/* Walking round the face, the surface is entered (below → above) and left. Each pair runs from an entry to a
 * leaving, and since an edge's two faces walk it in opposite directions, all pairs of a cell link head to
 * tail. */
static void
join_face(const DebyeCellFace *face, int pattern, bool joined, int8_t next[12])
{
  for (int i = 0; i < 4; i++) {
    int a = face->corners[i], b = face->corners[(i + 1) & 3];
    if (above(pattern, a) || !above(pattern, b))
      continue;
    /* The corners above stay apart: cut this one off at the first leaving. Joined: cut off the one below
     * before it, whose leaving is the last one met, going on around. */
    int leaving = -1;
    for (int j = 1; j < 4; j++) {
      int c = face->corners[(i + j) & 3], d = face->corners[(i + j + 1) & 3];
      if (above(pattern, c) && !above(pattern, d) && (leaving < 0 || joined))
        leaving = edge_between(c, d);
    }
    next[edge_between(a, b)] = (int8_t)leaving;
  }
}

static bool
share_face(const DebyeCellTable *table, int edge, int other)
{
  int all = table->edge_ends[edge][0] & table->edge_ends[edge][1] & table->edge_ends[other][0] &
            table->edge_ends[other][1];
  int none = ~(table->edge_ends[edge][0] | table->edge_ends[edge][1] | table->edge_ends[other][0] |
               table->edge_ends[other][1]);
  return ((all | none) & 7) != 0;
}

static void
add_triangle(DebyeCellSurface *surface, int a, int b, int c)
{
  uint8_t *corners = surface->corners + 3 * surface->n_triangles++;
  corners[0] = (uint8_t)a;
  corners[1] = (uint8_t)b;
  corners[2] = (uint8_t)c;
}

/* Fills loop[first … last] with triangles over the side (first, last), which is allowed. */
static bool
fill_part(const DebyeCellTable *table, DebyeCellSurface *surface, const uint8_t *loop, int first, int last)
{
  if (last - first < 2)
    return true;
  uint8_t mark = surface->n_triangles;
  for (int middle = first + 1; middle < last; middle++) {
    if ((middle > first + 1 && share_face(table, loop[first], loop[middle])) ||
        (middle < last - 1 && share_face(table, loop[middle], loop[last])))
      continue;
    add_triangle(surface, loop[first], loop[middle], loop[last]);
    if (fill_part(table, surface, loop, first, middle) && fill_part(table, surface, loop, middle, last))
      return true;
    surface->n_triangles = mark;
  }
  return false;
}

static void
fill_loop(const DebyeCellTable *table, DebyeCellSurface *surface, const uint8_t *loop, int size)
{
  if (fill_part(table, surface, loop, 0, size - 1))
    return;
  int centre = surface->n_centres++;
  assert(centre < DEBYE_CELL_MAX_CENTRES);
  surface->centre_size[centre] = (uint8_t)size;
  memcpy(surface->centre_edges[centre], loop, (size_t)size);
  for (int i = 0; i < size; i++)
    add_triangle(surface, loop[i], loop[(i + 1) % size], DEBYE_CELL_CENTRE + centre);
}

static void
make_surface(const DebyeCellTable *table, int pattern, int decision, DebyeCellSurface *surface)
{
  int8_t next[12];
  memset(next, -1, sizeof next);
  for (int face = 0, n = 0; face < 6; face++) {
    bool ambiguous = face_is_ambiguous(&table->faces[face], pattern);
    join_face(&table->faces[face], pattern, ambiguous && (decision >> n & 1), next);
    n += ambiguous;
  }
  for (int start = 0; start < 12; start++) {
    uint8_t loop[12];
    int size = 0;
    for (int edge = start; next[edge] >= 0;) {
      loop[size++] = (uint8_t)edge;
      int following = next[edge];
      next[edge] = -1;
      edge = following;
    }
    if (size > 0)
      fill_loop(table, surface, loop, size);
  }
}

static DebyeCellSurface surfaces[DEBYE_CELL_N_SURFACES];
static DebyeCellTable table = {.surfaces = surfaces};

static void
make_table(void)
{
  size_t n_surfaces = 0;
  make_geometry(&table);
  for (int pattern = 0; pattern < 256; pattern++) {
    table.first[pattern] = (uint16_t)n_surfaces;
    for (int face = 0; face < 6; face++)
      if (face_is_ambiguous(&table.faces[face], pattern))
        table.ambiguous[pattern][table.n_ambiguous[pattern]++] = (uint8_t)face;
    n_surfaces += (size_t)1 << table.n_ambiguous[pattern];
  }
  assert(n_surfaces == DEBYE_CELL_N_SURFACES);
  for (int pattern = 0; pattern < 256; pattern++)
    for (int decision = 0; decision < 1 << table.n_ambiguous[pattern]; decision++)
      make_surface(&table, pattern, decision, &surfaces[table.first[pattern] + decision]);
}

const DebyeCellTable *
debye_cell_table_get(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_table);
  return &table;
}
