/* SPDX-License-Identifier: MIT */
/* The desktop's text scaling factor for texts drawn in the plot and over the molecule. */
#include "text_scale.h"

double
debye_text_scale(GtkWidget *widget)
{
  int dpi = 0;
  g_object_get(gtk_widget_get_settings(widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? CLAMP(dpi / 1024.0 / 96.0, 0.5, 4.0) : 1.0;
}
