/* SPDX-License-Identifier: MIT */
/* Implementation of plan.h; called by the tables of all kernels. */
#include "plan.h"

#include <stdlib.h>

uint64_t
debye_plan_bytes(const DebyePlanKind *kind, int device, const void *settings)
{
  DebyePlanMemory memory = {0};
  uint64_t bytes = UINT64_MAX;
  void *plan = calloc(1, kind->size);
  if (plan != NULL && kind->set_up(plan, device, settings, NULL) == DEBYE_STATUS_OK) {
    kind->list_memory(plan, &memory);
    bytes = debye_plan_memory_get_bytes(&memory);
  }
  free(plan);
  return bytes;
}

void
debye_plan_destroy(const DebyePlanKind *kind, void *plan)
{
  DebyePlanMemory memory = {0};
  if (plan == NULL)
    return;
  if (kind->clear != NULL)
    kind->clear(plan);
  kind->list_memory(plan, &memory);
  debye_plan_memory_give_back(&memory, kind->source);
  free(plan);
}

static DebyeStatusCode
take_memory(const DebyePlanKind *kind, int device, void *plan, DebyeStatus *status)
{
  DebyePlanMemory memory = {0};
  DebyeStatusCode code = DEBYE_STATUS_OK;
  kind->list_memory(plan, &memory);
  if (kind->source->choose_device != NULL)
    code = kind->source->choose_device(device, status);
  if (code != DEBYE_STATUS_OK || debye_plan_memory_take(&memory, kind->source))
    return code;
  if (kind->no_memory != NULL)
    return kind->no_memory(plan, status);
  if (kind->source->no_memory != NULL)
    return kind->source->no_memory(status);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for a plan.");
}

DebyeStatusCode
debye_plan_create(const DebyePlanKind *kind, int device, const void *settings, void **plan,
                  DebyeStatus *status)
{
  *plan = NULL;
  void *made = calloc(1, kind->size);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "The host has no memory for a plan.");
  DebyeStatusCode code = kind->set_up(made, device, settings, status);
  if (code != DEBYE_STATUS_OK) {
    free(made);
    return code;
  }
  code = take_memory(kind, device, made, status);
  if (code == DEBYE_STATUS_OK && kind->prepare != NULL)
    code = kind->prepare(made, status);
  if (code != DEBYE_STATUS_OK) {
    debye_plan_destroy(kind, made);
    return code;
  }
  *plan = made;
  return debye_status_ok(status);
}
