/* SPDX-License-Identifier: MIT */
/* What the plans of all kernels have in common: how they are asked for their memory, made and destroyed. A
 * kernel describes its plans once, and gets from that the first entries of its table:
 *
 *   DEBYE_PLAN(Plan, debye_host_memory_source, .no_memory = no_memory, .prepare = prepare, .clear = clear)
 *
 *   const DebyeThingKernel debye_cpu_thing = {.head = {bytes_needed, create, destroy}, … */
#pragma once

#include "kernel_head.h"
#include "plan_memory.h"
#include "status.h"

DEBYE_BEGIN_DECLS

typedef struct {
  size_t size; /* of the plan's struct, which is all zero to begin with */
  const DebyeMemorySource *source;
  /* Looks whether the settings make sense on the device, and says why where they don't; sets what follows from
   * them. It takes nothing. */
  DebyeStatusCode (*set_up)(void *plan, int device, const void *settings, DebyeStatus *status);
  /* plan_memory.h; of a plan that was set up. */
  void (*list_memory)(void *plan, DebyePlanMemory *memory);
  /* Says that there is no memory for it, and returns NO_MEMORY. NULL: the source's word. */
  DebyeStatusCode (*no_memory)(const void *plan, DebyeStatus *status);
  /* All else, with the list's memory. NULL: nothing. */
  DebyeStatusCode (*prepare)(void *plan, DebyeStatus *status);
  /* Ends what prepare began, if it did, and has the list's memory yet, if there was any. NULL: nothing. */
  void (*clear)(void *plan);
} DebyePlanKind;

/* UINT64_MAX where there can't be such a plan. */
uint64_t debye_plan_bytes(const DebyePlanKind *kind, int device, const void *settings);
DebyeStatusCode debye_plan_create(const DebyePlanKind *kind, int device, const void *settings, void **plan,
                                  DebyeStatus *status);
/* Nothing happens to NULL. */
void debye_plan_destroy(const DebyePlanKind *kind, void *plan);

/* By the functions set_up and list_memory of the file, and those of the others that it has. */
#define DEBYE_PLAN_KIND(Plan, memory_source, ...)                                                   \
  {                                                                                                 \
    .size = sizeof(Plan), .source = &(memory_source), .set_up = set_up, .list_memory = list_memory, \
    __VA_ARGS__                                                                                     \
  }

/* The functions bytes_needed, create and destroy of a kernel's table. */
#define DEBYE_PLAN_HEAD(kind)                                                                 \
  static uint64_t bytes_needed(int device, const void *settings)                              \
  {                                                                                           \
    return debye_plan_bytes(&(kind), device, settings);                                       \
  }                                                                                           \
  static DebyeStatusCode create(int device, const void *settings, DebyeKernelPlan **plan,     \
                                DebyeStatus *status)                                          \
  {                                                                                           \
    void *made = NULL;                                                                        \
    const DebyeStatusCode code = debye_plan_create(&(kind), device, settings, &made, status); \
    *plan = (DebyeKernelPlan *)made;                                                          \
    return code;                                                                              \
  }                                                                                           \
  static void destroy(DebyeKernelPlan *plan)                                                  \
  {                                                                                           \
    debye_plan_destroy(&(kind), plan);                                                        \
  }

/* Both, of plans that only the kernel itself makes. */
#define DEBYE_PLAN(Plan, memory_source, ...)                                           \
  static const DebyePlanKind kind = DEBYE_PLAN_KIND(Plan, memory_source, __VA_ARGS__); \
  DEBYE_PLAN_HEAD(kind)

DEBYE_END_DECLS
