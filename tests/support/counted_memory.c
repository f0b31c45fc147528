/* SPDX-License-Identifier: MIT */
/* The C library's memory, with a list of what was taken; called instead of it. */
#include "counted_memory.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define MAX_BLOCKS 4096

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *block);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
  void *block;
  size_t bytes;
} blocks[MAX_BLOCKS];
static size_t n_blocks;
static uint64_t all_bytes;
static unsigned until_failure; /* 0: none is to fail */
static bool has_failed;

uint64_t
debye_counted_bytes(void)
{
  pthread_mutex_lock(&mutex);
  const uint64_t bytes = all_bytes;
  pthread_mutex_unlock(&mutex);
  return bytes;
}

void
debye_counted_fail(unsigned number)
{
  pthread_mutex_lock(&mutex);
  until_failure = number;
  has_failed = false;
  pthread_mutex_unlock(&mutex);
}

bool
debye_counted_has_failed(void)
{
  pthread_mutex_lock(&mutex);
  const bool failed = has_failed;
  pthread_mutex_unlock(&mutex);
  return failed;
}

static bool
may_take(void)
{
  pthread_mutex_lock(&mutex);
  const bool fails = until_failure == 1;
  until_failure -= until_failure > 0;
  has_failed = has_failed || fails;
  pthread_mutex_unlock(&mutex);
  return !fails;
}

static void *
note(void *block, size_t bytes)
{
  pthread_mutex_lock(&mutex);
  if (block != NULL && n_blocks == MAX_BLOCKS)
    abort();
  if (block != NULL) {
    blocks[n_blocks].block = block;
    blocks[n_blocks++].bytes = bytes;
    all_bytes += bytes;
  }
  pthread_mutex_unlock(&mutex);
  return block;
}

static void
forget(const void *block)
{
  pthread_mutex_lock(&mutex);
  for (size_t i = n_blocks; i-- > 0;)
    if (blocks[i].block == block) {
      all_bytes -= blocks[i].bytes;
      blocks[i] = blocks[--n_blocks];
      break;
    }
  pthread_mutex_unlock(&mutex);
}

void *
__wrap_malloc(size_t bytes)
{
  return may_take() ? note(__real_malloc(bytes), bytes) : NULL;
}

void *
__wrap_calloc(size_t n, size_t bytes)
{
  return may_take() ? note(__real_calloc(n, bytes), n * bytes) : NULL;
}

void *
__wrap_realloc(void *block, size_t bytes)
{
  if (!may_take())
    return NULL;
  forget(block);
  return note(__real_realloc(block, bytes), bytes);
}

void *
__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
  return may_take() ? note(__real_aligned_alloc(alignment, bytes), bytes) : NULL;
}

void
__wrap_free(void *block)
{
  forget(block);
  __real_free(block);
}
