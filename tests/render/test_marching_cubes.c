/* SPDX-License-Identifier: MIT */
/* Marching cubes against what geometry knows: closed, oriented, Euler characteristic, areas, volumes; and
 * every pattern of signs, decided at random, as a closed surface. */
#include "render/mesh/marching_cubes.h"

#include <string.h>

#include <glib.h>

#include "kernels/isosurface/cell_table.h"

typedef double (*Function)(DebyeVec3 p);

typedef struct {
  DebyeGrid grid;
  float *values;
} Volume;

static void
volume_init(Volume *volume, gsize n, double size, Function function)
{
  double h = size / (double)(n - 1);
  volume->grid = (DebyeGrid){
      .origin = {-0.5 * size, -0.5 * size, -0.5 * size},
      .step = {{h, 0, 0}, {0, h, 0}, {0, 0, h}},
      .shape = {n, n + 1, n + 2},
  };
  volume->values = g_new(float, debye_grid_n_points(&volume->grid));
  gsize index = 0;
  for (gsize k = 0; k < n + 2; k++)
    for (gsize j = 0; j < n + 1; j++)
      for (gsize i = 0; i < n; i++)
        volume->values[index++] =
            (float)function(debye_grid_point(&volume->grid, (double)i, (double)j, (double)k));
}

static DebyeVec3
vertex(const DebyeMesh *mesh, gsize corner)
{
  const float *p = mesh->positions + 3 * (gsize)mesh->indices[corner];
  return debye_vec3((double)p[0], (double)p[1], (double)p[2]);
}

static int
compare_edges(gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
  return x < y ? -1 : x > y;
}

/* Every directed edge once, and its opposite once: closed and consistently oriented. Gives the number of
 * edges. */
static gsize
check_closed(const DebyeMesh *mesh)
{
  gsize n = 3 * mesh->n_triangles;
  g_autofree guint64 *edges = g_new(guint64, n + 1);
  g_autofree guint64 *reverse = g_new(guint64, n + 1);
  for (gsize corner = 0; corner < n; corner++) {
    guint64 from = mesh->indices[corner], to = mesh->indices[corner % 3 == 2 ? corner - 2 : corner + 1];
    g_assert_cmpuint(from, <, mesh->n_vertices);
    g_assert_cmpuint(from, !=, to);
    edges[corner] = from << 32 | to;
    reverse[corner] = to << 32 | from;
  }
  qsort(edges, n, sizeof *edges, compare_edges);
  qsort(reverse, n, sizeof *reverse, compare_edges);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpuint(edges[i], ==, reverse[i]);
    if (i > 0)
      g_assert_cmpuint(edges[i], !=, edges[i - 1]);
  }
  return n / 2;
}

static gssize
euler_characteristic(const DebyeMesh *mesh)
{
  return (gssize)mesh->n_vertices - (gssize)check_closed(mesh) + (gssize)mesh->n_triangles;
}

static void
measure(const DebyeMesh *mesh, double *area, double *volume)
{
  *area = *volume = 0.0;
  for (gsize t = 0; t < mesh->n_triangles; t++) {
    DebyeVec3 a = vertex(mesh, 3 * t), b = vertex(mesh, 3 * t + 1), c = vertex(mesh, 3 * t + 2);
    DebyeVec3 n = debye_vec3_cross(debye_vec3_subtract(b, a), debye_vec3_subtract(c, a));
    *area += 0.5 * debye_vec3_length(n);
    *volume += debye_vec3_dot(a, debye_vec3_cross(b, c)) / 6.0;
  }
}

static void
check_normals(const DebyeMesh *mesh)
{
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    const float *n = mesh->normals + 3 * i;
    g_assert_cmpfloat_with_epsilon(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0f, 1e-4f);
  }
}

/* 3 − r: the level 0 is a sphere of radius 3, inside is above. */
static double
ball(DebyeVec3 p)
{
  return 3.0 - debye_vec3_length(p);
}

static double
torus(DebyeVec3 p)
{
  double ring = sqrt(p.x * p.x + p.y * p.y) - 2.5;
  return 1.0 - sqrt(ring * ring + p.z * p.z);
}

static double
slope(DebyeVec3 p)
{
  return p.x + 0.3 * p.y - 0.2 * p.z;
}

