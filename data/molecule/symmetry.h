/* SPDX-License-Identifier: MIT */
/* Symmetry operations of a crystal on fractional coordinates, as International Tables A write them: “-x+1/2,
 * y, -z”. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

/* No space group has more general positions. */
#define DEBYE_SYMMETRY_OPERATIONS_MAXIMUM 192

typedef struct {
  double rotation[3][3];
  DebyeVec3 translation;
} DebyeSymmetryOperation;

/* FALSE where the text is no operation: not three expressions in x, y and z, or one that isn't invertible. */
gboolean debye_symmetry_parse(const char *text, gsize length, DebyeSymmetryOperation *operation);
DebyeVec3 debye_symmetry_apply(const DebyeSymmetryOperation *operation, DebyeVec3 fraction);
gboolean debye_symmetry_is_identity(const DebyeSymmetryOperation *operation);
