/* SPDX-License-Identifier: MIT */
/* Equations of molecules that several devices share: on every device that can, in two and three slabs of its own and of all
 * devices beside it, the same equation and the same map as without and as the processor's; nonlinear, with guesses, in a
 * medium that stays, in a larger grid, and after a Stop; and the device's own equation is the processor's. Which devices do is
 * test_poisson_lanes.c's. Bodies: own, equation, map, large, frames, focus, stop, limit. */
#include <stdio.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "bodies/poisson_test_lanes.h"
#include "tests/support/every_device.h"

/* Slabs do what the whole grid does, in another order at most, and so does the processor, of the same equation. */
#define FROM_ALONE 1e-6
#define FROM_PROCESSOR 1e-6
#define MOST_TRACED 14
#define MOST_NAMED 8

/* Grids of two levels and of many, the large one by itself. */
static const size_t shapes[][3] = {{65, 49, 43}, {65, 65, 65}, {193, 161, 145}};
#define LARGE 2
static const DebyePoissonSalt salt = {2, {2.0, -1.0}, {2.0 / 3.0, 1.0 / 3.0}};

/* Slabs of different heights of as many devices in turn; no planes for a slab: as equal as they can be. */
static DebyePoissonSlabs
slabs_of(const DebyePoissonMedium *medium, unsigned n, const int *device, unsigned n_devices)
{
  DebyePoissonSlabs slabs = {.n = n};
  size_t left = medium->grid.shape[2] - 2;
  for (unsigned i = 0; i < n; i++) {
    slabs.device[i] = device[i % n_devices];
    slabs.planes[i] = i + 1 == n ? left : (medium->grid.shape[2] / n / 2 + (i == 0 ? 1 : 0)) * 2;
    left -= slabs.planes[i];
  }
  return slabs;
}

/* An odd slab before the last, planes that aren't the grid's, an equation of the host's, a grid that isn't halved, and one that
 * repeats. */
static void
test_bad_slabs(void)
{
  const DebyePoissonSettings bad[] = {
      {.shape = {33, 33, 65}, .n_atoms = 1, .slabs = {2, {0, 1}, {31, 32}}},
      {.shape = {33, 33, 65}, .n_atoms = 1, .slabs = {2, {0, 1}, {32, 29}}},
      {.shape = {33, 33, 65}, .n_atoms = 0, .slabs = {2, {0, 1}, {32, 31}}},
      {.shape = {34, 33, 65}, .n_atoms = 1, .slabs = {2, {0, 1}, {32, 31}}},
      {.shape = {34, 33, 65}, .n_atoms = 1, .periodic = {true}, .slabs = {2, {0, 1}, {32, 31}}},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    DebyeStatus status = {0};
    debye_check_subject("slabs that are none, %zu", i);
    CHECK(debye_poisson_settings_check(&bad[i], &status) == DEBYE_STATUS_INVALID);
    CHECK(strstr(status.text, "points can't be cut into these slabs.") != NULL);
  }
}

/* Of a solution that isn't as it should be: the residual after so many cycles, and where the map differs most. */
static void
trace(DebyePoissonLanesSettings settings, const DebyeDeviceEntry *const *devices, size_t n_devices,
      const Atoms *atoms)
{
  const DebyePoissonSlabs *slabs = settings.slabs;
  const size_t n = count_points(&settings.medium),
               plane = settings.medium.grid.shape[0] * settings.medium.grid.shape[1];
  float *maps[2] = {calloc(n, sizeof(float)), calloc(n, sizeof(float))};
  for (unsigned cycles = 1; cycles <= MOST_TRACED; cycles++) {
    DebyePoissonReport reports[2] = {{0}};
    for (int i = 0; i < 2; i++) {
      settings.goal.max_cycles = cycles;
      settings.slabs = i == 0 ? NULL : slabs;
      DebyeSharing *share = open_lanes(&settings, devices, n_devices);
      if (share != NULL)
        execute(share, atoms, maps[i], &reports[i]);
      debye_sharing_free(share);
    }
    printf("cycle %2u: residual %.3e alone, %.3e in slabs; steps %u, %u; maps differ by %.3e\n", cycles,
           reports[0].residual, reports[1].residual, reports[0].steps, reports[1].steps,
           differ(maps[1], maps[0], n));
  }
  for (size_t z = 0; z < settings.medium.grid.shape[2]; z++)
    printf("plane %3zu: %.3e\n", z, differ(maps[1] + z * plane, maps[0] + z * plane, plane));
  for (unsigned i = 0; i < slabs->n; i++)
    printf("slab %u: device %d, %zu planes\n", i, slabs->device[i], slabs->planes[i]);
  free(maps[0]);
  free(maps[1]);
}

