/* SPDX-License-Identifier: MIT */
/* Amplitudes and reciprocal lattices that fail on command. */
#include "fake_scattering.h"

#include <stdlib.h>
#include <time.h>

#include "fake_backend.h"
#include "kernels/cpu/backend_cpu.h"

typedef struct {
  DebyeFakeDevice *device;
  /* The CPU's plan, which does the work: one of the two. */
  DebyeAmplitudePlan *amplitude;
  DebyeLatticePlan *lattice;
  size_t n_groups, n_vectors, n_chosen;
  unsigned n_executed;
} FakePlan;

static DebyeStatusCode
new_plan(int device, FakePlan **plan, DebyeStatus *status)
{
  DebyeFakeDevice *fake = debye_fake_device(device);
  if (fake->create_code != DEBYE_STATUS_OK)
    return debye_status_set(status, fake->create_code, "Fake device %d fails to start.", device);
  *plan = calloc(1, sizeof **plan);
  if (*plan == NULL)
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "No memory.");
  (*plan)->device = fake;
  return DEBYE_STATUS_OK;
}

/* Waits, counts, and spoils some values where it is time to fail. */
static DebyeStatusCode
begin(FakePlan *plan, double *values, size_t n, DebyeStatus *status)
{
  if (plan->device->delay_microseconds > 0)
    nanosleep(&(struct timespec){.tv_nsec = 1000L * plan->device->delay_microseconds}, NULL);
  atomic_fetch_add(&plan->device->n_executed, 1);
  if (++plan->n_executed != plan->device->fail_at)
    return DEBYE_STATUS_OK;
  for (size_t i = 0; i < n; i += 2)
    values[i] = 12345.0;
  return debye_status_set(status, plan->device->execute_code, "Fake device fails at execution %u.",
                          plan->n_executed);
}

/* Amplitudes. */

static uint64_t
amplitude_bytes(int device, const DebyeAmplitudeSettings *settings)
{
  const uint64_t bytes = debye_fake_device(device)->bytes;
  return bytes > 0 ? bytes : debye_backend_cpu.amplitude->bytes_needed(0, settings);
}

static DebyeStatusCode
amplitude_create(int device, const DebyeAmplitudeSettings *settings, DebyeAmplitudePlan **plan,
                 DebyeStatus *status)
{
  FakePlan *made = NULL;
  DebyeStatusCode code = new_plan(device, &made, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_backend_cpu.amplitude->create(0, settings, &made->amplitude, status);
  if (code != DEBYE_STATUS_OK) {
    free(made);
    return code;
  }
  made->n_groups = settings->groups.n_groups;
  atomic_fetch_add(&made->device->n_plans, 1);
  *plan = (DebyeAmplitudePlan *)made;
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
amplitude_set_vectors(DebyeAmplitudePlan *handle, const DebyeVec3 *q, size_t n_vectors, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  plan->n_vectors = n_vectors;
  return debye_backend_cpu.amplitude->set_vectors(plan->amplitude, q, n_vectors, status);
}

static DebyeStatusCode
amplitude_execute(DebyeAmplitudePlan *handle, const DebyeScatteringFrame *frames, size_t n_frames,
                  double *out, size_t *bad_frame, const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  const DebyeStatusCode code = begin(plan, out, 2 * n_frames * plan->n_groups * plan->n_vectors, status);
  return code != DEBYE_STATUS_OK ? code
                                 : debye_backend_cpu.amplitude->execute(plan->amplitude, frames, n_frames,
                                                                        out, bad_frame, cancel, status);
}

static void
amplitude_destroy(DebyeAmplitudePlan *handle)
{
  FakePlan *plan = (FakePlan *)handle;
  if (plan == NULL)
    return;
  atomic_fetch_sub(&plan->device->n_plans, 1);
  debye_backend_cpu.amplitude->destroy(plan->amplitude);
  free(plan);
}

const DebyeAmplitudeKernel debye_fake_amplitude = {
    .bytes_needed = amplitude_bytes,
    .create = amplitude_create,
    .set_vectors = amplitude_set_vectors,
    .execute = amplitude_execute,
    .destroy = amplitude_destroy,
};

/* Reciprocal lattices. */

static uint64_t
lattice_bytes(int device, const DebyeLatticeSettings *settings)
{
  const uint64_t bytes = debye_fake_device(device)->bytes;
  return bytes > 0 ? bytes : debye_backend_cpu.lattice->bytes_needed(0, settings);
}

static DebyeStatusCode
lattice_create(int device, const DebyeLatticeSettings *settings, DebyeLatticePlan **plan, DebyeStatus *status)
{
  FakePlan *made = NULL;
  DebyeStatusCode code = new_plan(device, &made, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  code = debye_backend_cpu.lattice->create(0, settings, &made->lattice, status);
  if (code != DEBYE_STATUS_OK) {
    free(made);
    return code;
  }
  made->n_groups = settings->groups.n_groups;
  made->n_chosen = settings->n_chosen;
  atomic_fetch_add(&made->device->n_plans, 1);
  *plan = (DebyeLatticePlan *)made;
  return DEBYE_STATUS_OK;
}

/* A failure comes when the frame is in the sums already. */
static DebyeStatusCode
lattice_execute(DebyeLatticePlan *handle, const DebyeScatteringFrame *frame, double *chosen,
                const volatile bool *cancel, DebyeStatus *status)
{
  FakePlan *plan = (FakePlan *)handle;
  const DebyeStatusCode code =
      debye_backend_cpu.lattice->execute(plan->lattice, frame, chosen, cancel, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  return begin(plan, chosen, chosen != NULL ? 2 * plan->n_groups * plan->n_chosen : 0, status);
}

static DebyeStatusCode
lattice_get_amplitudes(DebyeLatticePlan *handle, size_t group, double *amplitudes, DebyeStatus *status)
{
  return debye_backend_cpu.lattice->get_amplitudes(((FakePlan *)handle)->lattice, group, amplitudes, status);
}

static DebyeStatusCode
lattice_get_sums(DebyeLatticePlan *handle, size_t pair, double *sums, DebyeStatus *status)
{
  return debye_backend_cpu.lattice->get_sums(((FakePlan *)handle)->lattice, pair, sums, status);
}

static DebyeStatusCode
lattice_clear_sums(DebyeLatticePlan *handle, DebyeStatus *status)
{
  return debye_backend_cpu.lattice->clear_sums(((FakePlan *)handle)->lattice, status);
}

static void
lattice_destroy(DebyeLatticePlan *handle)
{
  FakePlan *plan = (FakePlan *)handle;
  if (plan == NULL)
    return;
  atomic_fetch_sub(&plan->device->n_plans, 1);
  debye_backend_cpu.lattice->destroy(plan->lattice);
  free(plan);
}

const DebyeLatticeKernel debye_fake_lattice = {
    .bytes_needed = lattice_bytes,
    .create = lattice_create,
    .execute = lattice_execute,
    .get_amplitudes = lattice_get_amplitudes,
    .get_sums = lattice_get_sums,
    .clear_sums = lattice_clear_sums,
    .destroy = lattice_destroy,
};
