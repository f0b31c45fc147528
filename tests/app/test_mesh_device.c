/* SPDX-License-Identifier: MIT */
/* Surfaces of maps and molecules by a device that is lent, one that computes on the CPU and fails on command: it is asked when it is known,
 * keeps the map, and what it fails at the processors do, with the same mesh. */
#include "app/scene/mesh_device.h"
#include "app/scene/surface_depths.h"

#include <glib.h>

#include "kernels/cpu/backend_cpu.h"
#include "render/mesh/marching_cubes.h"
#include "tests/support/ball_of_atoms.h"
#include "tests/support/fake_backend.h"

#define LARGE 100
#define SMALL 40
#define WAIT_SECONDS 60
#define MANY_ATOMS 400
#define FEW_ATOMS 40

static DebyeField *
make_field(gsize n, double shift)
{
  const double h = 4.0 / (double)n;
  const DebyeGrid grid = {.step = {{h, 0, 0}, {0, h, 0}, {0, 0, h}}, .shape = {n, n, n}};
  float *values = g_new(float, n *n *n);
  for (gsize i = 0; i < n * n * n; i++) {
    const DebyeVec3 p = debye_grid_point(&grid, (double)(i % n), (double)(i / n % n), (double)(i / n / n));
    values[i] = (float)(sin(2.0 * p.x) * cos(3.0 * p.y + shift) + 0.3 * p.z);
  }
  return debye_field_new_take("map", &grid, values, "");
}

static DebyeRegistry *
make_registry(void)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_registry_add(registry, &debye_fake_backend);
  return registry;
}

static const DebyeRegistry *
get_registry(gpointer registry)
{
  return registry;
}

/* The mesh as the processors make it. */
static void
check(DebyeField *field, double level)
{
  g_autoptr(DebyeMesh) mesh = debye_marching_cubes_of_field(field, level, NULL);
  g_autoptr(DebyeMesh) expected =
      debye_marching_cubes(debye_field_get_grid(field), debye_field_get_values(field), level, NULL);
  g_assert_cmpuint(expected->n_triangles, >, 1000);
  g_assert_cmpmem(mesh->positions, 12 * mesh->n_vertices, expected->positions, 12 * expected->n_vertices);
  g_assert_cmpmem(mesh->normals, 12 * mesh->n_vertices, expected->normals, 12 * expected->n_vertices);
  g_assert_cmpmem(mesh->indices, 12 * mesh->n_triangles, expected->indices, 12 * expected->n_triangles);
}

/* Makes meshes until the device has made one: another thread looks for it meanwhile. */
static void
wait_for_device(DebyeField *field)
{
  const gint64 end = g_get_monotonic_time() + WAIT_SECONDS * G_USEC_PER_SEC;
  while (atomic_load(&debye_fake_device(0)->n_executed) == 0 && g_get_monotonic_time() < end) {
    check(field, 0.5);
    g_thread_yield();
  }
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), >, 0);
}

static void
test_large_maps(void)
{
  g_autoptr(DebyeField) field = make_field(LARGE, 0.0), second = make_field(LARGE, 1.0);
  g_autoptr(DebyeField) small = make_field(SMALL, 0.0);
  debye_fake_reset(1);
  DebyeRegistry *registry = make_registry();
  debye_mesh_device_lend(get_registry, registry, "auto");
  wait_for_device(field);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 1);
  check(field, 0.7);
  check(second, 0.7);
  check(field, -0.2);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 4);
  check(small, 0.7);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 4);
  debye_mesh_device_end();
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 0);
  check(field, 0.7);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 4);
  debye_registry_free(registry);
}

/* A map that has gone isn't taken for one in its place. */
static void
test_next_map(void)
{
  debye_fake_reset(1);
  DebyeRegistry *registry = make_registry();
  debye_mesh_device_lend(get_registry, registry, "auto");
  for (int i = 0; i < 6; i++) {
    g_autoptr(DebyeField) field = make_field(LARGE, (double)i);
    if (i == 0)
      wait_for_device(field);
    check(field, 0.4);
  }
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 7);
  debye_mesh_device_end();
  debye_registry_free(registry);
}

