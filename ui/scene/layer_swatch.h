/* SPDX-License-Identifier: MIT */
/* The small picture in a layer's row: what its colours are. */
#pragma once

#include <gtk/gtk.h>

#include "render/layers/layer.h"

#define DEBYE_TYPE_LAYER_SWATCH (debye_layer_swatch_get_type())
G_DECLARE_FINAL_TYPE(DebyeLayerSwatch, debye_layer_swatch, DEBYE, LAYER_SWATCH, GtkWidget)

GtkWidget *debye_layer_swatch_new(DebyeLayer *layer);
