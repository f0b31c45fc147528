/* SPDX-License-Identifier: MIT */
/* Workarounds for defects of GTK, called once by the window and the application when they start. */
#pragma once

#include <gtk/gtk.h>

/* Call once, before the first window. A scrolled window of GTK 4.8 connects to the display's settings when it
 * is shown and never disconnects: each left a handler behind for the life of the program. */
void debye_gtk_work_around_scrolled_windows(void);
/* Call once. Without a window manager (X11) GDK itself moves windows, and continues with one that was closed
 * meanwhile: the server's error ended the program. The workaround ignores such errors of the server. */
void debye_gtk_work_around_moved_windows(GdkDisplay *display);
