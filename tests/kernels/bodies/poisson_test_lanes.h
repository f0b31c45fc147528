/* SPDX-License-Identifier: MIT */
/* Equations of the molecule of poisson_test_atoms.h in a box, for tests of the lanes that solve them. */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "kernels/poisson/poisson_lanes.h"
#include "poisson_test_atoms.h"
#include "tests/support/check.h"

#define PI 3.14159265358979323846
#define TOLERANCE 1e-7

static inline size_t
count_points(const DebyePoissonMedium *medium)
{
  return medium->grid.shape[0] * medium->grid.shape[1] * medium->grid.shape[2];
}

/* A box of 32 Å around the molecule. */
static inline DebyePoissonLanesSettings
settings_of(size_t nx, size_t ny, size_t nz, const DebyePoissonSalt *with_salt)
{
  const double length = DEBYE_BJERRUM_VACUUM(298.15);
  return (DebyePoissonLanesSettings){
      .medium = {.grid = {{-16.1, -15.7, -14.9},
                          {32.2 / (double)(nx - 1), 31.4 / (double)(ny - 1), 29.7 / (double)(nz - 1)},
                          {nx, ny, nz}},
                 .surface = DEBYE_SURFACE_EXCLUDED,
                 .probe = 1.4,
                 .solute = 2.0,
                 .solvent = 78.54,
                 .length = length,
                 .screening = 8.0 * PI * length * 6.02214076e-4 * 0.15,
                 .ion_radius = 2.0},
      .goal = {.tolerance = TOLERANCE, .max_cycles = 80, .salt = with_salt},
      .boundary = DEBYE_POISSON_DEBYE_HUECKEL};
}

static inline DebyeStatusCode
execute_until(DebyeSharing *share, const Atoms *atoms, const volatile bool *cancel, float *map,
              DebyePoissonReport *report, DebyeStatus *status)
{
  const DebyeSpheres spheres = spheres_of(atoms);
  return debye_poisson_lanes_execute(share, &spheres, atoms->charge, map, NULL, report, cancel, status);
}

static inline DebyeSharing *
open_lanes(const DebyePoissonLanesSettings *settings, const DebyeDeviceEntry *const *devices, size_t n)
{
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  const DebyeStatusCode code = debye_poisson_lanes_create(settings, devices, n, &share, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  return share;
}

static inline bool
execute(DebyeSharing *share, const Atoms *atoms, float *map, DebyePoissonReport *report)
{
  DebyeStatus status = {0};
  const DebyeStatusCode code = execute_until(share, atoms, NULL, map, report, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  return code == DEBYE_STATUS_OK;
}

/* Rms of the difference over the rms. */
static inline double
differ(const float *map, const float *other, size_t n)
{
  double error = 0.0, whole = 0.0;
  for (size_t i = 0; i < n; i++) {
    error += ((double)map[i] - (double)other[i]) * ((double)map[i] - (double)other[i]);
    whole += (double)other[i] * (double)other[i];
  }
  return sqrt(error / whole);
}

static inline void
solve_alone(const DebyePoissonLanesSettings *settings, const DebyeDeviceEntry *device, const Atoms *atoms,
            float *map)
{
  DebyePoissonReport report;
  DebyeSharing *share = open_lanes(settings, &device, 1);
  if (share != NULL && execute(share, atoms, map, &report))
    CHECK_AT_MOST(report.residual, TOLERANCE);
  debye_sharing_free(share);
}
