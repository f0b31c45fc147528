/* SPDX-License-Identifier: MIT */
/* A scrolled window that has left the screen leaves nothing behind on the display's settings. */
#include "ui/widgets/gtk_workarounds.h"

static gboolean
is_told(gpointer settings, gpointer scrolled)
{
  return g_signal_handler_find(settings, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, scrolled) != 0;
}

static void
test_scrolled_windows(void)
{
  g_autoptr(GtkWidget) scrolled = g_object_ref_sink(gtk_scrolled_window_new());
  GtkSettings *settings = gtk_settings_get_default();
  for (int i = 0; i < 2; i++) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_child(GTK_WINDOW(window), scrolled);
    gtk_widget_realize(scrolled);
    g_assert_true(is_told(settings, scrolled));
    gtk_window_set_child(GTK_WINDOW(window), NULL);
    g_assert_false(is_told(settings, scrolled));
    gtk_window_destroy(GTK_WINDOW(window));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  gtk_init();
  debye_gtk_work_around_scrolled_windows();
  g_test_add_func("/gtk-workarounds/scrolled-windows", test_scrolled_windows);
  return g_test_run();
}
