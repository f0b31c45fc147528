/* SPDX-License-Identifier: MIT */
/* Pictures in the colours that encoders take: brightness of each pixel, and two colour differences of each four; called by
 * film_file.c. */
#pragma once

#include <glib.h>

/* The matrix of ITU-R BT.601, else of BT.709. */
typedef enum { DEBYE_FILM_BT709, DEBYE_FILM_BT601 } DebyeFilmMatrix;

/* RGBA rows (sRGB, opacity counts for nothing) of even width and height into planes Y, U, V of 8 bits, 16 … 235 and 16 … 240,
 * whose rows are padded to multiples of 4 bytes, as GStreamer has them.
 * Black, white and greys have no colour: white is 235, 128, 128 exactly. (transfer full) */
GBytes *debye_film_colors_convert(GBytes *rgba, int width, int height, DebyeFilmMatrix matrix);
