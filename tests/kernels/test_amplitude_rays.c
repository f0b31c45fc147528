/* SPDX-License-Identifier: MIT */
/* Equidistant vectors on rays: which are found, that a tile's starts and steps make its vectors, and that each
 * vector of a list is in one place. */
#include <math.h>
#include <stdlib.h>

#include "kernels/scattering/amplitude_rays.h"
#include "kernels/scattering/scattering_groups.h"
#include "tests/support/check.h"
#include "tests/support/oracle_scattering.h"

/* A turn, of the farthest atom. */
#define PHASE 0x1p-27

static const DebyeRayShape shapes[] = {{8, 8, 40.0}, {16, 8, 70.0}, {16, 16, 110.0}};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static void
check_tile(const DebyeVec3 *q, size_t n, const DebyeRayShape *shape, const DebyeRayTiles *tiles, size_t tile,
           int *seen)
{
  for (size_t i = 0; i < shape->rows * shape->columns; i++) {
    const uint32_t place = tiles->places[tile * shape->rows * shape->columns + i];
    if (place == DEBYE_RAY_NO_PLACE)
      continue;
    CHECK(place < n);
    const double wanted[3] = {q[place].x, q[place].y, q[place].z};
    double phase = 0.0;
    seen[place]++;
    for (int axis = 0; axis < 3; axis++)
      phase += fabs(tiles->starts[axis][tile * shape->rows + i / shape->columns] +
                    tiles->steps[axis][tile * shape->columns + i % shape->columns] -
                    wanted[axis] * DEBYE_PER_TWO_PI) *
               DEBYE_SCATTERING_FARTHEST;
    CHECK_AT_MOST(phase, PHASE);
  }
}

/* Cuts the list; returns how many vectors are in tiles. */
static size_t
cut(const DebyeVec3 *q, size_t n, const DebyeRayShape *shape)
{
  const size_t most = debye_ray_most_numbers(n);
  double *numbers = malloc(6 * most * sizeof *numbers);
  uint32_t *places = malloc((debye_ray_most_places(n) + n) * sizeof *places);
  int *seen = calloc(n, sizeof *seen);
  DebyeRayTiles tiles = {.places = places, .singles = places + debye_ray_most_places(n)};
  for (size_t axis = 0; axis < 3; axis++) {
    tiles.starts[axis] = numbers + axis * most;
    tiles.steps[axis] = numbers + (3 + axis) * most;
  }
  debye_ray_cut(q, n, debye_ray_stride(q, n), shape, &tiles);
  CHECK(tiles.n_tiles * shape->rows * shape->columns <= debye_ray_most_places(n));
  CHECK(tiles.n_tiles * shape->rows <= most && tiles.n_tiles * shape->columns <= most);
  for (size_t tile = 0; tile < tiles.n_tiles; tile++)
    check_tile(q, n, shape, &tiles, tile, seen);
  for (size_t i = 0; i < tiles.n_singles; i++)
    seen[tiles.singles[i]]++;
  for (size_t i = 0; i < n; i++)
    CHECK(seen[i] == 1);
  const size_t n_singles = tiles.n_singles;
  free(numbers);
  free(places);
  free(seen);
  return n - n_singles;
}

/* Shells of n_rays directions from `first` steps on, ray after ray or shell after shell. */
static void
fill(DebyeVec3 *q, size_t n_rays, size_t length, size_t first, bool by_rays)
{
  DebyeVec3 directions[16];
  debye_random_vectors(directions, n_rays, 1.0, 3);
  for (size_t i = 0; i < n_rays * length; i++) {
    const size_t ray = by_rays ? i / length : i % n_rays, k = by_rays ? i % length : i / n_rays;
    q[i] = debye_vec3_scale(directions[ray], 0.03 * (double)(first + k));
  }
}

static void
test_lists(void)
{
  static const struct {
    size_t rays, length, first;
  } cases[] = {{1, 512, 0}, {1, 300, 7}, {7, 100, 1}, {16, 64, 2}, {3, 129, 1}};
  DebyeVec3 q[1100];
  debye_check_subject("lists");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int by_rays = 0; by_rays < 2; by_rays++) {
      const size_t n = cases[i].rays * cases[i].length;
      fill(q, cases[i].rays, cases[i].length, cases[i].first, by_rays == 1);
      const size_t stride = debye_ray_stride(q, n);
      CHECK(stride == (by_rays ? 1 : cases[i].rays));
      const size_t shape = debye_ray_choose(q, n, stride, shapes, N_SHAPES);
      CHECK(shape < N_SHAPES);
      for (size_t s = 0; s < N_SHAPES; s++) {
        const size_t tiled = cut(q, n, &shapes[s]);
        CHECK_THAT(s != shape || 4 * tiled >= 3 * n, "%zu of %zu in tiles", tiled, n);
      }
    }
}

/* Too few to a ray, none at all, no vectors, the same ones, and steps that grow by so little that only their
 * end shows it. */
static void
test_others(void)
{
  DebyeVec3 q[600];
  debye_check_subject("others");
  CHECK(debye_ray_stride(q, 0) == 0);
  debye_random_vectors(q, 600, 5.0, 9);
  CHECK(debye_ray_stride(q, 600) == 0);
  fill(q, 16, 20, 1, false);
  CHECK(debye_ray_choose(q, 320, debye_ray_stride(q, 320), shapes, N_SHAPES) == N_SHAPES);
  for (size_t i = 0; i < 600; i++)
    q[i] = debye_vec3(0.0, 0.0, 0.0);
  CHECK(debye_ray_stride(q, 600) == 0);
  for (size_t i = 0; i < 600; i++) {
    const double k = (double)i;
    q[i] = debye_vec3(0.02 * k, 0.01 * k, 0.005 * k * (1.0 + 1e-15 * k));
  }
  CHECK(debye_ray_stride(q, 600) == 1);
  for (size_t s = 0; s < N_SHAPES; s++)
    cut(q, 600, &shapes[s]);
}

int
main(void)
{
  test_lists();
  test_others();
  return debye_check_finish();
}
