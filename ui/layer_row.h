/* SPDX-License-Identifier: MIT */
/* A layer in the side bar: visible or not, its colours, its name, and opened, its few controls. */
#pragma once

#include <adwaita.h>

#include "data/frame.h"
#include "data/topology.h"
#include "render/layer.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_LAYER_ROW (debye_layer_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeLayerRow, debye_layer_row, DEBYE, LAYER_ROW, AdwExpanderRow)

/* Emits "remove", and "move" (int: −1 towards the back, +1 towards the front) or "drop" (DebyeLayer: the
 * layer that was dropped on this one). The controls are made when the row is opened first. */
GtkWidget *debye_layer_row_new(DebyeLayer *layer, DebyeTopology *topology, DebyeFrame *frame);
DebyeLayer *debye_layer_row_get_layer(DebyeLayerRow *self);

G_END_DECLS
