/* SPDX-License-Identifier: MIT */
/* By what a layer is coloured, chosen among its own colourings and the scene's maps, and the limits of the
 * colours of a map. */
#pragma once

#include <adwaita.h>

#include "render/layers/layer.h"
#include "render/layers/mesh_layer.h"

G_BEGIN_DECLS

/* `own`: the layer's own colourings, NULL-terminated: the values of its int property "coloring", where it has
 * one. `maps` (of DebyeSceneMap) may be NULL. */
GtkWidget *debye_color_choice_new(DebyeMeshLayer *layer, const char *const *own, GListModel *maps);

/* Two entries for the properties "minimum" and "maximum", the unit, and a button that calls `reset`.
 * `get_unit` is asked whenever the limits change. */
GtkWidget *debye_color_limits_new(DebyeLayer *layer, const char *(*get_unit)(DebyeLayer *layer),
                                  void (*reset)(DebyeLayer *layer));

/* Adds the limits of a mesh layer to its row, shown while it has the colours of a map. */
void debye_color_controls_add_limits(AdwExpanderRow *row, DebyeMeshLayer *layer);

G_END_DECLS
