/* SPDX-License-Identifier: MIT */
/* Finds the units of a data file or dump, among the systems of LAMMPS' manual, page "units", with the
 * constants of CODATA 2018. */
#include "lammps_units.h"

#include <math.h>
#include <string.h>

#define COULOMB (1.0 / 1.602176634e-19)     /* e */
#define STATCOULOMB (1.0 / 4.803204712e-10) /* e */
#define KILOGRAM (1.0 / 1.66053906660e-27)  /* u */
#define BOHR 0.529177210903                 /* Å */
#define ATOMIC_TIME 1.03275e-3              /* ps; the manual's own number for the unit of velocity */

static const DebyeLammpsUnits systems[] = {
    {"real", .length = 1.0, .time = 1e-3, .velocity = 1e3, .charge = 1.0, .mass = 1.0},
    {"metal", .length = 1.0, .time = 1.0, .velocity = 1.0, .charge = 1.0, .mass = 1.0},
    {"lj", .length = 1.0, .time = NAN, .velocity = NAN, .charge = 1.0, .mass = NAN},
    {"si", .length = 1e10, .time = 1e12, .velocity = 1e-2, .charge = COULOMB, .mass = KILOGRAM},
    {"cgs", .length = 1e8, .time = 1e12, .velocity = 1e-4, .charge = STATCOULOMB, .mass = 1e-3 * KILOGRAM},
    {"electron", .length = BOHR, .time = 1e-3, .velocity = BOHR / ATOMIC_TIME, .charge = 1.0, .mass = 1.0},
    {"micro", .length = 1e4, .time = 1e6, .velocity = 1e-2, .charge = 1e-12 * COULOMB,
     .mass = 1e-15 * KILOGRAM},
    {"nano", .length = 1e1, .time = 1e3, .velocity = 1e-2, .charge = 1.0, .mass = 1e-21 * KILOGRAM},
};

const DebyeLammpsUnits *
debye_lammps_units_get(const char *name, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS(systems); i++)
    if (strlen(systems[i].name) == length && memcmp(systems[i].name, name, length) == 0)
      return &systems[i];
  return NULL;
}

const DebyeLammpsUnits *
debye_lammps_units_get_default(void)
{
  return &systems[0];
}