/* The devices of a test: the first, that of each test, then those beside it. */
typedef struct {
  const DebyeDeviceEntry *device[DEBYE_POISSON_MAX_SLABS], *cpu;
  int number[DEBYE_POISSON_MAX_SLABS];
  unsigned n;
  Atoms atoms;
} Devices;

static void
test_map_of(const Devices *devices, DebyePoissonLanesSettings settings, unsigned n_slabs, unsigned n_devices,
            const float *const alone[2])
{
  const size_t n = count_points(&settings.medium);
  const DebyePoissonSlabs slabs = slabs_of(&settings.medium, n_slabs, devices->number, n_devices);
  float *map = calloc(n, sizeof *map);
  DebyePoissonReport report = {0};
  settings.slabs = &slabs;
  debye_check_subject("%s: %zu points along z, %u slabs of %u devices, %s", devices->device[0]->info.id,
                      settings.medium.grid.shape[2], n_slabs, n_devices,
                      settings.goal.salt != NULL ? "nonlinear" : "linear");
  DebyeSharing *share = open_lanes(&settings, devices->device, devices->n);
  const bool is_there = share != NULL && execute(share, &devices->atoms, map, &report);
  debye_sharing_free(share);
  const double from_alone = differ(map, alone[0], n), from_cpu = differ(map, alone[1], n);
  CHECK_AT_MOST(report.residual, TOLERANCE);
  CHECK_AT_MOST(from_alone, FROM_ALONE);
  CHECK_AT_MOST(from_cpu, FROM_PROCESSOR);
  if (is_there && !(report.residual <= TOLERANCE && from_alone <= FROM_ALONE && from_cpu <= FROM_PROCESSOR))
    trace(settings, devices->device, devices->n, &devices->atoms);
  free(map);
}

/* In slabs of one device and of all. */
static void
test_map(const Devices *devices, size_t first, size_t end, const DebyePoissonSalt *with_salt)
{
  for (size_t i = first; i < end; i++) {
    const DebyePoissonLanesSettings settings =
        settings_of(shapes[i][0], shapes[i][1], shapes[i][2], with_salt);
    const size_t n = count_points(&settings.medium);
    float *maps[2] = {calloc(n, sizeof(float)), calloc(n, sizeof(float))};
    const float *const alone[2] = {maps[0], maps[1]};
    debye_check_subject("%s: %zu points along z, alone", devices->device[0]->info.id, shapes[i][2]);
    solve_alone(&settings, devices->device[0], &devices->atoms, maps[0]);
    solve_alone(&settings, devices->cpu, &devices->atoms, maps[1]);
    for (unsigned slabs = 1; slabs <= 3; slabs++)
      test_map_of(devices, settings, slabs, 1, alone);
    for (unsigned slabs = 2; slabs <= devices->n; slabs++)
      test_map_of(devices, settings, slabs, slabs, alone);
    free(maps[0]);
    free(maps[1]);
  }
}

/* Conductances that are others by more than what the surface's crossing is found to: of an edge that it cuts at the
 * solvent's end 4e-5. The first few are named. */
