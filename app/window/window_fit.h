/* SPDX-License-Identifier: MIT */
/* Fits of small-angle curves in a window, called by window_actions.c: asks for
 * the file and the settings, and keeps the result. */
#pragma once

#include "ui/plot/plot_view.h"
#include "window_document.h"

/* Asks for a measured curve, then for what is to be fitted. Where a fit was made already, its
 * settings are asked for again, so that a range can be moved. */
void debye_window_fit_ask(DebyeWindowDocument *self);
/* The same of this file. */
void debye_window_fit_open(DebyeWindowDocument *self, const char *path);
/* The power law of the newest result's curve over a range “QMIN:QMAX” in Å⁻¹, as a job: for guides. */
void debye_window_fit_power_law(DebyeWindowDocument *self, const char *range);

/* Fits anew, as before but for the range, where an end of that is moved in this plot (data/results/fit_range.h lists the
 * ranges). Only the newest such fit is shown and listed; Ctrl+Z in the plot brings the one before back. After a fit that fails the
 * plot has the range that was fitted. */
void debye_window_fit_follow(DebyeWindowDocument *self, DebyePlotView *view);
