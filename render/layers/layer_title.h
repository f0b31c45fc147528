/* SPDX-License-Identifier: MIT */
/* What a layer is called where people read it. A layer's own name is English, since sessions keep it and a
 * session is opened in any language. */
#pragma once

#include "layer.h"

G_BEGIN_DECLS

char *debye_layer_title(DebyeLayer *layer);
/* Of a colour bar: “φ (kT/e)” of a potential, of other maps the unit; a map without one is called by its name. */
char *debye_layer_title_of_bar(DebyeField *field);

G_END_DECLS
