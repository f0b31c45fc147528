/* SPDX-License-Identifier: MIT */
/* Hydrogens by geometry: bond lengths and angles of AMBER's parm10, and which of two is which after IUPAC, about an atom whose
 * heavy neighbours are ideal. */
#include "data/prepare/hydrogen_site.h"

#define TOLERANCE 1e-9 /* double precision, over a few operations */
#define TETRAHEDRAL 109.47122063449069

static double
get_angle(DebyeVec3 a, DebyeVec3 b, DebyeVec3 c)
{
  return debye_vec3_angle(debye_vec3_subtract(a, b), debye_vec3_subtract(c, b));
}

static double
get_distance(DebyeVec3 a, DebyeVec3 b)
{
  return debye_vec3_length(debye_vec3_subtract(a, b));
}

/* Places by internal coordinates are measured back by bond, angle and torsion of their own definitions. */
static void
test_torsion(void)
{
  const DebyeVec3 a = {1.0, 0.5, -0.3}, b = {0.2, 0.1, 0.0}, c = {0.1, -1.2, 0.4};
  DebyeVec3 position;
  for (double torsion = -150.0; torsion < 180.0; torsion += 30.0) {
    g_assert_true(debye_place_by_torsion(a, b, c, 1.4, 112.0, torsion, &position));
    const DebyeVec3 along = debye_vec3_subtract(c, b);
    const DebyeVec3 first = debye_vec3_cross(debye_vec3_subtract(b, a), along);
    const DebyeVec3 second = debye_vec3_cross(along, debye_vec3_subtract(position, c));
    const double sign = debye_vec3_dot(first, debye_vec3_subtract(position, c)) < 0.0 ? -1.0 : 1.0;
    g_assert_cmpfloat_with_epsilon(get_distance(position, c), 1.4, TOLERANCE);
    g_assert_cmpfloat_with_epsilon(get_angle(position, c, b), 112.0, 1e-6);
    g_assert_cmpfloat_with_epsilon(sign * debye_vec3_angle(first, second), torsion, 1e-5);
  }
  g_assert_false(debye_place_by_torsion(debye_vec3(2, 0, 0), debye_vec3(1, 0, 0), debye_vec3(0, 0, 0), 1.0,
                                        100.0, 0.0, &position));
}

/* Four bonds of a tetrahedron: the fourth is what is left. */
static void
test_one_on_three(void)
{
  DebyeHydrogenSite site = {
      .element = 6, .n_neighbours = 3, .neighbours = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}}, .n_hydrogens = 1};
  DebyeVec3 positions[DEBYE_SITE_HYDROGENS];
  g_assert_true(debye_hydrogen_site_place(&site, positions));
  g_assert_cmpfloat_with_epsilon(get_distance(positions[0], site.center), 1.09, TOLERANCE);
  for (int k = 0; k < 3; k++)
    g_assert_cmpfloat_with_epsilon(get_angle(positions[0], site.center, site.neighbours[k]), TETRAHEDRAL,
                                   1e-6);
  /* In one plane they leave no direction. */
  site.neighbours[0] = debye_vec3(1, 0, 0);
  site.neighbours[1] = debye_vec3(-0.5, 0.8660254037844386, 0);
  site.neighbours[2] = debye_vec3(-0.5, -0.8660254037844386, 0);
  g_assert_false(debye_hydrogen_site_place(&site, positions));
}

/* Glycine's Cα with N and C: H–C–H as in parm10, and pro-R first, which is HA2. */
static void
test_two_on_two(void)
{
  const DebyeHydrogenSite site = {
      .element = 6, .n_neighbours = 2, .neighbours = {{1, 1, 1}, {1, -1, -1}}, .n_hydrogens = 2};
  DebyeVec3 positions[DEBYE_SITE_HYDROGENS];
  g_assert_true(debye_hydrogen_site_place(&site, positions));
  g_assert_cmpfloat_with_epsilon(get_angle(positions[0], site.center, positions[1]), 109.5, 1e-6);
  for (int k = 0; k < 2; k++) {
    g_assert_cmpfloat_with_epsilon(get_distance(positions[k], site.center), 1.09, TOLERANCE);
    g_assert_cmpfloat_with_epsilon(get_angle(positions[k], site.center, site.neighbours[0]), TETRAHEDRAL,
                                   0.02);
  }
  /* Seen with the second hydrogen behind, N, C and the first turn right: N > C > pro-R by rank. */
  const DebyeVec3 turn = debye_vec3_cross(site.neighbours[0], site.neighbours[1]);
  g_assert_cmpfloat(debye_vec3_dot(turn, positions[0]), <, 0.0);
  g_assert_cmpfloat(debye_vec3_dot(turn, positions[1]), >, 0.0);
}

