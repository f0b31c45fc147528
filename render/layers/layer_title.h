/* SPDX-License-Identifier: MIT */
/* What a layer is called where people read it. A layer's own name is English, since sessions keep it and a
 * session is opened in any language. */
#pragma once

#include "layer.h"

G_BEGIN_DECLS

char *debye_layer_title(DebyeLayer *layer);
/* Before a layer joins those of a scene (DebyeLayer): if it is called by its kind, as one of them of the same file is, its
 * name gets a number, "Slice 2". */
void debye_layer_tell_apart(DebyeLayer *layer, GListModel *others);

G_END_DECLS
