/* SPDX-License-Identifier: MIT */
/* Implementation of ball_of_atoms.h; called by tests and benchmarks of surfaces. */
#include "ball_of_atoms.h"

#include <math.h>
#include <stdlib.h>

/* Å: ten cubic ångström an atom. */
#define LATTICE 2.15
#define JITTER 0.4
#define BAND 2.5 /* steps, as render/mesh has it */

typedef struct {
  double distance2;
  int place[3];
} Site;

static int
compare_sites(const void *one, const void *other)
{
  const Site *a = one, *b = other;
  if (a->distance2 != b->distance2)
    return a->distance2 < b->distance2 ? -1 : 1;
  for (int axis = 0; axis < 3; axis++)
    if (a->place[axis] != b->place[axis])
      return a->place[axis] < b->place[axis] ? -1 : 1;
  return 0;
}

/* In [-1, 1). */
static double
next_random(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 40) / 8388608.0 - 1.0;
}

static void
place_atoms(DebyeAtomBall *ball, const Site *sites, unsigned seed)
{
  static const float radii[] = {1.7f, 1.2f, 1.55f, 1.2f, 1.52f};
  float *columns = ball->memory;
  const size_t n = ball->spheres.n;
  uint64_t state = seed;
  for (size_t i = 0; i < n; i++) {
    for (size_t axis = 0; axis < 3; axis++)
      columns[axis * n + i] = (float)(LATTICE * sites[i].place[axis] + JITTER * next_random(&state));
    columns[3 * n + i] = radii[i % 5];
  }
}

DebyeAtomBall
debye_atom_ball_new(size_t n, unsigned seed)
{
  const int half = 2 + (int)cbrt((double)n), side = 2 * half + 1;
  const size_t n_sites = (size_t)side * (size_t)side * (size_t)side;
  Site *sites = malloc(n_sites * sizeof *sites);
  float *columns = malloc((4 * n + 1) * sizeof *columns);
  DebyeAtomBall ball = {{columns, columns + n, columns + 2 * n, columns + 3 * n, n}, columns};
  if (sites == NULL || columns == NULL) {
    free(sites);
    free(columns);
    return (DebyeAtomBall){.memory = NULL};
  }
  for (size_t i = 0; i < n_sites; i++) {
    const int place[3] = {(int)(i % (size_t)side) - half, (int)(i / (size_t)side % (size_t)side) - half,
                          (int)(i / ((size_t)side * (size_t)side)) - half};
    sites[i] = (Site){(double)(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]),
                      {place[0], place[1], place[2]}};
  }
  qsort(sites, n_sites, sizeof *sites, compare_sites);
  place_atoms(&ball, sites, seed);
  free(sites);
  return ball;
}

void
debye_atom_ball_clear(DebyeAtomBall *ball)
{
  free(ball->memory);
  *ball = (DebyeAtomBall){.memory = NULL};
}

DebyeSurfaceMeshTask
debye_surface_task_about(const DebyeSpheres *spheres, DebyeSurfaceKind kind, double probe, double step)
{
  const float *const columns[3] = {spheres->x, spheres->y, spheres->z};
  double low[3] = {0.0, 0.0, 0.0}, reach = 0.0;
  DebyeSurfaceMeshTask task = {.kind = kind,
                               .spheres = *spheres,
                               .probe = probe,
                               .grid = {.step = {{step, 0, 0}, {0, step, 0}, {0, 0, step}}},
                               .band = BAND * step};
  for (size_t i = 0; i < spheres->n; i++)
    reach = fmax(reach, (double)spheres->radius[i]);
  const double rim = reach + 3.0 * step + (kind == DEBYE_SURFACE_ACCESSIBLE ? probe : 0.0);
  for (int axis = 0; axis < 3; axis++) {
    double high = 0.0;
    for (size_t i = 0; i < spheres->n; i++) {
      const double at = (double)columns[axis][i];
      low[axis] = i == 0 ? at : fmin(low[axis], at);
      high = i == 0 ? at : fmax(high, at);
    }
    task.grid.shape[axis] = (size_t)((high - low[axis] + 2.0 * rim) / step) + 2;
  }
  task.grid.origin = (DebyeVec3){low[0] - rim, low[1] - rim, low[2] - rim};
  return task;
}
