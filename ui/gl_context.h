/* SPDX-License-Identifier: MIT */
/* The OpenGL that the program draws with. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For GtkGLArea::create-context: desktop GL 3.3, else GLES 3.0. NULL with the area's error set. */
GdkGLContext *debye_gl_context_create(GtkGLArea *area);

G_END_DECLS
