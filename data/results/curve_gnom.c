/* SPDX-License-Identifier: MIT */
/* The measured points in the output of GNOM (ATSAS, .out): the section headed “S  J EXP  ERROR  J REG  I REG”. Rows
 * before the first measured point are extrapolated and have two columns. Called by curve_load.c. */
#include "curve_private.h"

#include <math.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"

#define N_COLUMNS 5

typedef enum { BEFORE, WITHIN, BEHIND } Place;

static gboolean
is_heading(const char *line)
{
  return g_regex_match_simple("^\\s*S\\s+J EXP\\s+ERROR", line, 0, 0);
}

/* FALSE with an error where a row is broken. A text ends the rows. */
static gboolean
read_row(DebyeCurvePoints *points, const DebyeLineReader *lines, Place *place, GError **error)
{
  DebyeTextField fields[N_COLUMNS + 1];
  double q, intensity, deviation;
  const gsize n = debye_text_split(lines->text, lines->length, fields, G_N_ELEMENTS(fields));
  if (n == 0)
    return TRUE;
  if (!debye_text_is_number(fields[0])) {
    *place = BEHIND;
    return TRUE;
  }
  if (n == 2)
    return TRUE;
  if (n != N_COLUMNS)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected 2 or 5 columns, found %" G_GSIZE_FORMAT, n);
  if (!debye_text_require_double(lines, fields[0], "q", &q, error) ||
      !debye_text_require_double(lines, fields[1], "the intensity", &intensity, error) ||
      !debye_text_require_double(lines, fields[2], "the error", &deviation, error))
    return FALSE;
  debye_curve_points_add(points, q, intensity, deviation, NAN);
  return TRUE;
}

DebyeCurve *
debye_curve_read_gnom(DebyeInput *input, GError **error)
{
  Place place = BEFORE;
  g_auto(DebyeLineReader) lines;
  g_auto(DebyeCurvePoints) points;
  debye_line_reader_init(&lines, input, 0, 1);
  debye_curve_points_init(&points);
  while (place != BEHIND && debye_line_reader_next(&lines, error)) {
    if (place == BEFORE)
      place = is_heading(lines.text) ? WITHIN : BEFORE;
    else if (!read_row(&points, &lines, &place, error))
      return NULL;
  }
  if (lines.has_failed)
    return NULL;
  return debye_curve_points_finish(&points, input, error);
}
