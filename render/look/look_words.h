/* SPDX-License-Identifier: MIT */
/* What options for the look of a plot say, as values: ranges, ticks, places, lines and texts. Each function is FALSE with
 * an error that says what was expected and what was found; it knows no plot. */
#pragma once

#include "render/plot/plot.h"

/* "FIRST:LAST" with FIRST below LAST; an end that is left out is NAN. */
gboolean debye_look_parse_range(const char *text, double limits[2], GError **error);

/* "STEP", "STEP/INTERVALS" or "A,B,C", ascending. */
typedef struct {
  double step;
  int n_minor;
  GArray *values; /* double; NULL: a step */
} DebyeLookTicks;

gboolean debye_look_parse_ticks(const char *text, DebyeLookTicks *ticks, GError **error);
void debye_look_ticks_clear(DebyeLookTicks *ticks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeLookTicks, debye_look_ticks_clear)

/* "none", "auto", "ends", "above", a corner or a side as in "top-left", or "X,Y". */
typedef struct {
  gboolean is_hidden;
  DebyePlotLegendSide side;
  double x, y; /* of the top left corner, parts (0…1) of the frame; NAN: by the side */
} DebyeLookLegend;

gboolean debye_look_parse_legend(const char *text, DebyeLookLegend *legend, GError **error);

/* "FIRST:LAST", neither of which may be left out, and after a comma a place in the frame, as that of a legend. */
typedef struct {
  double limits[2];
  DebyeLookLegend place;
} DebyeLookInset;

gboolean debye_look_parse_inset(const char *text, DebyeLookInset *inset, GError **error);

/* "x=VALUE" or "y=VALUE", and after a colon what the line is; "X,Y: TEXT", between "left", "center" and "right" after a
 * second comma. Free the words with g_free. */
typedef struct {
  DebyePlotAxis axis; /* of a line */
  double x, y;        /* of a line x is its value */
  double align;
  char *words; /* NULL: none */
} DebyeLookMark;

gboolean debye_look_parse_line(const char *text, DebyeLookMark *mark, GError **error);
gboolean debye_look_parse_text(const char *text, DebyeLookMark *mark, GError **error);

/* A whole text as a number; FALSE: it is none, or not finite. */
gboolean debye_look_read_number(const char *text, double *value);
