/* SPDX-License-Identifier: MIT */
/* The Poisson-Boltzmann equation of a molecule in water with salt, by parts: the surface on the grid, the boundary, the
 * solver; and all at once, from charges to the map, where a device makes the equation itself, by its stages; then frames
 * whose first guess is the one before, of atoms that move by up to 0.1 Å.
 *
 *   bench_poisson [--points N] [--edge Å] [--atoms N] [--residual R] [--repeat N] [--frames N]
 *                 [--nonlinear 1] [--slabs N] [--pqr FILE] [DEVICE...]
 *
 * Without a file it is a ball of atoms as dense as a protein. The best of the repeats is
 * printed; with none of them, only what a device does at once. With slabs only that, whole and in slabs of the device and of
 * as many of its back end, and how far their maps are from the whole's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/poisson/poisson_medium.h"
#include "kernels/registry.h"
#include "tests/support/even_atoms.h"

#define MAX_ATOMS 1000000
#define PI 3.14159265358979323846

typedef struct {
  size_t points, atoms, repeat, frames, nonlinear, slabs;
  double edge, residual;
  const char *pqr;
} Options;

typedef struct {
  float *x, *y, *z, *radius, *charge;
  size_t n;
} Molecule;

typedef struct {
  DebyePoissonMedium medium;
  DebyeSpheres spheres;
  DebyePoissonEquation equation;
  float *charges;
  double *field;
} Problem;

static void
append(Molecule *molecule, double x, double y, double z, double charge, double radius)
{
  const size_t i = molecule->n;
  if (i == MAX_ATOMS)
    return;
  molecule->x[i] = (float)x;
  molecule->y[i] = (float)y;
  molecule->z[i] = (float)z;
  molecule->charge[i] = (float)charge;
  molecule->radius[i] = (float)radius;
  molecule->n++;
}

/* The last five columns of its atoms. */
static bool
read_pqr(Molecule *molecule, const char *path)
{
  FILE *file = fopen(path, "r");
  char line[512];
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    double value[5];
    char *words[32];
    int n = 0;
    if (strncmp(line, "ATOM", 4) != 0 && strncmp(line, "HETATM", 6) != 0)
      continue;
    for (char *word = strtok(line, " \t\r\n"); word != NULL && n < 32; word = strtok(NULL, " \t\r\n"))
      words[n++] = word;
    for (int i = 0; i < 5 && n >= 5; i++)
      value[i] = strtod(words[n - 5 + i], NULL);
    if (n >= 5)
      append(molecule, value[0], value[1], value[2], value[3], value[4]);
  }
  if (file != NULL)
    fclose(file);
  return molecule->n > 0;
}

/* A ball cut out of even atoms. */
static void
make_ball(Molecule *molecule, size_t n)
{
  static const double radii[4] = {1.2, 1.7, 1.2, 1.55};
  const double ball = cbrt(3.0 * (double)n / (4.0 * PI * DEBYE_WATER_DENSITY));
  DebyeRandomSystem system = debye_even_atoms_new(2.0 * ball + 4.0, DEBYE_WATER_DENSITY, 1);
  for (size_t i = 0; i < system.charges.n; i++) {
    const double x = (double)system.charges.x[i] - ball - 2.0, y = (double)system.charges.y[i] - ball - 2.0;
    const double z = (double)system.charges.z[i] - ball - 2.0;
    if (x * x + y * y + z * z < ball * ball)
      append(molecule, x, y, z, (double)system.charges.charge[i], radii[i % 4]);
  }
  debye_random_system_clear(&system);
}

static DebyeVec3
middle_of(const Molecule *molecule)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < molecule->n; i++) {
    const double at[3] = {(double)molecule->x[i], (double)molecule->y[i], (double)molecule->z[i]};
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = fmin(low[axis], at[axis]);
      high[axis] = fmax(high[axis], at[axis]);
    }
  }
  return debye_vec3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
}

