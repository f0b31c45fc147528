/* SPDX-License-Identifier: MIT */
/* What a layer is called where people read it. A layer's own name is English, since sessions keep it and a
 * session is opened in any language. */
#pragma once

#include "layer.h"

char *debye_layer_title(DebyeLayer *layer);
