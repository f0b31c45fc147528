/* SPDX-License-Identifier: MIT */
/* Where the numbers of a slice's contour lines stand; the lines themselves are drawn by slice.glsl. */
#pragma once

#include "layer.h"
#include "slice_plane.h"

G_BEGIN_DECLS

/* One label for each multiple of `step` from minimum to maximum that the plane has, at most DEBYE_MAX_CONTOUR_LABELS, apart
 * from each other and, as far as there is a choice, where the map is flat. (element-type DebyeLabel) */
#define DEBYE_MAX_CONTOUR_LABELS 40
GArray *debye_slice_contours_label(const DebyeSlicePlane *plane, double minimum, double maximum, double step);

G_END_DECLS
