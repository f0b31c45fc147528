/* SPDX-License-Identifier: MIT */
/* Layers that are hidden or made thin for a while, so that something else is seen, and what they were before: a session
 * has that. Used by the window and by sessions. */
#pragma once

#include "render/layers/layer.h"

void debye_layer_aside_hide(DebyeLayer *layer);
/* Nothing of one that is as thin. */
void debye_layer_aside_thin(DebyeLayer *layer, double opacity);
/* As it was before. What a person has set since stays. */
void debye_layer_aside_end(DebyeLayer *layer);
/* What a property has been before where it is aside; FALSE, and `value` stays: it is as it is to be. */
gboolean debye_layer_aside_get(DebyeLayer *layer, const char *property, GValue *value);
