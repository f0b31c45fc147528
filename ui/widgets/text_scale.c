/* SPDX-License-Identifier: MIT */
/* Reads the size of the desktop's text, for view_3d.c and plot_view.c. */
#include "text_scale.h"

#include <math.h>

/* Points of the font of a desktop whose text was not enlarged. */
#define USUAL_POINTS 11.0

/* 1 for the usual font and smaller ones, in which numbers on axes would be too small. */
static double
font_scale(const char *name)
{
  PangoFontDescription *font = pango_font_description_from_string(name != NULL ? name : "");
  const double size = pango_font_description_get_size_is_absolute(font)
                          ? 0.0
                          : (double)pango_font_description_get_size(font) / PANGO_SCALE;
  pango_font_description_free(font);
  return fmax(size / USUAL_POINTS, 1.0);
}

double
debye_text_scale(GtkWidget *widget)
{
  int dpi = 0;
  g_autofree char *font = NULL;
  g_object_get(gtk_widget_get_settings(widget), "gtk-xft-dpi", &dpi, "gtk-font-name", &font, NULL);
  const double resolution = dpi > 0 ? dpi / 1024.0 / 96.0 : 1.0;
  return CLAMP(resolution * font_scale(font), 0.5, 4.0);
}

void
debye_text_scale_watch(GtkWidget *widget, GCallback changed, gpointer object)
{
  GtkSettings *settings = gtk_widget_get_settings(widget);
  g_signal_connect_object(settings, "notify::gtk-xft-dpi", changed, object, G_CONNECT_SWAPPED);
  g_signal_connect_object(settings, "notify::gtk-font-name", changed, object, G_CONNECT_SWAPPED);
}
