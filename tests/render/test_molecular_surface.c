/* SPDX-License-Identifier: MIT */
/* Surfaces of few atoms are known in closed form; of many, what must hold of any. */
#include <string.h>

#include "app/scene/surface_depths.h"
#include "data/molecule/topology.h"
#include "render/mesh/sphere_surface.h"
#include "render/mesh/molecular_surface.h"
#include "render/layers/molecular_surface_layer.h"

#define MAX_POINTS ((gsize)1 << 24)

static const guint32 numbers[] = {0, 1, 2, 3};

static DebyeVec3
vertex(const DebyeMesh *mesh, gsize i)
{
  const float *p = mesh->positions + 3 * i;
  return debye_vec3((double)p[0], (double)p[1], (double)p[2]);
}

/* Each edge is in two triangles, once in each direction. */
static void
check_closed(const DebyeMesh *mesh)
{
  g_autoptr(GHashTable) edges = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  for (gsize t = 0; t < mesh->n_triangles; t++)
    for (gsize k = 0; k < 3; k++) {
      guint64 a = mesh->indices[3 * t + k], b = mesh->indices[3 * t + (k + 1) % 3];
      gint64 there = (gint64)(a << 32 | b), back = (gint64)(b << 32 | a);
      if (!g_hash_table_remove(edges, &back))
        g_assert_true(g_hash_table_add(edges, g_memdup2(&there, sizeof there)));
    }
  g_assert_cmpuint(g_hash_table_size(edges), ==, 0);
}

static double
volume_of(const DebyeMesh *mesh)
{
  double volume = 0.0;
  for (gsize t = 0; t < mesh->n_triangles; t++)
    volume += debye_vec3_dot(vertex(mesh, mesh->indices[3 * t]),
                             debye_vec3_cross(vertex(mesh, mesh->indices[3 * t + 1]),
                                              vertex(mesh, mesh->indices[3 * t + 2]))) /
              6.0;
  return volume;
}

/* A sphere of the atom's radius at every resolution. Linear interpolation of a Gaussian errs by
 * h² f'' / (8 f') = h² (R/σ² − 1/R) / 8 where it is crossed, h = 0.6 σ and 1 Å at most: 0.08 Å for these. */
static void
test_one_atom(void)
{
  const float x[] = {1.0f}, y[] = {-2.0f}, z[] = {0.5f}, radii[] = {1.7f};
  static const double resolutions[] = {0.5, 0.9, 1.5, 3.0};
  for (gsize r = 0; r < G_N_ELEMENTS(resolutions); r++) {
    DebyeSurfaceAtoms atoms = {1, x, y, z, radii, numbers, resolutions[r], 0.0};
    g_autoptr(DebyeMesh) mesh = debye_molecular_surface_new(&atoms, MAX_POINTS, NULL);
    check_closed(mesh);
    for (gsize i = 0; i < mesh->n_vertices; i++) {
      DebyeVec3 from = debye_vec3_subtract(vertex(mesh, i), debye_vec3(1.0, -2.0, 0.5));
      const float *n = mesh->normals + 3 * i;
      g_assert_cmpfloat_with_epsilon(debye_vec3_length(from), 1.7, 0.1);
      double along = debye_vec3_dot(from, debye_vec3((double)n[0], (double)n[1], (double)n[2]));
      g_assert_cmpfloat(along, >, 0.9 * debye_vec3_length(from));
    }
    double sphere = 4.0 / 3.0 * G_PI * 1.7 * 1.7 * 1.7;
    /* Chords cut off up to (h / 2R)² of the radius, three times that of the volume. */
    g_assert_cmpfloat(volume_of(mesh), <, 1.05 * sphere);
    g_assert_cmpfloat(volume_of(mesh), >, sphere * (resolutions[r] < 1.0 ? 0.9 : 0.75));
  }
}

/* Between two atoms 2a apart the neck's radius is known from exp(−((x − a)² + r² − R²) / 2σ²) and its mirror
 * image, which add up to 1. */
