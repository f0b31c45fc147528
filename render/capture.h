/* SPDX-License-Identifier: MIT */
/* Pictures of a scene into PNG, in the GL context that is current, or in one of our own without any display
 * (EGL). */
#pragma once

#include "scene.h"

G_BEGIN_DECLS

/* A context without a window or display, current on this thread. NULL with the reason in words. */
typedef struct _DebyeOffscreen DebyeOffscreen;
DebyeOffscreen *debye_offscreen_new(GError **error);
void debye_offscreen_free(DebyeOffscreen *offscreen);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeOffscreen, debye_offscreen_free)
const char *debye_offscreen_get_renderer(DebyeOffscreen *offscreen);

/* RGBA rows from the top, straight alpha, 4·width bytes each; legend, axes and scale bar as the look says.
 * Sizes beyond the GL's limit are drawn in tiles. `scale`: logical pixel in pixels. */
GBytes *debye_capture(DebyeScene *scene, int width, int height, double scale, gboolean transparent,
                      int samples, GError **error);
gboolean debye_capture_save_png(GBytes *rgba, int width, int height, const char *path, GError **error);

G_END_DECLS
