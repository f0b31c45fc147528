/* SPDX-License-Identifier: MIT */
/* Along which vectors is scattered: cases with a known answer. */
#include <glib/gstdio.h>
#include <math.h>

#include "app/analysis/scattering/system/scattering_vectors.h"
#include "data/files/error.h"

static GArray *
parse_q(const char *text)
{
  g_autoptr(GError) error = NULL;
  GArray *q = debye_scattering_parse_q(text, &error);
  g_assert_no_error(error);
  return q;
}

static void
test_q(void)
{
  g_autoptr(GArray) range = parse_q("0.1:0.5:0.1");
  g_autoptr(GArray) list = parse_q("2,0.5,2");
  g_autoptr(GError) error = NULL;
  g_assert_cmpuint(range->len, ==, 5);
  g_assert_cmpfloat_with_epsilon(g_array_index(range, double, 4), 0.5, 1e-12);
  g_assert_cmpuint(list->len, ==, 2);
  g_assert_cmpfloat(g_array_index(list, double, 0), ==, 0.5);
  g_assert_null(debye_scattering_parse_q("0.1,-2", &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
}

static DebyeVec3
get_vector(const DebyeScatteringVectors *vectors, gsize i)
{
  return g_array_index(vectors->vectors, DebyeVec3, i);
}

/* Directions whose mean is nothing and whose second moments are a third each. */
static void
check_isotropic(const char *text, double tolerance)
{
  g_auto(DebyeOrientation) orientation = {0};
  g_auto(DebyeScatteringVectors) vectors = {0};
  g_autoptr(GArray) q = parse_q("2");
  DebyeVec3 mean = {0}, square = {0};
  g_assert_true(debye_orientation_parse(&orientation, text, NULL));
  g_assert_true(debye_scattering_vectors_make(&vectors, q, &orientation, 5, NULL));
  guint n = vectors.vectors->len;
  g_assert_cmpuint(n, ==, orientation.n);
  for (guint i = 0; i < n; i++) {
    DebyeVec3 v = get_vector(&vectors, i);
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(v), 2.0, 1e-12);
    mean = debye_vec3_add(mean, debye_vec3_scale(v, 0.5 / n));
    square =
        debye_vec3_add(square, debye_vec3(0.25 * v.x * v.x / n, 0.25 * v.y * v.y / n, 0.25 * v.z * v.z / n));
  }
  g_assert_cmpfloat_with_epsilon(debye_vec3_length(mean), 0.0, tolerance);
  g_assert_cmpfloat_with_epsilon(square.x, 1.0 / 3.0, tolerance);
  g_assert_cmpfloat_with_epsilon(square.z, 1.0 / 3.0, tolerance);
}

static void
test_directions(void)
{
  check_isotropic("sphere:500", 2e-3);
  /* Three standard errors of a mean of 20,000. */
  check_isotropic("random:20000", 0.013);
}

/* The part along the axis stays; the length is what was asked for. */
static void
test_cylinder(void)
{
  g_auto(DebyeOrientation) orientation = {0};
  g_auto(DebyeScatteringVectors) vectors = {0};
  g_autoptr(GArray) q = parse_q("1.5");
  g_autoptr(GArray) small = parse_q("0.2");
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_orientation_parse(&orientation, "cylinder:7:1,1,0:0.9", NULL));
  g_assert_true(debye_scattering_vectors_make(&vectors, q, &orientation, 0, NULL));
  g_assert_cmpuint(vectors.vectors->len, ==, 7);
  for (guint i = 0; i < 7; i++) {
    DebyeVec3 v = get_vector(&vectors, i);
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(v), 1.5, 1e-12);
    g_assert_cmpfloat_with_epsilon((v.x + v.y) / sqrt(2.0), 0.9, 1e-12);
  }
  debye_scattering_vectors_clear(&vectors);
  g_assert_false(debye_scattering_vectors_make(&vectors, small, &orientation, 0, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE);
}

