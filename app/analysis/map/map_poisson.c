/* SPDX-License-Identifier: MIT */
/* Implementation of map_poisson.h: what Poisson-Boltzmann's equation is given of a plan and a frame, and what is said of its
 * solution. */
#include "map_poisson.h"

#include <math.h>

#include "data/files/error.h"
#include "map_energies.h"
#include "map_grid.h"
#include "map_salt.h"

#define MAX_CYCLES 200

struct DebyeMapPoisson {
  const DebyeMapPlan *plan;
  DebyePoissonSalt salt;
  DebyeSharing *solvent, *vacuum; /* vacuum: for energies */
  double *field;                  /* the reaction field at each charge; NULL: no energies */
  float *vacuum_map;
  DebyeSharing *coarse; /* at twice the spacing; NULL: the grid's error isn't asked for */
  float *coarse_map;
  double *areas; /* of the atoms; NULL: no nonpolar energy */
  /* Over the frames. */
  gsize n_frames, n_cycles;
  double residual;   /* the worst */
  double grid_error; /* likewise */
  DebyeMapEnergies energies;
};

/* Seconds of a point on a core and on a GPU, as tests/bench/RESULTS.md has them, and what a GPU's start costs. */
#define CORE_SECONDS 0.6e-6
#define ACCELERATOR_SECONDS 6e-9
#define ACCELERATOR_START 0.3

void
debye_map_poisson_estimate(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                           double *seconds, guint64 *device_bytes)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(&plan->settings, &plan->potential.grid);
  const gboolean nonlinear = plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR;
  const double points = debye_map_grid_count(&plan->potential.grid) * (plan->settings.energies ? 2.0 : 1.0) *
                        (nonlinear ? 1.7 : 1.0);
  const double cores = (double)MAX(devices[n_devices - 1]->info.units, 1);
  *device_bytes = 0;
  if (debye_device_is_cpu(devices[0])) {
    *seconds = points * CORE_SECONDS / cores;
    return;
  }
  *seconds = points * ACCELERATOR_SECONDS + 0.3 * points * CORE_SECONDS / cores + ACCELERATOR_START;
  *device_bytes = debye_poisson_lanes_device_bytes(&medium, nonlinear, devices[0]);
}

typedef struct {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
} Number;

static const char *
format_number(Number *number, const char *format, double value)
{
  return g_ascii_formatd(number->text, sizeof number->text, format, value);
}

/* Solving. */

typedef enum {
  IN_SOLVENT,
  IN_VACUUM,
  COARSE, /* in the solvent, at twice the spacing */
} Equation;

static void
coarsen(DebyeSurfaceGrid *grid)
{
  for (int axis = 0; axis < 3; axis++) {
    grid->step[axis] *= 2.0;
    grid->shape[axis] = (grid->shape[axis] + 1) / 2;
  }
}

static DebyeSharing *
open_lanes(const DebyeMapPoisson *self, Equation equation, const DebyeDeviceEntry *const *devices,
           gsize n_devices, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  DebyePoissonLanesSettings lanes = {.medium =
                                         debye_map_poisson_medium(settings, &self->plan->potential.grid),
                                     .goal = {.tolerance = settings->residual, .max_cycles = MAX_CYCLES},
                                     .memory_limit = self->plan->memory_limit};
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  if (equation == COARSE)
    coarsen(&lanes.medium.grid);
  if (equation == IN_VACUUM) {
    lanes.medium.solvent = 1.0;
    lanes.medium.screening = 0.0;
  } else if (settings->equation == DEBYE_MAP_EQUATION_NONLINEAR) {
    lanes.goal.salt = &self->salt;
  }
  if (debye_poisson_lanes_create(&lanes, devices, n_devices, &share, &status) != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return share;
}

static gboolean
open_coarse(DebyeMapPoisson *self, const DebyeDeviceEntry *const *devices, gsize n_devices, GError **error)
{
  const gsize *shape = self->plan->potential.grid.shape;
  if (shape[0] % 2 == 0 || shape[1] % 2 == 0 || shape[2] % 2 == 0) {
    debye_error_set_about(error, DEBYE_ERROR_VALUE, "Error of the grid",
                          "it needs odd numbers of points along all axes, found %zu, %zu and %zu", shape[0],
                          shape[1], shape[2]);
    return FALSE;
  }
  self->coarse_map = g_try_new(float, debye_grid_n_points(&self->plan->potential.grid) / 2);
  if (self->coarse_map == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "Grid spacing: no memory for a map of this many points");
    return FALSE;
  }
  self->coarse = open_lanes(self, COARSE, devices, n_devices, error);
  return self->coarse != NULL;
}

