/* SPDX-License-Identifier: MIT */
/* The layer that draws the edges of a cell, or of a map's grid. */
#pragma once

#include <gio/gio.h>

#include "data/trajectory/placing.h"
#include "layer.h"

#define DEBYE_TYPE_BOX_LAYER (debye_box_layer_get_type())
extern const DebyeLayerKind debye_box_layer_kind;
G_DECLARE_FINAL_TYPE(DebyeBoxLayer, debye_box_layer, DEBYE, BOX_LAYER, DebyeLayer)

DebyeBoxLayer *debye_box_layer_new(void);
void debye_box_layer_set_cell(DebyeBoxLayer *self, const DebyeCell *cell, DebyeVec3 origin);

/* Properties "images-a", "images-b", "images-c" int: so many neighbours of the cell are drawn on each side
 * along its edges, with all that is in it. */
#define DEBYE_MAX_IMAGES 2

/* Property "molecules" int: a DebyePlacing, how the frames are placed that the layers of the scene are given.
 * The box only says it, whether its edges are shown or not; of several boxes the one that goes furthest. */
DebyePlacing debye_box_layer_find_placing(GListModel *layers);

/* Where the scene is drawn: at 0 first, then at the images that the first visible box asks for.
 * (element-type DebyeVec3) */
GArray *debye_box_layer_list_images(GListModel *layers);
