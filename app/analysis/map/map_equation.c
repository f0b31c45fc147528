/* SPDX-License-Identifier: MIT */
/* Implementation of map_equation.h. */
#include "map_equation.h"

#include "data/files/error.h"
#include "kernels/chunk_threads.h"
#include "map_given.h"
#include "map_salt.h"
#include "map_solvent.h"

#define MAX_CYCLES 200

static void
coarsen(DebyeSurfaceGrid *grid)
{
  for (int axis = 0; axis < 3; axis++) {
    grid->step[axis] *= 2.0;
    grid->shape[axis] = (grid->shape[axis] + 1) / 2;
  }
}

/* --- Memory --- */

double
debye_map_poisson_count_solutions(const DebyeMapSettings *settings, double of_binding)
{
  return 1.0 + (settings->energies ? 1.0 : 0.0) + (settings->reaction ? 1.0 : 0.0) +
         (debye_map_is_given(settings->binding) ? of_binding : 0.0) + (settings->grid_error ? 0.125 : 0.0);
}

gboolean
debye_map_poisson_find_outer(const DebyeMapPlan *plan, DebyePoissonMedium *outer)
{
  if (plan->settings.boundary != DEBYE_MAP_BOUNDARY_FOCUS)
    return FALSE;
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  *outer = medium;
  debye_map_poisson_focus(&medium, plan->low, plan->high, &outer->grid);
  return TRUE;
}

guint64
debye_map_poisson_device_bytes(const DebyeMapPlan *plan, const DebyeDeviceEntry *device)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  double bytes = (double)debye_poisson_lanes_device_bytes(&medium, &maps, nonlinear, device);
  DebyePoissonMedium outer;
  if (debye_map_poisson_find_outer(plan, &outer))
    bytes += (double)debye_poisson_lanes_device_bytes(&outer, &maps, nonlinear, device);
  return (guint64)MIN(debye_map_poisson_count_solutions(&plan->settings, 1.0) * bytes,
                      DEBYE_MAP_POISSON_MOST_BYTES);
}

double
debye_map_poisson_memory_part(const DebyeMapPlan *plan, const DebyePoissonMedium *medium,
                              const DebyeDeviceEntry *device)
{
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  const guint64 own = debye_poisson_lanes_device_bytes(medium, &maps, nonlinear, device);
  return MIN((double)own / (double)debye_map_poisson_device_bytes(plan, device), 1.0);
}

/* Of the equations that a frame has, on the plan's grid and on the larger one, slabs that there is the memory for. Their number; 0
 * where there is not enough. */
static int
find_slabs(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
           DebyePoissonMedium media[2], DebyePoissonSlabs slabs[2])
{
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  media[0] = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const int n_media = debye_map_poisson_find_outer(plan, &media[1]) ? 2 : 1;
  for (int i = 0; i < n_media; i++) {
    const double part = debye_map_poisson_memory_part(plan, &media[i], devices[0]);
    if (!debye_poisson_lanes_find_slabs(&media[i], &maps, nonlinear, part, devices, n_devices, &slabs[i]))
      return 0;
  }
  return n_media;
}

gboolean
debye_map_poisson_fits(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                       gsize *n)
{
  DebyePoissonMedium media[2];
  DebyePoissonSlabs slabs[2];
  const int n_media = find_slabs(plan, devices, n_devices, media, slabs);
  *n = 1;
  for (int i = 0; i < n_media; i++)
    *n = MAX(*n, slabs[i].n);
  return n_media > 0;
}

char *
debye_map_poisson_find_together(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices,
                                gsize n_devices, guint64 *bytes)
{
  const DebyePoissonMaps maps = debye_map_given_get_maps(plan->given);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  DebyePoissonMedium media[2];
  DebyePoissonSlabs slabs[2], most = {.n = 0};
  const int n_media = find_slabs(plan, devices, n_devices, media, slabs);
  double sum = 0.0;
  for (int i = 0; i < n_media; i++) {
    sum += slabs[i].n > 0 ? (double)debye_poisson_lanes_slabs_bytes(&media[i], &maps, nonlinear, &slabs[i],
                                                                    devices, n_devices)
                          : (double)debye_poisson_lanes_device_bytes(&media[i], &maps, nonlinear, devices[0]);
    if (slabs[i].n > most.n)
      most = slabs[i];
  }
  DebyeDeviceEntry *joined = most.n > 1 ? debye_poisson_slabs_join(&most, devices, n_devices) : NULL;
  if (joined == NULL)
    return NULL;
  *bytes = (guint64)MIN(debye_map_poisson_count_solutions(&plan->settings, 1.0) * sum,
                        DEBYE_MAP_POISSON_MOST_BYTES);
  char *name = g_strdup(joined->info.name);
  free(joined);
  return name;
}

