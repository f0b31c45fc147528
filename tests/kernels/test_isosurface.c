/* SPDX-License-Identifier: MIT */
/* Isosurfaces of every device: the mesh of one thread's one slab, to the last bit and in its order (tests/render's
 * test_marching_cubes.c measures that one: closed, oriented, Euler characteristic, areas). Maps have rows about words of 64
 * points, steps of either hand, noise, which has every case of a cell, and values that are none. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/isosurface/isosurface_host.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"

typedef double (*Function)(double x, double y, double z);

typedef struct {
  const char *name;
  size_t shape[3];
  Function function;
  double hand; /* of the steps: 1 or −1 */
} Case;

static double
noise(double x, double y, double z)
{
  static uint64_t seed = 7;
  (void)x;
  (void)y;
  (void)z;
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(seed >> 40) / 8388608.0 - 1.0;
}

/* Values that are not finite, or on a level, among others. */
static double
broken_noise(double x, double y, double z)
{
  const double value = noise(x, y, z);
  const int kind = (int)(fabs(noise(x, y, z)) * 40.0);
  const double others[] = {(double)NAN, (double)INFINITY, (double)-INFINITY, 0.5, -0.5, 0.0};
  return kind < 6 ? others[kind] : value;
}

/* About the middle of the unit cube, and radius 0.4. */
static double
ball(double x, double y, double z)
{
  return 0.4 - sqrt((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5));
}

static const Case cases[] = {
    {"noise in rows of 131", {131, 9, 11}, noise, 1.0},
    {"noise in rows of 64", {64, 7, 5}, noise, -1.0},
    {"noise in rows of 65", {65, 5, 7}, noise, 1.0},
    {"noise in rows of 2", {2, 33, 9}, noise, -1.0},
    {"values that are none", {97, 10, 12}, broken_noise, 1.0},
    {"a ball", {71, 60, 50}, ball, 1.0},
    {"two points", {2, 2, 2}, noise, 1.0},
};

static DebyeGrid
grid_of(const Case *which)
{
  const double h = which->hand / (double)(which->shape[0] - 1);
  return (DebyeGrid){
      .origin = {-1.0, 2.0, 3.0},
      .step = {{h, 0.0, 0.0}, {0.3 * h, 0.8 * fabs(h), 0.0}, {0.1 * h, -0.2 * h, 1.1 * fabs(h)}},
      .shape = {which->shape[0], which->shape[1], which->shape[2]}};
}

static float *
values_of(const Case *which)
{
  const size_t *n = which->shape;
  float *values = malloc(n[0] * n[1] * n[2] * sizeof *values);
  for (size_t k = 0, i = 0; k < n[2]; k++)
    for (size_t j = 0; j < n[1]; j++)
      for (size_t x = 0; x < n[0]; x++)
        values[i++] = (float)which->function((double)x / (double)(n[0] - 1), (double)j / (double)(n[1] - 1),
                                             (double)k / (double)(n[2] - 1));
  return values;
}

static void
compare(const DebyeIsosurface *mesh, const DebyeIsosurface *expected)
{
  const bool is_as_large =
      mesh->n_vertices == expected->n_vertices && mesh->n_triangles == expected->n_triangles;
  CHECK_THAT(is_as_large, "%zu vertices, %zu triangles instead of %zu and %zu", mesh->n_vertices,
             mesh->n_triangles, expected->n_vertices, expected->n_triangles);
  if (!is_as_large || expected->n_vertices == 0)
    return;
  const size_t bytes = 3 * expected->n_vertices * sizeof(float);
  CHECK(memcmp(mesh->positions, expected->positions, bytes) == 0);
  CHECK(memcmp(mesh->normals, expected->normals, bytes) == 0);
  CHECK(memcmp(mesh->indices, expected->indices, 3 * expected->n_triangles * sizeof(uint32_t)) == 0);
}

