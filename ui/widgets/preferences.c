/* SPDX-License-Identifier: MIT */
/* The user's preferences, kept in GSettings; read by the program and set by preferences_window.c. */
#include "preferences.h"

#include <string.h>

#define SCHEMA "org.debye.Debye"
#define MAXIMUM_RECENT 8

#define N_PROPERTIES 13 /* with 0, which is the number of none */

static GParamSpec *properties[N_PROPERTIES];

struct _DebyePreferences {
  GObject parent_instance;
  GSettings *settings;         /* NULL: no schema installed */
  GValue values[N_PROPERTIES]; /* of the properties */
  GVariant *recent;
};

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

static void
debye_preferences_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec G_GNUC_UNUSED)
{
  g_value_copy(&DEBYE_PREFERENCES(object)->values[id], value);
}

/* All are set when the object is made. */
static void
debye_preferences_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GValue *kept = &DEBYE_PREFERENCES(object)->values[id];
  if (!G_IS_VALUE(kept))
    g_value_init(kept, spec->value_type);
  g_value_copy(value, kept);
}

static void
install_properties(GObjectClass *class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS;
  GParamSpec *const all[N_PROPERTIES] = {
      NULL,
      g_param_spec_double("temperature", NULL, NULL, 0.001, 1e6, 300.0, flags),
      g_param_spec_string("unit", NULL, NULL, "kT/e", flags),
      g_param_spec_string("appearance", NULL, NULL, "screen", flags),
      g_param_spec_string("color-scheme", NULL, NULL, "system", flags),
      g_param_spec_string("device", NULL, NULL, "auto", flags),
      g_param_spec_string("memory", NULL, NULL, "", flags),
      g_param_spec_string("mouse", NULL, NULL, "debye", flags),
      g_param_spec_string("look", NULL, NULL, "", flags),
      g_param_spec_int("threads", NULL, NULL, 0, 4096, 0, flags),
      g_param_spec_int("window-width", NULL, NULL, 1, G_MAXINT, 1280, flags),
      g_param_spec_int("window-height", NULL, NULL, 1, G_MAXINT, 800, flags),
      g_param_spec_boolean("window-maximized", NULL, NULL, FALSE, flags),
  };
  memcpy(properties, all, sizeof all);
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
  for (guint id = 1; id < N_PROPERTIES; id++) {
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
  for (guint id = 1; id < N_PROPERTIES; id++)
    g_value_unset(&self->values[id]);
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
