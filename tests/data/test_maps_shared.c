/* SPDX-License-Identifier: MIT */
/* Every map of the reference data reads as the independent reader of those data says; broken ones as
 * expected. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/results/field.h"
#include "map_support.h"
#include "tests/support/shared.h"

#define BOHR 0.529177210903

static const char *shared;

/* From facts.json: shape, origin, steps, sum, least and greatest value; z fastest: the first values and the
 * last. Lengths of cubes in bohr, as in their files. */
typedef struct {
  const char *path;
  gsize shape[3];
  DebyeGrid grid;
  double sum, minimum, maximum;
  float first[4], last;
  const char *unit;
} Facts;

/* clang-format off */
#define STEPS(x, y, z) {{x, 0, 0}, {0, y, 0}, {0, 0, z}}
/* clang-format on */

static const Facts facts[] = {
    {"map/aelta.cube",
     {12, 12, 12},
     {.origin = {0, 1.2 * BOHR, 0},
      .step = {{1.8626 * BOHR, 0.1 * BOHR, 0}, {0, 1.8626 * BOHR, 0}, {0, 0, 1.8626 * BOHR}}},
     473.203977204059,
     1.5967e-09,
     5.71847,
     {9.49232e-06f, 4.54845e-05f, 0.000718183f, 0.00785073f},
     0.000209856f,
     ""},
    {"map/grid20.cube",
     {20, 20, 20},
     {.origin = {-7.230385 * BOHR, -7.775379 * BOHR, -12.555472 * BOHR},
      .step = STEPS(1.1513 * BOHR, 1.215025 * BOHR, 1.239406 * BOHR)},
     0.40882979114874135,
     -0.00127917,
     0.173418,
     {2.19227e-19f, 1.86674e-18f, 1.24846e-17f, 6.49373e-17f},
     7.36329e-22f,
     ""},
    {"map/grid25mo.cube",
     {25, 25, 25},
     {.origin = {-5.980529 * BOHR, -8.762162 * BOHR, -9.017514 * BOHR},
      .step = STEPS(0.782578 * BOHR, 0.745579 * BOHR, 0.709694 * BOHR)},
     -0.3192482842715536,
     -0.317914,
     0.310767,
     {0, 0, 0, 0},
     0,
     "bohr^-3/2"},
    {"map/valtest.cube",
     {1, 1, 5},
     {.origin = {-2 * BOHR, -2 * BOHR, -2 * BOHR}, .step = STEPS(BOHR, BOHR, BOHR)},
     0.0,
     -100.0,
     100.0,
     {-100.0f, -0.01f, 0.0f, 0.01f},
     100.0f,
     ""},
    {"map/apbs_born_vac.dx.gz",
     {33, 33, 33},
     {.origin = {-12, -12, -12}, .step = STEPS(0.75, 0.75, 0.75)},
     1925542.8509,
     26.79867,
     2358.663,
     {26.79867f, 27.35648f, 27.91112f, 28.45905f},
     26.79867f,
     "kT/e"},
    {"map/apbs_fas2_solv.dx.gz",
     {33, 33, 33},
     {.origin = {-33.3, -31.8, -6.6}, .step = STEPS(2, 2, 2)},
     6415.051713903945,
     -105.1916,
     106.226,
     {0.001037477f, 0.001190247f, 0.001351509f, 0.001517641f},
     0.0007163252f,
     "kT/e"},
    {"map/apbs_fas2_vac.dx.gz",
     {33, 33, 33},
     {.origin = {-33.3, -31.8, -6.6}, .step = STEPS(2, 2, 2)},
     2832320.4025407,
     -269.2313,
     433.2304,
     {42.91284f, 43.65537f, 44.36551f, 45.03493f},
     39.98907f,
     "kT/e"},
    {"map/cpptraj_nonortho.dx",
     {50, 50, 50},
     {.step = {{0.848777, 0, 0}, {-0.282926, 0.800235, 0}, {-0.282926, -0.400117, 0.693024}}},
     18394.0,
     0.0,
     5.0,
     {0, 0, 0, 1},
     0,
     ""},
    {"map/cpptraj_out.dx",
     {20, 20, 20},
     {.origin = {-5, -5, -5}, .step = STEPS(0.5, 0.5, 0.5)},
     38.0,
     0.0,
     2.0,
     {0, 0, 0, 0},
     0,
     ""},
    {"map/test.dx",
     {2, 2, 2},
     {.origin = {20.1, 3, -10}, .step = STEPS(1, 1, 1)},
     -999993.999999,
     -1e6,
     1.0,
     {1, 1, 1, 1},
     1,
     ""},
    {"map/test.dx.gz",
     {2, 2, 2},
     {.origin = {20.1, 3, -10}, .step = STEPS(1, 1, 1)},
     -999993.999999,
     -1e6,
     1.0,
     {1, 1, 1, 1},
     1,
     ""},
};

