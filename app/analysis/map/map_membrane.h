/* SPDX-License-Identifier: MIT */
/* The membrane of `map --membrane` and its voltage; used by map_solvent.c and map_notes.c. */
#pragma once

#include "map_settings.h"

/* The setting's text, whose voltage and pore's axis are left 0. FALSE: it isn't "z0,z1,eps[,head thickness,head
 * eps][,pore radius]" of a slab that can be. */
gboolean debye_map_membrane_read(const char *text, DebyePoissonMembrane *slab);

/* Fills settings->slab from the texts but for the pore's axis. FALSE with the reason: it isn't "z0,z1,eps[,head
 * thickness,head eps][,pore radius]", or there is a voltage and no membrane. *key names the setting that is its cause. */
gboolean debye_map_membrane_settle(DebyeMapSettings *settings, const char **key, GError **error);
/* Where everything repeats: FALSE with the reason if the membrane or its pore, whose axis
 * is known, crosses the end of the cell; *key as above. */
gboolean debye_map_membrane_check_cell(const DebyeMapSettings *settings, const bool periodic[3],
                                       const DebyeGrid *grid, const char **key, GError **error);
/* Message, to be freed; NULL where there is none. */
char *debye_map_membrane_describe(const DebyeMapSettings *settings);
