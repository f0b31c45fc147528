/* SPDX-License-Identifier: MIT */
/* Implementation of window_residue.h. */
#include "window_residue.h"

#include "app/scene/electrostatic_surface.h"
#include "app/scene/layer_aside.h"
#include "render/layers/isosurface_layer.h"

#define EXTENT 24.0 /* of the view at a residue, Å */
#define OPACITY 0.4 /* of a surface that residues are to be seen through */

#define KEY "debye-watches-residue" /* of a list of layers: it is watched */

/* The camera stands among the shells of an isosurface, and none is thin enough for that. */
static void
uncover(GListModel *layers)
{
  DebyeLayer *electrostatic = debye_electrostatic_surface_find(layers, NULL);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (!debye_layer_get_visible(layer))
      continue;
    if (layer == electrostatic)
      debye_layer_aside_thin(layer, OPACITY);
    else if (DEBYE_IS_ISOSURFACE_LAYER(layer))
      debye_layer_aside_hide(layer);
  }
}

static void
cover(GListModel *layers)
{
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    debye_layer_aside_end(layer);
  }
}

static void
on_layers_changed(GListModel *layers)
{
  if (!debye_window_scene_has_residue(layers))
    cover(layers);
}

/* Each list once. */
static void
watch(GListModel *layers)
{
  if (g_object_get_data(G_OBJECT(layers), KEY) != NULL)
    return;
  g_object_set_data(G_OBJECT(layers), KEY, layers);
  g_signal_connect(layers, "items-changed", G_CALLBACK(on_layers_changed), NULL);
}

gboolean
debye_window_residue_show(DebyeWindowDocument *document, guint32 residue)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(document), FALSE);
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  GListModel *layers = scene != NULL ? debye_scene_get_layers(debye_window_scene_get_scene(scene)) : NULL;
  DebyeVec3 center;
  if (scene == NULL || !debye_window_scene_show_residue(scene, residue, &center))
    return FALSE;
  uncover(layers);
  watch(layers);
  debye_view_3d_look_at(debye_window_get_view(debye_window_document_get_window(document)), center, EXTENT);
  return TRUE;
}

gboolean
debye_window_residue_show_of_atom(DebyeWindowDocument *document, guint32 atom)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(document), FALSE);
  DebyeDocument *files = debye_window_document_get_document(document);
  DebyeTopology *topology = files != NULL ? debye_document_get_topology(files) : NULL;
  return topology != NULL && atom < debye_topology_get_n_atoms(topology) &&
         debye_window_residue_show(document, debye_topology_get_residues(topology)[atom]);
}
