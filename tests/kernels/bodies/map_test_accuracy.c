/* SPDX-License-Identifier: MIT */
/* Exact values, computed once. */
#include "map_test_accuracy.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/oracle_ewald.h"
#include "tests/support/oracle_partly_periodic.h"

/* The potential of an ion's own images with their background, times the edge: Wigner's lattice. */
#define SIMPLE_CUBIC_SELF -2.8372974794806
#define MOST_KEPT 128

static DebyeMapSamples kept[MOST_KEPT];
static size_t n_kept;

/* Different for any two systems that a test has. */
static double
fingerprint(const DebyeCharges *charges)
{
  double sum = 0.0;
  for (size_t i = 0; i < charges->n; i++)
    sum += (double)charges->charge[i] *
           (1.0 + (double)charges->x[i] + 1.7 * (double)charges->y[i] + 2.9 * (double)charges->z[i]);
  return sum;
}

static double
gaussian_width(const DebyePotentialSettings *settings)
{
  return settings->reciprocal_only ? settings->ewald_width : 0.0;
}

static bool
is_of(const DebyeMapSamples *samples, const DebyePotentialSettings *settings, double of_charges, size_t n)
{
  return samples->fingerprint == of_charges && samples->n == n &&
         samples->settings.periodic == settings->periodic &&
         gaussian_width(&samples->settings) == gaussian_width(settings) &&
         samples->settings.core_radius == settings->core_radius &&
         memcmp(&samples->settings.grid, &settings->grid, sizeof settings->grid) == 0 &&
         memcmp(&samples->settings.cell, &settings->cell, sizeof settings->cell) == 0;
}

static double
exact_value(const DebyePotentialSettings *settings, const DebyeCharges *charges, DebyeVec3 point,
            const DebyeOracleEwald *oracle)
{
  const DebyeGrid one = debye_plain_grid(point, 1.0, 1, 1, 1);
  const double core = settings->core_radius;
  switch (__builtin_popcount(settings->periodic)) {
  case 0:
    return debye_oracle_potential(charges, core, &one, 0, 0, 0);
  case 1:
    return debye_oracle_wire(charges, &settings->cell, settings->periodic, core, point);
  case 2:
    return debye_oracle_layer(charges, &settings->cell, settings->periodic, core, point);
  default:
    return debye_oracle_ewald_value(oracle, point);
  }
}

static void
fill(DebyeMapSamples *samples, const DebyeCharges *charges)
{
  const DebyePotentialSettings *settings = &samples->settings;
  const size_t *shape = settings->grid.shape;
  DebyeOracleEwald *oracle =
      settings->periodic == DEBYE_PERIODIC_ALL
          ? debye_oracle_ewald_new(charges, &settings->cell, settings->core_radius, gaussian_width(settings))
          : NULL;
  unsigned state = 20240229;
  for (size_t i = 0; i < samples->n; i++) {
    const size_t at = (size_t)(debye_random(&state) * (double)debye_grid_n_points(&settings->grid));
    const DebyeVec3 point =
        debye_grid_point(&settings->grid, (double)(at % shape[0]), (double)(at / shape[0] % shape[1]),
                         (double)(at / shape[0] / shape[1]));
    samples->at[i] = at;
    samples->exact[i] = exact_value(settings, charges, point, oracle);
  }
  if (oracle != NULL)
    debye_oracle_ewald_free(oracle);
}

const DebyeMapSamples *
debye_map_samples_get(const DebyePotentialSettings *settings, const DebyeCharges *charges, size_t n)
{
  const double of_charges = fingerprint(charges);
  for (size_t i = 0; i < n_kept; i++)
    if (is_of(&kept[i], settings, of_charges, n))
      return &kept[i];
  CHECK_THAT(n_kept < MOST_KEPT && n <= DEBYE_MAP_MOST_SAMPLES, "there is no room for more samples");
  if (n_kept == MOST_KEPT || n > DEBYE_MAP_MOST_SAMPLES)
    abort();
  DebyeMapSamples *samples = &kept[n_kept++];
  *samples = (DebyeMapSamples){.settings = *settings, .fingerprint = of_charges, .n = n};
  fill(samples, charges);
  return samples;
}

double
debye_map_samples_error(const DebyeMapSamples *samples, const DebyeTestMap *map)
{
  double square_error = 0.0, square = 0.0;
  for (size_t i = 0; i < samples->n; i++) {
    const double error = debye_test_map_value(map, samples->at[i]) - samples->exact[i];
    square_error += error * error;
  }
  for (size_t i = 0; i < map->n; i++)
    square += debye_test_map_value(map, i) * debye_test_map_value(map, i);
  return sqrt(square_error / (double)samples->n / (square / (double)map->n));
}

void
debye_map_check_tolerance(const DebyeMapPath *path, const char *name, const DebyePotentialSettings *settings,
                          const DebyeCharges *charges, size_t n_samples)
{
  const DebyeMapSamples *samples = debye_map_samples_get(settings, charges, n_samples);
  DebyeTestMap map = debye_map_compute(path, settings, charges);
  const double error = debye_map_samples_error(samples, &map);
  CHECK_THAT(error <= settings->tolerance, "%s: the error is %.2g, at most %.2g was asked for", name, error,
             settings->tolerance);
  debye_test_map_clear(&map);
}

double
debye_map_madelung_error(const DebyeMapPath *path, const DebyeIonCrystal *crystal,
                         const DebyePotentialSettings *like)
{
  DebyePotentialSettings settings = *like;
  const double own = (double)crystal->charge[0];
  const DebyeVec3 at = debye_vec3((double)crystal->x[0], (double)crystal->y[0], (double)crystal->z[0]);
  const DebyeCharges others = {crystal->x + 1, crystal->y + 1, crystal->z + 1, crystal->charge + 1,
                               crystal->n - 1};
  settings.grid = debye_plain_grid(at, 1.0, 1, 1, 1);
  settings.core_radius = DEBYE_MAP_CORE;
  settings.periodic = DEBYE_PERIODIC_ALL;
  settings.cell = debye_cubic_cell(crystal->edge);
  DebyeTestMap map = debye_map_compute(path, &settings, &others);
  /* The ion is left out of the cell, and with it its images. */
  const double found = debye_test_map_value(&map, 0) + own * SIMPLE_CUBIC_SELF / crystal->edge;
  debye_test_map_clear(&map);
  return fabs(found * crystal->nearest / own + crystal->madelung);
}