static size_t
count_edges(const DebyePoissonMedium *medium, const DebyePoissonEquation *found,
            const DebyePoissonEquation *own)
{
  const size_t *shape = medium->grid.shape, step[3] = {1, shape[0], shape[0] * shape[1]};
  size_t others = 0;
  for (int axis = 0; axis < 3; axis++)
    for (size_t i = 0; i < count_points(medium); i++) {
      const size_t at[3] = {i % shape[0], i / shape[0] % shape[1], i / shape[0] / shape[1]};
      const float its = found->along[axis][i], mine = own->along[axis][i];
      if (at[axis] + 1 == shape[axis] || fabsf(its - mine) <= 1e-4f * mine)
        continue;
      if (others++ < MOST_NAMED)
        printf("edge along %d from %zu, %zu, %zu: %g, not %g; its ends are %d, %d, not %d, %d\n", axis, at[0],
               at[1], at[2], (double)its, (double)mine, found->is_inner[i], found->is_inner[i + step[axis]],
               own->is_inner[i], own->is_inner[i + step[axis]]);
    }
  return others;
}

static void
compare_equations(const DebyePoissonMedium *medium, const DebyePoissonEquation *found,
                  const DebyePoissonEquation *own)
{
  const size_t n = count_points(medium), edges = count_edges(medium, found, own);
  size_t n_sides = 0, n_ions = 0;
  double worst = 0.0, largest = 0.0, outer = 0.0;
  for (size_t i = 0; i < n; i++) {
    const size_t *shape = medium->grid.shape;
    const size_t at[3] = {i % shape[0], i / shape[0] % shape[1], i / shape[0] / shape[1]};
    n_sides += found->is_inner[i] != own->is_inner[i];
    n_ions += !(fabsf(found->screening[i] - own->screening[i]) <= 1e-6f * own->screening[i]);
    largest = fmax(largest, fabs((double)own->source[i]));
    worst = fmax(worst, fabs((double)own->source[i] - (double)found->source[i]));
    for (int axis = 0; axis < 3; axis++)
      if (at[axis] == 0 || at[axis] + 1 == shape[axis])
        outer = fmax(outer, fabs(found->potential[i] / own->potential[i] - 1.0));
  }
  CHECK_THAT(edges == 0, "%zu conductances are others", edges);
  CHECK_THAT(n_sides == 0, "%zu points are on the other side", n_sides);
  CHECK_THAT(n_ions == 0, "%zu points have other ions", n_ions);
  CHECK_AT_MOST(worst, 1e-6 * largest);
  CHECK_AT_MOST(outer, 2e-6);
}

/* The device's alone, and the processor's. */
static void
test_own_equation(const Devices *devices, DebyePoissonLanesSettings settings)
{
  const size_t n = count_points(&settings.medium);
  float *const maps[2] = {calloc(n, sizeof(float)), calloc(n, sizeof(float))};
  const DebyeDeviceEntry *const both[2] = {devices->device[0], devices->cpu};
  const DebyePoissonEquation *equations[2] = {NULL, NULL};
  DebyeSharing *shares[2];
  DebyePoissonReport report;
  settings.keeps_source = true;
  debye_check_subject("%s: the equation of %zu points along z", devices->device[0]->info.id,
                      settings.medium.grid.shape[2]);
  for (int i = 0; i < 2; i++) {
    shares[i] = open_lanes(&settings, &both[i], 1);
    if (shares[i] != NULL && execute(shares[i], &devices->atoms, maps[i], &report))
      equations[i] = debye_poisson_lanes_get_equation(shares[i], NULL);
  }
  CHECK(equations[0] != NULL && equations[1] != NULL);
  if (equations[0] != NULL && equations[1] != NULL)
    compare_equations(&settings.medium, equations[0], equations[1]);
  CHECK_AT_MOST(differ(maps[0], maps[1], n), FROM_PROCESSOR);
  for (int i = 0; i < 2; i++) {
    debye_sharing_free(shares[i]);
    free(maps[i]);
  }
}

