/* SPDX-License-Identifier: MIT */
/* Writes JSON; called by debye-cli and the writers of sessions. json-glib's generator is no substitute: it writes
 * 0.1 as 0.10000000000000001, and 1e+20.0, inf.0 and nan.0, which are not JSON. */
#include "json_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

DebyeJson
debye_json_begin(void)
{
  return (DebyeJson){.text = g_string_new("{")};
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

static int
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted: dictionaries have no order, and the same values shall be the same text. */
static void
write_members(DebyeJson *json, GVariant *object)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  GVariantIter iter;
  const char *name;
  g_variant_iter_init(&iter, object);
  while (g_variant_iter_next(&iter, "{&sv}", &name, NULL))
    g_ptr_array_add(names, (gpointer)name);
  g_ptr_array_sort(names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autoptr(GVariant) value = g_variant_lookup_value(object, names->pdata[i], NULL);
    debye_json_value(json, names->pdata[i], value);
  }
}

static void
write_elements(DebyeJson *json, GVariant *array)
{
  GVariantIter iter;
  GVariant *value;
  g_variant_iter_init(&iter, array);
  while (g_variant_iter_loop(&iter, "v", &value))
    debye_json_value(json, NULL, value);
}

void
debye_json_value(DebyeJson *json, const char *key, GVariant *value)
{
  gboolean is_object = g_variant_is_of_type(value, G_VARIANT_TYPE_VARDICT);
  if (is_object || g_variant_is_of_type(value, G_VARIANT_TYPE("av"))) {
    debye_json_open(json, key, is_object ? '{' : '[');
    (is_object ? write_members : write_elements)(json, value);
    debye_json_close(json, is_object ? '}' : ']');
  } else if (g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) {
    debye_json_string(json, key, g_variant_get_string(value, NULL));
  } else if (g_variant_is_of_type(value, G_VARIANT_TYPE_INT64)) {
    debye_json_integer(json, key, g_variant_get_int64(value));
  } else if (g_variant_is_of_type(value, G_VARIANT_TYPE_DOUBLE)) {
    debye_json_number(json, key, g_variant_get_double(value));
  } else if (g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN)) {
    debye_json_boolean(json, key, g_variant_get_boolean(value));
  } else {
    debye_json_null(json, key);
  }
}

void
debye_json_print(DebyeJson *json)
{
  debye_json_close(json, '}');
  fputs(json->text->str, stdout);
  fputc('\n', stdout);
}

char *
debye_json_from_value(GVariant *value)
{
  g_auto(DebyeJson) json = {.text = g_string_new(NULL)};
  debye_json_value(&json, NULL, value);
  return g_strdup(json.text->str);
}
