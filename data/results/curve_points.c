/* SPDX-License-Identifier: MIT */
/* What the readers of measured curves share, curve_*.c: rows as they find them, and the curve that those make. */
#include "curve_private.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"

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
  if (points->x->len == 0)
    return debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                                 "expected points of q and intensity, found none");
  for (guint i = 0; i < points->x->len; i++) {
    const double x = g_array_index(points->x, double, i);
    if (isfinite(x))
      continue;
    return debye_input_set_error(input, error, DEBYE_ERROR_VALUE, "point %u: expected a finite q, found %g",
                                 i + 1, x);
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
