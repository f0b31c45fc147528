/* SPDX-License-Identifier: MIT */
/* Text files of three numbers a row: points, vectors of q. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

/* Rows of three finite numbers; what stands behind # is a comment. `names` are those of the numbers, for errors.
 * (element-type DebyeVec3) */
GArray *debye_vector_rows_read(const char *path, const char *const names[3], GError **error);
