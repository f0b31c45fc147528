/* SPDX-License-Identifier: MIT */
/* The units of the potential. */
#pragma once

#include "common_settings.h"

G_BEGIN_DECLS

/* What 1 e/Å is in `unit` at `temperature` (K). */
double debye_potential_unit_factor(DebyePotentialUnit unit, double temperature);
/* As the setting “unit” names it. */
const char *debye_potential_unit_name(DebyePotentialUnit unit);

G_END_DECLS
