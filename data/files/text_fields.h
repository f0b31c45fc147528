/* SPDX-License-Identifier: MIT */
/* Text of a file: its first lines for probes, fields of a line as numbers with an error that names the line,
 * fixed-point numbers for writing. Readers of structures, maps and curves call it. */
#pragma once

#include "input.h"
#include "text_writer.h"

/* The lines of a file's first bytes, for probes. A last line that may go on beyond them
 * is left out, unless it is very long. */
typedef struct {
  const char *at, *end;
  gboolean ends_with_file;
} DebyeTextHead;

DebyeTextHead debye_text_head(const guint8 *head, gsize n);
gboolean debye_text_head_next(DebyeTextHead *head, const char **line, gsize *length);

/* A piece of text from a line: not NUL-terminated. */
typedef struct {
  const char *text;
  gsize length;
} DebyeTextField;

/* The columns first … last-1 (0-based), as far as the line has them, without blanks at both ends. */
DebyeTextField debye_text_columns(const char *line, gsize length, gsize first, gsize last);
/* Blanks-separated fields of a line, at most `capacity`; the number of them. */
gsize debye_text_split(const char *line, gsize length, DebyeTextField *fields, gsize capacity);
gboolean debye_text_field_is(DebyeTextField field, const char *text);
gboolean debye_text_is_number(DebyeTextField field);
gboolean debye_text_is_integer(DebyeTextField field);

/* The field as a number, or an error of the current line: expected a number for WHAT, found “…”. */
gboolean debye_text_require_double(const DebyeLineReader *lines, DebyeTextField field, const char *what,
                                   double *value, GError **error);
gboolean debye_text_require_int(const DebyeLineReader *lines, DebyeTextField field, const char *what,
                                gint64 *value, GError **error);
/* The field as a number of `what`, or an error of the current line. A number that the rest of the file can't
 * hold, where each takes `least_bytes`, is refused before anything is allocated for it. */
gboolean debye_text_require_count(const DebyeLineReader *lines, DebyeTextField field, const char *what,
                                  gsize least_bytes, gsize *count, GError **error);
/* The whole current line, without blanks at both ends. */
DebyeTextField debye_text_line(const DebyeLineReader *lines);
gboolean debye_text_line_is_blank(const DebyeLineReader *lines);
/* expected WHAT, found the end of the file. Always FALSE. */
gboolean debye_text_set_truncated(const DebyeLineReader *lines, GError **error, const char *what);
/* The next line, or an error: expected WHAT, found the end of the file. */
gboolean debye_text_require_line(DebyeLineReader *lines, const char *what, GError **error);
/* A field as it may stand in a message, and a message itself: valid, short, one line. */
char *debye_text_quote(DebyeTextField field);

/* Now and then: how far the reader is. FALSE with G_IO_ERROR_CANCELLED when the caller doesn't want more. */
gboolean debye_text_report(const DebyeLineReader *lines, DebyeProgressFunc progress, gpointer data,
                           GError **error);

/* Passes `n` lines, each a WHAT, with reports. */
gboolean debye_text_skip_lines(DebyeLineReader *lines, gsize n, const char *what, DebyeProgressFunc progress,
                               gpointer data, GError **error);
/* %width.decimals f with a dot in every locale. FALSE where the number doesn't fit or is none. */
gboolean debye_text_put_fixed(DebyeTextWriter *writer, double value, int width, int decimals);
/* Left- or right-justified (width < 0: left), cut to the width. */
void debye_text_put_padded(DebyeTextWriter *writer, const char *text, int width);
void debye_text_put_formatted(DebyeTextWriter *writer, const char *format, ...) G_GNUC_PRINTF(2, 3);
