/* SPDX-License-Identifier: MIT */
/* Runs the parts of a loop on several threads, each taking the next part; called by what makes meshes, bonds, bins of
 * atoms and pictures' files, and by readers. */
#include "parts.h"

#define MAX_THREADS 16

typedef struct {
  DebyePartWork work;
  gpointer data;
  gsize n, next; /* next: atomic */
} Parts;

static gpointer
take_parts(gpointer data)
{
  Parts *parts = data;
  gsize part;
  while ((part = __atomic_fetch_add(&parts->next, 1, __ATOMIC_RELAXED)) < parts->n)
    parts->work(part, parts->data);
  return NULL;
}

static guint thread_limit; /* atomic; 0: none */

void
debye_parts_limit_threads(guint threads)
{
  __atomic_store_n(&thread_limit, threads, __ATOMIC_RELAXED);
}

guint
debye_parts_count_threads(void)
{
  const guint limit = __atomic_load_n(&thread_limit, __ATOMIC_RELAXED);
  const guint threads = CLAMP(g_get_num_processors(), 1, MAX_THREADS);
  return limit > 0 ? MIN(limit, threads) : threads;
}

void
debye_parts_run(gsize n, DebyePartWork work, gpointer data)
{
  Parts parts = {.work = work, .data = data, .n = n};
  guint n_threads = (guint)MIN((gsize)debye_parts_count_threads(), n);
  GThread *threads[MAX_THREADS];
  /* As far behind as who calls, which threads of a pool can't be: see threads.h. */
  for (guint t = 1; t < n_threads; t++)
    threads[t] = g_thread_new("debye-parts", take_parts, &parts);
  take_parts(&parts);
  for (guint t = 1; t < n_threads; t++)
    g_thread_join(threads[t]);
}
