/* SPDX-License-Identifier: MIT */
/* Creates the GL context that the widgets of molecule and plot draw with. */
#pragma once

#include <gtk/gtk.h>

/* For GtkGLArea::create-context: desktop GL 3.3, else GLES 3.0. NULL with the area's error set. */
GdkGLContext *debye_gl_context_create(GtkGLArea *area);

/* What GTK puts windows together with, before the first one is made: cairo where the processor would have to
 * do the work of OpenGL, GTK's own choice elsewhere and where GSK_RENDERER makes one. */
void debye_gl_context_choose_renderer(GdkDisplay *display);
