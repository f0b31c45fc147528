/* SPDX-License-Identifier: MIT */
/* Marching cubes of some slices of a grid, called by marching_cubes.c for each of a thread's slabs. Slice by slice: which
 * points lie above the level (a bit each), the vertices on the crossed edges of the slice, then the cells between it and
 * the one before. A row of cells is looked at 64 cells at a time, so empty space costs one pass over the values; vertices
 * are shared through arrays of two slices, one entry a point and direction. */
#include "marching_slab.h"

#include <string.h>

#include "marching_cubes_table.h"

/* Stands for values that are not finite: far beyond any level, and its square is still a double. */
#define OUTSIDE 1e100

typedef struct {
  DebyeMarchingSlab *slab;
  const DebyeGrid *grid;
  const float *values;
  double level;
  gboolean negative;       /* the body is where values lie under a negative level */
  gboolean left_handed;    /* the grid's steps: triangles are turned round */
  gsize nx, ny, nz, words; /* words of 64 bits in a row */
  double gradient[3][3];   /* differences along the steps → gradient in Å⁻¹ */
  const DebyeCellTable *table;
  guint64 *bits[2];     /* points above: of the slice before and this one */
  guint32 *along[3][2]; /* vertex on the edge that starts at a point; z edges use [2][0] only */
  DebyeMesh *mesh;
  gsize vertex_room, triangle_room, border_room;
  gboolean in_border; /* vertices of the slice are the next slab's, too */
  gboolean failed;
} Mesher;

/* --- Vertices --- */

static gboolean
grow(gpointer array, gsize n_bytes)
{
  gpointer *place = array;
  gpointer larger = g_try_realloc(*place, n_bytes);
  if (!larger)
    return FALSE;
  *place = larger;
  return TRUE;
}

static gboolean
reserve_vertices(Mesher *mesher, gsize n)
{
  DebyeMesh *mesh = mesher->mesh;
  if (mesh->n_vertices + n <= mesher->vertex_room)
    return TRUE;
  gsize room = MAX(2 * mesher->vertex_room, mesh->n_vertices + n + 4096);
  if (room >= G_MAXUINT32 || !grow(&mesh->positions, room * 3 * sizeof(float)) ||
      !grow(&mesh->normals, room * 3 * sizeof(float))) {
    mesher->failed = TRUE;
    return FALSE;
  }
  mesher->vertex_room = room;
  return TRUE;
}

static gboolean
reserve_triangles(Mesher *mesher, gsize n)
{
  DebyeMesh *mesh = mesher->mesh;
  if (mesh->n_triangles + n <= mesher->triangle_room)
    return TRUE;
  gsize room = MAX(2 * mesher->triangle_room, mesh->n_triangles + n + 8192);
  if (!grow(&mesh->indices, room * 3 * sizeof(guint32))) {
    mesher->failed = TRUE;
    return FALSE;
  }
  mesher->triangle_room = room;
  return TRUE;
}

static void
note_border(Mesher *mesher, guint32 vertex)
{
  DebyeMarchingSlab *slab = mesher->slab;
  if (slab->n_border == mesher->border_room) {
    const gsize room = 2 * mesher->border_room + 1024;
    if (!grow(&slab->border, room * sizeof(guint32))) {
      mesher->failed = TRUE;
      return;
    }
    mesher->border_room = room;
  }
  slab->border[slab->n_border++] = vertex;
}

/* Difference along one step at a point: central, one-sided at the rim or beside a value that is not finite. */
static float
difference(const float *value, gsize place, gsize n, gsize stride)
{
  gboolean before = place > 0 && isfinite(value[-(gssize)stride]);
  gboolean after = place + 1 < n && isfinite(value[stride]);
  if (before && after)
    return 0.5f * (value[stride] - value[-(gssize)stride]);
  if (after && isfinite(*value))
    return value[stride] - *value;
  if (before && isfinite(*value))
    return *value - value[-(gssize)stride];
  return 0.0f;
}

static void
differences_at(const Mesher *mesher, gsize i, gsize j, gsize k, double weight, double sum[3])
{
  const float *value = mesher->values + i + mesher->nx * (j + mesher->ny * k);
  sum[0] += weight * (double)difference(value, i, mesher->nx, 1);
  sum[1] += weight * (double)difference(value, j, mesher->ny, mesher->nx);
  sum[2] += weight * (double)difference(value, k, mesher->nz, mesher->nx * mesher->ny);
}

