/* SPDX-License-Identifier: MIT */
/* Implementation of map_poisson.h: what Poisson-Boltzmann's equation is given of a plan and a frame, and what is said of its
 * solution. */
#include "map_poisson.h"

#include <math.h>

#include "data/files/error.h"
#include "data/tables/elements.h"
#include "kernels/host_memory.h"
#include "map_grid.h"

/* 1/Å³ of 1 mol/l. */
#define NUMBER_DENSITY 6.02214076e-4
#define GAS_CONSTANT 1.98720425864e-3 /* kcal/(mol K) */
#define JOULES_PER_CALORIE 4.184
#define USUAL_TEMPERATURE 298.15
/* Far enough for the boundary's sum to be a good guess of what is beyond. */
#define USUAL_PADDING 10.0
#define USUAL_SPACING 0.5
#define MAX_POINTS 7.2e6 /* of a suggested grid: 193³ */
#define MAX_CYCLES 200

struct DebyeMapPoisson {
  const DebyeMapPlan *plan;
  DebyePoissonSalt salt;
  DebyeSharing *solvent, *vacuum; /* vacuum: for energies */
  double *field;                  /* the reaction field at each charge; NULL: no energies */
  float *vacuum_map;
  /* Over the frames. */
  gsize n_frames, n_cycles;
  double residual;              /* the worst */
  double reaction, from_vacuum; /* sums of energies, kT */
};

gboolean
debye_map_is_poisson(const DebyeMapSettings *settings)
{
  return settings->method == DEBYE_MAP_METHOD_PB;
}

/* Settings. */

/* Of water at 1 atm, C. G. Malmberg & A. A. Maryott, J. Res. Natl. Bur. Stand. 56 (1956) 1. */
static double
water_permittivity(double temperature)
{
  const double t = temperature - 298.15;
  return 78.54 * (1.0 + t * (-4.579e-3 + t * (1.19e-5 - t * 2.8e-8)));
}

void
debye_map_poisson_settle(DebyeRequest *request, DebyeMapSettings *settings)
{
  if (!debye_map_is_poisson(settings))
    return;
  if (!debye_request_is_set(request, "select")) {
    settings->select = "solute";
    debye_request_set_effective(request, "select", settings->select);
  }
  if (!debye_request_is_set(request, "temperature")) {
    settings->temperature = USUAL_TEMPERATURE;
    debye_request_set_effective_number(request, "temperature", settings->temperature);
  }
  if (!debye_request_is_set(request, "permittivity")) {
    settings->permittivity = water_permittivity(settings->temperature);
    debye_request_set_effective_number(request, "permittivity", settings->permittivity);
  }
  if (!settings->has_padding)
    settings->padding = USUAL_PADDING;
}

/* Radii. */

static gboolean
has_any_radius(const float *radii, const GArray *atoms)
{
  for (guint i = 0; radii != NULL && i < atoms->len; i++)
    if (radii[g_array_index(atoms, guint32, i)] > 0.0f)
      return TRUE;
  return FALSE;
}

static GArray *
list_radii(DebyeTopology *topology, const float *of_file)
{
  const gsize n = debye_topology_get_n_atoms(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  GArray *radii = g_array_sized_new(FALSE, FALSE, sizeof(float), (guint)n);
  for (gsize i = 0; i < n; i++) {
    float radius = of_file != NULL    ? of_file[i]
                   : elements[i] == 0 ? 0.0f
                                      : debye_element_get_radius(elements[i], DEBYE_RADII_BONDI);
    radius = isfinite(radius) && radius > 0.0f ? radius : 0.0f;
    g_array_append_val(radii, radius);
  }
  return radii;
}

/* An atom without a radius has to lie within another, as hydroxyl hydrogens of AMBER and the charges of water models do. */
static gboolean
is_covered(const DebyeMapPlan *plan, guint32 atom)
{
  const DebyeFrame *frame = plan->frames.first;
  for (guint i = 0; i < plan->atoms->len; i++) {
    const guint32 other = g_array_index(plan->atoms, guint32, i);
    const double radius = (double)g_array_index(plan->radii, float, other);
    const double x = (double)frame->x[other] - (double)frame->x[atom];
    const double y = (double)frame->y[other] - (double)frame->y[atom];
    const double z = (double)frame->z[other] - (double)frame->z[atom];
    if (radius > 0.0 && x * x + y * y + z * z < radius * radius)
      return TRUE;
  }
  return FALSE;
}

static gboolean
check_radii(const DebyeMapPlan *plan, GError **error)
{
  const float *charges = debye_topology_get_charges(plan->topology);
  for (guint i = 0; i < plan->atoms->len; i++) {
    const guint32 atom = g_array_index(plan->atoms, guint32, i);
    if (g_array_index(plan->radii, float, atom) > 0.0f || charges[atom] == 0.0f || is_covered(plan, atom))
      continue;
    debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "Radii: atom %u has a charge and no radius, and lies within no other atom; expected a radius in the "
        "file, or --radii bondi",
        atom + 1);
    return FALSE;
  }
  return TRUE;
}

