/* SPDX-License-Identifier: MIT */
/* The scene of one window: its layers, look and shown frame; made by window_opening.c. */
#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/scene/kept_look.h"
#include "app/scene/layer_selection.h"
#include "app/document/map_file.h"
#include "app/scene/scene_builder.h"
#include "app/document/session_save.h"
#include "app/document/session_scene.h"
#include "render/layers/alignment_layer.h"
#include "render/layers/measurement_layer.h"
#include "render/scene/look_settings.h"
#include "window_scene_private.h"

#define MOST_STILL_SAMPLES 64 /* more of them nobody sees */

G_DEFINE_FINAL_TYPE(DebyeWindowScene, debye_window_scene, G_TYPE_OBJECT)

/* --- Look --- */

static void
update_look(DebyeWindowScene *self)
{
  g_autofree char *appearance = NULL;
  g_object_get(self->preferences, "appearance", &appearance, NULL);
  debye_look_settings_change_preset(self->scene, appearance,
                                    adw_style_manager_get_dark(adw_style_manager_get_default()));
}

/* --- The look that the next scene begins with --- */

#define LOOK_DELAY 300 /* ms: a slider passes many values */

static gboolean
keep_look(DebyeWindowScene *self)
{
  g_autofree char *kept = NULL;
  g_object_get(self->preferences, "look", &kept, NULL);
  g_autofree char *changed = debye_kept_look_update(kept, self->scene, self->edited_look);
  if (g_strcmp0(kept, changed) != 0)
    g_object_set(self->preferences, "look", changed, NULL);
  self->look_timer = 0;
  return G_SOURCE_REMOVE;
}

/* After what was set by hand, and what an undo of it brings back. What a session brings along is not kept. */
static void
on_scene_changed(DebyeWindowScene *self)
{
  if (self->edited_look != 0 && self->look_timer == 0)
    self->look_timer = g_timeout_add(LOOK_DELAY, G_SOURCE_FUNC(keep_look), self);
}

static void
on_edit_look(DebyeWindowScene *self, const DebyeLookSetting *setting)
{
  gsize n_settings;
  self->edited_look |= 1u << (setting - debye_look_settings(&n_settings));
}

/* All that is kept, also what another window or an earlier file set. */
static void
on_reset_look(DebyeWindowScene *self, gboolean begins)
{
  self->edited_look = G_MAXUINT32;
  if (!begins)
    on_scene_changed(self);
}

/* A session has its own look. */
static void
begin_look(DebyeWindowScene *self)
{
  g_autofree char *kept = NULL;
  g_object_get(self->preferences, "look", &kept, NULL);
  if (debye_document_get_scene(self->document) == NULL)
    debye_kept_look_apply(kept, self->scene);
  g_signal_connect_object(self->scene, "edit-look", G_CALLBACK(on_edit_look), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->scene, "reset-look", G_CALLBACK(on_reset_look), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->scene, "changed", G_CALLBACK(on_scene_changed), self, G_CONNECT_SWAPPED);
}

/* --- Frames --- */

static void
show_frame(DebyeWindowScene *self, DebyeLayer *layer, DebyeFrame *frame)
{
  if (!debye_window_scene_follows_frames(layer))
    return;
  debye_layer_show_frame(layer, frame);
  if (DEBYE_IS_MOLECULE_LAYER(layer))
    debye_layer_selection_follow(DEBYE_MOLECULE_LAYER(layer), debye_document_get_topology(self->document),
                                 frame);
}

DebyeFrame *
debye_window_scene_get_frame(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->frame;
}

DebyeFrame *
debye_window_scene_get_file_frame(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->file_frame;
}

void
debye_window_scene_set_frame(DebyeWindowScene *self, DebyeFrame *file_frame, DebyeFrame *placed)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  GListModel *layers = debye_scene_get_layers(self->scene);
  g_clear_pointer(&self->frame, debye_frame_unref);
  g_clear_pointer(&self->file_frame, debye_frame_unref);
  self->frame = debye_frame_ref(placed);
  self->file_frame = debye_frame_ref(file_frame);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    show_frame(self, layer, placed);
  }
}

