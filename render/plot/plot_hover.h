/* SPDX-License-Identifier: MIT */
/* What is drawn over a plot's page while a hand is at it: the read-out of a point, the rectangle of a zoom. */
#pragma once

#include "plot_layout.h"

typedef struct {
  gboolean has_point, has_rectangle;
  DebyePlotPoint point;
  DebyePlotRectangle rectangle;
} DebyePlotHover;

/* "O–O", "r = 2.78 Å", "g(r) = 2.81 ± 0.05": lines of plain text, with as many digits as a pixel is worth. */
char **debye_plot_layout_describe(const DebyePlotLayout *layout, const DebyePlotPoint *point);
/* A mark at the point with its read-out beside it; the rectangle that is being drawn. */
DebyePlotDrawing *debye_plot_hover_draw(const DebyePlotLayout *layout, const DebyePlotHover *hover);
