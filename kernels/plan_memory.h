/* SPDX-License-Identifier: MIT */
/* The memory of a plan, declared once. A kernel writes down in one function which arrays a plan has; what
 * bytes_needed reports, what create allocates and what destroy frees is that list, so that they can't differ:
 *
 *   static void
 *   list_memory(Plan *plan, DebyePlanMemory *memory)
 *   {
 *     DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->values, plan->n_values);
 *     DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->index, plan->n_atoms);
 *   }
 *
 * Sizes are those of the plan's settings; the function is called with a plan that has nothing else yet, and to
 * free, with the same settings, by destroy. A release takes one block of each kind, a build with debugging one
 * for each array, so that sanitizers see who writes beyond an array.
 *
 * What follows the frame is a room: it is listed with what a typical frame needs, and grows where one needs
 * more. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

DEBYE_BEGIN_DECLS

typedef enum {
  DEBYE_MEMORY_HOST,   /* zeroed */
  DEBYE_MEMORY_PINNED, /* of the host, for copies to and from a device */
  DEBYE_MEMORY_DEVICE,
  DEBYE_MEMORY_N_KINDS,
} DebyeMemoryKind;

/* Of the list of a plan. */
#define DEBYE_PLAN_MAX_ARRAYS 96

/* Memory that grows with the frames, always a block of its own. All zero to begin with. */
typedef struct {
  void *memory;
  uint64_t bytes;
} DebyeRoom;

typedef struct {
  void *array;     /* the address of the plan's pointer, or of the room's */
  DebyeRoom *room; /* NULL: it stays as large as it is */
  uint64_t bytes;
  DebyeMemoryKind kind;
} DebyePlanArray;

/* All zero to begin with. */
typedef struct {
  DebyePlanArray arrays[DEBYE_PLAN_MAX_ARRAYS];
  unsigned n;
  uint64_t other_bytes; /* what libraries, and plans within this one, take beside by their own word */
  bool is_too_large;    /* a size exceeds the address space */
} DebyePlanMemory;

/* `array` is the address of a pointer. An array of no elements gets room for one, so that NULL always means
 * that there is no memory. */
void debye_plan_memory_add(DebyePlanMemory *memory, DebyeMemoryKind kind, void *array, uint64_t count,
                           size_t size);
#define DEBYE_PLAN_ARRAY(memory, kind, array, count) \
  debye_plan_memory_add((memory), (kind), &(array), (count), sizeof *(array))
/* For a typical frame; of no elements it takes none until it grows. */
void debye_plan_memory_add_room(DebyePlanMemory *memory, DebyeMemoryKind kind, DebyeRoom *room,
                                uint64_t count, size_t size);
void debye_plan_memory_add_bytes(DebyePlanMemory *memory, uint64_t bytes);

/* Of all kinds and libraries; UINT64_MAX if that exceeds the address space. */
uint64_t debye_plan_memory_get_bytes(const DebyePlanMemory *memory);

/* How a back end takes and gives back memory. `take` returns NULL if there is none; both may be called for
 * the kinds that the list has. */
typedef struct {
  void *(*take)(DebyeMemoryKind kind, size_t bytes);
  void (*give_back)(DebyeMemoryKind kind, void *block);
  /* For a plan (plan.h): chooses the device that memory is taken of, and says that there is none. NULL where
   * there is nothing to choose, and where each plan says it. */
  DebyeStatusCode (*choose_device)(int device, DebyeStatus *status);
  DebyeStatusCode (*no_memory)(DebyeStatus *status);
} DebyeMemorySource;

/* The C library's, for DEBYE_MEMORY_HOST alone. */
extern const DebyeMemorySource debye_host_memory_source;

/* Sets the plan's pointers. FALSE with all of them NULL if there is no memory. */
bool debye_plan_memory_take(const DebyePlanMemory *memory, const DebyeMemorySource *source);
/* Frees what take set and what rooms have grown to, and sets the pointers to NULL; nothing happens to those
 * that are NULL. */
void debye_plan_memory_give_back(const DebyePlanMemory *memory, const DebyeMemorySource *source);

/* Makes a room of the list as large as a frame needs: where it grows a quarter more, since frames differ, and
 * what it held is lost. FALSE with nothing in it if there is no memory. */
bool debye_room_reserve(DebyeRoom *room, DebyeMemoryKind kind, uint64_t count, size_t size,
                        const DebyeMemorySource *source);
/* What it held is lost, and a later frame reserves it again. */
void debye_room_give_back(DebyeRoom *room, DebyeMemoryKind kind, const DebyeMemorySource *source);

DEBYE_END_DECLS
