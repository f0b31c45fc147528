/* SPDX-License-Identifier: MIT */
/* The Poisson-Boltzmann equation on every device: that what is solved is solved, against the grid's own equations; then
 * Born's ion, Debye and Hückel's, and Kirkwood's sphere with charges off its center, whose error is the grid's.
 *
 * Tolerances are those of 0.5 Å: 0.01 % of Born's energy for radii of 3, 2 and 1 Å, whatever the ion's place in the grid: the
 * flux through the surface is exactly the charge's, and the polarisation is where the surface is. 0.8 % of a molecule's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/poisson/lattice_green.h"
#include "kernels/poisson/poisson_medium.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"

#define PI 3.14159265358979323846
#define TEMPERATURE 298.15
#define RESIDUAL 1e-8

typedef struct {
  DebyePoissonMedium medium;
  DebyeSpheres spheres;
  const float *charges;
  const DebyePoissonSalt *salt;
  DebyePoissonEquation equation;
  DebyePoissonReport report;
} Problem;

static size_t
count_points(const DebyeSurfaceGrid *grid)
{
  return grid->shape[0] * grid->shape[1] * grid->shape[2];
}

static DebyeVec3
point_at(const DebyeSurfaceGrid *grid, size_t i)
{
  const size_t x = i % grid->shape[0], y = i / grid->shape[0] % grid->shape[1];
  const size_t z = i / grid->shape[0] / grid->shape[1];
  return debye_vec3(grid->origin.x + (double)x * grid->step[0], grid->origin.y + (double)y * grid->step[1],
                    grid->origin.z + (double)z * grid->step[2]);
}

static DebyePoissonMedium
medium_of(size_t points, double step, DebyeVec3 shift)
{
  const double half = 0.5 * step * (double)(points - 1);
  return (DebyePoissonMedium){.grid = {{-half + shift.x, -half + shift.y, -half + shift.z},
                                       {step, step, step},
                                       {points, points, points}},
                              .surface = DEBYE_SURFACE_EXCLUDED,
                              .probe = 1.4,
                              .solute = 2.0,
                              .solvent = 78.54,
                              .length = DEBYE_BJERRUM_VACUUM(TEMPERATURE)};
}

static void
clear_problem(Problem *problem)
{
  for (int axis = 0; axis < 3; axis++)
    free(problem->equation.along[axis]);
  free(problem->equation.screening);
  free(problem->equation.source);
  free(problem->equation.is_inner);
  free(problem->equation.potential);
}

static bool
set_problem(Problem *problem)
{
  const size_t n = count_points(&problem->medium.grid);
  DebyeStatus status = {0};
  for (int axis = 0; axis < 3; axis++)
    problem->equation.along[axis] = calloc(n, sizeof(float));
  problem->equation.screening = calloc(n, sizeof(float));
  problem->equation.source = calloc(n, sizeof(float));
  problem->equation.is_inner = calloc(n, sizeof(bool));
  problem->equation.potential = calloc(n, sizeof(double));
  CHECK(debye_poisson_medium_contains(&problem->medium, &problem->spheres));
  const DebyeStatusCode code =
      debye_poisson_medium_set(&problem->medium, &problem->spheres, &problem->equation, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(debye_poisson_medium_set_boundary(&problem->medium, &problem->spheres, problem->charges,
                                          problem->equation.potential, NULL) == DEBYE_STATUS_OK);
  debye_poisson_medium_add_charges(&problem->medium, &problem->spheres, problem->charges,
                                   problem->equation.source);
  return code == DEBYE_STATUS_OK;
}

static void
solve(const DebyeDeviceEntry *device, Problem *problem)
{
  const DebyePoissonKernel *kernel = device->backend->poisson;
  const DebyeSurfaceGrid *grid = &problem->medium.grid;
  const DebyePoissonSettings settings = {.shape = {grid->shape[0], grid->shape[1], grid->shape[2]},
                                         .nonlinear = problem->salt != NULL};
  const DebyePoissonOperator operator_ = {
      {problem->equation.along[0], problem->equation.along[1], problem->equation.along[2]},
      problem->equation.screening};
  const DebyePoissonGoal goal = {problem->salt, RESIDUAL, 60};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  DebyeStatusCode code = kernel->head.create(device->device, &settings, &plan, &status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_operator(plan, &operator_, &status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->solve(plan, problem->equation.source, problem->equation.potential, &goal, &problem->report,
                         NULL, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK_AT_MOST(problem->report.residual, RESIDUAL);
  CHECK_AT_MOST(problem->report.cycles, 22);
  kernel->head.destroy(plan);
}

/* What charges do to each other in a uniform medium, which is kept, and is then taken as it was given: of twice as much the
 * energy is less by their energy in the solute on the grid, ½ l₀/ε Σ z u. */
