/* SPDX-License-Identifier: MIT */
/* The units of the potential, and what lies between its charges: notes, legends and forms say it, since potentials without
 * a solvent are far larger than those that surfaces are usually coloured by. */
#pragma once

#include "common_settings.h"

/* What 1 e/Å is in `unit` at `temperature` (K). */
double debye_potential_unit_factor(DebyePotentialUnit unit, double temperature);
/* As the setting “unit” names it. */
const char *debye_potential_unit_name(DebyePotentialUnit unit);

/* "no continuum solvent, ε = 1", of a request with a setting “permittivity”. Free with g_free. */
char *debye_medium_describe(double permittivity);
