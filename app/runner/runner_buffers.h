/* SPDX-License-Identifier: MIT */
/* Arrays of debye-kernel-runner between pages that nobody can touch. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name;
  unsigned char *pages; /* behind the first guard page */
  size_t n_bytes, n_paged;
  unsigned char *data; /* at the end of the pages, or at their begin */
  uint64_t checksum;   /* of an input */
} DebyeRunnerBuffer;

/* FALSE: no memory. */
bool debye_runner_buffer_init(DebyeRunnerBuffer *buffer, const char *name, size_t n_bytes);
/* Before it is first placed: fewer bytes than it was made with, and protected pages sooner. */
void debye_runner_buffer_shrink(DebyeRunnerBuffer *buffer, size_t n_bytes);
/* Flush with the guard page behind it, or with the one before it; what is left of its pages gets a pattern. */
void debye_runner_buffer_place(DebyeRunnerBuffer *buffer, bool at_end);
/* Whether the pattern is whole; else *where are the bytes beyond (negative: before) the array. */
bool debye_runner_buffer_is_whole(const DebyeRunnerBuffer *buffer, int64_t *where);
void debye_runner_buffer_protect(DebyeRunnerBuffer *buffer);
void debye_runner_buffer_unprotect(DebyeRunnerBuffer *buffer);
uint64_t debye_runner_buffer_sum(const DebyeRunnerBuffer *buffer);
/* Whether the address is of the buffer or its guard pages. */
bool debye_runner_buffer_has(const DebyeRunnerBuffer *buffer, const void *address, int64_t *where);
/* Whether it is of one of its elements. */
bool debye_runner_buffer_is_inside(const DebyeRunnerBuffer *buffer, const void *address);
