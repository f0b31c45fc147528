/* SPDX-License-Identifier: MIT */
/* JSON, see json_writer.h. */
#include "json_writer.h"

#include <math.h>
#include <stdio.h>

void
debye_json_init(DebyeJson *json)
{
  *json = (DebyeJson){.text = g_string_new(NULL)};
}

void
debye_json_clear(DebyeJson *json)
{
  if (json->text != NULL)
    g_string_free(json->text, TRUE);
  *json = (DebyeJson){0};
}

static void
append_quoted(GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid(value, -1);
  g_string_append_c(text, '"');
  for (const char *c = valid; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_printf(text, "\\%c", *c);
    else if ((guchar)*c < 0x20)
      g_string_append_printf(text, "\\u%04x", (guint)(guchar)*c);
    else
      g_string_append_c(text, *c);
  }
  g_string_append_c(text, '"');
}

static void
begin_value(DebyeJson *json, const char *key)
{
  if (json->needs_comma)
    g_string_append(json->text, ", ");
  if (key != NULL) {
    append_quoted(json->text, key);
    g_string_append(json->text, ": ");
  }
  json->needs_comma = TRUE;
}

void
debye_json_open(DebyeJson *json, const char *key, char bracket)
{
  begin_value(json, key);
  g_string_append_c(json->text, bracket);
  json->needs_comma = FALSE;
}

void
debye_json_close(DebyeJson *json, char bracket)
{
  g_string_append_c(json->text, bracket);
  json->needs_comma = TRUE;
}

void
debye_json_string(DebyeJson *json, const char *key, const char *value)
{
  begin_value(json, key);
  if (value != NULL)
    append_quoted(json->text, value);
  else
    g_string_append(json->text, "null");
}

void
debye_json_null(DebyeJson *json, const char *key)
{
  debye_json_string(json, key, NULL);
}

void
debye_json_number(DebyeJson *json, const char *key, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isfinite(value)) {
    debye_json_null(json, key);
    return;
  }
  begin_value(json, key);
  g_ascii_formatd(buffer, sizeof buffer, "%.15g", value);
  if (g_ascii_strtod(buffer, NULL) != value)
    g_ascii_dtostr(buffer, sizeof buffer, value);
  g_string_append(json->text, buffer);
}

void
debye_json_integer(DebyeJson *json, const char *key, gint64 value)
{
  begin_value(json, key);
  g_string_append_printf(json->text, "%" G_GINT64_FORMAT, value);
}

void
debye_json_boolean(DebyeJson *json, const char *key, gboolean value)
{
  begin_value(json, key);
  g_string_append(json->text, value ? "true" : "false");
}

void
debye_json_strings(DebyeJson *json, const char *key, const char *const *values)
{
  debye_json_open(json, key, '[');
  for (; values != NULL && *values != NULL; values++)
    debye_json_string(json, NULL, *values);
  debye_json_close(json, ']');
}

void
debye_json_print(DebyeJson *json)
{
  fputs(json->text->str, stdout);
  fputc('\n', stdout);
}
