/* SPDX-License-Identifier: MIT */
/* Writes the line of a curve into a drawing: cut at a rectangle, in as few pieces as can be. */
#pragma once

#include "plot_drawing.h"
#include "plot_layout.h"

typedef struct {
  DebyePlotDrawing *drawing;
  double left, right, top, bottom; /* what lies outside is not written */
  gboolean has_last, has_written;  /* of the current piece */
  double last_x, last_y;           /* as given */
  double written_x, written_y;     /* as written */
  double length;
} DebyePlotPath;

/* `margin` around the rectangle: half a line's width, so that cut ends stay unseen. */
void debye_plot_path_begin(DebyePlotPath *path, DebyePlotDrawing *drawing,
                           const DebyePlotRectangle *rectangle, double margin);
void debye_plot_path_add(DebyePlotPath *path, double x, double y);
/* The next point begins a new piece; also at the end. */
void debye_plot_path_break(DebyePlotPath *path);
