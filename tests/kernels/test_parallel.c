/* SPDX-License-Identifier: MIT */
/* The pool: every chunk exactly once, from inside a chunk too, from two threads at a time, and stopped half
 * way. */
#include <pthread.h>
#include <stdatomic.h>

#include "kernels/cpu/common/parallel.h"
#include "tests/support/check.h"

#define N_CHUNKS 1000

typedef struct {
  DebyePool *pool;
  atomic_uint calls[N_CHUNKS];
  atomic_uint inner;
  bool cancel;
} Loop;

static void
count_call(void *context, size_t chunk)
{
  Loop *loop = context;
  atomic_fetch_add(&loop->calls[chunk], 1);
}

static void
check_each_once(const Loop *loop, size_t n_chunks, unsigned times)
{
  size_t n_wrong = 0;
  for (size_t i = 0; i < N_CHUNKS; i++)
    n_wrong += atomic_load(&loop->calls[i]) != (i < n_chunks ? times : 0);
  CHECK_THAT(n_wrong == 0, "%zu of %zu chunks were not called %u times", n_wrong, n_chunks, times);
}

static void
test_each_chunk_once(unsigned threads, size_t n_chunks)
{
  debye_check_subject("%u threads, %zu chunks", threads, n_chunks);
  Loop loop = {.pool = debye_pool_new(threads)};
  CHECK(debye_pool_get_threads(loop.pool) == threads);
  for (unsigned i = 1; i <= 50; i++) {
    CHECK(debye_parallel_for(loop.pool, n_chunks, count_call, &loop, NULL));
    check_each_once(&loop, n_chunks, i);
  }
  debye_pool_free(loop.pool);
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
  (void)chunk;
  debye_parallel_for(loop->pool, 10, count_inner, loop, NULL);
}

static void
test_nested(void)
{
  debye_check_subject("a loop in a loop");
  Loop loop = {.pool = debye_pool_new(3)};
  CHECK(debye_parallel_for(loop.pool, 20, start_inner_loop, &loop, NULL));
  CHECK(atomic_load(&loop.inner) == 200);
  debye_pool_free(loop.pool);
}

static void
cancel_at_tenth(void *context, size_t chunk)
{
  Loop *loop = context;
  atomic_fetch_add(&loop->calls[chunk], 1);
  if (chunk == 9)
    __atomic_store_n(&loop->cancel, true, __ATOMIC_RELAXED);
}

static void
test_cancel(unsigned threads)
{
  debye_check_subject("cancelled with %u threads", threads);
  Loop loop = {.pool = debye_pool_new(threads)};
  CHECK(!debye_parallel_for(loop.pool, N_CHUNKS, cancel_at_tenth, &loop, &loop.cancel));
  unsigned n_called = 0;
  for (size_t i = 0; i < N_CHUNKS; i++)
    n_called += atomic_load(&loop.calls[i]);
  CHECK(n_called >= 10 && n_called < N_CHUNKS);
  /* And the pool goes on. */
  loop.cancel = false;
  CHECK(debye_parallel_for(loop.pool, 5, count_call, &loop, &loop.cancel));
  debye_pool_free(loop.pool);
}

static void *
run_loops(void *data)
{
  Loop *loop = data;
  for (int i = 0; i < 50; i++)
    debye_parallel_for(loop->pool, N_CHUNKS, count_call, loop, NULL);
  return NULL;
}

static void
test_two_callers(void)
{
  debye_check_subject("two callers of one pool");
  DebyePool *pool = debye_pool_new(2);
  Loop loops[2] = {{.pool = pool}, {.pool = pool}};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, run_loops, &loops[0]) == 0);
  run_loops(&loops[1]);
  pthread_join(thread, NULL);
  check_each_once(&loops[0], N_CHUNKS, 50);
  check_each_once(&loops[1], N_CHUNKS, 50);
  debye_pool_free(pool);
}

int
main(void)
{
  test_each_chunk_once(1, 100);
  test_each_chunk_once(2, 0);
  test_each_chunk_once(2, 1);
  test_each_chunk_once(4, N_CHUNKS);
  test_nested();
  test_cancel(1);
  test_cancel(4);
  test_two_callers();
  debye_check_subject("all processors");
  DebyePool *pool = debye_pool_new(0);
  CHECK(debye_pool_get_threads(pool) == debye_count_cores());
  debye_pool_free(pool);
  return debye_check_finish();
}
