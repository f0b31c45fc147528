/* SPDX-License-Identifier: MIT */
/* The unit of length of files that don't say it, such as pos.d. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DEBYE_LENGTH_UNIT_DEFAULT "angstrom"

/* "angstrom", "nm", "pm", "bohr", or how many Å one unit is: the diameter of an atom where lengths are reduced.
 * DEBYE_ERROR_SETTING for anything else. */
gboolean debye_length_unit_parse(const char *text, double *angstrom, GError **error);

G_END_DECLS
