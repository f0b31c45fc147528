/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259) read in one pass for MDTraj's topologies, nothing kept: the caller enters objects and arrays
 * and reads what it knows. A cursor is a value: a copy of it is a position to return to. The first mistake stays,
 * and all calls after it return FALSE.
 *
 * json-glib would keep the whole tree (1.6 GB for a million atoms) and refuses the NaN that Python writes. */
#pragma once

#include <glib.h>

#define DEBYE_JSON_CURSOR_MAX_DEPTH 64

typedef struct {
  const char *begin, *at, *end;
  const char *expected; /* NULL until there is a mistake, at `at` */
  guint depth;
  guint64 has_items; /* one bit a level */
} DebyeJsonCursor;

void debye_json_cursor_init(DebyeJsonCursor *reader, const char *text, gsize length);

/* The first character of the next value: { [ " t f n - or a digit; 0 at the end. */
char debye_json_cursor_peek(DebyeJsonCursor *reader);

gboolean debye_json_cursor_begin_object(DebyeJsonCursor *reader);
/* The next member's name; its value must then be taken or skipped. FALSE behind the last one, and the object
 * is left. */
gboolean debye_json_cursor_next_member(DebyeJsonCursor *reader, GString *name);
gboolean debye_json_cursor_begin_array(DebyeJsonCursor *reader);
/* Whether there is one more element, which must then be taken or skipped. */
gboolean debye_json_cursor_next_element(DebyeJsonCursor *reader);

gboolean debye_json_cursor_read_string(DebyeJsonCursor *reader, GString *text);
gboolean debye_json_cursor_read_number(DebyeJsonCursor *reader, double *value);
gboolean debye_json_cursor_skip(DebyeJsonCursor *reader);

/* A message, "byte 17: expected a number"; NULL: no mistake so far. */
char *debye_json_cursor_describe_mistake(const DebyeJsonCursor *reader);
