/* SPDX-License-Identifier: MIT */
/* Computes maps of shown frames on a thread; made by window_live_mode.c. */
#include "window_live.h"

#include <sys/resource.h>

#include "app/analysis/map/map_live.h"
#include "idle_call.h"
#include "app/jobs/threads.h"
#include "app/document/map_file.h"

/* Behind the window where both want the processor. On Linux this is of the thread alone, and the threads that
 * it starts have it from this one. */
#define NICENESS 10
/* Of a map, in the mean over the last ones. */
#define NEWEST_WEIGHT 0.1

struct _DebyeWindowLive {
  GObject parent_instance;
  DebyeDevices *devices;
  gboolean has_thread; /* which keeps this until it ends */

  GMutex lock;
  GCond wake;
  gboolean is_on, is_stopped;
  guint source; /* counts starts and ends: what was computed for an earlier one is dropped */
  DebyeDataset *dataset;
  DebyeRequest *request;
  DebyeFrame *waiting;   /* the frame to compute next */
  volatile bool give_up; /* what is being computed */
  DebyeField *computed;  /* to be handed over */
  GError *error;         /* to be told */
  double seconds;        /* a map takes; 0: none yet */
  GSource *idle;
};

enum { SIGNAL_COMPUTED, SIGNAL_FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(DebyeWindowLive, debye_window_live, G_TYPE_OBJECT)

/* --- To the main thread --- */

/* With the lock held. */
static void
forget(DebyeWindowLive *self)
{
  self->source++;
  self->is_on = FALSE;
  self->seconds = 0.0;
  __atomic_store_n(&self->give_up, true, __ATOMIC_RELAXED);
  g_clear_object(&self->dataset);
  g_clear_object(&self->request);
  g_clear_object(&self->computed);
  g_clear_error(&self->error);
  g_clear_pointer(&self->waiting, debye_frame_unref);
  g_cond_signal(&self->wake);
}

static gboolean
on_idle(gpointer data)
{
  g_autoptr(DebyeWindowLive) self = g_object_ref(data);
  g_mutex_lock(&self->lock);
  g_autoptr(DebyeField) field = g_steal_pointer(&self->computed);
  g_autoptr(GError) error = g_steal_pointer(&self->error);
  g_clear_pointer(&self->idle, g_source_unref);
  if (error != NULL)
    forget(self);
  g_mutex_unlock(&self->lock);
  if (field != NULL)
    g_signal_emit(self, signals[SIGNAL_COMPUTED], 0, field);
  if (error != NULL)
    g_signal_emit(self, signals[SIGNAL_FAILED], 0, error->message);
  return G_SOURCE_REMOVE;
}

/* Takes the map or the error. With the lock held. */
static void
hand_over(DebyeWindowLive *self, DebyeField *field, GError *error, double seconds)
{
  g_clear_object(&self->computed);
  g_clear_error(&self->error);
  self->computed = field;
  self->error = error;
  if (field != NULL)
    self->seconds = self->seconds > 0.0 ? self->seconds + NEWEST_WEIGHT * (seconds - self->seconds) : seconds;
  if (!self->is_stopped)
    debye_idle_call_ensure(&self->idle, on_idle, self);
}

/* --- The thread --- */

/* What the thread computes with, and for which start it was made. */
typedef struct {
  guint source;
  DebyeMapLive *live;
  DebyeDataset *dataset;
  DebyeRequest *request;
  DebyeFrame *frame;
} Work;

/* With the lock held. TRUE: there is something to do, or to free. */
static gboolean
has_work(const DebyeWindowLive *self, const Work *work)
{
  return self->waiting != NULL || self->is_stopped || (work->live != NULL && work->source != self->source);
}

/* FALSE: it is time to go. Without a frame there is only an old plan to free. */
static gboolean
wait_for_work(DebyeWindowLive *self, Work *work)
{
  g_mutex_lock(&self->lock);
  while (!has_work(self, work))
    g_cond_wait(&self->wake, &self->lock);
  gboolean goes_on = !self->is_stopped;
  if (goes_on && work->source != self->source) {
    g_set_object(&work->dataset, self->dataset);
    g_set_object(&work->request, self->request);
  }
  work->frame = goes_on ? g_steal_pointer(&self->waiting) : NULL;
  __atomic_store_n(&self->give_up, !goes_on, __ATOMIC_RELAXED);
  guint source = self->source;
  g_mutex_unlock(&self->lock);
  if (work->source != source)
    g_clear_pointer(&work->live, debye_map_live_free);
  work->source = source;
  return goes_on;
}

/* The time is that of the map: starting the devices, before the first, is not part of it. */
static DebyeField *
compute(DebyeWindowLive *self, Work *work, double *seconds, GError **error)
{
  if (work->live == NULL)
    work->live = debye_map_live_new(work->dataset, work->request, debye_devices_wait(self->devices), error);
  if (work->live == NULL)
    return NULL;
  gint64 start = g_get_monotonic_time();
  DebyeField *field = debye_map_live_compute(work->live, work->frame, &self->give_up, error);
  if (field != NULL)
    debye_map_file_prepare_field(field);
  *seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
  return field;
}

static void
do_frame(DebyeWindowLive *self, Work *work)
{
  double seconds = 0.0;
  GError *error = NULL;
  DebyeField *field = compute(self, work, &seconds, &error);
  g_clear_pointer(&work->frame, debye_frame_unref);
  g_mutex_lock(&self->lock);
  if (work->source == self->source && (field != NULL || error != NULL))
    hand_over(self, g_steal_pointer(&field), g_steal_pointer(&error), seconds);
  g_mutex_unlock(&self->lock);
  g_clear_object(&field);
  g_clear_error(&error);
}

static void
run_thread(gpointer data)
{
  g_autoptr(DebyeWindowLive) self = data;
  Work work = {0};
  setpriority(PRIO_PROCESS, 0, NICENESS);
  while (wait_for_work(self, &work))
    if (work.frame != NULL)
      do_frame(self, &work);
  g_clear_pointer(&work.live, debye_map_live_free);
  g_clear_object(&work.dataset);
  g_clear_object(&work.request);
}

/* --- The public face --- */

DebyeWindowLive *
debye_window_live_new(DebyeDevices *devices)
{
  DebyeWindowLive *self = g_object_new(DEBYE_TYPE_WINDOW_LIVE, NULL);
  self->devices = debye_devices_ref(devices);
  return self;
}

void
debye_window_live_start(DebyeWindowLive *self, DebyeDataset *dataset, DebyeRequest *request)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self));
  g_mutex_lock(&self->lock);
  forget(self);
  self->is_on = TRUE;
  self->dataset = g_object_ref(dataset);
  self->request = debye_request_copy(request);
  g_mutex_unlock(&self->lock);
  if (self->has_thread || self->is_stopped)
    return;
  self->has_thread = TRUE;
  debye_threads_start("debye-live", run_thread, g_object_ref(self));
}