/* A simple cubic lattice has 6, 12, 8, 6, 24 vectors at 1, √2, √3, 2, √5 steps. */
static void
test_cubic_shells(void)
{
  static const double lengths[] = {1.0, 1.4142135623730951, 1.7320508075688772, 2.0, 2.23606797749979};
  static const guint numbers[] = {6, 12, 8, 6, 24};
  const DebyeCell cell = {{2.0 * G_PI, 0.0, 0.0}, {0.0, 2.0 * G_PI, 0.0}, {0.0, 0.0, 2.0 * G_PI}};
  g_autoptr(GArray) q = parse_q("1,1.4142,1.7321,2,2.2361");
  g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
  for (guint both = 0; both < 2; both++) {
    g_auto(DebyeScatteringVectors) vectors = {0};
    g_assert_true(debye_scattering_vectors_lattice(&vectors, owner, &cell, q, both == 1, 1000, NULL));
    g_assert_cmpuint(vectors.shells->len, ==, 5);
    for (guint s = 0; s < 5; s++) {
      const DebyeScatteringShell *shell = &g_array_index(vectors.shells, DebyeScatteringShell, s);
      g_assert_cmpuint(shell->n, ==, both == 1 ? numbers[s] : numbers[s] / 2);
      g_assert_cmpfloat_with_epsilon(shell->q, lengths[s], 1e-9);
    }
  }
}

/* In a skewed cell, too, every vector makes a whole number of turns along every edge. */
static void
test_skewed_lattice(void)
{
  const DebyeCell cell = {{10.0, 1.0, 0.0}, {-3.0, 9.0, 2.0}, {4.0, 0.5, 12.0}};
  g_autoptr(GArray) q = parse_q("0.5:2:0.25");
  g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_auto(DebyeScatteringVectors) vectors = {0};
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_scattering_vectors_lattice(&vectors, owner, &cell, q, FALSE, 100000, NULL));
  for (guint i = 0; i < vectors.vectors->len; i++) {
    DebyeVec3 v = get_vector(&vectors, i);
    g_assert_true(debye_reciprocal_lattice_has(&cell, v));
    g_assert_false(debye_reciprocal_lattice_has(&cell, debye_vec3_scale(v, 1.01)));
  }
  /* As many as the volume of the shell holds: V·(4/3)π(2.125³ − 0.375³)/(2π)³, within its surface's noise. */
  double expected = fabs(debye_cell_volume(&cell)) * 4.0 / 3.0 * G_PI * (pow(2.125, 3) - pow(0.375, 3)) /
                    pow(2.0 * G_PI, 3);
  g_assert_cmpfloat_with_epsilon(2.0 * vectors.vectors->len, expected, 0.05 * expected);
  g_auto(DebyeScatteringVectors) few = {0};
  g_assert_false(debye_scattering_vectors_lattice(&few, owner, &cell, q, FALSE, 10, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_LIMIT);
}

/* A list that was made before is handed out again, whatever one of those who have it does with theirs. */
static void
test_kept_lattice(void)
{
  const DebyeCell cell = {{20.0, 0.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 20.0}};
  const DebyeCell other = {{20.0, 0.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 21.0}};
  g_autoptr(GArray) q = parse_q("0.5:2:0.25");
  g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_auto(DebyeScatteringVectors) first = {0}, thin = {0}, again = {0}, both = {0}, moved = {0};
  g_assert_true(debye_scattering_vectors_lattice(&first, owner, &cell, q, FALSE, 100000, NULL));
  g_assert_true(debye_scattering_vectors_lattice(&thin, owner, &cell, q, FALSE, 100000, NULL));
  g_assert_true(thin.vectors == first.vectors);
  const guint n = first.vectors->len;
  g_assert_cmpuint(debye_scattering_vectors_thin(&thin, 10, 1), ==, n);
  g_assert_cmpuint(thin.vectors->len, ==, 10 * thin.shells->len);
  g_assert_true(debye_scattering_vectors_lattice(&again, owner, &cell, q, FALSE, 100000, NULL));
  g_assert_true(again.vectors == first.vectors);
  g_assert_cmpuint(again.vectors->len, ==, n);
  g_assert_false(debye_scattering_vectors_lattice(&moved, owner, &cell, q, FALSE, n - 1, NULL));
  debye_scattering_vectors_clear(&moved);
  g_assert_true(debye_scattering_vectors_lattice(&both, owner, &cell, q, TRUE, 100000, NULL));
  g_assert_cmpuint(both.vectors->len, ==, 2 * n);
  g_assert_true(debye_scattering_vectors_lattice(&moved, owner, &other, q, TRUE, 100000, NULL));
  g_assert_cmpuint(moved.vectors->len, >, 2 * n);
}

