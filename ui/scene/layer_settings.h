/* SPDX-License-Identifier: MIT */
/* The rows for what can be set of a layer. */
#pragma once

#include <adwaita.h>

#include "data/molecule/topology.h"
#include "render/layers/layer.h"

/* `row` gets a line for each of the settings of the layer's kind that have a label. `maps` (of DebyeSceneMap;
 * may be NULL): those that can colour it. */
void debye_layer_settings_fill(AdwExpanderRow *row, DebyeLayer *layer, DebyeTopology *topology,
                               GListModel *maps);
