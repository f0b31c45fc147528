/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling: one body for every device that there is. Answers that are known first, then a plain loop in
 * double.
 *
 * Single precision about the voxels' places leaves 2e-5 of an energy that is a difference of large ones, and a steep
 * repulsion of 80 kT moves by 1e-4 of itself: 1e-3 of the mean of exp(−E/kT) is what is promised. Voxels without a sample
 * below 80 kT are empty in both, but for samples so near to the limit that rounding decides: they weigh 1e-34. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/ligand/ligand_lanes.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_ligand.h"
#include "tests/support/remembered.h"

#define TOLERANCE 1e-3
#define NOTHING 1e-33
#define N_ATOMS 140
#define N_USUAL 70 /* of them, but where they shall be a crowd */
#define N_ORIENTATIONS 7

typedef struct {
  const DebyeLigandKernel *kernel;
  int device;
} Path;

/* Three types of atoms, a ligand of two or three sites of two kinds. */
typedef struct {
  float x[N_ATOMS], y[N_ATOMS], z[N_ATOMS], charges[N_ATOMS];
  uint32_t types[N_ATOMS];
  DebyeCell cell;
  double repulsion[6], attraction[6], places[N_ORIENTATIONS * 9], site_charges[3];
  uint8_t kinds[3];
  DebyeLigandFrame frame;
  DebyeLigandSettings settings;
} System;

static uint64_t seed;

static double
random_number(void)
{
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(seed >> 11) / 9007199254740992.0;
}

static void
set_pair(System *system, size_t pair, double epsilon, double sigma)
{
  const double sixth = pow(sigma, 6.0);
  system->repulsion[pair] = 4.0 * epsilon * sixth * sixth;
  system->attraction[pair] = 4.0 * epsilon * sixth;
}

/* Sites on random directions from the centre. */
static void
set_ligand(System *system, size_t n_sites)
{
  for (size_t o = 0; o < N_ORIENTATIONS; o++) {
    const double z = 2.0 * random_number() - 1.0, angle = 6.28 * random_number(), r = sqrt(1.0 - z * z);
    const double v[3] = {r * cos(angle), r * sin(angle), z};
    for (size_t site = 0; site < n_sites; site++)
      for (int k = 0; k < 3; k++)
        system->places[3 * (o * n_sites + site) + (size_t)k] = ((double)site - 0.5) * v[k];
  }
  system->settings.n_sites = n_sites;
  system->settings.n_orientations = N_ORIENTATIONS;
  system->settings.n_kinds = 2;
}

/* Atoms in a skew cell, some outside of it; the grid is skew, too, and its edges are no whole tiles. */
static System *
make_system(void)
{
  System *system = calloc(1, sizeof *system);
  seed = 11;
  system->cell = (DebyeCell){{14.0, 0.0, 0.0}, {3.0, 13.0, 0.0}, {-2.0, 4.0, 12.0}};
  for (size_t i = 0; i < N_ATOMS; i++) {
    system->x[i] = (float)(22.0 * random_number() - 7.0);
    system->y[i] = (float)(22.0 * random_number() - 7.0);
    system->z[i] = (float)(22.0 * random_number() - 7.0);
    system->charges[i] = (float)(0.6 * random_number() - 0.3);
    system->types[i] = (uint32_t)(i % 3);
  }
  for (size_t type = 0; type < 3; type++)
    for (size_t kind = 0; kind < 2; kind++)
      set_pair(system, 2 * type + kind, 0.1 + 0.1 * (double)type,
               1.2 + 0.3 * (double)type + 0.2 * (double)kind);
  system->kinds[1] = 1;
  system->site_charges[0] = 0.2;
  system->site_charges[1] = -0.3;
  system->site_charges[2] = 0.1;
  system->frame = (DebyeLigandFrame){.x = system->x,
                                     .y = system->y,
                                     .z = system->z,
                                     .n = N_USUAL,
                                     .types = system->types,
                                     .charges = system->charges,
                                     .cell = &system->cell};
  system->settings =
      (DebyeLigandSettings){.grid = {.origin = {-3.0, 1.0, 2.0},
                                     .step = {{0.9, 0.0, 0.0}, {0.2, 0.8, 0.0}, {0.0, 0.1, 1.1}},
                                     .shape = {6, 5, 5}},
                            .subsamples = 2,
                            .cutoff = 7.0,
                            .n_types = 3,
                            .repulsion = system->repulsion,
                            .attraction = system->attraction,
                            .kinds = system->kinds,
                            .places = system->places,
                            .coulomb = 560.0,
                            .max_atoms = N_ATOMS};
  set_ligand(system, 2);
  return system;
}

