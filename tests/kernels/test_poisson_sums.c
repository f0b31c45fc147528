/* SPDX-License-Identifier: MIT */
/* Sums over charges by a tree of boxes against the plain sums: the errors that poisson_tree.h states, for Coulomb's potential
 * and a screened one, inside and outside of the charges; then the potential of a boundary, and energies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/poisson/poisson_energy.h"
#include "kernels/poisson/poisson_tree.h"
#include "tests/support/check.h"
#include "tests/support/even_atoms.h"

#define N_ATOMS ((size_t)20000)
#define N_PLACES 200
#define PI 3.14159265358979323846

typedef struct {
  float *x, *y, *z, *radius, *charge;
  double *amount; /* the charges, in double */
  double edge;    /* Å */
  DebyeSpheres spheres;
} Atoms;

static Atoms
make_atoms(size_t n)
{
  Atoms atoms = {.edge = cbrt((double)n / DEBYE_WATER_DENSITY)};
  DebyeRandomSystem system = debye_even_atoms_new(atoms.edge, DEBYE_WATER_DENSITY, 3);
  const size_t count = system.charges.n;
  float **lists[5] = {&atoms.x, &atoms.y, &atoms.z, &atoms.radius, &atoms.charge};
  for (int i = 0; i < 5; i++)
    *lists[i] = calloc(count, sizeof(float));
  atoms.amount = calloc(count, sizeof(double));
  for (size_t i = 0; i < count; i++) {
    atoms.x[i] = system.charges.x[i];
    atoms.y[i] = system.charges.y[i];
    atoms.z[i] = system.charges.z[i];
    atoms.charge[i] = system.charges.charge[i];
    atoms.amount[i] = (double)system.charges.charge[i];
    atoms.radius[i] = 1.2f + 0.1f * (float)(i % 6);
  }
  atoms.spheres = (DebyeSpheres){atoms.x, atoms.y, atoms.z, atoms.radius, count};
  debye_random_system_clear(&system);
  return atoms;
}

static void
clear_atoms(Atoms *atoms)
{
  free(atoms->x);
  free(atoms->y);
  free(atoms->z);
  free(atoms->radius);
  free(atoms->charge);
  free(atoms->amount);
}

typedef struct {
  DebyeVec3 at;
  double kappa, sum, amounts;
  size_t n;
} Place;

static void
add(void *context, const DebyePoissonSources *sources, bool are_proxies)
{
  (void)are_proxies;
  Place *place = context;
  for (size_t i = 0; i < sources->n; i++) {
    const double d = debye_vec3_length(
        debye_vec3_subtract(place->at, debye_vec3(sources->x[i], sources->y[i], sources->z[i])));
    place->sum += sources->charge[i] * exp(-place->kappa * d) / d;
    place->amounts += fabs(sources->charge[i]) * exp(-place->kappa * d) / d;
  }
  place->n += sources->n;
}

static Place
sum_plainly(const Atoms *atoms, DebyeVec3 at, double kappa)
{
  Place place = {.at = at, .kappa = kappa};
  for (size_t i = 0; i < atoms->spheres.n; i++) {
    const double x = (double)atoms->x[i], y = (double)atoms->y[i], z = (double)atoms->z[i];
    const DebyePoissonSources one = {&x, &y, &z, &atoms->amount[i], 1};
    add(&place, &one, false);
  }
  return place;
}

/* Places within the atoms, and by a third beyond them on each side. */
static void
check_tree(const Atoms *atoms, const DebyePoissonTreeSettings *settings, double kappa, double tolerance)
{
  static const double apart[3] = {3.0, 3.0, 3.0};
  DebyePoissonTree tree;
  double worst = 0.0, n = 0.0;
  const bool good = debye_poisson_tree_init(&tree, settings, &atoms->spheres, atoms->amount);
  CHECK(good);
  if (!good)
    return;
  srand(5);
  for (int i = 0; i < N_PLACES; i++) {
    double at[3];
    for (int axis = 0; axis < 3; axis++)
      at[axis] = atoms->edge * (5.0 / 3.0 * (double)rand() / RAND_MAX - 1.0 / 3.0);
    Place place = {.at = {at[0], at[1], at[2]}, .kappa = kappa};
    debye_poisson_tree_visit(&tree, place.at, apart, add, &place);
    const Place exact = sum_plainly(atoms, place.at, kappa);
    worst = fmax(worst, fabs(place.sum - exact.sum) / exact.amounts);
    n += (double)place.n / N_PLACES;
  }
  if (getenv("SHOW") != NULL)
    fprintf(stderr, "degree %u, kappa %g: error %.2e, %.0f of %zu terms\n", settings->degree, kappa, worst, n,
            atoms->spheres.n);
  CHECK_AT_MOST(worst, tolerance);
  /* That it saves something. */
  CHECK_AT_MOST(n, 0.8 * (double)atoms->spheres.n);
  debye_poisson_tree_clear(&tree);
}

