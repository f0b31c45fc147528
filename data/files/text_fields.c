/* SPDX-License-Identifier: MIT */
/* Implementation of text_fields.h: splits lines into fields and converts them; used by the text formats and
 * maps. */
#include "text_fields.h"

#include "data/messages/message.h"
#include "error.h"

#include <math.h>
#include <string.h>

/* --- Looking at the first lines --- */

DebyeTextHead
debye_text_head(const guint8 *head, gsize n)
{
  DebyeTextHead lines = {
      .at = (const char *)head, .end = (const char *)head + n, .ends_with_file = n < 65536};
  if (n >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
    lines.at += 3;
  return lines;
}

gboolean
debye_text_head_next(DebyeTextHead *head, const char **line, gsize *length)
{
  const char *stop = head->at;
  while (stop < head->end && *stop != '\n' && *stop != '\r')
    stop++;
  /* What is cut off matters little in a line that is longer than any atom's. */
  const gsize longest = 1024;
  gboolean is_cut = stop == head->end && !head->ends_with_file && (gsize)(stop - head->at) < longest;
  if (head->at == head->end || is_cut)
    return FALSE;
  *line = head->at;
  *length = (gsize)(stop - head->at);
  head->at = stop;
  if (stop < head->end)
    head->at += stop + 1 < head->end && stop[0] == '\r' && stop[1] == '\n' ? 2 : 1;
  return TRUE;
}

/* --- Fields --- */

DebyeTextField
debye_text_columns(const char *line, gsize length, gsize first, gsize last)
{
  const char *begin = line + MIN(first, length);
  const char *end = line + MIN(last, length);
  while (begin < end && g_ascii_isspace(*begin))
    begin++;
  while (begin < end && g_ascii_isspace(end[-1]))
    end--;
  return (DebyeTextField){begin, (gsize)(end - begin)};
}

gsize
debye_text_split(const char *line, gsize length, DebyeTextField *fields, gsize capacity)
{
  const char *cursor = line;
  gsize n = 0;
  while (n < capacity && debye_text_next_field(&cursor, line + length, &fields[n].text, &fields[n].length))
    n++;
  return n;
}

gboolean
debye_text_field_is(DebyeTextField field, const char *text)
{
  return strlen(text) == field.length && memcmp(field.text, text, field.length) == 0;
}

gboolean
debye_text_is_number(DebyeTextField field)
{
  double value;
  return debye_text_to_double(field.text, field.length, &value);
}

gboolean
debye_text_is_integer(DebyeTextField field)
{
  gint64 value;
  return debye_text_to_int(field.text, field.length, &value);
}

char *
debye_text_quote(DebyeTextField field)
{
  const gsize limit = 40;
  g_autofree char *valid = g_utf8_make_valid(field.text, (gssize)MIN(field.length, limit));
  for (char *c = valid; *c != '\0'; c++)
    if (g_ascii_iscntrl(*c))
      *c = ' ';
  return debye_message_new(field.length > limit ? "“%s…”" : "“%s”", valid);
}

gboolean
debye_text_require_double(const DebyeLineReader *lines, DebyeTextField field, const char *what, double *value,
                          GError **error)
{
  if (debye_text_to_double(field.text, field.length, value))
    return TRUE;
  g_autofree char *found = debye_text_quote(field);
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected a number for %s, found %s",
                                     what, field.length > 0 ? found : "nothing");
}

gboolean
debye_text_require_int(const DebyeLineReader *lines, DebyeTextField field, const char *what, gint64 *value,
                       GError **error)
{
  if (debye_text_to_int(field.text, field.length, value))
    return TRUE;
  g_autofree char *found = debye_text_quote(field);
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected an integer for %s, found %s",
                                     what, field.length > 0 ? found : "nothing");
}

