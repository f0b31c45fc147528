/* SPDX-License-Identifier: MIT */
/* The Debye-Hückel boundary of poisson_medium.h: on each side of the grid a lattice of points is summed, and the others are
 * interpolated by cubics. */
#include <math.h>
#include <stdlib.h>

#include "poisson_medium.h"
#include "poisson_tree.h"

/* Points from one that is summed to the next; sides with fewer than this many intervals are summed whole. */
#define STRIDE ((size_t)4)
#define LEAST_INTERVALS 4

/* 5e-5 of the sum of the charges' potentials: cubics err by more. */
static const DebyePoissonTreeSettings tree_settings = {.degree = 6, .opening = 0.5};

typedef struct {
  const DebyePoissonMedium *medium;
  DebyePoissonTree tree; /* of z exp(κR)/(1 + κR) */
  double kappa;
  double *potential;
} Boundary;

/* The place that is looked at. */
typedef struct {
  DebyeVec3 at;
  double kappa, sum;
} Place;

/* A side: points of two axes on the first or last plane of the third. */
typedef struct {
  int u, v, normal;
  size_t plane;
  size_t stride[2];
} Side;

static size_t
index_of(const DebyeSurfaceGrid *grid, const size_t at[3])
{
  return at[0] + grid->shape[0] * (at[1] + grid->shape[1] * at[2]);
}

static Side
side_of(const DebyeSurfaceGrid *grid, size_t number)
{
  const int normal = (int)(number / 2), u = (normal + 1) % 3, v = (normal + 2) % 3;
  Side side = {u, v, normal, number % 2 == 0 ? 0 : grid->shape[normal] - 1, {1, 1}};
  for (int i = 0; i < 2; i++) {
    const size_t cells = grid->shape[i == 0 ? u : v] - 1;
    if (cells % STRIDE == 0 && cells / STRIDE >= LEAST_INTERVALS)
      side.stride[i] = STRIDE;
  }
  return side;
}

static void
add_sources(void *context, const DebyePoissonSources *sources, bool are_proxies)
{
  (void)are_proxies;
  Place *place = context;
  for (size_t i = 0; i < sources->n; i++) {
    const double dx = place->at.x - sources->x[i], dy = place->at.y - sources->y[i],
                 dz = place->at.z - sources->z[i];
    const double distance = sqrt(dx * dx + dy * dy + dz * dz), part = sources->charge[i] / distance;
    place->sum += place->kappa > 0.0 ? part * exp(-place->kappa * distance) : part;
  }
}

static double
sum_at(const Boundary *boundary, const size_t at[3])
{
  static const double apart[3] = {0.0, 0.0, 0.0};
  const DebyeSurfaceGrid *grid = &boundary->medium->grid;
  Place place = {.at = {grid->origin.x + (double)at[0] * grid->step[0],
                        grid->origin.y + (double)at[1] * grid->step[1],
                        grid->origin.z + (double)at[2] * grid->step[2]},
                 .kappa = boundary->kappa};
  debye_poisson_tree_visit(&boundary->tree, place.at, apart, add_sources, &place);
  return boundary->medium->length / boundary->medium->solvent * place.sum;
}

/* One line of a side's lattice along u. */
static void
sum_line(const Boundary *boundary, const Side *side, size_t v)
{
  const DebyeSurfaceGrid *grid = &boundary->medium->grid;
  for (size_t u = 0; u < grid->shape[side->u]; u += side->stride[0]) {
    size_t at[3];
    at[side->u] = u;
    at[side->v] = v;
    at[side->normal] = side->plane;
    const double sum = sum_at(boundary, at);
    /* At an edge another thread may write the same number at the same time. */
    __atomic_store(&boundary->potential[index_of(grid, at)], &sum, __ATOMIC_RELAXED);
  }
}