static void
test_tree(const Atoms *atoms)
{
  const DebyePoissonTreeSettings settings = {.degree = 6, .opening = 0.5},
                                 fine = {.degree = 8, .opening = 0.5};
  check_tree(atoms, &settings, 0.0, 2e-7);
  check_tree(atoms, &settings, 0.127, 5e-5);
  check_tree(atoms, &fine, 0.0, 1e-8);
}

/* Nothing, one charge, and many at one place, which no box can part. */
static void
test_odd_trees(void)
{
  static float at[1000];
  static double charges[1000];
  const DebyePoissonTreeSettings settings = {.degree = 5, .opening = 0.5};
  for (size_t n = 0; n <= 1000; n += n == 0 ? 1 : 999) {
    const DebyeSpheres spheres = {at, at, at, NULL, n};
    const double apart[3] = {0.0, 0.0, 0.0};
    DebyePoissonTree tree;
    Place place = {.at = {3.0, 0.0, 4.0}};
    for (size_t i = 0; i < n; i++)
      charges[i] = 0.25;
    const bool good = debye_poisson_tree_init(&tree, &settings, &spheres, charges);
    CHECK(good);
    if (!good)
      continue;
    debye_poisson_tree_visit(&tree, place.at, apart, add, &place);
    CHECK_AT_MOST(fabs(place.sum - 0.05 * (double)n), 1e-9);
    debye_poisson_tree_clear(&tree);
  }
}

static DebyePoissonMedium
medium_about(const Atoms *atoms, size_t points, double padding)
{
  const double step = (atoms->edge + 2.0 * padding) / (double)(points - 1);
  return (DebyePoissonMedium){
      .grid = {{-padding, -padding, -padding}, {step, step, step}, {points, points, points}},
      .surface = DEBYE_SURFACE_VAN_DER_WAALS,
      .solute = 2.0,
      .solvent = 78.54,
      .length = DEBYE_BJERRUM_VACUUM(298.15)};
}

static double
boundary_by_sum(const Atoms *atoms, const DebyePoissonMedium *medium, double kappa, DebyeVec3 at,
                double *amounts)
{
  double sum = 0.0;
  *amounts = 0.0;
  for (size_t i = 0; i < atoms->spheres.n; i++) {
    const double d = debye_vec3_length(debye_vec3_subtract(at, debye_sphere_center(&atoms->spheres, i)));
    const double radius = (double)atoms->radius[i];
    const double part =
        medium->length * exp(-kappa * (d - radius)) / (d * (1.0 + kappa * radius)) / medium->solvent;
    sum += atoms->amount[i] * part;
    *amounts += fabs(atoms->amount[i]) * part;
  }
  return sum;
}

#define N_BOUNDARY_PLACES 60

/* Every fourth point of a boundary is summed; between them cubics err by 3e-4 of the boundary's largest potential. */
static void
test_boundary(const Atoms *atoms, double kappa)
{
  DebyePoissonMedium medium = medium_about(atoms, 129, 10.0);
  const size_t edge = 129;
  double *potential = calloc(edge * edge * edge, sizeof *potential), worst[2] = {0.0, 0.0}, largest = 0.0;
  medium.screening = kappa * kappa * medium.solvent;
  CHECK(debye_poisson_medium_set_boundary(&medium, &atoms->spheres, atoms->charge, potential, NULL) ==
        DEBYE_STATUS_OK);
  for (size_t i = 0; i < N_BOUNDARY_PLACES; i++) {
    /* A side, and a place on it. */
    const size_t across = (i * 37) % edge, along = (i * 44) % edge, side = i % 2 == 0 ? 0 : edge - 1;
    const size_t at[3] = {i % 3 == 0 ? side : across, i % 3 == 1 ? side : along, i % 3 == 2 ? side : across};
    const DebyeVec3 offset =
        debye_vec3((double)at[0] * medium.grid.step[0], (double)at[1] * medium.grid.step[1],
                   (double)at[2] * medium.grid.step[2]);
    const bool is_between = at[0] % 4 != 0 || at[1] % 4 != 0 || at[2] % 4 != 0;
    double amounts;
    const double exact =
        boundary_by_sum(atoms, &medium, kappa, debye_vec3_add(medium.grid.origin, offset), &amounts);
    const double error = fabs(potential[at[0] + edge * (at[1] + edge * at[2])] - exact);
    worst[is_between] = fmax(worst[is_between], error);
    largest = fmax(largest, amounts);
  }
  CHECK_AT_MOST(worst[0], 5e-5 * largest);
  CHECK_AT_MOST(worst[1], 3e-4 * largest);
  free(potential);
}

