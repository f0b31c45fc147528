/* SPDX-License-Identifier: MIT */
/* Crystals and random atoms. */
#include "pair_systems.h"

#include <stdlib.h>

#include "oracle_potential.h"

const DebyeNamedCell debye_test_cells[] = {
    {"cube", {{20.0, 0.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 20.0}}},
    {"upright", {{31.0, 0.0, 0.0}, {0.0, 14.5, 0.0}, {0.0, 0.0, 22.25}}},
    {"hexagonal", {{18.0, 0.0, 0.0}, {-9.0, 15.588457268119894, 0.0}, {0.0, 0.0, 25.0}}},
    {"truncated octahedron", {{24.0, 0.0, 0.0}, {8.0, 22.627417, 0.0}, {-8.0, 11.3137085, 19.5959179}}},
    {"turned and left-handed", {{3.0, 17.0, -4.0}, {16.0, -2.0, 6.0}, {5.0, 3.0, -21.0}}},
    {"shape matrix", {{30.84, 14.58, 9.63}, {14.58, 31.78, -2.61}, {9.63, -2.61, 32.67}}},
    {"very skew", {{20.0, 0.0, 0.0}, {57.0, 18.0, 0.0}, {-133.0, 71.0, 19.0}}},
    {"flat", {{40.0, 0.0, 0.0}, {13.0, 38.0, 0.0}, {3.0, -2.0, 6.5}}},
};
const size_t debye_n_test_cells = sizeof debye_test_cells / sizeof debye_test_cells[0];

static DebyePairSystem
system_new(size_t n)
{
  size_t room = n > 0 ? n : 1;
  DebyePairSystem system = {.x = calloc(room, sizeof(float)),
                            .y = calloc(room, sizeof(float)),
                            .z = calloc(room, sizeof(float)),
                            .group = calloc(room, sizeof(uint32_t))};
  if (system.x == NULL || system.y == NULL || system.z == NULL || system.group == NULL)
    abort();
  system.frame = (DebyePairFrame){.x = system.x, .y = system.y, .z = system.z, .group = system.group, .n = n};
  return system;
}

static DebyePairSystem
crystal(double a, size_t repeats, const double (*basis)[3], size_t n_basis)
{
  DebyePairSystem system = system_new(n_basis * repeats * repeats * repeats);
  double edge = a * (double)repeats;
  size_t at = 0;
  system.cell = (DebyeCell){{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}};
  for (size_t cell = 0; cell < repeats * repeats * repeats; cell++)
    for (size_t k = 0; k < n_basis; k++, at++) {
      system.x[at] = (float)(a * ((double)(cell % repeats) + basis[k][0]));
      system.y[at] = (float)(a * ((double)(cell / repeats % repeats) + basis[k][1]));
      system.z[at] = (float)(a * ((double)(cell / repeats / repeats) + basis[k][2]));
    }
  return system;
}

DebyePairSystem
debye_pair_fcc(double a, size_t repeats)
{
  static const double basis[][3] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};
  return crystal(a, repeats, basis, 4);
}

DebyePairSystem
debye_pair_bcc(double a, size_t repeats)
{
  static const double basis[][3] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}};
  return crystal(a, repeats, basis, 2);
}

DebyePairSystem
debye_pair_random(size_t n, const DebyeCell *cell, size_t n_groups, double offset, unsigned seed)
{
  static const DebyeCell cube = {{20.0, 0.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 20.0}};
  DebyePairSystem system = system_new(n);
  system.cell = cell != NULL ? *cell : cube;
  for (size_t i = 0; i < n; i++) {
    double f[3];
    for (int k = 0; k < 3; k++) {
      f[k] = debye_random(&seed);
      if (offset != 0.0 && cell != NULL)
        f[k] += floor(7.0 * debye_random(&seed)) - 3.0;
    }
    const DebyeCell *c = &system.cell;
    DebyeVec3 place =
        debye_vec3_add(debye_vec3_scale(c->a, f[0]),
                       debye_vec3_add(debye_vec3_scale(c->b, f[1]), debye_vec3_scale(c->c, f[2])));
    system.x[i] = (float)(place.x + offset);
    system.y[i] = (float)(place.y - offset);
    system.z[i] = (float)(place.z + 0.5 * offset);
    system.group[i] = (uint32_t)(debye_random(&seed) * (double)n_groups);
  }
  return system;
}

void
debye_pair_system_clear(DebyePairSystem *system)
{
  free(system->x);
  free(system->y);
  free(system->z);
  free(system->group);
  *system = (DebyePairSystem){0};
}

size_t
debye_all_group_pairs(size_t n_groups, DebyeGroupPair **pairs)
{
  size_t n = 0;
  *pairs = calloc(n_groups * (n_groups + 1) / 2, sizeof **pairs);
  if (*pairs == NULL)
    abort();
  for (size_t a = 0; a < n_groups; a++)
    for (size_t b = a; b < n_groups; b++)
      (*pairs)[n++] = (DebyeGroupPair){(uint32_t)b, (uint32_t)a};
  return n;
}
