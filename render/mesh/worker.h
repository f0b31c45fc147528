/* SPDX-License-Identifier: MIT */
/* A thread of a layer's own, which makes what the layer shows: a mesh, mostly. Only the newest request
 * counts. The thread stays: making one for each frame that plays or level that a hand drags past can take
 * longer than a frame on a busy machine. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The kind of work. */
typedef struct {
  const char *name; /* of the thread */
  /* On the thread: what came of the request; NULL: nothing. */
  gpointer (*work)(gpointer request, GCancellable *cancellable);
  /* Whether what is being made is given up for the next request. Left out: it is let finish, or a steady
   * stream of requests would never show anything. */
  gboolean (*gives_up)(gconstpointer working, gconstpointer next);
  GDestroyNotify free_request, free_result;
} DebyeWork;

typedef struct _DebyeWorker DebyeWorker;

/* `kind` must live as long; `done` is called when there is a result to be taken, where it is listened for. */
DebyeWorker *debye_worker_new(const DebyeWork *kind, GSourceFunc done, gpointer data);
/* Stops what is being made and waits for the thread. NULL is nothing. */
void debye_worker_free(DebyeWorker *worker);

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

G_END_DECLS