static char *
shared_path(const char *path)
{
  return g_build_filename(shared, "data", path, NULL);
}

static DebyeField *
load(const char *path)
{
  GError *error = NULL;
  g_autofree char *full = shared_path(path);
  DebyeField *field = debye_field_load(full, &error);
  g_assert_no_error(error);
  return field;
}

static void
assert_near(DebyeVec3 u, DebyeVec3 v)
{
  g_assert_cmpfloat(debye_vec3_length(debye_vec3_subtract(u, v)), <=, 1e-12 * (1.0 + debye_vec3_length(v)));
}

static double
sum_of(DebyeField *field)
{
  const float *values = debye_field_get_values(field);
  double sum = 0.0;
  for (gsize i = 0; i < debye_grid_n_points(debye_field_get_grid(field)); i++)
    sum += values[i];
  return sum;
}

static void
test_facts(gconstpointer data)
{
  const Facts *expected = data;
  g_autoptr(DebyeField) field = load(expected->path);
  const DebyeGrid *grid = debye_field_get_grid(field);
  const float *values = debye_field_get_values(field);
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  for (int axis = 0; axis < 3; axis++) {
    g_assert_cmpuint(grid->shape[axis], ==, expected->shape[axis]);
    assert_near(grid->step[axis], expected->grid.step[axis]);
  }
  assert_near(grid->origin, expected->grid.origin);
  gsize n = debye_grid_n_points(grid);
  g_assert_cmpuint(debye_field_get_n_finite(field), ==, n);
  /* Each value is a float here, a double there: half a unit in the 24th bit, of the greatest value. */
  double rounding = ldexp(MAX(fabs(expected->minimum), fabs(expected->maximum)), -24);
  g_assert_cmpfloat(fabs(sum_of(field) - expected->sum), <=, rounding * (double)n);
  g_assert_cmpfloat((float)statistics.minimum, ==, (float)expected->minimum);
  g_assert_cmpfloat((float)statistics.maximum, ==, (float)expected->maximum);
  for (gsize k = 0; k < 4; k++) {
    /* The k-th value of the file. */
    gsize z = k % grid->shape[2], y = k / grid->shape[2];
    g_assert_cmpfloat(values[grid->shape[0] * (y % grid->shape[1] + grid->shape[1] * z)], ==,
                      expected->first[k]);
  }
  g_assert_cmpfloat(values[n - 1], ==, expected->last);
  g_assert_cmpstr(debye_field_get_unit(field), ==, expected->unit);
  g_assert_null(debye_field_get_warnings(field)[0]);
}

/* facts.json's value_at_1_2_3: indices along x, y, z. */
static void
test_order(void)
{
  g_autoptr(DebyeField) born = load("map/apbs_born_vac.dx.gz");
  g_autoptr(DebyeField) vacuum = load("map/apbs_fas2_vac.dx.gz");
  gsize at = 1 + 33 * (2 + 33 * 3);
  g_assert_cmpfloat(debye_field_get_values(born)[at], ==, 30.57415f);
  g_assert_cmpfloat(debye_field_get_values(vacuum)[at], ==, 49.07472f);
}

