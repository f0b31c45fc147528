/* SPDX-License-Identifier: MIT */
/* Pair histograms that fail on command. */
#include "fake_pairs.h"

#include <stdlib.h>
#include <time.h>

#include "fake_backend.h"
#include "kernels/cpu/backend_cpu.h"

typedef struct {
  DebyeFakeDevice *device;
  DebyePairPlan *cpu; /* the CPU's plan, which does the work */
  size_t n_values;
  unsigned n_executed;
} FakePlan;

static const DebyePairHistogramKernel *
processor(void)
{
  return debye_backend_cpu.pair_histogram;
}

static uint64_t
bytes_needed(int device, const DebyePairSettings *settings)
{
  uint64_t bytes = debye_fake_device(device)->bytes;
  return bytes > 0 ? bytes : processor()->bytes_needed(0, settings);
}

static DebyeStatusCode
create(int device, const DebyePairSettings *settings, DebyePairPlan **plan, DebyeStatus *status)
{
  DebyeFakeDevice *fake = debye_fake_device(device);
  if (fake->create_code != DEBYE_STATUS_OK)
    return debye_status_set(status, fake->create_code, "Fake device %d fails to start.", device);
  FakePlan *made = calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "No memory.");
  DebyeStatusCode code = processor()->create(0, settings, &made->cpu, status);
  if (code != DEBYE_STATUS_OK) {
    free(made);
    return code;
  }
  made->device = fake;
  made->n_values = settings->n_pairs * settings->n_bins;
  atomic_fetch_add(&fake->n_plans, 1);
  *plan = (DebyePairPlan *)made;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
set_frame(DebyePairPlan *handle, const DebyePairFrame *frame, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  return processor()->set_frame(plan->cpu, frame, status);
}

static DebyeStatusCode
execute(DebyePairPlan *handle, size_t first, size_t count, size_t n_slices, uint64_t *counts,
        const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  if (plan->device->delay_microseconds > 0)
    nanosleep(&(struct timespec){.tv_nsec = 1000L * plan->device->delay_microseconds}, NULL);
  atomic_fetch_add(&plan->device->n_executed, 1);
  if (++plan->n_executed == plan->device->fail_at) {
    for (size_t i = 0; i < plan->n_values; i += 2)
      counts[i] += 12345;
    return debye_status_set(status, plan->device->execute_code, "Fake device fails at execution %u.",
                            plan->n_executed);
  }
  return processor()->execute(plan->cpu, first, count, n_slices, counts, cancel, status);
}

static void
destroy(DebyePairPlan *handle)
{
  FakePlan *plan = (FakePlan *)handle;
  if (plan == NULL)
    return;
  atomic_fetch_sub(&plan->device->n_plans, 1);
  processor()->destroy(plan->cpu);
  free(plan);
}

const DebyePairHistogramKernel debye_fake_pair_histogram = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_frame = set_frame,
    .execute = execute,
    .destroy = destroy,
};
