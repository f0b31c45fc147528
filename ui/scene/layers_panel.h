/* SPDX-License-Identifier: MIT */
/* The Scene side of the side bar: the layers from back to front, and a menu to add one. The menu's entries
 * are the window's actions add-KEY of layer_menu.h. */
#pragma once

#include <adwaita.h>

#include "data/molecule/topology.h"
#include "scene_history.h"

#define DEBYE_TYPE_LAYERS_PANEL (debye_layers_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyeLayersPanel, debye_layers_panel, DEBYE, LAYERS_PANEL, AdwBin)

/* Emits "removed" (name) when a layer was removed by the user. */
void debye_layers_panel_set_scene(DebyeLayersPanel *self, DebyeScene *scene, DebyeSceneHistory *history,
                                  DebyeTopology *topology);
/* Opens the row of a layer. */
void debye_layers_panel_expand(DebyeLayersPanel *self, DebyeLayer *layer);
