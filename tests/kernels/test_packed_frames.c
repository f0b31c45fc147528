/* SPDX-License-Identifier: MIT */
/* What kernels make of packed frames is what they make of the same frames unpacked, to the last bit: potentials, amplitudes,
 * amplitudes on a lattice, and densities, of all atoms and of some, with frames of both kinds in turn, on every device and for
 * every instruction set. Pairs are in pair_test_packed.c. */
#include <stdlib.h>
#include <string.h>

#include "kernels/density/density_map.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "kernels/scattering/scattering_lattice.h"
#include "bodies/map_test_support.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_potential.h"
#include "tests/support/packed_frames.h"

enum { N = 4000, N_CHOSEN = N / 3, N_FRAMES = 5, N_GROUPS = 3 };

static const DebyeCell cell = {{31.0, 0.0, 0.0}, {4.0, 24.5, 0.0}, {0.0, -3.0, 22.25}};
static const uint32_t ranges[N_FRAMES][3] = {{2000, 3000, 2500},
                                             {2100, 2100, 2100},
                                             {21700, 21700, 21700},
                                             {700, 70000, 7},
                                             {0x100000, 0x100000, 0x1000}};

typedef struct {
  DebyePackedCoordinates packed[N_FRAMES];
  float *whole[N_FRAMES], *some[N_FRAMES]; /* x, y, z of all atoms and of those chosen */
  uint32_t chosen[N_CHOSEN], shuffled[N];
  float charge[N];
  size_t first[N_GROUPS + 1];
} Frames;

static void
make_frame(Frames *frames, size_t f)
{
  DebyePackedCoordinates *packed = &frames->packed[f];
  DebyePackedScale scale;
  *packed = (DebyePackedCoordinates){.minimum = {-40, 3, -1000},
                                     .range = {ranges[f][0], ranges[f][1], ranges[f][2]},
                                     .unit = 0.001f,
                                     .small_ranges = debye_packed_test_ranges()};
  debye_packed_random(packed, N, 12 + 3 * (int)f, (unsigned)f);
  frames->whole[f] = calloc(3 * N, sizeof(float));
  frames->some[f] = calloc(3 * N_CHOSEN, sizeof(float));
  debye_packed_scale_init(&scale, packed);
  for (size_t i = 0; i < packed->n_segments; i++)
    debye_packed_unpack_segment(packed, &scale, i, frames->whole[f], frames->whole[f] + N,
                                frames->whole[f] + 2 * N);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < N_CHOSEN; i++)
      frames->some[f][k * N_CHOSEN + i] = frames->whole[f][k * N + frames->chosen[i]];
}

static Frames *
make_frames(void)
{
  Frames *frames = calloc(1, sizeof *frames);
  unsigned state = 5;
  for (uint32_t i = 0; i < N_CHOSEN; i++)
    frames->chosen[i] = 3 * i + i % 2;
  for (uint32_t i = 0; i < N; i++) {
    frames->shuffled[i] = (uint32_t)((i * 1237u) % N); /* 1237 and 4000 share no factor */
    frames->charge[i] = (float)(debye_random(&state) - 0.5);
  }
  for (size_t g = 0; g <= N_GROUPS; g++)
    frames->first[g] = g == N_GROUPS ? N - 321 : g * 1100;
  for (size_t f = 0; f < N_FRAMES; f++)
    make_frame(frames, f);
  return frames;
}

static void
free_frames(Frames *frames)
{
  for (size_t f = 0; f < N_FRAMES; f++) {
    debye_packed_clear(&frames->packed[f]);
    free(frames->whole[f]);
    free(frames->some[f]);
  }
  free(frames);
}

static void
check_refused(DebyeStatusCode code, const DebyeStatus *status, const char *says)
{
  CHECK(code == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status->text, says) != NULL, "“%s” does not say “%s”", status->text, says);
}

/* --- Potentials --- */

