/* SPDX-License-Identifier: MIT */
/* Draws scenes off the main thread; called by the window's exports, figures, movies and session pictures. */
#include "offscreen_renderer.h"

/* A picture that the fallback draws continues for at most this long after Stop. */
#define LOOK_AT_STOP_MICROSECONDS 50000

/* Mesa's software renderer, where threads have contexts of one display, ends the program when one goes while
 * another draws. So renderers take turns, one step each; a real GPU takes the work of one at a time
 * anyway. */
static GMutex turn;

struct _DebyeOffscreenRenderer {
  GMainContext *context;     /* this thread's, so that layers' own threads never tell the main one */
  DebyeOffscreen *offscreen; /* NULL: the fallback draws */
  DebyeFallbackRenderer fallback;
  DebyeScene *scene;
};

DebyeOffscreenRenderer *
debye_offscreen_renderer_new(const DebyeSceneCopy *copy, const DebyeFallbackRenderer *fallback,
                             GError **error)
{
  g_autoptr(GError) reason = NULL;
  g_mutex_lock(&turn);
  DebyeOffscreen *offscreen = debye_offscreen_new(&reason);
  g_mutex_unlock(&turn);
  if (offscreen == NULL && fallback == NULL) {
    g_propagate_error(error, g_steal_pointer(&reason));
    return NULL;
  }
  DebyeOffscreenRenderer *self = g_new(DebyeOffscreenRenderer, 1);
  *self = (DebyeOffscreenRenderer){.context = g_main_context_new(), .offscreen = offscreen};
  if (fallback != NULL)
    self->fallback = *fallback;
  g_main_context_push_thread_default(self->context);
  self->scene = debye_scene_copy_build(copy);
  return self;
}

void
debye_offscreen_renderer_free(DebyeOffscreenRenderer *self)
{
  if (self == NULL)
    return;
  g_mutex_lock(&turn);
  if (self->offscreen != NULL)
    debye_scene_release(self->scene, FALSE);
  g_object_unref(self->scene);
  debye_offscreen_free(self->offscreen);
  g_mutex_unlock(&turn);
  g_main_context_pop_thread_default(self->context);
  g_main_context_unref(self->context);
  g_free(self);
}

DebyeScene *
debye_offscreen_renderer_get_scene(DebyeOffscreenRenderer *self)
{
  return self->scene;
}

/* --- On this thread --- */

static DebyeCapture *
begin_in_turn(DebyeOffscreenRenderer *self, const DebyeCaptureSize *size, GError **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&turn);
  return debye_capture_begin(self->scene, size, error);
}

static gboolean
step_in_turn(DebyeCapture *capture, GError **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&turn);
  return debye_capture_step(capture, error);
}

/* NULL where it is not whole: it is let go. */
static GBytes *
finish_in_turn(DebyeCapture *capture, gboolean whole)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&turn);
  if (whole)
    return debye_capture_finish(capture);
  debye_capture_free(capture);
  return NULL;
}

/* Surfaces as fine as the picture are about a third of the work of a page's view, and nothing of it is seen before
 * they are made: a bar that stayed empty would look stuck. */
#define BEGUN 0.05
#define SETTLED 0.35

static GBytes *
draw_offscreen(DebyeOffscreenRenderer *self, const DebyeCaptureSize *size, DebyeDrawingProgress progress,
               gpointer data, GError **error)
{
  if (!progress(BEGUN, data))
    return NULL;
  debye_capture_settle(self->scene, size);
  DebyeCapture *capture = begin_in_turn(self, size, error);
  if (capture == NULL)
    return NULL;
  double done = 0.0;
  while (done < 1.0 && progress(SETTLED + (1.0 - SETTLED) * done, data) && step_in_turn(capture, error))
    done = debye_capture_get_fraction(capture);
  return finish_in_turn(capture, done >= 1.0);
}

/* --- On the main thread, by the fallback --- */

/* Counted: the thread that asks may be gone when the main thread comes to draw. */
typedef struct {
  GMutex lock;
  GCond answered;
  DebyeFallbackRenderer fallback;
  DebyeScene *scene; /* NULL: no longer asked for */
  DebyeCaptureSize size;
  gboolean done;
  GBytes *pixels;
  GError *error;
} Request;

static void
request_clear(gpointer data)
{
  Request *request = data;
  g_mutex_clear(&request->lock);
  g_cond_clear(&request->answered);
  g_clear_pointer(&request->pixels, g_bytes_unref);
  g_clear_error(&request->error);
}

static void
request_unref(gpointer data)
{
  g_atomic_rc_box_release_full(data, request_clear);
}

static gboolean
draw_request(gpointer data)
{
  Request *request = data;
  g_mutex_lock(&request->lock);
  if (request->scene != NULL)
    request->pixels =
        request->fallback.draw(request->scene, &request->size, request->fallback.data, &request->error);
  request->done = TRUE;
  g_cond_signal(&request->answered);
  g_mutex_unlock(&request->lock);
  return G_SOURCE_REMOVE;
}

static GBytes *
draw_on_main_thread(DebyeOffscreenRenderer *self, const DebyeCaptureSize *size, DebyeDrawingProgress progress,
                    gpointer data, GError **error)
{
  Request *request = g_atomic_rc_box_new0(Request);
  g_mutex_init(&request->lock);
  g_cond_init(&request->answered);
  request->fallback = self->fallback;
  request->scene = self->scene;
  request->size = *size;
  /* What waits for the layers' threads waits here. */
  debye_capture_settle(self->scene, size);
  g_mutex_lock(&request->lock);
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, draw_request, g_atomic_rc_box_acquire(request), request_unref);
  while (!request->done && progress(0.0, data))
    g_cond_wait_until(&request->answered, &request->lock, g_get_monotonic_time() + LOOK_AT_STOP_MICROSECONDS);
  request->scene = NULL;
  GBytes *pixels = g_steal_pointer(&request->pixels);
  if (request->error != NULL)
    g_propagate_error(error, g_steal_pointer(&request->error));
  g_mutex_unlock(&request->lock);
  request_unref(request);
  return pixels;
}

GBytes *
debye_offscreen_renderer_draw(DebyeOffscreenRenderer *self, const DebyeCaptureSize *size,
                              DebyeDrawingProgress progress, gpointer data, GError **error)
{
  return self->offscreen != NULL ? draw_offscreen(self, size, progress, data, error)
                                 : draw_on_main_thread(self, size, progress, data, error);
}
