/* SPDX-License-Identifier: MIT */
/* Builds the scene of a session without a window; called by command_render.c. */
#pragma once

#include "document.h"
#include "render/scene/scene.h"

G_BEGIN_DECLS

/* What the window showed when it saved the session. `warnings` (char *) gets a sentence for each file that is
 * missing or has changed, and each layer that is left out; if that is all of them, it is an error. */
DebyeScene *debye_session_picture_new(const char *path, GPtrArray *warnings, GError **error);

G_END_DECLS
