/* SPDX-License-Identifier: MIT */
/* Saves and loads a session's scene, camera and look; called by the window and session_picture.c. */
#include "session_scene.h"

#include "camera_file.h"
#include "json_reader.h"
#include "render/scene/look_settings.h"
#include "scene_values.h"

#define MAX_VIEWS 1000

/* --- Views --- */

static GVariant *
save_views(GArray *views)
{
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (guint i = 0; i < views->len; i++)
    g_variant_builder_add(&builder, "v", debye_camera_save(&g_array_index(views, DebyeCamera, i)));
  return g_variant_builder_end(&builder);
}

/* What is no camera is left out. */
static void
load_views(GVariant *saved, GArray *views)
{
  gsize n_views = saved != NULL ? MIN(g_variant_n_children(saved), MAX_VIEWS) : 0;
  g_array_set_size(views, 0);
  for (gsize i = 0; i < n_views; i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(saved, i);
    g_autoptr(GVariant) entry = g_variant_get_variant(boxed);
    DebyeCamera camera;
    debye_camera_init(&camera);
    if (g_variant_is_of_type(entry, G_VARIANT_TYPE_VARDICT) && debye_camera_load(entry, &camera))
      g_array_append_val(views, camera);
  }
}

/* --- Look --- */

/* As its row of the table says; NULL: it isn't kept, since it is the usual place. */
static GVariant *
save_look_value(const DebyeLookSetting *setting, gconstpointer value)
{
  switch (setting->option.kind) {
  case DEBYE_SETTING_NUMBER:
    return debye_scene_values_save(value, 1);
  case DEBYE_SETTING_BOOLEAN:
    return g_variant_new_boolean(*(const gboolean *)value);
  case DEBYE_SETTING_CHOICE:
    return *(const int *)value != 0 ? g_variant_new_int64(*(const int *)value) : NULL;
  default:
    return debye_scene_values_save(value, 4);
  }
}

/* The keys of what a person set, which stays when the appearance changes. */
static GVariant *
save_own(const DebyeLook *look)
{
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
  for (gsize i = 0; i < n_settings; i++)
    if ((look->own >> i & 1) != 0)
      g_variant_builder_add(&builder, "v", g_variant_new_string(settings[i].option.key));
  return g_variant_builder_end(&builder);
}

static GVariant *
save_look(DebyeScene *scene)
{
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (gsize i = 0; i < n_settings; i++) {
    GVariant *value = settings[i].of_camera
                          ? NULL
                          : save_look_value(&settings[i], debye_look_setting_find(&settings[i], scene));
    if (value != NULL)
      g_variant_dict_insert_value(&dict, settings[i].option.key, value);
  }
  g_variant_dict_insert(&dict, "font-size", "d", debye_scene_get_look(scene)->font_size);
  g_variant_dict_insert_value(&dict, "own", save_own(debye_scene_get_look(scene)));
  return g_variant_dict_end(&dict);
}

/* The number of one of the choices, as the look has it. */
static gboolean
is_choice(const DebyeSetting *option, gint64 number)
{
  for (int i = 0; option->choices[i].value != NULL; i++)
    if (number == (option->choice_numbers != NULL ? option->choice_numbers[i] : i))
      return TRUE;
  return FALSE;
}

static void
load_look_value(GVariant *saved, const DebyeSetting *option, gpointer value)
{
  if (option->kind == DEBYE_SETTING_NUMBER) {
    debye_scene_values_load(saved, option->key, option->minimum, option->maximum, value, 1);
  } else if (option->kind == DEBYE_SETTING_BOOLEAN) {
    g_autoptr(GVariant) on = debye_json_get(saved, option->key, G_VARIANT_TYPE_BOOLEAN);
    if (on != NULL)
      *(gboolean *)value = g_variant_get_boolean(on);
  } else if (option->kind == DEBYE_SETTING_CHOICE) {
    const gint64 number = debye_json_get_integer(saved, option->key, -1);
    if (is_choice(option, number))
      *(int *)value = (int)number;
  } else {
    debye_scene_values_load(saved, option->key, 0.0, 1.0, value, 4);
  }
}

/* What is no key is left out. */
static void
load_own(GVariant *saved, DebyeLook *look)
{
  g_autoptr(GVariant) own = debye_json_get(saved, "own", G_VARIANT_TYPE("av"));
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  for (gsize i = 0; own != NULL && i < g_variant_n_children(own); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(own, i);
    g_autoptr(GVariant) key = g_variant_get_variant(boxed);
    const DebyeLookSetting *setting = g_variant_is_of_type(key, G_VARIANT_TYPE_STRING)
                                          ? debye_look_setting_find_key(g_variant_get_string(key, NULL))
                                          : NULL;
    if (setting != NULL)
      look->own |= 1u << (setting - settings);
  }
}

