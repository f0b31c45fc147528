/* SPDX-License-Identifier: MIT */
/* A curve in memory, as analyses make it and plots draw it; curve_csv.c reads one from a file. */
#include "curve_private.h"

#include <math.h>

struct _DebyeCurve {
  GObject parent_instance;
  char *name;
  DebyeQuantity x_quantity, y_quantity;
  DebyeCurveStyle style;
  GBytes *x, *y, *errors, *resolution;
  gsize n;
  gboolean ordered;
  GPtrArray *warnings; /* char *, NULL-terminated */
};

G_DEFINE_FINAL_TYPE(DebyeCurve, debye_curve, G_TYPE_OBJECT)

static void
debye_curve_finalize(GObject *object)
{
  DebyeCurve *self = DEBYE_CURVE(object);
  g_free(self->name);
  debye_quantity_clear(&self->x_quantity);
  debye_quantity_clear(&self->y_quantity);
  g_bytes_unref(self->x);
  g_bytes_unref(self->y);
  g_clear_pointer(&self->errors, g_bytes_unref);
  g_clear_pointer(&self->resolution, g_bytes_unref);
  g_ptr_array_unref(self->warnings);
  G_OBJECT_CLASS(debye_curve_parent_class)->finalize(object);
}

static void
debye_curve_class_init(DebyeCurveClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_curve_finalize;
}

static void
debye_curve_init(DebyeCurve *self)
{
  self->warnings = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(self->warnings, NULL);
}

static gboolean
find_order(const double *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite(x[i]) || (i > 0 && x[i] < x[i - 1]))
      return FALSE;
  return TRUE;
}

DebyeCurve *
debye_curve_new_for_bytes(const char *name, const DebyeQuantity *x, const DebyeQuantity *y,
                          DebyeCurveStyle style, GBytes *x_values, GBytes *y_values, GBytes *errors)
{
  gsize size = g_bytes_get_size(x_values);
  g_return_val_if_fail(size % sizeof(double) == 0 && g_bytes_get_size(y_values) == size, NULL);
  g_return_val_if_fail(errors == NULL || g_bytes_get_size(errors) == size, NULL);
  DebyeCurve *self = g_object_new(DEBYE_TYPE_CURVE, NULL);
  self->name = g_utf8_make_valid(name != NULL ? name : "", -1);
  debye_quantity_copy(x, &self->x_quantity);
  debye_quantity_copy(y, &self->y_quantity);
  self->style = style;
  self->x = g_bytes_ref(x_values);
  self->y = g_bytes_ref(y_values);
  self->errors = errors != NULL ? g_bytes_ref(errors) : NULL;
  self->n = size / sizeof(double);
  self->ordered = find_order(debye_curve_get_x(self), self->n);
  return self;
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

const char *
debye_curve_get_name(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return self->name;
}

const DebyeQuantity *
debye_curve_get_x_quantity(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return &self->x_quantity;
}

const DebyeQuantity *
debye_curve_get_y_quantity(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return &self->y_quantity;
}

DebyeCurveStyle
debye_curve_get_style(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), DEBYE_CURVE_LINE);
  return self->style;
}

gsize
debye_curve_get_n_points(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), 0);
  return self->n;
}

const double *
debye_curve_get_x(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return g_bytes_get_data(self->x, NULL);
}

const double *
debye_curve_get_y(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return g_bytes_get_data(self->y, NULL);
}

const double *
debye_curve_get_errors(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return self->errors != NULL ? g_bytes_get_data(self->errors, NULL) : NULL;
}

const double *
debye_curve_get_resolution(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return self->resolution != NULL ? g_bytes_get_data(self->resolution, NULL) : NULL;
}

void
debye_curve_set_resolution(DebyeCurve *self, const double *values)
{
  g_clear_pointer(&self->resolution, g_bytes_unref);
  self->resolution = g_bytes_new(values, self->n * sizeof(double));
}

gboolean
debye_curve_is_ordered(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), FALSE);
  return self->ordered;
}

/* A copy that says what this one was told by its reader. */
static DebyeCurve *
derive(DebyeCurve *self, const char *name, const DebyeQuantity *x_quantity, DebyeCurveStyle style, GBytes *x,
       GBytes *resolution)
{
  DebyeCurve *other =
      debye_curve_new_for_bytes(name, x_quantity, &self->y_quantity, style, x, self->y, self->errors);
  other->resolution = resolution != NULL ? g_bytes_ref(resolution) : NULL;
  for (guint i = 0; i + 1 < self->warnings->len; i++)
    debye_curve_warn(other, "%s", (const char *)self->warnings->pdata[i]);
  return other;
}

DebyeCurve *
debye_curve_with_name(DebyeCurve *self, const char *name)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return derive(self, name, &self->x_quantity, self->style, self->x, self->resolution);
}

DebyeCurve *
debye_curve_with_style(DebyeCurve *self, DebyeCurveStyle style)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return derive(self, self->name, &self->x_quantity, style, self->x, self->resolution);
}

DebyeCurve *
debye_curve_with_x_quantity(DebyeCurve *self, const char *name, const char *unit)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  const DebyeQuantity quantity = {name, NULL, unit};
  return derive(self, self->name, &quantity, self->style, self->x, self->resolution);
}

static GBytes *
scale_values(GBytes *values, double factor)
{
  gsize size;
  const double *from = g_bytes_get_data(values, &size);
  double *scaled = g_malloc(MAX(size, 1));
  for (gsize i = 0; i < size / sizeof(double); i++)
    scaled[i] = from[i] * factor;
  return g_bytes_new_take(scaled, size);
}

DebyeCurve *
debye_curve_with_x_unit(DebyeCurve *self, const char *unit)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self) && unit != NULL, NULL);
  double factor;
  if (!debye_unit_get_factor(self->x_quantity.unit, unit, &factor))
    return NULL;
  DebyeQuantity quantity = self->x_quantity;
  quantity.unit = unit;
  if (factor == 1.0)
    return derive(self, self->name, &quantity, self->style, self->x, self->resolution);
  g_autoptr(GBytes) x = scale_values(self->x, factor);
  g_autoptr(GBytes) resolution = self->resolution != NULL ? scale_values(self->resolution, factor) : NULL;
  return derive(self, self->name, &quantity, self->style, x, resolution);
}

const char *const *
debye_curve_get_warnings(DebyeCurve *self)
{
  g_return_val_if_fail(DEBYE_IS_CURVE(self), NULL);
  return (const char *const *)self->warnings->pdata;
}

void
debye_curve_warn(DebyeCurve *self, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_ptr_array_insert(self->warnings, (int)self->warnings->len - 1, g_strdup_vprintf(format, arguments));
  va_end(arguments);
}
