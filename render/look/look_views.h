/* SPDX-License-Identifier: MIT */
/* What a hand may move on the screen as well as set by a value: scales, ranges and the legend. They are laid on the plot
 * only when a value is changed, so that newer results leave alone what a hand has moved since. */
#pragma once

#include "data/settings/request.h"
#include "render/plot/result_plot.h"

#define DEBYE_LOOK_N_VIEWS 5

typedef struct {
  char *laid[DEBYE_LOOK_N_VIEWS]; /* values as they were laid on the plot last; NULL: none */
} DebyeLookViews;

/* Leaves in `request` those that are to be laid on the plot now, and resets those of the plot that were taken back. */
void debye_look_views_choose(DebyeLookViews *self, DebyeResultPlot *plot, DebyeRequest *request);
/* After they were laid without an error: what could not be is chosen again with the next change. */
void debye_look_views_record(DebyeLookViews *self, DebyeRequest *request);
/* The plot shows another quantity, whose values these are. */
void debye_look_views_turn_to(DebyeLookViews *self, DebyeRequest *request);
void debye_look_views_clear(DebyeLookViews *self);
