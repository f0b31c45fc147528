/* SPDX-License-Identifier: MIT */
/* The slow, exact direct sum. */
#include "oracle_potential.h"

#include <stdlib.h>

#include "remembered.h"

/* In long double too: far from the origin a double has not the digits for the place of a point. */
static long double
coordinate(double origin, double a, double b, double c, size_t i, size_t j, size_t k)
{
  return (long double)origin + (long double)a * i + (long double)b * j + (long double)c * k;
}

double
debye_oracle_potential(const DebyeCharges *charges, double core_radius, const DebyeGrid *grid, size_t i,
                       size_t j, size_t k)
{
  const DebyeVec3 *step = grid->step;
  const long double x = coordinate(grid->origin.x, step[0].x, step[1].x, step[2].x, i, j, k);
  const long double y = coordinate(grid->origin.y, step[0].y, step[1].y, step[2].y, i, j, k);
  const long double z = coordinate(grid->origin.z, step[0].z, step[1].z, step[2].z, i, j, k);
  const long double core = (long double)core_radius;
  long double sum = 0.0L, rest = 0.0L;
  for (size_t atom = 0; atom < charges->n; atom++) {
    long double dx = (long double)charges->x[atom] - x;
    long double dy = (long double)charges->y[atom] - y;
    long double dz = (long double)charges->z[atom] - z;
    long double distance = sqrtl(dx * dx + dy * dy + dz * dz);
    long double term = (long double)charges->charge[atom] / (distance > core ? distance : core) - rest;
    long double next = sum + term;
    rest = (next - sum) - term;
    sum = next;
  }
  return (double)sum;
}

uint64_t
debye_oracle_key(uint64_t key, const DebyeCharges *charges, const DebyeGrid *grid)
{
  const float *const values[] = {charges->x, charges->y, charges->z, charges->charge};
  key = debye_remembered_key(key, &grid->origin, sizeof grid->origin);
  key = debye_remembered_key(key, grid->step, sizeof grid->step);
  key = debye_remembered_key(key, grid->shape, sizeof grid->shape);
  key = debye_remembered_key(key, &charges->n, sizeof charges->n);
  for (size_t i = 0; i < 4; i++)
    key = debye_remembered_key(key, values[i], charges->n * sizeof *values[i]);
  return key;
}

double
debye_oracle_error(const DebyeCharges *charges, const DebyeGrid *grid, double core_radius, const float *map,
                   const double *map_double, size_t n_samples)
{
  size_t n_points = debye_grid_n_points(grid);
  bool all = n_samples >= n_points;
  unsigned state = 20240229;
  double square_error = 0.0, square = 0.0;
  const double of[] = {core_radius, (double)n_samples};
  bool is_new;
  double *kept = debye_remembered_get(debye_oracle_key(debye_remembered_key(0, of, sizeof of), charges, grid),
                                      (all ? n_points : n_samples) * sizeof *kept, &is_new);
  for (size_t sample = 0; sample < (all ? n_points : n_samples); sample++) {
    size_t at = all ? sample : (size_t)(debye_random(&state) * (double)n_points);
    size_t i = at % grid->shape[0], j = at / grid->shape[0] % grid->shape[1],
           k = at / grid->shape[0] / grid->shape[1];
    if (is_new)
      kept[sample] = debye_oracle_potential(charges, core_radius, grid, i, j, k);
    const double exact = kept[sample];
    double error = (map_double != NULL ? map_double[at] : (double)map[at]) - exact;
    square_error += error * error;
    square += exact * exact;
  }
  if (square == 0.0)
    return square_error == 0.0 ? 0.0 : INFINITY;
  return sqrt(square_error / square);
}

double
debye_random(unsigned *state)
{
  /* Knuth's constants for 2^32, twice, because the low bits of one step are not random. */
  *state = *state * 1664525u + 1013904223u;
  unsigned high = *state >> 6;
  *state = *state * 1664525u + 1013904223u;
  return ((double)high * 67108864.0 + (double)(*state >> 6)) / 4503599627370496.0;
}

static float *
allocate(size_t n)
{
  float *values = calloc(n > 0 ? n : 1, sizeof *values);
  if (values == NULL)
    abort();
  return values;
}

DebyeRandomSystem
debye_random_system_new(size_t n, DebyeVec3 corner, DebyeVec3 box, unsigned seed)
{
  DebyeRandomSystem system = {.x = allocate(n), .y = allocate(n), .z = allocate(n), .charge = allocate(n)};
  for (size_t i = 0; i < n; i++) {
    system.x[i] = (float)(corner.x + box.x * debye_random(&seed));
    system.y[i] = (float)(corner.y + box.y * debye_random(&seed));
    system.z[i] = (float)(corner.z + box.z * debye_random(&seed));
    system.charge[i] = (float)(2.0 * debye_random(&seed) - 1.0);
  }
  system.charges = (DebyeCharges){system.x, system.y, system.z, system.charge, n};
  return system;
}

void
debye_random_system_clear(DebyeRandomSystem *system)
{
  free(system->x);
  free(system->y);
  free(system->z);
  free(system->charge);
  *system = (DebyeRandomSystem){0};
}

DebyeGrid
debye_plain_grid(DebyeVec3 origin, double step, size_t nx, size_t ny, size_t nz)
{
  return (DebyeGrid){.origin = origin,
                     .step = {{step, 0.0, 0.0}, {0.0, step, 0.0}, {0.0, 0.0, step}},
                     .shape = {nx, ny, nz}};
}