/* --- Lanes --- */

static void
set_kind(const DebyeMapEquationSolver *self, DebyeMapEquationKind kind, DebyePoissonLanesSettings *lanes)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  if (kind == DEBYE_MAP_AT_TWICE)
    coarsen(&lanes->medium.grid);
  if (kind == DEBYE_MAP_IN_VACUUM || kind == DEBYE_MAP_IN_SOLUTE) {
    lanes->medium.solvent = kind == DEBYE_MAP_IN_VACUUM ? 1.0 : settings->solute_permittivity;
    lanes->medium.screening = 0.0;
    lanes->medium.membrane.is_there = FALSE;
    lanes->maps.permittivity[0] = NULL;
    lanes->maps.ions = NULL;
    /* Without a solvent that screens nothing is near zero on the boundary. */
    if (lanes->boundary == DEBYE_POISSON_ZERO)
      lanes->boundary = DEBYE_POISSON_DEBYE_HUECKEL;
  } else if (settings->equation == DEBYE_MAP_EQUATION_NONLINEAR) {
    lanes->goal.salt = &self->salt;
  }
}

static DebyeSharing *
open_lanes(const DebyePoissonLanesSettings *lanes, const DebyeDeviceEntry *const *devices, gsize n_devices,
           GError **error)
{
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  if (debye_poisson_lanes_create(lanes, devices, n_devices, &share, &status) != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return share;
}

static gboolean
open_outer(DebyeMapEquationSolver *self, const DebyePoissonLanesSettings *inner,
           const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  DebyePoissonLanesSettings outer = *inner;
  outer.boundary = DEBYE_POISSON_DEBYE_HUECKEL;
  outer.wants_map_only = true;
  debye_map_poisson_focus(&inner->medium, self->plan->low, self->plan->high, &outer.medium.grid);
  outer.memory_part = debye_map_poisson_memory_part(self->plan, &outer.medium, devices[0]);
  const gsize *shape = outer.medium.grid.shape;
  self->outer_map = g_try_new(float, shape[0] * shape[1] * shape[2]);
  if (self->outer_map == NULL)
    return debye_error_set(error, DEBYE_ERROR_MEMORY,
                           "Grid spacing: no memory for a map of this many points");
  self->outer = open_lanes(&outer, devices, n_devices, error);
  return self->outer != NULL;
}

gboolean
debye_map_equation_open(DebyeMapEquationSolver *self, const DebyeMapPlan *plan, DebyeMapEquationKind kind,
                        const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  static const DebyePoissonBoundary boundaries[] = {
      [DEBYE_MAP_BOUNDARY_DEBYE_HUECKEL] = DEBYE_POISSON_DEBYE_HUECKEL,
      [DEBYE_MAP_BOUNDARY_FOCUS] = DEBYE_POISSON_FOCUS,
      [DEBYE_MAP_BOUNDARY_ZERO] = DEBYE_POISSON_ZERO,
  };
  const DebyeMapSettings *settings = &plan->settings;
  DebyeMapSalt ions;
  if (!debye_map_salt_read(settings->salt, &ions, error))
    return FALSE;
  self->plan = plan;
  self->salt = debye_map_salt_shares(&ions);
  DebyePoissonLanesSettings lanes = {.medium = debye_map_poisson_medium(settings, &plan->potential.grid),
                                     .goal = {.tolerance = settings->residual, .max_cycles = MAX_CYCLES},
                                     .memory_limit = plan->memory_limit,
                                     .boundary = boundaries[settings->boundary],
                                     .maps = debye_map_given_get_maps(plan->given),
                                     .keeps_source =
                                         settings->write_maps != NULL && *settings->write_maps != '\0',
                                     .wants_map_only = self->wants_map_only};
  set_kind(self, kind, &lanes);
  lanes.memory_part = debye_map_poisson_memory_part(plan, &lanes.medium, devices[0]);
  if (lanes.boundary == DEBYE_POISSON_FOCUS) {
    if (!open_outer(self, &lanes, devices, n_devices, error))
      return FALSE;
    lanes.outer = self->outer;
  }
  self->share = open_lanes(&lanes, devices, n_devices, error);
  return self->share != NULL;
}

void
debye_map_equation_forget(DebyeMapEquationSolver *self)
{
  debye_poisson_lanes_forget(self->share);
  if (self->outer != NULL)
    debye_poisson_lanes_forget(self->outer);
}

void
debye_map_equation_clear(DebyeMapEquationSolver *self)
{
  g_clear_pointer(&self->share, debye_sharing_free);
  g_clear_pointer(&self->outer, debye_sharing_free);
  g_clear_pointer(&self->outer_map, g_free);
}

/* --- Solving --- */

static void
set_error(const DebyeStatus *status, DebyeStatusCode code, gsize frame, GError **error)
{
  if (code == DEBYE_STATUS_INVALID)
    debye_error_set(error, DEBYE_ERROR_VALUE, "Frames: frame %" G_GSIZE_FORMAT ": %s", frame, status->text);
  else if (code != DEBYE_STATUS_CANCELLED)
    debye_device_set_error(error, status);
}

/* With a single device its own error is the message: that no other device is left only matters if there were several. */
static void
set_error_of_lanes(DebyeSharing *share, const DebyeStatus *status, DebyeStatusCode code, gsize frame,
                   GError **error)
{
  const DebyeLaneReport *reports;
  DebyeStatus own = *status;
  if (debye_sharing_get_reports(share, &reports) == 1 && reports[0].retired)
    debye_status_set(&own, code, "%s", reports[0].message);
  set_error(&own, code, frame, error);
}

static gboolean
execute(DebyeSharing *share, const DebyeSpheres *spheres, const float *charges, gsize frame, float *map,
        double *field, DebyePoissonReport *report, DebyeLaneTotals *lanes, const volatile bool *cancel,
        GError **error)
{
  const DebyeLaneReport *reports;
  DebyeStatus status = {0};
  const DebyeStatusCode code =
      debye_poisson_lanes_execute(share, spheres, charges, map, field, report, cancel, &status);
  if (code != DEBYE_STATUS_OK) {
    set_error_of_lanes(share, &status, code, frame, error);
    return FALSE;
  }
  const gsize n_reports = debye_sharing_get_reports(share, &reports);
  if (lanes != NULL)
    debye_lane_totals_add(lanes, reports, n_reports);
  return TRUE;
}

static gboolean
execute_both(DebyeMapEquationSolver *self, const DebyeSpheres *spheres, const float *charges, gsize frame,
             float *map, double *field, DebyePoissonReport *report, DebyeLaneTotals *lanes,
             const volatile bool *cancel, GError **error)
{
  DebyePoissonReport outer = {0};
  const gboolean is_solved =
      execute(self->outer, spheres, charges, frame, self->outer_map, NULL, &outer, lanes, cancel, error) &&
      execute(self->share, spheres, charges, frame, map, field, report, lanes, cancel, error);
  if (is_solved)
    report->residual = MAX(report->residual, outer.residual);
  return is_solved;
}

/* Both grids have the same surface, which takes the host longer to find than the larger grid's equation to solve. */
static gboolean
solve_both(DebyeMapEquationSolver *self, const DebyeSpheres *spheres, const float *charges, gsize frame,
           float *map, double *field, DebyePoissonReport *report, DebyeLaneTotals *lanes,
           const volatile bool *cancel, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  DebyeSurface surface;
  DebyeStatus status = {0};
  if (debye_poisson_lanes_makes_surface(self->share))
    return execute_both(self, spheres, charges, frame, map, field, report, lanes, cancel, error);
  const DebyeStatusCode code = debye_surface_init(&surface, settings->surface, spheres, settings->probe,
                                                  &debye_chunk_threads, &status);
  if (code != DEBYE_STATUS_OK) {
    set_error(&status, code, frame, error);
    return FALSE;
  }
  debye_poisson_lanes_set_surface(self->outer, &surface);
  debye_poisson_lanes_lend_surface(self->share, &surface);
  const gboolean is_solved =
      execute_both(self, spheres, charges, frame, map, field, report, lanes, cancel, error);
  debye_poisson_lanes_set_surface(self->outer, NULL);
  debye_poisson_lanes_lend_surface(self->share, NULL);
  debye_surface_clear(&surface);
  return is_solved;
}

gboolean
debye_map_equation_solve(DebyeMapEquationSolver *self, const DebyeSpheres *spheres, const float *charges,
                         gsize frame, float *map, double *field, DebyePoissonReport *report,
                         DebyeLaneTotals *lanes, const volatile bool *cancel, GError **error)
{
  return self->outer != NULL
             ? solve_both(self, spheres, charges, frame, map, field, report, lanes, cancel, error)
             : execute(self->share, spheres, charges, frame, map, field, report, lanes, cancel, error);
}