static bool
open_problem(Problem *problem, const Molecule *molecule, const Options *options)
{
  const size_t n = options->points * options->points * options->points;
  const double step = options->edge / (double)(options->points - 1), half = 0.5 * options->edge;
  const DebyeVec3 middle = middle_of(molecule);
  const double length = DEBYE_BJERRUM_VACUUM(298.15);
  *problem = (Problem){.spheres = {molecule->x, molecule->y, molecule->z, molecule->radius, molecule->n},
                       .charges = molecule->charge};
  problem->medium = (DebyePoissonMedium){.grid = {{middle.x - half, middle.y - half, middle.z - half},
                                                  {step, step, step},
                                                  {options->points, options->points, options->points}},
                                         .surface = DEBYE_SURFACE_EXCLUDED,
                                         .probe = 1.4,
                                         .solute = 2.0,
                                         .solvent = 78.54,
                                         .length = length,
                                         .screening = 8.0 * PI * length * 6.02214076e-4 * 0.15,
                                         .ion_radius = 2.0};
  for (int axis = 0; axis < 3; axis++)
    problem->equation.along[axis] = calloc(n, sizeof(float));
  problem->equation.screening = calloc(n, sizeof(float));
  problem->equation.source = calloc(n, sizeof(float));
  problem->equation.is_inner = calloc(n, sizeof(bool));
  problem->equation.potential = calloc(n, sizeof(double));
  problem->field = calloc(molecule->n, sizeof(double));
  return problem->equation.along[0] != NULL && problem->equation.along[1] != NULL &&
         problem->equation.along[2] != NULL && problem->equation.screening != NULL &&
         problem->equation.source != NULL && problem->equation.potential != NULL && problem->field != NULL;
}

static void
close_problem(Problem *problem)
{
  for (int axis = 0; axis < 3; axis++)
    free(problem->equation.along[axis]);
  free(problem->equation.screening);
  free(problem->equation.source);
  free(problem->equation.is_inner);
  free(problem->equation.potential);
  free(problem->field);
}

typedef struct {
  double surface, boundary, set, solve, reaction, energy;
  DebyePoissonReport report;
} Times;

/* A salt of ions ±1, or none. */
static DebyePoissonGoal
goal_of(const Options *options)
{
  static const DebyePoissonSalt salt = {2, {1.0, -1.0}, {0.5, 0.5}};
  return (DebyePoissonGoal){options->nonlinear != 0 ? &salt : NULL, options->residual, 100};
}

static DebyeStatusCode
run_once(const DebyeDeviceEntry *device, DebyeKernelPlan *plan, Problem *problem, const Options *options,
         Times *times, DebyeStatus *status)
{
  const DebyePoissonKernel *kernel = device->backend->poisson;
  const DebyePoissonOperator operator_ = {
      {problem->equation.along[0], problem->equation.along[1], problem->equation.along[2]},
      problem->equation.screening};
  const size_t *shape = problem->medium.grid.shape, n = shape[0] * shape[1] * shape[2];
  const DebyePoissonGoal goal = goal_of(options);
  memset(problem->equation.source, 0, n * sizeof *problem->equation.source);
  memset(problem->equation.potential, 0, n * sizeof *problem->equation.potential);
  double begin = debye_bench_seconds(), end;
  DebyeStatusCode code =
      debye_poisson_medium_set(&problem->medium, &problem->spheres, &problem->equation, status);
  times->surface = (end = debye_bench_seconds()) - begin;
  if (code == DEBYE_STATUS_OK)
    code = debye_poisson_medium_set_boundary(&problem->medium, &problem->spheres, problem->charges,
                                             problem->equation.potential, status);
  debye_poisson_medium_add_charges(&problem->medium, &problem->spheres, problem->charges,
                                   problem->equation.source);
  times->boundary = (begin = debye_bench_seconds()) - end;
  if (code == DEBYE_STATUS_OK)
    code = kernel->set_operator(plan, &operator_, status);
  times->set = (end = debye_bench_seconds()) - begin;
  if (code == DEBYE_STATUS_OK)
    code = kernel->solve(plan, problem->equation.source, problem->equation.potential, &goal, &times->report,
                         NULL, status);
  times->solve = (begin = debye_bench_seconds()) - end;
  if (code == DEBYE_STATUS_OK)
    code = debye_poisson_medium_reaction(&problem->medium, &problem->spheres, problem->charges,
                                         &problem->equation, NULL, problem->field, status);
  times->reaction = debye_bench_seconds() - begin;
  times->energy = 0.0;
  for (size_t i = 0; i < problem->spheres.n; i++)
    times->energy += 0.5 * (double)problem->charges[i] * problem->field[i];
  return code;
}