/* Against the plain sum over pairs. */
static void
test_coulomb(const Atoms *atoms)
{
  double energy = 0.0, sum = 0.0, amounts = 0.0;
  DebyeSpheres some = atoms->spheres;
  some.n = 6000;
  CHECK(debye_poisson_coulomb_energy(&some, atoms->charge, &energy, NULL) == DEBYE_STATUS_OK);
  for (size_t i = 0; i < some.n; i++)
    for (size_t k = 0; k < i; k++) {
      const double part = atoms->amount[i] * atoms->amount[k] /
                          debye_vec3_length(debye_vec3_subtract(debye_sphere_center(&some, i),
                                                                debye_sphere_center(&some, k)));
      sum += part;
      amounts += fabs(part);
    }
  CHECK_AT_MOST(fabs(energy - sum), 2e-7 * amounts);
}

/* Half of each charge times its potential is the energy; what has no charge has a potential. */
static void
test_coulomb_potential(const Atoms *atoms)
{
  enum { N = 2000 };
  DebyeSpheres some = atoms->spheres;
  double *potential = calloc(N, sizeof *potential), energy = 0.0, sum = 0.0, at_first = 0.0, amounts = 0.0;
  float *charges = calloc(N, sizeof *charges);
  some.n = N;
  for (size_t i = 1; i < N; i++) {
    charges[i] = atoms->charge[i];
    const double distance =
        debye_vec3_length(debye_vec3_subtract(debye_sphere_center(&some, i), debye_sphere_center(&some, 0)));
    at_first += (double)charges[i] / distance;
    amounts += fabs((double)charges[i]) / distance;
  }
  CHECK(debye_poisson_coulomb_energy(&some, charges, &energy, NULL) == DEBYE_STATUS_OK);
  CHECK(debye_poisson_coulomb_potential(&some, charges, potential, NULL) == DEBYE_STATUS_OK);
  for (size_t i = 0; i < N; i++)
    sum += 0.5 * (double)charges[i] * potential[i];
  CHECK_AT_MOST(fabs(energy - sum), 1e-12 * fabs(energy));
  CHECK_AT_MOST(fabs(potential[0] - at_first), 2e-7 * amounts);
  free(potential);
  free(charges);
}

static double
cubic_polynomial(DebyeVec3 at)
{
  return 1.0 + at.x - 2.0 * at.y * at.z + 0.3 * at.x * at.x * at.x - 0.1 * at.y * at.y * at.y * at.z;
}

/* Cubics are exact for polynomials of that degree along each axis, and only outer points are written. */
static void
test_focus(void)
{
  const DebyeSurfaceGrid outer = {{-2.0, -2.5, -2.0}, {0.5, 0.5, 0.4}, {9, 10, 12}};
  const DebyePoissonMedium medium = {.grid = {{-1.2, -1.7, -1.1}, {0.21, 0.3, 0.2}, {7, 8, 9}}};
  const DebyeSurfaceGrid *grid = &medium.grid;
  double *values = calloc(outer.shape[0] * outer.shape[1] * outer.shape[2], sizeof *values);
  double *potential = calloc(grid->shape[0] * grid->shape[1] * grid->shape[2], sizeof *potential);
  for (size_t i = 0; i < outer.shape[0] * outer.shape[1] * outer.shape[2]; i++)
    values[i] = cubic_polynomial(
        debye_vec3(outer.origin.x + outer.step[0] * (double)(i % outer.shape[0]),
                   outer.origin.y + outer.step[1] * (double)(i / outer.shape[0] % outer.shape[1]),
                   outer.origin.z + outer.step[2] * (double)(i / outer.shape[0] / outer.shape[1])));
  debye_poisson_medium_focus(&medium, &outer, values, potential);
  for (size_t z = 0; z < grid->shape[2]; z++)
    for (size_t y = 0; y < grid->shape[1]; y++)
      for (size_t x = 0; x < grid->shape[0]; x++) {
        const bool is_outer = x == 0 || y == 0 || z == 0 || x + 1 == grid->shape[0] ||
                              y + 1 == grid->shape[1] || z + 1 == grid->shape[2];
        const double exact = cubic_polynomial(debye_vec3(grid->origin.x + grid->step[0] * (double)x,
                                                         grid->origin.y + grid->step[1] * (double)y,
                                                         grid->origin.z + grid->step[2] * (double)z));
        const double found = potential[x + grid->shape[0] * (y + grid->shape[1] * z)];
        CHECK_AT_MOST(fabs(found - (is_outer ? exact : 0.0)), 1e-12);
      }
  free(values);
  free(potential);
}

