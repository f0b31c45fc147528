/* SPDX-License-Identifier: MIT */
/* The cutoff method with atoms that crowd, bins that are full, frames that change and what is refused: on
 * every device, as in test_cutoff.c. */
#include <string.h>

#include "bodies/cutoff_test_support.h"
#include "bodies/map_test_invariance.h"
#include "bodies/map_test_refusals.h"
#include "tests/support/fake_backend.h"

/* A vacuum slab, a droplet, and a tenth of all atoms in one bin. */
static void
test_uneven(const DebyeMapPath *path)
{
  for (int kind = 0; kind < 3; kind++) {
    DebyeRandomSystem system =
        debye_random_system_new(3000, debye_vec3(0.0, 0.0, 0.0), debye_vec3(30.0, 30.0, 60.0), 14);
    for (size_t i = 0; i < system.charges.n; i++) {
      if (kind == 0 || (kind == 2 && i % 10 == 0))
        system.z[i] *= 0.05f;
      if (kind == 1 || (kind == 2 && i % 10 == 0)) {
        system.x[i] = 15.0f + 0.1f * (system.x[i] - 15.0f);
        system.y[i] = 15.0f + 0.1f * (system.y[i] - 15.0f);
      }
      if (kind == 1)
        system.z[i] *= 0.05f;
    }
    DebyePotentialSettings problem = debye_cutoff_problem_new(
        debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.4, 21, 21, 43), 7.0, DEBYE_SMOOTHING_SMOOTH);
    problem.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{30.0, 0.0, 0.0}, {0.0, 30.0, 0.0}, {0.0, 0.0, 60.0}};
    debye_cutoff_check(path, &problem, &system.charges);
    debye_random_system_clear(&system);
  }
}

/* From no overflow to nearly all: what the host adds and what the device has make the whole. */
static void
test_overflow(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(2000, debye_vec3(0.0, 0.0, 0.0), debye_vec3(24.0, 24.0, 24.0), 15);
  size_t most = 0, least = SIZE_MAX;
  for (unsigned capacity = 1; capacity < 5000; capacity *= 3) {
    DebyePotentialSettings problem = debye_cutoff_problem_new(
        debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 1.14, 21, 21, 21), 8.0, DEBYE_SMOOTHING_SMOOTH);
    problem.bin_capacity = capacity;
    problem.bin_size = 12.0;
    problem.periodic = DEBYE_PERIODIC_ALL;
    problem.cell = (DebyeCell){{24.0, 0.0, 0.0}, {0.0, 24.0, 0.0}, {0.0, 0.0, 24.0}};
    problem.max_planes = 7;
    size_t n = debye_cutoff_check(path, &problem, &system.charges);
    most = n > most ? n : most;
    least = n < least ? n : least;
  }
  const bool is_fake = path->kernel == debye_fake_backend.potential[DEBYE_POTENTIAL_CUTOFF];
  CHECK(is_fake || least == 0);
  CHECK(is_fake || path->kernel->get_overflow == NULL || most > 1900);
  debye_random_system_clear(&system);
}

/* Where no capacity is asked for all atoms fit; one of 8 holds at least 90 of 100 atoms as uneven as these.
 */
static void
test_usual_capacity(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(9000, debye_vec3(0.0, 0.0, 0.0), debye_vec3(45.0, 45.0, 45.0), 16);
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 2.0, 23, 23, 23), 6.0, DEBYE_SMOOTHING_SMOOTH);
  const bool is_fake = path->kernel == debye_fake_backend.potential[DEBYE_POTENTIAL_CUTOFF];
  CHECK(is_fake || debye_cutoff_check(path, &problem, &system.charges) == 0);
  problem.bin_capacity = 8;
  CHECK(is_fake || debye_cutoff_check(path, &problem, &system.charges) <= 900);
  debye_random_system_clear(&system);
}

