/* SPDX-License-Identifier: MIT */
/* The teaching variants: each gives the map, whole or within a cutoff, on every device that there is and with each
 * instruction set of the processor. Those of pairs and of scattering are in test_ladder_counts.c, those of
 * orbitals and ligands in test_ladder_fields.c.
 *
 * Tolerances. A variant's root mean square error over a map: one float sums up to 9,000 terms one after the
 * other, which loses √9000·3e-8 = 3e-6 of a sum, and positions are floats in the grid's frame, 1e-6 Å, which
 * shows at the points next to an atom; 1e-5 together. The production kernel keeps what it promises, 5e-6. At
 * one point of one charge: an estimate and a few roundings, 2e-6. */
#include <stdlib.h>
#include <string.h>

#include "kernels/ladder/ladder.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_cutoff.h"

#define CORE 1e-3
#define POINT 2e-6
#define MAP 1e-5
#define MAP_OURS 5e-6
#define GUARD 64
#define SENTINEL 1234.5f

typedef struct {
  const DebyeLadderKernel *ladder;
  int device;
  size_t variant;
  double cutoff; /* Å; 0: none */
} Path;

/* Between sentinels, every value written; to be freed at map − GUARD. */
static float *
compute(const Path *path, const DebyeGrid *grid, double core, const DebyeCharges *charges)
{
  const DebyeLadderProblem problem = {
      .grid = *grid, .charges = *charges, .core_radius = core, .cutoff = path->cutoff};
  const size_t n = grid->shape[0] * grid->shape[1] * grid->shape[2];
  float *all = calloc(n + 2 * GUARD, sizeof *all);
  double seconds = -1.0;
  DebyeStatus status = {0};
  for (size_t i = 0; i < n + 2 * GUARD; i++)
    all[i] = i >= GUARD && i < n + GUARD ? NAN : SENTINEL;
  CHECK(path->ladder->bytes_needed(path->device, path->variant, &problem) < SIZE_MAX);
  path->ladder->run(path->device, path->variant, &problem, all + GUARD, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK && status.text[0] == '\0', "%s", status.text);
  CHECK(seconds >= 0.0 && seconds < 100.0);
  size_t n_missing = 0, n_hurt = 0;
  for (size_t i = 0; i < n; i++)
    n_missing += !isfinite(all[GUARD + i]);
  for (size_t i = 0; i < GUARD; i++)
    n_hurt += all[i] != SENTINEL || all[GUARD + n + i] != SENTINEL;
  CHECK_THAT(n_missing == 0, "%zu of %zu values were not written or are not finite", n_missing, n);
  CHECK_THAT(n_hurt == 0, "%zu values beside the map were written", n_hurt);
  return all + GUARD;
}

static bool
is_ours(const Path *path)
{
  const char *id = path->ladder->variants[path->variant].id;
  return strcmp(id, "ours") == 0 || strcmp(id, "cutoff-ours") == 0;
}

static void
check_against_oracle(const Path *path, const DebyeGrid *grid, double core, const DebyeCharges *charges)
{
  float *map = compute(path, grid, core, charges);
  const DebyePairFunction function = debye_pair_function_smoothing(DEBYE_SMOOTHING_SMOOTH, path->cutoff);
  const DebyeCutoffProblem within = {.function = &function, .core_radius = core};
  const double error = path->cutoff > 0.0 ? debye_oracle_cutoff_error(&within, charges, grid, map, NULL, 300)
                                          : debye_oracle_error(charges, grid, core, map, NULL, 300);
  CHECK_AT_MOST(error, is_ours(path) ? MAP_OURS : MAP);
  free(map - GUARD);
}

static void
test_one_charge(const Path *path)
{
  float at[3] = {0.0f, 0.0f, 0.0f}, charge = -0.75f;
  const DebyeCharges charges = {&at[0], &at[1], &at[2], &charge, 1};
  for (double step = 1.7e-3; step < 1e3; step *= 10.0) {
    const DebyeGrid grid = debye_plain_grid(debye_vec3(step, 0.0, 0.0), step, 100, 2, 1);
    float *map = compute(path, &grid, CORE, &charges);
    double worst = 0.0;
    for (size_t i = 0; i < 200; i++) {
      const DebyeVec3 point = debye_grid_point(&grid, (double)(i % 100), (double)(i / 100), 0.0);
      worst = fmax(worst, fabs((double)map[i] * debye_vec3_length(point) / -0.75 - 1.0));
    }
    CHECK_AT_MOST(worst, POINT);
    free(map - GUARD);
  }
}

