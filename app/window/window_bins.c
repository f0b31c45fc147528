/* SPDX-License-Identifier: MIT */
/* Bins of a cutoff in a window's picture, declared in window_classroom.h; added by window_controller.c. */
#include "window_classroom.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/classroom/bin_statistics.h"
#include "render/layers/bin_layer.h"
#include "window_scene.h"

/* Of a layer: the handler of bins that will be framed. */
#define WAITING "debye-window-bins"

static const DebyeBinPick no_bin = {-1, {-1, -1, -1}};

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
tell_reach(DebyeWindowDocument *self, DebyeLayer *layer, const DebyeBinPick *pick)
{
  double edge = 0.0, cutoff = 0.0, spacing = 0.0;
  g_object_get(layer, "edge", &edge, "cutoff", &cutoff, "spacing", &spacing, NULL);
  const DebyeBinNeighbours found = debye_bin_neighbours(edge, cutoff, spacing);
  g_autofree char *title = pick->atom >= 0 ? g_strdup_printf(_("Atom %d"), pick->atom)
                                           : g_strdup_printf(_("Empty bin (%d, %d, %d)"), pick->bin[0],
                                                             pick->bin[1], pick->bin[2]);
  g_autofree char *text = g_strdup_printf(
      _("%s: Δmax = ⌈(%.4g − %.4g)/%.4g⌉ = %u · cube: %u bins, %.1f %% valid · sphere: %u, %.1f %%"), title,
      cutoff, 0.5 * spacing, edge, found.reach, (guint)found.n_cube, 100.0 * found.valid_cube,
      (guint)found.n_sphere, 100.0 * found.valid_sphere);
  debye_window_toast_news(debye_window_document_get_window(self), text);
}

/* NULL: all bins. */
static void
choose(DebyeWindowDocument *self, DebyeLayer *layer, const DebyeBinPick *pick)
{
  const DebyeBinPick now = pick != NULL ? *pick : no_bin;
  debye_layer_edit(layer, "atom");
  g_object_set(layer, "atom", now.atom, "bin-x", now.bin[0], "bin-y", now.bin[1], "bin-z", now.bin[2], NULL);
  if (pick != NULL)
    tell_reach(self, layer, pick);
}

/* The same one again: all bins. */
static void
choose_other(DebyeWindowDocument *self, DebyeLayer *layer, const DebyeBinPick *pick)
{
  DebyeBinPick chosen = no_bin;
  g_object_get(layer, "atom", &chosen.atom, "bin-x", &chosen.bin[0], "bin-y", &chosen.bin[1], "bin-z",
               &chosen.bin[2], NULL);
  const gboolean is_same = pick->atom >= 0
                               ? pick->atom == chosen.atom
                               : chosen.atom < 0 && memcmp(pick->bin, chosen.bin, sizeof chosen.bin) == 0;
  choose(self, layer, is_same ? NULL : pick);
}

static void
on_clicked(DebyeWindowDocument *self, guint atom)
{
  DebyeBinPick pick = no_bin;
  DebyeLayer *layer = find_layer(self);
  if (layer == NULL || atom > G_MAXINT)
    return;
  pick.atom = (int)atom;
  choose_other(self, layer, &pick);
}

/* Beside all atoms: what the ray through the pointer meets. */
static void
on_space_clicked(DebyeWindowDocument *self, double x, double y, double width, double height)
{
  DebyeScene *scene = debye_window_scene_get_scene(debye_window_document_get_scene(self));
  const float *target = debye_scene_get_camera(scene)->target;
  DebyeLayer *layer = find_layer(self);
  DebyeVec3 origin, direction;
  DebyeBinPick pick;
  if (layer == NULL || !(width > 0.0 && height > 0.0))
    return;
  debye_scene_find_ray(scene, x, y, width, height, &origin, &direction);
  if (debye_bin_layer_pick_bin(DEBYE_BIN_LAYER(layer), origin, direction,
                               debye_vec3((double)target[0], (double)target[1], (double)target[2]), &pick))
    choose_other(self, layer, &pick);
}

static gboolean
view_all(gpointer view)
{
  debye_view_3d_view_all(view);
  return G_SOURCE_REMOVE;
}

/* Of the bins that were waited for. */
static void
forget_waiting(DebyeLayer *layer)
{
  const gulong handler = (gulong)GPOINTER_TO_SIZE(g_object_steal_data(G_OBJECT(layer), WAITING));
  if (handler != 0)
    g_signal_handler_disconnect(layer, handler);
}

/* They are counted just before they are the layer's mesh. */
static void
on_bins_made(DebyeWindowDocument *self, GParamSpec *spec G_GNUC_UNUSED, DebyeLayer *layer)
{
  forget_waiting(layer);
  DebyeView3d *view = debye_window_get_view(debye_window_document_get_window(self));
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, view_all, g_object_ref(view), g_object_unref);
}

/* Bins reach beyond the molecule that was framed; a click leaves the view as it is. */
void
debye_window_bins_look_at(DebyeWindowDocument *self, int atom)
{
  const DebyeBinPick pick = {atom, {-1, -1, -1}};
  DebyeLayer *layer = find_layer(self);
  if (layer == NULL)
    layer = debye_window_scene_add(debye_window_document_get_scene(self), &debye_bin_layer_kind);
  if (layer == NULL)
    return;
  int before = -1;
  g_object_get(layer, "atom", &before, NULL);
  forget_waiting(layer);
  if (before != MAX(atom, -1)) {
    const gulong handler = g_signal_connect_object(layer, "notify::n-brought", G_CALLBACK(on_bins_made), self,
                                                   G_CONNECT_SWAPPED);
    g_object_set_data(G_OBJECT(layer), WAITING, GSIZE_TO_POINTER(handler));
  } else
    debye_view_3d_view_all(debye_window_get_view(debye_window_document_get_window(self)));
  choose(self, layer, atom >= 0 ? &pick : NULL);
}

void
debye_window_bins_add(DebyeWindowDocument *self)
{
  DebyeView3d *view = debye_window_get_view(debye_window_document_get_window(self));
  g_signal_connect_object(view, "atom-clicked", G_CALLBACK(on_clicked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(view, "space-clicked", G_CALLBACK(on_space_clicked), self, G_CONNECT_SWAPPED);
}
