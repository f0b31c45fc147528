/* SPDX-License-Identifier: MIT */
/* The layers of a picture that are given as lines (layer_text.h); called by debye-cli render. */
#pragma once

#include "layer_text.h"
#include "render/scene/scene.h"

/* Each line read; NULL with an error. (element-type DebyeLayerText) */
GPtrArray *debye_layer_texts_parse(const char *const *lines, GError **error);
/* Whether any of them is of a map. */
gboolean debye_layer_texts_need_map(GPtrArray *texts);
/* Adds their layers to the scene, back to front. A line that begins with the name of a layer of the scene, “Protein:
 * opacity 0.5”, changes that layer instead; all of that name, if there are several. */
gboolean debye_layer_texts_add(GPtrArray *texts, DebyeScene *scene, const DebyeLayerTextContext *context,
                               GError **error);
/* Chooses atoms anew where positions decide, for the frame that is shown. */
gboolean debye_layer_texts_follow(DebyeScene *scene, DebyeTopology *topology, DebyeFrame *frame,
                                  GError **error);
