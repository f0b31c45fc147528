/* SPDX-License-Identifier: MIT */
/* The plot of one window: measured curves, exports, and the pairs of a distance shown in 3-D. */
#pragma once

#include "window_frames.h"

/* Connects the window's plot panel; pairs that are shown follow the frames. */
void debye_window_plots_add(DebyeWindowDocument *self, DebyeWindowFrames *frames);
/* Asks where to, then saves what is shown. */
void debye_window_plots_export(DebyeWindowDocument *self);
/* As it is seen for .svg, .pdf and .png; the newest result that is shown for .h5, and for .csv, where the
 * curves of several results stand in one file. */
void debye_window_plots_save_shown(DebyeWindowDocument *self, const char *path);
/* Asks for a file of a measured curve. */
void debye_window_plots_add_measured(DebyeWindowDocument *self);
/* Keeps the curves of the result at that place of the list beside those that come. */
void debye_window_plots_compare(DebyeWindowDocument *self, guint position);
void debye_window_plots_open_measured(DebyeWindowDocument *self, const char *path);
/* As values of a session and back, see measured_curves.h. */
void debye_window_plots_save_measured(DebyeWindowDocument *self, GVariantDict *values, const char *folder);
void debye_window_plots_restore_measured(DebyeWindowDocument *self, GVariant *values, const char *folder);
/* A plot of any view, by ending: as a picture, or the numbers of its curves. */
void debye_window_plots_save(DebyeWindowDocument *self, DebyePlotView *view, const char *path);
/* The look of the plot, from and into a file that `--config` of debye-cli reads too. */
void debye_window_plots_use_style(DebyeWindowDocument *self, const char *path);
void debye_window_plots_save_style(DebyeWindowDocument *self, const char *path);
/* Another molecule is shown: no pairs of the old one. */
void debye_window_plots_forget(DebyeWindowDocument *self);
