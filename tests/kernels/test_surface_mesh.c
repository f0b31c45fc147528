/* SPDX-License-Identifier: MIT */
/* Triangles of molecules' surfaces of every device: a sphere and the saddle of two by their formulas; clusters of atoms beside
 * the isosurface of depths that come from everything tried, in double; a ball of atoms as large as a protein.
 *
 * Depths are kept in float, of some Å, so a vertex is off by 1e-6 Å by the slope along its edge; by the curve of a sphere
 * between two points of the grid it is off by step² / 8R at most. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/isosurface/isosurface_host.h"
#include "kernels/registry.h"
#include "kernels/surface/surface_mesh.h"
#include "bodies/test_atoms.h"
#include "tests/support/ball_of_atoms.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_surface.h"

#define PI 3.14159265358979323846
#define FLOAT_ERROR 2e-5

typedef struct {
  const DebyeDeviceEntry *entry;
  DebyeKernelPlan *plan; /* for tiny molecules: all grow */
} Device;

static DebyeIsosurface
make(const Device *device, const DebyeSurfaceMeshTask *task)
{
  DebyeStatus status = {0};
  DebyeIsosurface mesh;
  const DebyeStatusCode code =
      device->entry->backend->surface_mesh->execute(device->plan, task, NULL, &mesh, &status);
  CHECK_THAT(code == DEBYE_STATUS_OK, "%s", status.text);
  return mesh;
}

static DebyeVec3
vector(const float *three)
{
  return debye_vec3((double)three[0], (double)three[1], (double)three[2]);
}

static double
volume_of(const DebyeIsosurface *mesh)
{
  double volume = 0.0;
  for (size_t t = 0; t < mesh->n_triangles; t++) {
    const uint32_t *corner = mesh->indices + 3 * t;
    const DebyeVec3 a = vector(mesh->positions + 3 * corner[0]), b = vector(mesh->positions + 3 * corner[1]);
    volume += debye_vec3_dot(a, debye_vec3_cross(b, vector(mesh->positions + 3 * corner[2]))) / 6.0;
  }
  return volume;
}

/* V − E + F of a closed one. */
static long
euler_of(const DebyeIsosurface *mesh)
{
  return (long)mesh->n_vertices - (long)(mesh->n_triangles * 3 / 2) + (long)mesh->n_triangles;
}

/* --- Closed forms --- */

static void
check_sphere(const Device *device, DebyeSurfaceKind kind, double probe, double step, double radius)
{
  Atoms atoms = {.n = 0};
  append(&atoms, 0.25, -0.5, 0.125, 2.0, 0.0);
  const DebyeSpheres spheres = spheres_of(&atoms);
  const DebyeSurfaceMeshTask task = debye_surface_task_about(&spheres, kind, probe, step);
  /* What a distance's second difference along an edge is at most, where the edge's farther end is. */
  const double error = step * step / 8.0 / (radius - step) + FLOAT_ERROR,
               whole = 4.0 / 3.0 * PI * radius * radius * radius;
  DebyeIsosurface mesh = make(device, &task);
  CHECK(mesh.n_vertices > 100 && euler_of(&mesh) == 2);
  for (size_t i = 0; i < mesh.n_vertices; i++) {
    const DebyeVec3 from = debye_vec3_subtract(vector(mesh.positions + 3 * i), debye_vec3(0.25, -0.5, 0.125));
    const double distance = debye_vec3_length(from);
    CHECK_AT_MOST(fabs(distance - radius), error);
    CHECK(debye_vec3_dot(from, vector(mesh.normals + 3 * i)) > 0.99 * distance);
  }
  const double volume = volume_of(&mesh);
  CHECK_THAT(volume < whole && volume > whole * (1.0 - 2.0 * step * step / (radius * radius)), "%g of %g Å³",
             volume, whole);
  debye_isosurface_clear(&mesh);
}

