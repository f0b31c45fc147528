/* SPDX-License-Identifier: MIT */
/* A plot as it is now, for the clipboard: SVG and PNG, drawn on a thread when another program asks. */
#pragma once

#include <gdk/gdk.h>

#include "render/plot/plot.h"
#include "render/plot/plot_cairo.h"

/* The plot is copied, and so is the page, whose origin must be NULL. */
GdkContentProvider *debye_plot_content_new(DebyePlot *plot, const DebyePlotPage *page);
