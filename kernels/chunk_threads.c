/* SPDX-License-Identifier: MIT */
/* Implementation of chunk_threads.h: threads that all callers share. Loops that wait for help stand in a
 * list. A helper joins the first that still wants one, draws its chunks from the loop's own counter, and goes
 * on with the next. The caller takes his loop from the list when the chunks are all drawn, and waits for
 * those who joined it only. */
#include "chunk_threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Of a loop, beside the caller: more than that wait for memory. */
#define MAX_HELPERS 15
/* In all, where there are as many cores: several lanes have loops at a time. */
#define MAX_THREADS 64
/* What a thread copies at a time. */
#define COPY_BYTES ((size_t)256 << 10)

typedef struct Loop {
  void (*function)(void *context, size_t chunk);
  void *context;
  size_t n_chunks;
  atomic_size_t next;
  /* Guarded by the pool's mutex. */
  size_t wanted, helping;
  struct Loop *following;
} Loop;

static struct {
  pthread_mutex_t mutex; /* guards all below */
  pthread_cond_t begun, ended;
  pthread_t threads[MAX_THREADS];
  size_t n_threads, n_idle, n_helping;
  pid_t process; /* that has the threads: one that was forked has none */
  bool closing;
  Loop *loops;
} pool = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .begun = PTHREAD_COND_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

/* Of a loop, with its caller; 0: as many as there are cores. */
static atomic_uint thread_limit;

static void
draw_chunks(Loop *loop)
{
  for (;;) {
    size_t chunk = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed);
    if (chunk >= loop->n_chunks)
      return;
    loop->function(loop->context, chunk);
  }
}

static size_t
smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Cores but the caller's, of those that the program is to use. */
static size_t
other_cores(void)
{
  cpu_set_t set;
  const unsigned limit = atomic_load_explicit(&thread_limit, memory_order_relaxed);
  const size_t others = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) - 1 : 0;
  return limit > 0 ? smaller(others, limit - 1) : others;
}

void
debye_chunk_threads_limit(unsigned threads)
{
  atomic_store_explicit(&thread_limit, threads, memory_order_relaxed);
}

unsigned
debye_chunk_threads_count(void)
{
  return (unsigned)other_cores() + 1;
}

/* The functions below: with the mutex held. */

/* NULL also where as many help as may: threads from before there was a limit sleep on. */
static Loop *
find_loop(void)
{
  const unsigned limit = atomic_load_explicit(&thread_limit, memory_order_relaxed);
  if (limit > 0 && pool.n_helping + 1 >= limit)
    return NULL;
  for (Loop *loop = pool.loops; loop != NULL; loop = loop->following)
    if (loop->wanted > 0)
      return loop;
  return NULL;
}

static void
help(Loop *loop)
{
  loop->wanted--;
  loop->helping++;
  pool.n_helping++;
  pthread_mutex_unlock(&pool.mutex);
  draw_chunks(loop);
  pthread_mutex_lock(&pool.mutex);
  pool.n_helping--;
  if (--loop->helping == 0)
    pthread_cond_broadcast(&pool.ended);
}

static void *
run_helper(void *data)
{
  (void)data;
  pthread_mutex_lock(&pool.mutex);
  while (!pool.closing) {
    Loop *loop = find_loop();
    if (loop != NULL) {
      help(loop);
      continue;
    }
    pool.n_idle++;
    pthread_cond_wait(&pool.begun, &pool.mutex);
    pool.n_idle--;
  }
  pthread_mutex_unlock(&pool.mutex);
  return NULL;
}

/* As many as are missing; signals are for the program's own threads. */
static void
start_helpers(size_t wanted)
{
  sigset_t all, before;
  const size_t max_threads = smaller(other_cores(), MAX_THREADS);
  if (pool.n_idle >= wanted || pool.n_threads >= max_threads || pool.closing)
    return;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (size_t n = pool.n_idle; n < wanted && pool.n_threads < max_threads; n++) {
    if (pthread_create(&pool.threads[pool.n_threads], NULL, run_helper, NULL) != 0)
      break;
    pool.process = getpid();
    pool.n_threads++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void
add_loop(Loop *loop)
{
  loop->following = pool.loops;
  pool.loops = loop;
  start_helpers(loop->wanted);
  for (size_t i = 0; i < loop->wanted; i++)
    pthread_cond_signal(&pool.begun);
}

static void
remove_loop(Loop *loop)
{
  Loop **place = &pool.loops;
  while (*place != loop)
    place = &(*place)->following;
  *place = loop->following;
  while (loop->helping > 0)
    pthread_cond_wait(&pool.ended, &pool.mutex);
}

void
debye_chunk_threads_run(size_t n_chunks, void (*function)(void *context, size_t chunk), void *context)
{
  Loop loop = {.function = function, .context = context, .n_chunks = n_chunks};
  const size_t other_chunks = n_chunks > 0 ? n_chunks - 1 : 0;
  loop.wanted = smaller(smaller(other_cores(), MAX_HELPERS), other_chunks);
  if (loop.wanted == 0) {
    draw_chunks(&loop);
    return;
  }
  pthread_mutex_lock(&pool.mutex);
  add_loop(&loop);
  pthread_mutex_unlock(&pool.mutex);
  draw_chunks(&loop);
  pthread_mutex_lock(&pool.mutex);
  remove_loop(&loop);
  pthread_mutex_unlock(&pool.mutex);
}

/* Before the code goes that the threads stand in: at the program's end, or with a module that is closed. */
__attribute__((destructor)) static void
end_helpers(void)
{
  if (pool.n_threads == 0 || pool.process != getpid())
    return;
  pthread_mutex_lock(&pool.mutex);
  pool.closing = true;
  pthread_cond_broadcast(&pool.begun);
  pthread_mutex_unlock(&pool.mutex);
  for (size_t i = 0; i < pool.n_threads; i++)
    pthread_join(pool.threads[i], NULL);
}

static void
run(void *runner, size_t n_chunks, void (*function)(void *context, size_t chunk), void *context)
{
  (void)runner;
  debye_chunk_threads_run(n_chunks, function, context);
}

void
debye_chunks_run(const DebyeChunkRunner *runner, size_t n_chunks, void (*function)(void *, size_t),
                 void *context)
{
  if (runner != NULL)
    runner->run(runner->runner, n_chunks, function, context);
  else
    for (size_t chunk = 0; chunk < n_chunks; chunk++)
      function(context, chunk);
}

const DebyeChunkRunner debye_chunk_threads = {run, NULL};

/* Copies. */

typedef struct {
  char *to;
  const char *from;
  size_t bytes;
} Copy;

static void
copy_chunk(void *context, size_t chunk)
{
  const Copy *copy = context;
  const size_t first = chunk * COPY_BYTES, left = copy->bytes - first;
  memcpy(copy->to + first, copy->from + first, smaller(left, COPY_BYTES));
}

void
debye_chunk_threads_copy(void *to, const void *from, size_t bytes)
{
  Copy copy = {to, from, bytes};
  debye_chunk_threads_run((bytes + COPY_BYTES - 1) / COPY_BYTES, copy_chunk, &copy);
}
