/* SPDX-License-Identifier: MIT */
/* Derives the table of cells that marching_cubes.c looks up. Each face joins its crossed edges in pairs; the
 * pairs of six faces close into loops; each loop is filled with triangles. Two cells decide a shared face
 * alike, so their loops meet there and the surface has no holes. A diagonal of a filling never lies in a face
 * of the cell, or the neighbour might lay the same one and the surface would touch itself. */
#include "marching_cubes_table.h"

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
        table->edge_ends[edge][0] = (guint8)a;
        table->edge_ends[edge][1] = (guint8)(a | bit);
      }
  for (int axis = 0; axis < 3; axis++) {
    int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, w = 1 << axis;
    /* (u, v, w) is right-handed: u to v is counter-clockwise seen from +w, and clockwise from −w. */
    table->faces[2 * axis] = (DebyeCellFace){{0, (guint8)v, (guint8)(u | v), (guint8)u}};
    table->faces[2 * axis + 1] =
        (DebyeCellFace){{(guint8)w, (guint8)(w | u), (guint8)(w | u | v), (guint8)(w | v)}};
  }
}

static gboolean
above(int pattern, int corner)
{
  return (pattern >> corner) & 1;
}

static gboolean
face_is_ambiguous(const DebyeCellFace *face, int pattern)
{
  gboolean first = above(pattern, face->corners[0]);
  return above(pattern, face->corners[2]) == first && above(pattern, face->corners[1]) != first &&
         above(pattern, face->corners[3]) != first;
}

/* Walking round the face, the surface is entered (below → above) and left. Each pair runs from an entry to a
 * leaving, and since an edge's two faces walk it in opposite directions, all pairs of a cell link head to
 * tail. */
static void
join_face(const DebyeCellFace *face, int pattern, gboolean joined, gint8 next[12])
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
    next[edge_between(a, b)] = (gint8)leaving;
  }
}

static gboolean
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
  guint8 *corners = surface->corners + 3 * surface->n_triangles++;
  corners[0] = (guint8)a;
  corners[1] = (guint8)b;
  corners[2] = (guint8)c;
}

/* Fills loop[first … last] with triangles over the side (first, last), which is allowed. */
static gboolean
fill_part(const DebyeCellTable *table, DebyeCellSurface *surface, const guint8 *loop, int first, int last)
{
  if (last - first < 2)
    return TRUE;
  guint8 mark = surface->n_triangles;
  for (int middle = first + 1; middle < last; middle++) {
    if ((middle > first + 1 && share_face(table, loop[first], loop[middle])) ||
        (middle < last - 1 && share_face(table, loop[middle], loop[last])))
      continue;
    add_triangle(surface, loop[first], loop[middle], loop[last]);
    if (fill_part(table, surface, loop, first, middle) && fill_part(table, surface, loop, middle, last))
      return TRUE;
    surface->n_triangles = mark;
  }
  return FALSE;
}

static void
fill_loop(const DebyeCellTable *table, DebyeCellSurface *surface, const guint8 *loop, int size)
{
  if (fill_part(table, surface, loop, 0, size - 1))
    return;
  int centre = surface->n_centres++;
  g_assert(centre < DEBYE_CELL_MAX_CENTRES);
  surface->centre_size[centre] = (guint8)size;
  memcpy(surface->centre_edges[centre], loop, (gsize)size);
  for (int i = 0; i < size; i++)
    add_triangle(surface, loop[i], loop[(i + 1) % size], DEBYE_CELL_CENTRE + centre);
}

static void
make_surface(const DebyeCellTable *table, int pattern, int decision, DebyeCellSurface *surface)
{
  gint8 next[12];
  memset(next, -1, sizeof next);
  for (int face = 0, n = 0; face < 6; face++) {
    gboolean ambiguous = face_is_ambiguous(&table->faces[face], pattern);
    join_face(&table->faces[face], pattern, ambiguous && (decision >> n & 1), next);
    n += ambiguous;
  }
  for (int start = 0; start < 12; start++) {
    guint8 loop[12];
    int size = 0;
    for (int edge = start; next[edge] >= 0;) {
      loop[size++] = (guint8)edge;
      int following = next[edge];
      next[edge] = -1;
      edge = following;
    }
    if (size > 0)
      fill_loop(table, surface, loop, size);
  }
}

static DebyeCellTable *
make_table(void)
{
  DebyeCellTable *table = g_new0(DebyeCellTable, 1);
  make_geometry(table);
  gsize n_surfaces = 0;
  for (int pattern = 0; pattern < 256; pattern++) {
    table->first[pattern] = (guint16)n_surfaces;
    for (int face = 0; face < 6; face++)
      if (face_is_ambiguous(&table->faces[face], pattern))
        table->ambiguous[pattern][table->n_ambiguous[pattern]++] = (guint8)face;
    n_surfaces += (gsize)1 << table->n_ambiguous[pattern];
  }
  table->surfaces = g_new0(DebyeCellSurface, n_surfaces);
  for (int pattern = 0; pattern < 256; pattern++)
    for (int decision = 0; decision < 1 << table->n_ambiguous[pattern]; decision++)
      make_surface(table, pattern, decision, &table->surfaces[table->first[pattern] + decision]);
  return table;
}

const DebyeCellTable *
debye_cell_table_get(void)
{
  static gsize table;
  if (g_once_init_enter(&table))
    g_once_init_leave(&table, (gsize)make_table());
  return (const DebyeCellTable *)table;
}
