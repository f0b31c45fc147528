/* SPDX-License-Identifier: MIT */
/* Equidistant vectors on rays, q = s + k·d, in a list of any vectors: what min:max:step along directions
 * makes, in the order of its shells (a ray's vectors then stand one shell apart) or of its rays.
 *
 * They are cut into tiles of `rows` starts of `columns` steps each, whose terms are products of
 * rows + columns factors: e((s_i + d_j)·r) = e(s_i·r)·e(d_j·r). Every vector of a tile is its start and step
 * to within 2⁻²⁸ of a turn for the farthest atom that there may be. Vectors of no tile stay single. */
#pragma once

#include <stdint.h>

#include "amplitude_math.h"

DEBYE_BEGIN_DECLS

typedef struct {
  size_t rows, columns;
  double cost; /* of a tile against single vectors */
} DebyeRayShape;

/* The place of a tile that no vector has. */
#define DEBYE_RAY_NO_PLACE UINT32_MAX

/* A list's tiles and single vectors. A tile has `rows` starts and `columns` steps, in turns per Å, and the
 * vectors' places in the list, one start after the other. */
typedef struct {
  size_t n_tiles, n_singles;
  double *starts[3], *steps[3];
  uint32_t *places, *singles;
} DebyeRayTiles;

/* The most that n vectors need with any shape of whole eights: of starts and of steps per axis; of places. */
static inline size_t
debye_ray_most_numbers(size_t n_vectors)
{
  return n_vectors / 4 + 1;
}

static inline size_t
debye_ray_most_places(size_t n_vectors)
{
  return 2 * n_vectors;
}

/* How far apart in the list the vectors of a ray stand: 0 where there seem to be none. */
size_t debye_ray_stride(const DebyeVec3 *q, size_t n_vectors);

/* The shape that costs least; n_shapes where single vectors cost less than all of them. */
size_t debye_ray_choose(const DebyeVec3 *q, size_t n_vectors, size_t stride, const DebyeRayShape *shapes,
                        size_t n_shapes);

/* Cuts the list up; the arrays are the caller's, with room for what it may need. */
void debye_ray_cut(const DebyeVec3 *q, size_t n_vectors, size_t stride, const DebyeRayShape *shape,
                   DebyeRayTiles *tiles);

DEBYE_END_DECLS
