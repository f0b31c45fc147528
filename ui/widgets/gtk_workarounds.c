/* SPDX-License-Identifier: MIT */
/* Implementation of gtk_workarounds.h: workarounds for GTK; called by application.c and window.c. */
#include "gtk_workarounds.h"

#ifdef GDK_WINDOWING_X11
#include <gdk/x11/gdkx.h>
#endif

/* gtk_scrolled_window_unrealize() disconnects another function than gtk_scrolled_window_realize() connected. */
static gboolean
on_unrealize(GSignalInvocationHint *hint G_GNUC_UNUSED, guint n_values G_GNUC_UNUSED, const GValue *values,
             gpointer data G_GNUC_UNUSED)
{
  GtkWidget *widget = g_value_get_object(values);
  if (GTK_IS_SCROLLED_WINDOW(widget))
    g_signal_handlers_disconnect_by_data(gtk_widget_get_settings(widget), widget);
  return TRUE;
}

void
debye_gtk_work_around_scrolled_windows(void)
{
  g_autoptr(GTypeClass) class = g_type_class_ref(GTK_TYPE_WIDGET); /* the signal comes with it */
  g_signal_add_emission_hook(g_signal_lookup("unrealize", GTK_TYPE_WIDGET), 0, on_unrealize, NULL, NULL);
}

/* The trap stays; GDK's own ones lie within it. */
void
debye_gtk_work_around_moved_windows(GdkDisplay *display)
{
  g_return_if_fail(GDK_IS_DISPLAY(display));
#ifdef GDK_WINDOWING_X11
  if (GDK_IS_X11_DISPLAY(display) &&
      !gdk_x11_screen_supports_net_wm_hint(gdk_x11_display_get_screen(display),
                                           g_intern_static_string("_NET_WM_MOVERESIZE")))
    gdk_x11_display_error_trap_push(display);
#endif
}
