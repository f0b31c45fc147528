/* SPDX-License-Identifier: MIT */
/* Maps of permittivity, ions and charges that are given to the Poisson-Boltzmann equation in place of what atoms make, or
 * written of it, with APBS's conventions; used by the plan of maps, map_equation.c and map_poisson.c.
 *
 * The three maps of permittivity are shifted: that of x has its points half a step further along x,
 * between the grid's points. One map alone has them on the grid's points, and an edge has the
 * harmonic mean of its ends. Ions are κ̄²λ in Å⁻², charges e/Å³. */
#pragma once

#include "data/geometry.h"
#include "kernels/poisson/poisson_medium.h"
#include "map_settings.h"

typedef struct DebyeMapGiven DebyeMapGiven;

/* Reads the maps that settings name; *given is NULL where they name none. FALSE with an error: a file, values that are
 * none, grids that don't fit each other or the settings. *key names the setting that is its cause. */
gboolean debye_map_given_read(const DebyeMapSettings *settings, DebyeMapGiven **given, const char **key,
                              GError **error);
void debye_map_given_free(DebyeMapGiven *self);
const DebyeGrid *debye_map_given_get_grid(const DebyeMapGiven *self);
/* Borrowed; none of NULL. */
DebyePoissonMaps debye_map_given_get_maps(const DebyeMapGiven *self);

/* FALSE with the reason where the name isn't that of a CSV file for a table, it is a
 * folder, or its folder isn't there or may not be written. */
gboolean debye_map_written_check_table(const char *path, GError **error);
/* FALSE with the reason where there is no folder for files of that name, or it may not be written. */
gboolean debye_map_written_check(const char *name, GError **error);
/* The files' names; free with g_strfreev. */
char **debye_map_written_list(const char *name);
/* NAME-dielx.dx, -diely.dx, -dielz.dx, -ions.dx and -charge.dx. */
gboolean debye_map_written_save(const DebyePoissonMedium *medium, const DebyePoissonEquation *equation,
                                const char *name, GError **error);
