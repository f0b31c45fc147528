/* SPDX-License-Identifier: MIT */
/* Implementation of electrostatic_surface.h. */
#include "electrostatic_surface.h"

#include <glib/gi18n.h>

#include "data/selection/selection.h"
#include "render/layers/layer_kinds.h"
#include "render/layers/molecular_surface_layer.h"

#define UNIT "kT/e"
#define LIMIT 5.0    /* of the colours, kT/e */
#define LEVEL 1.0    /* of the isosurfaces, kT/e */
#define DISTANCE 1.4 /* the radius of a water molecule, Å */

static gboolean
is_in_unit(DebyeField *map)
{
  return g_str_equal(debye_field_get_unit(map), UNIT);
}

/* NULL: the kind's usual atoms. */
static GArray *
choose(const DebyeSceneSource *source, const char *selection)
{
  g_autoptr(DebyeSelection) parsed = selection != NULL ? debye_selection_parse(selection, NULL, NULL) : NULL;
  g_autoptr(GArray) atoms =
      parsed != NULL ? debye_selection_evaluate(parsed, source->topology, source->frame, NULL) : NULL;
  return atoms != NULL && atoms->len > 0 ? g_steal_pointer(&atoms) : NULL;
}

DebyeLayer *
debye_electrostatic_surface_new(const DebyeSceneSource *source, const char *selection)
{
  if (source->topology == NULL || source->frame == NULL || source->map == NULL)
    return NULL;
  g_autoptr(GArray) atoms = choose(source, selection);
  DebyeLayer *layer = debye_scene_builder_layer(&debye_molecular_surface_layer_kind, source,
                                                atoms != NULL ? (const guint32 *)(gpointer)atoms->data : NULL,
                                                atoms != NULL ? atoms->len : 0);
  if (layer == NULL)
    return NULL;
  if (atoms != NULL)
    debye_layer_set_selection(layer, selection);
  debye_layer_set_name(layer, N_("Electrostatic surface"));
  debye_layer_set_opacity(layer, 1.0);
  g_object_set(layer, "kind", DEBYE_MESH_SURFACE_EXCLUDED, "sample-distance", DISTANCE, NULL);
  debye_mesh_layer_set_color_field(DEBYE_MESH_LAYER(layer), source->map);
  if (is_in_unit(source->map))
    debye_layer_set_limits(DEBYE_LAYER(layer), -LIMIT, LIMIT);
  return layer;
}

static gboolean
is_surface(DebyeLayer *layer, DebyeField *map)
{
  if (debye_layer_kind_of(layer) != &debye_molecular_surface_layer_kind)
    return FALSE;
  DebyeField *field = debye_mesh_layer_get_color_field(DEBYE_MESH_LAYER(layer));
  return field != NULL && (map == NULL || field == map) &&
         debye_mesh_layer_get_sample_distance(DEBYE_MESH_LAYER(layer)) > 0.0;
}

DebyeLayer *
debye_electrostatic_surface_find(GListModel *layers, DebyeField *map)
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (is_surface(layer, map))
      return layer; /* the list keeps it */
  }
  return NULL;
}

GPtrArray *
debye_electrostatic_surface_contours(DebyeField *map)
{
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(map, &statistics);
  for (int sign = -1; sign <= 1; sign += 2) {
    const double level = sign * LEVEL;
    if (!is_in_unit(map) || level < statistics.minimum || level > statistics.maximum)
      continue;
    DebyeIsosurfaceLayer *layer = debye_scene_builder_surface(map, level);
    debye_layer_set_visible(DEBYE_LAYER(layer), FALSE);
    g_ptr_array_add(layers, layer);
  }
  return layers;
}
