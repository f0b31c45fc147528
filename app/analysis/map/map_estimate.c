/* SPDX-License-Identifier: MIT */
/* Estimates time and memory of a map; called by the analyses of maps and ions. */
#include "map_estimate.h"

#include "app/analysis/driver/device_choice.h"
#include "map_equation.h"
#include "map_poisson.h"
#include "kernels/potential/potential_map_lanes.h"
#include "kernels/sharing.h"

gboolean
debye_map_estimate(const DebyeMapPlan *plan, const DebyeLaneSettings *lanes, const DebyeRegistry *registry,
                   DebyeEstimate *estimate, GError **error)
{
  const DebyeDeviceEntry *devices[DEBYE_MAX_DEVICES];
  DebyeDeviceEntry processor;
  const gsize n_devices = debye_device_find(registry, lanes, &processor, devices, error);
  if (n_devices == 0)
    return FALSE;
  const DebyePotentialMapLanesSettings settings = {.potential = plan->potential,
                                                   .memory_limit = plan->memory_limit};
  double seconds = 0.0, start = 0.0;
  guint64 host = 0, device = 0;
  estimate->is_of_runs = debye_map_is_poisson(&plan->settings);
  if (estimate->is_of_runs && !debye_map_poisson_check_memory(plan, devices, n_devices, error))
    return FALSE;
  if (estimate->is_of_runs)
    debye_map_poisson_estimate(plan, devices, n_devices, &seconds, &start, &device);
  else
    debye_potential_map_lanes_estimate(&settings, devices, n_devices, &seconds, &host, &device);
  /* The other methods share the planes of a frame, so its time already shrinks with the number of devices. */
  const gsize n_sharing =
      estimate->is_of_runs ? debye_map_poisson_count_sharing(plan, devices, n_devices) : 1;
  g_autofree char *together = estimate->is_of_runs && debye_sharing_count_accelerators(devices, n_devices) > 1
                                  ? debye_map_poisson_find_together(plan, devices, n_devices, &device)
                                  : NULL;
  estimate->seconds = start + seconds * (double)plan->frames.n_frames / (double)n_sharing;
  estimate->host_bytes = plan->host_bytes + host;
  /* Each device that shares frames has equations of its own. */
  estimate->device_bytes = device * n_sharing;
  debye_device_choice_describe(devices, n_devices, estimate);
  if (together == NULL)
    return TRUE;
  g_free(estimate->devices);
  estimate->devices = g_steal_pointer(&together);
  return TRUE;
}
