/* SPDX-License-Identifier: MIT */
/* Factors of the potential's units, by CODATA 2018; called by map_plan.c. */
#include "analysis.h"

#include <math.h>

#define COULOMB_CONSTANT 14.3996454784255    /* e²/(4πε₀), eV·Å */
#define BOLTZMANN_CONSTANT 8.617333262145e-5 /* eV/K */
#define KCAL_PER_MOL_PER_EV 23.0605478306    /* e·N_A / 4184 J */

double
debye_potential_unit_factor(const char *unit, double temperature)
{
  if (g_strcmp0(unit, "kT/e") == 0)
    return COULOMB_CONSTANT / (BOLTZMANN_CONSTANT * temperature);
  if (g_strcmp0(unit, "V") == 0)
    return COULOMB_CONSTANT;
  if (g_strcmp0(unit, "mV") == 0)
    return COULOMB_CONSTANT * 1000.0;
  if (g_strcmp0(unit, "kcal/mol/e") == 0)
    return COULOMB_CONSTANT * KCAL_PER_MOL_PER_EV;
  if (g_strcmp0(unit, "e/A") == 0)
    return 1.0;
  return NAN;
}