/* On the atom, and in a core that many points are in. */
static void
test_core_radius(const Path *path)
{
  float x = 2.0f, y = 1.0f, z = 0.5f, charge = 2.0f;
  const DebyeCharges charges = {&x, &y, &z, &charge, 1};
  const double cores[] = {1e-3, 0.7};
  for (size_t core = 0; core < 2; core++) {
    const DebyeGrid grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.25, 20, 9, 5);
    float *map = compute(path, &grid, cores[core], &charges);
    double worst = 0.0;
    for (size_t i = 0; i < 20 * 9 * 5; i++) {
      const DebyeVec3 p = debye_grid_point(&grid, (double)(i % 20), (double)(i / 20 % 9), (double)(i / 180));
      const double distance = debye_vec3_length(debye_vec3_subtract(p, debye_vec3(2.0, 1.0, 0.5)));
      worst = fmax(worst, fabs((double)map[i] * fmax(distance, cores[core]) / 2.0 - 1.0));
    }
    CHECK_AT_MOST(worst, POINT);
    free(map - GUARD);
  }
}

static void
test_no_atoms(const Path *path)
{
  const DebyeCharges none = {0};
  const DebyeGrid grid = debye_plain_grid(debye_vec3(1.0, 2.0, 3.0), 0.5, 5, 4, 3);
  float *map = compute(path, &grid, CORE, &none);
  for (size_t i = 0; i < 60; i++)
    CHECK(map[i] == 0.0f);
  free(map - GUARD);
}

/* Fewer and more points than blocks, strips and groups have, axes of one point without a step. */
static void
test_shapes(const Path *path)
{
  static const size_t shapes[][3] = {{1, 1, 1},  {7, 3, 2},   {65, 1, 2}, {17, 33, 5},
                                     {8, 16, 9}, {130, 9, 3}, {2, 1, 40}};
  DebyeRandomSystem system =
      debye_random_system_new(100, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 9);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    DebyeGrid grid =
        debye_plain_grid(debye_vec3(1.0, 1.0, 1.0), 0.4, shapes[i][0], shapes[i][1], shapes[i][2]);
    for (int axis = 0; axis < 3; axis++)
      if (grid.shape[axis] == 1)
        grid.step[axis] = debye_vec3(0.0, 0.0, 0.0);
    check_against_oracle(path, &grid, CORE, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Around what a tile holds, and around what constant memory does. */
static void
test_numbers_of_atoms(const Path *path)
{
  static const size_t numbers[] = {2, 31, 33, 63, 65, 255, 257, 512, 513, 4000, 4001, 4096, 4097, 9000};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    DebyeRandomSystem system =
        debye_random_system_new(numbers[i], debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 10);
    const DebyeGrid grid = debye_plain_grid(debye_vec3(-1.0, -1.0, 4.0), 0.9, 26, 25, 3);
    check_against_oracle(path, &grid, CORE, &system.charges);
    debye_random_system_clear(&system);
  }
}

/* Turned, mirrored, and far from the origin. */
static void
test_directions(const Path *path)
{
  static const DebyeVec3 steps[][3] = {
      {{0.5, 0.0, 0.0}, {0.0, -0.6, 0.0}, {0.0, 0.0, -0.7}},
      {{0.0, 0.0, 0.5}, {0.5, 0.0, 0.0}, {0.0, 0.5, 0.0}},
      {{0.3, 0.4, 0.0}, {-0.4, 0.3, 0.0}, {0.0, 0.0, 0.5}},
  };
  const DebyeVec3 corner = debye_vec3(1e5, -2e5, 5e4);
  DebyeRandomSystem system = debye_random_system_new(200, corner, debye_vec3(18.0, 18.0, 18.0), 8);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    DebyeGrid grid = {.shape = {21, 19, 11}};
    grid.origin = debye_vec3_add(corner, debye_vec3(4.0, 5.0, 6.0));
    memcpy(grid.step, steps[i], sizeof grid.step);
    check_against_oracle(path, &grid, CORE, &system.charges);
  }
  debye_random_system_clear(&system);
}

static void
check_refused(const Path *path, const DebyeLadderProblem *problem)
{
  float map[64];
  double seconds;
  DebyeStatus status = {0};
  CHECK(path->ladder->run(path->device, path->variant, problem, map, &seconds, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
}

static void
test_refusals(const Path *path)
{
  float good[2] = {0.0f, 1.0f}, nan[2] = {0.0f, NAN};
  const DebyeLadderProblem problem = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 4, 4, 4),
                                      .charges = {good, good, good, good, 2},
                                      .core_radius = CORE,
                                      .cutoff = path->cutoff};
  DebyeLadderProblem wrong = problem;
  wrong.grid.step[1].x = 0.1;
  check_refused(path, &wrong);
  wrong = problem;
  wrong.grid.step[2].y = 0.1;
  check_refused(path, &wrong);
  wrong = problem;
  wrong.core_radius = 0.0;
  check_refused(path, &wrong);
  wrong = problem;
  wrong.charges.y = nan;
  check_refused(path, &wrong);
  const Path none = {path->ladder, path->device, path->ladder->n_variants, path->cutoff};
  check_refused(&none, &problem);
  CHECK(path->ladder->bytes_needed(none.device, none.variant, &problem) == SIZE_MAX);
  wrong = problem;
  wrong.grid.shape[0] = 0;
  CHECK(path->ladder->bytes_needed(path->device, path->variant, &wrong) == SIZE_MAX);
}