static void
test_failures(void)
{
  g_autoptr(DebyeField) field = make_field(LARGE, 0.0);
  debye_fake_reset(1);
  debye_fake_device(0)->fail_at = 2;
  DebyeRegistry *registry = make_registry();
  debye_mesh_device_lend(get_registry, registry, "auto");
  wait_for_device(field);
  check(field, 0.7);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 2);
  /* It isn't asked again. */
  check(field, 0.7);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 2);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 0);
  debye_mesh_device_end();
  debye_registry_free(registry);
}

/* The device is asked how much memory the map needs, and has too little. */
static void
test_no_memory(void)
{
  g_autoptr(DebyeField) field = make_field(LARGE, 0.0);
  debye_fake_reset(1);
  debye_fake_device(0)->bytes = (guint64)1 << 28;
  DebyeRegistry *registry = make_registry();
  debye_mesh_device_lend(get_registry, registry, "auto");
  const gint64 end = g_get_monotonic_time() + WAIT_SECONDS * G_USEC_PER_SEC;
  while (atomic_load(&debye_fake_device(0)->n_asked) == 0 && g_get_monotonic_time() < end)
    check(field, 0.7);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_asked), >, 0);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_woken), ==, 1);
  debye_mesh_device_end();
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 0);
  debye_registry_free(registry);
}

/* The choice leaves the CPU alone, which needs no device. The end waits for the thread that looks for one. */
static void
test_cpu(void)
{
  g_autoptr(DebyeField) field = make_field(LARGE, 0.0);
  debye_fake_reset(1);
  DebyeRegistry *registry = make_registry();
  debye_mesh_device_lend(get_registry, registry, "cpu");
  check(field, 0.7);
  debye_mesh_device_end();
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_woken), ==, 0);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_asked), ==, 0);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, 0);
  debye_registry_free(registry);
}

static gpointer
mesh_again_and_again(gpointer field)
{
  for (int i = 0; i < 20; i++)
    check(field, 0.7);
  return NULL;
}

/* The choice changes, as a preference does, while another thread makes meshes. The last one counts. */
static void
test_lent_again(void)
{
  g_autoptr(DebyeField) field = make_field(LARGE, 0.0);
  debye_fake_reset(1);
  DebyeRegistry *registry = make_registry();
  GThread *thread = g_thread_new("meshes", mesh_again_and_again, field);
  for (int i = 0; i < 20; i++) {
    debye_mesh_device_lend(get_registry, registry, i % 2 == 0 ? "auto" : "cpu");
    check(field, 0.5);
  }
  g_thread_join(thread);
  const guint n_before = atomic_load(&debye_fake_device(0)->n_executed);
  check(field, 0.5);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_executed), ==, n_before);
  debye_mesh_device_lend(get_registry, registry, "auto");
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 0);
  atomic_store(&debye_fake_device(0)->n_executed, 0);
  wait_for_device(field);
  debye_mesh_device_end();
  debye_registry_free(registry);
}

/* The first so many atoms of a ball. */
static DebyeMesh *
make_molecule(const DebyeAtomBall *ball, gsize n_atoms, DebyeMeshSurface kind)
{
  g_autofree guint32 *numbers = g_new(guint32, n_atoms);
  for (gsize i = 0; i < n_atoms; i++)
    numbers[i] = (guint32)i;
  const DebyeSpheres *spheres = &ball->spheres;
  const DebyeSurfaceAtoms atoms = {n_atoms,         spheres->x, spheres->y, spheres->z,
                                   spheres->radius, numbers,    1.6,        0.0};
  return debye_sphere_surface_new(&atoms, kind, 1.4, (gsize)1 << 20, NULL);
}

static void
check_molecule(const DebyeAtomBall *ball, gsize n_atoms, DebyeMeshSurface kind, const DebyeMesh *expected)
{
  g_autoptr(DebyeMesh) mesh = make_molecule(ball, n_atoms, kind);
  g_assert_cmpuint(mesh->n_triangles, >, 500);
  g_assert_cmpmem(mesh->positions, 12 * mesh->n_vertices, expected->positions, 12 * expected->n_vertices);
  g_assert_cmpmem(mesh->normals, 12 * mesh->n_vertices, expected->normals, 12 * expected->n_vertices);
  g_assert_cmpmem(mesh->indices, 12 * mesh->n_triangles, expected->indices, 12 * expected->n_triangles);
  g_assert_cmpmem(mesh->atoms, 4 * mesh->n_vertices, expected->atoms, 4 * expected->n_vertices);
}

