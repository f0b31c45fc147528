/* SPDX-License-Identifier: MIT */
/* A job that runs on a thread of its own; made for everything the window computes or writes. The worker
 * writes into a small mailbox under a lock; one delayed source at a time carries the newest content over to
 * the properties, so a fast worker never floods the main loop. It is no low-priority idle: a view that draws
 * without pause (a trajectory plays on a slow GL) would keep that back until the job is over. */
#include "job.h"
#include "data/messages/message.h"
#include "job_pace.h"

#include <math.h>

/* What the worker has said and the main thread has not shown yet. */
typedef struct {
  double fraction;
  char *message;
  gpointer partial;
  gpointer result;
  GError *error;
  gboolean finished;
} Mailbox;

/* Between two deliveries. */
#define DELIVERY_MILLISECONDS 40

struct _DebyeJob {
  GObject parent_instance;

  char *title;
  DebyeJobFunc work;
  gpointer data;
  GDestroyNotify free_data;
  GCancellable *cancellable;
  volatile bool cancel_flag;
  GMainContext *context;
  GThread *thread;

  GMutex lock;
  Mailbox mailbox;
  GSource *delivery;

  /* Main thread only. */
  DebyeJobState state;
  gboolean is_incidental;
  double fraction;
  double remaining;
  char *message;
  gpointer result;
  GError *error;
  gint64 started;
  DebyeJobPace pace;
};

enum {
  PROPERTY_TITLE = 1,
  PROPERTY_MESSAGE,
  PROPERTY_FRACTION,
  PROPERTY_REMAINING,
  PROPERTY_STATE,
  PROPERTY_ACTIVE,
  PROPERTY_DETAILS,
  N_PROPERTIES
};
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE(DebyeJob, debye_job, G_TYPE_OBJECT)

static gboolean
is_active(DebyeJob *self)
{
  return self->state == DEBYE_JOB_WAITING || self->state == DEBYE_JOB_RUNNING;
}

static void
set_state(DebyeJob *self, DebyeJobState state)
{
  gboolean was_active = is_active(self);
  self->state = state;
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_STATE]);
  if (is_active(self) != was_active)
    g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_ACTIVE]);
}

static void
show_progress(DebyeJob *self, double fraction)
{
  if (fraction <= self->fraction)
    return;
  double elapsed = (double)(g_get_monotonic_time() - self->started) / G_USEC_PER_SEC;
  self->fraction = fraction;
  self->remaining = debye_job_pace_estimate(&self->pace, (DebyeJobMoment){elapsed, fraction});
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_FRACTION]);
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_REMAINING]);
}

static void
show_message(DebyeJob *self, char *message)
{
  if (message == NULL)
    return;
  g_free(self->message);
  self->message = message;
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_MESSAGE]);
}

static DebyeJobState
final_state(DebyeJob *self)
{
  if (self->cancel_flag)
    return DEBYE_JOB_STOPPED;
  return self->error != NULL ? DEBYE_JOB_FAILED : DEBYE_JOB_DONE;
}

static void
show_finished(DebyeJob *self, Mailbox *mail)
{
  self->result = mail->result;
  self->error = mail->error;
  if (self->error != NULL)
    g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_DETAILS]);
  if (final_state(self) == DEBYE_JOB_DONE)
    show_progress(self, 1.0);
  self->remaining = NAN;
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_REMAINING]);
  set_state(self, final_state(self));
  g_signal_emit_by_name(self, "finished");
}

/* Takes what lies in the mailbox and shows it. Main thread. */
static void
deliver(DebyeJob *self)
{
  g_mutex_lock(&self->lock);
  Mailbox mail = self->mailbox;
  self->mailbox = (Mailbox){.fraction = mail.fraction};
  g_clear_pointer(&self->delivery, g_source_unref);
  g_mutex_unlock(&self->lock);

  show_progress(self, mail.fraction);
  show_message(self, mail.message);
  if (mail.partial != NULL) {
    g_signal_emit_by_name(self, "partial", mail.partial);
    g_object_unref(mail.partial);
  }
  if (mail.finished)
    show_finished(self, &mail);
}

static gboolean
on_delivery(gpointer data)
{
  deliver(data);
  return G_SOURCE_REMOVE;
}

