/* SPDX-License-Identifier: MIT */
/* Implementation of orbital_electrostatics.h; called by orbital_run.c and orbital_points.c. */
#include "orbital_electrostatics.h"

#include <math.h>

#include "app/analysis/driver/device_choice.h"
#include "data/files/error.h"
#include "kernels/chunk_threads.h"
#include "kernels/orbital/orbital_potential.h"

/* hartree/e: all products that are left out together stay far below the 1e-5 that is promised. */
#define TOLERANCE 1e-11
#define CHUNK 64 /* points that a thread takes at a time */
#define CHUNKS_AT_ONCE 64

struct _DebyeOrbitalElectrostatics {
  const DebyeOrbitalPlan *plan;
  DebyeOrbitalPotential *electrons;
};

/* --- The density matrix --- */

static void
add_orbital(const double *row, double occupation, gsize n, double *density)
{
  for (gsize i = 0; i < n; i++) {
    const double weight = occupation * row[i];
    if (weight == 0.0)
      continue;
    for (gsize j = 0; j < n; j++)
      density[i * n + j] += weight * row[j];
  }
}

static double *
make_density(const DebyeOrbitalPlan *plan, GError **error)
{
  const gsize n = plan->wave->n_cartesian;
  double *density = g_try_new0(double, n *n);
  g_autofree double *row = g_new(double, n);
  if (density == NULL) {
    debye_error_set_memory(error, NULL, n * n, "elements of the density matrix");
    return NULL;
  }
  for (guint i = 0; i < plan->wave->orbitals->len; i++) {
    const double occupation = debye_orbital_plan_get_weight(plan, DEBYE_ORBITAL_MAP_DENSITY, i);
    if (occupation == 0.0)
      continue;
    debye_wave_function_get_cartesian(plan->wave, i, row);
    add_orbital(row, occupation, n, density);
  }
  return density;
}

DebyeOrbitalElectrostatics *
debye_orbital_electrostatics_new(const DebyeOrbitalPlan *plan, const volatile bool *cancel, GError **error)
{
  g_autoptr(DebyeOrbitalElectrostatics) self = g_new0(DebyeOrbitalElectrostatics, 1);
  g_autofree double *density = make_density(plan, error);
  DebyeStatus status = {0};
  self->plan = plan;
  if (density == NULL)
    return NULL;
  const DebyeStatusCode code = debye_orbital_potential_new(
      &plan->basis, density, TOLERANCE, plan->memory_limit, cancel, &self->electrons, &status);
  if (code == DEBYE_STATUS_OK)
    return g_steal_pointer(&self);
  if (code == DEBYE_STATUS_NO_MEMORY)
    debye_error_set_memory(error, NULL, plan->wave->exponents->len, "Gaussians and their products");
  else
    debye_device_check(code, &status, error);
  return NULL;
}

void
debye_orbital_electrostatics_free(DebyeOrbitalElectrostatics *self)
{
  if (self != NULL)
    debye_orbital_potential_free(self->electrons);
  g_free(self);
}

/* --- Points --- */

typedef struct {
  const DebyeOrbitalElectrostatics *self;
  gsize n;
  const double *x, *y, *z;
  double *values;
} Call;

static double
sum_nuclei(const DebyeOrbitalPlan *plan, double x, double y, double z)
{
  double sum = 0.0;
  for (guint i = 0; i < plan->wave->atoms->len; i++) {
    const double dx = x - plan->x[i], dy = y - plan->y[i], dz = z - plan->z[i];
    const double charge = g_array_index(plan->wave->atoms, DebyeWaveAtom, i).nuclear_charge;
    if (charge != 0.0)
      sum += charge / sqrt(dx * dx + dy * dy + dz * dz);
  }
  return sum;
}

static void
compute_chunk(void *context, size_t chunk)
{
  const Call *call = context;
  const gsize first = chunk * CHUNK, n = MIN(CHUNK, call->n - first);
  debye_orbital_potential_compute(call->self->electrons, n, call->x + first, call->y + first, call->z + first,
                                  call->values + first);
  for (gsize i = first; i < first + n; i++)
    call->values[i] = sum_nuclei(call->self->plan, call->x[i], call->y[i], call->z[i]) - call->values[i];
}

void
debye_orbital_electrostatics_compute(const DebyeOrbitalElectrostatics *self, gsize n, const double *x,
                                     const double *y, const double *z, double *values)
{
  Call call = {self, n, x, y, z, values};
  debye_chunk_threads_run((n + CHUNK - 1) / CHUNK, compute_chunk, &call);
}

/* --- The grid --- */

static void
place_points(const DebyeGrid *grid, gsize first, gsize n, double *x, double *y, double *z)
{
  for (gsize i = 0; i < n; i++) {
    const gsize at = first + i, nx = grid->shape[0], ny = grid->shape[1];
    DebyeVec3 place = debye_vec3_add(grid->origin, debye_vec3_scale(grid->step[0], (double)(at % nx)));
    place = debye_vec3_add(place, debye_vec3_scale(grid->step[1], (double)(at / nx % ny)));
    place = debye_vec3_add(place, debye_vec3_scale(grid->step[2], (double)(at / (nx * ny))));
    x[i] = place.x / DEBYE_BOHR;
    y[i] = place.y / DEBYE_BOHR;
    z[i] = place.z / DEBYE_BOHR;
  }
}

gboolean
debye_orbital_electrostatics_fill(const DebyeOrbitalElectrostatics *self, gsize first_plane, gsize n_planes,
                                  const volatile bool *cancel, void (*progress)(gpointer data, double part),
                                  gpointer data, float *values)
{
  const gsize points = self->plan->grid.shape[0] * self->plan->grid.shape[1], most = CHUNK * CHUNKS_AT_ONCE;
  const gsize begin = first_plane * points, end = begin + n_planes * points;
  g_autofree double *places = g_new(double, 4 * most);
  double *x = places, *y = x + most, *z = y + most, *found = z + most;
  for (gsize first = begin; first < end; first += most) {
    const gsize count = MIN(most, end - first);
    if (debye_is_cancelled(cancel))
      return FALSE;
    place_points(&self->plan->grid, first, count, x, y, z);
    debye_orbital_electrostatics_compute(self, count, x, y, z, found);
    for (gsize i = 0; i < count; i++)
      values[first + i] = isfinite(found[i]) ? (float)found[i] : NAN;
    if (progress != NULL)
      progress(data, (double)(first + count - begin) / (double)(end - begin));
  }
  return TRUE;
}

void
debye_orbital_electrostatics_tell(const DebyeOrbitalElectrostatics *self, DebyeResult *result)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  debye_result_add_note(
      result,
      "Electrostatic potential: exact integrals of %" G_GSIZE_FORMAT
      " products of Gaussians; those left out add at most %s hartree/e",
      debye_orbital_potential_get_n_products(self->electrons),
      g_ascii_formatd(number, sizeof number, "%.1g", debye_orbital_potential_get_left_out(self->electrons)));
}
