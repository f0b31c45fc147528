/* SPDX-License-Identifier: MIT */
/* A page of the manual as widgets, made for manual_window.c. */
#pragma once

#include <gtk/gtk.h>

/* `text`: headings (#), paragraphs, lists (- ), formulas (> ), code (between ```), tables (|) and pictures,
 * each on a line of its own, from the resources in `folder`. */
GtkWidget *debye_manual_page_new(const char *text, const char *folder);

/* The first heading of a page. Free it. */
char *debye_manual_page_find_title(const char *text);