static void
check_levels(const DebyeIsosurfaceKernel *kernel, DebyeKernelPlan *plan, const DebyeGrid *grid,
             const float *values)
{
  /* Few triangles, then many: what a frame outgrows. None at 7. */
  const double levels[] = {0.95, 0.5, 0.0, -0.5, -0.3, 7.0, 1e-3, (double)NAN, (double)INFINITY};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    const DebyeIsosurfaceWay alone = {.n_slabs = 1};
    DebyeIsosurface mesh, expected;
    DebyeStatus status;
    CHECK(debye_isosurface_make(grid, values, levels[i], &alone, &expected));
    CHECK_THAT(kernel->execute(plan, levels[i], NULL, &mesh, &status) == DEBYE_STATUS_OK, "%s", status.text);
    compare(&mesh, &expected);
    debye_isosurface_clear(&mesh);
    debye_isosurface_clear(&expected);
  }
}

static void
test_case(const DebyeDeviceEntry *entry, const Case *which)
{
  const DebyeIsosurfaceKernel *kernel = entry->backend->isosurface;
  const DebyeIsosurfaceSettings settings = {{which->shape[0], which->shape[1], which->shape[2]}};
  DebyeGrid grid = grid_of(which);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status;
  CHECK_THAT(kernel->head.create(entry->device, &settings, &plan, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  /* A second map takes the first one's place; the first is gone by then. */
  for (int round = 0; round < 2 && plan != NULL; round++) {
    float *values = values_of(which);
    CHECK(kernel->set_map(plan, &grid, values, &status) == DEBYE_STATUS_OK);
    check_levels(kernel, plan, &grid, values);
    if (round == 1) { /* steps in one plane: nothing */
      DebyeIsosurface mesh;
      grid.step[2] = grid.step[1];
      CHECK(kernel->set_map(plan, &grid, values, &status) == DEBYE_STATUS_OK);
      CHECK(kernel->execute(plan, 0.0, NULL, &mesh, &status) == DEBYE_STATUS_OK && mesh.n_vertices == 0);
    }
    free(values);
  }
  kernel->head.destroy(plan);
}

static void
test_refusals(const DebyeDeviceEntry *entry)
{
  const DebyeIsosurfaceKernel *kernel = entry->backend->isosurface;
  const Case *which = &cases[1];
  const DebyeIsosurfaceSettings none = {{64, 0, 5}}, many = {{1 << 10, 1 << 10, 1 << 10}};
  const DebyeIsosurfaceSettings settings = {{which->shape[0], which->shape[1], which->shape[2]}};
  const DebyeGrid grid = grid_of(which);
  const volatile bool cancel = true;
  float *values = values_of(which);
  DebyeKernelPlan *plan = NULL;
  DebyeIsosurface mesh;
  DebyeStatus status;
  CHECK(kernel->head.create(entry->device, &none, &plan, &status) == DEBYE_STATUS_INVALID && plan == NULL);
  CHECK(kernel->head.create(entry->device, &many, &plan, &status) == DEBYE_STATUS_UNSUPPORTED);
  CHECK(kernel->head.bytes_needed(entry->device, &many) == UINT64_MAX);
  CHECK(kernel->head.create(entry->device, &settings, &plan, &status) == DEBYE_STATUS_OK);
  CHECK(kernel->execute(plan, 0.0, NULL, &mesh, &status) == DEBYE_STATUS_INVALID && mesh.positions == NULL);
  DebyeGrid other = grid;
  other.shape[1]++;
  CHECK(kernel->set_map(plan, &other, values, &status) == DEBYE_STATUS_INVALID);
  CHECK(kernel->set_map(plan, &grid, values, &status) == DEBYE_STATUS_OK);
  CHECK(kernel->execute(plan, 0.0, &cancel, &mesh, &status) == DEBYE_STATUS_CANCELLED);
  CHECK(mesh.positions == NULL && mesh.n_triangles == 0);
  check_levels(kernel, plan, &grid, values);
  kernel->head.destroy(plan);
  free(values);
}

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  (void)arguments;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    debye_check_subject("%s%s: %s", entry->info.id, how, cases[i].name);
    test_case(entry, &cases[i]);
  }
  debye_check_subject("%s%s: refusals", entry->info.id, how);
  test_refusals(entry);
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
