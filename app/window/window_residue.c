/* SPDX-License-Identifier: MIT */
/* Implementation of window_residue.h. */
#include "window_residue.h"

#include "app/scene/electrostatic_surface.h"
#include "render/layers/isosurface_layer.h"

#define EXTENT 24.0 /* of the view at a residue, Å */
#define OPACITY 0.4 /* of a surface that residues are to be seen through */
#define THIN 0.15   /* likewise of isosurfaces, many of which lie over one another */

static void
see_through_surfaces(DebyeWindowScene *scene)
{
  GListModel *layers = debye_scene_get_layers(debye_window_scene_get_scene(scene));
  DebyeLayer *electrostatic = debye_electrostatic_surface_find(layers, NULL);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    const double opacity = layer == electrostatic ? OPACITY : THIN;
    if ((layer == electrostatic || DEBYE_IS_ISOSURFACE_LAYER(layer)) && debye_layer_get_visible(layer) &&
        debye_layer_get_opacity(layer) > opacity)
      debye_layer_set_opacity(layer, opacity);
  }
}

gboolean
debye_window_residue_show(DebyeWindowDocument *document, guint32 residue)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_DOCUMENT(document), FALSE);
  DebyeWindowScene *scene = debye_window_document_get_scene(document);
  DebyeVec3 center;
  if (scene == NULL || !debye_window_scene_show_residue(scene, residue, &center))
    return FALSE;
  see_through_surfaces(scene);
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
