/* SPDX-License-Identifier: MIT */
/* Every plan of every device takes as much memory as bytes_needed says: no array outside its list. What the
 * processor's plans take is counted call by call, and each of these calls fails in turn; of another device the
 * memory is looked at that is free before and after. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/scattering/displacement_moments.h"
#include "kernels/density/density_map.h"
#include "kernels/isosurface/isosurface.h"
#include "kernels/ladder/ladder.h"
#include "kernels/ligand/ligand_map.h"
#include "kernels/orbital/orbital.h"
#include "kernels/pairs/pair_histogram.h"
#include "kernels/poisson/poisson.h"
#include "kernels/potential/ion_field.h"
#include "kernels/potential/potential_kernel.h"
#include "kernels/scattering/displacement_histogram.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "kernels/scattering/scattering_multipole.h"
#include "kernels/scattering/scattering_lattice.h"
#include "kernels/scattering/scattering_self.h"
#include "kernels/surface/surface_mesh.h"
#include "tests/support/check.h"
#include "tests/support/counted_memory.h"
#include "tests/support/every_device.h"

/* Beside the list: the plan itself, 9 kB where it has the levels of lattices, and what its threads are kept
 * in. An array of atoms, frames, bins or points is larger. */
#define PLAN_BYTES 16000
/* What a device takes in one go, and so much for each plan beside the list. */
#define DEVICE_BYTES ((uint64_t)24 << 20)

/* Of one plan under way. */
typedef struct {
  const DebyeDeviceEntry *device;
  uint64_t needed;     /* what it said */
  uint64_t host, free; /* before: counted, and free on the device */
} Measure;

static uint64_t
device_free(const DebyeDeviceEntry *device)
{
  DebyeDeviceInfo info;
  CHECK(device->backend->device_info(device->device, &info, NULL) == DEBYE_STATUS_OK);
  return info.memory_free;
}

static Measure
begin(const DebyeDeviceEntry *device, uint64_t needed)
{
  return (Measure){device, needed, debye_counted_bytes(), device_free(device)};
}

static void
check_taken(const Measure *measure)
{
  const uint64_t host = debye_counted_bytes() - measure->host, left = device_free(measure->device);
  const uint64_t taken = left < measure->free ? measure->free - left : 0;
  CHECK(measure->needed < UINT64_MAX);
  if (debye_device_is_cpu(measure->device))
    CHECK_THAT(host >= measure->needed && host <= measure->needed + PLAN_BYTES,
               "%llu bytes were said, %llu taken", (unsigned long long)measure->needed,
               (unsigned long long)host);
  else
    CHECK_THAT(taken <= measure->needed + DEVICE_BYTES, "%llu bytes were said, %llu taken",
               (unsigned long long)measure->needed, (unsigned long long)taken);
}

/* A plan is made twice, because the first of a kind may load what it is computed with, and then without memory
 * for one thing after the other. */
#define CHECK_PLAN(entry, kernel, settings)                                                         \
  do {                                                                                              \
    const uint64_t needed = (kernel)->head.bytes_needed((entry)->device, (settings));               \
    const uint64_t before = debye_counted_bytes();                                                  \
    DebyeKernelPlan *plan = NULL;                                                                   \
    for (int round = 0; round < 2; round++) {                                                       \
      const Measure measure = begin((entry), needed);                                               \
      CHECK((kernel)->head.create((entry)->device, (settings), &plan, NULL) == DEBYE_STATUS_OK);    \
      if (round > 0)                                                                                \
        check_taken(&measure);                                                                      \
      (kernel)->head.destroy(plan);                                                                 \
    }                                                                                               \
    bool is_refused = debye_device_is_cpu(entry);                                                   \
    for (unsigned number = 1; is_refused; number++) {                                               \
      debye_counted_fail(number);                                                                   \
      const DebyeStatusCode code = (kernel)->head.create((entry)->device, (settings), &plan, NULL); \
      is_refused = debye_counted_has_failed();                                                      \
      debye_counted_fail(0);                                                                        \
      CHECK(code == (is_refused ? DEBYE_STATUS_NO_MEMORY : DEBYE_STATUS_OK));                       \
      CHECK((plan == NULL) == is_refused);                                                          \
      (kernel)->head.destroy(plan);                                                                 \
    }                                                                                               \
    CHECK(!debye_device_is_cpu(entry) || debye_counted_bytes() == before);                          \
  } while (0)

/* So many that an array of them stands out against what is not in lists. */
static size_t
count_atoms(const DebyeDeviceEntry *device)
{
  return debye_device_is_cpu(device) ? 20000 : 10000000;
}

