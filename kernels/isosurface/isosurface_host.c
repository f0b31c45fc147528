/* SPDX-License-Identifier: MIT */
/* Slabs of slices on a runner's threads, joined as if it had been one. */
#include "isosurface_host.h"

#include <stdlib.h>
#include <string.h>

#include "isosurface_slab.h"

/* A slab looks at one slice that another one has, too. */
#define LEAST_SLICES 12
/* Surfaces fill some slabs more than others. */
#define SLABS_PER_THREAD 4

typedef struct {
  DebyeIsosurfaceSlab slab;
  size_t first_vertex, first_triangle; /* in the whole */
} Piece;

typedef struct {
  Piece *pieces;
  size_t n;
  DebyeIsosurface *whole;
} Pieces;

static void
make_piece(void *context, size_t number)
{
  Piece *pieces = context;
  debye_isosurface_slab_make(&pieces[number].slab);
}

/* False: a piece is missing, or there are more vertices than have numbers. */
static bool
number_pieces(Pieces *pieces)
{
  DebyeIsosurface *whole = pieces->whole;
  for (size_t i = 0; i < pieces->n; i++) {
    Piece *piece = &pieces->pieces[i];
    if (!piece->slab.is_made)
      return false;
    piece->first_vertex = whole->n_vertices;
    piece->first_triangle = whole->n_triangles;
    whole->n_vertices += piece->slab.mesh.n_vertices - piece->slab.n_copies;
    whole->n_triangles += piece->slab.mesh.n_triangles;
  }
  return whole->n_vertices < UINT32_MAX;
}

/* Puts a piece into the whole, its copies left out, and clears its mesh. */
static void
join_piece(void *context, size_t number)
{
  const Pieces *pieces = context;
  Piece *piece = &pieces->pieces[number];
  const Piece *before = number > 0 ? piece - 1 : NULL;
  const size_t n_copies = piece->slab.n_copies;
  DebyeIsosurface *mesh = &piece->slab.mesh, *whole = pieces->whole;
  const size_t n_own = mesh->n_vertices - n_copies;
  uint32_t *to = whole->indices + 3 * piece->first_triangle;
  if (n_own > 0) {
    memcpy(whole->positions + 3 * piece->first_vertex, mesh->positions + 3 * n_copies,
           n_own * 3 * sizeof(float));
    memcpy(whole->normals + 3 * piece->first_vertex, mesh->normals + 3 * n_copies, n_own * 3 * sizeof(float));
  }
  for (size_t i = 0; i < 3 * mesh->n_triangles; i++) {
    const uint32_t vertex = mesh->indices[i];
    to[i] = vertex >= n_copies
                ? (uint32_t)(piece->first_vertex + vertex - n_copies)
                : (uint32_t)(before->first_vertex + before->slab.border[vertex] - before->slab.n_copies);
  }
  debye_isosurface_clear(mesh);
}

static bool
join(Pieces *pieces, const DebyeChunkRunner *runner)
{
  DebyeIsosurface *whole = pieces->whole;
  if (!number_pieces(pieces)) {
    debye_isosurface_clear(whole);
    return false;
  }
  if (whole->n_vertices == 0)
    return true;
  whole->positions = malloc(3 * whole->n_vertices * sizeof(float));
  whole->normals = malloc(3 * whole->n_vertices * sizeof(float));
  whole->indices = malloc(3 * (whole->n_triangles + 1) * sizeof(uint32_t));
  if (whole->positions == NULL || whole->normals == NULL || whole->indices == NULL) {
    debye_isosurface_clear(whole);
    return false;
  }
  debye_chunks_run(runner, pieces->n, join_piece, pieces);
  return true;
}

size_t
debye_isosurface_count_slabs(const DebyeGrid *grid, size_t n_threads)
{
  const size_t n = n_threads * SLABS_PER_THREAD, most = grid->shape[2] / LEAST_SLICES;
  return n_threads <= 1 || most < 1 ? 1 : n < most ? n : most;
}

bool
debye_isosurface_make(const DebyeGrid *grid, const float *values, double level, const DebyeIsosurfaceWay *way,
                      DebyeIsosurface *mesh)
{
  const size_t nz = grid->shape[2], n = way->n_slabs < 1 ? 1 : way->n_slabs > nz ? nz : way->n_slabs;
  *mesh = (DebyeIsosurface){0};
  if (!debye_isosurface_can_be(grid, level))
    return true;
  Piece *all = calloc(n, sizeof *all);
  if (all == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    all[i].slab = (DebyeIsosurfaceSlab){.grid = grid,
                                        .values = values,
                                        .level = level,
                                        .first = nz * i / n,
                                        .end = nz * (i + 1) / n,
                                        .is_stopped = way->is_stopped,
                                        .stopper = way->stopper};
  debye_chunks_run(way->runner, n, make_piece, all);
  bool is_made = all[0].slab.is_made;
  if (n > 1) {
    is_made = join(&(Pieces){.pieces = all, .n = n, .whole = mesh}, way->runner);
  } else {
    *mesh = all[0].slab.mesh;
    all[0].slab.mesh = (DebyeIsosurface){0};
  }
  for (size_t i = 0; i < n; i++) {
    debye_isosurface_clear(&all[i].slab.mesh);
    free(all[i].slab.border);
  }
  free(all);
  return is_made;
}
