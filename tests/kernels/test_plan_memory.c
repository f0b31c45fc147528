/* SPDX-License-Identifier: MIT */
/* The list of a plan's memory: what it reports, takes and gives back is the same, and nothing is left when there is no
 * memory. */
#include "kernels/plan_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct {
  float *values;
  uint32_t *index;
  double *on_device, *more_on_device;
} Plan;

static uint64_t taken, given_back, n_blocks;
static unsigned fail_at; /* the block, from 1, that there is no memory for; 0: none */

static void *
take(DebyeMemoryKind kind, size_t bytes)
{
  (void)kind;
  if (++n_blocks == fail_at)
    return NULL;
  size_t *block = malloc(sizeof *block * 2 + bytes);
  block[0] = bytes;
  taken += bytes;
  return block + 2;
}

static void
give_back(DebyeMemoryKind kind, void *pointer)
{
  (void)kind;
  size_t *block = (size_t *)pointer - 2;
  given_back += block[0];
  free(block);
}

static const DebyeMemorySource source = {.take = take, .give_back = give_back};

static void
list_memory(Plan *plan, DebyePlanMemory *memory, uint64_t n)
{
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->values, n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->on_device, 3 * n);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, plan->index, 0);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_DEVICE, plan->more_on_device, n + 1);
}

static void
reset(unsigned fail)
{
  taken = given_back = n_blocks = 0;
  fail_at = fail;
}

static void
test_takes_what_it_reports(void)
{
  Plan plan = {0};
  DebyePlanMemory memory = {0}, again = {0};
  reset(0);
  list_memory(&plan, &memory, 1000);
  /* Each array's bytes, and what aligns the next one. */
  const uint64_t bytes = debye_plan_memory_get_bytes(&memory);
  CHECK(bytes >= 1000 * sizeof(float) + sizeof(uint32_t) + 4001 * sizeof(double));
  CHECK(bytes <= 1000 * sizeof(float) + sizeof(uint32_t) + 4001 * sizeof(double) + 4 * 256);
  CHECK(debye_plan_memory_take(&memory, &source));
  CHECK(taken == bytes);
  CHECK(plan.values != NULL && plan.index != NULL && plan.on_device != NULL && plan.more_on_device != NULL);
  /* All of it is the plan's, and no array lies in another one. */
  memset(plan.values, 1, 1000 * sizeof *plan.values);
  memset(plan.on_device, 2, 3000 * sizeof *plan.on_device);
  memset(plan.index, 3, sizeof *plan.index);
  memset(plan.more_on_device, 4, 1001 * sizeof *plan.more_on_device);
  CHECK(((unsigned char *)plan.values)[3999] == 1 && ((unsigned char *)plan.on_device)[23999] == 2);
  CHECK(((unsigned char *)plan.index)[3] == 3);
  /* Destroy lists anew. */
  list_memory(&plan, &again, 1000);
  debye_plan_memory_give_back(&again, &source);
  CHECK(given_back == taken);
  CHECK(plan.values == NULL && plan.index == NULL && plan.on_device == NULL && plan.more_on_device == NULL);
  debye_plan_memory_give_back(&again, &source);
  CHECK(given_back == taken);
}

static void
test_without_memory(void)
{
  for (unsigned fail = 1; fail <= 4; fail++) {
    Plan plan = {0};
    DebyePlanMemory memory = {0};
    reset(fail);
    list_memory(&plan, &memory, 1000);
    const bool all = debye_plan_memory_take(&memory, &source);
    /* Of separate arrays all four fail in turn, of blocks the two kinds. */
    CHECK(all == (n_blocks < fail));
    if (all)
      debye_plan_memory_give_back(&memory, &source);
    CHECK(given_back == taken);
    CHECK(plan.values == NULL && plan.on_device == NULL);
  }
}

