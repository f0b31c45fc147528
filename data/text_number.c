/* SPDX-License-Identifier: MIT */
/* Numbers and fields from text. The C library's own functions follow the locale (a comma in German), so they
 * can't be used; the short decimal numbers that structure files are made of are converted here, exactly, and
 * everything longer is left to GLib. */
#include "input.h"

#include <string.h>

/* With at most 15 digits and a power of ten up to 22, both are exact in double, and one division or
 * multiplication rounds once: the nearest double, as strtod gives. */
#define EXACT_DIGITS 15
#define EXACT_POWER 22

static const double powers_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static gboolean
is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static void
trim(const char **text, const char **end)
{
  while (*text < *end && is_blank(**text))
    (*text)++;
  while (*text < *end && is_blank((*end)[-1]))
    (*end)--;
}

/* Plain decimal notation, short enough to be exact: [sign] digits [. digits]. */
static gboolean
parse_short_decimal(const char *text, const char *end, double *value)
{
  gboolean negative = text < end && *text == '-';
  guint64 mantissa = 0;
  int n_digits = 0, n_fraction = 0;
  gboolean after_dot = FALSE;
  if (text < end && (*text == '-' || *text == '+'))
    text++;
  for (; text < end; text++) {
    if (*text == '.' && !after_dot) {
      after_dot = TRUE;
      continue;
    }
    if (!g_ascii_isdigit(*text) || n_digits == EXACT_DIGITS)
      return FALSE;
    mantissa = mantissa * 10 + (guint64)(*text - '0');
    n_digits++;
    n_fraction += after_dot;
  }
  if (n_digits == 0)
    return FALSE;
  double magnitude = (double)mantissa / powers_of_ten[n_fraction];
  *value = negative ? -magnitude : magnitude;
  return TRUE;
}

/* 1.0D+03, as Fortran prints double precision. */
static void
accept_fortran_exponent(char *text)
{
  for (char *c = text; *c; c++)
    if (c > text && (*c == 'D' || *c == 'd') && (g_ascii_isdigit(c[-1]) || c[-1] == '.'))
      *c = 'e';
}

/* g_ascii_strtod also takes hexadecimal numbers and "nan(…)", which no file of ours means. */
static gboolean
parse_long_decimal(const char *text, const char *end, double *value)
{
  char local[128];
  gsize length = (gsize)(end - text);
  if (memchr(text, 'x', length) || memchr(text, 'X', length) || memchr(text, '(', length) ||
      memchr(text, '\0', length) || length == 0 || is_blank(*text))
    return FALSE;
  g_autofree char *allocated = length < sizeof local ? NULL : g_strndup(text, length);
  if (!allocated) {
    memcpy(local, text, length);
    local[length] = '\0';
  }
  char *copy = allocated ? allocated : local;
  char *stop;
  accept_fortran_exponent(copy);
  *value = g_ascii_strtod(copy, &stop);
  return stop == copy + length;
}

gboolean
debye_text_to_double(const char *text, gsize length, double *value)
{
  const char *end = text + length;
  trim(&text, &end);
  return parse_short_decimal(text, end, value) || parse_long_decimal(text, end, value);
}

gboolean
debye_text_to_int(const char *text, gsize length, gint64 *value)
{
  const char *end = text + length;
  trim(&text, &end);
  gboolean negative = text < end && *text == '-';
  if (text < end && (*text == '-' || *text == '+'))
    text++;
  if (text == end)
    return FALSE;
  /* Counted downwards: the range below zero is the larger one. */
  gint64 sum = 0;
  for (; text < end; text++) {
    if (!g_ascii_isdigit(*text) || __builtin_mul_overflow(sum, 10, &sum) ||
        __builtin_sub_overflow(sum, *text - '0', &sum))
      return FALSE;
  }
  if (!negative && sum == G_MININT64)
    return FALSE;
  *value = negative ? sum : -sum;
  return TRUE;
}

gboolean
debye_text_next_field(const char **cursor, const char *end, const char **field, gsize *length)
{
  const char *c = *cursor;
  while (c < end && is_blank(*c))
    c++;
  *field = c;
  while (c < end && !is_blank(*c))
    c++;
  *length = (gsize)(c - *field);
  *cursor = c;
  return *length > 0;
}
