/* SPDX-License-Identifier: MIT */
/* What keeps a view quick, without any GL: how fine a picture is follows what the ones before took, passes
 * are cut into pieces of the time that is wanted, and coarse meshes have the shape of the fine ones. */
#include <math.h>

#include "render/mesh/mesh_coarse.h"
#include "render/scene/pace.h"
#include "render/scene/portion.h"

/* --- Pace --- */

/* A GL that takes `full` µs for all pixels of the plain picture; the factor that it settles at, and how often
 * it changed in the last half of the pictures. */
static double
settle(double full, double fixed, int n_pictures, int *n_changes)
{
  DebyePace pace = {0};
  double factor = 0.0;
  *n_changes = 0;
  for (int i = 0; i < n_pictures; i++) {
    DebyeDetail detail = debye_pace_get_detail(&pace);
    double time = fixed + full * detail.factor * detail.factor * (detail.occlusion ? 2.0 : 1.0);
    *n_changes += i >= n_pictures / 2 && detail.factor != factor;
    factor = detail.factor;
    debye_pace_tell(&pace, (gint64)time);
  }
  return factor;
}

static void
test_pace_settles(void)
{
  const struct {
    double full, fixed, factor;
  } cases[] = {
      {500.0, 200.0, 1.0},         /* a GPU */
      {40000.0, 1000.0, 1.0 / 2},  /* two cores */
      {90000.0, 1000.0, 1.0 / 3},  /* the same, loaded */
      {250000.0, 1000.0, 1.0 / 4}, /* one */
      {5000.0, 60000.0, 1.0 / 4},  /* nothing helps: as coarse as it gets, and no slower for trying */
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    int n_changes;
    g_assert_cmpfloat(settle(cases[i].full, cases[i].fixed, 600, &n_changes), ==, cases[i].factor);
    g_assert_cmpint(n_changes, ==, 0);
  }
}

/* Between two levels, neither of which is quite right: it may try, but seldom. */
static void
test_pace_is_calm(void)
{
  int most = 0;
  for (double full = 1000.0; full < 400000.0; full *= 1.07) {
    int n_changes;
    settle(full, 8000.0, 1200, &n_changes);
    most = MAX(most, n_changes);
  }
  g_assert_cmpint(most, <=, 10);
}

/* One slow picture is another program's doing; two in a row are ours, however slow the levels are left again.
 */
static void
test_pace_spikes(void)
{
  DebyePace pace = {0};
  for (int i = 0; i < 30; i++)
    debye_pace_tell(&pace, 1000);
  g_assert_true(debye_pace_get_detail(&pace).occlusion);
  debye_pace_tell(&pace, 300000);
  debye_pace_tell(&pace, 1000);
  g_assert_true(debye_pace_get_detail(&pace).occlusion);
  debye_pace_tell(&pace, 60000);
  debye_pace_tell(&pace, 60000);
  g_assert_cmpfloat(debye_pace_get_detail(&pace).factor, <, 1.0);
}

/* --- Portions --- */

/* A pass that takes `whole` µs and `fixed` for each piece; the longest piece of the last time it is drawn. */
static double
draw_pass(DebyePortion *portion, double whole, double fixed, gint64 wanted, int *n_pieces)
{
  double longest = 0.0, end = 0.0;
  gboolean complete = FALSE;
  debye_portion_begin(portion);
  for (*n_pieces = 0; !complete; ++*n_pieces) {
    DebyeShare share = debye_portion_next(portion);
    g_assert_cmpfloat(share.from, ==, end);
    g_assert_cmpfloat(share.to, >, share.from);
    end = share.to;
    double time = fixed + whole * (share.to - share.from);
    longest = fmax(longest, time);
    complete = debye_portion_tell(portion, (gint64)time, wanted);
  }
  g_assert_cmpfloat(end, ==, 1.0);
  return longest;
}

static void
test_portions(void)
{
  const double times[] = {10.0, 3000.0, 12000.0, 50000.0, 200000.0};
  for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
    DebyePortion portion = {0};
    double longest = 0.0;
    int n_pieces = 0;
    for (int picture = 0; picture < 4; picture++)
      longest = draw_pass(&portion, times[i], 500.0, 12000, &n_pieces);
    g_assert_cmpfloat(longest, <=, 16000.0);
    g_assert_cmpint(n_pieces, <=, 1 + (int)(times[i] / 8000.0));
  }
}

