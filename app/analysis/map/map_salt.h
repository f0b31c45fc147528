/* SPDX-License-Identifier: MIT */
/* The ions of a solution, of any valences, as `map --salt` lists them; used by map_solvent.c and map_equation.c. */
#pragma once

#include <glib.h>

#include "kernels/poisson/poisson.h"

typedef struct {
  guint n_ions; /* 0: none are listed */
  double valence[DEBYE_POISSON_MAX_IONS];
  double concentration[DEBYE_POISSON_MAX_IONS]; /* mol/l */
  double radius;                                /* Å, the largest: where one can't be, none is */
} DebyeMapSalt;

/* "z,M,radius" in each line; NULL is none. FALSE with the reason: a line that isn't that, too many ions, or not neutral. */
gboolean debye_map_salt_read(const char *text, DebyeMapSalt *salt, GError **error);
/* I = ½ Σ z² c, mol/l. */
double debye_map_salt_strength(const DebyeMapSalt *salt);
/* As the nonlinear equation takes it; ions ±1 where none are listed. */
DebyePoissonSalt debye_map_salt_shares(const DebyeMapSalt *salt);
