/* SPDX-License-Identifier: MIT */
/* Bins of a cutoff in a window's picture, declared in window_classroom.h; added by window_controller.c. */
#include "window_classroom.h"

#include <glib/gi18n.h>

#include "app/classroom/bin_statistics.h"
#include "render/layers/bin_layer.h"
#include "window_scene.h"

/* The uppermost that is seen; NULL: none. */
static DebyeLayer *
find_layer(DebyeWindowDocument *self)
{
  DebyeScene *scene = debye_window_scene_get_scene(debye_window_document_get_scene(self));
  GListModel *layers = debye_scene_get_layers(scene);
  for (guint i = g_list_model_get_n_items(layers); i-- > 0;) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    if (DEBYE_IS_BIN_LAYER(layer) && debye_layer_get_visible(layer))
      return layer; /* the scene keeps it */
  }
  return NULL;
}

/* The formula of the lecture with this layer's numbers. */
static void
tell_reach(DebyeWindowDocument *self, DebyeLayer *layer, int atom)
{
  double edge = 0.0, cutoff = 0.0, spacing = 0.0;
  g_object_get(layer, "edge", &edge, "cutoff", &cutoff, "spacing", &spacing, NULL);
  const DebyeBinNeighbours found = debye_bin_neighbours(edge, cutoff, spacing);
  g_autofree char *text = g_strdup_printf(
      _("Atom %d: Δmax = ⌈(%.4g − %.4g)/%.4g⌉ = %u · cube: %u bins, %.1f %% valid · sphere: %u, %.1f %%"),
      atom, cutoff, 0.5 * spacing, edge, found.reach, (guint)found.n_cube, 100.0 * found.valid_cube,
      (guint)found.n_sphere, 100.0 * found.valid_sphere);
  debye_window_toast_news(debye_window_document_get_window(self), text);
}

static void
choose(DebyeWindowDocument *self, DebyeLayer *layer, int atom)
{
  debye_layer_edit(layer, "atom");
  g_object_set(layer, "atom", atom, NULL);
  if (atom >= 0)
    tell_reach(self, layer, atom);
}

/* The same atom again: all bins. */
static void
on_clicked(DebyeWindowDocument *self, guint atom)
{
  int chosen = -1;
  DebyeLayer *layer = find_layer(self);
  if (layer == NULL || atom > G_MAXINT)
    return;
  g_object_get(layer, "atom", &chosen, NULL);
  choose(self, layer, chosen == (int)atom ? -1 : (int)atom);
}

void
debye_window_bins_look_at(DebyeWindowDocument *self, int atom)
{
  DebyeLayer *layer = find_layer(self);
  if (layer == NULL)
    layer = debye_window_scene_add(debye_window_document_get_scene(self), &debye_bin_layer_kind);
  if (layer != NULL)
    choose(self, layer, MAX(atom, -1));
}

void
debye_window_bins_add(DebyeWindowDocument *self)
{
  DebyeView3d *view = debye_window_get_view(debye_window_document_get_window(self));
  g_signal_connect_object(view, "atom-clicked", G_CALLBACK(on_clicked), self, G_CONNECT_SWAPPED);
}
