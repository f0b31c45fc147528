/* SPDX-License-Identifier: MIT */
/* Converts numbers to text and back; used by the writers and readers of text files and maps. Nine digits name
 * every float. They are made in double: its error, some 1e-15 of the value, is a millionth of the last digit,
 * far from what could lead back to another float. */
#include "float_text.h"

#include <math.h>
#include <string.h>

#include "input.h"

#define FLOAT_DIGITS 9
#define EXACT_POWER 22 /* the largest power of ten that is exact in double */

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double
scale_by_ten(double value, int exponent)
{
  for (; exponent > EXACT_POWER; exponent -= EXACT_POWER)
    value *= powers[EXACT_POWER];
  for (; exponent < -EXACT_POWER; exponent += EXACT_POWER)
    value /= powers[EXACT_POWER];
  return exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
}

/* value = digits · 10^(exponent − n_digits + 1), with exactly n_digits digits; the value is positive and
 * finite. */
static guint32
to_decimal(double value, int n_digits, int *exponent)
{
  int binary;
  frexp(value, &binary);
  /* From the power of two below the value: right, or one too small. */
  int guess = (int)floor((binary - 1) * 0.30102999566398120);
  double scaled = scale_by_ten(value, n_digits - 1 - guess);
  if (scaled >= powers[n_digits])
    scaled = scale_by_ten(value, n_digits - 1 - ++guess);
  guint32 digits = (guint32)(scaled + 0.5);
  if (digits >= (guint32)powers[n_digits]) {
    digits /= 10;
    guess++;
  }
  *exponent = guess;
  return digits;
}

/* Whether the digits read back as that float, with room for the rounding of a scale that isn't exact. */
static gboolean
names_float(guint32 digits, int exponent, float value)
{
  const double room = 1e-14;
  double number = scale_by_ten(digits, exponent - FLOAT_DIGITS + 1);
  return (float)(number * (1.0 - room)) == value && (float)(number * (1.0 + room)) == value;
}

/* Fewer digits where they already name the float: 0.1 rather than 0.100000001. */
static guint32
shorten(float value, guint32 digits, int *exponent)
{
  static const guint32 steps[] = {100, 10};
  for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
    guint32 rounded = (digits + steps[i] / 2) / steps[i] * steps[i];
    if (!names_float(rounded, *exponent, value))
      continue;
    if (rounded < (guint32)powers[FLOAT_DIGITS])
      return rounded;
    /* 9.99999998e22 names the same float as 1e23. */
    *exponent += 1;
    return rounded / 10;
  }
  return digits;
}

static void
write_digits(guint32 digits, int n_digits, char *text)
{
  for (int i = n_digits - 1; i >= 0; i--) {
    text[i] = (char)('0' + digits % 10);
    digits /= 10;
  }
}

static char *
write_exponent(char *at, char letter, int exponent)
{
  *at++ = letter;
  *at++ = exponent < 0 ? '-' : '+';
  write_digits((guint32)abs(exponent), 2, at);
  return at + 2;
}

static gsize
write_special(float value, char *text)
{
  const char *word = isnan(value) ? "nan" : value > 0.0f ? "inf" : "-inf";
  return g_strlcpy(text, word, DEBYE_FLOAT_TEXT_SIZE);
}

/* d.ddd or ddd.d or 0.00ddd; n ≤ 9 digits without zeros at their end. */
static char *
write_plain(char *at, const char *digits, int n, int exponent)
{
  if (exponent < 0) {
    *at++ = '0';
    *at++ = '.';
    for (int i = exponent + 1; i < 0; i++)
      *at++ = '0';
  }
  for (int i = 0; i < n; i++) {
    *at++ = digits[i];
    if (i == exponent && i + 1 < n)
      *at++ = '.';
  }
  for (int i = n; i <= exponent; i++)
    *at++ = '0';
  return at;
}

static char *
write_scientific(char *at, const char *digits, int n, int exponent)
{
  *at++ = digits[0];
  if (n > 1)
    *at++ = '.';
  for (int i = 1; i < n; i++)
    *at++ = digits[i];
  return write_exponent(at, 'e', exponent);
}