static void
store_normal(const Mesher *mesher, const double slope[3], int axis, double rise, float normal[3])
{
  double g[3];
  for (int c = 0; c < 3; c++)
    g[c] = mesher->gradient[c][0] * slope[0] + mesher->gradient[c][1] * slope[1] +
           mesher->gradient[c][2] * slope[2];
  double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (!(length > 0.0)) {
    /* A flat place or an extremum: the crossed edge itself tells the side. */
    for (int c = 0; c < 3; c++)
      g[c] = mesher->gradient[c][axis] * (rise > 0.0 ? 1.0 : -1.0);
    length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  }
  for (int c = 0; c < 3; c++)
    normal[c] = (float)(-g[c] / length);
}

static double
crossing(double from, double to, double level)
{
  if (!isfinite(from))
    return 1.0;
  if (!isfinite(to))
    return 0.0;
  return CLAMP((level - from) / (to - from), 0.0, 1.0);
}

/* The vertex on the edge from point (i, j, k) along `axis`. */
static guint32
add_edge_vertex(Mesher *mesher, gsize i, gsize j, gsize k, int axis)
{
  if (!reserve_vertices(mesher, 1))
    return 0;
  gsize step[3] = {axis == 0, axis == 1, axis == 2};
  gsize stride = axis == 0 ? 1 : axis == 1 ? mesher->nx : mesher->nx * mesher->ny;
  const float *value = mesher->values + i + mesher->nx * (j + mesher->ny * k);
  double from = (double)value[0], to = (double)value[stride];
  double t = crossing(from, to, mesher->level);
  double slope[3] = {0.0, 0.0, 0.0};
  differences_at(mesher, i, j, k, 1.0 - t, slope);
  differences_at(mesher, i + step[0], j + step[1], k + step[2], t, slope);
  DebyeMesh *mesh = mesher->mesh;
  guint32 vertex = (guint32)mesh->n_vertices++;
  DebyeVec3 p = debye_grid_point(mesher->grid, (double)i + t * (double)step[0],
                                 (double)j + t * (double)step[1], (double)k + t * (double)step[2]);
  float *position = mesh->positions + 3 * (gsize)vertex;
  position[0] = (float)p.x;
  position[1] = (float)p.y;
  position[2] = (float)p.z;
  gboolean rises = isfinite(from) && isfinite(to) ? to > from : isfinite(to) != mesher->negative;
  store_normal(mesher, slope, axis, rises ? 1.0 : -1.0, mesh->normals + 3 * (gsize)vertex);
  return vertex;
}

static guint32
add_centre(Mesher *mesher, const DebyeCellSurface *surface, int centre, const guint32 edges[12])
{
  if (!reserve_vertices(mesher, 1))
    return 0;
  DebyeMesh *mesh = mesher->mesh;
  guint32 vertex = (guint32)mesh->n_vertices++;
  double position[3] = {0.0, 0.0, 0.0}, normal[3] = {0.0, 0.0, 0.0};
  int size = surface->centre_size[centre];
  for (int n = 0; n < size; n++) {
    gsize other = edges[surface->centre_edges[centre][n]];
    for (int c = 0; c < 3; c++) {
      position[c] += (double)mesh->positions[3 * other + (gsize)c] / size;
      normal[c] += (double)mesh->normals[3 * other + (gsize)c];
    }
  }
  double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int c = 0; c < 3; c++) {
    mesh->positions[3 * (gsize)vertex + (gsize)c] = (float)position[c];
    mesh->normals[3 * (gsize)vertex + (gsize)c] =
        length > 0.0 ? (float)(normal[c] / length)
                     : mesh->normals[3 * edges[surface->centre_edges[centre][0]] + c];
  }
  return vertex;
}

/* --- Points above --- */

static void
mark_row(const Mesher *mesher, const float *row, guint64 *bits)
{
  float level = (float)mesher->level;
  for (gsize word = 0; word < mesher->words; word++) {
    gsize first = 64 * word, n = MIN(64, mesher->nx - first);
    guint8 marks[64] = {0};
    /* A comparison with NaN is false either way, and infinities are outside by the same rule. */
    if (mesher->negative)
      for (gsize i = 0; i < n; i++)
        marks[i] = (guint8) !((row[first + i] < level) & (row[first + i] >= -G_MAXFLOAT));
    else
      for (gsize i = 0; i < n; i++)
        marks[i] = (guint8)((row[first + i] >= level) & (row[first + i] <= G_MAXFLOAT));
    guint64 packed = 0;
    for (int byte = 0; byte < 8; byte++) {
      guint64 eight;
      memcpy(&eight, marks + 8 * byte, 8);
      /* Gathers the lowest bit of eight bytes into one byte (little-endian order of the bytes). */
      eight = GUINT64_FROM_LE(eight);
      packed |= ((eight * G_GUINT64_CONSTANT(0x0102040810204080)) >> 56) << (8 * byte);
    }
    bits[word] = packed;
  }
}

