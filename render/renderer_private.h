/* SPDX-License-Identifier: MIT */
/* What renderer.c and renderer_view.c share. */
#pragma once

#include "gl_target.h"
#include "renderer.h"

G_BEGIN_DECLS

/* Of the picture's rectangle at `factor` of its size, shifted by the sample's part of a pixel. */
void debye_renderer_make_view(GListModel *layers, const DebyePicture *picture, double factor, int sample,
                              DebyeViewBlock *block);

G_END_DECLS
