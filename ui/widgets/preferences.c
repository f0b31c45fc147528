/* SPDX-License-Identifier: MIT */
/* The user's preferences, kept in GSettings; read by the program and set by preferences_window.c. */
#include "preferences.h"

#define SCHEMA "org.debye.Debye"
#define MAXIMUM_RECENT 8

struct _DebyePreferences {
  GObject parent_instance;
  GSettings *settings; /* NULL: no schema installed */
  double temperature;
  char *unit, *appearance, *color_scheme, *device, *memory, *mouse, *look;
  int threads, window_width, window_height;
  gboolean window_maximized;
  GVariant *recent;
};

enum {
  PROPERTY_TEMPERATURE = 1,
  PROPERTY_UNIT,
  PROPERTY_APPEARANCE,
  PROPERTY_COLOR_SCHEME,
  PROPERTY_DEVICE,
  PROPERTY_MEMORY,
  PROPERTY_MOUSE,
  PROPERTY_LOOK,
  PROPERTY_THREADS,
  PROPERTY_WINDOW_WIDTH,
  PROPERTY_WINDOW_HEIGHT,
  PROPERTY_WINDOW_MAXIMIZED,
  N_PROPERTIES
};
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE(DebyePreferences, debye_preferences, G_TYPE_OBJECT)

/* GSettings ends the program on a schema that isn't there, so it is asked for first. */
static GSettings *
open_settings(void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default();
  g_autoptr(GSettingsSchema) schema =
      source != NULL ? g_settings_schema_source_lookup(source, SCHEMA, TRUE) : NULL;
  return schema != NULL ? g_settings_new_full(schema, NULL, NULL) : NULL;
}

DebyePreferences *
debye_preferences_new(void)
{
  return g_object_new(DEBYE_TYPE_PREFERENCES, NULL);
}

GVariant *
debye_preferences_get_recent(DebyePreferences *self)
{
  g_return_val_if_fail(DEBYE_IS_PREFERENCES(self), NULL);
  return self->recent;
}

static void
set_recent(DebyePreferences *self, GVariant *recent)
{
  g_variant_unref(self->recent);
  self->recent = g_variant_ref_sink(recent);
  if (self->settings != NULL)
    g_settings_set_value(self->settings, "recent", self->recent);
  g_signal_emit_by_name(self, "recent-changed");
}

void
debye_preferences_add_recent(DebyePreferences *self, const char *const *paths)
{
  g_return_if_fail(DEBYE_IS_PREFERENCES(self));
  GVariantBuilder builder;
  g_autoptr(GVariant) first = g_variant_ref_sink(g_variant_new_strv(paths, -1));
  g_variant_builder_init(&builder, G_VARIANT_TYPE("aas"));
  g_variant_builder_add_value(&builder, first);
  for (gsize i = 0, n = 1; i < g_variant_n_children(self->recent) && n < MAXIMUM_RECENT; i++) {
    g_autoptr(GVariant) old = g_variant_get_child_value(self->recent, i);
    if (g_variant_equal(old, first))
      continue;
    g_variant_builder_add_value(&builder, old);
    n++;
  }
  set_recent(self, g_variant_builder_end(&builder));
}

void
debye_preferences_remove_recent(DebyePreferences *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_PREFERENCES(self) && path != NULL);
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("aas"));
  for (gsize i = 0; i < g_variant_n_children(self->recent); i++) {
    g_autoptr(GVariant) entry = g_variant_get_child_value(self->recent, i);
    g_autofree const char **paths = g_variant_get_strv(entry, NULL);
    if (!g_strv_contains(paths, path))
      g_variant_builder_add_value(&builder, entry);
  }
  set_recent(self, g_variant_builder_end(&builder));
}

/* --- Properties --- */

static char **
string_field(DebyePreferences *self, guint id)
{
  switch (id) {
  case PROPERTY_UNIT:
    return &self->unit;
  case PROPERTY_APPEARANCE:
    return &self->appearance;
  case PROPERTY_COLOR_SCHEME:
    return &self->color_scheme;
  case PROPERTY_MEMORY:
    return &self->memory;
  case PROPERTY_MOUSE:
    return &self->mouse;
  case PROPERTY_LOOK:
    return &self->look;
  default:
    return &self->device;
  }
}

static void
debye_preferences_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec G_GNUC_UNUSED)
{
  DebyePreferences *self = DEBYE_PREFERENCES(object);
  switch (id) {
  case PROPERTY_TEMPERATURE:
    g_value_set_double(value, self->temperature);
    break;
  case PROPERTY_THREADS:
    g_value_set_int(value, self->threads);
    break;
  case PROPERTY_WINDOW_WIDTH:
    g_value_set_int(value, self->window_width);
    break;
  case PROPERTY_WINDOW_HEIGHT:
    g_value_set_int(value, self->window_height);
    break;
  case PROPERTY_WINDOW_MAXIMIZED:
    g_value_set_boolean(value, self->window_maximized);
    break;
  default:
    g_value_set_string(value, *string_field(self, id));
  }
}