/* Pieces follow each other and leave nothing out, however few things there are. */
static void
test_shares(void)
{
  for (gsize n = 0; n < 50; n++)
    for (int n_shares = 1; n_shares < 20; n_shares++) {
      gsize next = 0;
      for (int i = 0; i < n_shares; i++) {
        DebyeShare share = {(double)i / n_shares, (double)(i + 1) / n_shares};
        g_assert_cmpuint(debye_share_first(share, n), ==, next);
        next += debye_share_count(share, n);
      }
      g_assert_cmpuint(next, ==, n);
    }
}

/* --- Coarse meshes --- */

/* A sphere of radius 10 Å in rings. */
static DebyeMesh *
make_sphere(guint32 n_rings)
{
  DebyeMeshBuilder builder;
  guint32 n_around = 2 * n_rings;
  debye_mesh_builder_init(&builder);
  for (guint32 ring = 0; ring <= n_rings; ring++)
    for (guint32 i = 0; i < n_around; i++) {
      double theta = G_PI * ring / n_rings, phi = 2.0 * G_PI * i / n_around;
      DebyeVec3 normal = {sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
      debye_mesh_builder_add_vertex(&builder, debye_vec3_scale(normal, 10.0), normal, 0);
    }
  for (guint32 ring = 0; ring < n_rings; ring++)
    for (guint32 i = 0; i < n_around; i++) {
      guint32 a = ring * n_around + i, b = ring * n_around + (i + 1) % n_around;
      debye_mesh_builder_add_triangle(&builder, a, a + n_around, b);
      debye_mesh_builder_add_triangle(&builder, b, a + n_around, b + n_around);
    }
  return debye_mesh_builder_finish(&builder);
}

/* Six times the volume within, by the sum of the tetrahedra on each triangle. */
static double
measure_volume(const DebyeMesh *mesh, const guint32 *indices, gsize n_triangles)
{
  double sum = 0.0;
  for (gsize t = 0; t < n_triangles; t++) {
    DebyeVec3 corners[3];
    for (int c = 0; c < 3; c++) {
      const float *p = mesh->positions + 3 * (gsize)indices[3 * t + (gsize)c];
      corners[c] = debye_vec3((double)p[0], (double)p[1], (double)p[2]);
    }
    sum += debye_vec3_dot(corners[0], debye_vec3_cross(corners[1], corners[2]));
  }
  return sum;
}

/* A tenth of the triangles enclose nearly the same; so their corners lie where they should and they look
 * outwards all over, without holes. */
static void
test_coarse(void)
{
  g_autoptr(DebyeMesh) mesh = make_sphere(200);
  debye_mesh_coarsen(mesh, 8000);
  g_assert_cmpuint(mesh->n_coarse, >, 4000);
  g_assert_cmpuint(mesh->n_coarse, <, 12000);
  for (gsize i = 0; i < 3 * mesh->n_coarse; i++)
    g_assert_cmpuint(mesh->coarse[i], <, mesh->n_vertices);
  double fine = measure_volume(mesh, mesh->indices, mesh->n_triangles);
  double coarse = measure_volume(mesh, mesh->coarse, mesh->n_coarse);
  g_assert_cmpfloat_with_epsilon(coarse / fine, 1.0, 0.02);
}

static void
test_coarse_enough(void)
{
  g_autoptr(DebyeMesh) mesh = make_sphere(10);
  debye_mesh_coarsen(mesh, 8000);
  g_assert_cmpuint(mesh->n_coarse, ==, 0);
  g_assert_null(mesh->coarse);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/pace/settles", test_pace_settles);
  g_test_add_func("/pace/is-calm", test_pace_is_calm);
  g_test_add_func("/pace/spikes", test_pace_spikes);
  g_test_add_func("/portion/pieces", test_portions);
  g_test_add_func("/portion/shares", test_shares);
  g_test_add_func("/mesh/coarse", test_coarse);
  g_test_add_func("/mesh/coarse-enough", test_coarse_enough);
  return g_test_run();
}
