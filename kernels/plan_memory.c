/* SPDX-License-Identifier: MIT */
/* Implementation of plan_memory.h; called by the plans of all kernels. */
#include "plan_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Of an array in its block: what cudaMalloc promises. */
#define ALIGNMENT ((uint64_t)256)

void
debye_plan_memory_add(DebyePlanMemory *memory, DebyeMemoryKind kind, void *array, uint64_t count, size_t size)
{
  uint64_t bytes = 0;
  assert(memory->n < DEBYE_PLAN_MAX_ARRAYS);
  if (__builtin_mul_overflow(count > 0 ? count : 1, (uint64_t)size, &bytes) ||
      __builtin_add_overflow(bytes, ALIGNMENT - 1, &bytes) || bytes > SIZE_MAX / 2) {
    memory->is_too_large = true;
    bytes = 0;
  }
  memory->arrays[memory->n++] = (DebyePlanArray){array, bytes / ALIGNMENT * ALIGNMENT, kind};
}

void
debye_plan_memory_add_library(DebyePlanMemory *memory, uint64_t bytes)
{
  memory->is_too_large |= __builtin_add_overflow(memory->library_bytes, bytes, &memory->library_bytes);
}

/* The plan's member is a pointer of another type. */
static void
set_array(const DebyePlanArray *array, void *block)
{
  memcpy(array->array, &block, sizeof block);
}

static void *
get_array(const DebyePlanArray *array)
{
  void *block;
  memcpy(&block, array->array, sizeof block);
  return block;
}

static bool
sum_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, uint64_t *bytes)
{
  bool is_too_large = memory->is_too_large;
  *bytes = 0;
  for (unsigned i = 0; i < memory->n; i++)
    if (memory->arrays[i].kind == kind)
      is_too_large |= __builtin_add_overflow(*bytes, memory->arrays[i].bytes, bytes);
  return !is_too_large && *bytes <= SIZE_MAX / 2;
}

uint64_t
debye_plan_memory_get_bytes(const DebyePlanMemory *memory)
{
  uint64_t sum = memory->library_bytes, bytes;
  for (int kind = 0; kind < DEBYE_MEMORY_N_KINDS; kind++)
    if (!sum_kind(memory, (DebyeMemoryKind)kind, &bytes) || __builtin_add_overflow(sum, bytes, &sum))
      return UINT64_MAX;
  return sum;
}

/* --- One block for each array --- */

#ifdef DEBYE_SEPARATE_ARRAYS

static bool
take_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, const DebyeMemorySource *source)
{
  bool all = true;
  for (unsigned i = 0; i < memory->n; i++) {
    const DebyePlanArray *array = &memory->arrays[i];
    if (array->kind != kind)
      continue;
    set_array(array, source->take(kind, (size_t)array->bytes));
    all = all && get_array(array) != NULL;
  }
  return all;
}

static void
give_back_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, const DebyeMemorySource *source)
{
  for (unsigned i = 0; i < memory->n; i++)
    if (memory->arrays[i].kind == kind && get_array(&memory->arrays[i]) != NULL)
      source->give_back(kind, get_array(&memory->arrays[i]));
}

#else

/* --- One block, which begins with the first array --- */

static bool
take_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, const DebyeMemorySource *source)
{
  uint64_t bytes, at = 0;
  if (!sum_kind(memory, kind, &bytes))
    return false;
  if (bytes == 0)
    return true;
  char *block = source->take(kind, (size_t)bytes);
  for (unsigned i = 0; i < memory->n && block != NULL; i++) {
    if (memory->arrays[i].kind != kind)
      continue;
    set_array(&memory->arrays[i], block + at);
    at += memory->arrays[i].bytes;
  }
  return block != NULL;
}

static void
give_back_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, const DebyeMemorySource *source)
{
  for (unsigned i = 0; i < memory->n; i++)
    if (memory->arrays[i].kind == kind) {
      if (get_array(&memory->arrays[i]) != NULL)
        source->give_back(kind, get_array(&memory->arrays[i]));
      return;
    }
}

#endif

/* --- All kinds --- */

bool
debye_plan_memory_take(const DebyePlanMemory *memory, const DebyeMemorySource *source)
{
  bool all = debye_plan_memory_get_bytes(memory) < UINT64_MAX;
  for (unsigned i = 0; i < memory->n; i++)
    set_array(&memory->arrays[i], NULL);
  for (int kind = 0; kind < DEBYE_MEMORY_N_KINDS && all; kind++)
    all = take_kind(memory, (DebyeMemoryKind)kind, source);
  if (!all)
    debye_plan_memory_give_back(memory, source);
  return all;
}

void
debye_plan_memory_give_back(const DebyePlanMemory *memory, const DebyeMemorySource *source)
{
  for (int kind = 0; kind < DEBYE_MEMORY_N_KINDS; kind++)
    give_back_kind(memory, (DebyeMemoryKind)kind, source);
  for (unsigned i = 0; i < memory->n; i++)
    set_array(&memory->arrays[i], NULL);
}

/* --- The host's --- */

static void *
take_host(DebyeMemoryKind kind, size_t bytes)
{
  (void)kind;
  return calloc(1, bytes);
}

static void
give_back_host(DebyeMemoryKind kind, void *block)
{
  (void)kind;
  free(block);
}

const DebyeMemorySource debye_host_memory_source = {.take = take_host, .give_back = give_back_host};