/* A charge at the edge of a grid leaves there what it has of points; one far off leaves nothing. */
static void
test_cut_charge(void)
{
  const DebyePoissonMedium medium = {.grid = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {6, 6, 6}}, .length = 1.0};
  float x[] = {0.0f, 2.5f, -5.0f}, y[] = {3.0f, 3.0f, 3.0f}, z[] = {3.0f, 2.0f, 3.0f};
  float radius[] = {1.0f, 1.0f, 1.0f}, charges[] = {1.0f, 1.0f, 1.0f};
  const double shares[] = {0.875, 1.0, 0.0};
  for (size_t i = 0; i < 3; i++) {
    const DebyeSpheres one = {x + i, y + i, z + i, radius, 1};
    float source[216] = {0.0f};
    double sum = 0.0;
    debye_poisson_medium_add_charges(&medium, &one, charges, source);
    for (size_t k = 0; k < 216; k++)
      sum += (double)source[k];
    CHECK_AT_MOST(fabs(sum / (4.0 * PI) - shares[i]), 1e-6);
  }
}

/* Gouy and Chapman's plane of a 1:1 salt: per area (n/κ)[2φ₀ sinh(φ₀/2) − 8(cosh(φ₀/2) − 1)], from dφ/dx = −2κ sinh(φ/2). The
 * points' sum is the trapezoidal rule, which errs by 3e-4 here. */
static void
test_ions_energy(void)
{
  const size_t edge[3] = {5, 5, 1601};
  const double step = 0.05, kappa = 0.127, at_plane = 4.0;
  const size_t n = edge[0] * edge[1] * edge[2];
  const DebyePoissonSalt salt = {2, {1.0, -1.0}, {0.5, 0.5}};
  DebyePoissonMedium medium = {.grid = {{0.0, 0.0, 0.0}, {step, step, step}, {edge[0], edge[1], edge[2]}},
                               .solvent = 78.54,
                               .length = DEBYE_BJERRUM_VACUUM(298.15)};
  DebyePoissonEquation equation = {.screening = calloc(n, sizeof(float)),
                                   .potential = calloc(n, sizeof(double))};
  double energy = 0.0;
  medium.screening = kappa * kappa * medium.solvent;
  for (size_t i = 0; i < n; i++) {
    const size_t z = i / (edge[0] * edge[1]);
    const double share = z == 0 || z + 1 == edge[2] ? 0.5 : 1.0;
    equation.screening[i] = (float)(medium.screening * step * step * step * share);
    equation.potential[i] = 4.0 * atanh(tanh(at_plane / 4.0) * exp(-kappa * step * (double)z));
  }
  CHECK(debye_poisson_ions_energy(&medium, &salt, &equation, &energy, NULL) == DEBYE_STATUS_OK);
  const double density = medium.screening / (8.0 * PI * medium.length);
  const double exact =
      density / kappa * (2.0 * at_plane * sinh(at_plane / 2.0) - 8.0 * (cosh(at_plane / 2.0) - 1.0));
  CHECK_AT_MOST(fabs(energy / ((double)(edge[0] * edge[1]) * step * step * exact) - 1.0), 1e-3);
  free(equation.screening);
  free(equation.potential);
}

int
main(void)
{
  Atoms atoms = make_atoms(N_ATOMS);
  test_tree(&atoms);
  test_odd_trees();
  test_coulomb(&atoms);
  test_coulomb_potential(&atoms);
  test_focus();
  test_cut_charge();
  test_ions_energy();
  test_boundary(&atoms, 0.0);
  test_boundary(&atoms, 0.127);
  test_boundary(&atoms, 0.3);
  clear_atoms(&atoms);
  return debye_check_finish();
}