static double
whole(const Times *times)
{
  return times->surface + times->boundary + times->set + times->solve;
}

static void
print_stages(const char *what, const DebyePoissonReport *report, double seconds)
{
  printf("         %-8s %8.2f ms: surface %.2f, equation %.2f, solve %.2f (%u cycles, %.1e), map %.2f\n",
         what, 1e3 * seconds, (double)report->stage_ms[DEBYE_POISSON_STAGE_SURFACE],
         (double)report->stage_ms[DEBYE_POISSON_STAGE_EQUATION],
         (double)report->stage_ms[DEBYE_POISSON_STAGE_SOLVE], report->cycles, report->residual,
         (double)report->stage_ms[DEBYE_POISSON_STAGE_MAP]);
}

/* Moves what the problem borrows. */
static void
jiggle(Molecule *molecule, size_t frame)
{
  float *const axes[3] = {molecule->x, molecule->y, molecule->z};
  unsigned state = (unsigned)frame * 2654435761u + 1u;
  for (int axis = 0; axis < 3; axis++)
    for (size_t i = 0; i < molecule->n; i++) {
      state = state * 1664525u + 1013904223u;
      axes[axis][i] += 0.1f * ((float)(state >> 8) / 8388608.0f - 1.0f);
    }
}

static DebyeStatusCode
bench_frames(const DebyePoissonKernel *kernel, DebyeKernelPlan *plan, DebyePoissonMolecule molecule,
             Molecule *atoms, const Options *options, float *map, DebyeStatus *status)
{
  const DebyePoissonGoal goal = goal_of(options);
  DebyePoissonReport report = {0};
  DebyeStatusCode code = DEBYE_STATUS_OK;
  double spent = 0.0;
  molecule.has_guess = true;
  for (size_t frame = 0; frame < options->frames && code == DEBYE_STATUS_OK; frame++) {
    jiggle(atoms, frame);
    const double begin = debye_bench_seconds();
    code = kernel->solve_molecule(plan, &molecule, map, &goal, &report, NULL, status);
    spent += debye_bench_seconds() - begin;
  }
  if (code == DEBYE_STATUS_OK && options->frames > 0) {
    print_stages("a frame", &report, spent / (double)options->frames);
    printf("         %.0f frames a second\n", (double)options->frames / spent);
  }
  return code;
}

/* The best of repeats and two, which make what a plan makes once. */
static DebyeStatusCode
solve_molecules(const DebyePoissonKernel *kernel, DebyeKernelPlan *plan, const DebyePoissonMolecule *molecule,
                const Options *options, float *map, DebyePoissonReport *best, double *least,
                DebyeStatus *status)
{
  const DebyePoissonGoal goal = goal_of(options);
  DebyeStatusCode code = DEBYE_STATUS_OK;
  *least = INFINITY;
  for (size_t i = 0; i < options->repeat + 2 && code == DEBYE_STATUS_OK; i++) {
    DebyePoissonReport report = {0};
    const double begin = debye_bench_seconds();
    code = kernel->solve_molecule(plan, molecule, map, &goal, &report, NULL, status);
    const double seconds = debye_bench_seconds() - begin;
    *best = seconds < *least ? report : *best;
    *least = fmin(*least, seconds);
  }
  return code;
}

static DebyePoissonMolecule
molecule_of(const Problem *problem)
{
  return (DebyePoissonMolecule){.medium = &problem->medium,
                                .spheres = &problem->spheres,
                                .charges = problem->charges,
                                .boundary = DEBYE_POISSON_DEBYE_HUECKEL};
}

static size_t
count_points(const Problem *problem)
{
  const size_t *shape = problem->medium.grid.shape;
  return shape[0] * shape[1] * shape[2];
}

