/* SPDX-License-Identifier: MIT */
/* Factors of the potential's units, by CODATA 2018, and its medium in words; called by the analyses of maps and ions. */
#include "potential_unit.h"

#include <glib.h>
#include <math.h>

#include "data/messages/message.h"

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

char *
debye_medium_describe(double permittivity)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  return debye_message_new("no continuum solvent, ε = %s",
                           g_ascii_formatd(number, sizeof number, "%.6g", permittivity));
}