static DebyePotentialSettings
make_potential(const DebyeDeviceEntry *device, DebyePotentialMethod method)
{
  const size_t n = 48;
  const double edge = cbrt(10.0 * (double)count_atoms(device)), step = edge / (double)n;
  return (DebyePotentialSettings){
      .method = method,
      .grid = {.shape = {n, n, n}, .step = {{step, 0.0, 0.0}, {0.0, step, 0.0}, {0.0, 0.0, step}}},
      .core_radius = 0.5,
      .max_charges = count_atoms(device),
      .max_planes = n,
      .cell = {{edge, 0.0, 0.0}, {0.0, edge, 0.0}, {0.0, 0.0, edge}},
      .cutoff = method == DEBYE_POTENTIAL_CUTOFF ? 9.0 : 0.0,
      .smoothing = DEBYE_SMOOTHING_SMOOTH,
  };
}

static void
check_potential(const DebyeDeviceEntry *device, const char *how, const DebyePotentialSettings *settings)
{
  const DebyePotentialKernel *kernel = device->backend->potential[settings->method];
  if (kernel == NULL)
    return;
  debye_check_subject("%s%s: %s, %s, periodic %u", device->info.id, how,
                      debye_potential_method_name(settings->method),
                      settings->double_precision ? "double" : "float", settings->periodic);
  CHECK_PLAN(device, kernel, settings);
}

static void
test_potentials(const DebyeDeviceEntry *device, const char *how)
{
  for (int method = 0; method < DEBYE_POTENTIAL_N_METHODS; method++)
    for (int i = 0; i < 4; i++) {
      DebyePotentialSettings settings = make_potential(device, (DebyePotentialMethod)method);
      settings.double_precision = i % 2 == 1;
      settings.periodic =
          i >= 2 || method == DEBYE_POTENTIAL_EWALD ? DEBYE_PERIODIC_ALL : DEBYE_PERIODIC_NONE;
      /* Of Ewald's method all, and the smooth part alone; of the cutoff method a step, and bins that overflow. */
      settings.reciprocal_only = method == DEBYE_POTENTIAL_EWALD && i < 2;
      settings.ewald_width = settings.reciprocal_only ? 2.0 : 0.0;
      settings.smoothing = i < 2 ? DEBYE_SMOOTHING_SMOOTH : DEBYE_SMOOTHING_NONE;
      settings.bin_capacity = method == DEBYE_POTENTIAL_CUTOFF && i == 1 ? 8 : 0;
      check_potential(device, how, &settings);
    }
}

static void
test_ions(const DebyeDeviceEntry *device, const char *how)
{
  const DebyePotentialSettings potential = make_potential(device, DEBYE_POTENTIAL_DIRECT);
  const size_t n = debye_device_is_cpu(device) ? 48 : 400;
  for (int has_unit_map = 0; has_unit_map < 2; has_unit_map++) {
    DebyeIonFieldSettings settings = {.grid = potential.grid,
                                      .core_radius = 0.5,
                                      .periodic = DEBYE_PERIODIC_ALL,
                                      .cell = potential.cell,
                                      .has_unit_map = has_unit_map != 0};
    for (int axis = 0; axis < 3; axis++)
      settings.grid.shape[axis] = n;
    debye_check_subject("%s%s: ions, unit map %d", device->info.id, how, has_unit_map);
    CHECK_PLAN(device, device->backend->ion_field, &settings);
  }
}

static void
test_orbitals(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = debye_device_is_cpu(device) ? 60 : 500;
  const DebyeOrbitalSettings settings = {
      .grid = {.shape = {n, n, n}, .step = {{0.3, 0.0, 0.0}, {0.0, 0.3, 0.0}, {0.0, 0.0, 0.3}}},
      .max_centres = 3000,
      .max_primitives = 40000,
      .max_coefficients = 160000,
      .max_functions = 20};
  debye_check_subject("%s%s: orbitals", device->info.id, how);
  CHECK_PLAN(device, device->backend->orbital, &settings);
}

static void
test_isosurface(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = debye_device_is_cpu(device) ? 32 : 400;
  const DebyeIsosurfaceSettings settings = {{n, n, n}};
  debye_check_subject("%s%s: isosurface", device->info.id, how);
  CHECK_PLAN(device, device->backend->isosurface, &settings);
}

static void
test_surface_mesh(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = debye_device_is_cpu(device) ? 32 : 400;
  const DebyeSurfaceMeshSettings settings = {count_atoms(device) / 10, {n, n, n}};
  debye_check_subject("%s%s: surface", device->info.id, how);
  CHECK_PLAN(device, device->backend->surface_mesh, &settings);
}

