/* SPDX-License-Identifier: MIT */
/* The maps of a window's scene, called when files open or jobs compute: those that were opened, and the one
 * that grows while it is computed. */
#include <glib/gi18n.h>
#include <math.h>

#include "data/messages/message.h"
#include "render/layers/color_limits.h"
#include "render/scene/scene_map.h"
#include "app/scene/scene_builder.h"
#include "window_scene_private.h"

/* Before this part of a map is there, a level chosen from it would have to change again. */
#define ENOUGH_FOR_A_LEVEL 0.6
#define LIMIT_PERCENTILE 0.98
/* Where a map's slice first stands: seen from the front it is the molecule's backdrop and hides nothing. */
#define BEHIND 0.12
/* Width to height of what a view beside plots has at least. */
#define NARROW_VIEW 0.55
/* What maps from here are called beside those from files. */
#define COMPUTED _("computed here")

/* The layers that show this map. */
static GPtrArray *
layers_of(DebyeWindowScene *self, DebyeField *field)
{
  GPtrArray *found = g_ptr_array_new_with_free_func(g_object_unref);
  GListModel *layers = debye_scene_get_layers(self->scene);
  for (guint i = 0; field != NULL && i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (debye_layer_get_field(layer) == field)
      g_ptr_array_add(found, g_steal_pointer(&layer));
  }
  return found;
}

static void
list_map(DebyeWindowScene *self, DebyeField *field, const char *source)
{
  g_autofree char *quantity = debye_message_translate(debye_field_get_name(field));
  g_autofree char *name = g_strdup_printf("%s, %s", quantity, source);
  g_autoptr(DebyeSceneMap) map = debye_scene_map_new(name, field);
  g_list_store_append(debye_scene_get_maps(self->scene), map);
}

/* A surface in the colours of the potential in water isn't to take those of one without. */
static gboolean
are_of_one_medium(DebyeField *a, DebyeField *b)
{
  return g_strcmp0(debye_field_get_medium_message(a), debye_field_get_medium_message(b)) == 0;
}

/* The map computed here is one entry, whatever it has grown to, as long as it is of one medium. */
static void
list_computed(DebyeWindowScene *self, DebyeField *field)
{
  GListModel *maps = G_LIST_MODEL(debye_scene_get_maps(self->scene));
  for (guint i = 0; self->computed != NULL && i < g_list_model_get_n_items(maps); i++) {
    g_autoptr(DebyeSceneMap) map = g_list_model_get_item(maps, i);
    if (debye_scene_map_get_field(map) == self->computed && are_of_one_medium(self->computed, field)) {
      debye_scene_map_set_field(map, field);
      return;
    }
  }
  list_map(self, field, COMPUTED);
}

/* The layers that this map colours take the colours of another. */
static void
color_by(DebyeWindowScene *self, DebyeField *old, DebyeField *field)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  if (old == NULL || !are_of_one_medium(old, field))
    return;
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_MESH_LAYER(layer) && debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer)) == old)
      debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), field);
  }
}

static void
set_map(DebyeWindowScene *self, DebyeField *field, const char *source)
{
  g_set_object(&self->map, field);
  g_free(self->map_source);
  self->map_source = g_strdup(source);
}

static DebyeSliceLayer *
add_slice(DebyeWindowScene *self, DebyeField *field, const char *source)
{
  g_autoptr(DebyeSliceLayer) slice = debye_scene_builder_slice(field, 2, BEHIND);
  debye_layer_set_source(DEBYE_LAYER(slice), source);
  debye_scene_add(self->scene, DEBYE_LAYER(slice));
  return slice;
}

static void
add_surfaces(DebyeWindowScene *self, DebyeField *field, const char *source)
{
  g_autoptr(GPtrArray) layers = debye_scene_builder_field(field);
  for (guint i = 0; i < layers->len; i++) {
    DebyeLayer *layer = g_ptr_array_index(layers, i);
    if (!DEBYE_IS_ISOSURFACE_LAYER(layer))
      continue;
    debye_layer_set_source(layer, source);
    debye_scene_add(self->scene, layer);
  }
}

/* A map of reciprocal space has nothing to do with the places of atoms: what stands there is hidden until a
 * person shows it again, and the view is the map's. */
static void
make_room(DebyeWindowScene *self, DebyeField *field)
{
  GListModel *layers = debye_scene_get_layers(self->scene);
  if (g_str_equal(debye_field_get_length_unit(field), "Å"))
    return;
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    DebyeField *other = debye_layer_get_field(layer);
    if (other == NULL || g_str_equal(debye_field_get_length_unit(other), "Å"))
      debye_layer_set_visible(layer, FALSE);
  }
  debye_scene_view_all(self->scene, NARROW_VIEW);
}

/* --- Maps that are whole --- */

