/* SPDX-License-Identifier: MIT */
/* Maps of orbitals, one body for every device and each instruction set of the processor. Analytic answers first
 * (hydrogen's Gaussian, its norm), then the plain sum in double on a made-up basis of all shells from s to i, contracted
 * and crossing, then densities, gradients and Laplacians.
 *
 * Tolerance: values are float, of exponentials good to 2e-7, and primitives below 1e-8 are left out: 1e-5 of the
 * map's largest value is what is promised. */
#include <stdlib.h>
#include <string.h>

#include "kernels/orbital/orbital.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_orbital.h"

#define TOLERANCE 1e-5
#define SCREEN 1e-8
#define MAX_SHELLS 40
#define MAX_FUNCTIONS 500
#define N_ORBITALS 5

static uint64_t seed;

static double
even(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

typedef struct {
  double x[MAX_SHELLS], y[MAX_SHELLS], z[MAX_SHELLS];
  uint32_t centre[MAX_SHELLS], first[MAX_SHELLS + 1];
  uint8_t degree[MAX_SHELLS];
  double exponents[4 * MAX_SHELLS], weights[4 * MAX_SHELLS];
  double coefficients[N_ORBITALS][MAX_FUNCTIONS];
  DebyeOrbitalBasis basis;
} Molecule;

static void
add_shell(Molecule *molecule, unsigned centre, int degree, int n_primitives, double exponent)
{
  DebyeOrbitalBasis *basis = &molecule->basis;
  const size_t shell = basis->n_shells++;
  uint32_t k = molecule->first[shell];
  molecule->centre[shell] = centre;
  molecule->degree[shell] = (uint8_t)degree;
  for (int i = 0; i < n_primitives; i++, k++) {
    molecule->exponents[k] = exponent;
    /* Near to what normalises it, so that all shells matter. */
    molecule->weights[k] = pow(exponent, 0.75 + 0.5 * degree) * (0.6 + 0.3 * even());
    exponent *= 3.7;
  }
  molecule->first[shell + 1] = k;
}

/* Atoms in a plane and out of it; on each, shells up to `degree`, of which two share their exponents. */
static void
make_molecule(Molecule *molecule, unsigned n_centres, int degree)
{
  memset(molecule, 0, sizeof *molecule);
  seed = 7 + n_centres;
  molecule->basis = (DebyeOrbitalBasis){.n_centres = n_centres,
                                        .x = molecule->x,
                                        .y = molecule->y,
                                        .z = molecule->z,
                                        .centre = molecule->centre,
                                        .degree = molecule->degree,
                                        .first_primitive = molecule->first,
                                        .exponents = molecule->exponents,
                                        .weights = molecule->weights};
  for (unsigned i = 0; i < n_centres; i++) {
    molecule->x[i] = 3.0 * even();
    molecule->y[i] = 2.5 * even();
    molecule->z[i] = 2.0 * even();
  }
  for (int l = 0; l <= degree; l++)
    for (unsigned i = 0; i < n_centres; i++)
      add_shell(molecule, i, l, l < 2 ? 3 : 1, l < 2 ? 0.17 + 0.05 * i : 0.3 + 0.1 * i);
  for (int i = 0; i < N_ORBITALS; i++)
    for (size_t k = 0; k < debye_orbital_basis_n_functions(&molecule->basis); k++)
      molecule->coefficients[i][k] = even() * even();
}

static DebyeGrid
make_grid(const size_t shape[3], double step)
{
  return (DebyeGrid){.origin = {-4.1, -3.7, -3.3},
                     .step = {{step, 0.0, 0.0}, {0.0, 1.1 * step, 0.0}, {0.0, 0.0, -0.9 * step}},
                     .shape = {shape[0], shape[1], shape[2]}};
}

static float *
compute(const DebyeDeviceEntry *device, const DebyeGrid *grid, const DebyeOrbitalSet *set)
{
  const DebyeOrbitalKernel *kernel = device->backend->orbital;
  const DebyeOrbitalSettings settings = debye_orbital_settings_of(grid, set);
  float *map = calloc(debye_grid_n_points(grid), sizeof *map);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(kernel->head.bytes_needed(device->device, &settings) < UINT64_MAX);
  CHECK_THAT(kernel->head.create(device->device, &settings, &plan, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  CHECK(kernel->set(plan, set, &status) == DEBYE_STATUS_OK);
  CHECK(kernel->compute(plan, 0, set->n_functions, false, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(kernel->get_map(plan, map, &status) == DEBYE_STATUS_OK);
  kernel->head.destroy(plan);
  return map;
}

static DebyeVec3
point_of(const DebyeGrid *grid, size_t index)
{
  return debye_grid_point(grid, (double)(index % grid->shape[0]),
                          (double)(index / grid->shape[0] % grid->shape[1]),
                          (double)(index / grid->shape[0] / grid->shape[1]));
}

static double
orbital_at(const Molecule *molecule, int orbital, DebyeVec3 at)
{
  return debye_oracle_orbital(&molecule->basis, molecule->coefficients[orbital], at.x, at.y, at.z);
}

static DebyeOrbitalSet *
set_new(const Molecule *molecule, size_t n, bool has_derivatives)
{
  DebyeOrbitalSet *set = NULL;
  CHECK(debye_orbital_set_new(&molecule->basis, n, has_derivatives, SCREEN, &set, NULL) == DEBYE_STATUS_OK);
  return set;
}

/* (2α/π)^¾ exp(−αr²) is its own formula, and Σ f² h³ = 1 but for what is beyond the grid. */
static void
test_gaussian(const DebyeDeviceEntry *device)
{
  Molecule molecule;
  make_molecule(&molecule, 1, 0);
  molecule.first[1] = 1;
  molecule.exponents[0] = 0.9;
  molecule.weights[0] = pow(2.0 * 0.9 / 3.14159265358979323846, 0.75);
  molecule.coefficients[0][0] = 1.0;
  molecule.x[0] = 0.11;
  const DebyeGrid grid = {.origin = {-6.0, -6.0, -6.0},
                          .step = {{0.25, 0.0, 0.0}, {0.0, 0.25, 0.0}, {0.0, 0.0, 0.25}},
                          .shape = {49, 49, 49}};
  DebyeOrbitalSet *set = set_new(&molecule, 1, false);
  debye_orbital_set_add(set, molecule.coefficients[0], DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_VALUE, 1.0);
  float *map = compute(device, &grid, set);
  double norm = 0.0, error = 0.0;
  for (size_t i = 0; i < debye_grid_n_points(&grid); i++) {
    const DebyeVec3 at = point_of(&grid, i);
    const double dx = at.x - 0.11, dy = at.y - molecule.y[0], dz = at.z - molecule.z[0];
    const double exact = molecule.weights[0] * exp(-0.9 * (dx * dx + dy * dy + dz * dz));
    error = fmax(error, fabs(exact - (double)map[i]));
    norm += (double)map[i] * (double)map[i] * 0.25 * 0.25 * 0.25;
  }
  CHECK_AT_MOST(error, 1e-6);
  CHECK_AT_MOST(fabs(norm - 1.0), 1e-5);
  debye_orbital_set_free(set);
  free(map);
}

/* Shapes that fill tiles, that don't, and lines. */
static void
test_values(const DebyeDeviceEntry *device)
{
  static const size_t shapes[][3] = {{32, 16, 16}, {19, 13, 21}, {1, 9, 1}, {40, 1, 3}, {1, 1, 1}};
  Molecule molecule;
  make_molecule(&molecule, 5, DEBYE_ORBITAL_MAX_L);
  for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
    const DebyeGrid grid = make_grid(shapes[shape], 0.41);
    for (int orbital = 0; orbital < N_ORBITALS; orbital++) {
      DebyeOrbitalSet *set = set_new(&molecule, 1, false);
      debye_orbital_set_add(set, molecule.coefficients[orbital], DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_VALUE,
                            -0.5);
      float *map = compute(device, &grid, set);
      double error = 0.0, most = 0.0;
      for (size_t i = 0; i < debye_grid_n_points(&grid); i++) {
        const double exact = -0.5 * orbital_at(&molecule, orbital, point_of(&grid, i));
        error = fmax(error, fabs(exact - (double)map[i]));
        most = fmax(most, fabs(exact));
      }
      CHECK_AT_MOST(error, TOLERANCE * fmax(most, 0.1));
      debye_orbital_set_free(set);
      free(map);
    }
  }
}

/* What is far is left out, and what is near isn't. */
static void
test_far(const DebyeDeviceEntry *device)
{
  Molecule molecule;
  make_molecule(&molecule, 4, 2);
  const size_t shape[3] = {40, 30, 30};
  DebyeGrid grid = make_grid(shape, 1.3);
  grid.origin = debye_vec3(-25.0, -20.0, 20.0);
  DebyeOrbitalSet *set = set_new(&molecule, 1, false);
  debye_orbital_set_add(set, molecule.coefficients[0], DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_VALUE, 1.0);
  float *map = compute(device, &grid, set);
  double error = 0.0;
  size_t n_empty = 0;
  for (size_t i = 0; i < debye_grid_n_points(&grid); i++) {
    error = fmax(error, fabs(orbital_at(&molecule, 0, point_of(&grid, i)) - (double)map[i]));
    n_empty += map[i] == 0.0f;
  }
  CHECK_AT_MOST(error, 1e-6);
  CHECK_THAT(n_empty > debye_grid_n_points(&grid) / 4, "only %zu points were left out", n_empty);
  debye_orbital_set_free(set);
  free(map);
}

/* Σ n ψ² in two parts, one on top of the other, and ∇²ρ = 2 Σ n (|∇ψ|² + ψ ∇²ψ). */
static void
test_density(const DebyeDeviceEntry *device)
{
  static const double occupations[N_ORBITALS] = {2.0, 2.0, 1.0, 0.5, -1.0};
  const DebyeOrbitalKernel *kernel = device->backend->orbital;
  Molecule molecule;
  make_molecule(&molecule, 3, 3);
  const size_t shape[3] = {17, 12, 9};
  const DebyeGrid grid = make_grid(shape, 0.45);
  DebyeOrbitalSet *set = set_new(&molecule, N_ORBITALS, false);
  for (int i = 0; i < N_ORBITALS; i++)
    debye_orbital_set_add(set, molecule.coefficients[i], DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_SQUARE,
                          occupations[i]);
  const DebyeOrbitalSettings settings = debye_orbital_settings_of(&grid, set);
  float *whole = compute(device, &grid, set), *parts = calloc(debye_grid_n_points(&grid), sizeof *parts);
  DebyeKernelPlan *plan = NULL;
  CHECK(kernel->head.create(device->device, &settings, &plan, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->set(plan, set, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->compute(plan, 0, 2, false, NULL, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->compute(plan, 2, N_ORBITALS - 2, true, NULL, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->get_map(plan, parts, NULL) == DEBYE_STATUS_OK);
  double error = 0.0, difference = 0.0, most = 0.0;
  for (size_t i = 0; i < debye_grid_n_points(&grid); i++) {
    double exact = 0.0;
    for (int k = 0; k < N_ORBITALS; k++)
      exact += occupations[k] * pow(orbital_at(&molecule, k, point_of(&grid, i)), 2.0);
    error = fmax(error, fabs(exact - (double)whole[i]));
    difference = fmax(difference, fabs((double)parts[i] - (double)whole[i]));
    most = fmax(most, fabs(exact));
  }
  CHECK_AT_MOST(error, TOLERANCE * most);
  CHECK_AT_MOST(difference, 1e-6 * most);
  kernel->head.destroy(plan);
  debye_orbital_set_free(set);
  free(whole);
  free(parts);
}

/* More squares than a device takes at once, of shells from s to i: a density of very many orbitals, of which some are taken
 * off. What contributes little is far below what contributes most. */
static void
test_many_squares(const DebyeDeviceEntry *device)
{
  enum { N = 203 };
  static double rows[N][MAX_FUNCTIONS], values[MAX_FUNCTIONS];
  Molecule molecule;
  make_molecule(&molecule, 5, DEBYE_ORBITAL_MAX_L);
  add_shell(&molecule, 2, 0, 4, 300.0);
  const size_t shape[3] = {19, 13, 9}, n = debye_orbital_basis_n_functions(&molecule.basis);
  const DebyeGrid grid = make_grid(shape, 0.43);
  DebyeOrbitalSet *set = set_new(&molecule, N, false);
  for (int i = 0; i < N; i++) {
    for (size_t k = 0; k < n; k++)
      rows[i][k] = even() * even() * (i % 7 == 0 ? 1e-3 : 1.0);
    debye_orbital_set_add(set, rows[i], DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_SQUARE, i % 5 == 0 ? -0.7 : 2.0);
  }
  float *map = compute(device, &grid, set);
  double error = 0.0, most = 0.0;
  for (size_t point = 0; point < debye_grid_n_points(&grid); point++) {
    const DebyeVec3 at = point_of(&grid, point);
    double exact = 0.0;
    debye_orbital_basis_evaluate(&molecule.basis, (const double[3]){at.x, at.y, at.z}, DEBYE_ORBITAL_ITSELF,
                                 values);
    for (int i = 0; i < N; i++) {
      double value = 0.0;
      for (size_t k = 0; k < n; k++)
        value += rows[i][k] * values[k];
      exact += (i % 5 == 0 ? -0.7 : 2.0) * value * value;
    }
    error = fmax(error, fabs(exact - (double)map[point]));
    most = fmax(most, fabs(exact));
  }
  CHECK_AT_MOST(error, TOLERANCE * most);
  debye_orbital_set_free(set);
  free(map);
}

static void
add_laplacian(DebyeOrbitalSet *set, const double *coefficients, double occupation)
{
  debye_orbital_set_add(set, coefficients, DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_KEEP, 0.0);
  debye_orbital_set_add(set, coefficients, DEBYE_ORBITAL_LAPLACIAN, DEBYE_ORBITAL_PRODUCT, 2.0 * occupation);
  for (int axis = 0; axis < 3; axis++)
    debye_orbital_set_add(set, coefficients, (DebyeOrbitalOperator)(DEBYE_ORBITAL_DX + axis),
                          DEBYE_ORBITAL_SQUARE, 2.0 * occupation);
}

/* Differences of fourth order over 2e-3 are good to 1e-8 of what they are taken of, and to h⁴/90 of the sixth
 * derivative, which is α³ here: 1e-4 of the largest Laplacian. */
static void
test_laplacian(const DebyeDeviceEntry *device)
{
  Molecule molecule;
  make_molecule(&molecule, 3, 4);
  const size_t shape[3] = {13, 11, 9};
  const DebyeGrid grid = make_grid(shape, 0.5);
  DebyeOrbitalSet *set = set_new(&molecule, 10, true);
  add_laplacian(set, molecule.coefficients[0], 2.0);
  add_laplacian(set, molecule.coefficients[1], 1.0);
  float *map = compute(device, &grid, set);
  double error = 0.0, most = 0.0;
  for (size_t i = 0; i < debye_grid_n_points(&grid); i++) {
    const DebyeVec3 at = point_of(&grid, i);
    double exact = 0.0;
    for (int k = 0; k < 2; k++) {
      double d[4];
      debye_oracle_orbital_derivatives(&molecule.basis, molecule.coefficients[k],
                                       (const double[3]){at.x, at.y, at.z}, 2e-3, d);
      exact +=
          2.0 * (2 - k) * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * orbital_at(&molecule, k, at));
    }
    error = fmax(error, fabs(exact - (double)map[i]));
    most = fmax(most, fabs(exact));
  }
  CHECK_AT_MOST(error, 1e-4 * most);
  debye_orbital_set_free(set);
  free(map);
}

static void
test_refusals(const DebyeDeviceEntry *device)
{
  const DebyeOrbitalKernel *kernel = device->backend->orbital;
  Molecule molecule;
  DebyeKernelPlan *plan = NULL;
  const bool cancel = true;
  const size_t shape[3] = {4, 4, 4};
  DebyeGrid grid = make_grid(shape, 0.5);
  make_molecule(&molecule, 2, 1);
  DebyeOrbitalSet *set = set_new(&molecule, 1, false), *larger = set_new(&molecule, 2, true);
  debye_orbital_set_add(set, molecule.coefficients[0], DEBYE_ORBITAL_ITSELF, DEBYE_ORBITAL_VALUE, 1.0);
  DebyeOrbitalSettings settings = debye_orbital_settings_of(&grid, set);
  CHECK(kernel->head.create(device->device, &settings, &plan, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->set(plan, larger, NULL) == DEBYE_STATUS_INVALID);
  CHECK(kernel->set(plan, set, NULL) == DEBYE_STATUS_OK);
  CHECK(kernel->compute(plan, 0, 2, false, NULL, NULL) == DEBYE_STATUS_INVALID);
  CHECK(kernel->compute(plan, 2, 0, false, NULL, NULL) == DEBYE_STATUS_INVALID);
  CHECK(kernel->compute(plan, 0, 1, false, &cancel, NULL) == DEBYE_STATUS_CANCELLED);
  kernel->head.destroy(plan);
  settings.grid.step[0].y = 0.1;
  CHECK(kernel->head.create(device->device, &settings, &plan, NULL) == DEBYE_STATUS_INVALID && plan == NULL);
  settings.grid = make_grid((const size_t[3]){4, 0, 4}, 0.5);
  CHECK(kernel->head.create(device->device, &settings, &plan, NULL) == DEBYE_STATUS_INVALID && plan == NULL);
  debye_orbital_set_free(set);
  debye_orbital_set_free(larger);
  molecule.exponents[0] = -1.0;
  CHECK(debye_orbital_set_new(&molecule.basis, 1, false, SCREEN, &set, NULL) == DEBYE_STATUS_INVALID);
  debye_orbital_set_free(set);
}

static const struct {
  const char *name;
  void (*body)(const DebyeDeviceEntry *device);
} bodies[] = {
    {"gaussian", test_gaussian}, {"values", test_values},        {"far", test_far},
    {"density", test_density},   {"squares", test_many_squares}, {"laplacian", test_laplacian},
    {"refusals", test_refusals},
};

static void
test_device(const DebyeDeviceEntry *device, const char *how, void *arguments)
{
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && device->backend->orbital != NULL; i++) {
    if (!debye_test_is_asked(bodies[i].name, arguments))
      continue;
    debye_check_subject("%s%s: %s", device->info.id, how, bodies[i].name);
    bodies[i].body(device);
  }
}

/* Values at single points, which need no device: against the same sum. */
static void
test_points(void)
{
  Molecule molecule;
  double values[MAX_FUNCTIONS], found[4];
  const double point[3] = {0.4, -0.7, 1.1};
  make_molecule(&molecule, 3, 5);
  double exact[4];
  debye_oracle_orbital_derivatives(&molecule.basis, molecule.coefficients[0], point, 2e-3, exact);
  for (int i = 0; i < 5; i++) {
    debye_orbital_basis_evaluate(&molecule.basis, point, (DebyeOrbitalOperator)i, values);
    double sum = 0.0;
    for (size_t k = 0; k < debye_orbital_basis_n_functions(&molecule.basis); k++)
      sum += values[k] * molecule.coefficients[0][k];
    if (i == 0)
      CHECK_AT_MOST(fabs(sum - orbital_at(&molecule, 0, debye_vec3(point[0], point[1], point[2]))), 1e-12);
    else
      found[i - 1] = sum;
  }
  for (int i = 0; i < 4; i++)
    CHECK_AT_MOST(fabs(found[i] - exact[i]), 1e-6 * (1.0 + fabs(exact[i])));
}

int
main(int argc, char **argv)
{
  debye_check_subject("values at points");
  test_points();
  return debye_test_main(argc, argv, test_device);
}