DebyeMapPoisson *
debye_map_poisson_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                      GError **error)
{
  g_autoptr(DebyeMapPoisson) self = g_new0(DebyeMapPoisson, 1);
  DebyeMapSalt ions;
  self->plan = plan;
  if (!debye_map_salt_read(plan->settings.salt, &ions, error))
    return NULL;
  self->salt = debye_map_salt_shares(&ions);
  self->solvent = open_lanes(self, IN_SOLVENT, devices, n_devices, error);
  if (self->solvent == NULL)
    return NULL;
  const gsize n_atoms = debye_topology_get_n_atoms(plan->topology);
  gboolean has_memory = TRUE;
  if (plan->settings.nonpolar != NULL)
    has_memory = (self->areas = g_try_new(double, n_atoms)) != NULL;
  if (plan->settings.energies) {
    self->vacuum = open_lanes(self, IN_VACUUM, devices, n_devices, error);
    if (self->vacuum == NULL)
      return NULL;
    self->field = g_try_new(double, n_atoms);
    self->vacuum_map = g_try_new(float, debye_grid_n_points(&plan->potential.grid));
    has_memory = has_memory && self->field != NULL && self->vacuum_map != NULL;
  }
  if (plan->settings.grid_error && !open_coarse(self, devices, n_devices, error))
    return NULL;
  if (has_memory)
    return g_steal_pointer(&self);
  debye_error_set(error, DEBYE_ERROR_MEMORY, "Grid spacing: no memory for a map of this many points");
  return NULL;
}

void
debye_map_poisson_free(DebyeMapPoisson *self)
{
  if (self == NULL)
    return;
  g_clear_pointer(&self->solvent, debye_sharing_free);
  g_clear_pointer(&self->vacuum, debye_sharing_free);
  g_free(self->field);
  g_free(self->vacuum_map);
  g_clear_pointer(&self->coarse, debye_sharing_free);
  g_free(self->coarse_map);
  g_free(self->areas);
  g_free(self);
}

static double
sum_energy(const DebyeMapPoisson *self, const DebyeMapFrame *frame)
{
  double sum = 0.0;
  for (gsize i = 0; i < frame->charges.n; i++)
    sum += 0.5 * (double)frame->charges.charge[i] * self->field[i];
  return sum;
}

