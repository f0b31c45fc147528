/* SPDX-License-Identifier: MIT */
/* Where the contour lines of a slice carry their numbers. */
#pragma once

#include "layer.h"
#include "render/mesh/slice_plane.h"

/* A label for each longer line at the multiples of `step` from `minimum` to `maximum`, apart from each other and from
 * the cut's rim; of many lines every second, fifth or tenth. None where the lines are too many to be read.
 * (element-type DebyeLabel) */
GArray *debye_slice_contours_label(const DebyeSlicePlane *plane, double minimum, double maximum, double step);
