/* SPDX-License-Identifier: MIT */
/* Arguments that can't be. */
#include "map_test_refusals.h"

#include "tests/support/oracle_potential.h"

#define POINTS 8
#define PLANES 4
#define CHARGES 4

DebyePotentialSettings
debye_small_map_settings(const DebyeMapPath *path, DebyePotentialMethod method, unsigned periodic)
{
  return (DebyePotentialSettings){
      .method = method,
      .grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, POINTS, POINTS, POINTS),
      .core_radius = DEBYE_MAP_CORE,
      .double_precision = path->exact,
      .max_charges = CHARGES,
      .max_planes = PLANES,
      .periodic = periodic,
      .cell = {{10.0, 0.0, 0.0}, {0.0, 10.0, 0.0}, {0.0, 0.0, 10.0}},
  };
}

void
debye_map_check_refused(const DebyeMapPath *path, const DebyePotentialSettings *settings)
{
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  CHECK(path->kernel->head.create(path->device, settings, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(plan == NULL && status.code == DEBYE_STATUS_INVALID && status.text[0] != '\0');
  CHECK(path->kernel->head.bytes_needed(path->device, settings) == SIZE_MAX);
}

static void
check_charges(const DebyeMapPath *path, DebyeKernelPlan *plan, const DebyeCharges *charges,
              const DebyeCell *cell)
{
  DebyeStatus status = {0};
  CHECK(path->kernel->set_charges(plan, charges, cell, &status) == DEBYE_STATUS_INVALID);
  CHECK(status.text[0] != '\0');
}

static DebyeStatusCode
execute(const DebyeMapPath *path, DebyeKernelPlan *plan, DebyeSlab slab, bool with_arrays, bool cancel)
{
  float out[POINTS * POINTS * PLANES];
  double out_double[POINTS * POINTS * PLANES];
  return path->kernel->execute(plan, slab, with_arrays ? out : NULL, with_arrays ? out_double : NULL, NULL,
                               &cancel, NULL);
}

void
debye_map_check_arguments(const DebyeMapPath *path, const DebyePotentialSettings *small)
{
  static const float fine[CHARGES + 1] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}, nan[2] = {0.0f, NAN},
                                    far[2] = {0.0f, 1e30f};
  static const DebyeCharges good = {fine, fine, fine, fine, CHARGES}, wrong[] = {
                                                                          {fine, fine, fine, fine, 5},
                                                                          {fine, nan, fine, fine, 2},
                                                                          {fine, fine, far, fine, 2},
                                                                          {fine, fine, fine, nan, 2},
                                                                      };
  static const DebyeSlab slabs[] = {{0, 5}, {5, 4}, {9, 0}, {SIZE_MAX, 2}};
  const DebyeCell none = {0}, flat = {small->cell.a, small->cell.b, small->cell.a};
  DebyeKernelPlan *plan = debye_map_plan_new(path, small);
  if (plan == NULL)
    return;
  for (size_t i = 0; i < DEBYE_LENGTH(wrong); i++)
    check_charges(path, plan, &wrong[i], &small->cell);
  if (small->periodic == DEBYE_PERIODIC_ALL) {
    check_charges(path, plan, &good, NULL);
    check_charges(path, plan, &good, &none);
    check_charges(path, plan, &good, &flat);
  }
  CHECK(path->kernel->set_charges(plan, &good, &small->cell, NULL) == DEBYE_STATUS_OK);
  for (size_t i = 0; i < DEBYE_LENGTH(slabs); i++)
    CHECK(execute(path, plan, slabs[i], true, false) == DEBYE_STATUS_INVALID);
  CHECK(execute(path, plan, (DebyeSlab){0, PLANES}, false, false) == DEBYE_STATUS_INVALID);
  CHECK(execute(path, plan, (DebyeSlab){POINTS, 0}, true, false) == DEBYE_STATUS_OK);
  CHECK(execute(path, plan, (DebyeSlab){0, PLANES}, true, true) == DEBYE_STATUS_CANCELLED);
  CHECK(execute(path, plan, (DebyeSlab){0, PLANES}, true, false) == DEBYE_STATUS_OK);
  path->kernel->head.destroy(plan);
  path->kernel->head.destroy(NULL);
}