/* Cell, atoms and grid moved by whole cells, and turned together: the same map. */
static void
test_moved(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(400, debye_vec3(0.0, 0.0, 0.0), debye_vec3(16.0, 16.0, 16.0), 17);
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3(0.5, 0.25, 0.75), 0.5, 30, 25, 20), 7.0, DEBYE_SMOOTHING_SMOOTH);
  problem.periodic = DEBYE_PERIODIC_ALL;
  problem.cell = (DebyeCell){{16.0, 0.0, 0.0}, {4.0, 16.0, 0.0}, {-8.0, 2.0, 16.0}};
  /* Exact in float after the shifts below. */
  for (size_t i = 0; i < system.charges.n; i++) {
    system.x[i] = rintf(system.x[i] * 4096.0f) / 4096.0f;
    system.y[i] = rintf(system.y[i] * 4096.0f) / 4096.0f;
    system.z[i] = rintf(system.z[i] * 4096.0f) / 4096.0f;
  }
  DebyeTestMap expected = debye_map_compute(path, &problem, &system.charges);
  for (size_t i = 0; i < system.charges.n; i++) {
    float a = (float)((int)(i % 3) - 1), c = (float)((int)(i % 5) - 2);
    system.x[i] += 16.0f * a - 8.0f * c;
    system.y[i] += 2.0f * c;
    system.z[i] += 16.0f * c;
  }
  DebyeTestMap wrapped = debye_map_compute(path, &problem, &system.charges);
  CHECK_AT_MOST(debye_test_map_difference(&wrapped, &expected),
                path->exact ? DEBYE_CUTOFF_MAP_DOUBLE : DEBYE_CUTOFF_MAP_FLOAT);
  debye_test_map_clear(&wrapped);
  /* x, y, z become y, z, x. */
  float *const turned_axes[3] = {system.x, system.y, system.z};
  DebyeCharges turned = {turned_axes[2], turned_axes[0], turned_axes[1], system.charge, system.charges.n};
  DebyeVec3 *const vectors[] = {&problem.cell.a,      &problem.cell.b,       &problem.cell.c,
                                &problem.grid.origin, &problem.grid.step[0], &problem.grid.step[1],
                                &problem.grid.step[2]};
  for (size_t i = 0; i < DEBYE_LENGTH(vectors); i++)
    *vectors[i] = debye_vec3(vectors[i]->z, vectors[i]->x, vectors[i]->y);
  DebyeTestMap rotated = debye_map_compute(path, &problem, &turned);
  CHECK_AT_MOST(debye_test_map_difference(&rotated, &expected),
                path->exact ? DEBYE_CUTOFF_MAP_DOUBLE : DEBYE_CUTOFF_MAP_FLOAT);
  debye_test_map_clear(&rotated);
  debye_test_map_clear(&expected);
  debye_random_system_clear(&system);
}

/* A plan goes from frame to frame: more images, fewer, none, as if it were new. */
static void
test_frames(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(300, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 18);
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.8, 25, 25, 9), 7.0, DEBYE_SMOOTHING_SMOOTH);
  problem.periodic = DEBYE_PERIODIC_ALL;
  const DebyePotentialSettings planned = debye_map_settings(path, &problem, 300);
  DebyeKernelPlan *plan = debye_map_plan_new(path, &planned);
  const double edges[] = {20.0, 9.0, 33.0, 1e4, 20.0};
  for (size_t frame = 0; plan != NULL && frame < DEBYE_LENGTH(edges); frame++) {
    problem.cell = (DebyeCell){{edges[frame], 0.0, 0.0}, {0.0, edges[frame], 0.0}, {0.0, 0.0, edges[frame]}};
    DebyeTestMap expected = debye_map_compute(path, &problem, &system.charges);
    DebyeTestMap found = debye_map_execute(path, plan, &planned, &system.charges, &problem.cell);
    debye_test_map_check_same(&found, &expected);
    debye_test_map_clear(&found);
    debye_test_map_clear(&expected);
  }
  if (plan != NULL)
    path->kernel->head.destroy(plan);
  debye_random_system_clear(&system);
}

