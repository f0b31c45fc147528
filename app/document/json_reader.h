/* SPDX-License-Identifier: MIT */
/* JSON as RFC 8259 says, without leniency, into variants: an object is a{sv}, an array av, a whole number
 * that fits x, any other number d, a text s, true and false b, null (). */
#pragma once

#include <glib.h>

/* `name`: what errors call the text. A key that occurs twice in an object, a text with a NUL and a number
 * beyond a double are errors. (transfer full) */
GVariant *debye_json_parse(const char *text, gsize length, const char *name, GError **error);

/* --- Asking what was read --- */

/* NULL, 0 or the given default where the member is missing or of another kind. */
GVariant *debye_json_get(GVariant *object, const char *key, const GVariantType *type); /* (transfer full) */
char *debye_json_get_text(GVariant *object, const char *key);
/* Whole numbers are numbers, too. */
gboolean debye_json_get_number(GVariant *object, const char *key, double *value);
gint64 debye_json_get_integer(GVariant *object, const char *key, gint64 otherwise);
/* TRUE where it is an array of exactly so many numbers. */
gboolean debye_json_get_numbers(GVariant *object, const char *key, double *values, gsize n_values);
/* The value of a variant that is a number. */
gboolean debye_json_to_number(GVariant *variant, double *value);
