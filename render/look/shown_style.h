/* SPDX-License-Identifier: MIT */
/* The style of what a plot of results shows, for a command that draws the same results; called by result_look.c. */
#pragma once

#include "render/plot/result_plot.h"
#include "style_file.h"

/* `style`, as it is for a plot of what is shown alone: without the lines of curves that are not; of
 * several results with a line for each curve, by its number, as a command names them otherwise.
 * NULL: measured curves are shown, which stand in no result. */
DebyeRequest *debye_shown_style_new(DebyeRequest *style, DebyeResultPlot *plot);
