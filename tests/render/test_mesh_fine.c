/* SPDX-License-Identifier: MIT */
/* A finer mesh of a sphere is closed, has edges as short as was asked, and is rounder than the coarse one; what a tile
 * leaves out of it isn't in the tile; and where the letters of a cross of axes stand. */
#include "render/mesh/mesh_fine.h"

#include <cglm/cglm.h>
#include <math.h>

#include "render/mesh/marching_cubes.h"
#include "render/mesh/mesh_blocks.h"
#include "render/scene/axes_cross.h"

#define RADIUS 5.0
#define SIDE 15

static DebyeMesh *
make_sphere(void)
{
  const DebyeGrid grid = {
      .origin = {-7.0, -7.0, -7.0}, .step = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .shape = {SIDE, SIDE, SIDE}};
  g_autofree float *values = g_new(float, SIDE *SIDE *SIDE);
  for (gsize i = 0; i < SIDE * SIDE * SIDE; i++) {
    DebyeVec3 p =
        debye_grid_point(&grid, (double)(i % SIDE), (double)(i / SIDE % SIDE), (double)(i / SIDE / SIDE));
    values[i] = (float)(RADIUS + 1.0 - debye_vec3_length(p));
  }
  return debye_marching_cubes(&grid, values, 1.0, NULL);
}

/* How far the middles of the triangles are from the sphere at most. */
static double
find_dent(const DebyeMesh *mesh, double *longest)
{
  double dent = 0.0;
  *longest = 0.0;
  for (gsize t = 0; t < mesh->n_triangles; t++) {
    vec3 middle = {0.0f, 0.0f, 0.0f};
    for (gsize c = 0; c < 3; c++) {
      float *corner = mesh->positions + 3 * mesh->indices[3 * t + c];
      float *next = mesh->positions + 3 * mesh->indices[3 * t + (c + 1) % 3];
      glm_vec3_add(middle, corner, middle);
      *longest = fmax(*longest, (double)glm_vec3_distance(corner, next));
    }
    dent = fmax(dent, fabs((double)glm_vec3_norm(middle) / 3.0 - RADIUS));
  }
  return dent;
}

static void
test_sphere(void)
{
  double before, after, longest;
  g_autoptr(DebyeMesh) mesh = make_sphere();
  before = find_dent(mesh, &longest);
  g_assert_true(debye_mesh_refine(mesh, 0.0));
  const double usual = mesh->usual_edge;
  const gsize n_triangles = mesh->n_triangles;
  g_assert_cmpfloat(usual, >, 0.5);
  g_assert_true(debye_mesh_refine(mesh, 0.5 * usual));
  g_assert_cmpuint(mesh->n_triangles, ==, 4 * n_triangles);
  /* Euler: of a sphere V − E + F = 2, with three halves of an edge a triangle. */
  g_assert_cmpuint(2 * mesh->n_vertices, ==, 4 + mesh->n_triangles);
  after = find_dent(mesh, &longest);
  g_assert_cmpfloat(longest, <, 0.9);
  g_assert_cmpfloat(
      after, <, 0.5 * before); /* a quarter of what is between the old vertices, which are off themselves */
  for (gsize i = 0; i < mesh->n_vertices; i++)
    g_assert_cmpfloat_with_epsilon((double)glm_vec3_norm(mesh->normals + 3 * i), 1.0, 1e-5);
}

static void
test_counts(void)
{
  g_assert_cmpuint(debye_mesh_count_refinements(1.0, 0.0), ==, 0);
  g_assert_cmpuint(debye_mesh_count_refinements(1.0, 1.0), ==, 0);
  g_assert_cmpuint(debye_mesh_count_refinements(1.0, 0.6), ==, 1);
  g_assert_cmpuint(debye_mesh_count_refinements(1.0, 0.3), ==, 2);
  g_assert_cmpuint(debye_mesh_count_refinements(1.0, 1e-6), ==, 3); /* and no more */
}

/* Of a tile from x and y = 1 Å to 3 Å: whether a corner of a triangle may be in it. */
static gboolean
is_beside(const DebyeMesh *mesh, gsize triangle)
{
  int beyond[4] = {0};
  for (gsize c = 0; c < 3; c++) {
    const float *corner = mesh->positions + 3 * (gsize)mesh->indices[3 * triangle + c];
    for (int axis = 0; axis < 2; axis++) {
      beyond[2 * axis] += corner[axis] < 1.0f;
      beyond[2 * axis + 1] += corner[axis] > 3.0f;
    }
  }
  return beyond[0] == 3 || beyond[1] == 3 || beyond[2] == 3 || beyond[3] == 3;
}

static void
test_blocks(void)
{
  g_autoptr(DebyeMesh) mesh = make_sphere();
  g_assert_true(debye_mesh_refine(mesh, 0.15));
  DebyeMeshBlocks *blocks = debye_mesh_blocks_new(mesh, mesh->indices);
  g_autofree gboolean *drawn = g_new0(gboolean, mesh->n_triangles);
  const gsize begin = 700, end = mesh->n_triangles - 300; /* within blocks */
  gsize first = begin, n, n_drawn = 0;
  mat4 to_clip;
  glm_ortho(1.0f, 3.0f, 1.0f, 3.0f, -20.0f, 20.0f, to_clip);
  for (; (n = debye_mesh_blocks_next(blocks, to_clip, NULL, &first, end)) > 0; first += n) {
    g_assert_cmpuint(first, >=, begin);
    g_assert_cmpuint(first + n, <=, end);
    n_drawn += n;
    for (gsize i = first; i < first + n; i++) {
      g_assert_false(drawn[i]);
      drawn[i] = TRUE;
    }
  }
  for (gsize i = begin; i < end; i++)
    g_assert_true(drawn[i] || is_beside(mesh, i));
  g_assert_cmpuint(n_drawn, >, 0);
  g_assert_cmpuint(n_drawn, <, (end - begin) / 2);
  debye_mesh_blocks_free(blocks);
}

/* From whichever side one looks, no letter stands on another. */
static void
test_letters(void)
{
  for (int i = 0; i < 36; i++)
    for (int k = 0; k <= 18; k++) {
      versor turn, tilt, both;
      double letters[3][2];
      glm_quat(turn, glm_rad(10.0f * (float)i), 0.0f, 1.0f, 0.0f);
      glm_quat(tilt, glm_rad(10.0f * (float)k - 90.0f), 1.0f, 0.0f, 0.0f);
      glm_quat_mul(tilt, turn, both);
      debye_axes_cross_place_letters(both, letters);
      for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++)
          g_assert_cmpfloat(hypot(letters[a][0] - letters[b][0], letters[a][1] - letters[b][1]), >, 10.0);
    }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/mesh-fine/sphere", test_sphere);
  g_test_add_func("/mesh-fine/counts", test_counts);
  g_test_add_func("/mesh-fine/blocks", test_blocks);
  g_test_add_func("/axes-cross/letters", test_letters);
  return g_test_run();
}