/* With the lock held. The end is told without delay. */
static void
wake_main_thread(DebyeJob *self)
{
  if (self->delivery == NULL) {
    self->delivery = g_timeout_source_new(DELIVERY_MILLISECONDS);
    g_source_set_callback(self->delivery, on_delivery, g_object_ref(self), g_object_unref);
    g_source_attach(self->delivery, self->context);
  }
  if (self->mailbox.finished)
    g_source_set_ready_time(self->delivery, 0);
}

static gpointer
run_thread(gpointer data)
{
  DebyeJob *self = data;
  g_autoptr(GError) error = NULL;
  gpointer result = self->work(self, self->data, &error);

  g_mutex_lock(&self->lock);
  self->mailbox.result = result;
  self->mailbox.error = g_steal_pointer(&error);
  self->mailbox.finished = TRUE;
  wake_main_thread(self);
  g_mutex_unlock(&self->lock);
  g_object_unref(self);
  return NULL;
}

DebyeJob *
debye_job_new(const char *title, DebyeJobFunc work, gpointer data, GDestroyNotify free_data)
{
  g_return_val_if_fail(title != NULL && work != NULL, NULL);
  DebyeJob *self = g_object_new(DEBYE_TYPE_JOB, NULL);
  self->title = g_strdup(title);
  self->work = work;
  self->data = data;
  self->free_data = free_data;
  return self;
}

void
debye_job_start(DebyeJob *self)
{
  g_return_if_fail(DEBYE_IS_JOB(self));
  if (self->state != DEBYE_JOB_WAITING || self->thread != NULL)
    return;
  self->started = g_get_monotonic_time();
  set_state(self, DEBYE_JOB_RUNNING);
  /* Not from a pool: a job may step behind the others for good, see threads.h. */
  self->thread = g_thread_new("debye-job", run_thread, g_object_ref(self));
}

void
debye_job_stop(DebyeJob *self)
{
  g_return_if_fail(DEBYE_IS_JOB(self));
  if (!is_active(self))
    return;
  __atomic_store_n(&self->cancel_flag, true, __ATOMIC_RELAXED); /* the worker reads it */
  g_cancellable_cancel(self->cancellable);
  if (self->state == DEBYE_JOB_WAITING) {
    set_state(self, DEBYE_JOB_STOPPED);
    g_signal_emit_by_name(self, "finished");
  }
}

void
debye_job_set_incidental(DebyeJob *self)
{
  g_return_if_fail(DEBYE_IS_JOB(self));
  self->is_incidental = TRUE;
  g_object_notify_by_pspec(G_OBJECT(self), properties[PROPERTY_ACTIVE]);
}

gboolean
debye_job_is_incidental(DebyeJob *self)
{
  g_return_val_if_fail(DEBYE_IS_JOB(self), FALSE);
  return self->is_incidental;
}

void
debye_job_join(DebyeJob *self)
{
  g_return_if_fail(DEBYE_IS_JOB(self));
  if (self->thread == NULL)
    return;
  g_autoptr(DebyeJob) keep = g_object_ref(self);
  g_thread_join(g_steal_pointer(&self->thread));
  g_mutex_lock(&self->lock);
  g_autoptr(GSource) delivery = self->delivery != NULL ? g_source_ref(self->delivery) : NULL;
  g_mutex_unlock(&self->lock);
  if (delivery == NULL)
    return;
  deliver(self);
  g_source_destroy(delivery);
}

DebyeJobState
debye_job_get_state(DebyeJob *self)
{
  g_return_val_if_fail(DEBYE_IS_JOB(self), DEBYE_JOB_FAILED);
  return self->state;
}

gpointer
debye_job_get_result(DebyeJob *self)
{
  g_return_val_if_fail(DEBYE_IS_JOB(self), NULL);
  return self->result;
}

const GError *
debye_job_get_error(DebyeJob *self)
{
  g_return_val_if_fail(DEBYE_IS_JOB(self), NULL);
  return self->error;
}

GCancellable *
debye_job_get_cancellable(DebyeJob *self)
{
  return self->cancellable;
}

const volatile bool *
debye_job_get_cancel_flag(DebyeJob *self)
{
  return &self->cancel_flag;
}