static void
test_sphere(void)
{
  Volume volume;
  volume_init(&volume, 48, 8.0, ball);
  g_autoptr(DebyeMesh) mesh = debye_marching_cubes(&volume.grid, volume.values, 0.0, NULL);
  g_assert_cmpint(euler_characteristic(mesh), ==, 2);
  double area, body;
  measure(mesh, &area, &body);
  /* Flat triangles within a sphere lose about (h/r)²/8 of the area and volume; h/r = 0.057. */
  g_assert_cmpfloat_with_epsilon(area, 4.0 * G_PI * 9.0, 0.003 * 4.0 * G_PI * 9.0);
  g_assert_cmpfloat_with_epsilon(body, 4.0 / 3.0 * G_PI * 27.0, 0.003 * 4.0 / 3.0 * G_PI * 27.0);
  check_normals(mesh);
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    const float *p = mesh->positions + 3 * i, *n = mesh->normals + 3 * i;
    g_assert_cmpfloat((double)(p[0] * n[0] + p[1] * n[1] + p[2] * n[2]) / 3.0, >, 0.999);
  }
  g_free(volume.values);
}

static void
test_torus(void)
{
  Volume volume;
  volume_init(&volume, 40, 9.0, torus);
  g_autoptr(DebyeMesh) mesh = debye_marching_cubes(&volume.grid, volume.values, 0.0, NULL);
  g_assert_cmpint(euler_characteristic(mesh), ==, 0);
  double area, body;
  measure(mesh, &area, &body);
  g_assert_cmpfloat_with_epsilon(area, 4.0 * G_PI * G_PI * 2.5, 1.5);
  g_assert_cmpfloat_with_epsilon(body, 2.0 * G_PI * G_PI * 2.5, 1.5);
  g_free(volume.values);
}

/* A negative level encloses what is lower; mirrored steps turn the triangles, not the surface. */
static void
test_negative_and_mirrored(void)
{
  Volume volume;
  volume_init(&volume, 32, 8.0, ball);
  for (gsize i = 0; i < debye_grid_n_points(&volume.grid); i++)
    volume.values[i] = -volume.values[i] - 1.0f;
  g_autoptr(DebyeMesh) lower = debye_marching_cubes(&volume.grid, volume.values, -1.0, NULL);
  g_assert_cmpint(euler_characteristic(lower), ==, 2);
  double area, body;
  measure(lower, &area, &body);
  /* Counter-clockwise from the side of lower values, which is inside here. */
  g_assert_cmpfloat_with_epsilon(body, -4.0 / 3.0 * G_PI * 27.0, 1.0);

  volume.grid.step[0].x = -volume.grid.step[0].x;
  volume.grid.origin.x = -volume.grid.origin.x;
  g_autoptr(DebyeMesh) mirrored = debye_marching_cubes(&volume.grid, volume.values, -1.0, NULL);
  double mirrored_body;
  measure(mirrored, &area, &mirrored_body);
  g_assert_cmpfloat_with_epsilon(mirrored_body, body, 0.01);
  g_free(volume.values);
}

static void
test_skew_grid(void)
{
  Volume volume;
  volume_init(&volume, 40, 8.0, ball);
  volume.grid.step[1].x = 0.4 * volume.grid.step[1].y;
  volume.grid.step[2].y = -0.3 * volume.grid.step[2].z;
  volume.grid.origin = debye_vec3_scale(
      debye_grid_point(&(DebyeGrid){.step = {volume.grid.step[0], volume.grid.step[1], volume.grid.step[2]}},
                       20, 20, 20),
      -1.0);
  gsize index = 0;
  for (gsize k = 0; k < 42; k++)
    for (gsize j = 0; j < 41; j++)
      for (gsize i = 0; i < 40; i++)
        volume.values[index++] =
            (float)(2.0 - debye_vec3_length(debye_grid_point(&volume.grid, (double)i, (double)j, (double)k)));
  g_autoptr(DebyeMesh) mesh = debye_marching_cubes(&volume.grid, volume.values, 0.0, NULL);
  g_assert_cmpint(euler_characteristic(mesh), ==, 2);
  double area, body;
  measure(mesh, &area, &body);
  g_assert_cmpfloat_with_epsilon(body, 4.0 / 3.0 * G_PI * 8.0, 0.4);
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    const float *p = mesh->positions + 3 * i, *n = mesh->normals + 3 * i;
    g_assert_cmpfloat((double)(p[0] * n[0] + p[1] * n[1] + p[2] * n[2]) / 2.0, >, 0.99);
  }
  g_free(volume.values);
}

/* Eight random corners inside a shell of low values: the surface is closed whatever the pattern and the
 * decisions are. */
static void
test_every_pattern(void)
{
  for (int pattern = 0; pattern < 256; pattern++)
    for (int draw = 0; draw < 40; draw++) {
      float values[64];
      DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {4, 4, 4}};
      for (int i = 0; i < 64; i++)
        values[i] = -(float)g_test_rand_double_range(0.01, 1.0);
      for (int c = 0; c < 8; c++) {
        int place = 1 + (c & 1) + 4 * (1 + (c >> 1 & 1)) + 16 * (1 + (c >> 2));
        values[place] = (float)g_test_rand_double_range(0.01, 1.0) * (pattern >> c & 1 ? 1.0f : -1.0f);
      }
      g_autoptr(DebyeMesh) mesh = debye_marching_cubes(&grid, values, 0.0, NULL);
      check_closed(mesh);
      check_normals(mesh);
      g_assert_true((mesh->n_triangles > 0) == (pattern != 0));
    }
}

