/* SPDX-License-Identifier: MIT */
/* Correlations, self scattering and displacements that fail on command. */
#include "fake_self.h"

#include <stdlib.h>
#include <time.h>

#include "fake_backend.h"
#include "kernels/cpu/backend_cpu.h"

/* `cpu` is the CPU's plan, which does the work. */
typedef struct {
  DebyeFakeDevice *device;
  void *cpu;
  size_t n_values; /* that a failing execute spoils */
  unsigned n_executed;
} FakePlan;

static DebyeStatusCode
begin(int device, size_t n_values, FakePlan **plan, DebyeStatus *status)
{
  DebyeFakeDevice *fake = debye_fake_device(device);
  if (fake->create_code != DEBYE_STATUS_OK)
    return debye_status_set(status, fake->create_code, "Fake device %d fails to start.", device);
  *plan = calloc(1, sizeof **plan);
  if (*plan == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "No memory.");
  **plan = (FakePlan){.device = fake, .n_values = n_values};
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
keep(FakePlan *plan, DebyeStatusCode code, void **handle)
{
  if (code != DEBYE_STATUS_OK) {
    free(plan);
    return code;
  }
  atomic_fetch_add(&plan->device->n_plans, 1);
  *handle = plan;
  return DEBYE_STATUS_OK;
}

static uint64_t
bytes_of(int device, uint64_t bytes)
{
  const uint64_t said = debye_fake_device(device)->bytes;
  return said > 0 ? said : bytes;
}

/* Whether this execute is the one that fails; it then leaves nonsense. */
static bool
fails(FakePlan *plan, double *out, DebyeStatus *status)
{
  if (plan->device->delay_microseconds > 0)
    nanosleep(&(struct timespec){.tv_nsec = 1000L * plan->device->delay_microseconds}, NULL);
  atomic_fetch_add(&plan->device->n_executed, 1);
  if (++plan->n_executed != plan->device->fail_at)
    return false;
  for (size_t i = 0; i < plan->n_values; i += 2)
    out[i] += 12345.0;
  debye_status_set(status, plan->device->execute_code, "Fake device fails at execution %u.",
                   plan->n_executed);
  return true;
}

static void
end(FakePlan *plan)
{
  atomic_fetch_sub(&plan->device->n_plans, 1);
  free(plan);
}

/* Correlations. */

static uint64_t
correlation_bytes(int device, const DebyeCorrelationSettings *settings)
{
  return bytes_of(device, debye_backend_cpu.correlation->bytes_needed(0, settings));
}

static DebyeStatusCode
correlation_create(int device, const DebyeCorrelationSettings *settings, DebyeCorrelationPlan **handle,
                   DebyeStatus *status)
{
  FakePlan *plan;
  DebyeStatusCode code = begin(device, 2 * settings->n_frames, &plan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_backend_cpu.correlation->create(0, settings, (DebyeCorrelationPlan **)&plan->cpu, status);
  return keep(plan, code, (void **)handle);
}

static DebyeStatusCode
correlation_execute(DebyeCorrelationPlan *handle, const double *a, const double *b, size_t n_series,
                    double *out, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  if (fails(plan, out, status))
    return plan->device->execute_code;
  return debye_backend_cpu.correlation->execute(plan->cpu, a, b, n_series, out, cancel, status);
}

static void
correlation_destroy(DebyeCorrelationPlan *handle)
{
  if (handle == NULL)
    return;
  debye_backend_cpu.correlation->destroy(((FakePlan *)handle)->cpu);
  end((FakePlan *)handle);
}

const DebyeCorrelationKernel debye_fake_correlation = {
    .bytes_needed = correlation_bytes,
    .create = correlation_create,
    .execute = correlation_execute,
    .destroy = correlation_destroy,
};

/* Self scattering. */

static uint64_t
self_bytes(int device, const DebyeSelfSettings *settings)
{
  return bytes_of(device, debye_backend_cpu.self->bytes_needed(0, settings));
}

static DebyeStatusCode
self_create(int device, const DebyeSelfSettings *settings, DebyeSelfPlan **handle, DebyeStatus *status)
{
  FakePlan *plan;
  DebyeStatusCode code = begin(device, 2 * settings->n_frames * settings->n_groups, &plan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_backend_cpu.self->create(0, settings, (DebyeSelfPlan **)&plan->cpu, status);
  return keep(plan, code, (void **)handle);
}

static DebyeStatusCode
self_set_block(DebyeSelfPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  return debye_backend_cpu.self->set_block(((FakePlan *)handle)->cpu, block, status);
}

static DebyeStatusCode
self_execute(DebyeSelfPlan *handle, size_t first, size_t count, double *f, double *fq2,
             const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  if (fails(plan, f, status))
    return plan->device->execute_code;
  return debye_backend_cpu.self->execute(plan->cpu, first, count, f, fq2, cancel, status);
}

static void
self_destroy(DebyeSelfPlan *handle)
{
  if (handle == NULL)
    return;
  debye_backend_cpu.self->destroy(((FakePlan *)handle)->cpu);
  end((FakePlan *)handle);
}

const DebyeSelfKernel debye_fake_self = {
    .bytes_needed = self_bytes,
    .create = self_create,
    .set_block = self_set_block,
    .execute = self_execute,
    .destroy = self_destroy,
};

/* Displacements. */

static uint64_t
displacement_bytes(int device, const DebyeDisplacementSettings *settings)
{
  return bytes_of(device, debye_backend_cpu.displacement->bytes_needed(0, settings));
}

static DebyeStatusCode
displacement_create(int device, const DebyeDisplacementSettings *settings, DebyeDisplacementPlan **handle,
                    DebyeStatus *status)
{
  FakePlan *plan;
  /* Lags that aren't asked for belong to others: only what stands first may be spoiled. */
  DebyeStatusCode code = begin(device, 1, &plan, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_backend_cpu.displacement->create(0, settings, (DebyeDisplacementPlan **)&plan->cpu, status);
  return keep(plan, code, (void **)handle);
}

static DebyeStatusCode
displacement_set_block(DebyeDisplacementPlan *handle, const DebyeSelfBlock *block, DebyeStatus *status)
{
  return debye_backend_cpu.displacement->set_block(((FakePlan *)handle)->cpu, block, status);
}

static DebyeStatusCode
displacement_execute(DebyeDisplacementPlan *handle, size_t first, size_t count, DebyeDisplacementSums *sums,
                     const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  if (fails(plan, sums->square + first, status)) {
    sums->beyond[first] += 12345;
    return plan->device->execute_code;
  }
  return debye_backend_cpu.displacement->execute(plan->cpu, first, count, sums, cancel, status);
}

static void
displacement_destroy(DebyeDisplacementPlan *handle)
{
  if (handle == NULL)
    return;
  debye_backend_cpu.displacement->destroy(((FakePlan *)handle)->cpu);
  end((FakePlan *)handle);
}

const DebyeDisplacementKernel debye_fake_displacement = {
    .bytes_needed = displacement_bytes,
    .create = displacement_create,
    .set_block = displacement_set_block,
    .execute = displacement_execute,
    .destroy = displacement_destroy,
};
