/* SPDX-License-Identifier: MIT */
/* Parses and applies symmetry operations for the CIF reader. An operation is three sums of terms: a number, a
 * fraction, or an axis, each with a sign. */
#include "symmetry.h"

#include <string.h>

#include "data/files/input.h"

typedef struct {
  const char *at, *end;
} Cursor;

static void
skip_blanks(Cursor *cursor)
{
  while (cursor->at < cursor->end && g_ascii_isspace(*cursor->at))
    cursor->at++;
}

static gboolean
take(Cursor *cursor, char c)
{
  skip_blanks(cursor);
  if (cursor->at == cursor->end || *cursor->at != c)
    return FALSE;
  cursor->at++;
  return TRUE;
}

static gboolean
take_number(Cursor *cursor, double *value)
{
  skip_blanks(cursor);
  const char *begin = cursor->at;
  while (cursor->at < cursor->end && (g_ascii_isdigit(*cursor->at) || *cursor->at == '.'))
    cursor->at++;
  return debye_text_to_double(begin, (gsize)(cursor->at - begin), value);
}

static gboolean
take_axis(Cursor *cursor, int *axis)
{
  skip_blanks(cursor);
  if (cursor->at == cursor->end)
    return FALSE;
  char c = g_ascii_tolower(*cursor->at);
  if (c < 'x' || c > 'z')
    return FALSE;
  *axis = c - 'x';
  cursor->at++;
  return TRUE;
}

/* [number [/ number] [*]] [axis]: at least one of both. */
static gboolean
take_term(Cursor *cursor, double sign, double row[3], double *translation)
{
  double factor = 1.0, divisor = 1.0;
  int axis;
  skip_blanks(cursor);
  gboolean has_number = cursor->at < cursor->end && (g_ascii_isdigit(*cursor->at) || *cursor->at == '.');
  if (has_number && !take_number(cursor, &factor))
    return FALSE;
  if (has_number && take(cursor, '/') && (!take_number(cursor, &divisor) || divisor == 0.0))
    return FALSE;
  gboolean has_product = has_number && take(cursor, '*');
  if (take_axis(cursor, &axis))
    row[axis] += sign * factor / divisor;
  else if (has_number && !has_product)
    *translation += sign * factor / divisor;
  else
    return FALSE;
  return TRUE;
}

static gboolean
take_sum(Cursor *cursor, double row[3], double *translation)
{
  double sign = take(cursor, '-') ? -1.0 : 1.0;
  if (sign > 0.0)
    take(cursor, '+');
  for (;;) {
    if (!take_term(cursor, sign, row, translation))
      return FALSE;
    if (take(cursor, '+'))
      sign = 1.0;
    else if (take(cursor, '-'))
      sign = -1.0;
    else
      return TRUE;
  }
}

static DebyeVec3
get_row(const DebyeSymmetryOperation *operation, int i)
{
  const double *row = operation->rotation[i];
  return debye_vec3(row[0], row[1], row[2]);
}

static gboolean
is_unimodular(const DebyeSymmetryOperation *operation)
{
  double determinant =
      debye_vec3_dot(get_row(operation, 0), debye_vec3_cross(get_row(operation, 1), get_row(operation, 2)));
  return fabs(fabs(determinant) - 1.0) < 1e-9;
}

gboolean
debye_symmetry_parse(const char *text, gsize length, DebyeSymmetryOperation *operation)
{
  Cursor cursor = {text, text + length};
  double translation[3] = {0.0, 0.0, 0.0};
  *operation = (DebyeSymmetryOperation){0};
  for (int i = 0; i < 3; i++)
    if ((i > 0 && !take(&cursor, ',')) || !take_sum(&cursor, operation->rotation[i], &translation[i]))
      return FALSE;
  skip_blanks(&cursor);
  operation->translation = debye_vec3(translation[0], translation[1], translation[2]);
  return cursor.at == cursor.end && is_unimodular(operation);
}

DebyeVec3
debye_symmetry_apply(const DebyeSymmetryOperation *operation, DebyeVec3 fraction)
{
  DebyeVec3 turned = debye_vec3(debye_vec3_dot(get_row(operation, 0), fraction),
                                debye_vec3_dot(get_row(operation, 1), fraction),
                                debye_vec3_dot(get_row(operation, 2), fraction));
  return debye_vec3_add(turned, operation->translation);
}

gboolean
debye_symmetry_is_identity(const DebyeSymmetryOperation *operation)
{
  static const DebyeSymmetryOperation identity = {
      .rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  return memcmp(operation->rotation, identity.rotation, sizeof identity.rotation) == 0 &&
         debye_vec3_length(operation->translation) == 0.0;
}
