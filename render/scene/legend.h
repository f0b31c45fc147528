/* SPDX-License-Identifier: MIT */
/* The legends of a picture's layers, one below the other. Of layers with equal legends one is drawn; where
 * several scales stand together, each is headed by the layers that it belongs to. */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "look.h"

/* Logical pixels from the side of the picture to the words. */
#define DEBYE_LEGEND_RIM 23.0
/* Of its size, in a picture that it would be too high for: smaller letters could not be read. */
#define DEBYE_LEGEND_LEAST_SHARE 0.4

/* Draws the legends of the visible DebyeLayers of `layers` at (0, 0) in logical pixels, in the
 * text colour, with the look's notes, bars and legends of colours; gives the size that they
 * take, 0 × 0 where no layer has one. NULL cr: only measure. */
void debye_legend_draw(GListModel *layers, const DebyeLook *look, cairo_t *cr, const double text_color[4],
                       double *width, double *height);
/* The share of a picture's width that the legend takes with its rim, 0 where the look has none. The size of the picture is
 * in logical pixels. */
double debye_legend_get_share(GListModel *layers, const DebyeLook *look, double width, double height);
