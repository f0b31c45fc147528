/* SPDX-License-Identifier: MIT */
/* The scene of one window: its layers, look and shown frame; made by window_opening.c. */
#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/scene/layer_selection.h"
#include "app/document/map_file.h"
#include "app/scene/scene_builder.h"
#include "app/document/session_scene.h"
#include "window_scene_private.h"

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
  if (!debye_window_scene_follows_frames(layer))
    return;
  gboolean shown = debye_scene_builder_show_frame(layer, frame);
  if (shown && DEBYE_IS_MOLECULE_LAYER(layer)) {
    DebyeTopology *topology = debye_document_get_topology(self->document);
    debye_layer_selection_follow(DEBYE_MOLECULE_LAYER(layer), topology, frame);
  } else if (DEBYE_IS_BOX_LAYER(layer) && frame->has_cell) {
    debye_box_layer_set_cell(DEBYE_BOX_LAYER(layer), &frame->cell, frame->cell_origin);
  }
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
  DebyeTopology *topology = debye_document_get_topology(self->document);
  g_autoptr(DebyeTopology) bonded = debye_scene_builder_find_bonds(topology, self->frame);
  DebyeMoleculeLayer *layer = debye_scene_builder_atoms(bonded, self->frame, NULL, 0);
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_STICKS);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Atoms"));
  return add(self, layer);
}

DebyeLayer *
debye_window_scene_add_cartoon(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  if (self->frame == NULL)
    return NULL;
  g_autoptr(DebyeCartoonLayer) layer =
      debye_scene_builder_cartoon(debye_document_get_topology(self->document), self->frame, NULL, 0);
  if (debye_cartoon_layer_get_n_units(layer) == 0)
    return NULL;
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Cartoon"));
  return add(self, g_steal_pointer(&layer));
}

/* In the colours of the newest map, where there is one: that is what such a surface is mostly for. */
DebyeLayer *
debye_window_scene_add_molecular_surface(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  if (self->frame == NULL)
    return NULL;
  DebyeMolecularSurfaceLayer *layer =
      debye_scene_builder_solute_surface(debye_document_get_topology(self->document), self->frame);
  debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), self->map);
  return add(self, layer);
}

DebyeLayer *
debye_window_scene_add_hydrogen_bonds(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  DebyeTopology *topology = debye_document_get_topology(self->document);
  return self->frame != NULL ? add(self, debye_scene_builder_hydrogen_bonds(topology, self->frame)) : NULL;
}

DebyeLayer *
debye_window_scene_add_bins(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  DebyeTopology *topology = debye_document_get_topology(self->document);
  return self->frame != NULL ? add(self, debye_scene_builder_bins(topology, self->frame)) : NULL;
}

DebyeLayer *
debye_window_scene_add_labels(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  DebyeTopology *topology = debye_document_get_topology(self->document);
  return self->frame != NULL ? add(self, debye_scene_builder_labels(topology, self->frame)) : NULL;
}

DebyeLayer *
debye_window_scene_add_clipping_plane(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  DebyeClipLayer *layer = debye_clip_layer_new();
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Clipping plane"));
  return add(self, layer);
}

static DebyeLayer *
create_alignment(void)
{
  DebyeLayer *layer = DEBYE_LAYER(debye_alignment_layer_new());
  debye_layer_set_name(layer, N_("Alignment"));
  return layer;
}

DebyeLayer *
debye_window_scene_add_alignment(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->frame != NULL ? add(self, create_alignment()) : NULL;
}

void
debye_window_scene_align(DebyeWindowScene *self, const char *atoms, const char *reference, gboolean by_mass)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  DebyeAlignmentLayer *there = debye_alignment_layer_find(debye_scene_get_layers(self->scene));
  g_autoptr(DebyeLayer) layer = there != NULL ? g_object_ref(DEBYE_LAYER(there)) : NULL;
  if (layer == NULL && atoms == NULL)
    return;
  if (layer == NULL) {
    layer = create_alignment();
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
  if (self->frame == NULL)
    return NULL;
  DebyeTopology *topology = debye_document_get_topology(self->document);
  g_autoptr(DebyeLayer) layer = DEBYE_LAYER(debye_scene_builder_measurement(topology, self->frame, &atom, 1));
  debye_scene_add(self->scene, layer);
  return layer;
}

DebyeLayer *
debye_window_scene_add_measurement(DebyeWindowScene *self, const guint32 *atoms, gsize n_atoms)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  DebyeTopology *topology = debye_document_get_topology(self->document);
  return self->frame != NULL
             ? add(self, debye_scene_builder_measurement(topology, self->frame, atoms, n_atoms))
             : NULL;
}

static DebyeLayer *
add_of_map(DebyeWindowScene *self, gpointer layer)
{
  debye_layer_set_source(DEBYE_LAYER(layer), self->map_source);
  return add(self, layer);
}

DebyeLayer *
debye_window_scene_add_surface(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  if (self->map == NULL)
    return NULL;
  double negative, positive;
  debye_scene_builder_suggest_levels(self->map, &negative, &positive);
  return add_of_map(self,
                    debye_scene_builder_surface(self->map, 2.0 * (positive > 0.0 ? positive : negative)));
}

/* The plane of the grid that a person looks at most squarely: another could stand on its edge. */
static int
find_facing_axis(DebyeWindowScene *self, const DebyeGrid *grid)
{
  DebyeVec3 eye, sight;
  debye_camera_ray(debye_scene_get_camera(self->scene), 0.5, 0.5, 1.0, 1.0, &eye, &sight);
  int facing = 0;
  double most = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    DebyeVec3 normal = debye_vec3_cross(grid->step[(axis + 1) % 3], grid->step[(axis + 2) % 3]);
    double share = fabs(debye_vec3_dot(normal, sight)) / debye_vec3_length(normal);
    if (share > most) {
      most = share;
      facing = axis;
    }
  }
  return facing;
}

DebyeLayer *
debye_window_scene_add_slice(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  if (self->map == NULL)
    return NULL;
  int axis = find_facing_axis(self, debye_field_get_grid(self->map));
  return add_of_map(self, debye_scene_builder_slice(self->map, axis, 0.5));
}

DebyeLayer *
debye_window_scene_show_slice(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!DEBYE_IS_SLICE_LAYER(layer) || debye_slice_layer_get_field(DEBYE_SLICE_LAYER(layer)) != self->map)
      continue;
    debye_layer_set_visible(layer, TRUE);
    return layer; /* the scene keeps it */
  }
  return debye_window_scene_add_slice(self);
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
    const char *name = debye_map_file_get_name(maps->pdata[i]);
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
  g_clear_object(&self->own_slice);
  debye_window_scene_forget_own_surfaces(self);
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

static void
debye_window_scene_init(DebyeWindowScene *self)
{
  self->scene = debye_scene_new();
  self->history = debye_scene_history_new(self->scene);
}