/* What devices make of the molecule, slab by slab. */
static void
test_equation(const Devices *devices)
{
  DebyePoissonLanesSettings settings = settings_of(65, 49, 43, NULL);
  float *map = calloc(count_points(&settings.medium), sizeof *map);
  DebyePoissonReport report;
  settings.keeps_source = true;
  DebyeSharing *alone = open_lanes(&settings, devices->device, 1);
  execute(alone, &devices->atoms, map, &report);
  const DebyePoissonEquation *own = debye_poisson_lanes_get_equation(alone, NULL);
  for (unsigned n = 1; n <= 3; n++) {
    const DebyePoissonSlabs slabs = slabs_of(&settings.medium, n, devices->number, devices->n);
    settings.slabs = &slabs;
    debye_check_subject("%s: the equation in %u slabs", devices->device[0]->info.id, n);
    DebyeSharing *share = open_lanes(&settings, devices->device, devices->n);
    if (share != NULL && execute(share, &devices->atoms, map, &report)) {
      const DebyePoissonEquation *found = debye_poisson_lanes_get_equation(share, NULL);
      CHECK(found != NULL && own != NULL);
      if (found != NULL && own != NULL)
        compare_equations(&settings.medium, found, own);
      size_t n_wrong = 0;
      for (size_t i = 0; found != NULL && i < count_points(&settings.medium); i++)
        n_wrong += map[i] != (float)found->potential[i];
      CHECK_THAT(n_wrong == 0, "%zu points of the map aren't the potential's", n_wrong);
    }
    debye_sharing_free(share);
  }
  debye_sharing_free(alone);
  free(map);
}

/* The same frame by both, in slabs and alone, each from its own last one. */
static void
check_frame(DebyeSharing *const both[2], const Atoms *atoms, float *const maps[2], size_t n,
            DebyePoissonReport *report)
{
  DebyePoissonReport alone;
  if (!execute(both[0], atoms, maps[0], report) || !execute(both[1], atoms, maps[1], &alone))
    return;
  CHECK_AT_MOST(report->residual, TOLERANCE);
  CHECK_AT_MOST(alone.residual, TOLERANCE);
  CHECK_AT_MOST(differ(maps[0], maps[1], n), FROM_ALONE);
}

/* A frame whose first guess is another's, and one in the medium that is there. */
static void
test_frames(const Devices *devices, const DebyePoissonSalt *with_salt)
{
  DebyePoissonLanesSettings settings = settings_of(65, 65, 65, with_salt);
  const size_t n = count_points(&settings.medium);
  const DebyePoissonSlabs slabs = slabs_of(&settings.medium, 3, devices->number, devices->n);
  float *const maps[2] = {calloc(n, sizeof(float)), calloc(n, sizeof(float))};
  DebyePoissonReport first = {0}, report = {0};
  Atoms moved = devices->atoms;
  debye_check_subject("%s: frames in slabs, %s", devices->device[0]->info.id,
                      with_salt != NULL ? "nonlinear" : "linear");
  DebyeSharing *const alone = open_lanes(&settings, devices->device, 1);
  settings.slabs = &slabs;
  DebyeSharing *const both[2] = {open_lanes(&settings, devices->device, devices->n), alone};
  for (size_t i = 0; i < moved.n; i++)
    moved.x[i] += i % 2 == 0 ? 0.02f : -0.02f;
  check_frame(both, &devices->atoms, maps, n, &first);
  check_frame(both, &moved, maps, n, &report);
  CHECK(with_salt != NULL || report.cycles <= first.cycles);
  for (size_t i = 0; i < moved.n; i++)
    moved.charge[i] = -0.5f * moved.charge[i];
  for (int i = 0; i < 2; i++)
    debye_poisson_lanes_keep_medium(both[i], true);
  check_frame(both, &moved, maps, n, &report);
  for (int i = 0; i < 2; i++) {
    debye_sharing_free(both[i]);
    free(maps[i]);
  }
}

