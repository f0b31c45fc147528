/* SPDX-License-Identifier: MIT */
/* Implementation of worker.h: one request waits, one result is done. */
#include "worker.h"

#include <sys/resource.h>

#include "threads.h"

struct _DebyeWorker {
  const DebyeWork *kind;
  GSource *tell; /* becomes ready when a result is there */
  GThread *thread;

  GMutex lock;
  GCond changed;
  gboolean stopped;
  gpointer waiting, working; /* requests; NULL: none */
  GCancellable *cancellable; /* of what is being made */
  gpointer result;           /* to be taken */
};

/* The next request, kept in `working`; FALSE: it is time to go. */
static gboolean
next_request(DebyeWorker *worker)
{
  g_mutex_lock(&worker->lock);
  gpointer done = g_steal_pointer(&worker->working);
  g_cond_broadcast(&worker->changed);
  while (!worker->waiting && !worker->stopped)
    g_cond_wait(&worker->changed, &worker->lock);
  gboolean go_on = !worker->stopped;
  if (go_on) {
    worker->working = g_steal_pointer(&worker->waiting);
    g_cancellable_reset(worker->cancellable);
  }
  g_mutex_unlock(&worker->lock);
  if (done)
    worker->kind->free_request(done);
  return go_on;
}

/* What was given up is no result. */
static void
hand_over(DebyeWorker *worker, gpointer result)
{
  gpointer old = result;
  g_mutex_lock(&worker->lock);
  if (result && !g_cancellable_is_cancelled(worker->cancellable)) {
    old = worker->result;
    worker->result = result;
    g_source_set_ready_time(worker->tell, 0);
  }
  g_mutex_unlock(&worker->lock);
  if (old)
    worker->kind->free_result(old);
}

static gpointer
run(gpointer data)
{
  DebyeWorker *worker = data;
  gpointer state = NULL;
  /* On Linux this is of the thread alone, and the threads that it starts have it from this one. */
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + worker->kind->niceness);
  while (next_request(worker))
    hand_over(worker, worker->kind->work(worker->working, &state, worker->cancellable));
  if (state)
    worker->kind->free_state(state);
  return NULL;
}

static gboolean
dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
  g_source_set_ready_time(source, -1);
  return callback(data);
}

DebyeWorker *
debye_worker_new(const DebyeWork *kind, GSourceFunc done, gpointer data)
{
  static GSourceFuncs functions = {.dispatch = dispatch};
  DebyeWorker *worker = g_new0(DebyeWorker, 1);
  worker->kind = kind;
  g_mutex_init(&worker->lock);
  g_cond_init(&worker->changed);
  worker->cancellable = g_cancellable_new();
  worker->tell = g_source_new(&functions, sizeof(GSource));
  g_source_set_callback(worker->tell, done, data, NULL);
  /* For as long as the object that it makes things for, and as far behind as its kind says: see threads.h. */
  worker->thread = g_thread_new(kind->name, run, worker);
  return worker;
}

/* Its result is told no more. */
static void
stop(DebyeWorker *worker)
{
  g_mutex_lock(&worker->lock);
  worker->stopped = TRUE;
  g_cancellable_cancel(worker->cancellable);
  g_source_destroy(worker->tell);
  g_cond_broadcast(&worker->changed);
  g_mutex_unlock(&worker->lock);
}

static void
join(gpointer data)
{
  DebyeWorker *worker = data;
  g_thread_join(worker->thread);
  g_source_unref(worker->tell);
  g_object_unref(worker->cancellable);
  if (worker->waiting)
    worker->kind->free_request(worker->waiting);
  if (worker->result)
    worker->kind->free_result(worker->result);
  g_mutex_clear(&worker->lock);
  g_cond_clear(&worker->changed);
  g_free(worker);
}

void
debye_worker_free(DebyeWorker *worker)
{
  if (!worker)
    return;
  stop(worker);
  join(worker);
}

void
debye_worker_leave(DebyeWorker *worker)
{
  if (!worker)
    return;
  stop(worker);
  debye_threads_start("debye-join", join, worker);
}

void
debye_worker_listen(DebyeWorker *worker)
{
  if (g_source_get_context(worker->tell) == NULL)
    g_source_attach(worker->tell, g_main_context_get_thread_default());
}

void
debye_worker_request(DebyeWorker *worker, gpointer request)
{
  g_mutex_lock(&worker->lock);
  gpointer old = worker->waiting;
  worker->waiting = request;
  if (worker->working && worker->kind->gives_up && worker->kind->gives_up(worker->working, request))
    g_cancellable_cancel(worker->cancellable);
  g_cond_broadcast(&worker->changed);
  g_mutex_unlock(&worker->lock);
  if (old)
    worker->kind->free_request(old);
}

gboolean
debye_worker_is_busy(DebyeWorker *worker)
{
  g_mutex_lock(&worker->lock);
  gboolean busy = worker->working || worker->waiting;
  g_mutex_unlock(&worker->lock);
  return busy;
}

gpointer
debye_worker_take(DebyeWorker *worker)
{
  g_mutex_lock(&worker->lock);
  gpointer result = g_steal_pointer(&worker->result);
  g_mutex_unlock(&worker->lock);
  return result;
}

void
debye_worker_wait(DebyeWorker *worker)
{
  g_mutex_lock(&worker->lock);
  while (worker->working || worker->waiting)
    g_cond_wait(&worker->changed, &worker->lock);
  g_mutex_unlock(&worker->lock);
}
