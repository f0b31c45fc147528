/* SPDX-License-Identifier: MIT */
/* What the colours of a molecule stand for: a colour bar, a list of chains, or nothing. */
#pragma once

#include <cairo.h>

#include "molecule_layer.h"

G_BEGIN_DECLS

/* See DebyeLayerClass.draw_legend. */
void debye_molecule_legend_draw(DebyeTopology *topology, DebyeMoleculeColoring coloring, cairo_t *cr,
                                const double ink[3], double *width, double *height);

G_END_DECLS
