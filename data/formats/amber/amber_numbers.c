/* SPDX-License-Identifier: MIT */
/* Reads the columns of AMBER's text coordinates; used by format_amber_mdcrd.c and format_amber_restart.c.
 * Columns of a fixed width without blanks between them: "-123.456-234.567". Programs in C that print a larger
 * number push the rest of the line to the right; blanks part the numbers then. */
#include "amber_numbers.h"

#include <math.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"
#include "data/messages/message.h"

static gsize
get_trimmed_length(const DebyeLineReader *lines)
{
  gsize n = lines->length;
  while (n > 0 && g_ascii_isspace(lines->text[n - 1]))
    n--;
  return n;
}

/* Numbers end where their columns end. */
static gboolean
is_in_columns(const DebyeLineReader *lines, gsize width, gsize *n)
{
  gsize length = get_trimmed_length(lines);
  *n = length / width;
  return length % width == 0 && *n <= DEBYE_AMBER_LINE;
}

/* By blanks. Of a line that the end of the file has cut, narrower than its columns, the last number isn't
 * whole. */
static gsize
split(const DebyeLineReader *lines, gsize width, DebyeTextField fields[DEBYE_AMBER_LINE + 1])
{
  gsize n = debye_text_split(lines->text, lines->length, fields, DEBYE_AMBER_LINE + 1);
  gboolean has_end = lines->next_offset > lines->offset + lines->length;
  return has_end || n == 0 || get_trimmed_length(lines) >= width * n ? n : n - 1;
}

gsize
debye_amber_count_numbers(const DebyeLineReader *lines, gsize width)
{
  gsize n;
  DebyeTextField fields[DEBYE_AMBER_LINE + 1];
  return is_in_columns(lines, width, &n) ? n : split(lines, width, fields);
}

static gsize
find_fields(const DebyeLineReader *lines, gsize width, DebyeTextField fields[DEBYE_AMBER_LINE + 1])
{
  gsize n;
  if (!is_in_columns(lines, width, &n))
    return split(lines, width, fields);
  for (gsize k = 0; k < n; k++)
    fields[k] = (DebyeTextField){lines->text + k * width, width};
  return n;
}

/* "-123.4567890" in a column of its own, which is nearly every number of these files: digits with the dot in
 * its place, few enough for the nearest double by one division. FALSE: anything else, to be looked at with
 * care. */
static gboolean
read_column(const char *text, gsize width, double *value)
{
  const gsize decimals = width == 8 ? 3 : 7, dot = width - 1 - decimals;
  const double scale = width == 8 ? 1e3 : 1e7;
  gint64 digits = 0;
  gsize i = 0;
  while (i < dot && text[i] == ' ')
    i++;
  gboolean is_negative = text[i] == '-';
  for (i += is_negative; i < width; i++) {
    guint digit = (guint)text[i] - '0';
    if (i == dot ? text[i] != '.' : digit > 9)
      return FALSE;
    digits = i == dot ? digits : 10 * digits + digit;
  }
  *value = (double)(is_negative ? -digits : digits) / scale;
  return TRUE;
}

static gboolean
read_number(DebyeTextField field, gsize width, double *value)
{
  if (field.length == width && read_column(field.text, width, value))
    return TRUE;
  return debye_text_to_double(field.text, field.length, value) && isfinite(*value);
}

gboolean
debye_amber_read_numbers(const DebyeLineReader *lines, gsize width, gsize n, double values[DEBYE_AMBER_LINE],
                         GError **error)
{
  DebyeTextField fields[DEBYE_AMBER_LINE + 1];
  gsize n_found = find_fields(lines, width, fields);
  for (gsize k = 0; k < MIN(n, n_found); k++)
    if (!read_number(fields[k], width, &values[k])) {
      g_autofree char *quoted =
          debye_text_quote(debye_text_columns(fields[k].text, fields[k].length, 0, width * n));
      return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected a number, found %s",
                                         quoted);
    }
  if (n_found == n)
    return TRUE;
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_SYNTAX,
      "expected %" G_GSIZE_FORMAT " numbers in columns of %" G_GSIZE_FORMAT ", found %s%" G_GSIZE_FORMAT, n,
      width, n_found > DEBYE_AMBER_LINE ? N_("more than ") : "", MIN(n_found, DEBYE_AMBER_LINE));
}

gboolean
debye_amber_read_next_numbers(DebyeLineReader *lines, const char *what, gsize width, gsize n,
                              double values[DEBYE_AMBER_LINE], GError **error)
{
  return debye_text_require_line(lines, what, error) &&
         debye_amber_read_numbers(lines, width, n, values, error);
}