static gboolean
read_text(const char *text, const GArray *q, DebyeScatteringVectors *vectors, GError **error)
{
  g_autofree char *path = NULL;
  int file = g_file_open_tmp("debye-vectors-XXXXXX", &path, NULL);
  g_assert_cmpint(file, >=, 0);
  g_close(file, NULL);
  g_assert_true(g_file_set_contents(path, text, -1, NULL));
  gboolean good = debye_scattering_vectors_read(vectors, path, q, error);
  g_unlink(path);
  return good;
}

static void
test_vector_file(void)
{
  g_auto(DebyeScatteringVectors) vectors = {0};
  g_auto(DebyeScatteringVectors) directions = {0};
  g_autoptr(GArray) q = parse_q("1,3");
  g_assert_true(read_text("# qx qy qz\n0.1 0 0\n\n0 -2e-1 0.5 # last\n", NULL, &vectors, NULL));
  g_assert_cmpuint(vectors.shells->len, ==, 2);
  g_assert_cmpfloat(get_vector(&vectors, 1).y, ==, -0.2);
  g_assert_true(read_text("0 0 5\n3 0 4\n", q, &directions, NULL));
  g_assert_cmpuint(directions.vectors->len, ==, 4);
  g_assert_cmpfloat_with_epsilon(get_vector(&directions, 3).x, 1.8, 1e-12);
}

static void
test_bad_vector_file(void)
{
  static const struct {
    const char *text, *words;
  } cases[] = {{"", "found none"},
               {"1 2 3\n1 2\n", "line 2: expected three numbers, qx qy qz, found 2 fields"},
               {"1 2 3 4\n", "found more than 3 fields"},
               {"1 x 3\n", "line 1: expected a number for qy, found “x”"},
               {"1 nan 3\n", "line 1"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_auto(DebyeScatteringVectors) vectors = {0};
    g_autoptr(GError) error = NULL;
    g_assert_false(read_text(cases[i].text, NULL, &vectors, &error));
    g_assert_nonnull(error);
    g_assert_nonnull(strstr(error->message, cases[i].words));
  }
}

static void
test_orientation_text(void)
{
  static const char *const good[] = {"none",
                                     "none:1,0,0",
                                     "sphere:50",
                                     "random:3",
                                     "cylinder:9",
                                     "cylinder:9:0,0,1",
                                     "lattice",
                                     "exact",
                                     "multipole:20",
                                     "vectors:a:b",
                                     "multipole:5:cylinder:0,1,0"};
  static const char *const bad[] = {
      "",        "sphere",   "sphere:0",         "sphere:5:1", "cylinder:9:0,0,0", "multipole",    "exact:3",
      "Lattice", "none:1,2", "multipole:5:cube", "vectors:",   "sphere:1e3",       "multipole:999"};
  for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
    g_auto(DebyeOrientation) orientation = {0};
    g_assert_true(debye_orientation_parse(&orientation, good[i], NULL));
  }
  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_auto(DebyeOrientation) orientation = {0};
    g_autoptr(GError) error = NULL;
    g_assert_false(debye_orientation_parse(&orientation, bad[i], &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/scattering-vectors/q", test_q);
  g_test_add_func("/scattering-vectors/directions", test_directions);
  g_test_add_func("/scattering-vectors/cylinder", test_cylinder);
  g_test_add_func("/scattering-vectors/cubic-shells", test_cubic_shells);
  g_test_add_func("/scattering-vectors/skewed-lattice", test_skewed_lattice);
  g_test_add_func("/scattering-vectors/kept-lattice", test_kept_lattice);
  g_test_add_func("/scattering-vectors/file", test_vector_file);
  g_test_add_func("/scattering-vectors/bad-file", test_bad_vector_file);
  g_test_add_func("/scattering-vectors/orientation", test_orientation_text);
  return g_test_run();
}