static void
debye_preferences_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec G_GNUC_UNUSED)
{
  DebyePreferences *self = DEBYE_PREFERENCES(object);
  switch (id) {
  case PROPERTY_TEMPERATURE:
    self->temperature = g_value_get_double(value);
    break;
  case PROPERTY_THREADS:
    self->threads = g_value_get_int(value);
    break;
  case PROPERTY_WINDOW_WIDTH:
    self->window_width = g_value_get_int(value);
    break;
  case PROPERTY_WINDOW_HEIGHT:
    self->window_height = g_value_get_int(value);
    break;
  case PROPERTY_WINDOW_MAXIMIZED:
    self->window_maximized = g_value_get_boolean(value);
    break;
  default:
    g_free(*string_field(self, id));
    *string_field(self, id) = g_value_dup_string(value);
  }
}

static void
install_properties(GObjectClass *class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS;
  properties[PROPERTY_TEMPERATURE] = g_param_spec_double("temperature", NULL, NULL, 0.001, 1e6, 300.0, flags);
  properties[PROPERTY_UNIT] = g_param_spec_string("unit", NULL, NULL, "kT/e", flags);
  properties[PROPERTY_APPEARANCE] = g_param_spec_string("appearance", NULL, NULL, "screen", flags);
  properties[PROPERTY_COLOR_SCHEME] = g_param_spec_string("color-scheme", NULL, NULL, "system", flags);
  properties[PROPERTY_DEVICE] = g_param_spec_string("device", NULL, NULL, "auto", flags);
  properties[PROPERTY_MEMORY] = g_param_spec_string("memory", NULL, NULL, "", flags);
  properties[PROPERTY_MOUSE] = g_param_spec_string("mouse", NULL, NULL, "debye", flags);
  properties[PROPERTY_LOOK] = g_param_spec_string("look", NULL, NULL, "", flags);
  properties[PROPERTY_THREADS] = g_param_spec_int("threads", NULL, NULL, 0, 4096, 0, flags);
  properties[PROPERTY_WINDOW_WIDTH] = g_param_spec_int("window-width", NULL, NULL, 1, G_MAXINT, 1280, flags);
  properties[PROPERTY_WINDOW_HEIGHT] = g_param_spec_int("window-height", NULL, NULL, 1, G_MAXINT, 800, flags);
  properties[PROPERTY_WINDOW_MAXIMIZED] = g_param_spec_boolean("window-maximized", NULL, NULL, FALSE, flags);
  g_object_class_install_properties(class, N_PROPERTIES, properties);
}

static void
debye_preferences_constructed(GObject *object)
{
  DebyePreferences *self = DEBYE_PREFERENCES(object);
  G_OBJECT_CLASS(debye_preferences_parent_class)->constructed(object);
  self->settings = open_settings();
  if (self->settings == NULL)
    return;
  for (guint id = PROPERTY_TEMPERATURE; id < N_PROPERTIES; id++) {
    const char *name = properties[id]->name;
    g_settings_bind(self->settings, name, self, name, G_SETTINGS_BIND_DEFAULT);
  }
  g_variant_unref(self->recent);
  self->recent = g_settings_get_value(self->settings, "recent");
}

static void
debye_preferences_finalize(GObject *object)
{
  DebyePreferences *self = DEBYE_PREFERENCES(object);
  g_clear_object(&self->settings);
  g_free(self->unit);
  g_free(self->appearance);
  g_free(self->color_scheme);
  g_free(self->device);
  g_free(self->memory);
  g_free(self->mouse);
  g_free(self->look);
  g_variant_unref(self->recent);
  G_OBJECT_CLASS(debye_preferences_parent_class)->finalize(object);
}

static void
debye_preferences_class_init(DebyePreferencesClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  object_class->get_property = debye_preferences_get_property;
  object_class->set_property = debye_preferences_set_property;
  object_class->constructed = debye_preferences_constructed;
  object_class->finalize = debye_preferences_finalize;
  install_properties(object_class);
  g_signal_new("recent-changed", DEBYE_TYPE_PREFERENCES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
               0);
}

static void
debye_preferences_init(DebyePreferences *self)
{
  self->recent = g_variant_ref_sink(g_variant_new_array(G_VARIANT_TYPE("as"), NULL, 0));
}
