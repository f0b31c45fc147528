/* SPDX-License-Identifier: MIT */
/* The size of words that are drawn and no widgets. */
#pragma once

#include <gtk/gtk.h>

/* How much larger than usual the desktop's text is: 1 at 96 dots per inch and with a font of up to 11 points, from 0.5 to 4. */
double debye_text_scale(GtkWidget *widget);
/* Calls `changed` with `object`, as long as that lives, when the scale may have changed. */
void debye_text_scale_watch(GtkWidget *widget, GCallback changed, gpointer object);
