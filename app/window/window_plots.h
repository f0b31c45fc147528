/* SPDX-License-Identifier: MIT */
/* The plot of one window: measured curves, exports, and the pairs of a distance shown in 3-D. */
#pragma once

#include "window_controller_private.h"

G_BEGIN_DECLS

/* Connects the window's plot panel. */
void debye_window_plots_add(DebyeWindowController *self);
/* Asks where to, then saves what is shown. */
void debye_window_plots_export(DebyeWindowController *self);
/* As it is seen for .svg, .pdf and .png; the newest result that is shown for .h5, and for .csv, where the
 * curves of several results stand in one file. */
void debye_window_plots_save_shown(DebyeWindowController *self, const char *path);
/* Asks for a file of a measured curve. */
void debye_window_plots_add_measured(DebyeWindowController *self);
void debye_window_plots_choose_quantity(DebyeWindowController *self, const char *name);
/* Keeps the curves of the result at that place of the list beside those that come. */
void debye_window_plots_compare(DebyeWindowController *self, guint position);
/* Whether a name ends as that of a text file with columns, which is a measured curve beside a plot. */
gboolean debye_window_plots_is_measured(const char *path);
void debye_window_plots_open_measured(DebyeWindowController *self, const char *path);
/* A plot of any view, by ending: as a picture, or the numbers of its curves. */
void debye_window_plots_save(DebyeWindowController *self, DebyePlotView *view, const char *path);
/* Another molecule is shown: no pairs of the old one. */
void debye_window_plots_forget(DebyeWindowController *self);
/* Another frame is shown: the pairs that are shown follow. */
void debye_window_plots_follow(DebyeWindowController *self);

G_END_DECLS
