/* SPDX-License-Identifier: MIT */
/* The size of words that are drawn and no widgets. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* How much larger than usual the desktop's words are set to be: 1 at 96 dots an inch, from 0.5 to 4.
 * Changes come as "notify::gtk-xft-dpi" of the widget's GtkSettings. */
double debye_text_scale(GtkWidget *widget);

G_END_DECLS
