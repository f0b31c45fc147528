/* SPDX-License-Identifier: MIT */
/* How a map is summed, as its settings say: method, boundary, accuracy. */
#pragma once

#include "data/molecule/frame.h"
#include "map_settings.h"

/* Fills all of `potential` but the grid and the number of charges. `first` gives the cell. FALSE with the
 * setting that is the cause in *key: no cell for a periodic method, a tolerance that the method
 * can't reach, a precision that can't keep it. */
gboolean debye_map_method_choose(const DebyeMapSettings *settings, const DebyeFrame *first,
                                 DebyePotentialSettings *potential, const char **key, GError **error);

/* "cutoff sum within 12 Å, smoothed, in single precision, periodic along a, b, c". To be freed. */
char *debye_map_method_describe(const DebyePotentialSettings *potential);
/* What lies between and around the charges: notes, legends and forms say it. To be freed. */
char *debye_map_method_describe_medium(const DebyeMapSettings *settings);
