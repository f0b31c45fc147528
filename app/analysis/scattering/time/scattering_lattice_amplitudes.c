/* SPDX-License-Identifier: MIT */
/* Makes the series F(hkl, t) by Fourier transforms; called by intermediate_scattering_coherent.c. */
#include "scattering_lattice_amplitudes.h"

#include "kernels/backend.h"
#include "kernels/scattering/scattering_lattice.h"
#include "app/analysis/scattering/intensity/scattering_method.h"

struct _DebyeLatticeAmplitudes {
  const DebyeIntermediateScattering *scattering;
  DebyeLatticeSettings settings;
  DebyeMiller *chosen;
  gsize device; /* at work */
  const DebyeLatticeKernel *kernel;
  DebyeKernelPlan *plan;
};

/* On the first device from `device` on that can. */
static gboolean
open_device(DebyeLatticeAmplitudes *amplitudes, DebyeStatus *status)
{
  const DebyeIntermediateScattering *scattering = amplitudes->scattering;
  guint64 limit = scattering->plan->memory_limit;
  for (; amplitudes->device < scattering->n_devices; amplitudes->device++) {
    const DebyeDeviceEntry *entry = scattering->devices[amplitudes->device];
    const DebyeLatticeKernel *kernel = entry->backend->lattice;
    if (kernel == NULL ||
        (limit > 0 && kernel->head.bytes_needed(entry->device, &amplitudes->settings) > limit)) {
      debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                       "The transform of a reciprocal lattice does not fit the memory.");
      continue;
    }
    amplitudes->kernel = kernel;
    if (kernel->head.create(entry->device, &amplitudes->settings, &amplitudes->plan, status) ==
        DEBYE_STATUS_OK)
      return TRUE;
  }
  return FALSE;
}

DebyeLatticeAmplitudes *
debye_lattice_amplitudes_new(const DebyeIntermediateScattering *scattering, gsize first, gsize n,
                             gboolean may_be_packed, GError **error)
{
  const DebyeScatteringPlan *plan = scattering->plan;
  DebyeLatticeAmplitudes *amplitudes = g_new0(DebyeLatticeAmplitudes, 1);
  DebyeStatus status = {0};
  amplitudes->scattering = scattering;
  amplitudes->chosen = g_new(DebyeMiller, n);
  for (gsize i = 0; i < n; i++) {
    const int *indices = ((const int(*)[3])plan->vectors.indices->data)[first + i];
    amplitudes->chosen[i] = (DebyeMiller){indices[0], indices[1], indices[2]};
  }
  amplitudes->settings = (DebyeLatticeSettings){.n_atoms = debye_topology_get_n_atoms(plan->topology),
                                                .groups = scattering->groups,
                                                .may_be_packed = may_be_packed,
                                                .tolerance = debye_scattering_lattice_tolerance(plan),
                                                .chosen = amplitudes->chosen,
                                                .n_chosen = n};
  debye_scattering_lattice_extent(plan, amplitudes->settings.extent);
  if (open_device(amplitudes, &status))
    return amplitudes;
  debye_device_set_error(error, &status);
  debye_lattice_amplitudes_free(amplitudes);
  return NULL;
}

void
debye_lattice_amplitudes_free(DebyeLatticeAmplitudes *amplitudes)
{
  if (amplitudes->plan != NULL)
    amplitudes->kernel->head.destroy(amplitudes->plan);
  g_free(amplitudes->chosen);
  g_free(amplitudes);
}

static gboolean
may_repeat(DebyeStatusCode code)
{
  return code != DEBYE_STATUS_OK && code != DEBYE_STATUS_CANCELLED && code != DEBYE_STATUS_INVALID;
}

gboolean
debye_lattice_amplitudes_execute(DebyeLatticeAmplitudes *amplitudes, const DebyeScatteringFrame *frame,
                                 double complex *values, GError **error)
{
  const volatile bool *cancel = debye_intermediate_scattering_get_cancel(amplitudes->scattering);
  DebyeStatus status = {0};
  DebyeStatusCode code;
  while (may_repeat(
      code = amplitudes->kernel->execute(amplitudes->plan, frame, (double *)values, cancel, &status))) {
    amplitudes->kernel->head.destroy(g_steal_pointer(&amplitudes->plan));
    amplitudes->device++;
    if (!open_device(amplitudes, &status))
      break;
  }
  return debye_device_check(code, &status, error);
}