static void
test_neck(void)
{
  const double a = 1.4, radius = 1.6, sigma = 0.8, square = 2.0 * sigma * sigma;
  const float x[] = {-1.4f, 1.4f}, y[] = {0.0f, 0.0f}, z[] = {0.0f, 0.0f}, radii[] = {1.6f, 1.6f};
  DebyeSurfaceAtoms atoms = {2, x, y, z, radii, numbers, sigma, 0.0};
  g_autoptr(DebyeMesh) mesh = debye_molecular_surface_new(&atoms, MAX_POINTS, NULL);
  gsize n_near = 0;
  check_closed(mesh);
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    DebyeVec3 p = vertex(mesh, i);
    if (fabs(p.x) > 1.0)
      continue;
    double sum = exp(-(p.x - a) * (p.x - a) / square) + exp(-(p.x + a) * (p.x + a) / square);
    double expected = sqrt(radius * radius + square * log(sum));
    g_assert_cmpfloat_with_epsilon(hypot(p.y, p.z), expected, 0.06);
    g_assert_cmpuint(mesh->atoms[i], ==, p.x > 0.0 ? 1 : 0);
    n_near++;
  }
  g_assert_cmpuint(n_near, >, 20);
}

/* Apart, they are two spheres; an atom that is far away changes nothing. */
static void
test_apart(void)
{
  const float x[] = {0.0f, 9.0f}, y[] = {0.0f, 0.0f}, z[] = {0.0f, 30.0f}, radii[] = {1.5f, 2.0f};
  DebyeSurfaceAtoms both = {2, x, y, z, radii, numbers, 0.6, 0.0};
  g_autoptr(DebyeMesh) mesh = debye_molecular_surface_new(&both, MAX_POINTS, NULL);
  check_closed(mesh);
  double expected = 4.0 / 3.0 * G_PI * (1.5 * 1.5 * 1.5 + 8.0);
  g_assert_cmpfloat_with_epsilon(volume_of(mesh), expected, 0.05 * expected);
  /* Too few points for the resolution: coarser, and there all the same. */
  g_autoptr(DebyeMesh) coarse = debye_molecular_surface_new(&both, 20000, NULL);
  check_closed(coarse);
  g_assert_cmpuint(coarse->n_vertices, <, mesh->n_vertices);
  g_assert_cmpuint(coarse->n_vertices, >, 0);
}

static void
test_nothing(void)
{
  DebyeSurfaceAtoms none = {.resolution = 1.0};
  g_autoptr(DebyeMesh) mesh = debye_molecular_surface_new(&none, MAX_POINTS, NULL);
  g_assert_cmpuint(mesh->n_triangles, ==, 0);
  g_autoptr(GCancellable) cancelled = g_cancellable_new();
  g_cancellable_cancel(cancelled);
  const float zero[] = {0.0f}, radii[] = {1.5f};
  DebyeSurfaceAtoms one = {1, zero, zero, zero, radii, numbers, 1.0, 0.0};
  g_assert_null(debye_molecular_surface_new(&one, MAX_POINTS, cancelled));
}

