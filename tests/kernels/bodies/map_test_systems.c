/* SPDX-License-Identifier: MIT */
/* Cells, grids and charges. */
#include "map_test_systems.h"

DebyeCell
debye_cubic_cell(double edge)
{
  return (DebyeCell){{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
}

DebyeGrid
debye_cell_grid(const DebyeCell *cell, size_t n, double shift)
{
  DebyeGrid grid = {.step = {debye_vec3_scale(cell->a, 1.0 / (double)n),
                             debye_vec3_scale(cell->b, 1.0 / (double)n),
                             debye_vec3_scale(cell->c, 1.0 / (double)n)},
                    .shape = {n, n, n}};
  grid.origin = debye_grid_point(&grid, shift, shift, shift);
  return grid;
}

static void
put_atom(DebyeRandomSystem *system, size_t i, DebyeVec3 at, double charge)
{
  system->x[i] = (float)at.x;
  system->y[i] = (float)at.y;
  system->z[i] = (float)at.z;
  system->charge[i] = (float)charge;
}

static DebyeVec3
in_cell(const DebyeCell *cell, double a, double b, double c)
{
  return debye_vec3_add(debye_vec3_scale(cell->a, a),
                        debye_vec3_add(debye_vec3_scale(cell->b, b), debye_vec3_scale(cell->c, c)));
}

static DebyeRandomSystem
unit_system(size_t n, unsigned seed)
{
  return debye_random_system_new(n, debye_vec3(0.0, 0.0, 0.0), debye_vec3(1.0, 1.0, 1.0), seed);
}

DebyeRandomSystem
debye_random_in_cell(const DebyeCell *cell, size_t n, unsigned seed)
{
  DebyeRandomSystem system = unit_system(n, seed);
  for (size_t i = 0; i < n; i++)
    put_atom(&system, i, in_cell(cell, (double)system.x[i], (double)system.y[i], (double)system.z[i]),
             (double)system.charge[i]);
  return system;
}

static DebyeVec3
random_direction(unsigned *state)
{
  for (;;) {
    const DebyeVec3 v = {2.0 * debye_random(state) - 1.0, 2.0 * debye_random(state) - 1.0,
                         2.0 * debye_random(state) - 1.0};
    const double length = debye_vec3_length(v);
    if (length > 0.1 && length < 1.0)
      return debye_vec3_scale(v, 1.0 / length);
  }
}

/* Oxygen at `centre`, the hydrogens in any direction from it. */
static void
put_water(DebyeRandomSystem *system, size_t first, DebyeVec3 centre, unsigned *state)
{
  const DebyeVec3 u = random_direction(state), w = random_direction(state);
  DebyeVec3 v = debye_vec3_subtract(w, debye_vec3_scale(u, debye_vec3_dot(u, w)));
  v = debye_vec3_scale(v, 1.0 / debye_vec3_length(v));
  put_atom(system, first, centre, -0.834);
  for (size_t h = 0; h < 2; h++) {
    const DebyeVec3 bond =
        debye_vec3_add(debye_vec3_scale(u, 0.5859), debye_vec3_scale(v, h == 0 ? 0.7570 : -0.7570));
    put_atom(system, first + 1 + h, debye_vec3_add(centre, bond), 0.417);
  }
}

DebyeRandomSystem
debye_water_in_cell(const DebyeCell *cell, size_t n, unsigned seed)
{
  unsigned state = seed;
  DebyeRandomSystem system = unit_system(3 * n * n * n, seed);
  for (size_t i = 0; i < n * n * n; i++) {
    const double a = ((double)(i % n) + 0.3 * debye_random(&state)) / (double)n;
    const double b = ((double)(i / n % n) + 0.3 * debye_random(&state)) / (double)n;
    const double c = ((double)(i / n / n) + 0.3 * debye_random(&state)) / (double)n;
    put_water(&system, 3 * i, in_cell(cell, a, b, c), &state);
  }
  return system;
}

DebyeRandomSystem
debye_protein_like(size_t n, unsigned seed)
{
  const double spacing = 2.1, radius = spacing * cbrt((double)n * 3.0 / (4.0 * 3.14159265358979)) + 1.0;
  const int reach = (int)(radius / spacing) + 1;
  unsigned state = seed;
  DebyeRandomSystem system = unit_system(n, seed);
  size_t i = 0;
  double left = 0.0;
  for (int z = -reach; z <= reach; z++)
    for (int y = -reach; y <= reach; y++)
      for (int x = -reach; x <= reach && i < n; x++) {
        const DebyeVec3 r =
            debye_vec3(spacing * (x + 0.4 * debye_random(&state)), spacing * (y + 0.4 * debye_random(&state)),
                       spacing * (z + 0.4 * debye_random(&state)));
        if (debye_vec3_length(r) > radius)
          continue;
        const double charge = i % 5 == 4 ? left : 1.2 * debye_random(&state) - 0.6;
        left = i % 5 == 4 ? 0.0 : left - charge;
        put_atom(&system, i, r, charge + (i % 83 == 7 ? (i % 2 == 0 ? 1.0 : -1.0) : 0.0));
        i++;
      }
  system.charges.n = i;
  return system;
}

const DebyeIonCrystal debye_rock_salt = {
    .x = {0.25f, 3.0f, 0.25f, 3.0f, 0.25f, 3.0f, 0.25f, 3.0f},
    .y = {1.125f, 1.125f, 3.875f, 3.875f, 1.125f, 1.125f, 3.875f, 3.875f},
    .z = {-3.0f, -3.0f, -3.0f, -3.0f, -0.25f, -0.25f, -0.25f, -0.25f},
    .charge = {1.0f, -1.0f, -1.0f, 1.0f, -1.0f, 1.0f, 1.0f, -1.0f},
    .n = 8,
    .edge = 5.5,
    .nearest = 2.75,
    .madelung = 1.747564594633,
};

/* The nearest distance is 2√3. */
const DebyeIonCrystal debye_caesium_chloride = {
    .x = {0.5f, 2.5f},
    .y = {0.0f, 2.0f},
    .z = {1.0f, 3.0f},
    .charge = {-1.0f, 1.0f},
    .n = 2,
    .edge = 4.0,
    .nearest = 3.4641016151377546,
    .madelung = 1.762674773071,
};