/* A room is listed with what is usual, grows alone, and is given back as large as it is then. */
static void
test_rooms(void)
{
  Plan plan = {0};
  DebyeRoom room = {0}, later = {0};
  DebyePlanMemory memory = {0};
  reset(0);
  debye_plan_memory_add_room(&memory, DEBYE_MEMORY_HOST, &room, 1000, sizeof(double));
  list_memory(&plan, &memory, 10);
  debye_plan_memory_add_room(&memory, DEBYE_MEMORY_HOST, &later, 0, sizeof(double));
  CHECK(debye_plan_memory_take(&memory, &source));
  CHECK(taken == debye_plan_memory_get_bytes(&memory));
  CHECK(room.memory != NULL && room.bytes >= 8000 && later.memory == NULL && later.bytes == 0);
  const void *values = plan.values, *first = room.memory;
  CHECK(debye_room_reserve(&room, DEBYE_MEMORY_HOST, 1000, sizeof(double), &source));
  CHECK(room.memory == first);
  CHECK(debye_room_reserve(&room, DEBYE_MEMORY_HOST, 5000, sizeof(double), &source));
  CHECK(debye_room_reserve(&later, DEBYE_MEMORY_HOST, 0, sizeof(double), &source));
  CHECK(room.bytes >= 50000 && later.memory != NULL && plan.values == values);
  memset(room.memory, 1, room.bytes);
  debye_plan_memory_give_back(&memory, &source);
  CHECK(given_back == taken && room.memory == NULL && room.bytes == 0 && later.memory == NULL);
  CHECK(!debye_room_reserve(&room, DEBYE_MEMORY_HOST, UINT64_MAX / 2, sizeof(double), &source));
  CHECK(room.memory == NULL && room.bytes == 0);
}

/* Whichever of the blocks there is no memory for. */
static void
test_rooms_without_memory(void)
{
  for (unsigned fail = 1; fail <= 6; fail++) {
    Plan plan = {0};
    DebyeRoom room = {0};
    DebyePlanMemory memory = {0};
    reset(fail);
    debye_plan_memory_add_room(&memory, DEBYE_MEMORY_HOST, &room, 1000, sizeof(double));
    list_memory(&plan, &memory, 10);
    const bool all = debye_plan_memory_take(&memory, &source);
    CHECK(all == (n_blocks < fail));
    if (all)
      debye_plan_memory_give_back(&memory, &source);
    CHECK(given_back == taken && plan.values == NULL && room.memory == NULL && room.bytes == 0);
  }
}

static void
test_too_large(void)
{
  const uint64_t counts[] = {UINT64_MAX, UINT64_MAX / sizeof(double), UINT64_MAX / 31, SIZE_MAX / 2};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    Plan plan = {0};
    DebyePlanMemory memory = {0};
    reset(0);
    DEBYE_PLAN_ARRAY(&memory, DEBYE_MEMORY_DEVICE, plan.on_device, counts[i]);
    DEBYE_PLAN_ARRAY(&memory, DEBYE_MEMORY_DEVICE, plan.more_on_device, counts[i]);
    CHECK(debye_plan_memory_get_bytes(&memory) == UINT64_MAX);
    CHECK(!debye_plan_memory_take(&memory, &source));
    CHECK(taken == 0 && plan.on_device == NULL);
  }
  DebyePlanMemory memory = {0};
  debye_plan_memory_add_bytes(&memory, 5);
  CHECK(debye_plan_memory_get_bytes(&memory) == 5);
  debye_plan_memory_add_bytes(&memory, UINT64_MAX - 2);
  CHECK(debye_plan_memory_get_bytes(&memory) == UINT64_MAX);
}

static void
test_host(void)
{
  float *values = NULL;
  DebyePlanMemory memory = {0};
  DEBYE_PLAN_ARRAY(&memory, DEBYE_MEMORY_HOST, values, 1000);
  CHECK(debye_plan_memory_take(&memory, &debye_host_memory_source));
  for (size_t i = 0; i < 1000; i++)
    CHECK(values[i] == 0.0f);
  debye_plan_memory_give_back(&memory, &debye_host_memory_source);
  CHECK(values == NULL);
}

int
main(void)
{
  test_takes_what_it_reports();
  test_without_memory();
  test_rooms();
  test_rooms_without_memory();
  test_too_large();
  test_host();
  return debye_check_finish();
}
