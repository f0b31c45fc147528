/* SPDX-License-Identifier: MIT */
/* By what a layer is coloured, chosen among its own colourings and the scene's maps, and the limits of the
 * colours of a map. */
#pragma once

#include <adwaita.h>

#include "render/layers/layer.h"
#include "render/layers/mesh_layer.h"

/* The layer's own colourings, as its kind names them, then the maps, of DebyeSceneMap; `maps` may be NULL. */
GtkWidget *debye_color_choice_new(DebyeMeshLayer *layer, GListModel *maps);

/* Two entries for the properties "minimum" and "maximum", the unit of the map that gives the colours, and a
 * button back to limits that follow it. */
GtkWidget *debye_color_limits_new(DebyeLayer *layer);
