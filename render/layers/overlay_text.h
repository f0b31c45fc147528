/* SPDX-License-Identifier: MIT */
/* Text and colour bars that legends, axes and labels draw over a picture with cairo, legible on any
 * background. Sizes are logical pixels for a font of 11 pixels; the whole overlay is scaled afterwards. A text's
 * colour is red, green, blue, and how strong the halo around it is (0 … 1). */
#pragma once

#include <cairo.h>

#include "data/results/field.h"
#include "render/plot/color_map.h"

#define DEBYE_OVERLAY_FONT_SIZE 11.0

/* The alignment is the position of the point within the text: 0 … 1 from its left or top. */
void debye_overlay_text_draw(cairo_t *cr, const char *text, double x, double y, double align_x,
                             double align_y, const double text_color[4]);
void debye_overlay_text_measure(const char *text, double *width, double *height);
/* A line in the text colour with a halo under it: the path is used up. */
void debye_overlay_text_stroke(cairo_t *cr, double width, const double text_color[4]);

typedef struct {
  const DebyeColorMap *map;
  double opacity; /* of what it explains */
  double minimum, maximum;
  gboolean is_level; /* lies on its side, the maximum at the right; else it stands upright */
  gboolean is_cut_below, is_cut_above; /* there are values beyond that end, in its colour */
  const char *title;                   /* quantity and unit */
  gboolean is_slanted;                 /* it begins with a letter for the quantity, which is italic */
} DebyeColorBar;

/* A bar with round ticks, the numbers of its ends where those leave room, an arrow at an end that cuts values off,
 * and its title on top; measures only where cr is NULL. */
void debye_overlay_text_color_bar(cairo_t *cr, const DebyeColorBar *bar, const double text_color[4],
                                  double *width, double *height);
/* The title of a bar of a map's values: “φ (kT/e)” of a potential, ψ of orbitals, ρ of densities, ΔG of free energies, s(ρ) of
 * a standard error; of other maps the unit, or without one the name. `is_slanted` may be NULL. */
char *debye_overlay_text_bar_title(DebyeField *field, gboolean *is_slanted);
/* A patch of colour and what it stands for. */
void debye_overlay_text_swatch(cairo_t *cr, const float rgb[3], double opacity, const char *text,
                               const double text_color[4], double *width, double *height);

/* 1, 2 or 5 times a power of ten, at most `largest`. */
double debye_overlay_text_round_step(double largest);
/* “5·10⁻⁷ Å⁻³” for “5e-07 Å⁻³”: of a text that begins with a number; others as they are. */
char *debye_overlay_text_raise_power(const char *number);
/* A number as it is printed beside ticks `step` apart, with a true minus sign, in every locale with a dot; very large and very
 * small ones with a power of ten. */
char *debye_overlay_text_format_number(double value, double step);
