/* SPDX-License-Identifier: MIT */
/* Draws views for the panels of a figure, on the paper of the figure: one by one for its file and as thumbnails for its
 * preview; called by window_figure.c. */
#pragma once

#include <gio/gio.h>

#include "offscreen_renderer.h"

/* Views are drawn anew if the panels change their shape or the figure its paper. */
typedef struct {
  DebyeCaptureSize size;
  gboolean dark;
} DebyePanelShape;
/* The width isn't compared: it is the same for all thumbnails. */
gboolean debye_panel_shape_equals(const DebyePanelShape *a, const DebyePanelShape *b);

/* Draws on the renderer's thread; results and errors as of debye_offscreen_renderer_draw(). */
GBytes *debye_panel_view_draw(DebyeOffscreenRenderer *renderer, const DebyeCamera *camera,
                              const DebyePanelShape *shape, DebyeDrawingProgress progress, gpointer data,
                              GError **error);

/* Draws one thumbnail per DebyeCamera in `cameras` on another thread, then calls back on this one. `copy` and `cameras`:
 * transfer full. */
void debye_panel_thumbnails_draw(DebyeSceneCopy *copy, GArray *cameras, const DebyePanelShape *shape,
                                 GAsyncReadyCallback callback, gpointer data);
/* The pictures in the order of the cameras, GBytes or NULL; none if there is no GL context. `shape`: the one they were drawn
 * for. (transfer full) */
GPtrArray *debye_panel_thumbnails_finish(GAsyncResult *result, DebyePanelShape *shape);
