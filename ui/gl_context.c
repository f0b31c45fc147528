/* SPDX-License-Identifier: MIT */
/* Desktop GL 3.3, else GLES 3.0, which newer GTK prefers. Without asking, a driver gives just what GTK itself
 * needs: NVIDIA's 3.2, Mesa's whatever is newest. */
#include "gl_context.h"

static GdkGLContext *
create(GdkSurface *surface, GdkGLAPI api, int major, int minor, GError **error)
{
  g_autoptr(GdkGLContext) context = gdk_surface_create_gl_context(surface, error);
  if (context == NULL)
    return NULL;
  gdk_gl_context_set_allowed_apis(context, api);
  gdk_gl_context_set_required_version(context, major, minor);
  return gdk_gl_context_realize(context, error) ? g_steal_pointer(&context) : NULL;
}

GdkGLContext *
debye_gl_context_create(GtkGLArea *area)
{
  g_return_val_if_fail(GTK_IS_GL_AREA(area), NULL);
  GdkSurface *surface = gtk_native_get_surface(gtk_widget_get_native(GTK_WIDGET(area)));
  g_autoptr(GError) error = NULL;
  GdkGLContext *context = create(surface, GDK_GL_API_GL, 3, 3, &error);
  if (context == NULL)
    context = create(surface, GDK_GL_API_GLES, 3, 0, NULL);
  if (context == NULL)
    gtk_gl_area_set_error(area, error);
  return context;
}
