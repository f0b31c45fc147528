/* SPDX-License-Identifier: MIT */
/* The manual in a window: its pages beside a list that a search narrows. */
#pragma once

#include <adwaita.h>

#define DEBYE_TYPE_MANUAL_WINDOW (debye_manual_window_get_type())
G_DECLARE_FINAL_TYPE(DebyeManualWindow, debye_manual_window, DEBYE, MANUAL_WINDOW, AdwWindow)

/* `folder`: of resources; its file "contents" names the pages, one a line, in order. */
GtkWidget *debye_manual_window_new(const char *folder);
/* A page by its file's name, with or without ".md". A name that there is none of changes nothing. */
void debye_manual_window_show_page(DebyeManualWindow *self, const char *name);
