/* SPDX-License-Identifier: MIT */
/* Lines between atoms that belong together by something else than a bond: the pairs of a distance. */
#pragma once

#include "layer.h"

#define DEBYE_TYPE_PAIR_LAYER (debye_pair_layer_get_type())
extern const DebyeLayerKind debye_pair_layer_kind;
G_DECLARE_FINAL_TYPE(DebyePairLayer, debye_pair_layer, DEBYE, PAIR_LAYER, DebyeLayer)

/* Of the pairs of that name, "OW–HW"; NULL: of any. */
DebyePairLayer *debye_pair_layer_new(const char *pair);
/* Three floats a place (Å), from and to after one another, two places a line. Copied. */
void debye_pair_layer_set_lines(DebyePairLayer *self, const float *places, gsize n_lines);
