/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259) read in one pass, nothing kept: the caller enters objects and arrays and takes what it
 * knows. A reader is a value: a copy of it is a place to come back to. The first mistake stays, and all calls
 * after it return FALSE. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DEBYE_JSON_DEPTH_MAXIMUM 64

typedef struct {
  const char *begin, *at, *end;
  const char *expected; /* NULL until there is a mistake, at `at` */
  guint depth;
  guint64 has_items; /* one bit a level */
} DebyeJsonReader;

void debye_json_reader_init(DebyeJsonReader *reader, const char *text, gsize length);

/* The first character of the next value: { [ " t f n - or a digit; 0 at the end. */
char debye_json_peek(DebyeJsonReader *reader);

gboolean debye_json_begin_object(DebyeJsonReader *reader);
/* The next member's name; its value must then be taken or skipped. FALSE behind the last one, and the object
 * is left. */
gboolean debye_json_next_member(DebyeJsonReader *reader, GString *name);
gboolean debye_json_begin_array(DebyeJsonReader *reader);
/* Whether there is one more element, which must then be taken or skipped. */
gboolean debye_json_next_element(DebyeJsonReader *reader);

gboolean debye_json_read_string(DebyeJsonReader *reader, GString *text);
gboolean debye_json_read_number(DebyeJsonReader *reader, double *value);
gboolean debye_json_skip(DebyeJsonReader *reader);

/* "byte 17: expected a number"; NULL: no mistake so far. */
char *debye_json_describe_mistake(const DebyeJsonReader *reader);

G_END_DECLS
