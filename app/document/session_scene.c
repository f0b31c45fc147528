/* SPDX-License-Identifier: MIT */
/* Saves and loads a session's scene, camera and look; called by the window and session_picture.c. */
#include "session_scene.h"

#include "camera_file.h"
#include "json_reader.h"
#include "scene_values.h"

#define MAX_VIEWS 1000

/* Numbers of the look, each with what it may be. */
static const struct {
  const char *key;
  gsize offset, count;
  double low, high;
} look_numbers[] = {
    {"background", G_STRUCT_OFFSET(DebyeLook, background), 4, 0.0, 1.0},
    {"depth-cue", G_STRUCT_OFFSET(DebyeLook, depth_cue), 1, 0.0, 1.0},
    {"outline", G_STRUCT_OFFSET(DebyeLook, outline), 1, 0.0, 1.0},
    {"ambient-occlusion", G_STRUCT_OFFSET(DebyeLook, ambient_occlusion), 1, 0.0, 1.0},
};
static const struct {
  const char *key;
  gsize offset;
} look_switches[] = {
    {"legend", G_STRUCT_OFFSET(DebyeLook, legend)},
    {"axes", G_STRUCT_OFFSET(DebyeLook, axes)},
    {"scale-bar", G_STRUCT_OFFSET(DebyeLook, scale_bar)},
};
static const struct {
  const char *key;
  gsize offset;
} look_places[] = {
    {"legend-place", G_STRUCT_OFFSET(DebyeLook, legend_place)},
    {"axes-place", G_STRUCT_OFFSET(DebyeLook, axes_place)},
    {"scale-bar-place", G_STRUCT_OFFSET(DebyeLook, scale_bar_place)},
};

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

static GVariant *
save_look(const DebyeLook *look)
{
  GVariantDict dict;
  g_variant_dict_init(&dict, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(look_numbers); i++)
    g_variant_dict_insert_value(
        &dict, look_numbers[i].key,
        debye_scene_values_save(G_STRUCT_MEMBER_P(look, look_numbers[i].offset), look_numbers[i].count));
  for (gsize i = 0; i < G_N_ELEMENTS(look_switches); i++)
    g_variant_dict_insert(&dict, look_switches[i].key, "b",
                          G_STRUCT_MEMBER(gboolean, look, look_switches[i].offset));
  for (gsize i = 0; i < G_N_ELEMENTS(look_places); i++) {
    const DebyeLookPlace place = G_STRUCT_MEMBER(DebyeLookPlace, look, look_places[i].offset);
    if (place != DEBYE_PLACE_USUAL)
      g_variant_dict_insert(&dict, look_places[i].key, "x", (gint64)place);
  }
  g_variant_dict_insert(&dict, "font-size", "d", look->font_size);
  return g_variant_dict_end(&dict);
}

static void
load_look(GVariant *saved, DebyeLook *look)
{
  double size;
  for (gsize i = 0; i < G_N_ELEMENTS(look_numbers); i++)
    debye_scene_values_load(saved, look_numbers[i].key, look_numbers[i].low, look_numbers[i].high,
                            G_STRUCT_MEMBER_P(look, look_numbers[i].offset), look_numbers[i].count);
  for (gsize i = 0; i < G_N_ELEMENTS(look_switches); i++) {
    g_autoptr(GVariant) on = debye_json_get(saved, look_switches[i].key, G_VARIANT_TYPE_BOOLEAN);
    if (on != NULL)
      G_STRUCT_MEMBER(gboolean, look, look_switches[i].offset) = g_variant_get_boolean(on);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(look_places); i++) {
    const gint64 place = debye_json_get_integer(saved, look_places[i].key, DEBYE_PLACE_USUAL);
    if (place > DEBYE_PLACE_USUAL && place <= DEBYE_PLACE_BOTTOM_RIGHT)
      G_STRUCT_MEMBER(DebyeLookPlace, look, look_places[i].offset) = (DebyeLookPlace)place;
  }
  if (debye_json_get_number(saved, "font-size", &size) && size >= 4.0 && size <= 100.0)
    look->font_size = size;
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
  g_variant_dict_insert_value(&dict, "look", save_look(debye_scene_get_look(scene)));
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
    load_look(look, debye_scene_get_look(scene));
  g_autoptr(GVariant) views = debye_json_get(saved, "views", G_VARIANT_TYPE("av"));
  load_views(views, debye_scene_get_views(scene));
  gboolean has_camera = camera != NULL && debye_camera_load(camera, debye_scene_get_camera(scene));
  debye_scene_changed(scene);
  return has_camera;
}