/* --- Layers by hand --- */

static DebyeSceneSource
get_source(DebyeWindowScene *self)
{
  return (DebyeSceneSource){
      .topology = debye_document_get_topology(self->document), .frame = self->frame, .map = self->map};
}

/* NULL stays NULL. (transfer none) */
static DebyeLayer *
add(DebyeWindowScene *self, DebyeLayer *layer)
{
  g_autoptr(DebyeLayer) owned = layer;
  if (owned != NULL)
    debye_scene_history_add(self->history, owned);
  return owned;
}

DebyeLayer *
debye_window_scene_add(DebyeWindowScene *self, const DebyeLayerKind *kind)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  const DebyeSceneSource source = get_source(self);
  DebyeLayer *layer = debye_scene_builder_new_layer(kind, &source, debye_scene_get_camera(self->scene));
  if (layer != NULL && kind->needs == DEBYE_LAYER_NEEDS_MAP)
    debye_layer_set_source(layer, self->map_source);
  return add(self, layer);
}

void
debye_window_scene_align(DebyeWindowScene *self, const char *atoms, const char *reference, gboolean by_mass)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  DebyeAlignmentLayer *there = debye_alignment_layer_find(debye_scene_get_layers(self->scene));
  g_autoptr(DebyeLayer) layer = there != NULL ? g_object_ref(DEBYE_LAYER(there)) : NULL;
  const DebyeSceneSource source = get_source(self);
  if (layer == NULL && (atoms == NULL || source.frame == NULL))
    return;
  if (layer == NULL) {
    layer = debye_scene_builder_layer(&debye_alignment_layer_kind, &source, NULL, 0);
    debye_scene_add(self->scene, layer);
  }
  if (atoms != NULL)
    g_object_set(layer, "atoms", atoms, "reference", reference, "by-mass", by_mass, NULL);
  debye_layer_set_visible(layer, atoms != NULL);
}

DebyeLayer *
debye_window_scene_mark_atom(DebyeWindowScene *self, guint32 atom)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  const DebyeSceneSource source = get_source(self);
  g_autoptr(DebyeLayer) layer = debye_scene_builder_layer(&debye_measurement_layer_kind, &source, &atom, 1);
  if (layer != NULL)
    debye_scene_add(self->scene, layer);
  return layer;
}

DebyeLayer *
debye_window_scene_add_measurement(DebyeWindowScene *self, const guint32 *atoms, gsize n_atoms)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  const DebyeSceneSource source = get_source(self);
  return add(self, debye_scene_builder_layer(&debye_measurement_layer_kind, &source, atoms, n_atoms));
}

DebyeLayer *
debye_window_scene_show_slice(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_kind_of(layer) != &debye_slice_layer_kind || debye_layer_get_field(layer) != self->map)
      continue;
    debye_layer_set_visible(layer, TRUE);
    return layer; /* the scene keeps it */
  }
  return debye_window_scene_add(self, &debye_slice_layer_kind);
}

void
debye_window_scene_hide_map_layers(DebyeWindowScene *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    const DebyeLayerKind *kind = debye_layer_kind_of(layer);
    if ((kind == &debye_isosurface_layer_kind || kind == &debye_slice_layer_kind) &&
        debye_layer_get_field(layer) == self->map)
      debye_layer_set_visible(layer, FALSE);
  }
}

/* --- The object --- */

