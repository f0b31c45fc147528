/* SPDX-License-Identifier: MIT */
/* Arrays between guard pages; used by runner_calls.c. */
#include "runner_buffers.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATTERN 0xa5
#define N_GUARDS ((size_t)16) /* pages on each side: a step of a row beyond the end is still named */

static size_t
get_guard(void)
{
  return N_GUARDS * (size_t)sysconf(_SC_PAGESIZE);
}

bool
debye_runner_buffer_init(DebyeRunnerBuffer *buffer, const char *name, size_t n_bytes)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), guard = get_guard();
  *buffer = (DebyeRunnerBuffer){.name = name, .n_bytes = n_bytes, .n_paged = (n_bytes / page + 1) * page};
  void *all = mmap(NULL, buffer->n_paged + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED)
    return false;
  buffer->pages = (unsigned char *)all + guard;
  buffer->data = buffer->pages;
  return mprotect(buffer->pages, buffer->n_paged, PROT_READ | PROT_WRITE) == 0;
}

void
debye_runner_buffer_shrink(DebyeRunnerBuffer *buffer, size_t n_bytes)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), n_before = buffer->n_paged;
  if (n_bytes >= buffer->n_bytes)
    return;
  buffer->n_bytes = n_bytes;
  buffer->n_paged = (n_bytes / page + 1) * page;
  mprotect(buffer->pages + buffer->n_paged, n_before - buffer->n_paged, PROT_NONE);
}

void
debye_runner_buffer_place(DebyeRunnerBuffer *buffer, bool at_end)
{
  unsigned char *to = at_end ? buffer->pages + buffer->n_paged - buffer->n_bytes : buffer->pages;
  memmove(to, buffer->data, buffer->n_bytes);
  buffer->data = to;
  memset(buffer->pages, PATTERN, (size_t)(to - buffer->pages));
  memset(to + buffer->n_bytes, PATTERN, (size_t)(buffer->pages + buffer->n_paged - to) - buffer->n_bytes);
}

bool
debye_runner_buffer_is_whole(const DebyeRunnerBuffer *buffer, int64_t *where)
{
  const unsigned char *end = buffer->data + buffer->n_bytes;
  for (const unsigned char *at = buffer->pages; at < buffer->pages + buffer->n_paged; at++)
    if ((at < buffer->data || at >= end) && *at != PATTERN) {
      *where = at < buffer->data ? at - buffer->data : at - end;
      return false;
    }
  return true;
}

void
debye_runner_buffer_protect(DebyeRunnerBuffer *buffer)
{
  mprotect(buffer->pages, buffer->n_paged, PROT_READ);
}

void
debye_runner_buffer_unprotect(DebyeRunnerBuffer *buffer)
{
  mprotect(buffer->pages, buffer->n_paged, PROT_READ | PROT_WRITE);
}

/* FNV-1a. */
uint64_t
debye_runner_buffer_sum(const DebyeRunnerBuffer *buffer)
{
  uint64_t sum = 14695981039346656037ull;
  for (size_t i = 0; i < buffer->n_bytes; i++)
    sum = (sum ^ buffer->data[i]) * 1099511628211ull;
  return sum;
}

bool
debye_runner_buffer_has(const DebyeRunnerBuffer *buffer, const void *address, int64_t *where)
{
  const unsigned char *at = address;
  if (buffer->pages == NULL || at < buffer->pages - get_guard() ||
      at >= buffer->pages + buffer->n_paged + get_guard())
    return false;
  const int64_t behind = at - (buffer->data + buffer->n_bytes);
  *where = behind >= 0 ? behind : at < buffer->data ? at - buffer->data : 0;
  return true;
}

bool
debye_runner_buffer_is_inside(const DebyeRunnerBuffer *buffer, const void *address)
{
  const unsigned char *at = address;
  return at >= buffer->data && at < buffer->data + buffer->n_bytes;
}
