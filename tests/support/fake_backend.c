/* SPDX-License-Identifier: MIT */
/* The back end that fails on command. */
#include "fake_backend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fake_pairs.h"
#include "fake_self.h"
#include "fake_scattering.h"
#include "kernels/cpu/backend_cpu.h"

/* Of the cutoff method's atoms this device has no room for one in so many. */
#define OVERFLOW_STRIDE 3

typedef struct {
  DebyeFakeDevice *device;
  const DebyePotentialKernel *kernel; /* the CPU's, which does the work */
  DebyePotentialPlan *cpu;
  size_t plane_points;
  unsigned n_executed;
  /* The atoms kept and those left over: x, y, z, charge. */
  float *kept[4], *left[4];
  size_t n_kept, n_left;
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
  return devices[device].bytes > 0 ? devices[device].bytes
                                   : debye_backend_cpu.potential[settings->method]->bytes_needed(0, settings);
}

static DebyeStatusCode
create(int device, const DebyePotentialSettings *settings, DebyePotentialPlan **plan, DebyeStatus *status)
{
  if (devices[device].create_code != DEBYE_STATUS_OK)
    return debye_status_set(status, devices[device].create_code, "Fake device %d fails to start.", device);
  FakePlan *made = calloc(1, sizeof *made);
  if (made == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "No memory.");
  made->kernel = debye_backend_cpu.potential[settings->method];
  DebyeStatusCode code = made->kernel->create(0, settings, &made->cpu, status);
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
  return plan->kernel->set_charges(plan->cpu, charges, cell, status);
}

static void
free_arrays(float *arrays[4])
{
  for (int i = 0; i < 4; i++) {
    free(arrays[i]);
    arrays[i] = NULL;
  }
}

static DebyeStatusCode
set_charges_with_overflow(DebyePotentialPlan *handle, const DebyeCharges *charges, const DebyeCell *cell,
                          DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  const float *const from[4] = {charges->x, charges->y, charges->z, charges->charge};
  free_arrays(plan->kept);
  free_arrays(plan->left);
  for (int i = 0; i < 4; i++) {
    plan->kept[i] = calloc(charges->n + 1, sizeof(float));
    plan->left[i] = calloc(charges->n + 1, sizeof(float));
    plan->n_kept = plan->n_left = 0;
    for (size_t atom = 0; atom < charges->n; atom++)
      if (atom % OVERFLOW_STRIDE == 0)
        plan->left[i][plan->n_left++] = from[i][atom];
      else
        plan->kept[i][plan->n_kept++] = from[i][atom];
  }
  /* All of them where they may be too many or wrong: the check is the CPU's. */
  DebyeStatusCode code = plan->kernel->set_charges(plan->cpu, charges, cell, status);
  const DebyeCharges kept = {plan->kept[0], plan->kept[1], plan->kept[2], plan->kept[3], plan->n_kept};
  return code == DEBYE_STATUS_OK ? plan->kernel->set_charges(plan->cpu, &kept, cell, status) : code;
}

static void
get_overflow(const DebyePotentialPlan *handle, DebyeCharges *overflow)
{
  const FakePlan *plan = (const FakePlan *)handle;
  *overflow = (DebyeCharges){plan->left[0], plan->left[1], plan->left[2], plan->left[3], plan->n_left};
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
  return plan->kernel->execute(plan->cpu, slab, out, out_double, meanwhile, cancel, status);
}

/* One plane after the other: ours, and the host's to it. */
static DebyeStatusCode
execute_with_overflow(DebyePotentialPlan *handle, DebyeSlab slab, float *out, double *out_double,
                      const DebyeMeanwhile *meanwhile, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  const size_t n = plan->plane_points;
  if (meanwhile == NULL || slab.count == 0)
    return execute(handle, slab, out, out_double, NULL, cancel, status);
  float *ours = calloc(n, sizeof *ours);
  double *ours_double = calloc(n, sizeof *ours_double);
  DebyeStatusCode code = DEBYE_STATUS_OK;
  for (size_t plane = 0; plane < slab.count && code == DEBYE_STATUS_OK; plane++) {
    const DebyeSlab part = {slab.first + plane, 1};
    code = execute(handle, part, ours, out_double != NULL ? ours_double : NULL, NULL, cancel, status);
    if (code == DEBYE_STATUS_OK)
      meanwhile->work(meanwhile->context, part, out_double != NULL ? (void *)ours_double : (void *)ours);
  }
  free(ours);
  free(ours_double);
  return code;
}

static void
destroy(DebyePotentialPlan *handle)
{
  FakePlan *plan = (FakePlan *)handle;
  if (plan == NULL)
    return;
  atomic_fetch_sub(&plan->device->n_plans, 1);
  plan->kernel->destroy(plan->cpu);
  free_arrays(plan->kept);
  free_arrays(plan->left);
  free(plan);
}

/* What never leaves atoms over. */
static const DebyePotentialKernel plain = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges,
    .execute = execute,
    .destroy = destroy,
};

static const DebyePotentialKernel cutoff = {
    .bytes_needed = bytes_needed,
    .create = create,
    .set_charges = set_charges_with_overflow,
    .get_overflow = get_overflow,
    .execute = execute_with_overflow,
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

static const DebyePotentialKernel *const potential_kernels[DEBYE_POTENTIAL_N_METHODS] = {
    [DEBYE_POTENTIAL_DIRECT] = &plain,
    [DEBYE_POTENTIAL_CUTOFF] = &cutoff,
    [DEBYE_POTENTIAL_MULTILEVEL] = &plain,
    [DEBYE_POTENTIAL_EWALD] = &plain,
};

const DebyeBackend debye_fake_backend = {
    .abi = DEBYE_BACKEND_ABI,
    .name = "fake",
    .title = "Fake",
    .device_count = device_count,
    .device_info = device_info,
    .potential = potential_kernels,
    .pair_histogram = &debye_fake_pair_histogram,
    .amplitude = &debye_fake_amplitude,
    .lattice = &debye_fake_lattice,
    .self = &debye_fake_self,
    .displacement = &debye_fake_displacement,
    .correlation = &debye_fake_correlation,
};
