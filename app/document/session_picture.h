/* SPDX-License-Identifier: MIT */
/* Builds the scene of a session without a window; called by command_render.c. */
#pragma once

#include "app/scene/layer_texts.h"
#include "document.h"
#include "render/scene/scene.h"

/* What the window showed when it saved the session, changed as `texts` (DebyeLayerText) say. `warnings` (char *) gets a
 * sentence for each file that is missing or has changed, and each layer that is left out; if that is all of them, it is an
 * error. *document, to be unreferenced, is what it was made of; NULL: it isn't wanted. */
DebyeScene *debye_session_picture_new(const char *path, GPtrArray *texts, DebyeDocument **document,
                                      GPtrArray *warnings, GError **error);
/* The same view of another frame: the scene gets its layers anew. */
gboolean debye_session_picture_show_frame(DebyeScene *scene, DebyeDocument *document, gsize number,
                                          GPtrArray *texts, GError **error);
