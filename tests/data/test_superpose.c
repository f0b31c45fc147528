/* SPDX-License-Identifier: MIT */
/* Superposition: rotations that are known, shapes for which none is, and what is left out. */
#include "data/files/error.h"
#include "data/molecule/periodic.h"
#include "data/molecule/superpose.h"
#include "random_cell.h"
#include "small_system.h"

#define N_ATOMS 30

static void
assert_near(double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    g_error("expected %.15g, found %.15g", expected, value);
}

static double
determinant(const DebyeSuperposition *s)
{
  const double(*r)[3] = s->rotation;
  DebyeVec3 a = {r[0][0], r[0][1], r[0][2]}, b = {r[1][0], r[1][1], r[1][2]}, c = {r[2][0], r[2][1], r[2][2]};
  return debye_vec3_dot(a, debye_vec3_cross(b, c));
}

/* About a random axis by a random angle (Rodrigues). */
static DebyeSuperposition
random_motion(GRand *random)
{
  DebyeVec3 axis = random_position(random, 1);
  axis = debye_vec3_scale(axis, 1.0 / debye_vec3_length(axis));
  double angle = g_rand_double_range(random, -G_PI, G_PI), c = cos(angle), s = sin(angle), t = 1 - c;
  double x = axis.x, y = axis.y, z = axis.z;
  return (DebyeSuperposition){{{t * x * x + c, t * x * y - s * z, t * x * z + s * y},
                               {t * x * y + s * z, t * y * y + c, t * y * z - s * x},
                               {t * x * z - s * y, t * y * z + s * x, t * z * z + c}},
                              random_position(random, 10),
                              random_position(random, 10)};
}

static DebyeFrame *
random_frame(GRand *random)
{
  DebyeFrame *frame = debye_frame_new(N_ATOMS);
  for (gsize i = 0; i < N_ATOMS; i++)
    debye_frame_set_position(frame, i, random_position(random, 15));
  return frame;
}

/* Root mean square distance between the atoms of two frames, without fitting. `weights` NULL: equal ones. */
static double
get_rmsd(const DebyeFrame *frame, const DebyeFrame *reference, const float *weights)
{
  double sum = 0.0, total = 0.0;
  for (gsize i = 0; i < frame->n_atoms; i++) {
    DebyeVec3 apart =
        debye_vec3_subtract(debye_frame_get_position(frame, i), debye_frame_get_position(reference, i));
    double weight = weights != NULL ? (double)weights[i] : 1.0;
    sum += weight * debye_vec3_dot(apart, apart);
    total += weight;
  }
  return sqrt(sum / total);
}

static void
test_known_rotation(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(1);
  for (int round = 0; round < 200; round++) {
    g_autoptr(DebyeFrame) reference = random_frame(random);
    g_autoptr(DebyeFrame) frame = debye_frame_copy(reference);
    DebyeSuperposition motion = random_motion(random), found;
    debye_superposition_apply(&motion, frame);
    double rmsd;
    g_assert_true(debye_superpose(frame, reference, NULL, 0, NULL, &found, &rmsd, NULL));
    /* Float coordinates of some 30 Å. */
    assert_near(rmsd, 0.0, 5e-6);
    assert_near(determinant(&found), 1.0, 1e-12);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        assert_near(found.rotation[a][b], motion.rotation[b][a], 1e-6);
    debye_superposition_apply(&found, frame);
    assert_near(get_rmsd(frame, reference, NULL), 0.0, 1e-5);
  }
}

/* The fit is a minimum: no small turn or shift makes it better. */
static void
test_minimum(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(2);
  float weights[N_ATOMS];
  for (int i = 0; i < N_ATOMS; i++)
    weights[i] = (float)g_rand_double_range(random, 1, 40);
  for (int round = 0; round < 50; round++) {
    g_autoptr(DebyeFrame) reference = random_frame(random);
    g_autoptr(DebyeFrame) frame = random_frame(random);
    const float *used = round % 2 ? weights : NULL;
    DebyeSuperposition found;
    double rmsd;
    g_assert_true(debye_superpose(frame, reference, NULL, 0, used, &found, &rmsd, NULL));
    debye_superposition_apply(&found, frame);
    assert_near(get_rmsd(frame, reference, used), rmsd, 1e-5);
    for (int k = 0; k < 20; k++) {
      g_autoptr(DebyeFrame) moved = debye_frame_copy(frame);
      DebyeVec3 turn = random_position(random, 0.02);
      DebyeSuperposition small = {{{1, -turn.z, turn.y}, {turn.z, 1, -turn.x}, {-turn.y, turn.x, 1}},
                                  found.to,
                                  debye_vec3_add(found.to, random_position(random, 0.02))};
      debye_superposition_apply(&small, moved);
      /* The linearised turn stretches by its square: 4e-4 of 26 Å. */
      g_assert_cmpfloat(get_rmsd(moved, reference, used), >, rmsd - 1e-3);
    }
  }
}

static void
test_mirror_image(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(3);
  g_autoptr(DebyeFrame) reference = random_frame(random);
  g_autoptr(DebyeFrame) frame = debye_frame_copy(reference);
  for (int i = 0; i < N_ATOMS; i++)
    frame->x[i] = -frame->x[i];
  DebyeSuperposition found;
  double rmsd;
  g_assert_true(debye_superpose(frame, reference, NULL, 0, NULL, &found, &rmsd, NULL));
  assert_near(determinant(&found), 1.0, 1e-12);
  g_assert_cmpfloat(rmsd, >, 1.0);
}