static void
load_look(GVariant *saved, DebyeScene *scene)
{
  double size;
  gsize n_settings;
  const DebyeLookSetting *settings = debye_look_settings(&n_settings);
  for (gsize i = 0; i < n_settings; i++)
    if (!settings[i].of_camera)
      load_look_value(saved, &settings[i].option, debye_look_setting_find(&settings[i], scene));
  if (debye_json_get_number(saved, "font-size", &size) && size >= 4.0 && size <= 100.0)
    debye_scene_get_look(scene)->font_size = size;
  load_own(saved, debye_scene_get_look(scene));
}

/* --- The whole --- */

GVariant *
debye_session_scene_save(DebyeScene *scene, GPtrArray *layers, GPtrArray *maps)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  g_variant_dict_insert_value(&dict, "camera", debye_camera_save(debye_scene_get_camera(scene)));
  if (debye_scene_get_views(scene)->len > 0)
    g_variant_dict_insert_value(&dict, "views", save_views(debye_scene_get_views(scene)));
  g_variant_dict_insert_value(&dict, "look", save_look(scene));
  g_variant_dict_insert_value(&dict, "layers", debye_session_layers_save(layers, maps));
  return g_variant_dict_end(&dict);
}

/* Of a layer that is a box. */
static gint64
load_placing(GVariant *entry)
{
  g_autofree char *kind = debye_json_get_text(entry, "kind");
  g_autoptr(GVariant) properties = debye_json_get(entry, "properties", G_VARIANT_TYPE_VARDICT);
  gint64 placing = g_strcmp0(kind, "box") == 0 && properties != NULL
                       ? debye_json_get_integer(properties, "molecules", DEBYE_PLACING_FILE)
                       : DEBYE_PLACING_FILE;
  return placing >= 0 && placing <= DEBYE_LAST_PLACING ? placing : DEBYE_PLACING_FILE;
}

DebyePlacing
debye_session_scene_find_placing(GVariant *saved)
{
  g_autoptr(GVariant) layers = debye_json_get(saved, "layers", G_VARIANT_TYPE("av"));
  gint64 placing = DEBYE_PLACING_FILE;
  for (gsize i = 0; layers != NULL && i < g_variant_n_children(layers); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(layers, i);
    g_autoptr(GVariant) entry = g_variant_get_variant(boxed);
    if (g_variant_is_of_type(entry, G_VARIANT_TYPE_VARDICT))
      placing = MAX(placing, load_placing(entry));
  }
  return (DebyePlacing)placing;
}

/* FALSE of a layer that is no alignment, or hidden. */
static gboolean
load_alignment(GVariant *entry, DebyeAlignment *alignment)
{
  g_autofree char *kind = debye_json_get_text(entry, "kind");
  g_autoptr(GVariant) properties = debye_json_get(entry, "properties", G_VARIANT_TYPE_VARDICT);
  if (g_strcmp0(kind, "alignment") != 0 || properties == NULL)
    return FALSE;
  g_autoptr(GVariant) visible = debye_json_get(properties, "visible", G_VARIANT_TYPE_BOOLEAN);
  g_autoptr(GVariant) by_mass = debye_json_get(properties, "by-mass", G_VARIANT_TYPE_BOOLEAN);
  if (visible != NULL && !g_variant_get_boolean(visible))
    return FALSE;
  *alignment = (DebyeAlignment){.atoms = debye_json_get_text(properties, "atoms"),
                                .reference = debye_json_get_text(properties, "reference"),
                                .by_mass = by_mass != NULL && g_variant_get_boolean(by_mass)};
  if (alignment->atoms == NULL)
    alignment->atoms = g_strdup("solute");
  return TRUE;
}

void
debye_session_scene_find_alignment(GVariant *saved, DebyeAlignment *alignment)
{
  g_autoptr(GVariant) layers = debye_json_get(saved, "layers", G_VARIANT_TYPE("av"));
  *alignment = (DebyeAlignment){0};
  for (gsize i = 0; layers != NULL && i < g_variant_n_children(layers); i++) {
    g_autoptr(GVariant) boxed = g_variant_get_child_value(layers, i);
    g_autoptr(GVariant) entry = g_variant_get_variant(boxed);
    if (g_variant_is_of_type(entry, G_VARIANT_TYPE_VARDICT) && load_alignment(entry, alignment))
      return;
  }
}

GPtrArray *
debye_session_scene_load_layers(GVariant *saved, const DebyeSessionSource *source, GPtrArray *warnings)
{
  g_autoptr(GVariant) layers = debye_json_get(saved, "layers", G_VARIANT_TYPE("av"));
  return debye_session_layers_load(layers, source, warnings);
}

gboolean
debye_session_scene_load_view(GVariant *saved, DebyeScene *scene)
{
  g_autoptr(GVariant) look = debye_json_get(saved, "look", G_VARIANT_TYPE_VARDICT);
  g_autoptr(GVariant) camera = debye_json_get(saved, "camera", G_VARIANT_TYPE_VARDICT);
  if (look != NULL)
    load_look(look, scene);
  g_autoptr(GVariant) views = debye_json_get(saved, "views", G_VARIANT_TYPE("av"));
  load_views(views, debye_scene_get_views(scene));
  gboolean has_camera = camera != NULL && debye_camera_load(camera, debye_scene_get_camera(scene));
  debye_scene_changed(scene);
  return has_camera;
}
