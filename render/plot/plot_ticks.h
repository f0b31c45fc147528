/* SPDX-License-Identifier: MIT */
/* Where an axis has its ticks, and what they say. */
#pragma once

#include <glib.h>

#include "plot.h"

typedef struct {
  double value;
  char *label; /* Pango markup; NULL: a minor tick, or a major one that says nothing */
  gboolean is_major;
} DebyePlotTick;

typedef struct {
  GArray *ticks; /* DebyePlotTick, ascending */
  int exponent;  /* labels are to be multiplied with ten to this power; 0 or a multiple of 3 */
} DebyePlotTicks;

/* At most `max_count` (≥ 2) labelled ticks from minimum to maximum, both ends included where they are round. */
void debye_plot_ticks_init(DebyePlotTicks *ticks, DebyePlotScale scale, double minimum, double maximum,
                           int max_count);
/* Those that a person chose; a choice of nothing, or a step on a logarithmic axis, is as above. */
void debye_plot_ticks_init_chosen(DebyePlotTicks *ticks, const DebyePlotTickChoice *choice,
                                  DebyePlotScale scale, double minimum, double maximum, int max_count);
void debye_plot_ticks_clear(DebyePlotTicks *ticks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyePlotTicks, debye_plot_ticks_clear)

/* A value as it is read out, with as many digits as `resolution` (the value of a pixel) is worth, and a true
 * minus sign. Plain text. */
char *debye_plot_value_text(double value, double resolution);
/* "×10³" as markup, for the exponent of the ticks; "" for 0. */
char *debye_plot_exponent_markup(int exponent);