/* Points on a line, in a plane, or in one place leave the rotation open, but never improper or undefined. */
static void
test_degenerate(void)
{
  double line[][3] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}, turned[][3] = {{5, 5, 5}, {5, 6, 5}, {5, 8, 5}};
  double one[][3] = {{1, 2, 3}}, other[][3] = {{-4, 0, 9}};
  g_autoptr(DebyeFrame) a = small_frame_new(line, 3);
  g_autoptr(DebyeFrame) b = small_frame_new(turned, 3);
  g_autoptr(DebyeFrame) c = small_frame_new(one, 1);
  g_autoptr(DebyeFrame) d = small_frame_new(other, 1);
  DebyeSuperposition found;
  double rmsd;
  g_assert_true(debye_superpose(a, b, NULL, 0, NULL, &found, &rmsd, NULL));
  assert_near(rmsd, 0.0, 1e-6);
  assert_near(determinant(&found), 1.0, 1e-12);
  g_assert_true(debye_superpose(c, d, NULL, 0, NULL, &found, &rmsd, NULL));
  assert_near(rmsd, 0.0, 1e-6);
  assert_near(determinant(&found), 1.0, 1e-12);
}

/* Two atoms of equal weight pull the centre to their middle, one of all the weight to itself. */
static void
test_weights(void)
{
  double frame_positions[][3] = {{0, 0, 0}, {4, 0, 0}}, reference_positions[][3] = {{0, 0, 0}, {2, 0, 0}};
  g_autoptr(DebyeFrame) frame = small_frame_new(frame_positions, 2);
  g_autoptr(DebyeFrame) reference = small_frame_new(reference_positions, 2);
  const float heavy_first[] = {3, 1}, only_first[] = {1, 0};
  DebyeSuperposition found;
  double rmsd;
  g_assert_true(debye_superpose(frame, reference, NULL, 0, NULL, &found, &rmsd, NULL));
  assert_near(rmsd, 1.0, 1e-12);
  g_assert_true(debye_superpose(frame, reference, NULL, 0, heavy_first, &found, &rmsd, NULL));
  /* Centres at 1 and 0.5: distances 0.5 and 1.5 with weights 3 and 1. */
  assert_near(rmsd, sqrt((3 * 0.25 + 2.25) / 4), 1e-12);
  g_assert_true(debye_superpose(frame, reference, NULL, 0, only_first, &found, &rmsd, NULL));
  assert_near(rmsd, 0.0, 1e-12);
  assert_near(get_rmsd(frame, reference, NULL), sqrt(2.0), 1e-12);
}

static void
test_subset_and_not_finite(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  g_autoptr(DebyeFrame) reference = random_frame(random);
  g_autoptr(DebyeFrame) frame = debye_frame_copy(reference);
  DebyeSuperposition motion = random_motion(random), found;
  debye_superposition_apply(&motion, frame);
  debye_frame_set_position(frame, 7, debye_vec3(1000, 0, 0));
  frame->y[8] = NAN;
  reference->z[9] = INFINITY;
  const guint32 atoms[] = {0, 1, 2, 3, 8, 9, 20};
  double rmsd;
  g_assert_true(debye_superpose(frame, reference, atoms, G_N_ELEMENTS(atoms), NULL, &found, &rmsd, NULL));
  assert_near(rmsd, 0.0, 1e-5);
  g_autoptr(GError) error = NULL;
  g_assert_false(debye_superpose(frame, reference, atoms + 4, 2, NULL, &found, &rmsd, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
  g_clear_error(&error);
  g_autoptr(DebyeFrame) small = debye_frame_new(3);
  g_assert_false(debye_superpose(frame, small, NULL, 0, NULL, &found, &rmsd, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
}

/* Directions turn with the positions. */
static void
test_cell_and_velocities(void)
{
  double positions[][3] = {{1, 2, 3}};
  g_autoptr(DebyeFrame) frame = small_frame_new(positions, 1);
  small_frame_set_cell(frame, debye_vec3(10, 0, 0), debye_vec3(0, 20, 0), debye_vec3(0, 0, 30));
  g_assert_true(debye_frame_add_velocities(frame));
  frame->vx[0] = 1;
  DebyeSuperposition quarter = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {0, 0, 0}, {5, 5, 5}};
  debye_superposition_apply(&quarter, frame);
  assert_near((double)frame->x[0], 3, 0);
  assert_near((double)frame->y[0], 6, 0);
  assert_near((double)frame->vy[0], 1, 0);
  assert_near(frame->cell.a.y, 10, 0);
  assert_near(frame->cell.b.x, -20, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/superpose/known-rotation", test_known_rotation);
  g_test_add_func("/superpose/minimum", test_minimum);
  g_test_add_func("/superpose/mirror-image", test_mirror_image);
  g_test_add_func("/superpose/degenerate", test_degenerate);
  g_test_add_func("/superpose/weights", test_weights);
  g_test_add_func("/superpose/subset-and-not-finite", test_subset_and_not_finite);
  g_test_add_func("/superpose/cell-and-velocities", test_cell_and_velocities);
  return g_test_run();
}