/* A hundred thousand atoms at a protein's density, in one closed surface; the time is said. */
static void
test_many(void)
{
  enum { SIDE = 46 };
  const gsize n = 100000;
  g_autofree float *columns = g_new(float, 4 * n);
  g_autofree guint32 *names = g_new(guint32, n);
  float *x = columns, *y = x + n, *z = y + n, *radii = z + n;
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  gsize kept = 0;
  for (int i = 0; kept < n; i++) {
    float p[3] = {(float)(i % (SIDE + 12)), (float)(i / (SIDE + 12) % (SIDE + 12)),
                  (float)(i / ((SIDE + 12) * (SIDE + 12)))};
    x[kept] = 2.15f * p[0] + (float)g_rand_double_range(random, -0.3, 0.3);
    y[kept] = 2.15f * p[1] + (float)g_rand_double_range(random, -0.3, 0.3);
    z[kept] = 2.15f * p[2] + (float)g_rand_double_range(random, -0.3, 0.3);
    radii[kept] = kept % 2 ? 1.1f : 1.7f;
    names[kept] = (guint32)kept;
    kept++;
  }
  DebyeSurfaceAtoms atoms = {n, x, y, z, radii, names, 0.9, 0.0};
  gint64 start = g_get_monotonic_time();
  g_autoptr(DebyeMesh) mesh = debye_molecular_surface_new(&atoms, (gsize)1 << 26, NULL);
  g_test_message("%zu atoms: %.0f ms, %zu triangles", n, (double)(g_get_monotonic_time() - start) / 1000.0,
                 mesh->n_triangles);
  check_closed(mesh);
  g_assert_cmpfloat(volume_of(mesh), >, 0.9 * 2.15 * 2.15 * 2.15 * (double)n);
  for (gsize i = 0; i < mesh->n_vertices; i += 97) {
    guint32 atom = mesh->atoms[i];
    DebyeVec3 centre = debye_vec3((double)x[atom], (double)y[atom], (double)z[atom]);
    /* The vertex lies near its atom: the sum of the others lifts it by 1.5 Å at most. */
    g_assert_cmpfloat(debye_vec3_length(debye_vec3_subtract(vertex(mesh, i), centre)), <,
                      (double)radii[atom] + 1.5);
  }
}

/* The layer: chosen atoms only, those that stand nowhere or don't exist left out. */
static void
test_layer(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 4; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = atom.element = i == 3 ? "O" : "C";
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) frame = debye_frame_new(4);
  for (gsize i = 0; i < 4; i++) {
    frame->x[i] = 10.0f * (float)i;
    frame->y[i] = frame->z[i] = 0.0f;
  }
  frame->x[1] = NAN;
  g_autoptr(DebyeMolecularSurfaceLayer) layer = debye_molecular_surface_layer_new(topology);
  DebyeMoleculeMeshLayer *base = DEBYE_MOLECULE_MESH_LAYER(layer);
  debye_layer_choose(DEBYE_LAYER(base), NULL, (const guint32[]){1, 2, 3, 4}, 4);
  debye_layer_show_frame(DEBYE_LAYER(base), frame);
  debye_layer_settle(DEBYE_LAYER(layer));
  DebyeVec3 low, high;
  g_assert_true(debye_layer_get_bounds(DEBYE_LAYER(layer), &low, &high));
  g_assert_cmpfloat(low.x, >, 17.0);
  g_assert_cmpfloat(high.x, <, 33.0);
  g_assert_cmpuint(debye_shown_atoms_get(debye_layer_get_shown(DEBYE_LAYER(base))).n_atoms, ==, 3);
  /* Hidden, it waits with the next frame; seen again, it has it. */
  g_autoptr(DebyeFrame) moved = debye_frame_copy(frame);
  moved->x[2] = 100.0f;
  debye_layer_set_visible(DEBYE_LAYER(layer), FALSE);
  debye_layer_show_frame(DEBYE_LAYER(base), moved);
  debye_layer_settle(DEBYE_LAYER(layer));
  g_assert_true(debye_layer_get_bounds(DEBYE_LAYER(layer), &low, &high));
  g_assert_cmpfloat(high.x, <, 33.0);
  debye_layer_set_visible(DEBYE_LAYER(layer), TRUE);
  debye_layer_settle(DEBYE_LAYER(layer));
  g_assert_true(debye_layer_get_bounds(DEBYE_LAYER(layer), &low, &high));
  g_assert_cmpfloat(high.x, >, 100.0);
}

static double
half_plane(DebyeVec3 p)
{
  return 2.0 * p.x + 0.5 * p.y - p.z;
}

/* Coloured by a map on a skew grid: trilinear values of a linear function are exact; where there is no map
 * there is no value; limits are symmetric. */
