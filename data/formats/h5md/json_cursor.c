/* SPDX-License-Identifier: MIT */
/* Reads JSON in one pass for format_mdtraj.c. There is no recursion: depth is counted, and what is skipped
 * is skipped by its brackets. */
#include "json_cursor.h"

#include <string.h>

#include "data/files/input.h"
#include "data/messages/message.h"

void
debye_json_cursor_init(DebyeJsonCursor *reader, const char *text, gsize length)
{
  *reader = (DebyeJsonCursor){.begin = text, .at = text, .end = text + length};
}

static gboolean
fail(DebyeJsonCursor *reader, const char *expected)
{
  if (reader->expected == NULL)
    reader->expected = expected;
  return FALSE;
}

char
debye_json_cursor_peek(DebyeJsonCursor *reader)
{
  if (reader->expected != NULL)
    return '\0';
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != '\0')
    reader->at++;
  return reader->at < reader->end ? *reader->at : '\0';
}

static gboolean
take(DebyeJsonCursor *reader, char c, const char *expected)
{
  if (debye_json_cursor_peek(reader) != c)
    return fail(reader, expected);
  reader->at++;
  return TRUE;
}

static gboolean
enter(DebyeJsonCursor *reader, char bracket, const char *expected)
{
  if (reader->depth == DEBYE_JSON_CURSOR_MAX_DEPTH - 1)
    return fail(reader, "at most 64 levels of objects and arrays");
  if (!take(reader, bracket, expected))
    return FALSE;
  reader->depth++;
  reader->has_items &= ~(G_GUINT64_CONSTANT(1) << reader->depth);
  return TRUE;
}

/* TRUE where an item follows. */
static gboolean
continue_with(DebyeJsonCursor *reader, char closing, const char *expected)
{
  guint64 bit = G_GUINT64_CONSTANT(1) << reader->depth;
  if (reader->depth == 0)
    return fail(reader, expected);
  if (debye_json_cursor_peek(reader) == closing) {
    reader->at++;
    reader->depth--;
    return FALSE;
  }
  if ((reader->has_items & bit) != 0 && !take(reader, ',', expected))
    return FALSE;
  reader->has_items |= bit;
  return reader->expected == NULL;
}

gboolean
debye_json_cursor_begin_object(DebyeJsonCursor *reader)
{
  return enter(reader, '{', "an object");
}

gboolean
debye_json_cursor_next_member(DebyeJsonCursor *reader, GString *name)
{
  return continue_with(reader, '}', "“,” or “}”") && debye_json_cursor_read_string(reader, name) &&
         take(reader, ':', "“:”");
}

gboolean
debye_json_cursor_begin_array(DebyeJsonCursor *reader)
{
  return enter(reader, '[', "an array");
}

gboolean
debye_json_cursor_next_element(DebyeJsonCursor *reader)
{
  return continue_with(reader, ']', "“,” or “]”");
}

static gboolean
read_code_unit(DebyeJsonCursor *reader, gunichar *unit)
{
  *unit = 0;
  for (int i = 0; i < 4; i++, reader->at++) {
    int digit = reader->at < reader->end ? g_ascii_xdigit_value(*reader->at) : -1;
    if (digit < 0)
      return fail(reader, "four hexadecimal digits");
    *unit = 16 * *unit + (gunichar)digit;
  }
  return TRUE;
}

/* Behind \u: characters beyond the first plane are two units. */
static gboolean
append_code_point(DebyeJsonCursor *reader, GString *text)
{
  gunichar unit, low;
  if (!read_code_unit(reader, &unit))
    return FALSE;
  gboolean is_high = unit >= 0xd800 && unit < 0xdc00;
  if (is_high && reader->end - reader->at >= 6 && reader->at[0] == '\\' && reader->at[1] == 'u') {
    reader->at += 2;
    if (!read_code_unit(reader, &low))
      return FALSE;
    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }
  g_string_append_unichar(text, g_unichar_validate(unit) && unit != 0 ? unit : 0xfffd);
  return TRUE;
}

static gboolean
append_escape(DebyeJsonCursor *reader, GString *text)
{
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (reader->at == reader->end)
    return fail(reader, "a character behind “\\”");
  char c = *reader->at++;
  if (c == 'u')
    return append_code_point(reader, text);
  const char *found = c != '\0' ? strchr(names, c) : NULL;
  if (found == NULL)
    return fail(reader, "an escape of JSON");
  g_string_append_c(text, values[found - names]);
  return TRUE;
}

gboolean
debye_json_cursor_read_string(DebyeJsonCursor *reader, GString *text)
{
  g_string_truncate(text, 0);
  if (!take(reader, '"', N_("a string")))
    return FALSE;
  for (;;) {
    const char *plain = reader->at;
    while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\')
      reader->at++;
    g_string_append_len(text, plain, reader->at - plain);
    if (reader->at == reader->end)
      return fail(reader, "the end of a string");
    if (*reader->at++ == '"')
      return TRUE;
    if (!append_escape(reader, text))
      return FALSE;
  }
}

gboolean
debye_json_cursor_read_number(DebyeJsonCursor *reader, double *value)
{
  char c = debye_json_cursor_peek(reader);
  const char *begin = reader->at, *end = begin;
  if (c != '-' && !g_ascii_isdigit(c))
    return fail(reader, "a number");
  while (end < reader->end && (g_ascii_isalnum(*end) || strchr("+-.", *end) != NULL) && *end != '\0')
    end++;
  if (!debye_text_to_double(begin, (gsize)(end - begin), value))
    return fail(reader, "a number");
  reader->at = end;
  return TRUE;
}

static gboolean
skip_string(DebyeJsonCursor *reader)
{
  for (reader->at++; reader->at < reader->end && *reader->at != '"'; reader->at++)
    if (*reader->at == '\\' && reader->at + 1 < reader->end)
      reader->at++;
  if (reader->at == reader->end)
    return fail(reader, "the end of a string");
  reader->at++;
  return TRUE;
}

gboolean
debye_json_cursor_skip(DebyeJsonCursor *reader)
{
  gsize depth = 0;
  do {
    char c = debye_json_cursor_peek(reader);
    if (c == '\0')
      return fail(reader, "a value");
    if (c == '"') {
      if (!skip_string(reader))
        return FALSE;
      continue;
    }
    if (depth == 0 && strchr("]},:", c) != NULL)
      return fail(reader, "a value");
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
    gboolean is_word = g_ascii_isalnum(c) || c == '-';
    do
      reader->at++;
    while (is_word && reader->at < reader->end &&
           (g_ascii_isalnum(*reader->at) || strchr("+-.", *reader->at) != NULL) && *reader->at != '\0');
  } while (depth > 0);
  return TRUE;
}

char *
debye_json_cursor_describe_mistake(const DebyeJsonCursor *reader)
{
  if (reader->expected == NULL)
    return NULL;
  return debye_message_new("byte %" G_GSIZE_FORMAT ": expected %s", (gsize)(reader->at - reader->begin),
                           reader->expected);
}