static void
check_uniform(const Problem *problem, double energy)
{
  const size_t n = problem->spheres.n;
  double *field = calloc(n, sizeof *field), *sums = calloc(n, sizeof *sums), whole = 0.0, other = 0.0,
         own = 0.0;
  DebyePoissonUniform uniform = {sums, false};
  for (int round = 0; round < 2; round++) {
    debye_poisson_medium_reaction(&problem->medium, &problem->spheres, problem->charges, &problem->equation,
                                  &uniform, field, NULL);
    CHECK(uniform.is_known);
    for (size_t i = 0; i < n; i++) {
      const double charge = (double)problem->charges[i];
      *(round == 0 ? &whole : &other) += 0.5 * charge * field[i];
      own += round == 0 ? 0.5 * charge * sums[i] : 0.0;
      sums[i] *= round == 0 ? 2.0 : 1.0;
    }
  }
  CHECK(whole == energy);
  CHECK_AT_MOST(fabs(other - (energy - problem->medium.length / problem->medium.solute * own)),
                1e-9 * fabs(own) * problem->medium.length + 1e-9);
  free(field);
  free(sums);
}

/* ½ Σ z φ_r, kT. */
static double
reaction_energy(const Problem *problem)
{
  double *field = calloc(problem->spheres.n, sizeof *field), sum = 0.0;
  debye_poisson_medium_reaction(&problem->medium, &problem->spheres, problem->charges, &problem->equation,
                                NULL, field, NULL);
  for (size_t i = 0; i < problem->spheres.n; i++)
    sum += 0.5 * (double)problem->charges[i] * field[i];
  free(field);
  check_uniform(problem, sum);
  return sum;
}

/* Of the grid's own equations, in double, independent of the kernel. */
static double
exact_residual(const Problem *problem)
{
  const size_t *shape = problem->medium.grid.shape, step[3] = {1, shape[0], shape[0] * shape[1]};
  double left = 0.0, right = 0.0;
  for (size_t z = 1; z + 1 < shape[2]; z++)
    for (size_t y = 1; y + 1 < shape[1]; y++)
      for (size_t x = 1; x + 1 < shape[0]; x++) {
        const size_t i = x + step[1] * y + step[2] * z, at[3] = {x, y, z};
        const double *potential = problem->equation.potential;
        double sum =
            (double)problem->equation.source[i] - (double)problem->equation.screening[i] * potential[i];
        double whole = (double)problem->equation.source[i];
        for (int axis = 0; axis < 3; axis++) {
          const double low = (double)problem->equation.along[axis][i - step[axis]],
                       high = (double)problem->equation.along[axis][i];
          sum -= low * (potential[i] - potential[i - step[axis]]) +
                 high * (potential[i] - potential[i + step[axis]]);
          whole += at[axis] == 1 ? low * potential[i - step[axis]] : 0.0;
          whole += at[axis] + 2 == shape[axis] ? high * potential[i + step[axis]] : 0.0;
        }
        left += sum * sum;
        right += whole * whole;
      }
  return sqrt(left / right);
}