static void
test_cancelled(const Path *path)
{
  float good[2] = {0.0f, 1.0f}, map[64];
  const DebyeLadderProblem problem = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 4, 4, 4),
                                      .charges = {good, good, good, good, 2},
                                      .core_radius = CORE,
                                      .cutoff = path->cutoff};
  double seconds;
  bool cancel = true;
  DebyeStatus status = {0};
  CHECK(path->ladder->run(path->device, path->variant, &problem, map, &seconds, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  cancel = false;
  CHECK(path->ladder->run(path->device, path->variant, &problem, map, &seconds, &cancel, &status) ==
        DEBYE_STATUS_OK);
}

/* A bin of hundreds of atoms, of which eight have slots, and many without charge in front of others: nothing is lost. */
static void
test_overflow(const Path *path)
{
  const DebyeVec3 corner = debye_vec3(-9.0, -8.0, -7.0);
  DebyeRandomSystem system = debye_random_system_new(900, corner, debye_vec3(18.0, 17.0, 16.0), 12);
  for (size_t i = 0; i < 900; i++) {
    if (i % 3 == 0)
      system.charge[i] = 0.0f;
    else if (i < 400) {
      system.x[i] *= 0.2f;
      system.y[i] *= 0.2f;
      system.z[i] *= 0.2f;
    }
  }
  const DebyeGrid grid = debye_plain_grid(debye_vec3(-7.0, -6.0, -5.0), 0.5, 27, 22, 19);
  check_against_oracle(path, &grid, CORE, &system.charges);
  DebyeLadderOverflow overflow = {0};
  const DebyeLadderProblem problem = {.grid = grid,
                                      .charges = system.charges,
                                      .core_radius = CORE,
                                      .cutoff = path->cutoff,
                                      .overflow = &overflow};
  float *map = calloc(debye_grid_n_points(&grid), sizeof *map);
  double seconds;
  CHECK(path->ladder->run(path->device, path->variant, &problem, map, &seconds, NULL, NULL) ==
        DEBYE_STATUS_OK);
  if (overflow.n_atoms > 0) {
    CHECK(overflow.n_atoms == 900 && overflow.n_overflowing > 200 && overflow.n_overflowing < 600);
    CHECK(overflow.device_seconds >= 0.0 && overflow.host_seconds > 0.0);
  }
  free(map);
  debye_random_system_clear(&system);
}

/* From less than a region to more than the map. */
static void
test_cutoffs(const Path *path)
{
  static const double cutoffs[] = {0.4, 1.9, 12.0, 21.0};
  DebyeRandomSystem system =
      debye_random_system_new(300, debye_vec3(0.0, 0.0, 0.0), debye_vec3(15.0, 14.0, 13.0), 13);
  const DebyeGrid grid = debye_plain_grid(debye_vec3(-1.0, 2.0, 1.0), 0.5, 33, 19, 9);
  for (size_t i = 0; i < sizeof cutoffs / sizeof cutoffs[0]; i++) {
    Path other = *path;
    other.cutoff = cutoffs[i];
    check_against_oracle(&other, &grid, CORE, &system.charges);
  }
  debye_random_system_clear(&system);
}

/* Beyond what the list of bins has room for, and no cutoff at all. */
static void
test_refused_cutoffs(const Path *path)
{
  float good[2] = {0.0f, 1.0f};
  DebyeLadderProblem problem = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 4, 4, 4),
                                .charges = {good, good, good, good, 2},
                                .core_radius = CORE,
                                .cutoff = 29.0};
  check_refused(path, &problem);
  problem.cutoff = (double)NAN;
  check_refused(path, &problem);
  problem.cutoff = 0.0;
  check_refused(path, &problem);
}

typedef struct {
  const char *name;
  void (*body)(const Path *path);
} Body;

static const Body bodies[] = {
    {"one charge", test_one_charge},
    {"core radius", test_core_radius},
    {"no atoms", test_no_atoms},
    {"shapes", test_shapes},
    {"numbers of atoms", test_numbers_of_atoms},
    {"directions", test_directions},
    {"refusals", test_refusals},
    {"cancelled", test_cancelled},
    {NULL, NULL},
};

#define CUTOFF 7.0

