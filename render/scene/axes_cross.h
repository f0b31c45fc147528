/* SPDX-License-Identifier: MIT */
/* The cross of axes in a picture's corner. Lengths are logical pixels, y down. */
#pragma once

#include <cairo.h>

#define DEBYE_AXES_CROSS_SIZE 76.0 /* of a side of the square that it fills */

/* `orientation`: the camera's, a quaternion. */
void debye_axes_cross_draw(cairo_t *cr, const float orientation[4], const double text_color[4]);
/* The middles of the letters x, y and z, from the middle of the square. */
void debye_axes_cross_place_letters(const float orientation[4], double letters[3][2]);