static void
test_born(const DebyeDeviceEntry *device)
{
  static const double radii[3] = {3.0, 2.0, 1.0};
  static const double shifts[4] = {0.0, 0.11, 0.17, 0.25};
  const float x = 0.0f, charge = 1.0f;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      const float radius = (float)radii[i];
      Problem problem = {.medium = medium_of(49, 0.5, debye_vec3(shifts[k], shifts[k], shifts[k])),
                         .spheres = {&x, &x, &x, &radius, 1},
                         .charges = &charge};
      debye_check_subject("Born, %g Å, grid at %g Å", radii[i], shifts[k]);
      if (set_problem(&problem)) {
        solve(device, &problem);
        CHECK_AT_MOST(exact_residual(&problem), 1.01 * RESIDUAL);
        const double exact = 0.5 * problem.medium.length / radii[i] * (1.0 / 78.54 - 1.0 / 2.0);
        const double error = reaction_energy(&problem) / exact - 1.0;
        CHECK_AT_MOST(fabs(error), 1e-4);
        if (getenv("SHOW") != NULL)
          fprintf(stderr, "born %g %g: %.3f %% cycles %u\n", radii[i], shifts[k], 100.0 * error,
                  problem.report.cycles);
      }
      clear_problem(&problem);
    }
  debye_check_subject("%s", "");
}

/* Ionic strength, mol/l, as κ̄², 1/Å². */
static double
screening_of(double strength, double length)
{
  return 8.0 * PI * length * 6.02214076e-4 * strength;
}

/* The same with salt to the ion's surface: ½ l₀ [1/(ε_s r (1 + κr)) − 1/(ε r)]; and the potential outside,
 * l₀ exp(−κ(d − r))/(ε_s d (1 + κr)), within 0.5 % from 2 Å off the surface on. */
static void
test_debye_huckel(const DebyeDeviceEntry *device)
{
  const float at[3] = {0.13f, -0.08f, 0.21f}, radius = 3.0f, charge = 1.0f;
  Problem problem = {.medium = medium_of(65, 0.5, debye_vec3(0.0, 0.0, 0.0)),
                     .spheres = {&at[0], &at[1], &at[2], &radius, 1},
                     .charges = &charge};
  const double length = problem.medium.length, solvent = problem.medium.solvent;
  problem.medium.screening = screening_of(0.15, length);
  const double kappa = sqrt(problem.medium.screening / solvent);
  CHECK_AT_MOST(fabs(kappa - 0.127282), 2e-6);
  if (set_problem(&problem)) {
    solve(device, &problem);
    const double exact = 0.5 * length * (1.0 / (solvent * 3.0 * (1.0 + kappa * 3.0)) - 1.0 / (2.0 * 3.0));
    CHECK_AT_MOST(fabs(reaction_energy(&problem) / exact - 1.0), 0.001);
    double error = 0.0, square = 0.0;
    for (size_t i = 0; i < count_points(&problem.medium.grid); i++) {
      const DebyeVec3 offset =
          debye_vec3_subtract(point_at(&problem.medium.grid, i), debye_sphere_center(&problem.spheres, 0));
      const double d = debye_vec3_length(offset);
      const double there = length * exp(-kappa * (d - 3.0)) / (solvent * d * (1.0 + kappa * 3.0));
      if (d < 5.0)
        continue;
      error += (problem.equation.potential[i] - there) * (problem.equation.potential[i] - there);
      square += there * there;
    }
    CHECK_AT_MOST(sqrt(error / square), 0.005);
  }
  clear_problem(&problem);
}

/* The reaction energy of one charge at a distance s from the center of a sphere of radius a, kT (J. G. Kirkwood, J. Chem.
 * Phys. 2 (1934) 351): ½ l₀/(ε a) Σ (s/a)^2n (n + 1)(ε − ε_s)/((n + 1)ε_s + nε). */
