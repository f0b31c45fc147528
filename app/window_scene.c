/* SPDX-License-Identifier: MIT */
/* The scene of one window. */
#include "window_scene.h"

#include <adwaita.h>
#include <math.h>

#include "data/bonds.h"
#include "layer_selection.h"
#include "scene_builder.h"

/* Before this part of a map is there, a level chosen from it would have to change again. */
#define ENOUGH_FOR_A_LEVEL 0.6
#define LIMIT_PERCENTILE 0.98
/* Where a map's slice first stands: seen from the front it is the molecule's backdrop and hides nothing. */
#define BEHIND 0.12

struct _DebyeWindowScene {
  GObject parent_instance;
  DebyeScene *scene;
  DebyeSceneHistory *history;
  DebyeDocument *document;
  DebyePreferences *preferences;
  DebyeFrame *frame;

  DebyeField *field;
  gboolean surfaces_due;      /* of the map that grows */
  DebyeSliceLayer *own_slice; /* came by itself: its limits follow the map until they are touched */
  double own_low, own_high;
};

G_DEFINE_FINAL_TYPE(DebyeWindowScene, debye_window_scene, G_TYPE_OBJECT)

/* --- Look --- */

static void
update_look(DebyeWindowScene *self)
{
  g_autofree char *appearance = NULL;
  g_object_get(self->preferences, "appearance", &appearance, NULL);
  debye_look_preset(debye_scene_get_look(self->scene), appearance,
                    adw_style_manager_get_dark(adw_style_manager_get_default()));
  debye_scene_changed(self->scene);
}

/* --- Frames --- */

static void
show_frame(DebyeWindowScene *self, DebyeLayer *layer, DebyeFrame *frame)
{
  if (DEBYE_IS_MOLECULE_LAYER(layer)) {
    DebyeTopology *topology = debye_dataset_get_topology(debye_document_get_dataset(self->document));
    debye_molecule_layer_set_frame(DEBYE_MOLECULE_LAYER(layer), frame);
    debye_layer_selection_follow(DEBYE_MOLECULE_LAYER(layer), topology, frame);
  } else if (DEBYE_IS_BOX_LAYER(layer) && frame->has_cell) {
    debye_box_layer_set_cell(DEBYE_BOX_LAYER(layer), &frame->cell, debye_vec3(0.0, 0.0, 0.0));
  }
}

void
debye_window_scene_set_frame(DebyeWindowScene *self, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  GListModel *layers = debye_scene_get_layers(self->scene);
  g_clear_pointer(&self->frame, debye_frame_unref);
  self->frame = debye_frame_ref(frame);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    show_frame(self, layer, frame);
  }
}

/* --- Maps --- */

static DebyeField *
field_of(DebyeLayer *layer)
{
  if (DEBYE_IS_ISOSURFACE_LAYER(layer))
    return debye_isosurface_layer_get_field(DEBYE_ISOSURFACE_LAYER(layer));
  if (DEBYE_IS_SLICE_LAYER(layer))
    return debye_slice_layer_get_field(DEBYE_SLICE_LAYER(layer));
  return NULL;
}

static void
take_over(DebyeLayer *layer, DebyeField *field)
{
  if (DEBYE_IS_ISOSURFACE_LAYER(layer))
    debye_isosurface_layer_set_field(DEBYE_ISOSURFACE_LAYER(layer), field);
  else
    debye_slice_layer_set_field(DEBYE_SLICE_LAYER(layer), field);
}

/* The layers that show this map. */
static GPtrArray *
layers_of(DebyeWindowScene *self, DebyeField *field)
{
  GPtrArray *found = g_ptr_array_new_with_free_func(g_object_unref);
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; field != NULL && i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (field_of(layer) == field)
      g_ptr_array_add(found, g_steal_pointer(&layer));
  }
  return found;
}

static void
add_own_slice(DebyeWindowScene *self)
{
  g_autoptr(DebyeSliceLayer) slice = debye_scene_builder_slice(self->field, 2, BEHIND);
  debye_scene_add(self->scene, DEBYE_LAYER(slice));
  g_set_object(&self->own_slice, slice);
  debye_slice_layer_get_limits(slice, &self->own_low, &self->own_high);
}

static void
add_own_surfaces(DebyeWindowScene *self)
{
  g_autoptr(GPtrArray) layers = debye_scene_builder_field(self->field);
  for (guint i = 0; i < layers->len; i++) {
    if (DEBYE_IS_ISOSURFACE_LAYER(g_ptr_array_index(layers, i)))
      debye_scene_add(self->scene, g_ptr_array_index(layers, i));
  }
  self->surfaces_due = FALSE;
}

static void
follow_limits(DebyeWindowScene *self)
{
  double low, high;
  if (self->own_slice == NULL)
    return;
  debye_slice_layer_get_limits(self->own_slice, &low, &high);
  if (low != self->own_low || high != self->own_high) {
    g_clear_object(&self->own_slice);
    return;
  }
  double reach = fmax(fabs(debye_field_get_percentile(self->field, LIMIT_PERCENTILE)),
                      fabs(debye_field_get_percentile(self->field, 1.0 - LIMIT_PERCENTILE)));
  if (!(reach > 0.0))
    return;
  debye_slice_layer_set_limits(self->own_slice, -reach, reach);
  debye_slice_layer_get_limits(self->own_slice, &self->own_low, &self->own_high);
}