static void
mark_slice(const Mesher *mesher, gsize k, guint64 *bits)
{
  for (gsize j = 0; j < mesher->ny; j++)
    mark_row(mesher, mesher->values + mesher->nx * (j + mesher->ny * k), bits + mesher->words * j);
}

/* --- Edges --- */

static void
add_vertices(Mesher *mesher, guint64 crossed, gsize word, gsize j, gsize k, int axis, guint32 *along)
{
  for (; crossed; crossed &= crossed - 1) {
    gsize i = 64 * word + (gsize)__builtin_ctzll(crossed);
    const guint32 vertex = along[i + mesher->nx * j] = add_edge_vertex(mesher, i, j, k, axis);
    if (mesher->in_border && axis < 2)
      note_border(mesher, vertex);
  }
}

/* The bits of a row moved down by one: each cell beside its right neighbour. */
static guint64
next_bits(const guint64 *row, gsize word, gsize words)
{
  return row[word] >> 1 | (word + 1 < words ? row[word + 1] << 63 : 0);
}

/* Those of the 64 places of a word at which an edge along x, or a cell, begins. */
static guint64
begins(const Mesher *mesher, gsize word)
{
  gsize cells = mesher->nx - 1;
  if (cells <= 64 * word)
    return 0;
  gsize n = cells - 64 * word;
  return n >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << n) - 1;
}