static void
test_colored_by_map(void)
{
  const DebyeGrid grid = {.origin = {-6.0, -6.0, -6.0},
                          .step = {{1, 0.2, 0}, {0.3, 1.1, 0}, {0, 0.1, 0.9}},
                          .shape = {9, 13, 15}};
  gsize n = debye_grid_n_points(&grid);
  float *values = g_new(float, n);
  for (gsize i = 0; i < n; i++) {
    gsize nx = grid.shape[0], ny = grid.shape[1];
    values[i] = (float)half_plane(
        debye_grid_point(&grid, (double)(i % nx), (double)(i / nx % ny), (double)(i / (nx * ny))));
  }
  g_autoptr(DebyeField) field = debye_field_new_take("potential", &grid, values, "kT/e");
  const float zero[] = {0.0f}, radii[] = {3.0f};
  DebyeSurfaceAtoms atom = {1, zero, zero, zero, radii, numbers, 1.0, 0.0};
  g_autoptr(DebyeMesh) mesh = debye_molecular_surface_new(&atom, MAX_POINTS, NULL);
  debye_mesh_sample(mesh, field, 0.0);
  gsize n_within = 0;
  for (gsize i = 0; i < mesh->n_vertices; i++)
    if (mesh->values[i] < DEBYE_MESH_NO_VALUE) {
      g_assert_cmpfloat_with_epsilon((double)mesh->values[i], half_plane(vertex(mesh, i)), 1e-4);
      n_within++;
    }
  g_assert_cmpuint(n_within, >, mesh->n_vertices / 4);
  g_assert_cmpuint(n_within, <, mesh->n_vertices);
}

/* The potential of a charge falls off as 1/r: 1.4 Å outside a sphere of 2 Å the map is read at 3.4 Å, all around. */
static void
test_map_is_read_outside(void)
{
  enum { N = 61 };
  const double step = 0.2, low = -0.5 * (N - 1) * step;
  const DebyeGrid grid = {
      .origin = {low, low, low}, .step = {{step, 0, 0}, {0, step, 0}, {0, 0, step}}, .shape = {N, N, N}};
  float *values = g_new(float, (gsize)N *N *N);
  for (gsize i = 0; i < (gsize)N * N * N; i++) {
    const DebyeVec3 point =
        debye_grid_point(&grid, (double)(i % N), (double)(i / N % N), (double)(i / (N * N)));
    values[i] = (float)(1.0 / fmax(debye_vec3_length(point), 0.5));
  }
  g_autoptr(DebyeField) field = debye_field_new_take("potential", &grid, values, "e/A");
  const float zero[] = {0.0f}, radii[] = {2.0f};
  DebyeSurfaceAtoms atom = {1, zero, zero, zero, radii, numbers, 0.4, 0.0};
  g_autoptr(DebyeMesh) mesh =
      debye_sphere_surface_new(&atom, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, MAX_POINTS, NULL);
  debye_mesh_sample(mesh, field, 1.4);
  for (gsize i = 0; i < mesh->n_vertices; i++)
    /* Trilinear between points 0.2 Å apart errs by h² / 4 r³, and the surface by 0.02 Å, which is 0.6 % of r. */
    g_assert_cmpfloat_with_epsilon((double)mesh->values[i], 1.0 / 3.4, 0.006 / 3.4 + 0.0003);
  debye_mesh_sample(mesh, field, 0.0);
  g_assert_cmpfloat_with_epsilon((double)mesh->values[0], 1.0 / 2.0, 0.01);
}

/* --- Solvent-excluded --- */

/* A lone atom's surface is a sphere. Depths are exact; where an edge of length h crosses, a straight line between its
 * ends' depths errs by h² / 8 R at most. A body as small as that has a grid of a quarter of the resolution. */
