/* SPDX-License-Identifier: MIT */
/* The jobs of a window, of which one computes at a time; made by window_controller.c. */
#include "job_queue.h"

struct _DebyeJobQueue {
  GObject parent_instance;
  GPtrArray *jobs;
  GQueue waiting;      /* of DebyeJob, borrowed from jobs */
  DebyeJob *computing; /* borrowed from jobs */
  gboolean ended;      /* the list loses none, and nothing starts */
};

static guint changed; /* the signal */

static GType
get_item_type(GListModel *model G_GNUC_UNUSED)
{
  return DEBYE_TYPE_JOB;
}

static guint
get_n_items(GListModel *model)
{
  return DEBYE_JOB_QUEUE(model)->jobs->len;
}

static gpointer
get_item(GListModel *model, guint position)
{
  DebyeJobQueue *self = DEBYE_JOB_QUEUE(model);
  return position < self->jobs->len ? g_object_ref(g_ptr_array_index(self->jobs, position)) : NULL;
}

static void
list_model_init(GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(DebyeJobQueue, debye_job_queue, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static gboolean
is_active(DebyeJob *job)
{
  return debye_job_get_state(job) <= DEBYE_JOB_RUNNING;
}

static void
start_next(DebyeJobQueue *self)
{
  while (self->computing == NULL && !g_queue_is_empty(&self->waiting)) {
    DebyeJob *job = g_queue_pop_head(&self->waiting);
    if (!is_active(job))
      continue;
    self->computing = job;
    debye_job_start(job);
  }
}

/* What is done beside the computing (a file opened, a picture written) is seen in what it made. */
static void
forget(DebyeJobQueue *self, DebyeJob *job)
{
  guint position;
  if (!g_ptr_array_find(self->jobs, job, &position))
    return;
  g_ptr_array_remove_index(self->jobs, position);
  g_list_model_items_changed(G_LIST_MODEL(self), position, 1, 0);
}

static void
on_aside_finished(DebyeJob *job, DebyeJobQueue *self)
{
  if (debye_job_get_state(job) == DEBYE_JOB_DONE && !self->ended)
    forget(self, job);
}

static void
on_computed(DebyeJob *job, DebyeJobQueue *self)
{
  g_queue_remove(&self->waiting, job);
  if (self->computing == job) {
    self->computing = NULL;
    start_next(self);
  }
}

static void
start_or_queue(DebyeJobQueue *self, DebyeJob *job, gboolean computing)
{
  if (self->ended) {
    debye_job_stop(job);
  } else if (computing) {
    g_queue_push_tail(&self->waiting, job);
    start_next(self);
  } else {
    debye_job_start(job);
  }
}

static void
remove_finished(DebyeJobQueue *self)
{
  for (guint i = self->jobs->len; i-- > 0;) {
    if (is_active(g_ptr_array_index(self->jobs, i)))
      continue;
    g_ptr_array_remove_index(self->jobs, i);
    g_list_model_items_changed(G_LIST_MODEL(self), i, 1, 0);
  }
}

static void
tell(DebyeJobQueue *self)
{
  g_signal_emit(self, changed, 0);
}

DebyeJobQueue *
debye_job_queue_new(void)
{
  return g_object_new(DEBYE_TYPE_JOB_QUEUE, NULL);
}

void
debye_job_queue_add(DebyeJobQueue *self, DebyeJob *job, gboolean computing)
{
  g_return_if_fail(DEBYE_IS_JOB_QUEUE(self) && DEBYE_IS_JOB(job));
  if (!self->ended)
    remove_finished(self);
  g_ptr_array_add(self->jobs, g_object_ref(job));
  GCallback finished = computing ? G_CALLBACK(on_computed) : G_CALLBACK(on_aside_finished);
  g_signal_connect_object(job, "finished", finished, self, G_CONNECT_DEFAULT);
  g_list_model_items_changed(G_LIST_MODEL(self), self->jobs->len - 1, 0, 1);
  g_signal_connect_object(job, "notify::active", G_CALLBACK(tell), self, G_CONNECT_SWAPPED);
  start_or_queue(self, job, computing);
  tell(self);
}

guint
debye_job_queue_count_active(DebyeJobQueue *self)
{
  g_return_val_if_fail(DEBYE_IS_JOB_QUEUE(self), 0);
  guint count = 0;
  for (guint i = 0; i < self->jobs->len; i++) {
    DebyeJob *job = g_ptr_array_index(self->jobs, i);
    count += is_active(job) && !debye_job_is_incidental(job) ? 1 : 0;
  }
  return count;
}

gboolean
debye_job_queue_is_busy(DebyeJobQueue *self)
{
  g_return_val_if_fail(DEBYE_IS_JOB_QUEUE(self), FALSE);
  for (guint i = 0; i < self->jobs->len; i++)
    if (is_active(g_ptr_array_index(self->jobs, i)))
      return TRUE;
  return FALSE;
}

void
debye_job_queue_stop_all(DebyeJobQueue *self)
{
  g_return_if_fail(DEBYE_IS_JOB_QUEUE(self));
  g_queue_clear(&self->waiting);
  for (guint i = 0; i < self->jobs->len; i++)
    debye_job_stop(g_ptr_array_index(self->jobs, i));
}

void
debye_job_queue_end(DebyeJobQueue *self)
{
  g_return_if_fail(DEBYE_IS_JOB_QUEUE(self));
  self->ended = TRUE;
  g_queue_clear(&self->waiting);
  for (guint i = 0; i < self->jobs->len; i++) {
    DebyeJob *job = g_ptr_array_index(self->jobs, i);
    if (!debye_job_is_incidental(job))
      debye_job_stop(job);
  }
}

void
debye_job_queue_join(DebyeJobQueue *self)
{
  g_return_if_fail(DEBYE_IS_JOB_QUEUE(self));
  debye_job_queue_end(self);
  debye_job_queue_stop_all(self);
  for (guint i = 0; i < self->jobs->len; i++)
    debye_job_join(g_ptr_array_index(self->jobs, i));
}

static void
debye_job_queue_dispose(GObject *object)
{
  DebyeJobQueue *self = DEBYE_JOB_QUEUE(object);
  debye_job_queue_join(self);
  G_OBJECT_CLASS(debye_job_queue_parent_class)->dispose(object);
}

static void
debye_job_queue_finalize(GObject *object)
{
  DebyeJobQueue *self = DEBYE_JOB_QUEUE(object);
  g_queue_clear(&self->waiting);
  g_ptr_array_unref(self->jobs);
  G_OBJECT_CLASS(debye_job_queue_parent_class)->finalize(object);
}

static void
debye_job_queue_class_init(DebyeJobQueueClass *class)
{
  G_OBJECT_CLASS(class)->dispose = debye_job_queue_dispose;
  G_OBJECT_CLASS(class)->finalize = debye_job_queue_finalize;
  changed =
      g_signal_new("changed", DEBYE_TYPE_JOB_QUEUE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_job_queue_init(DebyeJobQueue *self)
{
  self->jobs = g_ptr_array_new_with_free_func(g_object_unref);
  g_queue_init(&self->waiting);
}
