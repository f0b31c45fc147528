/* SPDX-License-Identifier: MIT */
/* What the colours of a molecule stand for: a colour bar, a list, or nothing. */
#pragma once

#include <cairo.h>

#include "layer.h"
#include "molecule_colors.h"

/* See DebyeLayerClass.draw_legend. A bar of values, the chains, and where the layer's "legend" asks for it a list of what
 * colours else stand for, of the atoms that are shown. */
void debye_molecule_legend_draw(DebyeLayer *layer, DebyeMoleculeColoring coloring,
                                const DebyeColorMap *chosen, cairo_t *cr, const double text_color[4],
                                double *width, double *height);
/* See DebyeLayerClass.get_legend_key: copies of a topology with other bonds have the same legend. */
char *debye_molecule_legend_get_key(DebyeLayer *layer, DebyeMoleculeColoring coloring,
                                    const DebyeColorMap *chosen);

/* A colour and its name, below what has been drawn already, which it adds to. */
void debye_molecule_legend_add_swatch(const float rgb[3], const char *name, cairo_t *cr,
                                      const double text_color[4], double *width, double *height);
/* A line of a list. */
typedef struct {
  guint32 color; /* 0xrrggbb */
  char *name;
} DebyeLegendEntry;

/* (element-type DebyeLegendEntry) */
GArray *debye_molecule_legend_new_list(void);
/* Adds the name once. (name: transfer full) */
void debye_molecule_legend_add(GArray *entries, guint32 color, char *name);
void debye_molecule_legend_draw_list(GArray *entries, cairo_t *cr, const double text_color[4], double *width,
                                     double *height);