static void
test_slabs(const DebyeMapPath *path)
{
  DebyeRandomSystem system =
      debye_random_system_new(700, debye_vec3(0.0, 0.0, 0.0), debye_vec3(20.0, 20.0, 20.0), 12);
  DebyePotentialSettings problem = debye_cutoff_problem_new(
      debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 37, 29, 20), 7.0, DEBYE_SMOOTHING_SMOOTH);
  debye_map_check_slabs(path, &problem, &system.charges);
  debye_random_system_clear(&system);
}

/* Refusals. */

static DebyePotentialSettings
small_problem(const DebyeMapPath *path, unsigned periodic)
{
  DebyePotentialSettings problem = debye_small_map_settings(path, DEBYE_POTENTIAL_CUTOFF, periodic);
  problem.cutoff = 3.0;
  problem.smoothing = DEBYE_SMOOTHING_SMOOTH;
  return problem;
}

static void
test_wrong_settings(const DebyeMapPath *path)
{
  const DebyePotentialSettings good = small_problem(path, DEBYE_PERIODIC_NONE);
  const double cutoffs[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 0.5 * DEBYE_MAP_CORE};
  DebyePotentialSettings wrong = good;
  for (size_t i = 0; i < DEBYE_LENGTH(cutoffs); i++) {
    wrong.cutoff = cutoffs[i];
    debye_map_check_refused(path, &wrong);
  }
  wrong = good;
  wrong.bin_size = -1.0;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.grid.shape[2] = 0;
  debye_map_check_refused(path, &wrong);
  wrong = good;
  wrong.max_planes = 0;
  debye_map_check_refused(path, &wrong);
}

static void
test_wrong_arguments(const DebyeMapPath *path)
{
  for (unsigned periodic = 0; periodic <= DEBYE_PERIODIC_ALL; periodic += DEBYE_PERIODIC_ALL) {
    const DebyePotentialSettings settings = small_problem(path, periodic);
    debye_map_check_arguments(path, &settings);
  }
}

/* So many images that no memory holds them: refused before they are counted. */
static void
test_tiny_cell(const DebyeMapPath *path)
{
  static const float at[4] = {0.0f, 1.0f, 2.0f, 3.0f};
  static const DebyeCell tiny = {{1e-6, 0.0, 0.0}, {0.0, 1e-6, 0.0}, {0.0, 0.0, 1e-6}};
  const DebyePotentialSettings settings = small_problem(path, DEBYE_PERIODIC_ALL);
  const DebyeCharges charges = {at, at, at, at, 4};
  DebyeKernelPlan *plan = debye_map_plan_new(path, &settings);
  DebyeStatus status = {0};
  if (plan == NULL)
    return;
  CHECK(path->kernel->set_charges(plan, &charges, &tiny, &status) == DEBYE_STATUS_NO_MEMORY);
  CHECK(status.text[0] != '\0');
  DebyeTestMap map = debye_map_execute(path, plan, &settings, &charges, &settings.cell);
  debye_test_map_clear(&map);
  path->kernel->head.destroy(plan);
}

static const DebyeMapBody bodies[] = {
    {"uneven", test_uneven},
    {"overflow", test_overflow},
    {"usual capacity", test_usual_capacity},
    {"moved", test_moved},
    {"frames", test_frames},
    {"slabs", test_slabs},
    {"wrong settings", test_wrong_settings},
    {"wrong arguments", test_wrong_arguments},
    {"tiny cell", test_tiny_cell},
};

/* The arguments: only devices whose id begins so ("cuda"), only bodies whose name has it. */
int
main(int argc, char **argv)
{
  return debye_map_test_main(argc, argv, DEBYE_POTENTIAL_CUTOFF, true, bodies, DEBYE_LENGTH(bodies));
}
