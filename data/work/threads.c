/* SPDX-License-Identifier: MIT */
/* Implementation of threads.h: counts detached threads so that the program can wait for them at its end. */
#include "threads.h"

typedef struct {
  void (*work)(gpointer data);
  gpointer data;
} Start;

static GMutex lock;
static GCond ended;
static guint n_threads;

static void
count(int change)
{
  g_mutex_lock(&lock);
  n_threads += (guint)change;
  g_cond_broadcast(&ended);
  g_mutex_unlock(&lock);
}

static gpointer
run(gpointer data)
{
  g_autofree Start *start = data;
  start->work(start->data);
  count(-1);
  return NULL;
}

void
debye_threads_start(const char *name, void (*work)(gpointer data), gpointer data)
{
  Start *start = g_new(Start, 1);
  *start = (Start){.work = work, .data = data};
  count(1);
  g_thread_unref(g_thread_new(name, run, start));
}

void
debye_threads_wait_for_all(void)
{
  g_mutex_lock(&lock);
  while (n_threads > 0)
    g_cond_wait(&ended, &lock);
  g_mutex_unlock(&lock);
}
