/* SPDX-License-Identifier: MIT */
/* Words and colour bars drawn over a picture with cairo, legible on whatever is behind them. Logical pixels;
 * drawn for a font of 11 pixels, and scaled as a whole. */
#pragma once

#include <cairo.h>

#include "render/plot/color_map.h"

G_BEGIN_DECLS

#define DEBYE_INK_FONT_SIZE 11.0

/* Where a text stands against its point: 0 … 1 from its left or top. */
void debye_ink_text(cairo_t *cr, const char *text, double x, double y, double align_x, double align_y,
                    const double ink[3]);
void debye_ink_measure(const char *text, double *width, double *height);
/* A line in ink with a halo under it: the path is used up. */
void debye_ink_stroke(cairo_t *cr, double width, const double ink[3]);

/* An upright bar with round ticks and its title on top; measures only where cr is NULL. */
void debye_ink_color_bar(cairo_t *cr, const DebyeColorMap *map, double minimum, double maximum,
                         const char *title, const double ink[3], double *width, double *height);
/* A patch of colour and what it stands for. */
void debye_ink_swatch(cairo_t *cr, const float rgb[3], double opacity, const char *text, const double ink[3],
                      double *width, double *height);

/* 1, 2 or 5 times a power of ten, at most `largest`. */
double debye_ink_round_step(double largest);
/* A number as it is printed beside ticks `step` apart, with a true minus sign, in every locale with a dot. */
char *debye_ink_number(double value, double step);

G_END_DECLS
