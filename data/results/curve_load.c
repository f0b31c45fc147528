/* SPDX-License-Identifier: MIT */
/* A measured curve from a file of any kind: its first bytes tell which reader it is for. */
#include "curve_private.h"

#include <string.h>

#include "data/files/error.h"

#define HEAD_BYTES 16384

typedef DebyeCurve *(*Reader)(DebyeInput *input, GError **error);

static DebyeCurve *
read_found_columns(DebyeInput *input, GError **error)
{
  return debye_curve_read_text(input, NULL, error);
}

static Reader
find_reader(DebyeInput *input)
{
  static const char hdf5[] = "\x89HDF\r\n\x1a\n";
  g_autofree char *head = g_malloc0(HEAD_BYTES + 1);
  const gssize n = debye_input_read_some(input, 0, head, HEAD_BYTES, NULL);
  if (n >= 8 && memcmp(head, hdf5, 8) == 0)
    return debye_curve_read_nexus;
  const char *text = g_str_has_prefix(head, "\xEF\xBB\xBF") ? head + 3 : head;
  text += strspn(text, " \t\r\n");
  if (*text == '<' && strstr(text, "SASroot") != NULL)
    return debye_curve_read_xml;
  /* The heading of the columns that GNOM writes. */
  if (g_regex_match_simple("^\\s*S\\s+J EXP\\s+ERROR", head, G_REGEX_MULTILINE, 0))
    return debye_curve_read_gnom;
  return read_found_columns;
}

DebyeCurve *
debye_curve_load_watched(const char *path, DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  g_autoptr(DebyeInput) input = debye_input_open_watched(path, progress, data, error);
  return input != NULL ? find_reader(input)(input, error) : NULL;
}

DebyeCurve *
debye_curve_load(const char *path, GError **error)
{
  return debye_curve_load_watched(path, NULL, NULL, error);
}

DebyeCurve *
debye_curve_load_columns(const char *path, const DebyeCurveColumns *columns, GError **error)
{
  g_return_val_if_fail(path != NULL && columns != NULL && columns->x > 0 && columns->y > 0, NULL);
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  if (input == NULL)
    return NULL;
  if (find_reader(input) == read_found_columns)
    return debye_curve_read_text(input, columns, error);
  debye_input_set_error(input, error, DEBYE_ERROR_VALUE,
                        "expected a text file to choose columns of, found a format with named columns");
  return NULL;
}
