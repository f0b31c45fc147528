/* SPDX-License-Identifier: MIT */
/* Reads frames for the screen on a thread of its own. */
#include "frame_loader.h"

#include "data/error.h"
#include "idle_call.h"

#define NO_REQUEST G_MAXSIZE

struct _DebyeFrameLoader {
  GObject parent_instance;
  GThread *thread;

  GMutex lock;
  GCond wake;
  DebyeTrajectory *trajectory;
  gsize wanted; /* NO_REQUEST: none */
  gboolean stopped;
  DebyeFrame *loaded; /* to be shown */
  GError *error;      /* to be told */
  GSource *idle;
};

enum { SIGNAL_LOADED, SIGNAL_FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyeFrameLoader, debye_frame_loader, G_TYPE_OBJECT)

static gboolean
on_idle(gpointer data)
{
  g_autoptr(DebyeFrameLoader) self = g_object_ref(data);
  g_mutex_lock(&self->lock);
  g_autoptr(DebyeFrame) frame = g_steal_pointer(&self->loaded);
  g_autoptr(GError) error = g_steal_pointer(&self->error);
  g_clear_pointer(&self->idle, g_source_unref);
  g_mutex_unlock(&self->lock);
  if (frame != NULL)
    g_signal_emit(self, signals[SIGNAL_LOADED], 0, frame);
  if (error != NULL)
    g_signal_emit(self, signals[SIGNAL_FAILED], 0, error->message);
  return G_SOURCE_REMOVE;
}

/* Takes the frame or the error. With the lock held. */
static void
hand_over(DebyeFrameLoader *self, DebyeFrame *frame, GError *error)
{
  g_clear_pointer(&self->loaded, debye_frame_unref);
  g_clear_error(&self->error);
  self->loaded = frame;
  self->error = error;
  if (!self->stopped)
    debye_idle_call_ensure(&self->idle, on_idle, self);
}

/* The next frame number; NO_REQUEST when it is time to go. */
static gsize
wait_for_request(DebyeFrameLoader *self)
{
  g_mutex_lock(&self->lock);
  while (self->wanted == NO_REQUEST && !self->stopped)
    g_cond_wait(&self->wake, &self->lock);
  gsize frame = self->stopped ? NO_REQUEST : self->wanted;
  self->wanted = NO_REQUEST;
  g_mutex_unlock(&self->lock);
  return frame;
}

/* What the thread reads from: the trajectory that the reader is of. */
typedef struct {
  DebyeTrajectory *trajectory;
  DebyeTrajectoryReader *reader;
} Source;

static void
source_clear(Source *source)
{
  g_clear_pointer(&source->reader, debye_trajectory_reader_free);
  g_clear_object(&source->trajectory);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Source, source_clear)

static void
take_newest(DebyeFrameLoader *self, Source *source)
{
  g_mutex_lock(&self->lock);
  g_autoptr(DebyeTrajectory) newest = g_object_ref(self->trajectory);
  g_mutex_unlock(&self->lock);
  if (newest == source->trajectory)
    return;
  source_clear(source);
  source->trajectory = g_steal_pointer(&newest);
}

static DebyeFrame *
read_frame(DebyeFrameLoader *self, Source *source, gsize number, GError **error)
{
  take_newest(self, source);
  if (source->reader == NULL)
    source->reader = debye_trajectory_reader_new(source->trajectory, error);
  if (source->reader == NULL)
    return NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(source->trajectory));
  if (frame == NULL) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "There is not the memory for one more frame");
    return NULL;
  }
  return debye_trajectory_reader_read(source->reader, number, frame, error) ? g_steal_pointer(&frame) : NULL;
}

static gpointer
run_thread(gpointer data)
{
  DebyeFrameLoader *self = data;
  g_auto(Source) source = {0};
  gsize number;
  while ((number = wait_for_request(self)) != NO_REQUEST) {
    GError *error = NULL;
    DebyeFrame *frame = read_frame(self, &source, number, &error);
    g_mutex_lock(&self->lock);
    hand_over(self, frame, error);
    g_mutex_unlock(&self->lock);
  }
  return NULL;
}

DebyeFrameLoader *
debye_frame_loader_new(DebyeTrajectory *trajectory)
{
  DebyeFrameLoader *self = g_object_new(DEBYE_TYPE_FRAME_LOADER, NULL);
  self->trajectory = g_object_ref(trajectory);
  self->thread = g_thread_new("debye-frames", run_thread, self);
  return self;
}

void
debye_frame_loader_set_trajectory(DebyeFrameLoader *self, DebyeTrajectory *trajectory)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self) && DEBYE_IS_TRAJECTORY(trajectory));
  g_mutex_lock(&self->lock);
  g_set_object(&self->trajectory, trajectory);
  g_mutex_unlock(&self->lock);
}

void
debye_frame_loader_request(DebyeFrameLoader *self, gsize frame)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self));
  g_mutex_lock(&self->lock);
  self->wanted = frame;
  g_cond_signal(&self->wake);
  g_mutex_unlock(&self->lock);
}

void
debye_frame_loader_stop(DebyeFrameLoader *self)
{
  g_return_if_fail(DEBYE_IS_FRAME_LOADER(self));
  g_mutex_lock(&self->lock);
  self->stopped = TRUE;
  g_cond_signal(&self->wake);
  g_mutex_unlock(&self->lock);
  g_clear_pointer(&self->thread, g_thread_join);
  debye_idle_call_clear(&self->idle);
}

static void
debye_frame_loader_dispose(GObject *object)
{
  debye_frame_loader_stop(DEBYE_FRAME_LOADER(object));
  G_OBJECT_CLASS(debye_frame_loader_parent_class)->dispose(object);
}

static void
debye_frame_loader_finalize(GObject *object)
{
  DebyeFrameLoader *self = DEBYE_FRAME_LOADER(object);
  g_clear_pointer(&self->loaded, debye_frame_unref);
  g_clear_error(&self->error);
  g_clear_object(&self->trajectory);
  g_mutex_clear(&self->lock);
  g_cond_clear(&self->wake);
  G_OBJECT_CLASS(debye_frame_loader_parent_class)->finalize(object);
}

static void
debye_frame_loader_class_init(DebyeFrameLoaderClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_frame_loader_dispose;
  G_OBJECT_CLASS(class)->finalize = debye_frame_loader_finalize;
  signals[SIGNAL_LOADED] = g_signal_new("loaded", DEBYE_TYPE_FRAME_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, DEBYE_TYPE_FRAME);
  signals[SIGNAL_FAILED] = g_signal_new("failed", DEBYE_TYPE_FRAME_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_frame_loader_init(DebyeFrameLoader *self)
{
  self->wanted = NO_REQUEST;
  g_mutex_init(&self->lock);
  g_cond_init(&self->wake);
}
