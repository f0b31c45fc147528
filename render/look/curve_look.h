/* SPDX-License-Identifier: MIT */
/* How one curve of a plot is drawn, as the option --curve says it: “NAME: colour, dash, width, marker, "label"”. */
#pragma once

#include "render/plot/plot.h"

typedef struct {
  gboolean has_rgb, has_dash, has_marker, is_hidden;
  guint32 rgb;
  DebyePlotDash dash;
  double width;     /* points; 0: not said */
  gboolean is_bare; /* no markers */
  DebyePlotMarker marker;
  char *label; /* as it was written; NULL: not said */
} DebyeCurveLook;

void debye_curve_look_clear(DebyeCurveLook *look);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeCurveLook, debye_curve_look_clear)

/* The words behind the colon that say the same: "#b2182b, dashed, 1.5, circle, \"label\""; empty where nothing is said.
 * Quotation marks within the label become apostrophes, since nothing in the grammar stands for them. Free with g_free. */
char *debye_curve_look_to_words(const DebyeCurveLook *look);
/* What `text` says of the series, over what `look` has already. FALSE: it names others, or is no look of a curve. */
gboolean debye_curve_look_read(const char *text, DebyePlot *plot, guint series, DebyeCurveLook *look);

/* Whether `text` begins with the curve's whole name and says something that is known. */
gboolean debye_curve_look_is_of(const char *text, DebyeCurve *curve);
/* Whether `text` is a name, a colon and words that are known; of names with colons any may end the name. */
gboolean debye_curve_look_check(const char *text, GError **error);
/* Draws the curves that `text` names as it says: by their names as files or legends have them, by their beginning where a
 * colon or a bracket follows it, by their number in the legend from 1 on, or all of them as “*”. How many there were; −1
 * with an error. */
int debye_curve_look_apply(const char *text, DebyePlot *plot, GError **error);