static double
kirkwood(const DebyePoissonMedium *medium, double a, double s)
{
  double sum = 0.0;
  for (int n = 0; n < 400; n++)
    sum += pow(s / a, 2.0 * n) * (n + 1.0) * (medium->solute - medium->solvent) /
           ((n + 1.0) * medium->solvent + n * medium->solute);
  return 0.5 * medium->length / (medium->solute * a) * sum;
}

/* The sphere is an atom without a charge, the charge an atom without a radius; the grid is twice as wide as the sphere. */
static void
test_kirkwood(const DebyeDeviceEntry *device)
{
  static const struct {
    double radius, depth, tolerance;
    size_t points;
  } cases[] = {{8.0, 4.0, 0.001, 65}, {10.0, 1.5, 0.004, 81}, {8.0, 1.2, 0.006, 65}};
  static const DebyeVec3 directions[3] = {
      {1.0, 0.0, 0.0}, {0.57735027, 0.57735027, 0.57735027}, {0.48, -0.64, 0.6}};
  const float charge[2] = {0.0f, 1.0f};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int direction = 0; direction < 3; direction++) {
      const double s = cases[i].radius - cases[i].depth;
      const float radius[2] = {(float)cases[i].radius, 0.0f};
      const DebyeVec3 at = debye_vec3_scale(directions[direction], s);
      const float x[2] = {0.0f, (float)at.x}, y[2] = {0.0f, (float)at.y}, z[2] = {0.0f, (float)at.z};
      Problem problem = {.medium = medium_of(cases[i].points, 0.5, debye_vec3(0.0, 0.0, 0.0)),
                         .spheres = {x, y, z, radius, 2},
                         .charges = charge};
      debye_check_subject("Kirkwood, %g Å below the surface, direction %d", cases[i].depth, direction);
      if (set_problem(&problem)) {
        solve(device, &problem);
        const double exact = kirkwood(&problem.medium, cases[i].radius, s);
        CHECK_AT_MOST(fabs(reaction_energy(&problem) / exact - 1.0), cases[i].tolerance);
        if (getenv("SHOW") != NULL)
          fprintf(stderr, "kirkwood %g %d: %.3f %% cycles %u\n", cases[i].depth, direction,
                  100.0 * (reaction_energy(&problem) / exact - 1.0), problem.report.cycles);
      }
      clear_problem(&problem);
    }
  debye_check_subject("%s", "");
}

/* Solvation from vacuum of a molecule, atoms as near to each other and charges as near to the surface as in a protein: polar
 * hydrogens of 0.6 Å, 1 Å from their nitrogens. kT. */
static double
solvate(const DebyeDeviceEntry *device, size_t points, double step, DebyeVec3 shift)
{
  enum { n = 60 };
  float x[n], y[n], z[n], radius[n], charge[n];
  double energy[2] = {0.0, 0.0};
  for (int i = 0; i < n; i++) {
    const double angle = 2.4 * i, height = 0.28 * (i - 30), across = 4.5 * (double)(1 + i % 2) / 2.0;
    const bool is_hydrogen = i % 4 == 1;
    x[i] = (float)(across * cos(angle));
    y[i] = (float)(across * sin(angle));
    z[i] = (float)height;
    if (is_hydrogen) {
      x[i] = x[i - 1] + 0.6f;
      y[i] = y[i - 1] - 0.6f;
      z[i] = z[i - 1] + 0.5f;
    }
    radius[i] = is_hydrogen ? 0.6f : i % 4 == 0 ? 1.824f : 1.6f;
    charge[i] = is_hydrogen ? 0.35f : i % 4 == 0 ? -0.6f : i % 4 == 2 ? 0.55f : -0.25f;
  }
  for (int in_vacuum = 0; in_vacuum < 2; in_vacuum++) {
    Problem problem = {
        .medium = medium_of(points, step, shift), .spheres = {x, y, z, radius, n}, .charges = charge};
    /* It is longer than wide: as much of the solvent on each side. */
    DebyeSurfaceGrid *grid = &problem.medium.grid;
    grid->shape[0] = grid->shape[1] = 3 * (points - 1) / 4 + 1;
    grid->origin.x += 0.125 * step * (double)(points - 1);
    grid->origin.y += 0.125 * step * (double)(points - 1);
    problem.medium.solvent = in_vacuum != 0 ? 1.0 : problem.medium.solvent;
    if (set_problem(&problem)) {
      solve(device, &problem);
      energy[in_vacuum] = reaction_energy(&problem);
    }
    clear_problem(&problem);
  }
  return energy[0] - energy[1];
}