void
debye_window_live_show(DebyeWindowLive *self, DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self) && frame != NULL);
  g_mutex_lock(&self->lock);
  if (self->is_on) {
    g_clear_pointer(&self->waiting, debye_frame_unref);
    self->waiting = debye_frame_ref(frame);
    g_cond_signal(&self->wake);
  }
  g_mutex_unlock(&self->lock);
}

void
debye_window_live_end(DebyeWindowLive *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self));
  g_mutex_lock(&self->lock);
  forget(self);
  g_mutex_unlock(&self->lock);
}

gboolean
debye_window_live_is_on(DebyeWindowLive *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_LIVE(self), FALSE);
  g_mutex_lock(&self->lock);
  gboolean is_on = self->is_on;
  g_mutex_unlock(&self->lock);
  return is_on;
}

double
debye_window_live_get_rate(DebyeWindowLive *self)
{
  g_return_val_if_fail(DEBYE_IS_WINDOW_LIVE(self), 0.0);
  g_mutex_lock(&self->lock);
  double seconds = self->seconds;
  g_mutex_unlock(&self->lock);
  return seconds > 0.0 ? 1.0 / seconds : 0.0;
}

void
debye_window_live_stop(DebyeWindowLive *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_LIVE(self));
  g_mutex_lock(&self->lock);
  forget(self);
  self->is_stopped = TRUE;
  debye_idle_call_clear(&self->idle);
  g_mutex_unlock(&self->lock);
}

static void
debye_window_live_finalize(GObject *object)
{
  DebyeWindowLive *self = DEBYE_WINDOW_LIVE(object);
  g_clear_pointer(&self->devices, debye_devices_unref);
  g_mutex_clear(&self->lock);
  g_cond_clear(&self->wake);
  G_OBJECT_CLASS(debye_window_live_parent_class)->finalize(object);
}

static void
debye_window_live_class_init(DebyeWindowLiveClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_live_finalize;
  signals[SIGNAL_COMPUTED] = g_signal_new("computed", DEBYE_TYPE_WINDOW_LIVE, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, DEBYE_TYPE_FIELD);
  signals[SIGNAL_FAILED] = g_signal_new("failed", DEBYE_TYPE_WINDOW_LIVE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
debye_window_live_init(DebyeWindowLive *self)
{
  g_mutex_init(&self->lock);
  g_cond_init(&self->wake);
}