/* A methyl group staggers: its first hydrogen is opposite of the reference. */
static void
test_methyl(void)
{
  const DebyeHydrogenSite site = {.element = 6,
                                  .center = {1.53, 0, 0},
                                  .n_neighbours = 1,
                                  .neighbours = {{0, 0, 0}},
                                  .reference = {-0.5, 1.4, 0},
                                  .torsion = 180.0,
                                  .n_hydrogens = 3};
  DebyeVec3 positions[DEBYE_SITE_HYDROGENS];
  g_assert_true(debye_hydrogen_site_place(&site, positions));
  g_assert_cmpfloat(positions[0].y, <, 0.0);
  g_assert_cmpfloat_with_epsilon(positions[0].z, 0.0, TOLERANCE);
  for (int k = 0; k < 3; k++) {
    g_assert_cmpfloat_with_epsilon(get_angle(positions[k], site.center, site.neighbours[0]), 109.5, 1e-6);
    /* cos HCH = cos² 109.5° − ½ sin² 109.5° */
    g_assert_cmpfloat_with_epsilon(get_angle(positions[k], site.center, positions[(k + 1) % 3]), 109.4424,
                                   1e-3);
  }
}

/* Amides and rings are flat; acids, alcohols, phenols and thiols have angles of their own. */
static void
test_planar(void)
{
  DebyeVec3 positions[DEBYE_SITE_HYDROGENS];
  DebyeHydrogenSite site = {.element = 7,
                            .is_planar = TRUE,
                            .n_neighbours = 1,
                            .neighbours = {{-1.3, 0, 0}},
                            .reference = {-1.9, 1.2, 0},
                            .n_hydrogens = 2};
  g_assert_true(debye_hydrogen_site_place(&site, positions));
  g_assert_cmpfloat(positions[0].y, >, 0.0);
  g_assert_cmpfloat(positions[1].y, <, 0.0);
  for (int k = 0; k < 2; k++) {
    g_assert_cmpfloat_with_epsilon(positions[k].z, 0.0, TOLERANCE);
    g_assert_cmpfloat_with_epsilon(get_distance(positions[k], site.center), 1.01, TOLERANCE);
    g_assert_cmpfloat_with_epsilon(get_angle(positions[k], site.center, site.neighbours[0]), 120.0, 1e-6);
  }
  site.n_neighbours = 2;
  site.neighbours[1] = debye_vec3(0.65, 1.1258330249, 0);
  site.n_hydrogens = 1;
  g_assert_true(debye_hydrogen_site_place(&site, positions));
  g_assert_cmpfloat_with_epsilon(get_angle(positions[0], site.center, site.neighbours[1]), 120.0, 1e-6);
}

static void
test_hydroxyls(void)
{
  static const struct {
    guint8 element;
    gboolean is_planar;
    double length, angle;
  } kinds[] = {{8, FALSE, 0.96, 108.5}, {8, TRUE, 0.96, 113.0}, {16, FALSE, 1.336, 96.0}};
  for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
    const DebyeHydrogenSite site = {.element = kinds[k].element,
                                    .is_planar = kinds[k].is_planar,
                                    .n_neighbours = 1,
                                    .neighbours = {{0, 1.4, 0}},
                                    .reference = {1, 2, 0},
                                    .n_hydrogens = 1};
    DebyeVec3 position[DEBYE_SITE_HYDROGENS];
    g_assert_true(debye_hydrogen_site_place(&site, position));
    g_assert_cmpfloat_with_epsilon(get_distance(position[0], site.center), kinds[k].length, TOLERANCE);
    g_assert_cmpfloat_with_epsilon(get_angle(position[0], site.center, site.neighbours[0]), kinds[k].angle,
                                   1e-6);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/hydrogen-site/torsion", test_torsion);
  g_test_add_func("/hydrogen-site/one-on-three", test_one_on_three);
  g_test_add_func("/hydrogen-site/two-on-two", test_two_on_two);
  g_test_add_func("/hydrogen-site/methyl", test_methyl);
  g_test_add_func("/hydrogen-site/planar", test_planar);
  g_test_add_func("/hydrogen-site/hydroxyls", test_hydroxyls);
  return g_test_run();
}