/* From charges to the map, where the device can. */
static DebyeStatusCode
bench_molecule(const DebyeDeviceEntry *device, DebyeKernelPlan *plan, Problem *problem, Molecule *atoms,
               const Options *options, DebyeStatus *status)
{
  const DebyePoissonKernel *kernel = device->backend->poisson;
  const size_t *shape = problem->medium.grid.shape;
  const DebyePoissonMolecule molecule = molecule_of(problem);
  DebyePoissonReport best = {0};
  DebyeStatusCode code = DEBYE_STATUS_OK;
  double least;
  float *map = kernel->solve_molecule != NULL ? calloc(count_points(problem), sizeof *map) : NULL;
  if (map != NULL)
    code = solve_molecules(kernel, plan, &molecule, options, map, &best, &least, status);
  if (map != NULL && code == DEBYE_STATUS_OK) {
    printf("%-8s %4zu³  %.1f MB\n", device->info.id, options->points,
           1e-6 * (double)kernel->head.bytes_needed(
                      device->device, &(DebyePoissonSettings){.shape = {shape[0], shape[1], shape[2]},
                                                              .n_atoms = problem->spheres.n}));
    print_stages("at once", &best, least);
    code = bench_frames(kernel, plan, molecule, atoms, options, map, status);
  }
  free(map);
  return code;
}

/* Rms over that of the other. */
static double
differ(const float *map, const float *other, size_t n)
{
  double error = 0.0, whole = 0.0;
  for (size_t i = 0; i < n; i++) {
    error += ((double)map[i] - (double)other[i]) * ((double)map[i] - (double)other[i]);
    whole += (double)other[i] * (double)other[i];
  }
  return sqrt(error / whole);
}

/* The device and others of its back end, in turn, from its own on; how many there are. */
static unsigned
find_numbers(const DebyeRegistry *registry, const DebyeDeviceEntry *device,
             int numbers[DEBYE_POISSON_MAX_SLABS])
{
  const size_t n = debye_registry_get_count(registry);
  unsigned found = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    const DebyeDeviceEntry *other = debye_registry_get(registry, i % n);
    const bool is_own = strcmp(other->info.id, device->info.id) == 0;
    if (other->device >= 0 && is_own == (i < n) && other->backend == device->backend &&
        found < DEBYE_POISSON_MAX_SLABS)
      numbers[found++] = other->device;
  }
  return found;
}

/* One plan; no devices: whole. */
static bool
bench_slabs_of(const DebyeDeviceEntry *device, const Problem *problem, const Options *options,
               unsigned n_devices, const int *numbers, float *map)
{
  const DebyePoissonKernel *kernel = device->backend->poisson;
  const DebyePoissonMolecule molecule = molecule_of(problem);
  DebyePoissonSettings settings = {.shape = {options->points, options->points, options->points},
                                   .nonlinear = options->nonlinear != 0,
                                   .n_atoms = problem->spheres.n};
  size_t left = options->points - 2;
  settings.slabs.n = n_devices > 0 ? (unsigned)options->slabs : 0;
  for (unsigned i = 0; i < settings.slabs.n; i++) {
    settings.slabs.device[i] = numbers[i % n_devices];
    settings.slabs.planes[i] = i + 1 == settings.slabs.n ? left : left / (settings.slabs.n - i) / 2 * 2;
    left -= settings.slabs.planes[i];
  }
  DebyeKernelPlan *plan = NULL;
  DebyePoissonReport report = {0};
  DebyeStatus status = {0};
  double least;
  DebyeStatusCode code = kernel->head.create(device->device, &settings, &plan, &status);
  if (code == DEBYE_STATUS_OK)
    code = solve_molecules(kernel, plan, &molecule, options, map, &report, &least, &status);
  printf("%u slabs of %u devices, %.1f MB of the first: %s\n", settings.slabs.n,
         n_devices > 0 ? n_devices : 1, 1e-6 * (double)kernel->head.bytes_needed(device->device, &settings),
         code == DEBYE_STATUS_OK ? "" : status.text);
  if (code == DEBYE_STATUS_OK)
    print_stages("at once", &report, least);
  kernel->head.destroy(plan);
  return code == DEBYE_STATUS_OK;
}

/* An equation that is too large for the device alone is timed in slabs all the same. */
static bool
bench_slabs(const DebyeRegistry *registry, const DebyeDeviceEntry *device, const Problem *problem,
            const Options *options)
{
  int numbers[DEBYE_POISSON_MAX_SLABS];
  const unsigned n_devices = find_numbers(registry, device, numbers);
  const size_t n = count_points(problem);
  float *whole = calloc(n, sizeof *whole), *map = calloc(n, sizeof *map);
  bool good = whole != NULL && map != NULL && options->slabs <= device->backend->poisson->max_slabs;
  if (!good)
    printf("%s: there are no %zu slabs.\n", device->info.id, options->slabs);
  const bool has_whole = good && bench_slabs_of(device, problem, options, 0, numbers, whole);
  for (unsigned of = 1; good && of <= n_devices && of <= options->slabs;
       of = of == 1 ? (unsigned)options->slabs : of + 1) {
    good = bench_slabs_of(device, problem, options, of, numbers, map);
    if (good && has_whole)
      printf("         the map differs from the whole's by %.1e\n", differ(map, whole, n));
  }
  free(whole);
  free(map);
  return good;
}