/* A map in another unit is another thing: its layers go. */
static void
drop_if_incomparable(DebyeWindowScene *self, DebyeField *field)
{
  if (self->field == NULL || g_strcmp0(debye_field_get_unit(self->field), debye_field_get_unit(field)) == 0)
    return;
  g_autoptr(GPtrArray) layers = layers_of(self, self->field);
  for (guint i = 0; i < layers->len; i++)
    debye_scene_remove(self->scene, g_ptr_array_index(layers, i));
}

static gboolean
has_enough_for_a_level(DebyeField *field)
{
  gsize n_points = debye_grid_n_points(debye_field_get_grid(field));
  return (double)debye_field_get_n_finite(field) >= ENOUGH_FOR_A_LEVEL * (double)n_points;
}

void
debye_window_scene_show_map(DebyeWindowScene *self, DebyeField *field)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(field));
  if (debye_field_get_n_finite(field) == 0)
    return;
  drop_if_incomparable(self, field);
  g_autoptr(GPtrArray) layers = layers_of(self, self->field);
  for (guint i = 0; i < layers->len; i++)
    take_over(g_ptr_array_index(layers, i), field);
  g_set_object(&self->field, field);
  if (layers->len == 0) {
    add_own_slice(self);
    self->surfaces_due = TRUE;
  } else {
    follow_limits(self);
  }
  if (self->surfaces_due && has_enough_for_a_level(field))
    add_own_surfaces(self);
}

void
debye_window_scene_finish_map(DebyeWindowScene *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  if (self->surfaces_due && self->field != NULL)
    add_own_surfaces(self);
  g_clear_object(&self->own_slice);
}

DebyeField *
debye_window_scene_get_map(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->field;
}

/* --- Layers by hand --- */

static DebyeLayer *
add(DebyeWindowScene *self, gpointer layer)
{
  g_autoptr(DebyeLayer) owned = DEBYE_LAYER(layer);
  debye_scene_history_add(self->history, owned);
  return owned;
}

DebyeLayer *
debye_window_scene_add_atoms(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  if (self->frame == NULL)
    return NULL;
  DebyeTopology *topology = debye_dataset_get_topology(debye_document_get_dataset(self->document));
  g_autoptr(DebyeTopology) bonded = debye_topology_with_guessed_bonds(topology, self->frame);
  DebyeMoleculeLayer *layer = debye_scene_builder_atoms(bonded, self->frame, NULL, 0);
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_STICKS);
  debye_layer_set_name(DEBYE_LAYER(layer), "Atoms");
  return add(self, layer);
}

DebyeLayer *
debye_window_scene_add_surface(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  if (self->field == NULL)
    return NULL;
  double negative, positive;
  debye_scene_builder_suggest_levels(self->field, &negative, &positive);
  return add(self, debye_scene_builder_surface(self->field, 2.0 * (positive > 0.0 ? positive : negative)));
}

DebyeLayer *
debye_window_scene_add_slice(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->field != NULL ? add(self, debye_scene_builder_slice(self->field, 0, 0.5)) : NULL;
}

DebyeLayer *
debye_window_scene_add_box(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  DebyeBoxLayer *box = self->frame != NULL ? debye_scene_builder_box(self->frame) : NULL;
  if (box != NULL)
    debye_layer_set_visible(DEBYE_LAYER(box), TRUE);
  return box != NULL ? add(self, box) : NULL;
}

/* --- The object --- */

DebyeWindowScene *
debye_window_scene_new(DebyeDocument *document, DebyePreferences *preferences)
{
  DebyeWindowScene *self = g_object_new(DEBYE_TYPE_WINDOW_SCENE, NULL);
  GPtrArray *layers = debye_document_get_layers(document);
  DebyeFrame *frame = debye_document_get_first_frame(document);
  self->document = g_object_ref(document);
  self->preferences = g_object_ref(preferences);
  self->frame = frame != NULL ? debye_frame_ref(frame) : NULL;
  for (guint i = 0; layers != NULL && i < layers->len; i++)
    debye_scene_add(self->scene, g_ptr_array_index(layers, i));
  g_signal_connect_object(preferences, "notify::appearance", G_CALLBACK(update_look), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(update_look), self,
                          G_CONNECT_SWAPPED);
  update_look(self);
  return self;
}

DebyeScene *
debye_window_scene_get_scene(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->scene;
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
  g_clear_object(&self->own_slice);
  g_clear_object(&self->field);
  g_clear_object(&self->history);
  g_clear_object(&self->scene);
  g_clear_object(&self->document);
  g_clear_object(&self->preferences);
  g_clear_pointer(&self->frame, debye_frame_unref);
  G_OBJECT_CLASS(debye_window_scene_parent_class)->finalize(object);
}

static void
debye_window_scene_class_init(DebyeWindowSceneClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_scene_finalize;
}

static void
debye_window_scene_init(DebyeWindowScene *self)
{
  self->scene = debye_scene_new();
  self->history = debye_scene_history_new(self->scene);
}