DebyeWindowScene *
debye_window_scene_new(DebyeDocument *document, DebyePreferences *preferences)
{
  DebyeWindowScene *self = g_object_new(DEBYE_TYPE_WINDOW_SCENE, NULL);
  GPtrArray *layers = debye_document_get_layers(document);
  DebyeFrame *frame = debye_document_get_first_frame(document);
  DebyeFrame *drawn = debye_document_get_drawn_frame(document);
  self->document = g_object_ref(document);
  self->preferences = g_object_ref(preferences);
  self->frame = drawn != NULL ? debye_frame_ref(drawn) : NULL;
  self->file_frame = frame != NULL ? debye_frame_ref(frame) : NULL;
  for (guint i = 0; layers != NULL && i < layers->len; i++)
    debye_scene_add(self->scene, g_ptr_array_index(layers, i));
  GPtrArray *maps = debye_document_get_maps(document);
  for (guint i = 0; i < maps->len; i++) {
    DebyeField *field = debye_map_file_get_field(maps->pdata[i]);
    const char *path = debye_map_file_get_path(maps->pdata[i]),
               *name = path != NULL && debye_session_results_is_shown(path)
                           ? _("computed here")
                           : debye_map_file_get_name(maps->pdata[i]);
    if (field != NULL && i < debye_document_get_n_restored_maps(document))
      debye_window_scene_list_map(self, field, name);
    else if (field != NULL)
      debye_window_scene_add_map(self, field, name);
  }
  g_signal_connect_object(preferences, "notify::appearance", G_CALLBACK(update_look), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(update_look), self,
                          G_CONNECT_SWAPPED);
  update_look(self);
  begin_look(self);
  if (debye_document_get_scene(document) != NULL)
    self->has_view = debye_session_scene_load_view(debye_document_get_scene(document), self->scene);
  return self;
}

gboolean
debye_window_scene_has_view(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), FALSE);
  return self->has_view;
}

GVariant *
debye_window_scene_save(DebyeWindowScene *self, GPtrArray *maps)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  GListModel *layers = debye_scene_get_layers(self->scene);
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_window_scene_follows_frames(layer))
      g_ptr_array_add(kept, g_steal_pointer(&layer));
  }
  return debye_session_scene_save(self->scene, kept, maps);
}

DebyeScene *
debye_window_scene_get_scene(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->scene;
}

DebyeSceneCopy *
debye_window_scene_copy(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return debye_scene_copy_new(self->scene, debye_window_scene_follows_frames);
}

DebyeSceneHistory *
debye_window_scene_get_history(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->history;
}

static void
debye_window_scene_finalize(GObject *object)
{
  DebyeWindowScene *self = DEBYE_WINDOW_SCENE(object);
  if (self->look_timer != 0) {
    g_clear_handle_id(&self->look_timer, g_source_remove);
    keep_look(self);
  }
  g_clear_object(&self->own_slice);
  debye_window_scene_forget_own_surfaces(self);
  g_clear_object(&self->orbital_surfaces[0]);
  g_clear_object(&self->orbital_surfaces[1]);
  g_clear_object(&self->orbital);
  g_clear_object(&self->pathways);
  g_clear_object(&self->map);
  g_clear_object(&self->computed);
  g_clear_object(&self->ions);
  g_free(self->map_source);
  g_clear_object(&self->history);
  g_clear_object(&self->scene);
  g_clear_object(&self->document);
  g_clear_object(&self->preferences);
  g_clear_pointer(&self->frame, debye_frame_unref);
  g_clear_pointer(&self->file_frame, debye_frame_unref);
  G_OBJECT_CLASS(debye_window_scene_parent_class)->finalize(object);
}

static void
debye_window_scene_class_init(DebyeWindowSceneClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_scene_finalize;
}

/* Of DEBYE_STILL_SAMPLES; −1 where that is no such number. */
static int
read_still_samples(void)
{
  const char *text = g_getenv("DEBYE_STILL_SAMPLES");
  guint64 n_samples = 0;
  gboolean is_number =
      text != NULL && g_ascii_string_to_unsigned(text, 10, 0, MOST_STILL_SAMPLES, &n_samples, NULL);
  return is_number ? (int)n_samples : -1;
}

static void
debye_window_scene_init(DebyeWindowScene *self)
{
  self->scene = debye_scene_new();
  debye_scene_set_still_samples(self->scene, read_still_samples());
  self->history = debye_scene_history_new(self->scene);
}
