/* SPDX-License-Identifier: MIT */
/* Marching cubes for isosurfaces and molecular surfaces: slabs of slices on all processors, joined as if it had been one. */
#include "marching_cubes.h"

#include <math.h>
#include <string.h>

#include "data/work/parts.h"
#include "marching_slab.h"

/* A slab looks at one slice that another one has, too. */
#define LEAST_SLICES 12
/* Surfaces fill some slabs more than others. */
#define SLABS_PER_THREAD 4

typedef struct {
  DebyeMarchingSlab slab;
  gsize first_vertex, first_triangle; /* in the whole */
} Piece;

typedef struct {
  Piece *pieces;
  gsize n;
  DebyeMesh *whole;
} Pieces;

static void
make_piece(gsize number, gpointer data)
{
  Piece *pieces = data;
  debye_marching_slab_make(&pieces[number].slab);
}

/* FALSE: a piece is missing, or there are more vertices than have numbers. */
static gboolean
number_pieces(Pieces *pieces)
{
  DebyeMesh *whole = pieces->whole;
  for (gsize i = 0; i < pieces->n; i++) {
    Piece *piece = &pieces->pieces[i];
    if (!piece->slab.mesh)
      return FALSE;
    piece->first_vertex = whole->n_vertices;
    piece->first_triangle = whole->n_triangles;
    whole->n_vertices += piece->slab.mesh->n_vertices - piece->slab.n_copies;
    whole->n_triangles += piece->slab.mesh->n_triangles;
  }
  return whole->n_vertices < G_MAXUINT32;
}

/* Puts a piece into the whole, its copies left out, and frees its mesh. */
static void
join_piece(gsize number, gpointer data)
{
  const Pieces *pieces = data;
  Piece *piece = &pieces->pieces[number];
  const Piece *before = number > 0 ? piece - 1 : NULL;
  const gsize n_copies = piece->slab.n_copies;
  DebyeMesh *mesh = piece->slab.mesh, *whole = pieces->whole;
  const gsize n_own = mesh->n_vertices - n_copies;
  guint32 *to = whole->indices + 3 * piece->first_triangle;
  if (n_own > 0) {
    memcpy(whole->positions + 3 * piece->first_vertex, mesh->positions + 3 * n_copies,
           n_own * 3 * sizeof(float));
    memcpy(whole->normals + 3 * piece->first_vertex, mesh->normals + 3 * n_copies, n_own * 3 * sizeof(float));
  }
  for (gsize i = 0; i < 3 * mesh->n_triangles; i++) {
    const guint32 vertex = mesh->indices[i];
    to[i] = vertex >= n_copies
                ? (guint32)(piece->first_vertex + vertex - n_copies)
                : (guint32)(before->first_vertex + before->slab.border[vertex] - before->slab.n_copies);
  }
  g_clear_pointer(&piece->slab.mesh, debye_mesh_free);
}

/* NULL: out of memory. */
static DebyeMesh *
join(Pieces *pieces)
{
  g_autoptr(DebyeMesh) whole = pieces->whole = g_new0(DebyeMesh, 1);
  if (!number_pieces(pieces))
    return NULL;
  whole->positions = g_try_new(float, 3 * whole->n_vertices + 1);
  whole->normals = g_try_new(float, 3 * whole->n_vertices + 1);
  whole->indices = g_try_new(guint32, 3 * whole->n_triangles + 1);
  if (!whole->positions || !whole->normals || !whole->indices)
    return NULL;
  debye_parts_run(pieces->n, join_piece, pieces);
  return g_steal_pointer(&whole);
}

static gboolean
has_cells(const DebyeGrid *grid)
{
  const DebyeVec3 *step = grid->step;
  const double volume = debye_vec3_dot(step[0], debye_vec3_cross(step[1], step[2]));
  return grid->shape[0] >= 2 && grid->shape[1] >= 2 && grid->shape[2] >= 2 && isfinite(volume) &&
         volume != 0.0;
}

DebyeMesh *
debye_marching_cubes_in_slabs(const DebyeGrid *grid, const float *values, double level, gsize n_slabs,
                              GCancellable *cancellable)
{
  const gsize nz = grid->shape[2];
  if (!has_cells(grid) || !isfinite(level))
    return g_new0(DebyeMesh, 1);
  const gsize n = CLAMP(n_slabs, 1, nz);
  g_autofree Piece *all = g_new0(Piece, n);
  for (gsize i = 0; i < n; i++)
    all[i].slab = (DebyeMarchingSlab){.grid = grid,
                                      .values = values,
                                      .level = level,
                                      .first = nz * i / n,
                                      .end = nz * (i + 1) / n,
                                      .cancellable = cancellable};
  debye_parts_run(n, make_piece, all);
  DebyeMesh *mesh = n > 1 ? join(&(Pieces){.pieces = all, .n = n}) : g_steal_pointer(&all[0].slab.mesh);
  for (gsize i = 0; i < n; i++) {
    g_clear_pointer(&all[i].slab.mesh, debye_mesh_free);
    g_free(all[i].slab.border);
  }
  return mesh;
}

DebyeMesh *
debye_marching_cubes(const DebyeGrid *grid, const float *values, double level, GCancellable *cancellable)
{
  const gsize n_threads = debye_parts_count_threads();
  const gsize n = n_threads > 1 ? MIN(n_threads * SLABS_PER_THREAD, grid->shape[2] / LEAST_SLICES) : 1;
  return debye_marching_cubes_in_slabs(grid, values, level, n, cancellable);
}
