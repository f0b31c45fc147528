/* SPDX-License-Identifier: MIT */
/* Short-lived threads around one atomic counter. */
#include "chunk_threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

/* More than that wait for memory. */
#define MOST_THREADS 16

typedef struct {
  void (*function)(void *context, size_t chunk);
  void *context;
  size_t n_chunks;
  atomic_size_t next;
} Loop;

static void *
draw_chunks(void *data)
{
  Loop *loop = data;
  for (;;) {
    size_t chunk = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
    if (chunk >= loop->n_chunks)
      return NULL;
    loop->function(loop->context, chunk);
  }
}

static size_t
processor_count(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

void
debye_chunk_threads_run(size_t n_chunks, void (*function)(void *context, size_t chunk), void *context)
{
  Loop loop = {.function = function, .context = context, .n_chunks = n_chunks};
  pthread_t threads[MOST_THREADS];
  size_t wanted = processor_count(), n = 0;
  wanted = wanted < MOST_THREADS ? wanted : MOST_THREADS;
  wanted = wanted < n_chunks ? wanted : n_chunks;
  while (n + 1 < wanted && pthread_create(&threads[n], NULL, draw_chunks, &loop) == 0)
    n++;
  draw_chunks(&loop);
  for (size_t i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
}

static void
run(void *runner, size_t n_chunks, void (*function)(void *context, size_t chunk), void *context)
{
  (void)runner;
  debye_chunk_threads_run(n_chunks, function, context);
}

const DebyeChunkRunner debye_chunk_threads = {run, NULL};
