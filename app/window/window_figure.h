/* SPDX-License-Identifier: MIT */
/* Figures of several panels from a window: the view, views that were kept, plots. */
#pragma once

#include "window_document.h"

/* Asks what shall stand where and the path, then writes, as a job. */
void debye_window_figure_ask(DebyeWindowDocument *self);
/* The same page with the plot of the window alone. */
void debye_window_figure_ask_plot(DebyeWindowDocument *self);
/* The view and all plots, in the usual style: for scripts and tests. */
void debye_window_figure_save(DebyeWindowDocument *self, const char *path);