/* A molecule's own limit, of what 0.25 and 0.2 Å have by the second order: half of all points. The first device of each back
 * end finds it, of the processor the first instruction set, and those that come next are compared with it. */
static double
find_limit(const DebyeDeviceEntry *device)
{
  static char backend[32] = "";
  static double limit = 0.0;
  if (strcmp(backend, device->backend->name) != 0) {
    const DebyeVec3 none = debye_vec3(0.0, 0.0, 0.0);
    const double fine = solvate(device, 129, 0.25, none), finer = solvate(device, 161, 0.2, none);
    snprintf(backend, sizeof backend, "%s", device->backend->name);
    limit = finer + (finer - fine) * 0.2 * 0.2 / (0.25 * 0.25 - 0.2 * 0.2);
    CHECK_AT_MOST(fabs(fine / limit - 1.0), 0.002);
  }
  return limit;
}

/* At 0.5 Å within 0.8 % of the limit, wherever the grid lies. */
static void
test_molecule(const DebyeDeviceEntry *device)
{
  const DebyeVec3 none = debye_vec3(0.0, 0.0, 0.0), some = debye_vec3(0.13, 0.21, -0.08);
  const double limit = find_limit(device), there = solvate(device, 65, 0.5, none),
               shifted = solvate(device, 65, 0.5, some);
  if (getenv("SHOW") != NULL)
    fprintf(stderr, "molecule: %.3f kT at 0.5 Å, %.3f shifted, limit %.3f\n", there, shifted, limit);
  CHECK_AT_MOST(fabs(there / limit - 1.0), 0.008);
  CHECK_AT_MOST(fabs(shifted / limit - 1.0), 0.008);
}

/* g(0) of the cubic lattice (Watson's third integral, 1939), what its own equation demands, and Coulomb's far away. */
static void
test_lattice_green(void)
{
  const double cubic[3] = {1.0, 1.0, 1.0}, other[3] = {1.3, 0.7, 1.1};
  DebyeLatticeGreen green;
  debye_lattice_green_init(&green, cubic);
  CHECK_AT_MOST(fabs(green.at[0][0][0] - 0.2527310098586630), 1e-9);
  CHECK_AT_MOST(fabs(green.at[8][0][0] * 4.0 * PI * 8.0 - 1.0), 0.01);
  debye_lattice_green_init(&green, other);
  CHECK_AT_MOST(fabs(2.0 * (other[0] * (green.at[0][0][0] - green.at[1][0][0]) +
                            other[1] * (green.at[0][0][0] - green.at[0][1][0]) +
                            other[2] * (green.at[0][0][0] - green.at[0][0][1])) -
                     1.0),
                1e-8);
  CHECK_AT_MOST(fabs(other[0] * (2.0 * green.at[2][1][3] - green.at[1][1][3] - green.at[3][1][3]) +
                     other[1] * (2.0 * green.at[2][1][3] - green.at[2][0][3] - green.at[2][2][3]) +
                     other[2] * (2.0 * green.at[2][1][3] - green.at[2][1][2] - green.at[2][1][4])),
                1e-9);
}

