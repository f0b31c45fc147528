/* SPDX-License-Identifier: MIT */
/* What maps of orbitals need alike on every device, called by their analysis: checks, and the first device that can. */
#include "orbital.h"

#include "kernels/sharing.h"

static bool
is_along_axes(const DebyeGrid *grid)
{
  for (int axis = 0; axis < 3; axis++)
    for (int other = 0; other < 3; other++) {
      const double step = (&grid->step[axis].x)[other];
      if (!isfinite(step) || (axis == other ? step == 0.0 : step != 0.0))
        return false;
    }
  return isfinite(grid->origin.x) && isfinite(grid->origin.y) && isfinite(grid->origin.z);
}

DebyeStatusCode
debye_orbital_settings_check(const DebyeOrbitalSettings *settings, DebyeStatus *status)
{
  const DebyeGrid *grid = &settings->grid;
  double n_points = 1.0;
  for (int axis = 0; axis < 3; axis++)
    n_points *= (double)grid->shape[axis];
  if (!is_along_axes(grid))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "Orbitals need a grid whose steps lie along x, y and z.");
  if (!(n_points >= 1.0) || n_points > 1e12)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "A grid of %g points can't be computed.", n_points);
  if (settings->max_primitives > UINT32_MAX || settings->max_coefficients > UINT32_MAX ||
      settings->max_functions > UINT32_MAX)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "There are too many Gaussians.");
  return debye_status_ok(status);
}

DebyeStatusCode
debye_orbital_set_check(const DebyeOrbitalSettings *settings, const DebyeOrbitalSet *set, DebyeStatus *status)
{
  if (set->n_centres <= settings->max_centres && set->n_primitives <= settings->max_primitives &&
      set->n_coefficients <= settings->max_coefficients && set->n_functions <= settings->max_functions)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_INVALID, "The plan was made for fewer orbitals or Gaussians.");
}

DebyeStatusCode
debye_orbital_range_check(size_t n_functions, size_t first, size_t count, DebyeStatus *status)
{
  if (first <= n_functions && count <= n_functions - first)
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_INVALID, "There are %zu functions, not %zu from %zu on.",
                          n_functions, count, first);
}

DebyeOrbitalSettings
debye_orbital_settings_of(const DebyeGrid *grid, const DebyeOrbitalSet *set)
{
  return (DebyeOrbitalSettings){.grid = *grid,
                                .max_centres = set->n_centres,
                                .max_primitives = set->n_primitives,
                                .max_coefficients = set->n_coefficients,
                                .max_functions = set->max_functions};
}

/* --- On the first device that can --- */

typedef struct {
  DebyeSharing share;
  const DebyeOrbitalSource *source;
  float *map;
  const DebyeDeviceEntry **used;
} MapShare;

static DebyeStatusCode
compute_map(DebyeSharing *share, DebyeSharingLane *lane, DebyeSharingRun run, const volatile bool *cancel,
            DebyeStatus *status)
{
  const MapShare *own = (const MapShare *)share;
  const DebyeOrbitalSource *source = own->source;
  const DebyeOrbitalKernel *kernel = (const DebyeOrbitalKernel *)lane->kernel;
  DebyeStatusCode code = DEBYE_STATUS_OK;
  bool adds = false;
  (void)run;
  *own->used = lane->device;
  source->begin(source->data);
  for (; code == DEBYE_STATUS_OK && source->next(source->data, source->set); adds = true) {
    code = kernel->set(lane->plan, source->set, status);
    if (code == DEBYE_STATUS_OK)
      code = kernel->compute(lane->plan, 0, source->set->n_functions, adds, cancel, status);
  }
  return code == DEBYE_STATUS_OK ? kernel->get_map(lane->plan, own->map, status) : code;
}

static const DebyeSharingFamily family = {
    .task = "compute orbitals",
    .kernel = offsetof(DebyeBackend, orbital),
    .size = sizeof(MapShare),
    .settings_size = sizeof(DebyeOrbitalSettings),
    .alone = true,
    .execute = compute_map,
};

DebyeStatusCode
debye_orbital_map(const DebyeOrbitalSettings *settings, uint64_t memory_limit,
                  const DebyeDeviceEntry *const *devices, size_t n_devices, const DebyeOrbitalSource *source,
                  const volatile bool *cancel, float *map, const DebyeDeviceEntry **used, DebyeStatus *status)
{
  const DebyeSharingJob job = {.n_inputs = 1, .n_items = 1, .cancel = cancel};
  const DebyeLaneReport *reports;
  DebyeSharing *share = NULL;
  *used = NULL;
  if (debye_orbital_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  MapShare *made = debye_sharing_new(&family, settings, memory_limit, devices, n_devices);
  DebyeStatusCode code = debye_sharing_start(made, made != NULL, &share, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  made->source = source;
  made->map = map;
  made->used = used;
  code = debye_sharing_run(share, &job, status);
  debye_sharing_get_reports(share, &reports);
  for (size_t i = 0; i < n_devices; i++)
    if (reports[i].retired)
      source->failed(source->data, devices[i], reports[i].reason);
  debye_sharing_free(share);
  return code;
}