static void
test_sphere(const Device *device)
{
  static const struct {
    DebyeSurfaceKind kind;
    double probe, step, radius;
  } cases[] = {{DEBYE_SURFACE_EXCLUDED, 1.4, 0.45, 2.0},      {DEBYE_SURFACE_EXCLUDED, 1.4, 0.2, 2.0},
               {DEBYE_SURFACE_EXCLUDED, 0.5, 0.45, 2.0},      {DEBYE_SURFACE_EXCLUDED, 0.0, 0.3, 2.0},
               {DEBYE_SURFACE_VAN_DER_WAALS, 1.4, 0.45, 2.0}, {DEBYE_SURFACE_ACCESSIBLE, 1.4, 0.45, 3.4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_sphere(device, cases[i].kind, cases[i].probe, cases[i].step, cases[i].radius);
}

/* Two equal spheres at ±a on the x axis: between the lines from the probe to both the surface is the probe's, which goes round
 * on a circle; elsewhere it is a sphere's. */
static void
test_saddle(const Device *device)
{
  const double a = 1.8, radius = 1.5, probe = 1.4, step = 0.25;
  const double circle = sqrt((radius + probe) * (radius + probe) - a * a);
  Atoms atoms = {.n = 0};
  append(&atoms, -a, 0.0, 0.0, radius, 0.0);
  append(&atoms, a, 0.0, 0.0, radius, 0.0);
  const DebyeSpheres spheres = spheres_of(&atoms);
  const DebyeSurfaceMeshTask task = debye_surface_task_about(&spheres, DEBYE_SURFACE_EXCLUDED, probe, step);
  DebyeIsosurface mesh = make(device, &task);
  size_t n_saddle = 0;
  CHECK(euler_of(&mesh) == 2);
  for (size_t i = 0; i < mesh.n_vertices; i++) {
    const DebyeVec3 at = vector(mesh.positions + 3 * i), normal = vector(mesh.normals + 3 * i);
    const double across = hypot(at.y, at.z);
    const bool is_saddle = fabs(at.x) < a * (1.0 - across / circle);
    const double off =
        is_saddle ? hypot(across - circle, at.x) - probe : hypot(across, fabs(at.x) - a) - radius;
    CHECK_AT_MOST(fabs(off), step * step / 8.0 / (probe - step) + FLOAT_ERROR);
    if (!is_saddle || fabs(at.x) > 0.3 || !(across > 0.0))
      continue;
    /* Towards the probe. */
    const DebyeVec3 to =
        debye_vec3_subtract(debye_vec3(0.0, circle * at.y / across, circle * at.z / across), at);
    CHECK(debye_vec3_dot(to, normal) > 0.99 * debye_vec3_length(to));
    n_saddle++;
  }
  CHECK(n_saddle > 50);
  debye_isosurface_clear(&mesh);
}

/* --- Beside everything tried --- */

/* Of a union of spheres, that much larger. */
static double
union_depth(const DebyeSpheres *spheres, double more, DebyeVec3 at)
{
  double depth = -INFINITY;
  for (size_t i = 0; i < spheres->n; i++)
    depth = fmax(depth, (double)spheres->radius[i] + more -
                            debye_vec3_length(debye_vec3_subtract(at, debye_sphere_center(spheres, i))));
  return depth;
}

static float
exact_depth(const DebyeSurfaceMeshTask *task, DebyeVec3 at)
{
  const DebyeSpheres *spheres = &task->spheres;
  double depth = union_depth(spheres, task->kind == DEBYE_SURFACE_ACCESSIBLE ? task->probe : 0.0, at);
  if (task->kind == DEBYE_SURFACE_EXCLUDED && task->probe > 0.0) {
    depth = debye_oracle_probe_distance(spheres, task->probe, at) - task->probe;
    depth = fmin(fmax(depth, -task->band), task->band);
    if (task->band > task->probe)
      depth += fmin(union_depth(spheres, task->probe, at), 0.0);
  }
  return (float)fmin(fmax(depth, -task->band), task->band);
}

static DebyeIsosurface
make_exact(const DebyeSurfaceMeshTask *task)
{
  const size_t *n = task->grid.shape;
  float *depths = malloc(n[0] * n[1] * n[2] * sizeof *depths);
  const DebyeIsosurfaceWay alone = {.n_slabs = 1};
  DebyeIsosurface mesh;
  for (size_t k = 0, i = 0; k < n[2]; k++)
    for (size_t j = 0; j < n[1]; j++)
      for (size_t x = 0; x < n[0]; x++)
        depths[i++] = exact_depth(task, debye_vec3(task->grid.origin.x + (double)x * task->grid.step[0].x,
                                                   task->grid.origin.y + (double)j * task->grid.step[1].y,
                                                   task->grid.origin.z + (double)k * task->grid.step[2].z));
  CHECK(debye_isosurface_make(&task->grid, depths, 0.0, &alone, &mesh));
  free(depths);
  return mesh;
}

/* Two of the same corners: where a surface only grazes an edge rounding moves its vertex most. */
static void
compare(const DebyeIsosurface *mesh, const DebyeIsosurface *expected)
{
  const bool is_as_large =
      mesh->n_vertices == expected->n_vertices && mesh->n_triangles == expected->n_triangles;
  CHECK_THAT(is_as_large, "%zu vertices, %zu triangles instead of %zu and %zu", mesh->n_vertices,
             mesh->n_triangles, expected->n_vertices, expected->n_triangles);
  if (!is_as_large)
    return;
  CHECK(memcmp(mesh->indices, expected->indices, 3 * expected->n_triangles * sizeof(uint32_t)) == 0);
  for (size_t i = 0; i < mesh->n_vertices; i++) {
    CHECK_AT_MOST(debye_vec3_length(debye_vec3_subtract(vector(mesh->positions + 3 * i),
                                                        vector(expected->positions + 3 * i))),
                  2e-4);
    CHECK_AT_MOST(debye_vec3_length(
                      debye_vec3_subtract(vector(mesh->normals + 3 * i), vector(expected->normals + 3 * i))),
                  2e-3);
  }
}

/* Atoms as near to each other as in a molecule, one within another, two the same. */
static Atoms
make_cluster(unsigned seed, size_t n, double edge)
{
  Atoms atoms = {.n = 0};
  srand(seed);
  while (atoms.n < n) {
    double at[3];
    for (int axis = 0; axis < 3; axis++)
      at[axis] = edge * ((double)rand() / RAND_MAX - 0.5);
    append(&atoms, at[0], at[1], at[2], atoms.n == 3 ? 0.2 : 1.0 + 0.25 * (double)(atoms.n % 4), 0.0);
  }
  atoms.x[n - 1] = atoms.x[0];
  atoms.y[n - 1] = atoms.y[0];
  atoms.z[n - 1] = atoms.z[0];
  atoms.radius[n - 1] = atoms.radius[0];
  return atoms;
}

static void
test_clusters(const Device *device)
{
  static const struct {
    DebyeSurfaceKind kind;
    double probe, step;
  } cases[] = {{DEBYE_SURFACE_EXCLUDED, 1.4, 0.5},
               {DEBYE_SURFACE_EXCLUDED, 0.7, 0.55},
               {DEBYE_SURFACE_VAN_DER_WAALS, 1.4, 0.5},
               {DEBYE_SURFACE_ACCESSIBLE, 1.4, 0.6}};
  for (unsigned seed = 1; seed <= 3; seed++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      const Atoms atoms = make_cluster(seed, 8 + 2 * seed, 4.0 + 0.5 * seed);
      const DebyeSpheres spheres = spheres_of(&atoms);
      const DebyeSurfaceMeshTask task =
          debye_surface_task_about(&spheres, cases[i].kind, cases[i].probe, cases[i].step);
      DebyeIsosurface mesh = make(device, &task), expected = make_exact(&task);
      CHECK(expected.n_triangles > 500);
      compare(&mesh, &expected);
      debye_isosurface_clear(&mesh);
      debye_isosurface_clear(&expected);
    }
}

/* --- As large as a protein --- */

/* Beside the processor's, whose depths are double: a point that rounding puts on the other side is one in many. */
static void
test_ball(const Device *device)
{
  DebyeAtomBall ball = debye_atom_ball_new(1500, 5);
  DebyeStatus status;
  for (int round = 0; round < 3; round++) {
    const size_t n = round == 1 ? 100 : 1500;
    const DebyeSpheres spheres = {ball.spheres.x, ball.spheres.y, ball.spheres.z, ball.spheres.radius, n};
    const DebyeSurfaceMeshTask task = debye_surface_task_about(&spheres, DEBYE_SURFACE_EXCLUDED, 1.4, 0.6);
    const DebyeSurfaceMeshSettings settings = {n,
                                               {task.grid.shape[0], task.grid.shape[1], task.grid.shape[2]}};
    const DebyeSurfaceMeshKernel *kernel = debye_backend_cpu.surface_mesh;
    DebyeKernelPlan *plan = NULL;
    DebyeIsosurface expected, mesh = make(device, &task);
    CHECK(kernel->head.create(0, &settings, &plan, &status) == DEBYE_STATUS_OK);
    CHECK(kernel->execute(plan, &task, NULL, &expected, &status) == DEBYE_STATUS_OK);
    CHECK(mesh.n_triangles > 1000 && euler_of(&mesh) % 2 == 0);
    CHECK_AT_MOST(fabs((double)mesh.n_triangles / (double)expected.n_triangles - 1.0), 1e-3);
    CHECK_AT_MOST(fabs(volume_of(&mesh) / volume_of(&expected) - 1.0), 1e-5);
    debye_isosurface_clear(&mesh);
    debye_isosurface_clear(&expected);
    kernel->head.destroy(plan);
  }
  debye_atom_ball_clear(&ball);
}

/* --- Refusals --- */

static void
refuse(const Device *device, const DebyeSurfaceMeshTask *task, const volatile bool *cancel,
       DebyeStatusCode expected)
{
  DebyeStatus status = {0};
  DebyeIsosurface mesh;
  const DebyeStatusCode code =
      device->entry->backend->surface_mesh->execute(device->plan, task, cancel, &mesh, &status);
  CHECK_THAT(code == expected, "%d: %s", (int)code, status.text);
  CHECK(mesh.positions == NULL && mesh.normals == NULL && mesh.indices == NULL && mesh.n_triangles == 0);
}

static void
test_refusals(const Device *device)
{
  const DebyeSurfaceMeshKernel *kernel = device->entry->backend->surface_mesh;
  const DebyeSurfaceMeshSettings none = {5, {4, 0, 4}}, many = {5, {1 << 10, 1 << 10, 1 << 10}};
  const volatile bool cancel = true;
  Atoms atoms = {.n = 0};
  append(&atoms, 0.0, 0.0, 0.0, 1.5, 0.0);
  const DebyeSpheres spheres = spheres_of(&atoms);
  const DebyeSurfaceMeshTask good = debye_surface_task_about(&spheres, DEBYE_SURFACE_EXCLUDED, 1.4, 0.4);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status;
  CHECK(kernel->head.create(device->entry->device, &none, &plan, &status) == DEBYE_STATUS_INVALID);
  CHECK(kernel->head.create(device->entry->device, &many, &plan, &status) == DEBYE_STATUS_UNSUPPORTED);
  DebyeSurfaceMeshTask task = good;
  task.grid.step[1].x = 0.1;
  refuse(device, &task, NULL, DEBYE_STATUS_INVALID);
  task = good;
  task.band = 0.0;
  refuse(device, &task, NULL, DEBYE_STATUS_INVALID);
  task = good;
  task.probe = NAN;
  refuse(device, &task, NULL, DEBYE_STATUS_INVALID);
  refuse(device, &good, &cancel, DEBYE_STATUS_CANCELLED);
  task = good;
  task.spheres.n = 0;
  refuse(device, &task, NULL, DEBYE_STATUS_OK);
  DebyeIsosurface mesh = make(device, &good);
  CHECK(euler_of(&mesh) == 2);
  debye_isosurface_clear(&mesh);
}

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  static const struct {
    const char *name;
    void (*test)(const Device *device);
  } bodies[] = {{"sphere", test_sphere},
                {"saddle", test_saddle},
                {"clusters", test_clusters},
                {"ball", test_ball},
                {"refusals", test_refusals}};
  const DebyeSurfaceMeshSettings tiny = {1, {8, 8, 8}};
  const DebyeSurfaceMeshKernel *kernel = entry->backend->surface_mesh;
  Device device = {entry, NULL};
  DebyeStatus status;
  CHECK_THAT(kernel->head.create(entry->device, &tiny, &device.plan, &status) == DEBYE_STATUS_OK, "%s",
             status.text);
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies && device.plan != NULL; i++) {
    debye_check_subject("%s%s: %s", entry->info.id, how, bodies[i].name);
    if (debye_test_is_asked(bodies[i].name, arguments))
      bodies[i].test(&device);
  }
  kernel->head.destroy(device.plan);
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
