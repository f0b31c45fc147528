/* SPDX-License-Identifier: MIT */
/* The equation of a molecule as a device makes it, and its solution, on every device, against the processor's own
 * functions in double: conductances of each kind of surface, screening, charges, each kind of boundary; then maps, first
 * guesses, and executions that keep their medium.
 *
 * Conductances are float, and a surface cuts an edge at 1e-6 of it: 1e-4 of a conductance
 * where the cut is at the solvent's end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/poisson/poisson_lanes.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/remembered.h"
#include "bodies/poisson_test_atoms.h"

#define PI 3.14159265358979323846
#define TOLERANCE 1e-7

static size_t
count_points(const DebyePoissonMedium *medium)
{
  return medium->grid.shape[0] * medium->grid.shape[1] * medium->grid.shape[2];
}

/* Axes with other steps and numbers of points. */
static DebyePoissonMedium
medium_of(DebyeSurfaceKind surface)
{
  const double length = DEBYE_BJERRUM_VACUUM(298.15);
  return (DebyePoissonMedium){.grid = {{-16.1, -15.7, -14.9}, {0.503, 0.643, 0.7}, {65, 49, 43}},
                              .surface = surface,
                              .probe = 1.4,
                              .solute = 2.0,
                              .solvent = 78.54,
                              .length = length,
                              .screening = 8.0 * PI * length * 6.02214076e-4 * 0.15,
                              .ion_radius = 2.0};
}

static DebyePoissonLanesSettings
settings_of(DebyeSurfaceKind surface, DebyePoissonBoundary boundary)
{
  return (DebyePoissonLanesSettings){
      .medium = medium_of(surface), .goal = {.tolerance = TOLERANCE, .max_cycles = 60}, .boundary = boundary};
}

/* --- The processor's own --- */

static bool
new_equation(DebyePoissonEquation *equation, size_t n)
{
  for (int axis = 0; axis < 3; axis++)
    equation->along[axis] = calloc(n, sizeof(float));
  equation->screening = calloc(n, sizeof(float));
  equation->source = calloc(n, sizeof(float));
  equation->is_inner = calloc(n, sizeof(bool));
  equation->potential = calloc(n, sizeof(double));
  return equation->potential != NULL;
}

/* The same for each device and instruction set; stays until the program ends. */
static const DebyePoissonEquation *
make_own(const DebyePoissonMedium *medium, const Atoms *atoms)
{
  const DebyeSpheres spheres = spheres_of(atoms);
  const double surface[2] = {(double)medium->surface, medium->probe};
  bool is_new = false;
  DebyePoissonEquation *own =
      debye_remembered_get(debye_remembered_key(0, surface, sizeof surface), sizeof *own, &is_new);
  if (!is_new)
    return own;
  CHECK(new_equation(own, count_points(medium)));
  CHECK(debye_poisson_medium_set(medium, &spheres, own, NULL) == DEBYE_STATUS_OK);
  CHECK(debye_poisson_medium_set_boundary(medium, &spheres, atoms->charge, own->potential, NULL) ==
        DEBYE_STATUS_OK);
  debye_poisson_medium_add_charges(medium, &spheres, atoms->charge, own->source);
  return own;
}

/* --- Equations --- */

static void
compare_media(const DebyePoissonMedium *medium, const DebyePoissonEquation *found,
              const DebyePoissonEquation *own)
{
  const size_t *shape = medium->grid.shape, n = count_points(medium);
  const double *step = medium->grid.step, volume = step[0] * step[1] * step[2];
  size_t n_cut = 0, n_far = 0, n_inner = 0, n_sides = 0, n_ions = 0;
  for (int axis = 0; axis < 3; axis++)
    for (size_t i = 0; i < n; i++) {
      const size_t at[3] = {i % shape[0], i / shape[0] % shape[1], i / shape[0] / shape[1]};
      const double scale = volume / (step[axis] * step[axis]), value = (double)own->along[axis][i] / scale;
      if (at[axis] + 1 == shape[axis])
        continue;
      n_cut += value > 1.0001 * medium->solute && value < 0.9999 * medium->solvent;
      n_far += !(fabs((double)found->along[axis][i] / scale - value) <= 1e-4 * value);
    }
  for (size_t i = 0; i < n; i++) {
    n_inner += own->is_inner[i];
    n_sides += own->is_inner[i] != found->is_inner[i];
    n_ions += fabsf(own->screening[i] - found->screening[i]) > 1e-6f * own->screening[i];
  }
  CHECK_THAT(n_cut > 1000 && n_inner > 1000, "%zu edges are cut, %zu points within", n_cut, n_inner);
  CHECK_THAT(n_far == 0, "%zu of %zu conductances are others", n_far, n_cut);
  CHECK_THAT(n_sides == 0, "%zu points are on the other side", n_sides);
  CHECK_THAT(n_ions == 0, "%zu points have other ions", n_ions);
}

