/* SPDX-License-Identifier: MIT */
/* Values over axes in memory; curve.h, matrix.h and field.h look at them as what they are. */
#include "array_private.h"
#include "data/messages/message.h"

#include <math.h>

const char *const debye_array_attributes[DEBYE_ARRAY_N_ATTRIBUTES] = {
    [DEBYE_ARRAY_STYLE] = "style",
    [DEBYE_ARRAY_MEDIUM] = "medium",
    [DEBYE_ARRAY_UNFITTED] = "unfitted_name",
    [DEBYE_ARRAY_KIND] = "map_kind",
    [DEBYE_ARRAY_OF] = "quantity_of",
    [DEBYE_ARRAY_NAMING] = "names_quantity",
};

typedef struct {
  DebyeArrayContent content;
  gboolean is_ordered;
  GPtrArray *warnings; /* char *, NULL-terminated */
} DebyeArrayPrivate;

G_DEFINE_TYPE_WITH_PRIVATE(DebyeArray, debye_array, G_TYPE_OBJECT)

static DebyeArrayPrivate *
get_private(DebyeArray *self)
{
  return debye_array_get_instance_private(self);
}

void
debye_array_content_clear(DebyeArrayContent *content)
{
  for (guint i = 0; i < content->n_axes; i++) {
    debye_quantity_clear(&content->axes[i].quantity);
    g_clear_pointer(&content->axes[i].values, g_bytes_unref);
  }
  for (guint i = 0; i < DEBYE_ARRAY_N_ATTRIBUTES; i++)
    g_free((char *)content->attributes[i]);
  debye_quantity_clear(&content->quantity);
  g_clear_pointer(&content->values, g_bytes_unref);
  g_clear_pointer(&content->errors, g_bytes_unref);
  g_clear_pointer(&content->resolution, g_bytes_unref);
  g_free((char *)content->name);
}

static void
debye_array_finalize(GObject *object)
{
  DebyeArrayPrivate *private = get_private(DEBYE_ARRAY(object));
  debye_array_content_clear(&private->content);
  g_ptr_array_unref(private->warnings);
  G_OBJECT_CLASS(debye_array_parent_class)->finalize(object);
}

static void
debye_array_class_init(DebyeArrayClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_array_finalize;
}

static void
debye_array_init(DebyeArray *self)
{
  get_private(self)->warnings = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(get_private(self)->warnings, NULL);
}

static gboolean
find_order(const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite(values[i]) || (i > 0 && values[i] < values[i - 1]))
      return FALSE;
  return TRUE;
}

/* Floats or doubles, and as many errors. */
static gboolean
is_whole(const DebyeArrayContent *content)
{
  gsize n = 1, size = g_bytes_get_size(content->values);
  for (guint i = 0; i < content->n_axes; i++)
    n *= g_bytes_get_size(content->axes[i].values) / sizeof(double);
  return (size == n * sizeof(float) || size == n * sizeof(double)) &&
         (content->errors == NULL || g_bytes_get_size(content->errors) == n * sizeof(double)) &&
         (content->resolution == NULL || g_bytes_get_size(content->resolution) == n * sizeof(double));
}

DebyeArray *
debye_array_new_of_type(GType type, const DebyeArrayContent *content)
{
  g_return_val_if_fail(content->n_axes >= 1 && content->n_axes <= DEBYE_ARRAY_AXES && is_whole(content),
                       NULL);
  DebyeArray *self = g_object_new(type, NULL);
  DebyeArrayContent *own = &get_private(self)->content;
  *own = (DebyeArrayContent){.name = g_utf8_make_valid(content->name != NULL ? content->name : "", -1),
                             .n_axes = content->n_axes,
                             .values = g_bytes_ref(content->values),
                             .errors = content->errors != NULL ? g_bytes_ref(content->errors) : NULL,
                             .resolution =
                                 content->resolution != NULL ? g_bytes_ref(content->resolution) : NULL};
  debye_quantity_copy(&content->quantity, &own->quantity);
  for (guint i = 0; i < content->n_axes; i++) {
    debye_quantity_copy(&content->axes[i].quantity, &own->axes[i].quantity);
    own->axes[i].values = g_bytes_ref(content->axes[i].values);
  }
  for (guint i = 0; i < DEBYE_ARRAY_N_ATTRIBUTES; i++)
    debye_array_set_attribute(self, (DebyeArrayAttribute)i, content->attributes[i]);
  get_private(self)->is_ordered = find_order(debye_array_get_axis(self, 0), debye_array_get_length(self, 0));
  return self;
}

