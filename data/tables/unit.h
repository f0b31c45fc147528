/* SPDX-License-Identifier: MIT */
/* Units as files spell them, as products of powers: "nm", "nm ps-1", "Angstrom/fs", "g mol-1". */
#pragma once

#include <glib.h>

typedef enum {
  DEBYE_UNIT_LENGTH,   /* Å */
  DEBYE_UNIT_TIME,     /* ps */
  DEBYE_UNIT_VELOCITY, /* Å/ps */
  DEBYE_UNIT_MASS,     /* u */
  DEBYE_UNIT_CHARGE,   /* e */
} DebyeUnitKind;

/* How many of Debye's units one of the text's is; FALSE where the text is no unit of that kind. */
gboolean debye_unit_get_scale(const char *text, DebyeUnitKind kind, double *scale);