static void
test_ccp4(void)
{
  g_autoptr(DebyeField) field = load("map/test.ccp4");
  const DebyeGrid *grid = debye_field_get_grid(field);
  const gsize shape[3] = {8, 4, 6};
  const DebyeVec3 steps[3] = {{6.0 / 8, 0, 0}, {0, 2.0 / 4, 0}, {0, 0, 4.0 / 6}};
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  for (int axis = 0; axis < 3; axis++) {
    g_assert_cmpuint(grid->shape[axis], ==, shape[axis]);
    assert_near(grid->step[axis], steps[axis]);
  }
  assert_near(grid->origin, debye_vec3(0, 0, 0));
  g_assert_cmpfloat(sum_of(field), ==, 18528.0);
  g_assert_cmpfloat(statistics.minimum, ==, 1.0);
  g_assert_cmpfloat(statistics.maximum, ==, 192.0);
}

static void
test_not_finite(void)
{
  g_autoptr(DebyeField) field = load("broken/dx_nan.dx");
  DebyeFieldStatistics statistics;
  debye_field_get_statistics(field, &statistics);
  g_assert_cmpuint(debye_field_get_n_finite(field), ==, 8000 - 2);
  g_assert_nonnull(strstr(debye_field_get_warnings(field)[0], "2 of 8000 values are not finite"));
  g_assert_true(isfinite(statistics.rms) && isfinite(debye_field_get_percentile(field, 0.98)));
  g_assert_cmpfloat(statistics.minimum, ==, 0.0);
  g_assert_cmpfloat(statistics.maximum, ==, 2.0);
}

typedef struct {
  const char *path;
  int code;
} Broken;

static const Broken broken[] = {
    {"broken/dx_short.dx", DEBYE_ERROR_LIMIT},
    {"broken/dx_counts_huge.dx", DEBYE_ERROR_LIMIT},
    {"broken/cube_short.cube", DEBYE_ERROR_TRUNCATED},
    {"broken/cube_counts_huge.cube", DEBYE_ERROR_LIMIT},
    {"broken/h5_cut.h5", DEBYE_ERROR_SYNTAX},
    {"broken/h5_garbage_superblock.h5", DEBYE_ERROR_SYNTAX},
    {"broken/empty.dx", DEBYE_ERROR_UNKNOWN},
    {"broken/empty.cube", DEBYE_ERROR_UNKNOWN},
    {"broken/empty.h5", DEBYE_ERROR_UNKNOWN},
    {"h5/frame0.h5", DEBYE_ERROR_MISSING},
    {"h5/cu.h5md", DEBYE_ERROR_MISSING},
    {"pqr/fas2.pqr", DEBYE_ERROR_UNKNOWN},
};

static void
test_broken(gconstpointer data)
{
  const Broken *file = data;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = shared_path(file->path);
  g_autofree char *name = g_path_get_basename(path);
  g_assert_null(debye_field_load(path, &error));
  g_test_message("%s", error->message);
  g_assert_error(error, DEBYE_ERROR, file->code);
  g_assert_true(g_str_has_prefix(error->message, name));
}

/* The same files as requests: nothing of ours in them. */
static void
test_broken_results(void)
{
  static const char *const paths[] = {"broken/h5_cut.h5", "broken/h5_garbage_superblock.h5",
                                      "broken/empty.h5", "h5/frame0.h5", "h5/mda_test.h5md"};
  for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *path = shared_path(paths[i]);
    g_assert_null(debye_result_load(path, map_support_find_table, &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    g_assert_null(debye_result_load_request(path, map_support_find_table, NULL, &error));
    g_assert_nonnull(error);
  }
}

int
main(int argc, char **argv)
{
  shared = debye_shared_get_folder();
  if (shared == NULL)
    return DEBYE_TEST_SKIPPED;
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(facts); i++) {
    g_autofree char *name = g_strconcat("/maps/facts/", facts[i].path, NULL);
    g_test_add_data_func(name, &facts[i], test_facts);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(broken); i++) {
    g_autofree char *name = g_strconcat("/maps/broken/", broken[i].path, NULL);
    g_test_add_data_func(name, &broken[i], test_broken);
  }
  g_test_add_func("/maps/order", test_order);
  g_test_add_func("/maps/ccp4", test_ccp4);
  g_test_add_func("/maps/not-finite", test_not_finite);
  g_test_add_func("/maps/broken-results", test_broken_results);
  return g_test_run();
}
