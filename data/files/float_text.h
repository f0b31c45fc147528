/* SPDX-License-Identifier: MIT */
/* Numbers as text and back, fast: a map of 256³ values is 16 million of them. A dot in every locale. */
#pragma once

#include <glib.h>

#define DEBYE_FLOAT_TEXT_SIZE 32

/* The shortest text that reads back as the same float, at most nine digits, as %g would set it. Returns its
 * length; a NUL follows. */
gsize debye_float_to_text(float value, char text[DEBYE_FLOAT_TEXT_SIZE]);
/* As %.5E: what cube files are made of. */
gsize debye_float_to_exponent_text(float value, char text[DEBYE_FLOAT_TEXT_SIZE]);
/* The shortest text that reads back as the same double. */
gsize debye_double_to_text(double value, char text[DEBYE_FLOAT_TEXT_SIZE]);
/* The decimal number of a few digits that is meant by a value that steps of an axis add up to: 0.12 of 0.1 + 2 · 0.01, which
 * is 0.12000000000000001. Off by less than one part in 10¹⁴; 1/3, which needs all its digits, stays as it is. */
double debye_double_to_decimal(double value);
/* The whole text must be one number; NaN and infinities are numbers, and what is beyond float becomes
 * infinite. */
gboolean debye_float_from_text(const char *text, gsize length, float *value);
