/* SPDX-License-Identifier: MIT */
/* The back end that fails on command. */
#include "fake_backend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"

typedef struct {
  DebyeFakeDevice *device;
  DebyePotentialPlan *cpu; /* the CPU's plan, which does the work */
  size_t plane_points;
  unsigned n_executed;
} FakePlan;

static DebyeFakeDevice devices[DEBYE_FAKE_MAX_DEVICES];
static int n_devices = 1;

void
debye_fake_reset(int n)
{
  n_devices = n;
  for (int i = 0; i < DEBYE_FAKE_MAX_DEVICES; i++) {
    devices[i].score = 1e9;
    devices[i].bytes = 0;
    devices[i].create_code = DEBYE_STATUS_OK;
    devices[i].fail_at = 0;
    devices[i].execute_code = DEBYE_STATUS_DEVICE_FAILED;
    devices[i].delay_microseconds = 0;
    atomic_store(&devices[i].n_plans, 0);
    atomic_store(&devices[i].n_executed, 0);
  }
}

DebyeFakeDevice *
debye_fake_device(int device)
{
  return &devices[device];
}

static uint64_t
bytes_needed(int device, const DebyePotentialSettings *settings)
{
  return devices[device].bytes > 0
             ? devices[device].bytes
             : debye_backend_cpu.potential[DEBYE_POTENTIAL_DIRECT]->bytes_needed(0, settings);
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  if (devices[device].create_code != DEBYE_STATUS_OK)
    return debye_status_set(status, devices[device].create_code, "Fake device %d fails to start.", device);
  FakePlan *made = calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "No memory.");
  DebyeStatusCode code =
      debye_backend_cpu.potential[DEBYE_POTENTIAL_DIRECT]->create(0, settings, &made->cpu, status);
  if (code != DEBYE_STATUS_OK) {
    free(made);
    return code;
  }
  made->device = &devices[device];
  made->plane_points = settings->grid.shape[0] * settings->grid.shape[1];
  atomic_fetch_add(&devices[device].n_plans, 1);
  *plan = (DebyePotentialPlan *)made;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
set_charges(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
            DebyeStatus *status)
{
  const FakePlan *plan = (const FakePlan *)handle;
  return debye_backend_cpu.potential[DEBYE_POTENTIAL_DIRECT]->set_charges(plan->cpu, charges, cell, status);
}

static void
spoil(const FakePlan *plan, DebyeSlab slab, float *out, double *out_double)
{
  size_t n = slab.count * plan->plane_points;
  for (size_t i = 0; i < (n + 1) / 2; i++) {
    if (out_double != NULL)
      out_double[i] = i % 2 == 0 ? NAN : 1e300;
    else
      out[i] = i % 2 == 0 ? NAN : 1e30f;
  }
}

static DebyeStatusCode
execute(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
        const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  const DebyeFakeDevice *device = plan->device;
  if (device->delay_microseconds > 0)
    nanosleep(&(struct timespec){.tv_nsec = 1000L * device->delay_microseconds}, NULL);
  atomic_fetch_add(&plan->device->n_executed, 1);
  if (++plan->n_executed == device->fail_at) {
    spoil(plan, slab, out, out_double);
    return debye_status_set(status, device->execute_code, "Fake device fails at execution %u.",
                            plan->n_executed);
  }
  return debye_backend_cpu.potential[DEBYE_POTENTIAL_DIRECT]->execute(plan->cpu, slab, out, out_double,
                                                                      meanwhile, cancel, status);
}

static void
destroy(DebyePotentialPlan *handle)
{
  FakePlan *plan = (FakePlan *)handle;
  if (plan == NULL)
    return;
  atomic_fetch_sub(&plan->device->n_plans, 1);
  debye_backend_cpu.potential[DEBYE_POTENTIAL_DIRECT]->destroy(plan->cpu);
  free(plan);
}

static const DebyePotentialKernel direct = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};

static int
device_count(DebyeStatus *status)
{
  debye_status_ok(status);
  return n_devices;
}

static DebyeStatusCode
device_info(int device, DebyeDeviceInfo *info, DebyeStatus *status)
{
  *info = (DebyeDeviceInfo){.memory_total = 1u << 30, .memory_free = 1u << 30, .units = 1};
  snprintf(info->name, sizeof info->name, "Fake device %d", device);
  snprintf(info->id, sizeof info->id, "fake:%d", device);
  info->score = devices[device].score;
  return debye_status_ok(status);
}

const DebyeBackend debye_fake_backend = {
    .abi = DEBYE_BACKEND_ABI,
    .name = "fake",
    .title = "Fake",
    .device_count = device_count,
    .device_info = device_info,
    .potential = {[DEBYE_POTENTIAL_DIRECT] = &direct},
};
