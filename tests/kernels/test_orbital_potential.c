/* SPDX-License-Identifier: MIT */
/* Exact potentials of Gaussian densities: Boys functions against their integral, a Gaussian charge and
 * its dipole against erf, and on a basis of all shells from s to i on several centres Poisson's
 * equation, ∇²V = −4πρ, with the density as the oracle has it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/orbital/orbital_potential.h"
#include "tests/support/check.h"
#include "tests/support/oracle_orbital.h"

#define PI 3.14159265358979323846
#define MAX_SHELLS 8

/* By Simpson's rule of 10,000 steps: its error is of the fourth power of a step, 1e-14 for m = 12. */
static double
integrate_boys(int m, double t)
{
  const int n = 10000;
  double sum = 0.0;
  for (int i = 0; i <= n; i++) {
    const double u = (double)i / n;
    sum += (i == 0 || i == n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * pow(u, 2 * m) * exp(-t * u * u);
  }
  return sum / (3.0 * n);
}

static void
test_boys(void)
{
  static const double places[] = {0.0, 1e-9, 0.049, 0.05, 0.73, 5.0, 17.31, 34.98, 49.99, 50.0, 60.0};
  double values[13];
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    debye_orbital_boys(12, places[i], values);
    for (int m = 0; m <= 12; m++)
      CHECK_AT_MOST(fabs(values[m] - integrate_boys(m, places[i])), 1e-13);
    debye_orbital_boys(0, places[i], values + 1);
    CHECK_AT_MOST(fabs(values[1] - values[0]), 1e-14);
  }
}

static DebyeOrbitalPotential *
make_potential(const DebyeOrbitalBasis *basis, const double *density)
{
  DebyeOrbitalPotential *potential = NULL;
  CHECK(debye_orbital_potential_new(basis, density, 1e-13, 0, NULL, &potential, NULL) == DEBYE_STATUS_OK);
  return potential;
}

/* One Gaussian squared, at 17 points and so with a block that isn't full: V = q erf(√(2α) r)/r. */
static void
test_gaussian(void)
{
  const double at[3] = {0.3, -0.2, 0.1}, alpha = 0.8, weight = 1.3;
  const uint32_t centre = 0, first[2] = {0, 1};
  const uint8_t degree = 0;
  const DebyeOrbitalBasis basis = {1, 1, &at[0], &at[1], &at[2], &centre, &degree, first, &alpha, &weight};
  const double density = 2.0, charge = density * weight * weight * pow(PI / (2.0 * alpha), 1.5);
  DebyeOrbitalPotential *potential = make_potential(&basis, &density);
  double x[17], y[17], z[17], values[17];
  for (int i = 0; i < 17; i++) {
    x[i] = at[0] + 0.02 + 0.9 * i;
    y[i] = at[1] - 0.3 * i;
    z[i] = at[2] + 0.1 * i;
  }
  debye_orbital_potential_compute(potential, 17, x, y, z, values);
  for (int i = 0; i < 17; i++) {
    const double r = sqrt(pow(x[i] - at[0], 2) + pow(y[i] - at[1], 2) + pow(z[i] - at[2], 2));
    CHECK_AT_MOST(fabs(values[i] - charge * erf(sqrt(2.0 * alpha) * r) / r), 1e-13);
  }
  CHECK(debye_orbital_potential_get_n_products(potential) == 1);
  debye_orbital_potential_free(potential);
}

typedef struct {
  double x[3], y[3], z[3], exponents[MAX_SHELLS], weights[MAX_SHELLS];
  uint32_t centre[MAX_SHELLS], first[MAX_SHELLS + 1];
  uint8_t degree[MAX_SHELLS];
  DebyeOrbitalBasis basis;
  double *coefficients, *density;
  size_t n;
} Molecule;

/* The density is an orbital's square, of all shells at three places. */
static void
make_molecule(Molecule *molecule)
{
  static const double places[3][3] = {{0.0, 0.1, -0.2}, {0.9, -0.4, 0.3}, {-0.5, 0.7, 0.6}};
  memset(molecule, 0, sizeof *molecule);
  for (int i = 0; i < 3; i++) {
    molecule->x[i] = places[i][0];
    molecule->y[i] = places[i][1];
    molecule->z[i] = places[i][2];
  }
  for (uint32_t i = 0; i < MAX_SHELLS; i++) {
    molecule->centre[i] = i % 3;
    molecule->degree[i] = (uint8_t)(i % (DEBYE_ORBITAL_MAX_L + 1));
    molecule->first[i + 1] = i + 1;
    molecule->exponents[i] = 0.5 + 0.13 * i;
    molecule->weights[i] = 1.0 - 0.05 * i;
  }
  molecule->basis = (DebyeOrbitalBasis){3,
                                        MAX_SHELLS,
                                        molecule->x,
                                        molecule->y,
                                        molecule->z,
                                        molecule->centre,
                                        molecule->degree,
                                        molecule->first,
                                        molecule->exponents,
                                        molecule->weights};
  molecule->n = debye_orbital_basis_n_functions(&molecule->basis);
  molecule->coefficients = calloc(molecule->n, sizeof(double));
  molecule->density = calloc(molecule->n * molecule->n, sizeof(double));
  for (size_t i = 0; i < molecule->n; i++)
    molecule->coefficients[i] = cos(1.7 * (double)i);
  for (size_t i = 0; i < molecule->n; i++)
    for (size_t j = 0; j < molecule->n; j++)
      molecule->density[i * molecule->n + j] = molecule->coefficients[i] * molecule->coefficients[j];
}