/* Points of a shape that multigrid likes: enough, not many more, and few odd cells. */
static void
test_rounding(void)
{
  for (size_t wanted = 1; wanted < 1200; wanted++) {
    const size_t found = debye_poisson_round(wanted);
    size_t cells = found - 1;
    while (cells % 2 == 0)
      cells /= 2;
    CHECK_THAT(found >= wanted && found >= DEBYE_POISSON_LEAST_POINTS && cells <= 17, "%zu becomes %zu",
               wanted, found);
    CHECK_THAT(wanted < 19 || (found - 1) * 9 <= (wanted - 1) * 10 + 9, "%zu becomes %zu", wanted, found);
  }
  CHECK(debye_poisson_round(129) == 129 && debye_poisson_round(161) == 161 && debye_poisson_round(97) == 97);
}

/* A grid whose axes have other steps and numbers of points, from a bad first guess: the same solution. */
static void
test_uneven(const DebyeDeviceEntry *device)
{
  const float x[3] = {-3.0f, 0.5f, 2.5f}, y[3] = {0.2f, 1.0f, -0.7f}, z[3] = {0.1f, 2.0f, -1.0f};
  const float radius[3] = {1.9f, 1.5f, 1.7f}, charge[3] = {0.5f, -0.8f, 1.0f};
  Problem problem = {.spheres = {x, y, z, radius, 3}, .charges = charge};
  problem.medium = medium_of(65, 0.5, debye_vec3(0.0, 0.0, 0.0));
  problem.medium.grid = (DebyeSurfaceGrid){{-12.0, -9.6, -10.0}, {0.5, 0.4, 0.625}, {49, 49, 33}};
  problem.medium.screening = screening_of(0.5, problem.medium.length);
  problem.medium.ion_radius = 2.0;
  if (set_problem(&problem)) {
    solve(device, &problem);
    CHECK_AT_MOST(exact_residual(&problem), 1.01 * RESIDUAL);
    const double first = reaction_energy(&problem);
    for (size_t i = 0; i < count_points(&problem.medium.grid); i++) {
      const size_t *shape = problem.medium.grid.shape;
      const size_t at[3] = {i % shape[0], i / shape[0] % shape[1], i / shape[0] / shape[1]};
      if (at[0] > 0 && at[1] > 0 && at[2] > 0 && at[0] + 1 < shape[0] && at[1] + 1 < shape[1] &&
          at[2] + 1 < shape[2])
        problem.equation.potential[i] += (double)(i % 7) - 3.0;
    }
    solve(device, &problem);
    CHECK_AT_MOST(fabs(reaction_energy(&problem) / first - 1.0), 1e-5);
  }
  clear_problem(&problem);
}

/* Gouy and Chapman's plane in a 1:1 salt: tanh(φ/4) = tanh(φ₀/4) e^(−κx), given on the grid's outer points and found
 * within. The grid's own error goes as (κh)² φ₀³ for large potentials. */