gboolean
debye_map_poisson_choose_radii(DebyeMapPlan *plan, const char **key, GError **error)
{
  const float *of_file = debye_topology_get_radii(plan->topology);
  const DebyeMapRadii source = plan->settings.radii;
  *key = "radii";
  if (source == DEBYE_MAP_RADII_FILE && !has_any_radius(of_file, plan->atoms)) {
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "Radii: the files have none; expected a PQR file, or --radii bondi");
    return FALSE;
  }
  plan->has_own_radii = source != DEBYE_MAP_RADII_BONDI && has_any_radius(of_file, plan->atoms);
  plan->radii = list_radii(plan->topology, plan->has_own_radii ? of_file : NULL);
  if (!check_radii(plan, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

/* The grid. */

double
debye_map_poisson_suggest_spacing(const DebyeMapPlan *plan)
{
  return MAX(USUAL_SPACING,
             debye_map_grid_spacing_for(plan->low, plan->high, plan->settings.padding, MAX_POINTS));
}

/* Points are added on both sides, unless a person placed the origin. */
gboolean
debye_map_poisson_fit_grid(DebyeMapPlan *plan, const char **key, GError **error)
{
  DebyeGrid *grid = &plan->potential.grid;
  const double spacing = plan->settings.spacing;
  double *origin[3] = {&grid->origin.x, &grid->origin.y, &grid->origin.z};
  const double low[3] = {plan->low.x, plan->low.y, plan->low.z},
               high[3] = {plan->high.x, plan->high.y, plan->high.z};
  for (int axis = 0; axis < 3; axis++) {
    const gsize wanted = grid->shape[axis], rounded = debye_poisson_round(wanted);
    if (!plan->settings.has_origin)
      *origin[axis] -= spacing * (double)((rounded - wanted) / 2);
    grid->shape[axis] = rounded;
    const double end = *origin[axis] + spacing * (double)(rounded - 1);
    if (low[axis] - *origin[axis] >= 2.5 * spacing && end - high[axis] >= 2.5 * spacing)
      continue;
    *key = plan->settings.has_shape || plan->settings.has_origin ? "shape" : "padding";
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "Grid: it cuts the molecule along %c; expected three grid points around the atoms, "
                    "better %g Å",
                    'x' + axis, USUAL_PADDING);
    return FALSE;
  }
  return TRUE;
}

static double
screening_of(const DebyeMapSettings *settings, double length)
{
  return 8.0 * G_PI * length * NUMBER_DENSITY * settings->ionic_strength;
}

DebyePoissonMedium
debye_map_poisson_medium(const DebyeMapPlan *plan)
{
  const DebyeMapSettings *settings = &plan->settings;
  const DebyeGrid *grid = &plan->potential.grid;
  const double length = DEBYE_BJERRUM_VACUUM(settings->temperature);
  return (DebyePoissonMedium){.grid = {grid->origin,
                                       {settings->spacing, settings->spacing, settings->spacing},
                                       {grid->shape[0], grid->shape[1], grid->shape[2]}},
                              .surface = settings->surface,
                              .probe = settings->probe,
                              .solute = settings->solute_permittivity,
                              .solvent = settings->permittivity,
                              .length = length,
                              .screening = screening_of(settings, length),
                              .ion_radius = settings->ion_radius};
}

/* Seconds of a point on a core and on a GPU, as tests/bench/RESULTS.md has them, and what a GPU's start costs. */
#define CORE_SECONDS 0.6e-6
#define ACCELERATOR_SECONDS 6e-9
#define ACCELERATOR_START 0.3

void
debye_map_poisson_estimate(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                           double *seconds, guint64 *device_bytes)
{
  const DebyePoissonMedium medium = debye_map_poisson_medium(plan);
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

/* In words. */

typedef struct {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
} Number;

static const char *
format_number(Number *number, const char *format, double value)
{
  return g_ascii_formatd(number->text, sizeof number->text, format, value);
}

char *
debye_map_poisson_describe_medium(const DebyeMapSettings *settings)
{
  static const char *const surfaces[] = {"solvent-excluded", "van der Waals", "solvent-accessible"};
  Number solute, solvent, strength, temperature;
  return g_strdup_printf("ε = %s within the %s surface, %s outside, ionic strength %s mol/l, %s K",
                         format_number(&solute, "%.6g", settings->solute_permittivity),
                         surfaces[settings->surface], format_number(&solvent, "%.6g", settings->permittivity),
                         format_number(&strength, "%.6g", settings->ionic_strength),
                         format_number(&temperature, "%.6g", settings->temperature));
}

char *
debye_map_poisson_describe_method(const DebyeMapSettings *settings)
{
  Number residual, probe, ion;
  return g_strdup_printf(
      "%s Poisson-Boltzmann equation to a residual of %s, probe %s Å, ions from %s Å off the atoms",
      settings->equation == DEBYE_MAP_EQUATION_NONLINEAR ? "nonlinear" : "linear",
      format_number(&residual, "%g", settings->residual), format_number(&probe, "%g", settings->probe),
      format_number(&ion, "%g", settings->ion_radius));
}

/* Solving. */

static DebyeSharing *
open_lanes(const DebyeMapPoisson *self, gboolean in_vacuum, const DebyeDeviceEntry *const *devices,
           gsize n_devices, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  DebyePoissonLanesSettings lanes = {.medium = debye_map_poisson_medium(self->plan),
                                     .goal = {.tolerance = settings->residual, .max_cycles = MAX_CYCLES},
                                     .memory_limit = self->plan->memory_limit};
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  if (in_vacuum) {
    lanes.medium.solvent = 1.0;
    lanes.medium.screening = 0.0;
  } else if (settings->equation == DEBYE_MAP_EQUATION_NONLINEAR) {
    lanes.goal.salt = &self->salt;
  }
  if (debye_poisson_lanes_create(&lanes, devices, n_devices, &share, &status) != DEBYE_STATUS_OK)
    debye_device_set_error(error, &status);
  return share;
}

DebyeMapPoisson *
debye_map_poisson_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                      GError **error)
{
  g_autoptr(DebyeMapPoisson) self = g_new0(DebyeMapPoisson, 1);
  self->plan = plan;
  self->salt = (DebyePoissonSalt){2, {1.0, -1.0}, {0.5, 0.5}};
  self->solvent = open_lanes(self, FALSE, devices, n_devices, error);
  if (self->solvent == NULL)
    return NULL;
  if (!plan->settings.energies)
    return g_steal_pointer(&self);
  self->vacuum = open_lanes(self, TRUE, devices, n_devices, error);
  if (self->vacuum == NULL)
    return NULL;
  self->field = g_try_new(double, debye_topology_get_n_atoms(plan->topology));
  self->vacuum_map = g_try_new(float, debye_grid_n_points(&plan->potential.grid));
  if (self->field == NULL || self->vacuum_map == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "Grid spacing: no memory for a map of this many points");
    return NULL;
  }
  return g_steal_pointer(&self);
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

gboolean
debye_map_poisson_solve(DebyeMapPoisson *self, const DebyeMapFrame *frame, float *map, DebyeLaneTotals *lanes,
                        const volatile bool *cancel, GError **error)
{
  const double length = DEBYE_BJERRUM_VACUUM(self->plan->settings.temperature);
  const gsize n_points = debye_grid_n_points(&self->plan->potential.grid);
  if (!solve(self, self->solvent, frame, map, lanes, cancel, error))
    return FALSE;
  if (self->vacuum != NULL) {
    const double reaction = sum_energy(self, frame);
    if (!solve(self, self->vacuum, frame, self->vacuum_map, lanes, cancel, error))
      return FALSE;
    self->reaction += reaction;
    self->from_vacuum += reaction - sum_energy(self, frame);
  }
  for (gsize i = 0; i < n_points; i++)
    map[i] = (float)((double)map[i] / length);
  self->n_frames++;
  return TRUE;
}

static void
add_energy(const DebyeMapPoisson *self, const char *what, double sum, DebyeResult *result)
{
  const double mean = sum / (double)self->n_frames;
  const double kcal = mean * GAS_CONSTANT * self->plan->settings.temperature;
  Number in_kt, in_kcal, in_kj;
  debye_result_add_note(
      result, "%s: %s kcal/mol, %s kJ/mol, %s kT%s", what, format_number(&in_kcal, "%.2f", kcal),
      format_number(&in_kj, "%.2f", kcal * JOULES_PER_CALORIE), format_number(&in_kt, "%.3f", mean),
      self->n_frames > 1 ? ", mean of the frames" : "");
}

void
debye_map_poisson_add_notes(const DebyeMapPoisson *self, DebyeResult *result)
{
  Number residual, wanted, cycles;
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
                        self->plan->has_own_radii ? "the files'" : "Bondi's, with 1.20 Å for hydrogen");
  if (self->vacuum == NULL)
    return;
  add_energy(self, "Reaction field energy, from the solute's permittivity everywhere", self->reaction,
             result);
  add_energy(self, "Solvation energy, from vacuum", self->from_vacuum, result);
}