static void
check_sphere(DebyeMeshSurface kind, double probe, double radius)
{
  const float x[] = {1.0f}, y[] = {-2.0f}, z[] = {0.5f}, radii[] = {1.7f};
  DebyeSurfaceAtoms atoms = {1, x, y, z, radii, numbers, 0.6, 0.0};
  g_autoptr(DebyeMesh) mesh = debye_sphere_surface_new(&atoms, kind, probe, MAX_POINTS, NULL);
  g_assert_cmpuint(mesh->n_triangles, >, 100);
  check_closed(mesh);
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    DebyeVec3 from = debye_vec3_subtract(vertex(mesh, i), debye_vec3(1.0, -2.0, 0.5));
    const float *n = mesh->normals + 3 * i;
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(from), radius, 0.15 * 0.15 / (8.0 * radius) + 1e-5);
    double along = debye_vec3_dot(from, debye_vec3((double)n[0], (double)n[1], (double)n[2]));
    g_assert_cmpfloat(along, >, 0.99 * debye_vec3_length(from));
  }
  g_assert_cmpfloat_with_epsilon(volume_of(mesh) / (4.0 / 3.0 * G_PI * radius * radius * radius), 1.0, 0.03);
}

/* A probe of 0.3 Å is smaller than the band in which depths are told. */
static void
test_spheres(void)
{
  static const double probes[] = {0.3, 0.7, 1.4, 3.0};
  for (gsize k = 0; k < G_N_ELEMENTS(probes); k++) {
    check_sphere(DEBYE_MESH_SURFACE_EXCLUDED, probes[k], 1.7);
    check_sphere(DEBYE_MESH_SURFACE_VAN_DER_WAALS, probes[k], 1.7);
    check_sphere(DEBYE_MESH_SURFACE_ACCESSIBLE, probes[k], 1.7 + probes[k]);
  }
}

/* Two atoms 2a apart: the probe rolls in the crevice between them with its centre on a ring of radius
 * ρ = √((R + p)² − a²), so that between the contacts the surface lies at ρ − √(p² − x²) from the axis. */
static void
test_excluded_saddle(void)
{
  const double a = 2.0, radius = 1.7, probe = 1.4, ring = sqrt(3.1 * 3.1 - a * a);
  const double touch = a * probe / (radius + probe);
  const float x[] = {-2.0f, 2.0f}, y[] = {0.0f, 0.0f}, z[] = {0.0f, 0.0f}, radii[] = {1.7f, 1.7f};
  DebyeSurfaceAtoms atoms = {2, x, y, z, radii, numbers, 0.5, 0.0};
  g_autoptr(DebyeMesh) mesh =
      debye_sphere_surface_new(&atoms, DEBYE_MESH_SURFACE_EXCLUDED, probe, MAX_POINTS, NULL);
  gsize n_near = 0;
  check_closed(mesh);
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    DebyeVec3 p = vertex(mesh, i);
    double away = hypot(p.y, p.z), end = fabs(p.x) - a;
    double expected = fabs(p.x) < touch ? ring - sqrt(probe * probe - p.x * p.x)
                                        : sqrt(fmax(radius * radius - end * end, 0.0));
    if (fabs(p.x) > a)
      continue;
    g_assert_cmpfloat_with_epsilon(away, expected, 0.02);
    g_assert_cmpuint(mesh->atoms[i], ==, p.x > 0.0 ? 1 : 0);
    n_near += fabs(p.x) < touch;
  }
  g_assert_cmpuint(n_near, >, 50);
}

/* A shell of atoms closes around a cavity: a small probe fits in there and gives it a surface of its own, a
 * large one does not. */
