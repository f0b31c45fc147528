/* SPDX-License-Identifier: MIT */
/* The thread pool that the CPU's kernels share: workers sleep on a condition between loops, and draw chunks
 * from one atomic counter within a loop. */
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/status.h"

struct DebyePool {
  pthread_mutex_t caller; /* held through one loop: callers take turns */
  pthread_mutex_t mutex;  /* guards all below but `next` and `skipped` */
  pthread_cond_t begun, ended;
  pthread_t *threads;
  unsigned n_threads; /* without the caller */
  unsigned n_busy;
  unsigned long loop; /* counts loops, so that a worker knows a new one */
  bool closing;

  DebyePoolFunction function;
  void *context;
  const volatile bool *cancel;
  size_t n_chunks;
  atomic_size_t next;
  atomic_bool skipped;
};

/* A chunk that starts a loop itself must not wait for workers that wait for it. */
static _Thread_local bool inside_chunk;

unsigned
debye_count_cores(void)
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? (unsigned)count : 1;
}

static void
draw_chunks(DebyePool *pool)
{
  inside_chunk = true;
  for (;;) {
    size_t chunk = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
    if (chunk >= pool->n_chunks)
      break;
    if (debye_is_cancelled(pool->cancel)) {
      atomic_store_explicit(&pool->skipped, true, memory_order_relaxed);
      break;
    }
    pool->function(pool->context, chunk);
  }
  inside_chunk = false;
}

static void *
run_worker(void *data)
{
  DebyePool *pool = data;
  unsigned long seen = 0;
  pthread_mutex_lock(&pool->mutex);
  for (;;) {
    while (pool->loop == seen && !pool->closing)
      pthread_cond_wait(&pool->begun, &pool->mutex);
    if (pool->closing)
      break;
    seen = pool->loop;
    pthread_mutex_unlock(&pool->mutex);
    draw_chunks(pool);
    pthread_mutex_lock(&pool->mutex);
    if (--pool->n_busy == 0)
      pthread_cond_signal(&pool->ended);
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

DebyePool *
debye_pool_new(unsigned threads)
{
  DebyePool *pool = calloc(1, sizeof *pool);
  if (pool == NULL)
    return NULL;
  unsigned wanted = (threads > 0 ? threads : debye_count_cores()) - 1;
  pool->threads = calloc(wanted > 0 ? wanted : 1, sizeof *pool->threads);
  if (pool->threads == NULL) {
    free(pool);
    return NULL;
  }
  pthread_mutex_init(&pool->caller, NULL);
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->begun, NULL);
  pthread_cond_init(&pool->ended, NULL);
  while (pool->n_threads < wanted &&
         pthread_create(&pool->threads[pool->n_threads], NULL, run_worker, pool) == 0)
    pool->n_threads++;
  return pool;
}

void
debye_pool_free(DebyePool *pool)
{
  if (pool == NULL)
    return;
  pthread_mutex_lock(&pool->mutex);
  pool->closing = true;
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->mutex);
  for (unsigned i = 0; i < pool->n_threads; i++)
    pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->ended);
  pthread_cond_destroy(&pool->begun);
  pthread_mutex_destroy(&pool->mutex);
  pthread_mutex_destroy(&pool->caller);
  free(pool->threads);
  free(pool);
}

unsigned
debye_pool_get_threads(const DebyePool *pool)
{
  return pool != NULL ? pool->n_threads + 1 : 1;
}

static bool
run_alone(size_t n_chunks, DebyePoolFunction function, void *context, const volatile bool *cancel)
{
  for (size_t chunk = 0; chunk < n_chunks; chunk++) {
    if (debye_is_cancelled(cancel))
      return false;
    function(context, chunk);
  }
  return true;
}

bool
debye_parallel_for(DebyePool *pool, size_t n_chunks, DebyePoolFunction function, void *context,
                   const volatile bool *cancel)
{
  if (pool == NULL || inside_chunk || pool->n_threads == 0 || n_chunks < 2)
    return run_alone(n_chunks, function, context, cancel);

  pthread_mutex_lock(&pool->caller);
  pthread_mutex_lock(&pool->mutex);
  pool->function = function;
  pool->context = context;
  pool->cancel = cancel;
  pool->n_chunks = n_chunks;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  atomic_store_explicit(&pool->skipped, false, memory_order_relaxed);
  pool->n_busy = pool->n_threads;
  pool->loop++;
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->mutex);

  draw_chunks(pool);

  pthread_mutex_lock(&pool->mutex);
  while (pool->n_busy > 0)
    pthread_cond_wait(&pool->ended, &pool->mutex);
  bool complete = !atomic_load_explicit(&pool->skipped, memory_order_relaxed);
  pthread_mutex_unlock(&pool->mutex);
  pthread_mutex_unlock(&pool->caller);
  return complete;
}

static void
run(void *pool, size_t n_chunks, DebyePoolFunction function, void *context)
{
  debye_parallel_for(pool, n_chunks, function, context, NULL);
}

DebyeChunkRunner
debye_pool_runner(DebyePool *pool)
{
  return (DebyeChunkRunner){run, pool};
}