static DebyeTestMap
sum_packed(const DebyeMapPath *path, DebyeKernelPlan *plan, const DebyePotentialSettings *settings,
           const DebyePackedCoordinates *packed)
{
  DebyeTestMap map = debye_test_map_new(path, (size_t)debye_grid_n_points(&settings->grid));
  const DebyeSlab whole = {0, settings->grid.shape[2]};
  DebyeStatus status = {0};
  CHECK_THAT(path->kernel->set_packed(plan, packed, &settings->cell, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  CHECK_THAT(path->kernel->execute(plan, whole, map.floats, map.doubles, NULL, NULL, &status) ==
                 DEBYE_STATUS_OK,
             "%s", status.text);
  return map;
}

/* Each frame packed, as floats, and packed again. */
static void
check_potential(const DebyeMapPath *path, DebyePotentialSettings settings, const Frames *frames, bool all)
{
  settings.packed = (DebyePackedAtoms){N, all ? NULL : frames->chosen, all ? N : N_CHOSEN};
  settings.packed_charge = frames->charge;
  const DebyePotentialSettings complete = debye_map_settings(path, &settings, N);
  DebyeKernelPlan *plan = debye_map_plan_new(path, &complete);
  DebyeStatus status = {0};
  for (size_t f = 0; f < 2 && plan != NULL; f++) {
    const float *x = all ? frames->whole[f] : frames->some[f];
    const size_t n = settings.packed.n_chosen;
    const DebyeCharges charges = {x, x + n, x + 2 * n, frames->charge, n};
    DebyeTestMap found = sum_packed(path, plan, &complete, &frames->packed[f]);
    DebyeTestMap expected = debye_map_execute(path, plan, &complete, &charges, &complete.cell);
    DebyeTestMap again = sum_packed(path, plan, &complete, &frames->packed[f]);
    debye_test_map_check_same(&found, &expected);
    debye_test_map_check_same(&again, &expected);
    debye_test_map_clear(&found);
    debye_test_map_clear(&expected);
    debye_test_map_clear(&again);
  }
  if (plan != NULL) {
    DebyePackedCoordinates fewer = frames->packed[0];
    fewer.n_atoms = N - 1;
    const DebyeStatusCode code = path->kernel->set_packed(plan, &fewer, &complete.cell, &status);
    check_refused(code, &status, "The packed frame has 3999 atoms; 4000 were asked for.");
  }
  path->kernel->head.destroy(plan);
}

static void
test_potentials(const DebyeDeviceEntry *entry)
{
  Frames *frames = make_frames();
  const DebyePotentialSettings settings = {.grid =
                                               debye_plain_grid(debye_vec3(-2.0, 1.0, 0.5), 1.7, 14, 13, 12),
                                           .core_radius = DEBYE_MAP_CORE,
                                           .periodic = DEBYE_PERIODIC_ALL,
                                           .cell = cell,
                                           .tolerance = 1e-4};
  for (int method = 0; method < DEBYE_POTENTIAL_N_METHODS; method++)
    for (int kind = 0; kind < 4; kind++) {
      const DebyeMapPath path = {entry->backend->potential[method], entry->device, kind % 2 == 1};
      DebyePotentialSettings of_method = settings;
      of_method.method = (DebyePotentialMethod)method;
      of_method.cutoff = method == DEBYE_POTENTIAL_CUTOFF ? 8.0 : 0.0;
      if (path.kernel != NULL && path.kernel->set_packed != NULL)
        check_potential(&path, of_method, frames, kind < 2);
    }
  free_frames(frames);
}

/* What bins leave over on a device, and the host gets by its place, is the same either way. */
static void
test_overflow(const DebyeDeviceEntry *entry)
{
  Frames *frames = make_frames();
  const DebyePotentialKernel *kernel = entry->backend->potential[DEBYE_POTENTIAL_CUTOFF];
  const float *x = frames->some[0];
  const DebyeCharges charges = {x, x + N_CHOSEN, x + 2 * N_CHOSEN, frames->charge, N_CHOSEN};
  const DebyePotentialSettings settings = {.method = DEBYE_POTENTIAL_CUTOFF,
                                           .grid =
                                               debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 2.0, 10, 10, 10),
                                           .core_radius = DEBYE_MAP_CORE,
                                           .max_charges = N_CHOSEN,
                                           .max_planes = 10,
                                           .periodic = DEBYE_PERIODIC_ALL,
                                           .cell = cell,
                                           .cutoff = 8.0,
                                           .bin_capacity = 2,
                                           .packed = {N, frames->chosen, N_CHOSEN},
                                           .packed_charge = frames->charge};
  DebyeKernelPlan *plan = NULL;
  DebyeCharges left[2] = {{0}, {0}};
  float *kept = NULL;
  DebyeStatus status = {0};
  if (kernel != NULL && kernel->get_overflow != NULL)
    CHECK(kernel->head.create(entry->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan != NULL) {
    CHECK(kernel->set_charges(plan, &charges, &cell, &status) == DEBYE_STATUS_OK);
    kernel->get_overflow(plan, &left[0]);
    const size_t n = left[0].n;
    const float *const columns[4] = {left[0].x, left[0].y, left[0].z, left[0].charge};
    kept = calloc(4 * n + 1, sizeof *kept);
    for (size_t k = 0; k < 4 && n > 0; k++)
      memcpy(kept + k * n, columns[k], n * sizeof *kept);
    CHECK(kernel->set_packed(plan, &frames->packed[0], &cell, &status) == DEBYE_STATUS_OK);
    kernel->get_overflow(plan, &left[1]);
    const float *const found[4] = {left[1].x, left[1].y, left[1].z, left[1].charge};
    CHECK(n > 0 && left[1].n == n);
    for (size_t k = 0; k < 4 && left[1].n == n; k++)
      CHECK(memcmp(found[k], kept + k * n, n * sizeof *kept) == 0);
    kernel->head.destroy(plan);
  }
  free(kept);
  free_frames(frames);
}

/* --- Scattering --- */

static DebyeScatteringGroups
groups_of(const Frames *frames, bool all)
{
  return (DebyeScatteringGroups){.n_groups = N_GROUPS,
                                 .first = frames->first,
                                 .atoms = all ? NULL : frames->shuffled,
                                 .weight = frames->charge};
}

static DebyeScatteringFrame
view(const Frames *frames, size_t f, bool is_packed)
{
  const float *x = frames->whole[f];
  if (is_packed)
    return (DebyeScatteringFrame){.packed = &frames->packed[f], .cell = &cell};
  return (DebyeScatteringFrame){.x = x, .y = x + N, .z = x + 2 * N, .cell = &cell};
}

static void
sum_amplitudes(const DebyeDeviceEntry *entry, DebyeKernelPlan *plan, const Frames *frames, unsigned kinds,
               double *out)
{
  DebyeScatteringFrame views[N_FRAMES];
  DebyeStatus status = {0};
  for (size_t f = 0; f < N_FRAMES; f++)
    views[f] = view(frames, f, (kinds >> f & 1) != 0);
  CHECK_THAT(entry->backend->amplitude->execute(plan, views, N_FRAMES, out, NULL, NULL, &status) ==
                 DEBYE_STATUS_OK,
             "%s", status.text);
}

static void
check_amplitudes(const DebyeDeviceEntry *entry, const Frames *frames, bool all, bool exact)
{
  enum { N_VECTORS = 40, N_VALUES = 2 * N_FRAMES * N_GROUPS * N_VECTORS };
  static double expected[N_VALUES], found[N_VALUES];
  const DebyeAmplitudeKernel *kernel = entry->backend->amplitude;
  const DebyeAmplitudeSettings settings = {.n_atoms = N,
                                           .groups = groups_of(frames, all),
                                           .max_vectors = N_VECTORS,
                                           .max_frames = N_FRAMES,
                                           .may_be_packed = true,
                                           .double_precision = exact};
  DebyeKernelPlan *plan = NULL;
  DebyeVec3 q[N_VECTORS];
  DebyeStatus status = {0};
  for (int i = 0; i < N_VECTORS; i++)
    q[i] = debye_vec3(0.17 * i, 1.0 - 0.05 * i, -0.2);
  CHECK(kernel->head.create(entry->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  CHECK(kernel->set_vectors(plan, q, N_VECTORS, &status) == DEBYE_STATUS_OK);
  sum_amplitudes(entry, plan, frames, 0, expected);
  CHECK(expected[0] != 0.0);
  for (unsigned kinds = 31; kinds > 0; kinds = kinds * 3 / 5) {
    sum_amplitudes(entry, plan, frames, kinds, found);
    CHECK_THAT(memcmp(found, expected, sizeof found) == 0, "packed ones of %u", kinds);
  }
  DebyePackedCoordinates fewer = frames->packed[0];
  fewer.n_atoms = N - 1;
  DebyeScatteringFrame bad[2] = {view(frames, 0, true), {.packed = &fewer}};
  size_t bad_frame = 0;
  const DebyeStatusCode code = kernel->execute(plan, bad, 2, found, &bad_frame, NULL, &status);
  check_refused(code, &status, "The packed frame has 3999 atoms; 4000 were asked for.");
  CHECK(bad_frame == 1);
  kernel->head.destroy(plan);
}

static void
test_amplitudes(const DebyeDeviceEntry *entry)
{
  Frames *frames = make_frames();
  for (int kind = 0; kind < 4; kind++)
    check_amplitudes(entry, frames, kind < 2, kind % 2 == 1);
  free_frames(frames);
}

static void
check_lattice(const DebyeDeviceEntry *entry, const Frames *frames, bool all, double tolerance)
{
  const DebyeLatticeKernel *kernel = entry->backend->lattice;
  const DebyeLatticeSettings settings = {.n_atoms = N,
                                         .groups = groups_of(frames, all),
                                         .extent = {9, 8, 7},
                                         .may_be_packed = true,
                                         .tolerance = tolerance,
                                         .sums = true};
  const size_t n = debye_lattice_n_values(settings.extent);
  double *values[2] = {calloc(2 * n, sizeof(double)), calloc(2 * n, sizeof(double))};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(kernel->head.create(entry->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  for (size_t f = 0; f < N_FRAMES && plan != NULL; f++)
    for (size_t g = 0; g < N_GROUPS; g++) {
      for (int is_packed = 0; is_packed < 2; is_packed++) {
        const DebyeScatteringFrame frame = view(frames, f, is_packed == 1);
        CHECK_THAT(kernel->execute(plan, &frame, NULL, NULL, &status) == DEBYE_STATUS_OK, "%s", status.text);
        CHECK(kernel->get_amplitudes(plan, g, values[is_packed], &status) == DEBYE_STATUS_OK);
      }
      CHECK(values[0][0] != 0.0 && memcmp(values[0], values[1], 2 * n * sizeof(double)) == 0);
    }
  if (plan != NULL) {
    DebyePackedCoordinates fewer = frames->packed[0];
    fewer.n_atoms = N - 1;
    const DebyeScatteringFrame bad = {.packed = &fewer, .cell = &cell};
    check_refused(kernel->execute(plan, &bad, NULL, NULL, &status), &status, "has 3999 atoms");
    kernel->head.destroy(plan);
  }
  free(values[0]);
  free(values[1]);
}

static void
test_lattice(const DebyeDeviceEntry *entry)
{
  Frames *frames = make_frames();
  for (int kind = 0; kind < 4; kind++)
    check_lattice(entry, frames, kind < 2, kind % 2 == 1 ? 1e-4 : 1e-8);
  free_frames(frames);
}

/* --- Densities --- */

static void
add_frames(const DebyeDeviceEntry *entry, DebyeKernelPlan *plan, const Frames *frames, unsigned kinds,
           bool all, int64_t *sums)
{
  const DebyeDensityKernel *kernel = entry->backend->density;
  const DebyeDensityView here = {.from = {12.0, 12.0, 12.0},
                                 .rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                 .owner = DEBYE_DENSITY_NOBODY};
  const DebyeDensityView there = {.from = {2.0, 1.0, 3.0},
                                  .rotation = {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
                                  .owner = DEBYE_DENSITY_NOBODY};
  const DebyeDensityView views[2] = {here, there};
  DebyeDensityFrame of[N_FRAMES];
  DebyeStatus status = {0};
  const size_t n = all ? N : N_CHOSEN;
  for (size_t f = 0; f < N_FRAMES; f++) {
    const float *x = all ? frames->whole[f] : frames->some[f];
    const bool is_packed = (kinds >> f & 1) != 0;
    of[f] = (DebyeDensityFrame){.x = is_packed ? NULL : x,
                                .y = is_packed ? NULL : x + n,
                                .z = is_packed ? NULL : x + 2 * n,
                                .packed = is_packed ? &frames->packed[f] : NULL,
                                .n = n,
                                .scale = 1.0,
                                .weights = frames->charge,
                                .cell = &cell,
                                .views = views,
                                .n_views = 1 + f % 2,
                                .origin = debye_vec3(-10.0, -10.0, -10.0),
                                .step = {{2.0, 0.0, 0.0}, {0.0, 2.1, 0.0}, {0.0, 0.0, 1.9}}};
  }
  CHECK_THAT(kernel->set_frames(plan, of, N_FRAMES, &status) == DEBYE_STATUS_OK, "%s", status.text);
  CHECK_THAT(kernel->execute(plan, NULL, &status) == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(kernel->fetch(plan, sums, &status) == DEBYE_STATUS_OK);
  of[1].n--;
  of[1].packed = &frames->packed[1];
  check_refused(kernel->set_frames(plan, of, 2, &status), &status, "were asked for.");
}

static void
check_density(const DebyeDeviceEntry *entry, const Frames *frames, bool all, DebyeDensitySum sum)
{
  enum { N_VOXELS = 10 * 11 * 12 };
  static int64_t expected[N_VOXELS], found[N_VOXELS];
  const DebyeDensityKernel *kernel = entry->backend->density;
  const DebyeDensitySettings settings = {.shape = {10, 11, 12},
                                         .placing = DEBYE_DENSITY_NEAREST,
                                         .sum = sum,
                                         .n_components = 1,
                                         .max_points = N + 5,
                                         .max_views = 2,
                                         .max_frames = N_FRAMES,
                                         .packed = {N, all ? NULL : frames->chosen, all ? N : N_CHOSEN}};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  int64_t total = 0;
  CHECK(kernel->head.create(entry->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  if (plan == NULL)
    return;
  add_frames(entry, plan, frames, 0, all, expected);
  for (unsigned kinds = 31; kinds > 0; kinds = kinds * 3 / 5) {
    add_frames(entry, plan, frames, kinds, all, found);
    CHECK_THAT(memcmp(found, expected, sizeof found) == 0, "packed ones of %u", kinds);
  }
  for (size_t i = 0; i < N_VOXELS; i++)
    total += llabs(expected[i]);
  CHECK(total > 0);
  kernel->head.destroy(plan);
}

static void
test_density(const DebyeDeviceEntry *entry)
{
  static const DebyeDensitySum sums[] = {DEBYE_DENSITY_COUNT, DEBYE_DENSITY_OCCUPANCY, DEBYE_DENSITY_WEIGH};
  Frames *frames = make_frames();
  for (size_t i = 0; i < DEBYE_LENGTH(sums); i++)
    for (int all = 0; all < 2; all++)
      check_density(entry, frames, all == 1, sums[i]);
  free_frames(frames);
}

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  static const struct {
    const char *name;
    void (*body)(const DebyeDeviceEntry *entry);
  } bodies[] = {{"potentials", test_potentials},
                {"overflow", test_overflow},
                {"amplitudes", test_amplitudes},
                {"lattice", test_lattice},
                {"density", test_density}};
  for (size_t i = 0; i < DEBYE_LENGTH(bodies); i++) {
    debye_check_subject("%s%s, %s", entry->info.id, how, bodies[i].name);
    if (debye_test_is_asked(bodies[i].name, arguments))
      bodies[i].body(entry);
  }
}

/* The arguments: only devices whose id begins so ("cuda"), only bodies whose name begins so. */
int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
