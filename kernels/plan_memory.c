/* SPDX-License-Identifier: MIT */
/* Implementation of plan_memory.h; called by the plans of all kernels. */
#include "plan_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "host_memory.h"

/* Where each array is a block of its own, that ends where the array does; else what cudaMalloc promises. */
#ifdef DEBYE_SEPARATE_ARRAYS
#define ALIGNMENT ((uint64_t)1)
#else
#define ALIGNMENT ((uint64_t)256)
#endif

/* False beyond the address space. */
static bool
get_size(uint64_t count, size_t size, uint64_t *bytes)
{
  if (__builtin_mul_overflow(count, (uint64_t)size, bytes) ||
      __builtin_add_overflow(*bytes, ALIGNMENT - 1, bytes) || *bytes > SIZE_MAX / 2)
    return false;
  *bytes = *bytes / ALIGNMENT * ALIGNMENT;
  return true;
}

static void
add(DebyePlanMemory *memory, DebyePlanArray array, uint64_t count, size_t size)
{
  assert(memory->n < DEBYE_PLAN_MAX_ARRAYS);
  if (!get_size(count, size, &array.bytes)) {
    memory->is_too_large = true;
    array.bytes = 0;
  }
  memory->arrays[memory->n++] = array;
}

void
debye_plan_memory_add(DebyePlanMemory *memory, DebyeMemoryKind kind, void *array, uint64_t count, size_t size)
{
  add(memory, (DebyePlanArray){.array = array, .kind = kind}, count > 0 ? count : 1, size);
}

void
debye_plan_memory_add_room(DebyePlanMemory *memory, DebyeMemoryKind kind, DebyeRoom *room, uint64_t count,
                           size_t size)
{
  add(memory, (DebyePlanArray){.array = &room->memory, .room = room, .kind = kind}, count, size);
}

void
debye_plan_memory_add_bytes(DebyePlanMemory *memory, uint64_t bytes)
{
  memory->is_too_large |= __builtin_add_overflow(memory->other_bytes, bytes, &memory->other_bytes);
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
is_separate(const DebyePlanArray *array)
{
  return ALIGNMENT == 1 || array->room != NULL;
}

/* Of a kind's arrays, or of those alone that share a block. */
static bool
sum_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, bool only_shared, uint64_t *bytes)
{
  bool is_too_large = memory->is_too_large;
  *bytes = 0;
  for (unsigned i = 0; i < memory->n; i++)
    if (memory->arrays[i].kind == kind && !(only_shared && is_separate(&memory->arrays[i])))
      is_too_large |= __builtin_add_overflow(*bytes, memory->arrays[i].bytes, bytes);
  return !is_too_large && *bytes <= SIZE_MAX / 2;
}

uint64_t
debye_plan_memory_get_bytes(const DebyePlanMemory *memory)
{
  uint64_t sum = memory->other_bytes, bytes;
  for (int kind = 0; kind < DEBYE_MEMORY_N_KINDS; kind++)
    if (!sum_kind(memory, (DebyeMemoryKind)kind, false, &bytes) || __builtin_add_overflow(sum, bytes, &sum))
      return UINT64_MAX;
  return sum;
}

/* --- One kind --- */

static bool
take_block(const DebyePlanArray *array, const DebyeMemorySource *source)
{
  if (array->bytes == 0)
    return true;
  void *block = source->take(array->kind, (size_t)array->bytes);
  set_array(array, block);
  if (array->room != NULL)
    array->room->bytes = block != NULL ? array->bytes : 0;
  return block != NULL;
}

/* The shared block begins with the first of its arrays. */
static bool
take_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, const DebyeMemorySource *source)
{
  uint64_t shared = 0, at = 0;
  if (!sum_kind(memory, kind, true, &shared))
    return false;
  char *block = shared > 0 ? source->take(kind, (size_t)shared) : NULL;
  bool all = shared == 0 || block != NULL;
  for (unsigned i = 0; i < memory->n; i++) {
    const DebyePlanArray *array = &memory->arrays[i];
    if (array->kind == kind && is_separate(array)) {
      all = all && take_block(array, source);
    } else if (array->kind == kind && block != NULL) {
      set_array(array, block + at);
      at += array->bytes;
    }
  }
  return all;
}

static void
give_back_kind(const DebyePlanMemory *memory, DebyeMemoryKind kind, const DebyeMemorySource *source)
{
  bool is_block = true;
  for (unsigned i = 0; i < memory->n; i++) {
    const DebyePlanArray *array = &memory->arrays[i];
    if (array->kind != kind)
      continue;
    if (get_array(array) != NULL && (is_separate(array) || is_block))
      source->give_back(kind, get_array(array));
    is_block = is_block && is_separate(array);
    set_array(array, NULL);
    if (array->room != NULL)
      array->room->bytes = 0;
  }
}

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
}

void
debye_room_give_back(DebyeRoom *room, DebyeMemoryKind kind, const DebyeMemorySource *source)
{
  if (room->memory != NULL)
    source->give_back(kind, room->memory);
  *room = (DebyeRoom){.memory = NULL};
}

bool
debye_room_reserve(DebyeRoom *room, DebyeMemoryKind kind, uint64_t count, size_t size,
                   const DebyeMemorySource *source)
{
  uint64_t bytes = 0;
  const bool is_possible = get_size(count, size, &bytes) && bytes < SIZE_MAX / 4;
  if (is_possible && bytes <= room->bytes && room->memory != NULL)
    return true;
  debye_room_give_back(room, kind, source);
  bytes += bytes / 4 + 256;
  room->memory = is_possible ? source->take(kind, (size_t)bytes) : NULL;
  room->bytes = room->memory != NULL ? bytes : 0;
  return room->memory != NULL;
}

/* --- The host's --- */

static void *
take_host(DebyeMemoryKind kind, size_t bytes)
{
  (void)kind;
  void *block = calloc(1, bytes);
  debye_host_memory_prefer_large_pages(block, bytes);
  return block;
}

static void
give_back_host(DebyeMemoryKind kind, void *block)
{
  (void)kind;
  free(block);
}

const DebyeMemorySource debye_host_memory_source = {.take = take_host, .give_back = give_back_host};
