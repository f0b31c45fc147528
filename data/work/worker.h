/* SPDX-License-Identifier: MIT */
/* A thread of an object's own, which makes what the object shows: a layer's mesh, a frame, a live map. Only
 * the newest request counts. The thread stays: making one for each frame that plays or level that a hand drags
 * past can take longer than a frame on a busy machine. */
#pragma once

#include <gio/gio.h>

/* The kind of work. */
typedef struct {
  const char *name; /* of the thread */
  /* Behind the main thread where both want the processor; a thread can't come forward again. */
  int niceness;
  /* On the thread: what came of the request; NULL: nothing. What the thread keeps from one request to the
   * next is in `state`, NULL at first. */
  gpointer (*work)(gpointer request, gpointer *state, GCancellable *cancellable);
  /* Whether what is being made is given up for the next request. Left out: it is let finish, or a steady
   * stream of requests would never show anything. */
  gboolean (*gives_up)(gconstpointer working, gconstpointer next);
  GDestroyNotify free_request, free_result, free_state; /* the last may be left out */
} DebyeWork;

typedef struct _DebyeWorker DebyeWorker;

/* `kind` must live as long; `done` is called when there is a result to be taken, where it is listened for. */
DebyeWorker *debye_worker_new(const DebyeWork *kind, GSourceFunc done, gpointer data);
/* Stops what is being made and waits for the thread. NULL is nothing. */
void debye_worker_free(DebyeWorker *worker);
/* The same without waiting, see threads.h: `done` is not called any more. On the thread that listens. */
void debye_worker_leave(DebyeWorker *worker);

/* `done` is called on the main context of the calling thread from now on, also for a result that is there;
 * until then it is called nowhere. Once is enough. */
void debye_worker_listen(DebyeWorker *worker);

/* Takes the request, which replaces one that waits. */
void debye_worker_request(DebyeWorker *worker, gpointer request);
/* Something waits or is being made. */
gboolean debye_worker_is_busy(DebyeWorker *worker);
/* The newest result, once; NULL: none. */
gpointer debye_worker_take(DebyeWorker *worker);
/* Waits until nothing is being made. */
void debye_worker_wait(DebyeWorker *worker);