gboolean
debye_text_require_count(const DebyeLineReader *lines, DebyeTextField field, const char *what,
                         gsize least_bytes, gsize *count, GError **error)
{
  gint64 number;
  if (!debye_text_to_int(field.text, field.length, &number) || number < 0) {
    g_autofree char *found = debye_text_quote(field);
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected the number of %s, found %s", what, found);
  }
  guint64 rest = debye_input_get_size(lines->input) - lines->next_offset;
  if ((guint64)number > rest / least_bytes + 1)
    return debye_line_reader_set_error(
        lines, error, DEBYE_ERROR_LIMIT,
        "expected a number of %s that the file can hold, found %" G_GINT64_FORMAT " with %" G_GUINT64_FORMAT
        " bytes left",
        what, number, rest);
  *count = (gsize)number;
  return TRUE;
}

DebyeTextField
debye_text_line(const DebyeLineReader *lines)
{
  return debye_text_columns(lines->text, lines->length, 0, lines->length);
}

gboolean
debye_text_line_is_blank(const DebyeLineReader *lines)
{
  return debye_text_line(lines).length == 0;
}

gboolean
debye_text_set_truncated(const DebyeLineReader *lines, GError **error, const char *what)
{
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_TRUNCATED,
                                     "expected %s, found the end of the file", what);
}

gboolean
debye_text_require_line(DebyeLineReader *lines, const char *what, GError **error)
{
  return debye_line_reader_next(lines, error) ||
         (!lines->has_failed && debye_text_set_truncated(lines, error, what));
}

/* --- Frames --- */

gboolean
debye_text_report(const DebyeLineReader *lines, DebyeProgressFunc progress, gpointer data, GError **error)
{
  const guint64 lines_between = 16384;
  if (progress == NULL || lines->number % lines_between != 0)
    return TRUE;
  double size = (double)MAX(debye_input_get_size(lines->input), 1);
  if (progress(MIN((double)lines->next_offset / size, 1.0), data))
    return TRUE;
  return debye_input_set_stopped(lines->input, error);
}

gboolean
debye_text_skip_lines(DebyeLineReader *lines, gsize n, const char *what, DebyeProgressFunc progress,
                      gpointer data, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!debye_text_require_line(lines, what, error) || !debye_text_report(lines, progress, data, error))
      return FALSE;
  return TRUE;
}

gboolean
debye_text_put_fixed(DebyeTextWriter *writer, double value, int width, int decimals)
{
  static const double scales[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  /* As an integer number of the last decimal: exact, and without the locale. */
  double scaled = fabs(value) * scales[decimals];
  if (!(scaled < 1e15))
    return FALSE;
  guint64 digits = (guint64)nearbyint(scaled);
  gboolean is_negative = value < 0.0 && digits > 0;

  char text[40];
  int at = sizeof text;
  for (int n = 0; n <= decimals || digits > 0; n++) {
    if (n == decimals && n > 0)
      text[--at] = '.';
    text[--at] = (char)('0' + digits % 10);
    digits /= 10;
  }
  if (is_negative)
    text[--at] = '-';
  int length = (int)sizeof text - at;
  if (length > width)
    return FALSE;
  while (length++ < width)
    text[--at] = ' ';
  debye_text_writer_put(writer, text + at, (gsize)width);
  return TRUE;
}

void
debye_text_put_padded(DebyeTextWriter *writer, const char *text, int width)
{
  int columns = ABS(width);
  int length = (int)MIN(strlen(text), (gsize)columns);
  const char blanks[] = "                ";
  int n_blanks = MIN(columns - length, (int)sizeof blanks - 1);
  if (width > 0)
    debye_text_writer_put(writer, blanks, (gsize)n_blanks);
  debye_text_writer_put(writer, text, (gsize)length);
  if (width < 0)
    debye_text_writer_put(writer, blanks, (gsize)n_blanks);
}

void
debye_text_put_formatted(DebyeTextWriter *writer, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  debye_text_writer_put_string(writer, text);
}