static void
test_ligand(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = debye_device_is_cpu(device) ? 40 : 200;
  const double pair[2] = {1e6, 1e3}, place[3] = {0.0, 0.0, 0.0};
  const uint8_t kind = 0;
  const DebyeLigandSettings settings = {
      .grid = {.shape = {n, n, n}, .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
      .subsamples = 3,
      .cutoff = 10.0,
      .n_types = 1,
      .n_kinds = 1,
      .n_sites = 1,
      .n_orientations = 1,
      .repulsion = &pair[0],
      .attraction = &pair[1],
      .kinds = &kind,
      .places = place,
      .max_atoms = count_atoms(device)};
  debye_check_subject("%s%s: ligand", device->info.id, how);
  CHECK_PLAN(device, device->backend->ligand, &settings);
}

static void
test_pairs(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = count_atoms(device), n_classes = n / 4;
  const DebyeGroupPair pairs[] = {{0, 0}, {0, 1}, {1, 1}};
  uint32_t *members = malloc(n * sizeof *members),
           *class_first = malloc((n_classes + 1) * sizeof *class_first);
  for (size_t i = 0; i < n; i++)
    members[i] = (uint32_t)i;
  for (size_t i = 0; i <= n_classes; i++)
    class_first[i] = (uint32_t)(4 * i);
  for (int i = 0; i < 2; i++) {
    DebyePairSettings settings = {.max_atoms = n,
                                  .n_groups = 2,
                                  .pairs = pairs,
                                  .n_pairs = 3,
                                  .r_max = 10.0,
                                  .n_bins = i == 0 ? 20000 : 200,
                                  .images = i == 0 ? DEBYE_PAIR_IMAGES_ALL : DEBYE_PAIR_IMAGES_NEAREST};
    if (i > 0)
      settings.exclusions =
          (DebyePairExclusions){.members = members, .class_first = class_first, .n_classes = n_classes};
    debye_check_subject("%s%s: pairs in %zu bins", device->info.id, how, settings.n_bins);
    CHECK_PLAN(device, device->backend->pair_histogram, &settings);
  }
  free(members);
  free(class_first);
}

static void
test_frames(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = count_atoms(device), first[] = {0, n / 4, n};
  const DebyeMiller chosen[] = {{1, 2, 3}, {-1, 0, 2}};
  float *weight = calloc(n, sizeof *weight);
  for (int i = 0; i < 4; i++) {
    const DebyeScatteringGroups groups = {
        .n_groups = 2, .first = first, .weight = i % 2 == 0 ? NULL : weight};
    const DebyeAmplitudeSettings amplitude = {
        .n_atoms = n, .groups = groups, .max_vectors = 4000, .max_frames = 3, .double_precision = i >= 2};
    const DebyeLatticeSettings lattice = {.n_atoms = n,
                                          .groups = groups,
                                          .extent = {20, 24, 30},
                                          .tolerance = i < 2 ? 1e-3 : 1e-9,
                                          .sums = i % 2 == 0,
                                          .by_length = i == 2,
                                          .chosen = chosen,
                                          .n_chosen = 2};
    const DebyeMultipoleSettings multipole = {
        .multipole = {.order = 20, .cylindrical = i >= 2, .axis = {0.0, 0.0, 1.0}},
        .n_atoms = n,
        .groups = groups,
        .max_q = 30};
    debye_check_subject("%s%s: amplitudes %d", device->info.id, how, i);
    CHECK_PLAN(device, device->backend->amplitude, &amplitude);
    debye_check_subject("%s%s: lattice %d", device->info.id, how, i);
    CHECK_PLAN(device, device->backend->lattice, &lattice);
    debye_check_subject("%s%s: multipoles %d", device->info.id, how, i);
    CHECK_PLAN(device, device->backend->multipole, &multipole);
  }
  free(weight);
}

static void
test_series(const DebyeDeviceEntry *device, const char *how)
{
  const bool is_cpu = debye_device_is_cpu(device);
  const size_t n_frames = is_cpu ? 9000 : 50000, n = is_cpu ? 20000 : 500;
  DebyeVec3 vectors[2000] = {{1.0, 0.0, 0.0}};
  uint32_t *lags = malloc(n_frames * sizeof *lags);
  for (size_t i = 0; i < n_frames; i++)
    lags[i] = (uint32_t)i;
  for (int i = 0; i < 6; i++) {
    const DebyeSignal signal = (DebyeSignal)(i % 3);
    const DebyeCorrelationSettings correlation = {
        .signal = signal, .n_frames = n_frames, .max_series = 40, .direct = i >= 3};
    const DebyeSelfSettings self = {.signal = signal,
                                    .n_frames = n_frames,
                                    .vectors = vectors,
                                    .n_vectors = 2000,
                                    .n_groups = 2,
                                    .max_atoms = n,
                                    .elastic = i < 3,
                                    .double_precision = i >= 3};
    const DebyeDisplacementSettings displacement = {.n_frames = n_frames,
                                                    .lags = i < 3 ? lags : NULL,
                                                    .n_lags = n_frames,
                                                    .bin_width = 0.1,
                                                    .n_bins = 15000,
                                                    .n_groups = 2,
                                                    .max_atoms = n};
    debye_check_subject("%s%s: correlation %d", device->info.id, how, i);
    CHECK_PLAN(device, device->backend->correlation, &correlation);
    debye_check_subject("%s%s: self scattering %d", device->info.id, how, i);
    CHECK_PLAN(device, device->backend->self, &self);
    debye_check_subject("%s%s: displacements %d", device->info.id, how, i);
    if (i % 3 == 0)
      CHECK_PLAN(device, device->backend->displacement, &displacement);
  }
  free(lags);
}

static void
test_density(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = debye_device_is_cpu(device) ? 40 : 200;
  for (int sum = DEBYE_DENSITY_COUNT; sum <= DEBYE_DENSITY_WEIGH; sum++) {
    const DebyeDensitySettings settings = {.shape = {n, n, n},
                                           .sum = (DebyeDensitySum)sum,
                                           .n_components = 3,
                                           .max_points = count_atoms(device),
                                           .max_views = 2,
                                           .max_frames = 4};
    debye_check_subject("%s%s: density %d", device->info.id, how, sum);
    CHECK_PLAN(device, device->backend->density, &settings);
  }
}

/* In no table: there is no other device for it. */
static void
test_moments(const DebyeDeviceEntry *device)
{
  DebyeDisplacementMoments *moments = NULL;
  debye_check_subject("moments of displacements");
  const Measure measure = begin(device, debye_displacement_moments_bytes(5000, 4));
  CHECK(debye_displacement_moments_create(5000, 4, &moments, NULL) == DEBYE_STATUS_OK);
  check_taken(&measure);
  debye_displacement_moments_destroy(moments);
  CHECK(debye_counted_bytes() == measure.host);
}

/* With and without what a device makes the equations of molecules in. */
static void
test_poisson(const DebyeDeviceEntry *device, const char *how)
{
  const size_t n = debye_device_is_cpu(device) ? 33 : 257;
  for (int i = 0; i < 4; i++) {
    const DebyePoissonSettings settings = {
        .shape = {n, n, n}, .nonlinear = i % 2 == 1, .n_atoms = i < 2 ? 0 : count_atoms(device) / 10};
    debye_check_subject("%s%s: Poisson-Boltzmann, nonlinear %d, %zu atoms", device->info.id, how, i % 2,
                        settings.n_atoms);
    CHECK_PLAN(device, device->backend->poisson, &settings);
  }
  if (debye_device_is_cpu(device))
    return;
  /* Of the linear equation of a protein, the two thousand bytes an atom of its surface with them: 40 a point are wanted. */
  const DebyePoissonSettings protein = {.shape = {n, n, n}, .n_atoms = 3300};
  const double points = (double)n * (double)n * (double)n,
               pinned = 3.0 * 4.0 * ceil(points / 4.0 / 65536.0) * 65536.0;
  debye_check_subject("%s%s: Poisson-Boltzmann of a protein", device->info.id, how);
  CHECK_AT_MOST(((double)device->backend->poisson->head.bytes_needed(device->device, &protein) - pinned) /
                    points,
                40.1);
}

/* Of all families but the ladder, which has no plans: a variant takes its memory when it runs and frees it before it returns, so
 * that there is nothing to look at in between. */
static void
test_device(const DebyeDeviceEntry *device, const char *how, void *data)
{
  (void)data;
  test_potentials(device, how);
  test_ions(device, how);
  test_orbitals(device, how);
  test_pairs(device, how);
  test_frames(device, how);
  test_series(device, how);
  test_density(device, how);
  test_isosurface(device, how);
  test_surface_mesh(device, how);
  test_ligand(device, how);
  test_poisson(device, how);
  if (debye_device_is_cpu(device))
    test_moments(device);
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
