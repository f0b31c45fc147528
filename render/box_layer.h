/* SPDX-License-Identifier: MIT */
/* The edges of a cell, or of a map's grid. */
#pragma once

#include "layer.h"

G_BEGIN_DECLS

#define DEBYE_TYPE_BOX_LAYER (debye_box_layer_get_type())
G_DECLARE_FINAL_TYPE(DebyeBoxLayer, debye_box_layer, DEBYE, BOX_LAYER, DebyeLayer)

DebyeBoxLayer *debye_box_layer_new(void);
void debye_box_layer_set_cell(DebyeBoxLayer *self, const DebyeCell *cell, DebyeVec3 origin);

G_END_DECLS
