/* SPDX-License-Identifier: MIT */
/* Workarounds for what GTK itself leaves undone; called by application.c and window.c. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Once in the life of a program, before the first window. GTK 4.8's scrolled windows ask to be told of a
 * setting when they come on the screen, and forget to take that back: each left a handler on the display's
 * settings behind, which are for ever. */
void debye_toolkit_mend_scrolled_windows(void);
/* Once. Where no window manager moves windows (X11), GDK does, and goes on with a window that was closed
 * meanwhile: the server's error ended the program. There errors of the server are passed over. */
void debye_toolkit_mend_moved_windows(GdkDisplay *display);

G_END_DECLS
