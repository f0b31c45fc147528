/* SPDX-License-Identifier: MIT */
/* What a preset says of a page of panels; called by the window. */
#pragma once

#include "render/plot/figure.h"

G_BEGIN_DECLS

/* Width, resolution, texts, lines, letters, captions and paper as the preset of that name says; what it leaves open is as
 * usual. NULL, or a preset that can't be read: all as usual. */
void debye_presets_apply_to_page(const char *name, DebyeFigureStyle *style);

G_END_DECLS