static double
solve_plane(const DebyeDeviceEntry *device, size_t points, double thickness, double at_plane,
            DebyePoissonReport *report)
{
  const size_t n = points * points * points;
  const double h = thickness / (double)(points - 1), kappa = 0.1272, solvent = 78.54;
  const DebyePoissonSettings settings = {.shape = {points, points, points}, .nonlinear = true};
  const DebyePoissonSalt salt = {2, {1.0, -1.0}, {0.5, 0.5}};
  const DebyePoissonGoal goal = {&salt, RESIDUAL, 200};
  float *along = calloc(n, sizeof *along), *screening = calloc(n, sizeof *screening),
        *source = calloc(n, sizeof *source);
  double *potential = calloc(n, sizeof *potential), *exact = calloc(n, sizeof *exact), worst = 0.0;
  const DebyePoissonOperator operator_ = {{along, along, along}, screening};
  for (size_t i = 0; i < n; i++) {
    const size_t at[3] = {i % points, i / points % points, i / points / points};
    bool outer = false;
    for (int axis = 0; axis < 3; axis++)
      outer = outer || at[axis] == 0 || at[axis] + 1 == points;
    along[i] = (float)(solvent * h);
    screening[i] = (float)(solvent * kappa * kappa * h * h * h);
    exact[i] = 4.0 * atanh(tanh(at_plane / 4.0) * exp(-kappa * h * (double)at[2]));
    potential[i] = outer ? exact[i] : 0.0;
  }
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  const DebyePoissonKernel *kernel = device->backend->poisson;
  DebyeStatusCode code = kernel->head.create(device->device, &settings, &plan, &status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_operator(plan, &operator_, &status);
  if (code == DEBYE_STATUS_OK)
    code = kernel->solve(plan, source, potential, &goal, report, NULL, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK_AT_MOST(report->residual, goal.tolerance);
  for (size_t i = 0; i < n; i++)
    worst = fmax(worst, fabs(potential[i] - exact[i]));
  kernel->head.destroy(plan);
  free(along);
  free(screening);
  free(source);
  free(potential);
  free(exact);
  return worst;
}

static void
test_gouy_chapman(const DebyeDeviceEntry *device)
{
  DebyePoissonReport report;
  for (double at_plane = 1.0; at_plane < 10.0; at_plane *= 2.0) {
    debye_check_subject("Gouy-Chapman, %g kT/e", at_plane);
    const double coarse = solve_plane(device, 33, 16.0, at_plane, &report);
    CHECK(report.steps >= 1);
    const double fine = solve_plane(device, 65, 16.0, at_plane, &report);
    if (getenv("SHOW") != NULL)
      fprintf(stderr, "plane %g: %g %g, %u steps %u cycles\n", at_plane, coarse, fine, report.steps,
              report.cycles);
    CHECK_AT_MOST(fine, 0.0002 * at_plane * at_plane * at_plane);
    /* The second order shows: a quarter. */
    CHECK_AT_MOST(fine, 0.35 * coarse);
  }
  debye_check_subject("%s", "");
}

/* Where potentials are small it is the linear equation, for salts of any valence; a salt that isn't neutral is refused. */
static void
test_salts(const DebyeDeviceEntry *device)
{
  const float at = 0.1f, radius = 2.0f, charge = 0.002f;
  /* A 2:1 salt: z²c is 4 and 2. */
  const DebyePoissonSalt salt = {2, {2.0, -1.0}, {2.0 / 3.0, 1.0 / 3.0}}, bad = {2, {2.0, -1.0}, {0.5, 0.5}};
  Problem problem = {.medium = medium_of(33, 0.5, debye_vec3(0.0, 0.0, 0.0)),
                     .spheres = {&at, &at, &at, &radius, 1},
                     .charges = &charge,
                     .salt = &salt};
  problem.medium.screening = screening_of(0.15, problem.medium.length);
  if (set_problem(&problem)) {
    solve(device, &problem);
    const double nonlinear = reaction_energy(&problem);
    problem.salt = NULL;
    solve(device, &problem);
    CHECK_AT_MOST(fabs(nonlinear / reaction_energy(&problem) - 1.0), 1e-4);
    const DebyePoissonSettings settings = {.shape = {33, 33, 33}, .nonlinear = true};
    const DebyePoissonGoal goal = {&bad, RESIDUAL, 60};
    CHECK(debye_poisson_goal_check(&settings, &goal, NULL) == DEBYE_STATUS_INVALID);
  }
  clear_problem(&problem);
}

static void
test_device(const DebyeDeviceEntry *device, const char *how, void *data)
{
  (void)how;
  (void)data;
  test_born(device);
  test_debye_huckel(device);
  test_kirkwood(device);
  test_molecule(device);
  test_uneven(device);
  test_gouy_chapman(device);
  test_salts(device);
}

int
main(int argc, char **argv)
{
  test_lattice_green();
  test_rounding();
  return debye_test_main(argc, argv, test_device);
}