void
debye_job_set_progress(DebyeJob *self, double fraction)
{
  g_mutex_lock(&self->lock);
  if (fraction > self->mailbox.fraction) {
    self->mailbox.fraction = MIN(fraction, 1.0);
    wake_main_thread(self);
  }
  g_mutex_unlock(&self->lock);
}

gboolean
debye_job_go_on(double fraction, gpointer job)
{
  debye_job_set_progress(job, fraction);
  return !*debye_job_get_cancel_flag(job);
}

void
debye_job_set_message(DebyeJob *self, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *message = debye_say_valist(format, arguments);
  va_end(arguments);

  g_mutex_lock(&self->lock);
  g_free(self->mailbox.message);
  self->mailbox.message = message;
  wake_main_thread(self);
  g_mutex_unlock(&self->lock);
}

void
debye_job_publish(DebyeJob *self, gpointer result)
{
  g_mutex_lock(&self->lock);
  gpointer old = self->mailbox.partial;
  self->mailbox.partial = g_object_ref(result);
  wake_main_thread(self);
  g_mutex_unlock(&self->lock);
  g_clear_object(&old);
}

static void
debye_job_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  DebyeJob *self = DEBYE_JOB(object);
  switch (id) {
  case PROPERTY_TITLE:
    g_value_set_string(value, self->title);
    break;
  case PROPERTY_MESSAGE:
    g_value_set_string(value, self->message);
    break;
  case PROPERTY_FRACTION:
    g_value_set_double(value, self->fraction);
    break;
  case PROPERTY_REMAINING:
    g_value_set_double(value, self->remaining);
    break;
  case PROPERTY_STATE:
    g_value_set_int(value, (int)self->state);
    break;
  case PROPERTY_ACTIVE:
    g_value_set_boolean(value, is_active(self));
    break;
  case PROPERTY_DETAILS:
    g_value_set_string(value, self->error != NULL ? self->error->message : NULL);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

/* The last reference may fall on the worker's own thread, which can't be joined from there: it is let go
 * instead. */
static void
debye_job_finalize(GObject *object)
{
  DebyeJob *self = DEBYE_JOB(object);
  g_clear_pointer(&self->thread, g_thread_unref);
  if (self->free_data != NULL)
    self->free_data(self->data);
  g_free(self->title);
  g_free(self->message);
  g_free(self->mailbox.message);
  g_clear_object(&self->mailbox.partial);
  g_clear_object(&self->mailbox.result);
  g_clear_error(&self->mailbox.error);
  g_clear_object(&self->result);
  g_clear_error(&self->error);
  g_clear_object(&self->cancellable);
  g_main_context_unref(self->context);
  g_mutex_clear(&self->lock);
  G_OBJECT_CLASS(debye_job_parent_class)->finalize(object);
}

static void
debye_job_class_init(DebyeJobClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS(class);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  object_class->get_property = debye_job_get_property;
  object_class->finalize = debye_job_finalize;

  properties[PROPERTY_TITLE] = g_param_spec_string("title", NULL, NULL, NULL, flags);
  properties[PROPERTY_MESSAGE] = g_param_spec_string("message", NULL, NULL, NULL, flags);
  properties[PROPERTY_FRACTION] = g_param_spec_double("fraction", NULL, NULL, -1.0, 1.0, -1.0, flags);
  properties[PROPERTY_REMAINING] = g_param_spec_double("remaining", NULL, NULL, 0.0, G_MAXDOUBLE, 0.0, flags);
  properties[PROPERTY_STATE] =
      g_param_spec_int("state", NULL, NULL, DEBYE_JOB_WAITING, DEBYE_JOB_FAILED, DEBYE_JOB_WAITING, flags);
  properties[PROPERTY_ACTIVE] = g_param_spec_boolean("active", NULL, NULL, TRUE, flags);
  properties[PROPERTY_DETAILS] = g_param_spec_string("details", NULL, NULL, NULL, flags);
  g_object_class_install_properties(object_class, N_PROPERTIES, properties);

  g_signal_new("partial", DEBYE_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_OBJECT);
  g_signal_new("finished", DEBYE_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_job_init(DebyeJob *self)
{
  g_mutex_init(&self->lock);
  self->cancellable = g_cancellable_new();
  self->context = g_main_context_ref_thread_default();
  self->fraction = -1.0;
  self->mailbox.fraction = -1.0;
  self->remaining = NAN;
}
