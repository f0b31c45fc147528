/* SPDX-License-Identifier: MIT */
/* What the colours of a molecule stand for: a colour bar, a list of chains, or nothing. */
#pragma once

#include <cairo.h>

#include "molecule_colors.h"

G_BEGIN_DECLS

/* See DebyeLayerClass.draw_legend. */
void debye_molecule_legend_draw(DebyeTopology *topology, DebyeMoleculeColoring coloring,
                                const DebyeColorMap *chosen, cairo_t *cr, const double text_color[4],
                                double *width, double *height);

/* See DebyeLayerClass.get_legend_key: copies of a topology with other bonds have the same legend. */
char *debye_molecule_legend_get_key(DebyeTopology *topology, DebyeMoleculeColoring coloring,
                                    const DebyeColorMap *chosen);

G_END_DECLS
