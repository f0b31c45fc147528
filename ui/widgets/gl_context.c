/* SPDX-License-Identifier: MIT */
/* Creates the GL context of the plot's and the molecule's widgets: desktop GL 3.3, else GLES 3.0, which newer
 * GTK prefers. Without asking, a driver gives just what GTK itself needs: NVIDIA's 3.2, Mesa's whatever is
 * newest. */
#include "gl_context.h"

#include "render/gl/gl_program.h"

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

static gboolean
display_is_software(GdkDisplay *display)
{
  g_autoptr(GdkGLContext) context = gdk_display_create_gl_context(display, NULL);
  if (context == NULL || !gdk_gl_context_realize(context, NULL))
    return FALSE;
  gdk_gl_context_make_current(context);
  gboolean software = debye_gl_is_software();
  gdk_gl_context_clear_current();
  return software;
}

/* GTK draws the whole window anew for each picture of the molecule. Measured for 1280 × 800 with Mesa's
 * llvmpipe: 56 ms of the processor through OpenGL, 7 ms through cairo, which also leaves alone what has not
 * changed. The display's data and not the environment: other threads may be reading that. */
void
debye_gl_context_choose_renderer(GdkDisplay *display)
{
  g_return_if_fail(GDK_IS_DISPLAY(display));
  if (g_getenv("GSK_RENDERER") == NULL && display_is_software(display))
    g_object_set_data(G_OBJECT(display), "gsk-renderer", (gpointer) "cairo");
}
