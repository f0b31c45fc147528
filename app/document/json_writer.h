/* SPDX-License-Identifier: MIT */
/* JSON, piece by piece into a text. Numbers have a dot in every locale and as many digits as they need; NaN
 * and infinity, which JSON lacks, are null. */
#pragma once

#include <glib.h>

typedef struct {
  GString *text;
  gboolean needs_comma;
} DebyeJson;

/* Begins the outermost object. */
DebyeJson debye_json_begin(void);
void debye_json_clear(DebyeJson *json);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeJson, debye_json_clear)

/* `key` NULL inside an array. */
void debye_json_open(DebyeJson *json, const char *key, char bracket);        /* '{' or '[' */
void debye_json_close(DebyeJson *json, char bracket);                        /* '}' or ']' */
void debye_json_string(DebyeJson *json, const char *key, const char *value); /* NULL: null */
void debye_json_number(DebyeJson *json, const char *key, double value);
void debye_json_integer(DebyeJson *json, const char *key, gint64 value);
void debye_json_boolean(DebyeJson *json, const char *key, gboolean value);
void debye_json_null(DebyeJson *json, const char *key);
void debye_json_strings(DebyeJson *json, const char *key, const char *const *values);
/* Of the kinds that json_reader.h gives. */
void debye_json_value(DebyeJson *json, const char *key, GVariant *value);
/* Ends the outermost object and writes it to standard output, with a newline. */
void debye_json_print(DebyeJson *json);
/* Of such a kind alone. */
char *debye_json_from_value(GVariant *value);
