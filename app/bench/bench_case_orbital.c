/* SPDX-License-Identifier: MIT */
/* Maps of an orbital, on the first of the devices, for bench_case.c. */
#include "bench_case.h"

#include "app/analysis/driver/device_choice.h"
#include "bench_orbital.h"
#include "data/files/error.h"

#define TOLERANCE 1e-8

typedef struct {
  const DebyeBenchCase *asked;
  DebyeBenchOrbital *subject;
  DebyeOrbitalSet *set;
  const DebyeOrbitalKernel *kernel;
  DebyeKernelPlan *plan;
  float *map;
} Drawing;

static void
close_drawing(gpointer opened)
{
  Drawing *self = opened;
  if (self->plan != NULL)
    self->kernel->head.destroy(self->plan);
  debye_orbital_set_free(self->set);
  g_free(self->subject);
  g_free(self->map);
  g_free(self);
}

static DebyeStatusCode
plan(Drawing *self, DebyeStatus *status)
{
  const DebyeOrbitalBasis *basis = &self->subject->molecule.basis;
  DebyeStatusCode code = debye_orbital_set_new(basis, 1, false, TOLERANCE, &self->set, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  debye_orbital_set_add(self->set, self->subject->coefficients, DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_VALUE,
                        1.0);
  const DebyeOrbitalSettings settings = debye_orbital_settings_of(&self->subject->grid, self->set);
  code = self->kernel->head.create(self->asked->devices[0]->device, &settings, &self->plan, status);
  if (code == DEBYE_STATUS_OK)
    code = self->kernel->set(self->plan, self->set, status);
  return code;
}

static gpointer
open_drawing(const DebyeBenchCase *asked, GError **error)
{
  Drawing *self = g_new0(Drawing, 1);
  DebyeStatus status = {0};
  self->asked = asked;
  self->kernel = asked->devices[0]->backend->orbital;
  self->subject = debye_bench_orbital_new(asked->sizes[DEBYE_BENCH_POINTS]);
  self->map = g_try_new(float, debye_grid_n_points(&self->subject->grid));
  if (self->map == NULL)
    debye_error_set(error, DEBYE_ERROR_MEMORY, "bench: no memory for the map; choose fewer points");
  else if (debye_device_check(plan(self, &status), &status, error))
    return self;
  close_drawing(self);
  return NULL;
}

static gboolean
run_drawing(gpointer opened, GError **error)
{
  Drawing *self = opened;
  DebyeStatus status = {0};
  DebyeStatusCode code = self->kernel->compute(self->plan, 0, 1, false, self->asked->repeats.cancel, &status);
  if (code == DEBYE_STATUS_OK)
    code = self->kernel->get_map(self->plan, self->map, &status);
  return debye_device_check(code, &status, error);
}

static gboolean
finish_drawing(gpointer opened, DebyeBenchResult *result, GError **error G_GNUC_UNUSED)
{
  const Drawing *self = opened;
  result->evaluations = debye_bench_orbital_count(self->subject, &self->subject->grid);
  result->error = debye_bench_orbital_find_error(self->subject, &self->subject->grid, self->map);
  return TRUE;
}

const DebyeBenchFamily debye_bench_orbitals = {open_drawing, run_drawing, finish_drawing, close_drawing};