/* In runs of layers, around a map of which nothing else may be written. */
static float *
compute(const Path *path, const DebyeLigandSettings *settings, const DebyeLigandFrame *frame)
{
  const size_t n = debye_grid_n_points(&settings->grid), n_layers = debye_ligand_n_tiles(settings, 2);
  float *means = malloc((n + 1) * sizeof *means);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  for (size_t i = 0; i <= n; i++)
    means[i] = -1.0f;
  path->kernel->head.create(path->device, settings, &plan, &status);
  CHECK_THAT(plan != NULL && status.code == DEBYE_STATUS_OK, "%s", status.text);
  if (plan == NULL)
    return means;
  CHECK_THAT(path->kernel->set_frame(plan, frame, &status) == DEBYE_STATUS_OK, "%s", status.text);
  CHECK_THAT(path->kernel->execute(plan, n_layers - 1, 1, means, NULL, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  CHECK(means[0] == -1.0f || n_layers == 1);
  if (n_layers > 1)
    CHECK(path->kernel->execute(plan, 0, n_layers - 1, means, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(means[n] == -1.0f);
  path->kernel->head.destroy(plan);
  return means;
}

static void
compare(const DebyeLigandSettings *settings, const float *found, const double *expected)
{
  double worst = 0.0, wrong = 0.0;
  size_t n_sampled = 0;
  for (size_t i = 0; i < debye_grid_n_points(&settings->grid); i++) {
    const double value = (double)found[i];
    if (expected[i] > NOTHING)
      worst = fmax(worst, fabs(value - expected[i]) / expected[i]);
    else
      wrong = fmax(wrong, fabs(value - expected[i]));
    n_sampled += expected[i] > NOTHING;
  }
  CHECK(n_sampled > debye_grid_n_points(&settings->grid) / 10);
  CHECK_AT_MOST(worst, TOLERANCE);
  CHECK_AT_MOST(wrong, NOTHING);
}

static uint64_t
key_of_settings(const DebyeLigandSettings *settings)
{
  const size_t n_pairs = settings->n_types * settings->n_kinds,
               n_places = 3 * settings->n_orientations * settings->n_sites;
  const size_t n[] = {settings->subsamples, settings->n_types,        settings->n_kinds,
                      settings->n_sites,    settings->n_orientations, settings->charges != NULL};
  const double values[] = {settings->cutoff, settings->coulomb};
  uint64_t key = debye_remembered_key(0, n, sizeof n);
  key = debye_remembered_key(key, values, sizeof values);
  key = debye_remembered_key(key, &settings->grid.origin, sizeof settings->grid.origin);
  key = debye_remembered_key(key, settings->grid.step, sizeof settings->grid.step);
  key = debye_remembered_key(key, settings->grid.shape, sizeof settings->grid.shape);
  key = debye_remembered_key(key, settings->repulsion, n_pairs * sizeof *settings->repulsion);
  key = debye_remembered_key(key, settings->attraction, n_pairs * sizeof *settings->attraction);
  key = debye_remembered_key(key, settings->kinds, settings->n_sites * sizeof *settings->kinds);
  key = debye_remembered_key(key, settings->places, n_places * sizeof *settings->places);
  return settings->charges == NULL
             ? key
             : debye_remembered_key(key, settings->charges, settings->n_sites * sizeof *settings->charges);
}

static uint64_t
key_of(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame)
{
  const size_t n[] = {frame->n, frame->charges != NULL, frame->cell != NULL},
               n_bytes = frame->n * sizeof *frame->x;
  uint64_t key = debye_remembered_key(key_of_settings(settings), n, sizeof n);
  key = debye_remembered_key(key, frame->x, n_bytes);
  key = debye_remembered_key(key, frame->y, n_bytes);
  key = debye_remembered_key(key, frame->z, n_bytes);
  key = debye_remembered_key(key, frame->types, frame->n * sizeof *frame->types);
  if (frame->charges != NULL)
    key = debye_remembered_key(key, frame->charges, n_bytes);
  return frame->cell == NULL ? key : debye_remembered_key(key, frame->cell, sizeof *frame->cell);
}

static const double *
expect(const DebyeLigandSettings *settings, const DebyeLigandFrame *frame)
{
  const size_t n = debye_grid_n_points(&settings->grid);
  bool is_new;
  double *expected = debye_remembered_get(key_of(settings, frame), n * sizeof *expected, &is_new);
  for (size_t i = 0; i < n && is_new; i++)
    expected[i] = debye_oracle_ligand(settings, frame, i);
  return expected;
}

static void
check_against_oracle(const Path *path, const System *system)
{
  float *found = compute(path, &system->settings, &system->frame);
  const double *expected = expect(&system->settings, &system->frame);
  compare(&system->settings, found, expected);
  free(found);
}

/* Nothing there: exp(0) in each voxel. */
static void
test_empty(const Path *path)
{
  System *system = make_system();
  system->frame.n = 0;
  float *found = compute(path, &system->settings, &system->frame);
  for (size_t i = 0; i < debye_grid_n_points(&system->settings.grid); i++)
    CHECK(found[i] == 1.0f);
  free(found);
  free(system);
}

/* An atom and a ligand of one site: what the formula says, at the centre of each voxel. */
static void
test_one_atom(const Path *path)
{
  System *system = make_system();
  const float x = 0.3f, y = 2.2f, z = 4.1f;
  const double none[3] = {0.0, 0.0, 0.0};
  DebyeLigandSettings settings = system->settings;
  settings.subsamples = 1;
  settings.n_orientations = settings.n_sites = 1;
  settings.places = none;
  const DebyeLigandFrame frame = {.x = &x, .y = &y, .z = &z, .n = 1, .types = system->types};
  float *found = compute(path, &settings, &frame);
  double worst = 0.0;
  for (size_t i = 0; i < debye_grid_n_points(&settings.grid); i++) {
    const DebyeVec3 p =
        debye_grid_point(&settings.grid, (double)(i % 6), (double)(i / 6 % 5), (double)(i / 30));
    const DebyeVec3 d = debye_vec3_subtract(debye_vec3((double)x, (double)y, (double)z), p);
    const double r = debye_vec3_length(d), q = pow(1.2 / r, 6.0);
    const double energy = r < settings.cutoff ? 4.0 * 0.1 * (q * q - q) : 0.0;
    if (energy < DEBYE_LIGAND_MAX_ENERGY)
      worst = fmax(worst, fabs((double)found[i] * exp(energy) - 1.0));
    else
      CHECK(found[i] == 0.0f);
  }
  CHECK_AT_MOST(worst, TOLERANCE);
  free(found);
  free(system);
}

static void
test_oracle(const Path *path)
{
  System *system = make_system();
  check_against_oracle(path, system);
  system->frame.cell = NULL;
  check_against_oracle(path, system);
  system->frame.cell = &system->cell;
  set_ligand(system, 3);
  system->settings.charges = system->site_charges;
  check_against_oracle(path, system);
  system->settings.subsamples = 3;
  system->settings.grid.shape[2] = 3;
  check_against_oracle(path, system);
  free(system);
}

/* So many atoms in reach of a tile that they don't fit at once on a GPU, in voxels far finer than the cutoff. */
static void
test_crowd(const Path *path)
{
  System *system = make_system();
  system->cell = (DebyeCell){{6.0, 0.0, 0.0}, {0.0, 6.5, 0.0}, {0.0, 0.0, 7.0}};
  system->settings.grid.step[0] = debye_vec3(0.3, 0.0, 0.0);
  system->settings.grid.origin = debye_vec3(2.0, 1.0, 3.0);
  system->settings.grid.shape[0] = 5;
  system->settings.grid.shape[1] = system->settings.grid.shape[2] = 2;
  system->frame.n = N_ATOMS;
  for (size_t i = 0; i < N_ATOMS; i++) {
    system->x[i] = (float)(6.0 * random_number());
    system->y[i] = (float)(6.5 * random_number());
    system->z[i] = (float)(7.0 * random_number());
  }
  for (size_t pair = 0; pair < 6; pair++)
    set_pair(system, pair, 0.02, 0.5 + 0.05 * (double)pair);
  system->settings.cutoff = 9.0;
  check_against_oracle(path, system);
  free(system);
}

static void
test_refusals(const Path *path)
{
  System *system = make_system();
  const DebyeLigandSettings good = system->settings;
  DebyeLigandSettings wrong[6] = {good, good, good, good, good, good};
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  wrong[0].grid.shape[1] = 0;
  wrong[1].subsamples = DEBYE_LIGAND_MAX_SUBSAMPLES + 1;
  wrong[2].cutoff = NAN;
  wrong[3].n_sites = DEBYE_LIGAND_MAX_SITES + 1;
  wrong[4].n_orientations = 0;
  wrong[5].grid.step[2] = wrong[5].grid.step[1];
  for (int i = 0; i < 6; i++) {
    CHECK(path->kernel->head.create(path->device, &wrong[i], &plan, &status) == DEBYE_STATUS_INVALID);
    CHECK(plan == NULL && status.text[0] != '\0');
  }
  CHECK(path->kernel->head.create(path->device, &good, &plan, &status) == DEBYE_STATUS_OK);
  if (plan != NULL) {
    const bool cancel = true;
    float *means = calloc(debye_grid_n_points(&good.grid), sizeof *means);
    system->types[4] = 3;
    CHECK(path->kernel->set_frame(plan, &system->frame, &status) == DEBYE_STATUS_INVALID);
    CHECK_THAT(strstr(status.text, "Atom 4") != NULL, "%s", status.text);
    system->types[4] = 2;
    CHECK(path->kernel->set_frame(plan, &system->frame, &status) == DEBYE_STATUS_OK);
    CHECK(path->kernel->execute(plan, 0, 2, means, &cancel, &status) == DEBYE_STATUS_CANCELLED);
    free(means);
  }
  path->kernel->head.destroy(plan);
  free(system);
}

static const struct {
  const char *name;
  void (*body)(const Path *path);
} bodies[] = {
    {"empty", test_empty}, {"one-atom", test_one_atom}, {"oracle", test_oracle},
    {"crowd", test_crowd}, {"refusals", test_refusals},
};

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  const Path path = {entry->backend->ligand, entry->device};
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0] && path.kernel != NULL; i++) {
    if (!debye_test_is_asked(bodies[i].name, arguments))
      continue;
    debye_check_subject("%s%s: %s", entry->info.id, how, bodies[i].name);
    bodies[i].body(&path);
  }
}

/* A device that fails doesn't show, nor how many share the layers. */
static void
test_lanes(void)
{
  System *system = make_system();
  const DebyeLigandLanesSettings settings = {system->settings, 0};
  const DebyeLigandFrame frames[2] = {system->frame, system->frame};
  const size_t n = debye_grid_n_points(&system->settings.grid);
  const double *expected = expect(&system->settings, &system->frame);
  float *found = calloc(2 * n, sizeof *found);
  for (unsigned fail_at = 0; fail_at < 4; fail_at++) {
    const DebyeDeviceEntry *devices[4];
    DebyeSharing *share = NULL;
    DebyeStatus status = {0};
    debye_check_subject("lanes: fails at %u", fail_at);
    debye_fake_reset(2);
    debye_fake_device(1)->fail_at = fail_at;
    debye_fake_device(1)->execute_code = DEBYE_STATUS_DEVICE_FAILED;
    DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
    debye_registry_add(registry, &debye_fake_backend);
    const size_t n_devices = debye_registry_get_count(registry);
    for (size_t i = 0; i < n_devices && i < 4; i++)
      devices[i] = debye_registry_get(registry, i);
    CHECK(debye_ligand_lanes_create(&settings, devices, n_devices, &share, &status) == DEBYE_STATUS_OK);
    for (int round = 0; round < 2 && share != NULL; round++) {
      CHECK(debye_ligand_lanes_execute(share, frames, 2, found, NULL, NULL, NULL, &status) ==
            DEBYE_STATUS_OK);
      compare(&system->settings, found, expected);
      compare(&system->settings, found + n, expected);
    }
    debye_sharing_free(share);
    debye_registry_free(registry);
  }
  free(found);
  free(system);
}

int
main(int argc, char **argv)
{
  if (debye_test_has_processor(argc, argv))
    test_lanes();
  return debye_test_main(argc, argv, test_device);
}