static void
test_molecules(void)
{
  static const DebyeMeshSurface kinds[] = {DEBYE_MESH_SURFACE_EXCLUDED, DEBYE_MESH_SURFACE_VAN_DER_WAALS,
                                           DEBYE_MESH_SURFACE_ACCESSIBLE};
  DebyeAtomBall ball = debye_atom_ball_new(MANY_ATOMS, 3);
  DebyeMesh *expected[G_N_ELEMENTS(kinds)], *few = make_molecule(&ball, FEW_ATOMS, kinds[0]);
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    expected[i] = make_molecule(&ball, MANY_ATOMS, kinds[i]);
  debye_fake_reset(1);
  debye_fake_device(0)->fail_at = 5;
  DebyeRegistry *registry = make_registry();
  atomic_uint *n_executed = &debye_fake_device(0)->n_executed;
  debye_mesh_device_lend(get_registry, registry, "auto");
  const gint64 end = g_get_monotonic_time() + WAIT_SECONDS * G_USEC_PER_SEC;
  while (atomic_load(n_executed) == 0 && g_get_monotonic_time() < end)
    check_molecule(&ball, MANY_ATOMS, kinds[0], expected[0]);
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    check_molecule(&ball, MANY_ATOMS, kinds[i], expected[i]);
  g_assert_cmpuint(atomic_load(n_executed), ==, 4);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 1);
  check_molecule(&ball, FEW_ATOMS, kinds[0], few);
  g_assert_cmpuint(atomic_load(n_executed), ==, 4);
  /* The next one fails, and the device isn't asked again. */
  for (int i = 0; i < 2; i++)
    check_molecule(&ball, MANY_ATOMS, kinds[0], expected[0]);
  g_assert_cmpuint(atomic_load(n_executed), ==, 5);
  g_assert_cmpuint(atomic_load(&debye_fake_device(0)->n_plans), ==, 0);
  debye_mesh_device_end();
  debye_registry_free(registry);
  for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
    debye_mesh_free(expected[i]);
  debye_mesh_free(few);
  debye_atom_ball_clear(&ball);
}

static gint n_found;

static const DebyeRegistry *
find_registry(gpointer registry)
{
  g_atomic_int_inc(&n_found);
  return registry;
}

/* A device is looked for when surfaces have come to more points than a start is worth: not with the first. */
static void
test_patience(void)
{
  DebyeAtomBall ball = debye_atom_ball_new(MANY_ATOMS, 3);
  DebyeMesh *expected = make_molecule(&ball, MANY_ATOMS, DEBYE_MESH_SURFACE_EXCLUDED);
  debye_fake_reset(1);
  DebyeRegistry *registry = make_registry();
  atomic_uint *n_executed = &debye_fake_device(0)->n_executed;
  debye_mesh_device_lend(find_registry, registry, "auto");
  /* A grid has at most 2²⁰ points. */
  debye_mesh_device_set_patience((gsize)3 << 20);
  for (int i = 0; i < 3; i++)
    check_molecule(&ball, MANY_ATOMS, DEBYE_MESH_SURFACE_EXCLUDED, expected);
  g_assert_cmpint(g_atomic_int_get(&n_found), ==, 0);
  const gint64 end = g_get_monotonic_time() + WAIT_SECONDS * G_USEC_PER_SEC;
  while (atomic_load(n_executed) == 0 && g_get_monotonic_time() < end)
    check_molecule(&ball, MANY_ATOMS, DEBYE_MESH_SURFACE_EXCLUDED, expected);
  g_assert_cmpuint(atomic_load(n_executed), ==, 1);
  g_assert_cmpint(g_atomic_int_get(&n_found), ==, 1);
  debye_mesh_device_end();
  debye_registry_free(registry);
  debye_mesh_free(expected);
  debye_atom_ball_clear(&ball);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  debye_surface_depths_lend();
  g_test_add_func("/mesh-device/large-maps", test_large_maps);
  g_test_add_func("/mesh-device/next-map", test_next_map);
  g_test_add_func("/mesh-device/failures", test_failures);
  g_test_add_func("/mesh-device/no-memory", test_no_memory);
  g_test_add_func("/mesh-device/cpu", test_cpu);
  g_test_add_func("/mesh-device/lent-again", test_lent_again);
  g_test_add_func("/mesh-device/molecules", test_molecules);
  g_test_add_func("/mesh-device/patience", test_patience);
  return g_test_run();
}