static void
test_excluded_cavity(void)
{
  enum { N = 400 };
  float x[N], y[N], z[N], radii[N];
  guint32 names[N];
  for (int i = 0; i < N; i++) { /* Fibonacci's points on a sphere */
    double height = 1.0 - (2.0 * i + 1.0) / N, turn = 2.399963229728653 * i,
           flat = sqrt(1.0 - height * height);
    x[i] = (float)(5.0 * flat * cos(turn));
    y[i] = (float)(5.0 * flat * sin(turn));
    z[i] = (float)(5.0 * height);
    radii[i] = 1.5f;
    names[i] = (guint32)i;
  }
  DebyeSurfaceAtoms atoms = {N, x, y, z, radii, names, 0.8, 0.0};
  g_autoptr(DebyeMesh) hollow =
      debye_sphere_surface_new(&atoms, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, MAX_POINTS, NULL);
  g_autoptr(DebyeMesh) full =
      debye_sphere_surface_new(&atoms, DEBYE_MESH_SURFACE_EXCLUDED, 4.0, MAX_POINTS, NULL);
  check_closed(hollow);
  check_closed(full);
  /* The cavity's radius is 3.5 Å: 180 Å³. */
  double cavity = volume_of(full) - volume_of(hollow);
  g_assert_cmpfloat(cavity, >, 130.0);
  g_assert_cmpfloat(cavity, <, 200.0);
}

static void
test_excluded_limits(void)
{
  DebyeSurfaceAtoms none = {.resolution = 1.0};
  g_autoptr(DebyeMesh) mesh =
      debye_sphere_surface_new(&none, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, MAX_POINTS, NULL);
  g_assert_cmpuint(mesh->n_triangles, ==, 0);
  g_autoptr(GCancellable) cancelled = g_cancellable_new();
  g_cancellable_cancel(cancelled);
  const float x[] = {0.0f, 40.0f}, zero[] = {0.0f, 0.0f}, radii[] = {1.5f, 1.5f};
  DebyeSurfaceAtoms two = {2, x, zero, zero, radii, numbers, 0.5, 0.0};
  g_assert_null(debye_sphere_surface_new(&two, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, MAX_POINTS, cancelled));
  /* Too few points for the resolution: coarser, and there all the same. */
  g_autoptr(DebyeMesh) fine =
      debye_sphere_surface_new(&two, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, MAX_POINTS, NULL);
  g_autoptr(DebyeMesh) coarse = debye_sphere_surface_new(&two, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, 40000, NULL);
  check_closed(coarse);
  g_assert_cmpuint(coarse->n_vertices, <, fine->n_vertices);
  g_assert_cmpuint(coarse->n_vertices, >, 20);
}

/* Ten thousand atoms at a protein's density in a ball; the time is said. */
static void
test_excluded_many(void)
{
  enum { SIDE = 28 };
  g_autofree float *columns = g_new(float, 4 * SIDE * SIDE * SIDE);
  g_autofree guint32 *names = g_new(guint32, SIDE * SIDE * SIDE);
  float *x = columns, *y = x + SIDE * SIDE * SIDE, *z = y + SIDE * SIDE * SIDE,
        *radii = z + SIDE * SIDE * SIDE;
  gsize n = 0;
  for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
    double p[3] = {2.15 * (i % SIDE - 13.5), 2.15 * (i / SIDE % SIDE - 13.5),
                   2.15 * (i / SIDE / SIDE - 13.5)};
    if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 28.8 * 28.8)
      continue;
    x[n] = (float)(p[0] + 0.3 * sin(7.0 * i));
    y[n] = (float)(p[1] + 0.3 * sin(11.0 * i));
    z[n] = (float)(p[2] + 0.3 * sin(13.0 * i));
    radii[n] = 1.7f;
    names[n] = (guint32)n;
    n++;
  }
  DebyeSurfaceAtoms atoms = {n, x, y, z, radii, names, 0.9, 0.0};
  gint64 start = g_get_monotonic_time();
  g_autoptr(DebyeMesh) mesh =
      debye_sphere_surface_new(&atoms, DEBYE_MESH_SURFACE_EXCLUDED, 1.4, MAX_POINTS, NULL);
  g_test_message("%zu atoms: %.0f ms, %zu triangles", n, (double)(g_get_monotonic_time() - start) / 1000.0,
                 mesh->n_triangles);
  check_closed(mesh);
  g_assert_cmpfloat(volume_of(mesh), >, 4.0 / 3.0 * G_PI * 28.0 * 28.0 * 28.0);
  g_assert_cmpfloat(volume_of(mesh), <, 4.0 / 3.0 * G_PI * 32.0 * 32.0 * 32.0);
}

