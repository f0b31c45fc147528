/* SPDX-License-Identifier: MIT */
/* What debye-cli render can be told of layers, from the settings of their kinds. */
#pragma once

#include "data/settings/request.h"
#include "render/layers/layer_kinds.h"

/* Appends the options of all kinds, each once. (element-type DebyeSetting) */
void debye_layer_options_append(GArray *settings);
/* How many layers of this kind the request asks for. */
guint debye_layer_options_count(const DebyeLayerKind *kind, DebyeRequest *request);
/* Gives the layer what the request says of its kind; of an option with several values the one of this number, from
 * 0. The error begins with the option. */
gboolean debye_layer_options_apply(DebyeLayer *layer, DebyeRequest *request, guint number, GError **error);
/* The option of a setting, in the request's table; NULL: it has none. */
const DebyeSetting *debye_layer_options_find(const DebyeLayerSetting *setting, DebyeRequest *request);