static bool
bench_device(const DebyeDeviceEntry *device, Problem *problem, Molecule *atoms, const Options *options)
{
  const DebyePoissonSettings settings = {.shape = {options->points, options->points, options->points},
                                         .nonlinear = options->nonlinear != 0,
                                         .n_atoms = problem->spheres.n};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  Times best = {.surface = INFINITY};
  DebyeStatusCode code = device->backend->poisson->head.create(device->device, &settings, &plan, &status);
  for (size_t i = 0; i < options->repeat && code == DEBYE_STATUS_OK; i++) {
    Times times;
    code = run_once(device, plan, problem, options, &times, &status);
    best = whole(&times) < whole(&best) ? times : best;
  }
  if (code != DEBYE_STATUS_OK)
    printf("%s: %s\n", device->info.id, status.text);
  else if (options->repeat > 0)
    printf("%-8s %4zu³  surface %8.2f ms, boundary %8.2f, operator %8.2f, solve %8.2f (%u cycles, %.1e), "
           "reaction %.2f; "
           "%.1f MB; reaction energy %.4f kT\n",
           device->info.id, options->points, 1e3 * best.surface, 1e3 * best.boundary, 1e3 * best.set,
           1e3 * best.solve, best.report.cycles, best.report.residual, 1e3 * best.reaction,
           1e-6 * (double)device->backend->poisson->head.bytes_needed(device->device, &settings),
           best.energy);
  if (code == DEBYE_STATUS_OK && bench_molecule(device, plan, problem, atoms, options, &status) != code) {
    printf("%s: %s\n", device->info.id, status.text);
    code = status.code;
  }
  device->backend->poisson->head.destroy(plan);
  return code == DEBYE_STATUS_OK;
}

int
main(int argc, char **argv)
{
  Options options = {.points = 129, .atoms = 3261, .edge = 80.0, .residual = 1e-6, .repeat = 3};
  const DebyeBenchOption table[] = {{"--points", .count = &options.points, .least = 5},
                                    {"--atoms", .count = &options.atoms, .least = 1},
                                    {"--edge", .number = &options.edge, .least = 1.0},
                                    {"--residual", .number = &options.residual, .least = 1e-15},
                                    {"--repeat", .count = &options.repeat, .least = 0},
                                    {"--frames", .count = &options.frames, .least = 0},
                                    {"--nonlinear", .count = &options.nonlinear, .least = 0},
                                    {"--slabs", .count = &options.slabs, .least = 1},
                                    {"--pqr", .text = &options.pqr}};
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof *table);
  if (n_choices < 0)
    return 2;
  Molecule molecule = {calloc(MAX_ATOMS, sizeof(float)), calloc(MAX_ATOMS, sizeof(float)),
                       calloc(MAX_ATOMS, sizeof(float)), calloc(MAX_ATOMS, sizeof(float)),
                       calloc(MAX_ATOMS, sizeof(float)), 0};
  if (options.pqr == NULL)
    make_ball(&molecule, options.atoms);
  else if (!read_pqr(&molecule, options.pqr))
    return EXIT_FAILURE;
  Problem problem;
  DebyeStatus status = {0};
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  bool good = open_problem(&problem, &molecule, &options);
  printf("%zu atoms\n", molecule.n);
  for (int i = 0; i < n_choices && good; i++) {
    const DebyeDeviceEntry *devices[1];
    good = debye_registry_choose(registry, argv[i], devices, 1, &status) == 1 &&
           (options.slabs > 0 ? bench_slabs(registry, devices[0], &problem, &options)
                              : bench_device(devices[0], &problem, &molecule, &options));
  }
  close_problem(&problem);
  debye_registry_free(registry);
  return !good;
}
