/* SPDX-License-Identifier: MIT */
/* A preset's settings of a page of panels; called by window_figure.c. */
#pragma once

#include "render/plot/figure.h"

/* Width, resolution, texts, lines, letters, captions and paper as the preset of that name says; what it leaves open is as
 * usual. NULL, or a preset that can't be read: all as usual. */
void debye_presets_apply_to_page(const char *name, DebyeFigureStyle *style);
