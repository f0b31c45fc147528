/* SPDX-License-Identifier: MIT */
/* A measured curve from a file of any kind: its first bytes tell which reader it is for, and what the readers share stands here. */
#include "curve_private.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"

#define HEAD_BYTES 16384

/* --- Points --- */

void
debye_curve_points_init(DebyeCurvePoints *points)
{
  *points = (DebyeCurvePoints){0};
  GArray **arrays[] = {&points->x, &points->y, &points->errors, &points->resolution};
  for (gsize i = 0; i < G_N_ELEMENTS(arrays); i++)
    *arrays[i] = g_array_new(FALSE, FALSE, sizeof(double));
}

void
debye_curve_points_clear(DebyeCurvePoints *points)
{
  GArray **arrays[] = {&points->x, &points->y, &points->errors, &points->resolution};
  for (gsize i = 0; i < G_N_ELEMENTS(arrays); i++)
    g_clear_pointer(arrays[i], g_array_unref);
  g_free(points->x_name);
  g_free(points->y_name);
  g_free(points->x_unit);
  g_free(points->y_unit);
}

void
debye_curve_points_add(DebyeCurvePoints *points, double x, double y, double error, double resolution)
{
  error = fabs(error);
  g_array_append_val(points->x, x);
  g_array_append_val(points->y, y);
  g_array_append_val(points->errors, error);
  g_array_append_val(points->resolution, resolution);
}

static const double *
get_known(const GArray *values)
{
  const double *numbers = (const double *)(gconstpointer)values->data;
  for (guint i = 0; i < values->len; i++)
    if (isfinite(numbers[i]))
      return numbers;
  return NULL;
}

static gboolean
check_points(const DebyeCurvePoints *points, DebyeInput *input, GError **error)
{
  if (points->x->len == 0) {
    debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                          "expected points of q and intensity, found none");
    return FALSE;
  }
  for (guint i = 0; i < points->x->len; i++) {
    const double x = g_array_index(points->x, double, i);
    if (isfinite(x))
      continue;
    debye_input_set_error(input, error, DEBYE_ERROR_VALUE, "point %u: expected a finite q, found %g", i + 1,
                          x);
    return FALSE;
  }
  return TRUE;
}

char *
debye_curve_make_name(DebyeInput *input)
{
  char *name = debye_input_make_title(input);
  char *dot = strrchr(name, '.');
  if (dot != NULL && dot > name)
    *dot = '\0';
  return name;
}

static char *
spell(const char *unit)
{
  return unit != NULL ? debye_unit_canonical(unit) : NULL;
}

DebyeCurve *
debye_curve_points_finish(const DebyeCurvePoints *points, DebyeInput *input, GError **error)
{
  if (!check_points(points, input, error))
    return NULL;
  g_autofree char *name = debye_curve_make_name(input);
  g_autofree char *x_unit = spell(points->x_unit), *y_unit = spell(points->y_unit);
  const DebyeQuantity x = {points->x_name != NULL ? points->x_name : "q", NULL, x_unit};
  const DebyeQuantity y = {points->y_name != NULL ? points->y_name : "intensity",
                           points->y_name != NULL ? NULL : "I(q)", y_unit};
  DebyeCurve *curve = debye_curve_new(
      name, &x, &y, DEBYE_CURVE_MARKERS, points->x->len, (const double *)(gconstpointer)points->x->data,
      (const double *)(gconstpointer)points->y->data, get_known(points->errors));
  if (get_known(points->resolution) != NULL)
    debye_array_set_resolution(curve, get_known(points->resolution));
  return curve;
}

/* --- Kinds of files --- */

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
                        "expected a text file to choose columns of, found a format that names its own");
  return NULL;
}
