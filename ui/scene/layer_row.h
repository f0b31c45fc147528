/* SPDX-License-Identifier: MIT */
/* A layer's row in the side bar: its switch, colours and name and, opened, its controls. Made by layers_panel.c. */
#pragma once

#include <adwaita.h>

#include "data/results/field.h"
#include "data/molecule/topology.h"
#include "render/layers/layer.h"

#define DEBYE_TYPE_LAYER_ROW (debye_layer_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeLayerRow, debye_layer_row, DEBYE, LAYER_ROW, AdwExpanderRow)

/* Emits "remove", and "move" (int: −1 towards the back, +1 towards the front) or "drop" (DebyeLayer: the
 * layer that was dropped on this one). The controls are made when the row is opened first. */
GtkWidget *debye_layer_row_new(DebyeLayer *layer, DebyeTopology *topology, GListModel *maps);
/* Says below the name what the layer was made of: where the scene has several maps. */
void debye_layer_row_show_source(DebyeLayerRow *self, gboolean show);
DebyeLayer *debye_layer_row_get_layer(DebyeLayerRow *self);