/* Of the source against its largest value; of the boundary against each: the charges are positive. */
static void
compare_sources(const DebyePoissonMedium *medium, const DebyePoissonEquation *found,
                const DebyePoissonEquation *own)
{
  const size_t *shape = medium->grid.shape;
  double largest = 0.0, worst = 0.0, outer = 0.0;
  for (size_t i = 0; i < count_points(medium); i++) {
    const size_t at[3] = {i % shape[0], i / shape[0] % shape[1], i / shape[0] / shape[1]};
    largest = fmax(largest, fabs((double)own->source[i]));
    worst = fmax(worst, fabs((double)own->source[i] - (double)found->source[i]));
    for (int axis = 0; axis < 3; axis++)
      if (at[axis] == 0 || at[axis] + 1 == shape[axis])
        outer = fmax(outer, fabs(found->potential[i] / own->potential[i] - 1.0));
  }
  CHECK_AT_MOST(worst, 1e-6 * largest);
  CHECK_AT_MOST(outer, 1e-5);
}

static DebyeSharing *
open_lanes(const DebyePoissonLanesSettings *settings, const DebyeDeviceEntry *device)
{
  DebyeSharing *share = NULL;
  DebyeStatus status = {0};
  const DebyeStatusCode code = debye_poisson_lanes_create(settings, &device, 1, &share, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  return share;
}

static bool
execute(DebyeSharing *share, const Atoms *atoms, float *map, DebyePoissonReport *report)
{
  const DebyeSpheres spheres = spheres_of(atoms);
  DebyeStatus status = {0};
  const DebyeStatusCode code =
      debye_poisson_lanes_execute(share, &spheres, atoms->charge, map, NULL, report, NULL, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK_AT_MOST(report->residual, TOLERANCE);
  return code == DEBYE_STATUS_OK;
}

static void
test_equation(const DebyeDeviceEntry *device, DebyeSurfaceKind surface, double probe, const Atoms *atoms)
{
  DebyePoissonLanesSettings settings = settings_of(surface, DEBYE_POISSON_DEBYE_HUECKEL);
  settings.medium.probe = probe;
  settings.keeps_source = true;
  DebyePoissonReport report;
  float *map = calloc(count_points(&settings.medium), sizeof *map);
  DebyeSharing *share = open_lanes(&settings, device);
  debye_check_subject("%s: the equation, surface %d, a probe of %g Å", device->info.id, (int)surface, probe);
  const DebyePoissonEquation *own = make_own(&settings.medium, atoms);
  if (execute(share, atoms, map, &report)) {
    const DebyePoissonEquation *found = debye_poisson_lanes_get_equation(share, NULL);
    CHECK(found != NULL);
    compare_media(&settings.medium, found, own);
    compare_sources(&settings.medium, found, own);
    size_t n_wrong = 0;
    for (size_t i = 0; i < count_points(&settings.medium); i++)
      n_wrong += map[i] != (float)found->potential[i];
    CHECK(n_wrong == 0);
  }
  debye_sharing_free(share);
  free(map);
}

/* --- Solutions --- */

/* Rms of the difference over the rms. */
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

/* A frame whose first guess is another's, and one in the medium that is there, are as those by themselves. */
static void
test_frames(const DebyeDeviceEntry *device, const DebyePoissonLanesSettings *settings, const Atoms *atoms)
{
  const size_t n = count_points(&settings->medium);
  float *first = calloc(n, sizeof *first), *second = calloc(n, sizeof *second);
  DebyePoissonReport report, guessed;
  Atoms moved = *atoms;
  DebyeSharing *share = open_lanes(settings, device);
  debye_check_subject("%s: frames, %s", device->info.id,
                      settings->goal.salt != NULL ? "nonlinear" : "linear");
  for (size_t i = 0; i < moved.n; i++)
    moved.x[i] += i % 2 == 0 ? 0.02f : -0.02f;
  execute(share, atoms, first, &report);
  execute(share, &moved, first, &guessed);
  CHECK(settings->goal.salt != NULL || guessed.cycles <= report.cycles);
  debye_poisson_lanes_forget(share);
  execute(share, &moved, second, &report);
  CHECK_AT_MOST(differ(first, second, n), 1e-5);
  for (size_t i = 0; i < moved.n; i++)
    moved.charge[i] = -0.5f * moved.charge[i];
  debye_poisson_lanes_keep_medium(share, true);
  execute(share, &moved, first, &report);
  debye_poisson_lanes_keep_medium(share, false);
  execute(share, &moved, second, &report);
  CHECK_AT_MOST(differ(first, second, n), 1e-5);
  debye_sharing_free(share);
  free(first);
  free(second);
}

/* Charges so large that a device leaves the equation to the host: the map of others times the same, and after it
 * the device makes equations itself as before. */
static void
test_posed(const DebyeDeviceEntry *device, const DebyePoissonLanesSettings *settings, const Atoms *atoms)
{
  const size_t n = count_points(&settings->medium);
  float *first = calloc(n, sizeof *first), *second = calloc(n, sizeof *second);
  DebyePoissonReport report;
  Atoms large = *atoms;
  DebyeSharing *share = open_lanes(settings, device);
  debye_check_subject("%s: an equation of the host's between others", device->info.id);
  for (size_t i = 0; i < large.n; i++)
    large.charge[i] *= 131072.0f;
  for (int round = 0; round < 2; round++) {
    execute(share, atoms, first, &report);
    debye_poisson_lanes_forget(share);
    execute(share, &large, second, &report);
    debye_poisson_lanes_forget(share);
    for (size_t i = 0; i < n; i++)
      second[i] /= 131072.0f;
    CHECK_AT_MOST(differ(first, second, n), 1e-5);
  }
  debye_sharing_free(share);
  free(first);
  free(second);
}

/* The same map as the processor's, within a grid of twice the size, whose solution is the boundary. For a map only, of a
 * surface that is lent where the host finds it: it goes as soon as it isn't needed. */
static void
solve_focused(const DebyeDeviceEntry *device, const Atoms *atoms, bool wants_map_only, float *map)
{
  const DebyeSpheres spheres = spheres_of(atoms);
  DebyeSurface surface = {.reduced = {.n_faces = 0}};
  DebyePoissonLanesSettings outer = settings_of(DEBYE_SURFACE_EXCLUDED, DEBYE_POISSON_DEBYE_HUECKEL);
  DebyePoissonLanesSettings settings = settings_of(DEBYE_SURFACE_EXCLUDED, DEBYE_POISSON_FOCUS);
  DebyePoissonReport report;
  outer.medium.grid = (DebyeSurfaceGrid){{-32.0, -32.0, -32.0}, {2.0, 2.0, 2.0}, {33, 33, 33}};
  outer.wants_map_only = settings.wants_map_only = wants_map_only;
  float *outer_map = calloc(count_points(&outer.medium), sizeof *outer_map);
  settings.outer = open_lanes(&outer, device);
  DebyeSharing *share = open_lanes(&settings, device);
  if (wants_map_only && !debye_poisson_lanes_makes_surface(share)) {
    CHECK(debye_surface_init(&surface, DEBYE_SURFACE_EXCLUDED, &spheres, settings.medium.probe,
                             &debye_chunk_threads, NULL) == DEBYE_STATUS_OK);
    debye_poisson_lanes_set_surface(settings.outer, &surface);
    debye_poisson_lanes_lend_surface(share, &surface);
  }
  if (execute(settings.outer, atoms, outer_map, &report))
    execute(share, atoms, map, &report);
  CHECK(surface.reduced.n_faces == 0);
  debye_sharing_free(share);
  debye_sharing_free(settings.outer);
  free(outer_map);
}

/* The processor's is the one by the first instruction set. */
static void
test_focus(const DebyeDeviceEntry *device, const DebyeDeviceEntry *cpu, const Atoms *atoms)
{
  const DebyePoissonMedium medium = medium_of(DEBYE_SURFACE_EXCLUDED);
  const size_t n = count_points(&medium);
  float *map = calloc(n, sizeof *map), *other = calloc(n, sizeof *other);
  bool is_new = false;
  float *processor =
      debye_remembered_get(debye_remembered_key(0, "focus", 5), n * sizeof *processor, &is_new);
  debye_check_subject("%s: a focused grid", device->info.id);
  solve_focused(device, atoms, false, map);
  if (is_new)
    solve_focused(cpu, atoms, false, processor);
  CHECK_AT_MOST(differ(map, processor, n), 1e-5);
  solve_focused(device, atoms, true, other);
  CHECK_AT_MOST(differ(map, other, n), 1e-9);
  free(map);
  free(other);
}

/* Large grids have sweeps of their own on accelerators: the processor's map. */
static void
test_large(const DebyeDeviceEntry *device, const DebyeDeviceEntry *cpu, const DebyePoissonSalt *salt,
           const Atoms *atoms)
{
  DebyePoissonLanesSettings settings = settings_of(DEBYE_SURFACE_EXCLUDED, DEBYE_POISSON_DEBYE_HUECKEL);
  settings.medium.grid = (DebyeSurfaceGrid){{-16.1, -15.7, -14.9}, {0.168, 0.196, 0.206}, {193, 161, 145}};
  settings.goal.salt = salt;
  const size_t n = count_points(&settings.medium);
  const DebyeDeviceEntry *const devices[2] = {device, cpu};
  float *maps[2];
  DebyePoissonReport report;
  debye_check_subject("%s: a large grid, %s", device->info.id, salt != NULL ? "nonlinear" : "linear");
  for (int i = 0; i < 2; i++) {
    maps[i] = calloc(n, sizeof *maps[i]);
    DebyeSharing *share = open_lanes(&settings, devices[i]);
    execute(share, atoms, maps[i], &report);
    debye_sharing_free(share);
  }
  CHECK_AT_MOST(differ(maps[0], maps[1], n), 1e-5);
  free(maps[0]);
  free(maps[1]);
}

/* Of a grid that cuts the molecule only a focused one's map is to be had; no position is no
 * place; and without a map the right-hand side has none. */
static void
test_refusals(const DebyeDeviceEntry *device, const Atoms *atoms)
{
  const DebyePoissonLanesSettings settings = settings_of(DEBYE_SURFACE_EXCLUDED, DEBYE_POISSON_ZERO);
  float *map = calloc(count_points(&settings.medium), sizeof *map);
  DebyeSharing *share = open_lanes(&settings, device);
  DebyePoissonReport report;
  Atoms bad = *atoms;
  const DebyeSpheres spheres = spheres_of(&bad);
  debye_check_subject("%s: refusals", device->info.id);
  execute(share, atoms, map, &report);
  CHECK(map[0] == 0.0f);
  CHECK(debye_poisson_lanes_execute(share, &spheres, bad.charge, NULL, NULL, &report, NULL, NULL) ==
        DEBYE_STATUS_INVALID);
  bad.x[3] = 100.0f;
  CHECK(debye_poisson_lanes_execute(share, &spheres, bad.charge, map, NULL, &report, NULL, NULL) ==
        DEBYE_STATUS_INVALID);
  bad.x[3] = atoms->x[3];
  bad.radius[3] = NAN;
  CHECK(debye_poisson_lanes_execute(share, &spheres, bad.charge, map, NULL, &report, NULL, NULL) ==
        DEBYE_STATUS_INVALID);
  execute(share, atoms, map, &report);
  debye_sharing_free(share);
  free(map);
}

static void
test_device(const DebyeDeviceEntry *device, const char *how, void *data)
{
  static const DebyePoissonSalt salt = {2, {2.0, -1.0}, {2.0 / 3.0, 1.0 / 3.0}};
  DebyePoissonLanesSettings settings = settings_of(DEBYE_SURFACE_EXCLUDED, DEBYE_POISSON_DEBYE_HUECKEL);
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *cpu = NULL;
  Atoms atoms;
  (void)how;
  make_atoms(&atoms, POISSON_ATOMS, 9.5);
  if (debye_test_is_asked("excluded", data))
    test_equation(device, DEBYE_SURFACE_EXCLUDED, 1.4, &atoms);
  if (debye_test_is_asked("equation", data)) {
    test_equation(device, DEBYE_SURFACE_EXCLUDED, 0.6, &atoms);
    test_equation(device, DEBYE_SURFACE_EXCLUDED, 0.0, &atoms);
    test_equation(device, DEBYE_SURFACE_VAN_DER_WAALS, 1.4, &atoms);
    test_equation(device, DEBYE_SURFACE_ACCESSIBLE, 1.4, &atoms);
  }
  if (debye_test_is_asked("posed", data))
    test_posed(device, &settings, &atoms);
  if (debye_test_is_asked("frames", data)) {
    test_frames(device, &settings, &atoms);
    settings.goal.salt = &salt;
    test_frames(device, &settings, &atoms);
  }
  const bool has_cpu = debye_registry_choose(registry, DEBYE_BACKEND_CPU, &cpu, 1, NULL) == 1;
  if (debye_test_is_asked("focus", data) && has_cpu)
    test_focus(device, cpu, &atoms);
  if (debye_test_is_asked("large", data) && has_cpu &&
      strcmp(device->backend->name, DEBYE_BACKEND_CPU) != 0) {
    test_large(device, cpu, NULL, &atoms);
    test_large(device, cpu, &salt, &atoms);
  }
  if (debye_test_is_asked("refusals", data))
    test_refusals(device, &atoms);
  debye_check_subject("%s", "");
  debye_registry_free(registry);
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
