/* SPDX-License-Identifier: MIT */
/* Numbers and fields from text. The C library's own functions follow the locale (a comma in German), so they
 * can't be used; the short decimal numbers that structure files are made of are converted here, exactly, and
 * everything longer is left to GLib. */
#include "input.h"

#include <float.h>
#include <string.h>

/* With at most 15 digits and a power of ten up to 22, both are exact in double, and one division or
 * multiplication rounds once: the nearest double, as strtod gives. */
#define EXACT_DIGITS 15
#define EXACT_POWER 22
/* The same in the 64 bits of an x86 processor's long double, for the 16 and 17 digits that programs write to
 * say a double exactly. */
#define LONG_DIGITS 19
#define LONG_POWER 27

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

/* mantissa · 10^power */
typedef struct {
  gboolean is_negative;
  guint64 mantissa;
  int n_digits, power;
} Decimal;

/* [sign] digits [. digits], and where that ends. */
static const char *
split_digits(const char *text, const char *end, Decimal *decimal)
{
  gboolean after_dot = FALSE;
  *decimal = (Decimal){.is_negative = text < end && *text == '-'};
  if (text < end && (*text == '-' || *text == '+'))
    text++;
  for (; text < end; text++) {
    if (*text == '.' && !after_dot) {
      after_dot = TRUE;
      continue;
    }
    if (!g_ascii_isdigit(*text) || decimal->n_digits > LONG_DIGITS)
      break;
    decimal->mantissa = decimal->mantissa * 10 + (guint64)(*text - '0');
    decimal->n_digits++;
    decimal->power -= after_dot;
  }
  return text;
}

/* Nothing, or an exponent of at most three digits: e, or Fortran's d. */
static gboolean
take_exponent(const char *text, const char *end, Decimal *decimal)
{
  if (text == end)
    return TRUE;
  if (((*text | 0x20) != 'e' && (*text | 0x20) != 'd') || ++text == end)
    return FALSE;
  gboolean is_negative = *text == '-';
  if (*text == '-' || *text == '+')
    text++;
  int exponent = 0;
  if (text == end || end - text > 3)
    return FALSE;
  for (; text < end; text++) {
    if (!g_ascii_isdigit(*text))
      return FALSE;
    exponent = exponent * 10 + (*text - '0');
  }
  decimal->power += is_negative ? -exponent : exponent;
  return TRUE;
}

/* FALSE where the first rounding, to 64 bits, leaves open how the second goes. */
static gboolean
scale_long(guint64 mantissa, int power, double *magnitude)
{
#if LDBL_MANT_DIG == 64
  static const long double powers[LONG_POWER + 1] = {
      1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
      1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
  const guint64 dropped_bits = 0x7FF, half = 0x400;
  guint64 significand;
  if (ABS(power) > LONG_POWER)
    return FALSE;
  long double value =
      power < 0 ? (long double)mantissa / powers[-power] : (long double)mantissa * powers[power];
  memcpy(&significand, &value, sizeof significand);
  *magnitude = (double)value;
  return (significand & dropped_bits) != half;
#else
  (void)mantissa;
  (void)power;
  (void)magnitude;
  return FALSE;
#endif
}

/* Decimal notation that is short enough to be exact. */
static gboolean
parse_short_decimal(const char *text, const char *end, double *value)
{
  Decimal decimal;
  double magnitude;
  const char *rest = split_digits(text, end, &decimal);
  if (decimal.n_digits == 0 || decimal.n_digits > LONG_DIGITS || !take_exponent(rest, end, &decimal))
    return FALSE;
  if (decimal.n_digits > EXACT_DIGITS || ABS(decimal.power) > EXACT_POWER) {
    if (!scale_long(decimal.mantissa, decimal.power, &magnitude))
      return FALSE;
  } else {
    magnitude = decimal.power < 0 ? (double)decimal.mantissa / powers_of_ten[-decimal.power]
                                  : (double)decimal.mantissa * powers_of_ten[decimal.power];
  }
  *value = decimal.is_negative ? -magnitude : magnitude;
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