/* By differences of sixth order over h, whose error is of h⁶. */
static double
laplacian(const DebyeOrbitalPotential *potential, const double at[3], double h)
{
  static const double weights[] = {-49.0 / 18.0, 1.5, -0.15, 1.0 / 90.0};
  double x[19], y[19], z[19], factors[19], values[19], sum = 0.0;
  int n = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int k = -3; k <= 3; k++) {
      if (k == 0 && axis > 0)
        continue;
      x[n] = at[0] + (axis == 0 ? k * h : 0.0);
      y[n] = at[1] + (axis == 1 ? k * h : 0.0);
      z[n] = at[2] + (axis == 2 ? k * h : 0.0);
      factors[n++] = k == 0 ? 3.0 * weights[0] : weights[abs(k)];
    }
  debye_orbital_potential_compute(potential, (size_t)n, x, y, z, values);
  for (int i = 0; i < n; i++)
    sum += factors[i] * values[i];
  return sum / (h * h);
}

static void
test_poisson(void)
{
  static const double points[][3] = {{0.1, 0.2, 0.3}, {-0.8, 0.4, 0.0}, {1.2, -1.0, 0.7}, {0.0, 1.5, -1.1}};
  Molecule molecule;
  make_molecule(&molecule);
  DebyeOrbitalPotential *potential = make_potential(&molecule.basis, molecule.density);
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    const double *at = points[i];
    const double orbital = debye_oracle_orbital(&molecule.basis, molecule.coefficients, at[0], at[1], at[2]);
    const double expected = -4.0 * PI * orbital * orbital;
    debye_check_subject("point %zu", i);
    CHECK(fabs(expected) > 1e-3);
    CHECK_AT_MOST(fabs(laplacian(potential, at, 0.02) / expected - 1.0), 1e-5);
  }
  debye_orbital_potential_free(potential);
  free(molecule.coefficients);
  free(molecule.density);
}

/* What is left out is no more than what is said of it; and a basis that can't be is refused. */
static void
test_screening(void)
{
  Molecule molecule;
  make_molecule(&molecule);
  DebyeOrbitalPotential *exact = make_potential(&molecule.basis, molecule.density), *rough = NULL;
  CHECK(debye_orbital_potential_new(&molecule.basis, molecule.density, 100.0, 0, NULL, &rough, NULL) ==
        DEBYE_STATUS_OK);
  const double x = 0.4, y = 0.2, z = -0.3;
  double all, some;
  debye_orbital_potential_compute(exact, 1, &x, &y, &z, &all);
  debye_orbital_potential_compute(rough, 1, &x, &y, &z, &some);
  CHECK(debye_orbital_potential_get_n_products(rough) < debye_orbital_potential_get_n_products(exact));
  CHECK_AT_MOST(fabs(all - some), debye_orbital_potential_get_left_out(rough));
  debye_orbital_potential_free(exact);
  debye_orbital_potential_free(rough);
  molecule.exponents[0] = -1.0;
  CHECK(debye_orbital_potential_new(&molecule.basis, molecule.density, 1e-9, 0, NULL, &rough, NULL) ==
        DEBYE_STATUS_INVALID);
  free(molecule.coefficients);
  free(molecule.density);
}

/* What the products take is bounded before, and held to; who stops it while they are made gets none. */
static void
test_bounds(void)
{
  Molecule molecule;
  DebyeOrbitalPotential *potential = NULL;
  const volatile bool yes = true, no = false;
  make_molecule(&molecule);
  const uint64_t most = debye_orbital_potential_most_bytes(&molecule.basis);
  CHECK(debye_orbital_potential_new(&molecule.basis, molecule.density, 1e-9, most, &no, &potential, NULL) ==
        DEBYE_STATUS_OK);
  debye_orbital_potential_free(potential);
  CHECK(debye_orbital_potential_new(&molecule.basis, molecule.density, 1e-9, 100, &no, &potential, NULL) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK(potential == NULL);
  CHECK(debye_orbital_potential_new(&molecule.basis, molecule.density, 1e-9, 0, &yes, &potential, NULL) ==
        DEBYE_STATUS_CANCELLED);
  CHECK(potential == NULL);
  free(molecule.coefficients);
  free(molecule.density);
}

int
main(void)
{
  test_boys();
  test_gaussian();
  test_poisson();
  test_screening();
  test_bounds();
  return debye_check_finish();
}