/* Edges within the slice and, unless it is the first that the slab looks at, those from the slice before. */
static void
cross_slice(Mesher *mesher, gsize k, gboolean is_first)
{
  gsize words = mesher->words;
  for (gsize j = 0; j < mesher->ny; j++)
    for (gsize word = 0; word < words; word++) {
      const guint64 *row = mesher->bits[1] + words * j;
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

static double
corner_value(const Mesher *mesher, const float *value)
{
  if (isfinite(*value))
    return (double)*value - mesher->level;
  return mesher->negative ? OUTSIDE : -OUTSIDE;
}

/* The asymptotic decider: the bilinear saddle of the face lies above the level when the product of the
 * corners above is larger than that of the corners below (values relative to the level). Symmetric in its
 * arguments, so that the cell beyond the face decides alike to the last bit. */
static int
decide_faces(const Mesher *mesher, int pattern, const float *cell)
{
  int decision = 0;
  for (int n = 0; n < mesher->table->n_ambiguous[pattern]; n++) {
    const DebyeCellFace *face = &mesher->table->faces[mesher->table->ambiguous[pattern][n]];
    double product[2] = {1.0, 1.0};
    for (int i = 0; i < 4; i++) {
      int corner = face->corners[i];
      const float *value = cell + (corner & 1) + (gssize)mesher->nx * (corner >> 1 & 1) +
                           (gssize)(mesher->nx * mesher->ny) * (corner >> 2);
      product[pattern >> corner & 1] *= corner_value(mesher, value);
    }
    if (product[1] > product[0])
      decision |= 1 << n;
  }
  return decision;
}

static void
add_cell(Mesher *mesher, gsize i, gsize j, gsize k, int pattern)
{
  gsize nx = mesher->nx, place = i + nx * j;
  int decision = 0;
  if (mesher->table->n_ambiguous[pattern])
    decision = decide_faces(mesher, pattern, mesher->values + place + nx * mesher->ny * k);
  const DebyeCellSurface *surface = &mesher->table->surfaces[mesher->table->first[pattern] + decision];
  guint32 *const *x = mesher->along[0], *const *y = mesher->along[1], *z = mesher->along[2][0];
  guint32 vertices[12 + DEBYE_CELL_MAX_CENTRES] = {
      x[0][place], x[0][place + nx], x[1][place], x[1][place + nx], y[0][place],   y[0][place + 1],
      y[1][place], y[1][place + 1],  z[place],    z[place + 1],     z[place + nx], z[place + nx + 1],
  };
  for (int centre = 0; centre < surface->n_centres; centre++)
    vertices[DEBYE_CELL_CENTRE + centre] = add_centre(mesher, surface, centre, vertices);
  if (!reserve_triangles(mesher, surface->n_triangles))
    return;
  guint32 *corner = mesher->mesh->indices + 3 * mesher->mesh->n_triangles;
  int second = mesher->left_handed ? 2 : 1;
  for (int n = 0; n < surface->n_triangles; n++, corner += 3) {
    corner[0] = vertices[surface->corners[3 * n]];
    corner[second] = vertices[surface->corners[3 * n + 1]];
    corner[3 - second] = vertices[surface->corners[3 * n + 2]];
  }
  mesher->mesh->n_triangles += surface->n_triangles;
}

/* The cells between the slice before (k) and this one. */
static void
add_cells(Mesher *mesher, gsize k)
{
  gsize words = mesher->words;
  for (gsize j = 0; j + 1 < mesher->ny; j++)
    for (gsize word = 0; word < words; word++) {
      guint64 columns[8];
      guint64 any = 0, all = G_MAXUINT64;
      for (int corner = 0; corner < 8; corner++) {
        const guint64 *row = mesher->bits[corner >> 2] + words * (j + (gsize)(corner >> 1 & 1));
        columns[corner] = corner & 1 ? next_bits(row, word, words) : row[word];
        any |= columns[corner];
        all &= columns[corner];
      }
      for (guint64 active = any & ~all & begins(mesher, word); active; active &= active - 1) {
        int bit = __builtin_ctzll(active);
        int pattern = 0;
        for (int corner = 0; corner < 8; corner++)
          pattern |= (int)(columns[corner] >> bit & 1) << corner;
        add_cell(mesher, 64 * word + (gsize)bit, j, k, pattern);
      }
    }
}

/* --- All of it --- */

static void
swap_slices(Mesher *mesher)
{
  guint64 *bits = mesher->bits[0];
  mesher->bits[0] = mesher->bits[1];
  mesher->bits[1] = bits;
  for (int axis = 0; axis < 2; axis++) {
    guint32 *along = mesher->along[axis][0];
    mesher->along[axis][0] = mesher->along[axis][1];
    mesher->along[axis][1] = along;
  }
}

/* Rows of the gradient's matrix: the reciprocal vectors of the steps. */
static void
invert_steps(Mesher *mesher)
{
  const DebyeVec3 *s = mesher->grid->step;
  double volume = debye_vec3_dot(s[0], debye_vec3_cross(s[1], s[2]));
  for (int axis = 0; axis < 3; axis++) {
    DebyeVec3 r = debye_vec3_scale(debye_vec3_cross(s[(axis + 1) % 3], s[(axis + 2) % 3]), 1.0 / volume);
    mesher->gradient[0][axis] = r.x;
    mesher->gradient[1][axis] = r.y;
    mesher->gradient[2][axis] = r.z;
  }
  mesher->left_handed = volume < 0.0;
}

static gboolean
prepare(Mesher *mesher)
{
  gsize slice = mesher->nx * mesher->ny;
  mesher->mesh = g_new0(DebyeMesh, 1);
  mesher->table = debye_cell_table_get();
  for (int n = 0; n < 2; n++) {
    mesher->bits[n] = g_try_new(guint64, mesher->words * mesher->ny);
    mesher->along[0][n] = g_try_new0(guint32, slice);
    mesher->along[1][n] = g_try_new0(guint32, slice);
    if (!mesher->bits[n] || !mesher->along[0][n] || !mesher->along[1][n])
      return FALSE;
  }
  mesher->along[2][0] = g_try_new0(guint32, slice);
  return mesher->along[2][0] != NULL;
}

static void
clear(Mesher *mesher)
{
  for (int n = 0; n < 2; n++) {
    g_free(mesher->bits[n]);
    for (int axis = 0; axis < 3; axis++)
      g_free(mesher->along[axis][n]);
  }
  debye_mesh_free(mesher->mesh);
}

void
debye_marching_slab_make(DebyeMarchingSlab *slab)
{
  Mesher mesher = {.slab = slab,
                   .grid = slab->grid,
                   .values = slab->values,
                   .level = slab->level,
                   .negative = slab->level < 0.0,
                   .nx = slab->grid->shape[0],
                   .ny = slab->grid->shape[1],
                   .nz = slab->grid->shape[2]};
  /* The slice before the slab's own: its vertices are the other slab's, and only copied for the cells. */
  const gsize begin = slab->first > 0 ? slab->first - 1 : 0;
  mesher.words = (mesher.nx + 63) / 64;
  mesher.failed = !prepare(&mesher);
  invert_steps(&mesher);
  for (gsize k = begin; k < slab->end && !mesher.failed; k++) {
    if (g_cancellable_is_cancelled(slab->cancellable))
      mesher.failed = TRUE;
    mesher.in_border = k + 1 == slab->end && slab->end < mesher.nz;
    mark_slice(&mesher, k, mesher.bits[1]);
    cross_slice(&mesher, k, k == begin);
    if (k < slab->first)
      slab->n_copies = mesher.mesh->n_vertices;
    if (k > begin && !mesher.failed)
      add_cells(&mesher, k - 1);
    swap_slices(&mesher);
  }
  slab->mesh = mesher.failed ? NULL : g_steal_pointer(&mesher.mesh);
  clear(&mesher);
}