static gboolean
solve(DebyeMapPoisson *self, DebyeSharing *share, const DebyeMapFrame *frame, float *map,
      DebyeLaneTotals *lanes, const volatile bool *cancel, GError **error)
{
  const DebyeCharges *charges = &frame->charges;
  const DebyeSpheres spheres = {charges->x, charges->y, charges->z, frame->radius, charges->n};
  const DebyeLaneReport *reports;
  DebyePoissonReport report;
  DebyeStatus status = {0};
  const DebyeStatusCode code = debye_poisson_lanes_execute(share, &spheres, charges->charge, map, self->field,
                                                           &report, cancel, &status);
  if (code == DEBYE_STATUS_INVALID)
    debye_error_set(error, DEBYE_ERROR_VALUE, "Frames: frame %" G_GSIZE_FORMAT ": %s", frame->frame->index,
                    status.text);
  else if (code != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  if (code != DEBYE_STATUS_OK)
    return FALSE;
  const gsize n_reports = debye_sharing_get_reports(share, &reports);
  debye_lane_totals_add(lanes, reports, n_reports);
  self->residual = MAX(self->residual, report.residual);
  self->n_cycles += share == self->solvent ? report.cycles : 0;
  return TRUE;
}

/* Of the frame whose map is there: what ions add, the second equation, and what needs none. */
static gboolean
add_energies(DebyeMapPoisson *self, const DebyeMapFrame *frame, DebyeLaneTotals *lanes,
             const volatile bool *cancel, GError **error)
{
  const DebyeCharges *charges = &frame->charges;
  const DebyeSpheres spheres = {charges->x, charges->y, charges->z, frame->radius, charges->n};
  const DebyeMapSettings *settings = &self->plan->settings;
  DebyeStatus status = {0};
  DebyeStatusCode code = DEBYE_STATUS_OK;
  double reaction = 0.0, ions = 0.0, in_vacuum = 0.0;
  if (self->vacuum != NULL) {
    reaction = sum_energy(self, frame);
    if (settings->equation == DEBYE_MAP_EQUATION_NONLINEAR)
      code = debye_poisson_lanes_ions_energy(self->solvent, &ions, &status);
    if (code == DEBYE_STATUS_OK && !solve(self, self->vacuum, frame, self->vacuum_map, lanes, cancel, error))
      return FALSE;
    in_vacuum = sum_energy(self, frame);
  }
  if (code == DEBYE_STATUS_OK)
    code = debye_map_energies_add_frame(&self->energies, settings, &spheres, charges->charge, self->areas,
                                        &status);
  if (code != DEBYE_STATUS_OK) {
    debye_device_set_error(error, &status);
    return FALSE;
  }
  self->energies.reaction += reaction + ions;
  self->energies.from_vacuum += reaction + ions - in_vacuum;
  self->energies.n_frames++;
  return TRUE;
}

/* The method is of second order: what half the spacing would change is a third of what twice the spacing does. */
static void
compare_grids(DebyeMapPoisson *self, const float *map)
{
  const gsize *shape = self->plan->potential.grid.shape;
  const gsize n[3] = {(shape[0] + 1) / 2, (shape[1] + 1) / 2, (shape[2] + 1) / 2};
  const bool *is_inner = debye_poisson_lanes_get_inner(self->solvent);
  double error = 0.0, whole = 0.0;
  for (gsize z = 0; z < n[2]; z++)
    for (gsize y = 0; y < n[1]; y++)
      for (gsize x = 0; x < n[0]; x++) {
        const gsize fine = 2 * x + shape[0] * (2 * y + shape[1] * 2 * z);
        const double value = (double)map[fine];
        const double change = (value - (double)self->coarse_map[x + n[0] * (y + n[1] * z)]) / 3.0;
        error += is_inner[fine] ? 0.0 : change * change;
        whole += is_inner[fine] ? 0.0 : value * value;
      }
  self->grid_error = MAX(self->grid_error, whole > 0.0 ? sqrt(error / whole) : 0.0);
}

gboolean
debye_map_poisson_solve(DebyeMapPoisson *self, const DebyeMapFrame *frame, float *map, DebyeLaneTotals *lanes,
                        const volatile bool *cancel, GError **error)
{
  const double length = DEBYE_BJERRUM_VACUUM(self->plan->settings.temperature);
  const gsize n_points = debye_grid_n_points(&self->plan->potential.grid);
  if ((self->coarse != NULL && !solve(self, self->coarse, frame, self->coarse_map, lanes, cancel, error)) ||
      !solve(self, self->solvent, frame, map, lanes, cancel, error))
    return FALSE;
  if (self->coarse != NULL)
    compare_grids(self, map);
  if (!add_energies(self, frame, lanes, cancel, error))
    return FALSE;
  for (gsize i = 0; i < n_points; i++)
    map[i] = (float)((double)map[i] / length);
  self->n_frames++;
  return TRUE;
}

void
debye_map_poisson_add_notes(const DebyeMapPoisson *self, DebyeResult *result)
{
  Number residual, wanted, cycles, error;
  if (self->n_frames == 0)
    return;
  format_number(&residual, "%.1e", self->residual);
  if (self->residual > self->plan->settings.residual)
    debye_result_add_note_of(result, DEBYE_NOTE_WARNING, "residual",
                             "the equation is solved to a residual of %s only, %s was asked for",
                             residual.text, format_number(&wanted, "%g", self->plan->settings.residual));
  debye_result_add_note(result, "Solved to a residual of %s, %s multigrid cycles per frame", residual.text,
                        format_number(&cycles, "%.3g", (double)self->n_cycles / (double)self->n_frames));
  debye_result_add_note(result, "Radii: %s",
                        self->plan->has_own_radii ? N_("the files'")
                                                  : N_("Bondi's, with 1.20 Å for hydrogen"));
  if (self->coarse != NULL)
    debye_result_add_note(
        result,
        "Error of the grid, from twice the spacing: %s %% of the potential's root mean square in the "
        "solvent",
        format_number(&error, "%.2g", 100.0 * self->grid_error));
  debye_map_energies_add(&self->energies, &self->plan->settings, self->residual,
                         (double)self->n_cycles / (double)self->n_frames,
                         self->coarse != NULL ? self->grid_error : NAN, result);
}