gsize
debye_float_to_text(float value, char text[DEBYE_FLOAT_TEXT_SIZE])
{
  char digits[FLOAT_DIGITS];
  char *at = text;
  int exponent, n = FLOAT_DIGITS;
  if (!isfinite(value))
    return write_special(value, text);
  if (signbit(value))
    *at++ = '-';
  value = fabsf(value);
  if (value == 0.0f) {
    *at++ = '0';
    *at = '\0';
    return (gsize)(at - text);
  }
  guint32 decimal = to_decimal(value, FLOAT_DIGITS, &exponent);
  write_digits(shorten(value, decimal, &exponent), FLOAT_DIGITS, digits);
  while (n > 1 && digits[n - 1] == '0')
    n--;
  gboolean plain = exponent >= -4 && exponent < FLOAT_DIGITS;
  at = plain ? write_plain(at, digits, n, exponent) : write_scientific(at, digits, n, exponent);
  *at = '\0';
  return (gsize)(at - text);
}

gsize
debye_float_to_exponent_text(float value, char text[DEBYE_FLOAT_TEXT_SIZE])
{
  char *at = text;
  int exponent = 0;
  if (!isfinite(value))
    return write_special(value, text);
  if (signbit(value))
    *at++ = '-';
  guint32 decimal = value == 0.0f ? 0 : to_decimal(fabsf(value), 6, &exponent);
  write_digits(decimal, 6, at + 1);
  at[0] = at[1];
  at[1] = '.';
  at = write_exponent(at + 7, 'E', exponent);
  *at = '\0';
  return (gsize)(at - text);
}

gsize
debye_double_to_text(double value, char text[DEBYE_FLOAT_TEXT_SIZE])
{
  static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
    g_ascii_formatd(text, DEBYE_FLOAT_TEXT_SIZE, formats[i], value);
    if (!isfinite(value) || g_ascii_strtod(text, NULL) == value)
      break;
  }
  return strlen(text);
}

/* A number that needs so many digits was not meant as a short decimal. */
#define MOST_DIGITS 12

double
debye_double_to_decimal(double value)
{
  char text[DEBYE_FLOAT_TEXT_SIZE];
  gsize n_digits = 0;
  g_ascii_formatd(text, sizeof text, "%.14g", value);
  for (const char *at = text; *at != '\0' && *at != 'e'; at++)
    n_digits += g_ascii_isdigit(*at) && (n_digits > 0 || *at != '0');
  return n_digits <= MOST_DIGITS ? g_ascii_strtod(text, NULL) : value;
}

/* [sign] digits [. digits] [e [sign] digits], when the digits and the power of ten are exact in double: one
 * operation then gives the nearest double. FALSE leaves it to the slow way, whatever the text is. */
static gboolean
parse_short(const char *text, const char *end, double *value)
{
  gboolean negative = *text == '-';
  guint64 digits = 0;
  int n = 0, power = 0, exponent = 0;
  text += negative || *text == '+';
  for (; text < end && g_ascii_isdigit(*text); text++, n++)
    digits = digits * 10 + (guint64)(*text - '0');
  if (text < end && *text == '.')
    for (text++; text < end && g_ascii_isdigit(*text); text++, n++, power--)
      digits = digits * 10 + (guint64)(*text - '0');
  if (n == 0 || n > 15)
    return FALSE;
  if (text < end && (*text == 'e' || *text == 'E')) {
    gboolean negative_exponent = ++text < end && *text == '-';
    text += text < end && (negative_exponent || *text == '+');
    if (text == end || end - text > 3)
      return FALSE;
    for (; text < end && g_ascii_isdigit(*text); text++)
      exponent = exponent * 10 + (*text - '0');
    power += negative_exponent ? -exponent : exponent;
  }
  if (text != end || abs(power) > EXACT_POWER)
    return FALSE;
  double magnitude = scale_by_ten((double)digits, power);
  *value = negative ? -magnitude : magnitude;
  return TRUE;
}

gboolean
debye_float_from_text(const char *text, gsize length, float *value)
{
  double number;
  if (length == 0 ||
      (!parse_short(text, text + length, &number) && !debye_text_to_double(text, length, &number)))
    return FALSE;
  *value = (float)number;
  return TRUE;
}
