/* SPDX-License-Identifier: MIT */
/* Factors of the potential's units, by CODATA 2018; called by map_plan.c. */
#include "potential_unit.h"

#include <math.h>

#define COULOMB_CONSTANT 14.3996454784255    /* e²/(4πε₀), eV·Å */
#define BOLTZMANN_CONSTANT 8.617333262145e-5 /* eV/K */
#define KCAL_PER_MOL_PER_EV 23.0605478306    /* e·N_A / 4184 J */

double
debye_potential_unit_factor(DebyePotentialUnit unit, double temperature)
{
  switch (unit) {
  case DEBYE_POTENTIAL_UNIT_KT:
    return COULOMB_CONSTANT / (BOLTZMANN_CONSTANT * temperature);
  case DEBYE_POTENTIAL_UNIT_VOLT:
    return COULOMB_CONSTANT;
  case DEBYE_POTENTIAL_UNIT_MILLIVOLT:
    return COULOMB_CONSTANT * 1000.0;
  case DEBYE_POTENTIAL_UNIT_KCAL:
    return COULOMB_CONSTANT * KCAL_PER_MOL_PER_EV;
  case DEBYE_POTENTIAL_UNIT_CHARGE:
    return 1.0;
  }
  return NAN;
}

const char *
debye_potential_unit_name(DebyePotentialUnit unit)
{
  static const char *const names[] = {"kT/e", "V", "mV", "kcal/mol/e", "e/A"};
  return names[unit];
}
