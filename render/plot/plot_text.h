/* SPDX-License-Identifier: MIT */
/* Texts of a plot, used by its layout and drawers: short markup in the plot's font, measured and drawn the same on
 * every kind of page. Sizes and positions are in points. */
#pragma once

#include <pango/pangocairo.h>

#include "data/results/quantity.h"

/* Families, the first that the system has. */
#define DEBYE_PLOT_FONT "Inter, Helvetica, Arial, Liberation Sans, Cantarell, Noto Sans, sans-serif"

/* A stretch of text that is set alike. */
typedef struct {
  char *text;
  int script; /* 1: superscript, −1: subscript */
  gboolean italic, bold;
} DebyePlotRun;

/* How much smaller scripts are, and how far from the baseline they stand, of the size of the text. */
#define DEBYE_PLOT_SCRIPT_SIZE 0.72
#define DEBYE_PLOT_SUPERSCRIPT_RISE 0.36
#define DEBYE_PLOT_SUBSCRIPT_RISE (-0.17)

/* Markup of plain text: escaped, with superscript and subscript letters ("Å⁻¹", "H₂O") set as such. */
char *debye_plot_text_from_plain(const char *plain);
/* Markup of what a person typed: “*g*(*r*)” slanted, “**bold**”, “Å^{−1}” and “H_{2}O” with scripts, which letters such as
 * those of “Å⁻¹” are too. A mark without its partner stands as it is. */
char *debye_plot_text_from_marked(const char *text);
/* And back, for hints: “*r* (Å)” of "<i>r</i> (Å)". Elements that marks can't say are left out. */
char *debye_plot_text_to_marked(const char *markup);
/* A curve's name as people write it: translated, and pairs of atoms with a dash, "Na–O" of "element
 * Na-element O", "GLY12 CA – ASP34 OD1" of "GLY12 CA - ASP34 OD1". Files keep the name as it is. */
char *debye_plot_text_from_name(const char *name);
/* The same of what heads an axis, with its symbols slanted and its unit upright: "<i>g</i>(<i>r</i>)". */
char *debye_plot_text_from_quantity(const DebyeQuantity *quantity);
/* Whether letters of a unit are constants of nature, thus slanted: kT and e of "kT/e", but not of "mol" or "mV". */
gboolean debye_plot_text_is_constant(const char *letters, gsize length);
/* Without markup, scripts as letters where Unicode has them: for names and clipboards. */
char *debye_plot_text_to_plain(const char *markup);

/* Of markup: NULL-safe, and text that is no markup is taken as it stands. (element-type DebyePlotRun) */
GPtrArray *debye_plot_text_parse(const char *markup);

typedef struct {
  double width;
  double ascent, descent; /* of the font: the same for all texts of a size */
} DebyePlotTextExtent;

/* FALSE on a machine without a single font, as a cluster's node may be: texts are then drawn as boxes. */
gboolean debye_plot_text_has_fonts(void);

void debye_plot_text_measure(const char *markup, double size, DebyePlotTextExtent *extent);
double debye_plot_text_width(const char *markup, double size); /* of NULL: 0 */

/* Draws with the left end of the baseline at the current origin, in the source that is set. */
void debye_plot_text_draw(cairo_t *cr, const char *markup, double size);
/* The same as a path, which is not filled yet. */
void debye_plot_text_trace(cairo_t *cr, const char *markup, double size);
