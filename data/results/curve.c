/* SPDX-License-Identifier: MIT */
/* A curve in memory, as analyses make it and plots draw it; curve_load.c reads one from a file. */
#include "curve.h"

#include "array_private.h"

static const char *const styles[] = {[DEBYE_CURVE_LINE] = "line",
                                     [DEBYE_CURVE_STEPS] = "steps",
                                     [DEBYE_CURVE_MARKERS] = "markers",
                                     [DEBYE_CURVE_BAND] = "band"};

DebyeCurve *
debye_curve_new_for_bytes(const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
                          DebyeCurveStyle style, GBytes *x_values, GBytes *y_values, GBytes *errors)
{
  return debye_array_new(&(DebyeArrayContent){.name = name,
                                              .n_axes = 1,
                                              .axes = {{*x, x_values}},
                                              .quantity = *y,
                                              .values = y_values,
                                              .errors = errors,
                                              .attributes = {[DEBYE_ARRAY_STYLE] = styles[style]}});
}

DebyeCurve *
debye_curve_new(const char *name, const DebyeQuantity *x, const DebyeQuantity *y, DebyeCurveStyle style,
                gsize n, const double *x_values, const double *y_values, const double *errors)
{
  g_autoptr(GBytes) x_bytes = g_bytes_new(x_values, n * sizeof(double));
  g_autoptr(GBytes) y_bytes = g_bytes_new(y_values, n * sizeof(double));
  g_autoptr(GBytes) error_bytes = errors != NULL ? g_bytes_new(errors, n * sizeof(double)) : NULL;
  return debye_curve_new_for_bytes(name, x, y, style, x_bytes, y_bytes, error_bytes);
}

DebyeCurveStyle
debye_curve_get_style(DebyeCurve *self)
{
  const char *style = debye_array_get_content(self)->attributes[DEBYE_ARRAY_STYLE];
  for (guint i = 0; style != NULL && i < G_N_ELEMENTS(styles); i++)
    if (g_str_equal(style, styles[i]))
      return (DebyeCurveStyle)i;
  return DEBYE_CURVE_LINE;
}

void
debye_curve_set_of(DebyeCurve *self, const char *name)
{
  debye_array_set_attribute(self, DEBYE_ARRAY_OF, name);
}

gboolean
debye_curve_names_quantity(DebyeCurve *self)
{
  const char *naming = debye_array_get_content(self)->attributes[DEBYE_ARRAY_NAMING];
  return naming != NULL && *naming != '\0';
}

void
debye_curve_set_names_quantity(DebyeCurve *self, gboolean names)
{
  debye_array_set_attribute(self, DEBYE_ARRAY_NAMING, names ? "yes" : NULL);
}

/* A copy that says what this one was told by its reader. */
static DebyeCurve *
derive(DebyeCurve *self, const DebyeArrayContent *content)
{
  DebyeCurve *other = debye_array_new(content);
  for (const char *const *warning = debye_array_get_warnings(self); *warning != NULL; warning++)
    debye_array_warn(other, "%s", *warning);
  return other;
}

DebyeCurve *
debye_curve_with_name(DebyeCurve *self, const char *name)
{
  DebyeArrayContent content = *debye_array_get_content(self);
  content.name = name;
  return derive(self, &content);
}

DebyeCurve *
debye_curve_with_fit(DebyeCurve *self, const char *name)
{
  DebyeArrayContent content = *debye_array_get_content(self);
  content.attributes[DEBYE_ARRAY_UNFITTED] = content.name;
  content.name = name;
  return derive(self, &content);
}

DebyeCurve *
debye_curve_with_style(DebyeCurve *self, DebyeCurveStyle style)
{
  DebyeArrayContent content = *debye_array_get_content(self);
  content.attributes[DEBYE_ARRAY_STYLE] = styles[style];
  return derive(self, &content);
}

DebyeCurve *
debye_curve_with_x_quantity(DebyeCurve *self, const char *name, const char *unit)
{
  DebyeArrayContent content = *debye_array_get_content(self);
  content.axes[0].quantity = (DebyeQuantity){name, NULL, unit};
  return derive(self, &content);
}

/* NULL of NULL. */
static GBytes *
scale_values(GBytes *values, double factor)
{
  if (values == NULL)
    return NULL;
  gsize size;
  const double *from = g_bytes_get_data(values, &size);
  double *scaled = g_malloc(size);
  for (gsize i = 0; i < size / sizeof(double); i++)
    scaled[i] = from[i] * factor;
  return g_bytes_new_take(scaled, size);
}

DebyeCurve *
debye_curve_with_x_unit(DebyeCurve *self, const char *unit)
{
  double factor;
  DebyeArrayContent content = *debye_array_get_content(self);
  if (!debye_unit_get_factor(content.axes[0].quantity.unit, unit, &factor))
    return NULL;
  content.axes[0].quantity.unit = unit;
  if (factor == 1.0)
    return derive(self, &content);
  g_autoptr(GBytes) x = content.axes[0].values = scale_values(content.axes[0].values, factor);
  g_autoptr(GBytes) resolution = content.resolution = scale_values(content.resolution, factor);
  return derive(self, &content);
}
