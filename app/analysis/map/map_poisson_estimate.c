/* SPDX-License-Identifier: MIT */
/* Implementation of map_poisson.h: what Poisson-Boltzmann's equation will take, before it is solved. */
#include "app/analysis/driver/memory_size.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "map_given.h"
#include "map_equation.h"
#include "map_grid.h"
#include "map_poisson.h"

/* Seconds of a point on a core and on a GPU, as tests/bench/RESULTS.md has them, those of an equation that the GPU makes
 * and of one whose arrays come from the host, and what a GPU's start costs. */
#define CORE_SECONDS 0.6e-6
#define ACCELERATOR_SECONDS 6e-9
#define ACCELERATOR_ALONE_SECONDS 1.2e-9
/* Of a core's seconds, those of surface, boundary and reaction field. */
#define HOST_SHARE 0.3
#define ACCELERATOR_START 0.3

/* Of all solutions of a frame. */
static double
count_points(const DebyeMapPlan *plan)
{
  double points = debye_map_grid_count(&plan->potential.grid);
  DebyePoissonMedium outer;
  if (debye_map_poisson_find_outer(plan, &outer))
    points += (double)outer.grid.shape[0] * (double)outer.grid.shape[1] * (double)outer.grid.shape[2];
  return debye_map_poisson_count_solutions(&plan->settings, 2.0) * points;
}

/* Of so many points, with a GPU. */
static double
estimate_accelerator(const DebyeMapPlan *plan, const DebyeDeviceEntry *device, double points, double cores)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean is_alone = debye_poisson_lanes_leaves_equation(&medium, &maps, device);
  const double of_host =
      is_alone && !debye_map_poisson_wants_field(plan) ? 0.0 : HOST_SHARE * points * CORE_SECONDS / cores;
  return points * (is_alone ? ACCELERATOR_ALONE_SECONDS : ACCELERATOR_SECONDS) + of_host;
}

void
debye_map_poisson_estimate(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                           double *seconds, double *start, guint64 *device_bytes)
{
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  const double points = count_points(plan) * (nonlinear ? 1.7 : 1.0);
  const double cores = (double)MAX(devices[n_devices - 1]->info.units, 1);
  *device_bytes = 0;
  *start = 0.0;
  if (debye_device_is_cpu(devices[0])) {
    *seconds = points * CORE_SECONDS / cores;
    return;
  }
  *seconds = estimate_accelerator(plan, devices[0], points, cores);
  *start = ACCELERATOR_START;
  *device_bytes = debye_map_poisson_device_bytes(plan, devices[0]);
}

/* What the processor has to make an equation for; slabs are of those that devices make. NULL: nothing. */
static const char *
find_of_processor(const DebyeMapPlan *plan)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  if (medium.periodic[0] || medium.periodic[1] || medium.periodic[2])
    return N_("a periodic cell");
  if (medium.membrane.is_there)
    return N_("a membrane");
  if (maps.permittivity[0] != NULL || maps.ions != NULL || maps.charge != NULL)
    return N_("maps that are given");
  return medium.smoothed ? N_("a smoothed permittivity") : NULL;
}

/* Names the largest device that is too small, so that nobody tries the next larger one in vain, nor several. */
static void
set_alone_error(const DebyeMapPlan *plan, const DebyeDeviceEntry *largest, gsize n_devices, GError **error)
{
  const char *of_processor = n_devices > 1 ? find_of_processor(plan) : NULL;
  const gsize *shape = plan->potential.grid.shape;
  g_autofree char *wanted = debye_memory_size_to_string(debye_map_poisson_device_bytes(plan, largest));
  g_autofree char *there = debye_memory_size_to_string((guint64)debye_poisson_usable_memory(largest));
  if (of_processor != NULL) {
    debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Grid spacing",
                          "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
                          " points need %s of a device's memory, but %s has only %s, and several devices "
                          "share only an equation that they make themselves, not one with %s; expected a "
                          "wider spacing, or the processor among the devices",
                          shape[0], shape[1], shape[2], wanted, largest->info.name, there, of_processor);
    return;
  }
  debye_error_set_about(error, DEBYE_ERROR_MEMORY, "Grid spacing",
                        "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
                        " points need %s of a device's memory, but %s has only %s; expected a wider spacing, "
                        "or the processor among the devices",
                        shape[0], shape[1], shape[2], wanted, largest->info.name, there);
}

/* Of devices that could share the grid. FALSE: there are none, or their memory would do in sum, but not by whole planes. */
static gboolean
set_together_error(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                   GError **error)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  const guint64 bytes = debye_poisson_lanes_together_bytes(&medium, &maps, nonlinear, devices, n_devices);
  const double needed = (double)bytes / debye_map_poisson_memory_part(plan, &medium, devices[0]);
  const DebyeDeviceEntry *sharing[DEBYE_POISSON_MAX_SLABS];
  const gsize n = debye_poisson_lanes_find_together(&medium, &maps, nonlinear, devices, n_devices, sharing);
  double free_bytes = 0.0;
  if (bytes == UINT64_MAX || needed >= DEBYE_MAP_POISSON_MOST_BYTES)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    free_bytes += debye_poisson_usable_memory(sharing[i]);
  if (needed <= free_bytes)
    return FALSE;
  const gsize *shape = plan->potential.grid.shape;
  g_autofree char *wanted = debye_memory_size_to_string((guint64)needed);
  g_autofree char *there = debye_memory_size_to_string((guint64)free_bytes);
  debye_error_set_about(
      error, DEBYE_ERROR_MEMORY, "Grid spacing",
      "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
      " points need %s of the devices' memory, but all %" G_GSIZE_FORMAT
      " together have only %s; expected a wider spacing, or the processor among the devices",
      shape[0], shape[1], shape[2], wanted, n, there);
  return TRUE;
}

gboolean
debye_map_poisson_check_memory(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                               gsize n_devices, GError **error)
{
  const DebyeDeviceEntry *largest = NULL;
  gsize n_together;
  for (gsize i = 0; i < n_devices; i++) {
    const guint64 bytes = debye_map_poisson_device_bytes(plan, devices[i]);
    /* A device that cannot solve it at all gives its reason when the run starts. */
    if (debye_device_is_cpu(devices[i]) || devices[i]->backend->poisson == NULL ||
        (double)bytes >= DEBYE_MAP_POISSON_MOST_BYTES ||
        (double)bytes <= debye_poisson_usable_memory(devices[i]))
      return TRUE;
    if (largest == NULL || devices[i]->info.memory_free > largest->info.memory_free)
      largest = devices[i];
  }
  if (largest == NULL || debye_map_poisson_fits(plan, devices, n_devices, &n_together))
    return TRUE;
  if (!set_together_error(plan, devices, n_devices, error))
    set_alone_error(plan, largest, n_devices, error);
  return FALSE;
}

/* The maps that were used are written of the last frame, which one device then has with all others; and devices that share each
 * equation for want of memory share no frames. */
gsize
debye_map_poisson_count_sharing(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                gsize n_devices)
{
  const gsize n_accelerators = debye_sharing_count_accelerators(devices, n_devices);
  const gsize n_frames = plan->frames.n_frames / MAX(plan->blocks.n_blocks, 1);
  gsize n_together;
  if ((plan->settings.write_maps != NULL && *plan->settings.write_maps != '\0') ||
      (n_accelerators > 1 && debye_map_poisson_fits(plan, devices, n_devices, &n_together) && n_together > 1))
    return 1;
  return MAX(MIN(n_accelerators, n_frames), 1);
}