static const Body cutoff_bodies[] = {
    {"no atoms", test_no_atoms},
    {"shapes", test_shapes},
    {"directions", test_directions},
    {"overflow", test_overflow},
    {"cutoffs", test_cutoffs},
    {"refusals", test_refusals},
    {"refused cutoffs", test_refused_cutoffs},
    {"cancelled", test_cancelled},
    {NULL, NULL},
};

/* The list itself, and what goes with it. */

/* What a class reads: each step is one file but for the production kernels. */
static void
test_source(const DebyeLadderVariant *variant)
{
  const char *text = variant->source != NULL ? debye_ladder_source_text(variant->source) : NULL;
  const size_t length = strlen(variant->id);
  const bool is_ours = length >= 4 && strcmp(variant->id + length - 4, "ours") == 0;
  const bool is_step = !variant->is_legacy && !is_ours;
  CHECK_THAT((variant->source != NULL) == is_step, "%s has no source", variant->id);
  CHECK_THAT((text != NULL) == (variant->source != NULL), "%s has no text", variant->id);
  CHECK(text == NULL || (strncmp(text, "/* ", 3) == 0 && strstr(text, "#include") == NULL));
}

static void
test_list(const DebyeLadderKernel *ladder)
{
  size_t n_maps = 0, n_races = 0;
  for (size_t i = 0; i < ladder->n_variants; i++) {
    const DebyeLadderVariant *variant = ladder->variants + i;
    CHECK(debye_ladder_find(ladder, variant->id) == i);
    CHECK(strlen(variant->title) > 0 && strlen(variant->lesson) > 40);
    CHECK(variant->lesson[strlen(variant->lesson) - 1] == '.');
    test_source(variant);
    CHECK(variant->lecture.rate >= 0.0 &&
          (variant->lecture.rate > 0.0) == (variant->lecture.operations > 0.0));
    CHECK(variant->cost.operations >= 5.0 && debye_ladder_intensity(variant, 1e6, 1e4) > 0.0);
    n_maps += variant->kind == DEBYE_LADDER_MAP;
    n_races += variant->is_race;
    CHECK(variant->loses_counts || !variant->is_race);
  }
  CHECK(n_maps >= 7 && n_races == 1);
  CHECK(debye_ladder_find(ladder, "nothing") == ladder->n_variants);
  CHECK(debye_ladder_source_text("nothing") == NULL);
}

static void
test_limits(const DebyeLadderKernel *ladder, int device)
{
  DebyeLadderLimits limits;
  DebyeStatus status = {0};
  CHECK(ladder->measure_limits(device, &limits, &status) == DEBYE_STATUS_OK);
  CHECK_THAT(status.text[0] == '\0', "%s", status.text);
  /* Between the slowest machine that could be meant, one hundred times slowed down by a checker, and none. */
  CHECK(limits.operations > 1e7 && limits.operations < 1e16);
  CHECK(limits.bandwidth > 1e7 && limits.bandwidth < 1e15);
  CHECK(limits.reciprocal_roots >= 0.0 && limits.reciprocal_roots < 1e16);
}

static void
test_roof(void)
{
  const DebyeLadderLimits limits = {.operations = 100.0, .bandwidth = 10.0};
  const DebyeLadderVariant variant = {
      .cost = {.operations = 12.0, .evaluation_bytes = 4.0, .point_bytes = 200.0, .atom_bytes = 3000.0}};
  debye_check_subject("roofline");
  CHECK(debye_ladder_roof(&limits, 2.0) == 20.0);
  CHECK(debye_ladder_roof(&limits, 10.0) == 100.0);
  CHECK(debye_ladder_roof(&limits, 50.0) == 100.0);
  CHECK(debye_ladder_intensity(&variant, 1000.0, 200.0) == 1.5);
}

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  (void)arguments;
  Path path = {entry->backend->ladder, entry->device, 0, 0.0};
  debye_check_subject("%s%s", entry->info.id, how);
  test_list(path.ladder);
  for (; path.variant < path.ladder->n_variants; path.variant++) {
    const DebyeLadderVariant *variant = path.ladder->variants + path.variant;
    debye_check_subject("%s%s, %s", entry->info.id, how, variant->id);
    if (variant->kind != DEBYE_LADDER_MAP && variant->kind != DEBYE_LADDER_CUTOFF)
      continue;
    path.cutoff = variant->kind == DEBYE_LADDER_CUTOFF ? CUTOFF : 0.0;
    for (const Body *body = path.cutoff > 0.0 ? cutoff_bodies : bodies; body->name != NULL; body++) {
      debye_check_subject("%s%s, %s: %s", entry->info.id, how, variant->id, body->name);
      body->body(&path);
    }
  }
  debye_check_subject("%s%s: limits", entry->info.id, how);
  test_limits(entry->backend->ladder, entry->device);
}

int
main(int argc, char **argv)
{
  test_roof();
  return debye_test_main(argc, argv, test_device);
}
