/* SPDX-License-Identifier: MIT */
/* Formats numbers, sizes and durations for people, and parses typed numbers; called throughout the window. */
#include "number_text.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#define MINUS "\u2212"

/* "-3.0" becomes "−3.0": as wide as a plus, and what the field's papers print. */
static char *
with_true_minus(const char *text)
{
  GString *result = g_string_new(text);
  g_string_replace(result, "-", MINUS, 0);
  return g_string_free(result, FALSE);
}

char *
debye_number_text(double value, int digits)
{
  if (!isfinite(value))
    return g_strdup("–");
  char format[16], text[G_ASCII_DTOSTR_BUF_SIZE];
  g_snprintf(format, sizeof format, "%%.%dg", digits);
  g_ascii_formatd(text, sizeof text, format, value);
  return with_true_minus(text);
}

char *
debye_number_sentence(double value, int digits)
{
  static const char *const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  g_autofree char *text = debye_number_text(value, digits);
  const char *e = strchr(text, 'e');
  if (e == NULL)
    return g_steal_pointer(&text);
  GString *result = g_string_new_len(text, e - text);
  g_string_append(result, "\u00a0×\u00a010");
  if (g_str_has_prefix(e + 1, MINUS))
    g_string_append(result, "⁻");
  const char *power = e + 1;
  while (*power != '\0' && !(*power >= '1' && *power <= '9'))
    power++;
  for (; *power != '\0'; power++)
    g_string_append(result, superscripts[*power - '0']);
  return g_string_free(result, FALSE);
}

gboolean
debye_number_has_decimal_comma(void)
{
  /* Translators: the decimal sign of numbers that people type, a point or a comma. */
  return g_str_equal(localeconv()->decimal_point, ",") || g_str_equal(C_("decimal sign", "."), ",");
}

char *
debye_number_with_dot(const char *text)
{
  const char *comma = strchr(text, ',');
  gboolean is_decimal = comma != NULL && strchr(comma + 1, ',') == NULL && strchr(text, '.') == NULL &&
                        debye_number_has_decimal_comma();
  char *number = g_strdup(text);
  if (is_decimal)
    number[comma - text] = '.';
  return number;
}

/* What is no number then stays as it is: "select:resname A,B". */
static void
write_with_dot(char **part)
{
  g_autofree char *dotted = debye_number_with_dot(g_strstrip(*part));
  double value;
  if (!debye_number_parse(dotted, &value))
    return;
  g_free(*part);
  *part = g_steal_pointer(&dotted);
}

char *
debye_numbers_with_dots(const char *text)
{
  const gboolean is_list = strchr(text, ';') != NULL;
  if (!is_list && strchr(text, ':') == NULL)
    return g_strdup(text);
  g_auto(GStrv) parts = g_strsplit(text, is_list ? ";" : ":", -1);
  for (char **part = parts; *part != NULL; part++)
    write_with_dot(part);
  return g_strjoinv(is_list ? "," : ":", parts);
}

gboolean
debye_number_parse(const char *text, double *value)
{
  g_autofree char *dotted = debye_number_with_dot(text);
  g_autoptr(GString) plain = g_string_new(dotted);
  g_string_replace(plain, MINUS, "-", 0);
  g_strstrip(plain->str);
  char *end = NULL;
  double number = g_ascii_strtod(plain->str, &end);
  if (end == plain->str || *end != '\0' || !isfinite(number))
    return FALSE;
  *value = number;
  return TRUE;
}

char *
debye_size_text(guint64 bytes)
{
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double size = (double)bytes;
  gsize unit = 0;
  while (size >= 999.95 && unit + 1 < G_N_ELEMENTS(units)) {
    size /= 1000.0;
    unit++;
  }
  return g_strdup_printf(
      "%s\u00a0%s", g_ascii_formatd(number, sizeof number, unit == 0 ? "%.0f" : "%.1f", size), units[unit]);
}

char *
debye_duration_text(double seconds)
{
  if (!isfinite(seconds))
    return g_strdup("");
  if (seconds < 10.0) {
    g_autofree char *number = debye_number_text(seconds < 1.0 ? round(seconds * 100.0) / 100.0 : seconds, 2);
    return g_strdup_printf("%s s", number);
  }
  guint64 whole = (guint64)(seconds + 0.5);
  if (whole < 60)
    return g_strdup_printf("%u s", (guint)whole);
  if (whole < 3600)
    return g_strdup_printf("%u min %u s", (guint)(whole / 60), (guint)(whole % 60));
  return g_strdup_printf("%" G_GUINT64_FORMAT " h %u min", whole / 3600, (guint)(whole % 3600 / 60));
}

char *
debye_sentence_case(const char *text)
{
  char buffer[8] = {0};
  if (*text == '\0')
    return g_strdup("");
  /* A symbol stays as it is: “q²·I(q)”. */
  const gunichar next = g_utf8_get_char(g_utf8_next_char(text));
  if (next != '\0' && next != ' ' && next != '-' && !g_unichar_isalpha(next))
    return g_strdup(text);
  g_unichar_to_utf8(g_unichar_toupper(g_utf8_get_char(text)), buffer);
  return g_strconcat(buffer, g_utf8_next_char(text), NULL);
}

char *
debye_remark_case(const char *text)
{
  const char *end = text;
  while (g_unichar_islower(g_utf8_get_char(end)))
    end = g_utf8_next_char(end);
  return *end == ' ' || (*end == ',' && end > text) ? debye_sentence_case(text) : g_strdup(text);
}
