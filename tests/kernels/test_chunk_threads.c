/* SPDX-License-Identifier: MIT */
/* Shared threads: every chunk exactly once, from inside a chunk too and from many threads at a time, and
 * copies of all sizes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/chunk_threads.h"
#include "tests/support/check.h"

#define N_CHUNKS 1000
#define N_CALLERS 8

typedef struct {
  atomic_uint calls[N_CHUNKS];
  atomic_uint inner;
} Loop;

static void
count_call(void *context, size_t chunk)
{
  Loop *loop = context;
  atomic_fetch_add(&loop->calls[chunk], 1);
}

static void
check_each_chunk_once(Loop *loop, size_t n_chunks)
{
  for (unsigned i = 1; i <= 50; i++) {
    size_t n_wrong = 0;
    debye_chunk_threads_run(n_chunks, count_call, loop);
    for (size_t chunk = 0; chunk < N_CHUNKS; chunk++)
      n_wrong += atomic_load(&loop->calls[chunk]) != (chunk < n_chunks ? i : 0);
    CHECK_THAT(n_wrong == 0, "%zu of %zu chunks were not called %u times", n_wrong, n_chunks, i);
  }
}

static void
test_each_chunk_once(size_t n_chunks)
{
  debye_check_subject("%zu chunks", n_chunks);
  Loop loop = {.inner = 0};
  check_each_chunk_once(&loop, n_chunks);
}

static void
count_inner(void *context, size_t chunk)
{
  Loop *loop = context;
  (void)chunk;
  atomic_fetch_add(&loop->inner, 1);
}

static void
start_inner_loop(void *context, size_t chunk)
{
  Loop *loop = context;
  atomic_fetch_add(&loop->calls[chunk], 1);
  debye_chunk_threads_run(10, count_inner, loop);
}

static void
test_loop_inside_a_chunk(void)
{
  debye_check_subject("loops inside chunks");
  Loop loop = {.inner = 0};
  debye_chunk_threads_run(100, start_inner_loop, &loop);
  CHECK(atomic_load(&loop.inner) == 1000);
}

static void *
call_often(void *data)
{
  (void)data;
  Loop loop = {.inner = 0};
  check_each_chunk_once(&loop, N_CHUNKS);
  return NULL;
}

static void
test_many_callers(void)
{
  debye_check_subject("%d callers", N_CALLERS);
  pthread_t threads[N_CALLERS];
  for (size_t i = 0; i < N_CALLERS; i++)
    CHECK(pthread_create(&threads[i], NULL, call_often, NULL) == 0);
  for (size_t i = 0; i < N_CALLERS; i++)
    CHECK(pthread_join(threads[i], NULL) == 0);
}

/* How many chunks are done at a time. */
typedef struct {
  atomic_uint now, most;
} Meter;

static void
meet(void *context, size_t chunk)
{
  Meter *meter = context;
  (void)chunk;
  const unsigned now = atomic_fetch_add(&meter->now, 1) + 1;
  unsigned most = atomic_load(&meter->most);
  while (now > most && !atomic_compare_exchange_weak(&meter->most, &most, now))
    continue;
  nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  atomic_fetch_sub(&meter->now, 1);
}

static void *
meet_often(void *data)
{
  for (int i = 0; i < 5; i++)
    debye_chunk_threads_run(20, meet, data);
  return NULL;
}

/* Each caller is a thread of its own; all loops share the helpers. */
static void
test_limit(unsigned limit, unsigned n_callers)
{
  debye_check_subject("%u threads, %u callers", limit, n_callers);
  Meter meter = {.now = 0};
  pthread_t callers[N_CALLERS];
  debye_chunk_threads_limit(limit);
  for (unsigned i = 0; i < n_callers; i++)
    CHECK(pthread_create(&callers[i], NULL, meet_often, &meter) == 0);
  for (unsigned i = 0; i < n_callers; i++)
    CHECK(pthread_join(callers[i], NULL) == 0);
  const unsigned most = atomic_load(&meter.most);
  CHECK_THAT(most >= 1 && most <= n_callers + limit - 1, "%u chunks at a time", most);
  debye_chunk_threads_limit(0);
}

/* With a byte before and one behind that must stay. */
static void
test_copy(size_t bytes)
{
  debye_check_subject("%zu bytes", bytes);
  unsigned char *from = malloc(bytes + 1), *to = calloc(1, bytes + 2);
  CHECK(from != NULL && to != NULL);
  for (size_t i = 0; i < bytes; i++)
    from[i] = (unsigned char)(1 + i % 251);
  debye_chunk_threads_copy(to + 1, from, bytes);
  CHECK(memcmp(to + 1, from, bytes) == 0);
  CHECK(to[0] == 0 && to[bytes + 1] == 0);
  free(from);
  free(to);
}

int
main(void)
{
  for (size_t n_chunks = 0; n_chunks <= 3; n_chunks++)
    test_each_chunk_once(n_chunks);
  test_each_chunk_once(N_CHUNKS);
  test_loop_inside_a_chunk();
  test_many_callers();
  /* There are helpers by now, more than these have work for. */
  test_limit(1, 1);
  test_limit(2, 1);
  test_limit(1, 3);
  test_limit(2, 3);
  test_copy(0);
  test_copy(1);
  test_copy(((size_t)256 << 10) - 1);
  test_copy((size_t)3 << 20);
  return debye_check_finish();
}
