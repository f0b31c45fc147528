/* SPDX-License-Identifier: MIT */
/* What lies over the picture: legends, axes, the scale bar. Each is drawn with cairo into a texture of its
 * own, and again only when what it shows has changed. */
#pragma once

#include "renderer.h"

typedef struct _DebyeOverlay DebyeOverlay;

DebyeOverlay *debye_overlay_new(void);
void debye_overlay_free(DebyeOverlay *overlay, gboolean context_lost);
/* Whether any letter would be drawn over a picture of these layers (DebyeLayer). */
gboolean debye_overlay_has_texts(GListModel *layers, const DebyeLook *look);
/* Into the framebuffer that is bound. `serial` changes whenever a legend may have. */
void debye_overlay_draw(DebyeOverlay *overlay, DebyeRenderer *renderer, GListModel *layers,
                        const DebyePicture *picture, guint64 serial);