static void
solve_focused(const Devices *devices, bool has_slabs, float *map)
{
  DebyePoissonLanesSettings outer = settings_of(33, 33, 33, NULL), settings = settings_of(65, 49, 43, NULL);
  DebyePoissonReport report;
  outer.medium.grid = (DebyeSurfaceGrid){{-32.0, -32.0, -32.0}, {2.0, 2.0, 2.0}, {33, 33, 33}};
  settings.boundary = DEBYE_POISSON_FOCUS;
  const DebyePoissonSlabs of_outer = slabs_of(&outer.medium, 2, devices->number, devices->n),
                          slabs = slabs_of(&settings.medium, 3, devices->number, devices->n);
  outer.slabs = has_slabs ? &of_outer : NULL;
  settings.slabs = has_slabs ? &slabs : NULL;
  float *outer_map = calloc(count_points(&outer.medium), sizeof *outer_map);
  settings.outer = open_lanes(&outer, devices->device, devices->n);
  DebyeSharing *share = open_lanes(&settings, devices->device, devices->n);
  if (execute(settings.outer, &devices->atoms, outer_map, &report) &&
      execute(share, &devices->atoms, map, &report))
    CHECK_AT_MOST(report.residual, TOLERANCE);
  debye_sharing_free(share);
  debye_sharing_free(settings.outer);
  free(outer_map);
}

static void
test_focus(const Devices *devices)
{
  const size_t n = (size_t)65 * 49 * 43;
  float *map = calloc(n, sizeof *map), *own = calloc(n, sizeof *own);
  debye_check_subject("%s: a focused grid in slabs", devices->device[0]->info.id);
  solve_focused(devices, true, map);
  solve_focused(devices, false, own);
  CHECK_AT_MOST(differ(map, own, n), FROM_ALONE);
  free(map);
  free(own);
}