/* Noise has every ambiguous case beside every other. `special`: some values are NaN, infinite or on the level
 * itself. */
static void
check_noise(gsize n, gboolean special)
{
  DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {n + 70, n, n + 1}};
  g_autofree float *values = g_new(float, debye_grid_n_points(&grid));
  gsize index = 0;
  for (gsize k = 0; k < grid.shape[2]; k++)
    for (gsize j = 0; j < grid.shape[1]; j++)
      for (gsize i = 0; i < grid.shape[0]; i++, index++) {
        gboolean rim = i == 0 || j == 0 || k == 0 || i + 1 == grid.shape[0] || j + 1 == grid.shape[1] ||
                       k + 1 == grid.shape[2];
        values[index] = rim ? 0.0f : (float)g_test_rand_double_range(0.0, 1.0);
        int kind = special ? g_test_rand_int_range(0, 20) : 20;
        if (!rim && kind < 4)
          values[index] = (float[]){NAN, INFINITY, -INFINITY, 0.5f}[kind];
      }
  g_autoptr(DebyeMesh) mesh = debye_marching_cubes(&grid, values, 0.5, NULL);
  g_assert_cmpuint(mesh->n_triangles, >, 1000);
  check_closed(mesh);
  check_normals(mesh);
  for (gsize i = 0; i < 3 * mesh->n_vertices; i++)
    g_assert_true(isfinite(mesh->positions[i]));
}

static void
test_noise(void)
{
  check_noise(14, FALSE);
  check_noise(14, TRUE);
}

/* Gives the number of triangles. */
static gsize
check_slabs(const DebyeGrid *grid, const float *values, double level)
{
  g_autoptr(DebyeMesh) whole = debye_marching_cubes_in_slabs(grid, values, level, 1, NULL);
  for (gsize n = 2; n <= grid->shape[2] + 1; n++) {
    g_autoptr(DebyeMesh) mesh = debye_marching_cubes_in_slabs(grid, values, level, n, NULL);
    g_assert_cmpmem(mesh->positions, 12 * mesh->n_vertices, whole->positions, 12 * whole->n_vertices);
    g_assert_cmpmem(mesh->normals, 12 * mesh->n_vertices, whole->normals, 12 * whole->n_vertices);
    g_assert_cmpmem(mesh->indices, 12 * mesh->n_triangles, whole->indices, 12 * whole->n_triangles);
  }
  return whole->n_triangles;
}

/* Joined slabs are what one is, to the last bit: of noise, which crosses each border often, and of a body that fills few
 * of them. */
static void
test_slabs(void)
{
  DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {67, 9, 11}};
  g_autofree float *values = g_new(float, debye_grid_n_points(&grid));
  for (gsize i = 0; i < debye_grid_n_points(&grid); i++)
    values[i] = i % 31 == 0 ? NAN : (float)g_test_rand_double_range(-1.0, 1.0);
  g_assert_cmpuint(check_slabs(&grid, values, 0.5), >, 1000);
  g_assert_cmpuint(check_slabs(&grid, values, -0.5), >, 1000);
  g_assert_cmpuint(check_slabs(&grid, values, 2.0), ==, 0);
  Volume volume;
  volume_init(&volume, 20, 8.0, ball);
  g_assert_cmpuint(check_slabs(&volume.grid, volume.values, 0.0), >, 100);
  g_free(volume.values);
}

/* A plane leaves the grid at its rim: open there, and nowhere else. */
static void
test_plane(void)
{
  Volume volume;
  volume_init(&volume, 20, 4.0, slope);
  g_autoptr(DebyeMesh) mesh = debye_marching_cubes(&volume.grid, volume.values, 0.1, NULL);
  g_assert_cmpuint(mesh->n_triangles, >, 100);
  DebyeVec3 gradient = {1.0, 0.3, -0.2};
  double length = debye_vec3_length(gradient);
  for (gsize i = 0; i < mesh->n_vertices; i++) {
    const float *p = mesh->positions + 3 * i, *n = mesh->normals + 3 * i;
    g_assert_cmpfloat_with_epsilon(slope(debye_vec3((double)p[0], (double)p[1], (double)p[2])), 0.1, 1e-5);
    g_assert_cmpfloat_with_epsilon((double)n[0], -gradient.x / length, 1e-4);
  }
  g_free(volume.values);
}