void
debye_window_scene_list_map(DebyeWindowScene *self, DebyeField *field, const char *name)
{
  set_map(self, field, name);
  if (debye_field_get_n_finite(field) > 0)
    list_map(self, field, name);
}

void
debye_window_scene_continue(DebyeWindowScene *self, DebyeWindowScene *before)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_WINDOW_SCENE(before));
  if (before->computed == NULL)
    return;
  g_set_object(&self->computed, before->computed);
  debye_window_scene_list_map(self, before->computed, COMPUTED);
}

void
debye_window_scene_add_map(DebyeWindowScene *self, DebyeField *field, const char *name)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(field));
  set_map(self, field, name);
  if (debye_field_get_n_finite(field) == 0)
    return;
  list_map(self, field, name);
  add_slice(self, field, name);
  add_surfaces(self, field, name);
  make_room(self, field);
}

void
debye_window_scene_hide_map(DebyeWindowScene *self, DebyeField *field)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self));
  g_autoptr(GPtrArray) layers = layers_of(self, field);
  for (guint i = 0; i < layers->len; i++)
    debye_layer_set_visible(g_ptr_array_index(layers, i), FALSE);
}

/* --- The map that grows --- */

static void
add_own_slice(DebyeWindowScene *self)
{
  g_set_object(&self->own_slice, add_slice(self, self->computed, COMPUTED));
  debye_slice_layer_get_limits(self->own_slice, &self->own_low, &self->own_high);
}

static void
add_own_surfaces(DebyeWindowScene *self)
{
  debye_window_scene_add_own_surfaces(self, COMPUTED);
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
  double reach = fmax(fabs(debye_field_get_percentile(self->computed, LIMIT_PERCENTILE)),
                      fabs(debye_field_get_percentile(self->computed, 1.0 - LIMIT_PERCENTILE)));
  if (!(reach > 0.0))
    return;
  low = -(high = reach);
  debye_color_limits_round(&low, &high);
  debye_layer_set_limits(DEBYE_LAYER(self->own_slice), low, high);
  debye_slice_layer_get_limits(self->own_slice, &self->own_low, &self->own_high);
}

/* A map in another unit is another thing: its layers go. */
static void
drop_if_incomparable(DebyeWindowScene *self, DebyeField *field)
{
  if (self->computed == NULL ||
      g_strcmp0(debye_field_get_unit(self->computed), debye_field_get_unit(field)) == 0)
    return;
  g_autoptr(GPtrArray) layers = layers_of(self, self->computed);
  for (guint i = 0; i < layers->len; i++)
    debye_scene_remove(self->scene, g_ptr_array_index(layers, i));
}

static gboolean
has_enough_for_a_level(DebyeField *field)
{
  gsize n_points = debye_grid_n_points(debye_field_get_grid(field));
  return (double)debye_field_get_n_finite(field) >= ENOUGH_FOR_A_LEVEL * (double)n_points;
}

guint
debye_window_scene_replace_computed(DebyeWindowScene *self, DebyeField *field)
{
  drop_if_incomparable(self, field);
  g_autoptr(GPtrArray) layers = layers_of(self, self->computed);
  for (guint i = 0; i < layers->len; i++)
    debye_layer_set_field(g_ptr_array_index(layers, i), field);
  set_map(self, field, COMPUTED);
  list_computed(self, field);
  color_by(self, self->computed, field);
  g_set_object(&self->computed, field);
  return layers->len;
}

void
debye_window_scene_show_map(DebyeWindowScene *self, DebyeField *field)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(field));
  if (debye_field_get_n_finite(field) == 0)
    return;
  if (debye_window_scene_replace_computed(self, field) == 0) {
    add_own_slice(self);
    make_room(self, field);
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
  if (self->surfaces_due && self->computed != NULL)
    add_own_surfaces(self);
  debye_window_scene_settle_own_surfaces(self, COMPUTED);
  g_clear_object(&self->own_slice);
}

/* Limits that followed each map would make its colours flicker. */
static void
hold_limits(DebyeWindowScene *self)
{
  g_autoptr(GPtrArray) layers = layers_of(self, self->computed);
  for (guint i = 0; i < layers->len; i++)
    if (debye_layer_get_color_field(layers->pdata[i]) == self->computed)
      debye_layer_hold_limits(layers->pdata[i]);
}

void
debye_window_scene_follow_map(DebyeWindowScene *self, DebyeField *field, gboolean is_first)
{
  g_return_if_fail(DEBYE_IS_WINDOW_SCENE(self) && DEBYE_IS_FIELD(field));
  if (!is_first) {
    debye_window_scene_replace_computed(self, field);
    return;
  }
  debye_window_scene_show_map(self, field);
  debye_window_scene_finish_map(self);
  hold_limits(self);
}

DebyeField *
debye_window_scene_get_map(DebyeWindowScene *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_SCENE(self), NULL);
  return self->map;
}