/* A Stop that comes to the devices ends the equation, not the plan: the next is solved, as ever. */
static void
test_stop(const Devices *devices, const DebyePoissonSalt *with_salt)
{
  static const volatile bool stop = true;
  const DebyePoissonLanesSettings settings = settings_of(65, 49, 43, with_salt);
  const DebyePoissonKernel *of = devices->device[0]->backend->poisson;
  const size_t n = count_points(&settings.medium);
  const DebyePoissonSettings kernel = {.shape = {65, 49, 43},
                                       .nonlinear = with_salt != NULL,
                                       .n_atoms = POISSON_ATOMS,
                                       .slabs = slabs_of(&settings.medium, 3, devices->number, devices->n)};
  const DebyeSpheres spheres = spheres_of(&devices->atoms);
  const DebyePoissonMolecule molecule = {.medium = &settings.medium,
                                         .spheres = &spheres,
                                         .charges = devices->atoms.charge,
                                         .boundary = settings.boundary};
  float *map = calloc(n, sizeof *map), *own = calloc(n, sizeof *own);
  DebyeKernelPlan *plan = NULL;
  DebyePoissonReport report;
  DebyeStatus status = {0};
  debye_check_subject("%s: slabs that are stopped, %s", devices->device[0]->info.id,
                      with_salt != NULL ? "nonlinear" : "linear");
  solve_alone(&settings, devices->device[0], &devices->atoms, own);
  CHECK_THAT(of->head.create(kernel.slabs.device[0], &kernel, &plan, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  for (int turn = 0; turn < 2 && plan != NULL; turn++) {
    CHECK_THAT(of->solve_molecule(plan, &molecule, map, &settings.goal, &report, &stop, &status) ==
                   DEBYE_STATUS_CANCELLED,
               "%s", status.text);
    CHECK_THAT(of->solve_molecule(plan, &molecule, map, &settings.goal, &report, NULL, &status) ==
                   DEBYE_STATUS_OK,
               "%s", status.text);
    CHECK_AT_MOST(report.residual, TOLERANCE);
    CHECK_AT_MOST(differ(map, own, n), FROM_ALONE);
  }
  if (plan != NULL)
    of->head.destroy(plan);
  free(map);
  free(own);
}

/* With too little for one device, all real ones share by themselves; an equation that the host makes isn't theirs. */
static void
test_limit(const Devices *devices)
{
  DebyePoissonLanesSettings settings = settings_of(129, 129, 129, NULL);
  const DebyePoissonMaps none = {{NULL}, NULL, NULL};
  const size_t n = count_points(&settings.medium);
  const DebyeLaneReport *reports;
  DebyePoissonReport report;
  DebyePoissonSlabs slabs = slabs_of(&settings.medium, 2, devices->number, 1);
  const DebyePoissonSettings kernel = {.shape = {129, 129, 129}, .n_atoms = 400, .slabs = slabs};
  const DebyePoissonKernel *of = devices->device[0]->backend->poisson;
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  debye_check_subject("%s: an equation of the host's in slabs", devices->device[0]->info.id);
  CHECK(of->head.create(devices->device[0]->device, &kernel, &plan, &status) == DEBYE_STATUS_OK);
  CHECK(of->set_operator(plan, &(DebyePoissonOperator){0}, &status) == DEBYE_STATUS_UNSUPPORTED);
  CHECK(strstr(status.text, "Several devices can't share an equation that the host makes.") != NULL);
  of->head.destroy(plan);
  if (devices->n < 2)
    return;
  debye_check_subject("%s: too large for one device", devices->device[0]->info.id);
  const uint64_t bytes = debye_poisson_lanes_device_bytes(&settings.medium, &none, false, devices->device[0]);
  settings.memory_limit = bytes - bytes / 4;
  float *map = calloc(n, sizeof *map);
  DebyeSharing *share = open_lanes(&settings, devices->device, devices->n);
  if (share != NULL && execute(share, &devices->atoms, map, &report)) {
    CHECK_AT_MOST(report.residual, TOLERANCE);
    CHECK(debye_sharing_get_reports(share, &reports) == devices->n - 1);
    CHECK_THAT(strchr(reports[0].id, '+') != NULL && !reports[0].retired, "%s: %s", reports[0].id,
               reports[0].reason);
    printf("%s (%s) shared %zu bytes, at most %zu each\n", reports[0].device, reports[0].id, (size_t)bytes,
           (size_t)settings.memory_limit);
  }
  debye_sharing_free(share);
  free(map);
}

static void
test_devices(const Devices *devices, void *data)
{
  if (debye_test_is_asked("own", data))
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      test_own_equation(devices, settings_of(shapes[i][0], shapes[i][1], shapes[i][2], NULL));
  if (debye_test_is_asked("equation", data))
    test_equation(devices);
  if (debye_test_is_asked("map", data)) {
    test_map(devices, 0, LARGE, NULL);
    test_map(devices, 0, LARGE, &salt);
  }
  if (debye_test_is_asked("large", data)) {
    test_map(devices, LARGE, LARGE + 1, NULL);
    test_map(devices, LARGE, LARGE + 1, &salt);
  }
  if (debye_test_is_asked("frames", data)) {
    test_frames(devices, NULL);
    test_frames(devices, &salt);
  }
  if (debye_test_is_asked("focus", data))
    test_focus(devices);
  if (debye_test_is_asked("stop", data)) {
    test_stop(devices, NULL);
    test_stop(devices, &salt);
  }
  if (debye_test_is_asked("limit", data))
    test_limit(devices);
}

/* With all others of its back end beside it. */
static void
test_device(const DebyeDeviceEntry *device, const char *how, void *data)
{
  Devices devices = {.n = 0};
  (void)how;
  if (device->backend->poisson == NULL || device->backend->poisson->max_slabs == 0)
    return;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  const size_t n = debye_registry_get_count(registry);
  for (size_t i = 0; i < 2 * n; i++) {
    const DebyeDeviceEntry *other = debye_registry_get(registry, i % n);
    const bool is_own = strcmp(other->info.id, device->info.id) == 0;
    if (other->device >= 0 && debye_device_is_cpu(other))
      devices.cpu = other;
    else if (other->device >= 0 && is_own == (i < n) && devices.n < DEBYE_POISSON_MAX_SLABS &&
             strcmp(other->backend->name, device->backend->name) == 0) {
      devices.number[devices.n] = other->device;
      devices.device[devices.n++] = other;
    }
  }
  make_atoms(&devices.atoms, POISSON_ATOMS, 9.5);
  test_devices(&devices, data);
  debye_check_subject("%s", "");
  debye_registry_free(registry);
}

int
main(int argc, char **argv)
{
  if (debye_test_has_processor(argc, argv))
    test_bad_slabs();
  return debye_test_main(argc, argv, test_device);
}
