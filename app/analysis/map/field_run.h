/* SPDX-License-Identifier: MIT */
/* Results made from existing maps: differences, means over planes, values along a line. Called by the command
 * `field` and the window's page of maps. */
#pragma once

#include "data/results/result.h"

/* `request` is of debye_field_table. `subtracted`, which may be NULL, is taken off `map` before all else; its
 * points and its unit must be the same (DEBYE_ERROR_MISMATCH). The result has the curves that were asked for,
 * or, where none were, the map itself. DEBYE_ERROR_MISSING where a line has one end only, DEBYE_ERROR_VALUE
 * where it has no length or no part of it lies in the map. Inputs are the caller's to say. On any thread. */
DebyeResult *debye_field_run(DebyeRequest *request, DebyeField *map, DebyeField *subtracted, GError **error);
/* Whether the request asks for curves. */
gboolean debye_field_makes_curves(DebyeRequest *request);