/* Lagrange's cubic through points 0, 1, 2, 3 at t. */
static double
cubic(const double values[4], double t)
{
  return -values[0] * (t - 1.0) * (t - 2.0) * (t - 3.0) / 6.0 + values[1] * t * (t - 2.0) * (t - 3.0) / 2.0 -
         values[2] * t * (t - 1.0) * (t - 3.0) / 2.0 + values[3] * t * (t - 1.0) * (t - 2.0) / 6.0;
}

/* Fills the line `first`, step, 2·step, … of so many points between those that are there, each STRIDE one. */
static void
fill_line(double *first, size_t step, size_t n)
{
  const size_t last = (n - 1) / STRIDE;
  for (size_t i = 0; i < n; i++) {
    if (i % STRIDE == 0)
      continue;
    const size_t cell = i / STRIDE, begin = cell == 0 ? 0 : cell + 2 > last ? last - 3 : cell - 1;
    double values[4];
    for (size_t k = 0; k < 4; k++)
      values[k] = first[(begin + k) * STRIDE * step];
    first[i * step] = cubic(values, (double)i / (double)STRIDE - (double)begin);
  }
}

static size_t
step_along(const DebyeSurfaceGrid *grid, int axis)
{
  return axis == 0 ? 1 : axis == 1 ? grid->shape[0] : grid->shape[0] * grid->shape[1];
}

static void
fill_side(const Boundary *boundary, const Side *side)
{
  const DebyeSurfaceGrid *grid = &boundary->medium->grid;
  const size_t step_u = step_along(grid, side->u), step_v = step_along(grid, side->v);
  double *corner = boundary->potential + side->plane * step_along(grid, side->normal);
  for (size_t v = 0; v < grid->shape[side->v] && side->stride[0] > 1; v += side->stride[1])
    fill_line(corner + v * step_v, step_u, grid->shape[side->u]);
  for (size_t u = 0; u < grid->shape[side->u] && side->stride[1] > 1; u++)
    fill_line(corner + u * step_u, step_v, grid->shape[side->v]);
}

/* Lines of all sides, one side after the other; edges of the grid belong to two sides and are summed for each. */
static void
sum_chunk(void *context, size_t chunk)
{
  const Boundary *boundary = context;
  const DebyeSurfaceGrid *grid = &boundary->medium->grid;
  for (size_t number = 0; number < 6; number++) {
    const Side side = side_of(grid, number);
    const size_t lines = (grid->shape[side.v] - 1) / side.stride[1] + 1;
    if (chunk < lines) {
      sum_line(boundary, &side, chunk * side.stride[1]);
      return;
    }
    chunk -= lines;
  }
}

static bool
plant_tree(Boundary *boundary, const DebyeSpheres *spheres, const float *charges)
{
  double *seen = malloc((spheres->n + 1) * sizeof *seen);
  for (size_t i = 0; i < spheres->n && seen != NULL; i++) {
    const double screened = boundary->kappa * (double)spheres->radius[i];
    seen[i] = (double)charges[i] * exp(screened) / (1.0 + screened);
  }
  const bool good = seen != NULL && debye_poisson_tree_init(&boundary->tree, &tree_settings, spheres, seen);
  free(seen);
  return good;
}

DebyeStatusCode
debye_poisson_medium_set_boundary(const DebyePoissonMedium *medium, const DebyeSpheres *spheres,
                                  const float *charges, double *potential, DebyeStatus *status)
{
  Boundary boundary = {.medium = medium, .potential = potential};
  size_t lines = 0;
  boundary.kappa = sqrt(medium->screening / medium->solvent);
  if (!plant_tree(&boundary, spheres, charges))
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory for the boundary's potential of %zu charges.", spheres->n);
  for (size_t number = 0; number < 6; number++) {
    const Side side = side_of(&medium->grid, number);
    lines += (medium->grid.shape[side.v] - 1) / side.stride[1] + 1;
  }
  debye_chunk_threads_run(lines, sum_chunk, &boundary);
  for (size_t number = 0; number < 6; number++) {
    const Side side = side_of(&medium->grid, number);
    fill_side(&boundary, &side);
  }
  debye_poisson_tree_clear(&boundary.tree);
  return debye_status_ok(status);
}