/* A half-computed map: planes of NaN end the body, for both signs, with a closed end. */
static void
test_partial_map(void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    Volume volume;
    volume_init(&volume, 32, 8.0, ball);
    gsize slice = 32 * 33;
    for (gsize i = 0; i < debye_grid_n_points(&volume.grid); i++)
      volume.values[i] = i / slice >= 16 ? NAN : (float)sign * (volume.values[i] + 2.0f);
    g_autoptr(DebyeMesh) mesh = debye_marching_cubes(&volume.grid, volume.values, 2.0 * sign, NULL);
    g_assert_cmpint(euler_characteristic(mesh), ==, 2);
    double area, body;
    measure(mesh, &area, &body);
    double z = volume.grid.origin.z + 15.0 * volume.grid.step[2].z;
    double expected = G_PI * (9.0 * (z + 3.0) - (z * z * z + 27.0) / 3.0);
    g_assert_cmpfloat_with_epsilon(body * sign, expected, 0.03 * expected);
    g_free(volume.values);
  }
}

static void
test_degenerate(void)
{
  float values[27];
  DebyeGrid grid = {.step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {3, 3, 3}};
  for (int i = 0; i < 27; i++)
    values[i] = 1.0f;
  g_autoptr(DebyeMesh) equal = debye_marching_cubes(&grid, values, 1.0, NULL);
  g_assert_cmpuint(equal->n_triangles, ==, 0);
  g_autoptr(DebyeMesh) nowhere = debye_marching_cubes(&grid, values, NAN, NULL);
  g_assert_cmpuint(nowhere->n_triangles, ==, 0);
  values[13] = 2.0f; /* one point on the level among lower ones */
  g_autoptr(DebyeMesh) point = debye_marching_cubes(&grid, values, 2.0, NULL);
  g_assert_cmpint(euler_characteristic(point), ==, 2);
  check_normals(point);
  for (int i = 0; i < 27; i++)
    values[i] = NAN;
  g_autoptr(DebyeMesh) unknown = debye_marching_cubes(&grid, values, 0.5, NULL);
  g_assert_cmpuint(unknown->n_triangles, ==, 0);
  DebyeGrid flat = grid;
  flat.shape[1] = 1;
  g_autoptr(DebyeMesh) thin = debye_marching_cubes(&flat, values, 0.5, NULL);
  g_assert_cmpuint(thin->n_triangles, ==, 0);
  DebyeGrid singular = grid;
  singular.step[2] = singular.step[1];
  g_autoptr(DebyeMesh) none = debye_marching_cubes(&singular, values, 0.5, NULL);
  g_assert_cmpuint(none->n_triangles, ==, 0);
}

static void
test_cancel(void)
{
  Volume volume;
  volume_init(&volume, 16, 8.0, ball);
  g_autoptr(GCancellable) cancellable = g_cancellable_new();
  g_cancellable_cancel(cancellable);
  g_assert_null(debye_marching_cubes(&volume.grid, volume.values, 0.0, cancellable));
  g_assert_null(debye_marching_cubes_in_slabs(&volume.grid, volume.values, 0.0, 5, cancellable));
  g_free(volume.values);
}

/* The tables themselves: every crossed edge is used, no other is, and no diagonal lies in a face. */
static void
test_table(void)
{
  const DebyeCellTable *table = debye_cell_table_get();
  for (int pattern = 0; pattern < 256; pattern++)
    for (int decision = 0; decision < 1 << table->n_ambiguous[pattern]; decision++) {
      const DebyeCellSurface *surface = &table->surfaces[table->first[pattern] + decision];
      guint used = 0, crossed = 0;
      for (int c = 0; c < 3 * surface->n_triangles; c++)
        if (surface->corners[c] < DEBYE_CELL_CENTRE)
          used |= 1u << surface->corners[c];
      for (int edge = 0; edge < 12; edge++) {
        int a = table->edge_ends[edge][0], b = table->edge_ends[edge][1];
        if ((pattern >> a & 1) != (pattern >> b & 1))
          crossed |= 1u << edge;
      }
      g_assert_cmpuint(used, ==, crossed);
    }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/marching-cubes/table", test_table);
  g_test_add_func("/marching-cubes/sphere", test_sphere);
  g_test_add_func("/marching-cubes/torus", test_torus);
  g_test_add_func("/marching-cubes/negative-and-mirrored", test_negative_and_mirrored);
  g_test_add_func("/marching-cubes/skew-grid", test_skew_grid);
  g_test_add_func("/marching-cubes/every-pattern", test_every_pattern);
  g_test_add_func("/marching-cubes/noise", test_noise);
  g_test_add_func("/marching-cubes/slabs", test_slabs);
  g_test_add_func("/marching-cubes/plane", test_plane);
  g_test_add_func("/marching-cubes/partial-map", test_partial_map);
  g_test_add_func("/marching-cubes/degenerate", test_degenerate);
  g_test_add_func("/marching-cubes/cancel", test_cancel);
  return g_test_run();
}
