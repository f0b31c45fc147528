/* SPDX-License-Identifier: MIT */
/* A GL context without a display: Mesa's surfaceless platform, or the first device that gives one (NVIDIA). */
#include <dlfcn.h>

#include <epoxy/gl.h>
#include <epoxy/egl.h>

#include "capture_private.h"
#include "data/files/error.h"

struct _DebyeOffscreen {
  EGLDisplay display;
  EGLContext context;
  EGLenum api; /* that is bound on the thread where the context is current */
  char *renderer;
};

static gboolean
has_extension(EGLDisplay display, const char *name)
{
  return epoxy_has_egl_extension(display, name);
}

/* A context of `api` on the display, current on this thread; EGL_NO_CONTEXT where that can't be. */
static EGLContext
make_context(EGLDisplay display, EGLenum api)
{
  const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
  if (!eglBindAPI(api))
    return EGL_NO_CONTEXT;
  EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
                                        api == EGL_OPENGL_API ? desktop : embedded);
  if (context == EGL_NO_CONTEXT)
    return EGL_NO_CONTEXT;
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return context;
  eglDestroyContext(display, context);
  return EGL_NO_CONTEXT;
}

static gboolean
start(DebyeOffscreen *self, EGLDisplay display, gboolean embedded)
{
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
    return FALSE;
  EGLContext context = EGL_NO_CONTEXT;
  if (has_extension(display, "EGL_KHR_surfaceless_context") &&
      has_extension(display, "EGL_KHR_no_config_context")) {
    self->api = embedded ? EGL_OPENGL_ES_API : EGL_OPENGL_API;
    context = make_context(display, self->api);
    if (context == EGL_NO_CONTEXT && !embedded)
      context = make_context(display, self->api = EGL_OPENGL_ES_API);
  }
  if (context == EGL_NO_CONTEXT) {
    eglTerminate(display);
    return FALSE;
  }
  self->display = display;
  self->context = context;
  return TRUE;
}

static gboolean
start_on_a_device(DebyeOffscreen *self, gboolean embedded)
{
  EGLDeviceEXT devices[32];
  EGLint n = 0;
  if (!has_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
      !has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
      !eglQueryDevicesEXT(G_N_ELEMENTS(devices), devices, &n))
    return FALSE;
  for (EGLint i = 0; i < n; i++)
    if (start(self, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), embedded))
      return TRUE;
  return FALSE;
}

static gboolean
start_surfaceless(DebyeOffscreen *self, gboolean embedded)
{
  return has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
         start(self, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
               embedded);
}

/* epoxy ends the program where a library that it wants is missing, so we look first. It keeps what it loads,
 * and so do we. */
static gboolean
has_library(const char *name)
{
  return dlopen(name, RTLD_LAZY | RTLD_LOCAL) != NULL;
}

/* *embedded becomes TRUE where OpenGL ES is all there is. */
static gboolean
check_libraries(gboolean *embedded, GError **error)
{
  gboolean has_desktop = has_library("libOpenGL.so.0") || has_library("libGL.so.1");
  if (!has_library("libEGL.so.1")) {
    debye_error_set(error, DEBYE_ERROR_DEVICE,
                    "pictures without a display need EGL: expected the library libEGL.so.1, found none "
                    "that can be loaded");
    return FALSE;
  }
  *embedded = *embedded || !has_desktop;
  if (!*embedded || has_library("libGLESv2.so.2"))
    return TRUE;
  debye_error_set(error, DEBYE_ERROR_DEVICE,
                  "pictures need OpenGL: expected the library libOpenGL.so.0, libGL.so.1 or "
                  "libGLESv2.so.2, found none that can be loaded");
  return FALSE;
}

DebyeOffscreen *
debye_offscreen_new_for_api(gboolean embedded, GError **error)
{
  if (!check_libraries(&embedded, error))
    return NULL;
  g_autofree DebyeOffscreen *self = g_new0(DebyeOffscreen, 1);
  if (!has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base")) {
    debye_error_set(
        error, DEBYE_ERROR_DEVICE,
        "pictures without a display need EGL with its platform extension, which this system's EGL lacks");
    return NULL;
  }
  /* Devices first: they are the real ones, where Mesa's surfaceless platform beside an NVIDIA driver is
   * software. The software device that Mesa lists among them is as good as surfaceless. */
  if (!start_on_a_device(self, embedded) && !start_surfaceless(self, embedded)) {
    debye_error_set(error, DEBYE_ERROR_DEVICE,
                    "no OpenGL 3.3 or OpenGL ES 3.0 without a display: EGL found no device that offers one");
    return NULL;
  }
  self->renderer = g_strdup((const char *)glGetString(GL_RENDERER));
  return g_steal_pointer(&self);
}

DebyeOffscreen *
debye_offscreen_new(GError **error)
{
  return debye_offscreen_new_for_api(FALSE, error);
}

void
debye_offscreen_let_go(DebyeOffscreen *self)
{
  eglMakeCurrent(self->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

gboolean
debye_offscreen_take(DebyeOffscreen *self, GError **error)
{
  if (eglBindAPI(self->api) && eglMakeCurrent(self->display, EGL_NO_SURFACE, EGL_NO_SURFACE, self->context))
    return TRUE;
  debye_error_set(error, DEBYE_ERROR_DEVICE, "OpenGL can't go from one thread to another: EGL refuses it");
  return FALSE;
}

void
debye_offscreen_free(DebyeOffscreen *self)
{
  if (!self)
    return;
  if (eglGetCurrentContext() == self->context)
    eglMakeCurrent(self->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(self->display, self->context);
  g_free(self->renderer);
  g_free(self);
}

const char *
debye_offscreen_get_renderer(DebyeOffscreen *self)
{
  return self->renderer;
}
