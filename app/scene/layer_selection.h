/* SPDX-License-Identifier: MIT */
/* Keeps the atoms of a layer true to a selection in which positions decide (within, x < 5 …), frame by frame.
 */
#pragma once

#include "render/layers/molecule_layer.h"

/* Evaluates the layer's selection in this frame, on a thread, and shows what it chooses; of frames that come
 * meanwhile only the newest is taken. Does nothing where positions don't matter. The frame must not be
 * written any more. */
void debye_layer_selection_follow(DebyeMoleculeLayer *layer, DebyeTopology *topology, DebyeFrame *frame);