DebyeArray *
debye_array_new(const DebyeArrayContent *content)
{
  return debye_array_new_of_type(DEBYE_TYPE_ARRAY, content);
}

void
debye_array_set_attribute(DebyeArray *self, DebyeArrayAttribute attribute, const char *text)
{
  const char **own = &get_private(self)->content.attributes[attribute];
  char *copy = text != NULL ? g_utf8_make_valid(text, -1) : NULL;
  g_free((char *)*own);
  *own = copy;
}

void
debye_array_set_axis_unit(DebyeArray *self, const char *unit)
{
  DebyeArrayContent *content = &get_private(self)->content;
  for (guint i = 0; i < content->n_axes; i++) {
    DebyeQuantity old = content->axes[i].quantity;
    debye_quantity_copy(&(DebyeQuantity){old.name, old.label, unit}, &content->axes[i].quantity);
    debye_quantity_clear(&old);
  }
}

void
debye_array_set_resolution(DebyeArray *self, const double *values)
{
  DebyeArrayContent *content = &get_private(self)->content;
  g_clear_pointer(&content->resolution, g_bytes_unref);
  content->resolution = g_bytes_new(values, debye_array_get_length(self, 0) * sizeof(double));
}

void
debye_array_warn(DebyeArray *self, const char *format, ...)
{
  GPtrArray *warnings = get_private(self)->warnings;
  va_list arguments;
  va_start(arguments, format);
  g_ptr_array_insert(warnings, (int)warnings->len - 1, debye_say_valist(format, arguments));
  va_end(arguments);
}

const DebyeArrayContent *
debye_array_get_content(DebyeArray *self)
{
  g_return_val_if_fail(DEBYE_IS_ARRAY(self), NULL);
  return &get_private(self)->content;
}

gboolean
debye_array_has_axes(gpointer object, guint n_axes)
{
  return DEBYE_IS_ARRAY(object) && debye_array_get_content(DEBYE_ARRAY(object))->n_axes == n_axes;
}

gsize
debye_array_get_length(DebyeArray *self, guint axis)
{
  return g_bytes_get_size(debye_array_get_content(self)->axes[axis].values) / sizeof(double);
}

gsize
debye_array_get_n_values(DebyeArray *self)
{
  gsize n = 1;
  for (guint i = 0; i < debye_array_get_content(self)->n_axes; i++)
    n *= debye_array_get_length(self, i);
  return n;
}

const double *
debye_array_get_axis(DebyeArray *self, guint axis)
{
  return g_bytes_get_data(debye_array_get_content(self)->axes[axis].values, NULL);
}

const double *
debye_array_get_values(DebyeArray *self)
{
  return g_bytes_get_data(debye_array_get_content(self)->values, NULL);
}

const double *
debye_array_get_errors(DebyeArray *self)
{
  GBytes *errors = debye_array_get_content(self)->errors;
  return errors != NULL ? g_bytes_get_data(errors, NULL) : NULL;
}

const double *
debye_array_get_resolution(DebyeArray *self)
{
  GBytes *resolution = debye_array_get_content(self)->resolution;
  return resolution != NULL ? g_bytes_get_data(resolution, NULL) : NULL;
}

gboolean
debye_array_is_ordered(DebyeArray *self)
{
  g_return_val_if_fail(DEBYE_IS_ARRAY(self), FALSE);
  return get_private(self)->is_ordered;
}

const char *const *
debye_array_get_warnings(DebyeArray *self)
{
  g_return_val_if_fail(DEBYE_IS_ARRAY(self), NULL);
  return (const char *const *)get_private(self)->warnings->pdata;
}