/* The layer makes whichever surface it is told to. */
static void
test_kinds(void)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  for (int i = 0; i < 2; i++) {
    DebyeAtom atom = DEBYE_ATOM_INIT;
    atom.name = atom.element = "C";
    debye_topology_builder_add_atom(builder, &atom);
  }
  g_autoptr(DebyeTopology) topology = debye_topology_builder_finish(builder);
  g_autoptr(DebyeFrame) frame = debye_frame_new(2);
  memset(frame->y, 0, 2 * sizeof *frame->y);
  memset(frame->z, 0, 2 * sizeof *frame->z);
  frame->x[0] = 0.0f;
  frame->x[1] = 4.5f;
  g_autoptr(DebyeMolecularSurfaceLayer) layer = debye_molecular_surface_layer_new(topology);
  debye_layer_show_frame(DEBYE_LAYER(layer), frame);
  g_object_set(layer, "resolution", 0.6, "kind", DEBYE_MESH_SURFACE_EXCLUDED, NULL);
  debye_layer_settle(DEBYE_LAYER(layer));
  double excluded = volume_of(debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer)));
  g_object_set(layer, "probe", 3.0, NULL);
  debye_layer_settle(DEBYE_LAYER(layer));
  double wide = volume_of(debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer)));
  /* A wider ball leaves more between two atoms out; atoms 4.5 Å apart touch a ball of 3 Å together. */
  g_assert_cmpfloat(wide, >, 1.03 * excluded);
  g_object_set(layer, "kind", DEBYE_MESH_SURFACE_ACCESSIBLE, "probe", 1.4, NULL);
  debye_layer_settle(DEBYE_LAYER(layer));
  g_assert_cmpfloat(volume_of(debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer))), >, 2.0 * excluded);
  g_object_set(layer, "kind", DEBYE_MESH_SURFACE_VAN_DER_WAALS, NULL);
  debye_layer_settle(DEBYE_LAYER(layer));
  g_assert_cmpfloat(volume_of(debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer))), <, excluded);
  g_object_set(layer, "kind", DEBYE_MESH_SURFACE_GAUSSIAN, NULL);
  debye_layer_settle(DEBYE_LAYER(layer));
  double gaussian = volume_of(debye_mesh_layer_get_mesh(DEBYE_MESH_LAYER(layer)));
  g_assert_cmpfloat(fabs(gaussian - wide), >, 0.5);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  debye_surface_depths_lend();
  g_test_add_func("/molecular-surface/one-atom", test_one_atom);
  g_test_add_func("/molecular-surface/neck", test_neck);
  g_test_add_func("/molecular-surface/apart", test_apart);
  g_test_add_func("/molecular-surface/nothing", test_nothing);
  g_test_add_func("/molecular-surface/many", test_many);
  g_test_add_func("/molecular-surface/layer", test_layer);
  g_test_add_func("/molecular-surface/colored-by-map", test_colored_by_map);
  g_test_add_func("/molecular-surface/map-is-read-outside", test_map_is_read_outside);
  g_test_add_func("/excluded-surface/spheres", test_spheres);
  g_test_add_func("/excluded-surface/saddle", test_excluded_saddle);
  g_test_add_func("/excluded-surface/cavity", test_excluded_cavity);
  g_test_add_func("/excluded-surface/limits", test_excluded_limits);
  g_test_add_func("/excluded-surface/many", test_excluded_many);
  g_test_add_func("/excluded-surface/kinds", test_kinds);
  return g_test_run();
}
