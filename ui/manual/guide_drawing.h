/* SPDX-License-Identifier: MIT */
/* Drawings of who computes what, for a guide's steps: threads, atoms, points, bins, blocks of pairs, tasks. Drawn by
 * guide_bar.c and, for hand-outs, by hand_out.c. */
#pragma once

#include <cairo.h>
#include <glib.h>

/* Width over height. */
#define DEBYE_GUIDE_DRAWING_ASPECT 2.5

/* Whether there is a drawing of this name: scatter, gather, tiles, half-warps, bins, pairs, tasks, dealt. */
gboolean debye_guide_drawing_exists(const char *name);
/* Into a box of this width with its corner at the origin; lines and words have cairo's color. Of another name nothing is
 * drawn. */
void debye_guide_drawing_draw(const char *name, cairo_t *cr, double width);
/* What it shows, in a sentence. NULL: there is none of this name. */
const char *debye_guide_drawing_describe(const char *name);
