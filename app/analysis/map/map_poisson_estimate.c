/* SPDX-License-Identifier: MIT */
/* Implementation of map_poisson.h: what Poisson-Boltzmann's equation will take, before it is solved. */
#include "app/analysis/driver/memory_size.h"
#include "data/files/error.h"
#include "map_given.h"
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
/* Stands for a plan whose size is unknown. */
#define MOST_BYTES 1e19

static gboolean
is_given(const char *text)
{
  return text != NULL && *text != '\0';
}

/* Of a frame, those of `binding` so often. */
static double
count_solutions(const DebyeMapSettings *settings, double of_binding)
{
  return 1.0 + (settings->energies ? 1.0 : 0.0) + (settings->reaction ? 1.0 : 0.0) +
         (is_given(settings->binding) ? of_binding : 0.0) + (settings->grid_error ? 0.125 : 0.0);
}

/* The medium on the larger grid; FALSE: there is none. */
static gboolean
find_outer(const DebyeMapPlan *plan, DebyePoissonMedium *outer)
{
  if (plan->settings.boundary != DEBYE_MAP_BOUNDARY_FOCUS)
    return FALSE;
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  *outer = medium;
  debye_map_poisson_focus(&medium, plan->low, plan->high, &outer->grid);
  return TRUE;
}

/* Of all solutions of a frame. */
static double
count_points(const DebyeMapPlan *plan)
{
  double points = debye_map_grid_count(&plan->potential.grid);
  DebyePoissonMedium outer;
  if (find_outer(plan, &outer))
    points += (double)outer.grid.shape[0] * (double)outer.grid.shape[1] * (double)outer.grid.shape[2];
  return count_solutions(&plan->settings, 2.0) * points;
}

/* Of all equations that a device keeps at a time. */
static guint64
count_device_bytes(const DebyeMapPlan *plan, const DebyeDeviceEntry *device)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  double bytes = (double)debye_poisson_lanes_device_bytes(&medium, &maps, nonlinear, device);
  DebyePoissonMedium outer;
  if (find_outer(plan, &outer))
    bytes += (double)debye_poisson_lanes_device_bytes(&outer, &maps, nonlinear, device);
  return (guint64)MIN(count_solutions(&plan->settings, 1.0) * bytes, MOST_BYTES);
}

double
debye_map_poisson_memory_part(const DebyeMapPlan *plan, const DebyePoissonMedium *medium,
                              const DebyeDeviceEntry *device)
{
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  const guint64 own = debye_poisson_lanes_device_bytes(medium, &maps, nonlinear, device);
  return MIN((double)own / (double)count_device_bytes(plan, device), 1.0);
}

/* Whether accelerators have the memory for all equations, one or several together: *n gets how many are needed for each. */
static gboolean
fits(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices, gsize *n)
{
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  DebyePoissonMedium media[2] = {debye_map_poisson_medium(&plan->settings, &plan->potential.grid)};
  const int n_media = find_outer(plan, &media[1]) ? 2 : 1;
  *n = 1;
  for (int i = 0; i < n_media; i++) {
    const double part = debye_map_poisson_memory_part(plan, &media[i], devices[0]);
    DebyePoissonSlabs slabs;
    if (!debye_poisson_lanes_find_slabs(&media[i], &maps, nonlinear, part, devices, n_devices, &slabs))
      return FALSE;
    *n = MAX(*n, slabs.n);
  }
  return TRUE;
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
  *device_bytes = count_device_bytes(plan, devices[0]);
}

/* Names the largest device that is too small, so that nobody tries the next larger one in vain. */
static void
set_alone_error(const DebyeMapPlan *plan, const DebyeDeviceEntry *largest, GError **error)
{
  const gsize *shape = plan->potential.grid.shape;
  g_autofree char *wanted = debye_memory_size_to_string(count_device_bytes(plan, largest));
  g_autofree char *there = debye_memory_size_to_string(largest->info.memory_free);
  debye_error_set_about(
      error, DEBYE_ERROR_MEMORY, "Grid spacing",
      "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
      " points need %s of a device's memory, but %s has only %s; expected a wider spacing, or "
      "the processor among the devices",
      shape[0], shape[1], shape[2], wanted, largest->info.name, there);
}

/* Of devices that could share the grid. FALSE: there are none. */
static gboolean
set_together_error(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                   GError **error)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  const guint64 bytes = debye_poisson_lanes_together_bytes(&medium, &maps, nonlinear, devices, n_devices);
  const double needed = (double)bytes / debye_map_poisson_memory_part(plan, &medium, devices[0]);
  double free_bytes = 0.0;
  if (bytes == UINT64_MAX || needed >= MOST_BYTES)
    return FALSE;
  for (gsize i = 0; i < n_devices; i++)
    free_bytes += (double)devices[i]->info.memory_free;
  const gsize *shape = plan->potential.grid.shape;
  g_autofree char *wanted = debye_memory_size_to_string((guint64)needed);
  g_autofree char *there = debye_memory_size_to_string((guint64)free_bytes);
  debye_error_set_about(
      error, DEBYE_ERROR_MEMORY, "Grid spacing",
      "%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT "×%" G_GSIZE_FORMAT
      " points need %s of the devices' memory, but all %" G_GSIZE_FORMAT
      " together have only %s; expected a wider spacing, or the processor among the devices",
      shape[0], shape[1], shape[2], wanted, n_devices, there);
  return TRUE;
}

gboolean
debye_map_poisson_check_memory(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                               gsize n_devices, GError **error)
{
  const DebyeDeviceEntry *largest = NULL;
  gsize n_together;
  for (gsize i = 0; i < n_devices; i++) {
    const guint64 bytes = count_device_bytes(plan, devices[i]);
    /* A device that cannot solve it at all gives its reason when the run starts. */
    if (debye_device_is_cpu(devices[i]) || devices[i]->backend->poisson == NULL ||
        (double)bytes >= MOST_BYTES || bytes <= devices[i]->info.memory_free)
      return TRUE;
    if (largest == NULL || devices[i]->info.memory_free > largest->info.memory_free)
      largest = devices[i];
  }
  if (largest == NULL || fits(plan, devices, n_devices, &n_together))
    return TRUE;
  if (!set_together_error(plan, devices, n_devices, error))
    set_alone_error(plan, largest, error);
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
  if (is_given(plan->settings.write_maps) ||
      (n_accelerators > 1 && fits(plan, devices, n_devices, &n_together) && n_together > 1))
    return 1;
  return MAX(MIN(n_accelerators, n_frames), 1);
}
