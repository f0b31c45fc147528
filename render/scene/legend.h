/* SPDX-License-Identifier: MIT */
/* The legends of a picture's layers, one below the other. Of layers with equal legends one is drawn; where
 * several scales stand together, each is headed by the layers that it belongs to. */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* Draws the legends of the visible DebyeLayers of `layers` at (0, 0) in logical pixels, in the text colour;
 * gives the size that they take, 0 × 0 where no layer has one. NULL cr: only measure. */
void debye_legend_draw(GListModel *layers, gboolean with_notes, cairo_t *cr, const double text_color[4],
                       double *width, double *height);

G_END_DECLS
