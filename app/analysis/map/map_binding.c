/* SPDX-License-Identifier: MIT */
/* Implementation of map_binding.h. */
#include "map_binding.h"

#include "data/files/error.h"
#include "kernels/poisson/poisson_energy.h"
#include "kernels/surface/surface_area.h"
#include "map_partners.h"

/* --- Energies --- */

/* A partner's atoms, copied. */
typedef struct {
  float *x, *y, *z, *radius, *charge;
  double *field, *areas;
  gsize n;
} Partner;

struct DebyeMapBinding {
  const DebyeMapPlan *plan;
  guint8 *partners; /* of each chosen atom, 1 or 2 */
  DebyeMapEquationSolver equation;
  float *map;
  Partner partner; /* the one at hand; room for all atoms */
};

static gboolean
allocate(DebyeMapBinding *self)
{
  const gsize n = self->plan->atoms->len;
  float **const numbers[] = {&self->partner.x, &self->partner.y, &self->partner.z, &self->partner.radius,
                             &self->partner.charge};
  gboolean good = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    good = (*numbers[i] = g_try_new(float, n)) != NULL && good;
  good = (self->partner.field = g_try_new(double, n)) != NULL && good;
  good = (self->partner.areas = g_try_new(double, n)) != NULL && good;
  return (self->map = g_try_new(float, debye_grid_n_points(&self->plan->potential.grid))) != NULL && good;
}

DebyeMapBinding *
debye_map_binding_new(const DebyeMapPlan *plan, const DebyeDeviceEntry *const *devices, gsize n_devices,
                      GError **error)
{
  DebyeMapBinding *self = g_new0(DebyeMapBinding, 1);
  self->plan = plan;
  self->partners =
      debye_map_partners_find(plan->settings.binding, plan->topology, plan->frames.first, plan->atoms, error);
  gboolean good = self->partners != NULL;
  if (good && !allocate(self)) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "Grid spacing: no memory for a map of this many points");
    good = FALSE;
  }
  good =
      good && debye_map_equation_open(&self->equation, plan, DEBYE_MAP_IN_SOLVENT, devices, n_devices, error);
  if (good)
    return self;
  debye_map_binding_free(self);
  return NULL;
}

void
debye_map_binding_free(DebyeMapBinding *self)
{
  if (self == NULL)
    return;
  debye_map_equation_clear(&self->equation);
  g_free(self->partners);
  g_free(self->map);
  g_free(self->partner.x);
  g_free(self->partner.y);
  g_free(self->partner.z);
  g_free(self->partner.radius);
  g_free(self->partner.charge);
  g_free(self->partner.field);
  g_free(self->partner.areas);
  g_free(self);
}

static DebyeSpheres
gather(DebyeMapBinding *self, const DebyeSpheres *spheres, const float *charges, guint8 which)
{
  Partner *partner = &self->partner;
  partner->n = 0;
  for (gsize i = 0; i < spheres->n; i++) {
    if (self->partners[i] != which)
      continue;
    partner->x[partner->n] = spheres->x[i];
    partner->y[partner->n] = spheres->y[i];
    partner->z[partner->n] = spheres->z[i];
    partner->radius[partner->n] = spheres->radius[i];
    partner->charge[partner->n++] = charges[i];
  }
  return (DebyeSpheres){partner->x, partner->y, partner->z, partner->radius, partner->n};
}

/* Coulomb's energy in e²/Å, and the area where it is asked for. */
static gboolean
measure(DebyeMapBinding *self, const DebyeSpheres *spheres, const float *charges, double *coulomb,
        double *area, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  DebyeStatus status = {0};
  DebyeStatusCode code =
      debye_poisson_coulomb_energy(spheres, charges, &debye_chunk_threads, coulomb, &status);
  *area = 0.0;
  if (code == DEBYE_STATUS_OK && settings->nonpolar != NULL)
    code = debye_surface_areas(spheres, settings->probe, &debye_chunk_threads, self->partner.areas, &status);
  for (gsize i = 0; i < spheres->n && code == DEBYE_STATUS_OK && settings->nonpolar != NULL; i++)
    *area += self->partner.areas[i];
  return debye_device_check(code, &status, error);
}

/* Of the partner at hand, alone in the solvent. */
static gboolean
solve_partner(DebyeMapBinding *self, const DebyeSpheres *spheres, gsize frame, double *energy,
              double *residual, DebyeLaneTotals *lanes, const volatile bool *cancel, GError **error)
{
  const Partner *partner = &self->partner;
  DebyePoissonReport report;
  DebyeStatus status = {0};
  double ions = 0.0;
  debye_map_equation_forget(&self->equation);
  if (!debye_map_equation_solve(&self->equation, spheres, partner->charge, frame, self->map, partner->field,
                                &report, lanes, cancel, error))
    return FALSE;
  if (self->plan->settings.equation == DEBYE_MAP_EQUATION_NONLINEAR &&
      debye_poisson_lanes_ions_energy(self->equation.share, &ions, &status) != DEBYE_STATUS_OK)
    return debye_device_set_error(error, &status);
  *energy = ions;
  for (gsize i = 0; i < spheres->n; i++)
    *energy += 0.5 * (double)partner->charge[i] * partner->field[i];
  *residual = MAX(*residual, report.residual);
  return TRUE;
}

gboolean
debye_map_binding_solve(DebyeMapBinding *self, const DebyeSpheres *spheres, const float *charges, gsize frame,
                        double complex_energy, DebyeMapBindingEnergy *energy, double *residual,
                        DebyeLaneTotals *lanes, const volatile bool *cancel, GError **error)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  const double scale = DEBYE_BJERRUM_VACUUM(settings->temperature) / settings->solute_permittivity;
  double coulomb, area;
  if (!measure(self, spheres, charges, &coulomb, &area, error))
    return FALSE;
  *energy = (DebyeMapBindingEnergy){complex_energy, scale * coulomb, area};
  for (guint8 which = 1; which <= 2; which++) {
    const DebyeSpheres alone = gather(self, spheres, charges, which);
    double reaction;
    if (!measure(self, &alone, self->partner.charge, &coulomb, &area, error) ||
        !solve_partner(self, &alone, frame, &reaction, residual, lanes, cancel, error))
      return FALSE;
    energy->reaction -= reaction;
    energy->coulomb -= scale * coulomb;
    energy->area -= area;
  }
  return TRUE;
}
