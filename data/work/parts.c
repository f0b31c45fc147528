/* SPDX-License-Identifier: MIT */
/* Runs the parts of a loop on several threads, each taking the next part; called by the makers of meshes and of
 * bonds. */
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

guint
debye_parts_count_threads(void)
{
  return CLAMP(g_get_num_processors(), 1, MAX_THREADS);
}

void
debye_parts_run(gsize n, DebyePartWork work, gpointer data)
{
  Parts parts = {.work = work, .data = data, .n = n};
  guint n_threads = (guint)MIN((gsize)debye_parts_count_threads(), n);
  GThread *threads[MAX_THREADS];
  for (guint t = 1; t < n_threads; t++)
    threads[t] = g_thread_new("debye-parts", take_parts, &parts);
  take_parts(&parts);
  for (guint t = 1; t < n_threads; t++)
    g_thread_join(threads[t]);
}
