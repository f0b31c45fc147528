/* SPDX-License-Identifier: MIT */
/* What a row of numbers measures: what it is called in files, how it is printed, and in which unit. */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;  /* heads columns and names data sets: "r", "q", "g", "intensity" */
  const char *label; /* as it is printed: "g(r)", "I(q)"; NULL: the name */
  const char *unit;  /* as it is printed: "Å", "Å⁻¹", "cm⁻¹"; NULL or "": a pure number */
} DebyeQuantity;

/* An owned copy, with nothing NULL, and its end. Texts are made valid UTF-8. */
void debye_quantity_copy(const DebyeQuantity *from, DebyeQuantity *to);
void debye_quantity_clear(DebyeQuantity *quantity);
/* "g(r)", or "r (Å)" where there is a unit: heads an axis. Free with g_free. */
char *debye_quantity_get_title(const DebyeQuantity *quantity);

/* The one spelling of a unit of length, of its inverse or of time that a program or a hand may have written:
 * "1/A", "A^-1", "Ang-1" give "Å⁻¹". Others come back as they are. Free with g_free. */
char *debye_unit_canonical(const char *unit);
/* Whether it is one of those, in any spelling. */
gboolean debye_unit_is_known(const char *unit);
/* What values in `from` are to be multiplied with to be in `to`: 0.1 from "nm⁻¹" to "Å⁻¹". FALSE where the
 * units measure different things or aren't known. */
gboolean debye_unit_get_factor(const char *from, const char *to, double *factor);
