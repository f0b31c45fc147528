/* SPDX-License-Identifier: MIT */
/* Draws copies of scenes off the main thread; called by the window's jobs for pictures, figures and
 * movies. */
#include "studio.h"

/* So long at most a picture that a host draws goes on after Stop. */
#define LOOK_AT_STOP_MICROSECONDS 50000

/* Mesa's software renderer, where threads have contexts of one display, ends the program when one goes while
 * another draws. So studios take turns, a step each; a real GPU takes the work of one at a time anyway. */
static GMutex turn;

struct _DebyeStudio {
  GMainContext *context;     /* this thread's, so that layers' own threads never tell the main one */
  DebyeOffscreen *offscreen; /* NULL: the host draws */
  DebyeStudioHost host;
  DebyeScene *scene;
};

DebyeStudio *
debye_studio_new(const DebyeSceneCopy *copy, const DebyeStudioHost *host, GError **error)
{
  g_autoptr(GError) reason = NULL;
  g_mutex_lock(&turn);
  DebyeOffscreen *offscreen = debye_offscreen_new(&reason);
  g_mutex_unlock(&turn);
  if (offscreen == NULL && host == NULL) {
    g_propagate_error(error, g_steal_pointer(&reason));
    return NULL;
  }
  DebyeStudio *self = g_new(DebyeStudio, 1);
  *self = (DebyeStudio){.context = g_main_context_new(), .offscreen = offscreen};
  if (host != NULL)
    self->host = *host;
  g_main_context_push_thread_default(self->context);
  self->scene = debye_scene_copy_build(copy);
  return self;
}

void
debye_studio_free(DebyeStudio *self)
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
debye_studio_get_scene(DebyeStudio *self)
{
  return self->scene;
}

/* --- Here --- */

static DebyeCapture *
begin_in_turn(DebyeStudio *self, const DebyeCaptureSize *size, GError **error)
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

static GBytes *
draw_here(DebyeStudio *self, const DebyeCaptureSize *size, DebyeStudioTold told, gpointer data,
          GError **error)
{
  DebyeCapture *capture = begin_in_turn(self, size, error);
  if (capture == NULL)
    return NULL;
  double done = 0.0;
  while (done < 1.0 && told(done, data) && step_in_turn(capture, error))
    done = debye_capture_get_fraction(capture);
  return finish_in_turn(capture, done >= 1.0);
}

/* --- At the host's --- */

/* Counted: the thread that asks may be gone when the main thread comes to draw. */
typedef struct {
  GMutex lock;
  GCond answered;
  DebyeStudioHost host;
  DebyeScene *scene; /* NULL: no longer asked for */
  DebyeCaptureSize size;
  gboolean done;
  GBytes *pixels;
  GError *error;
} Visit;

static void
visit_clear(gpointer data)
{
  Visit *visit = data;
  g_mutex_clear(&visit->lock);
  g_cond_clear(&visit->answered);
  g_clear_pointer(&visit->pixels, g_bytes_unref);
  g_clear_error(&visit->error);
}

static void
visit_unref(gpointer data)
{
  g_atomic_rc_box_release_full(data, visit_clear);
}

static gboolean
on_visit(gpointer data)
{
  Visit *visit = data;
  g_mutex_lock(&visit->lock);
  if (visit->scene != NULL)
    visit->pixels = visit->host.draw(visit->scene, &visit->size, visit->host.data, &visit->error);
  visit->done = TRUE;
  g_cond_signal(&visit->answered);
  g_mutex_unlock(&visit->lock);
  return G_SOURCE_REMOVE;
}

static GBytes *
draw_there(DebyeStudio *self, const DebyeCaptureSize *size, DebyeStudioTold told, gpointer data,
           GError **error)
{
  Visit *visit = g_atomic_rc_box_new0(Visit);
  g_mutex_init(&visit->lock);
  g_cond_init(&visit->answered);
  visit->host = self->host;
  visit->scene = self->scene;
  visit->size = *size;
  /* What waits for the layers' threads waits here. */
  debye_scene_settle(self->scene);
  g_mutex_lock(&visit->lock);
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, on_visit, g_atomic_rc_box_acquire(visit), visit_unref);
  while (!visit->done && told(0.0, data))
    g_cond_wait_until(&visit->answered, &visit->lock, g_get_monotonic_time() + LOOK_AT_STOP_MICROSECONDS);
  visit->scene = NULL;
  GBytes *pixels = g_steal_pointer(&visit->pixels);
  if (visit->error != NULL)
    g_propagate_error(error, g_steal_pointer(&visit->error));
  g_mutex_unlock(&visit->lock);
  visit_unref(visit);
  return pixels;
}

GBytes *
debye_studio_draw(DebyeStudio *self, const DebyeCaptureSize *size, DebyeStudioTold told, gpointer data,
                  GError **error)
{
  return self->offscreen != NULL ? draw_here(self, size, told, data, error)
                                 : draw_there(self, size, told, data, error);
}
