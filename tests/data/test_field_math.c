/* SPDX-License-Identifier: MIT */
/* Differences, profiles and lines of maps whose values are known functions of the place. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/results/field_math.h"

/* V = 2x − y + 3z + 0.5, which every linear interpolation keeps. */
static double
plane_function(DebyeVec3 p)
{
  return 2.0 * p.x - p.y + 3.0 * p.z + 0.5;
}

static DebyeField *
new_field(const DebyeGrid *grid, const char *unit, double scale)
{
  float *values = g_new(float, debye_grid_n_points(grid));
  gsize at = 0;
  for (gsize k = 0; k < grid->shape[2]; k++)
    for (gsize j = 0; j < grid->shape[1]; j++)
      for (gsize i = 0; i < grid->shape[0]; i++)
        values[at++] =
            (float)(scale * plane_function(debye_grid_point(grid, (double)i, (double)j, (double)k)));
  return debye_field_new_of_kind(DEBYE_FIELD_POTENTIAL, grid, values, unit);
}

static const DebyeGrid straight = {
    {-1.0, 2.0, 5.0}, {{0.5, 0.0, 0.0}, {0.0, 0.25, 0.0}, {0.0, 0.0, 0.75}}, {5, 6, 7}};
static const DebyeGrid skew = {
    {0.0, 0.0, 0.0}, {{0.5, 0.0, 0.0}, {0.25, 0.5, 0.0}, {0.1, 0.2, 0.4}}, {4, 5, 6}};

static void
test_difference(void)
{
  g_autoptr(DebyeField) a = new_field(&straight, "V", 3.0);
  g_autoptr(DebyeField) b = new_field(&straight, "", 1.0);
  g_autoptr(DebyeField) difference = debye_field_subtract(a, b, NULL);
  g_autoptr(DebyeField) expected = new_field(&straight, "V", 2.0);
  g_assert_cmpstr(debye_field_get_unit(difference), ==, "V");
  g_assert_cmpstr(debye_field_get_name(difference), ==, "potential difference");
  g_assert_cmpint(debye_field_get_kind(difference), ==, DEBYE_FIELD_ANY);
  for (gsize i = 0; i < debye_grid_n_points(&straight); i++)
    g_assert_cmpfloat_with_epsilon(debye_field_get_values(difference)[i], debye_field_get_values(expected)[i],
                                   2e-5f);
}

static void
test_mismatches(void)
{
  DebyeGrid moved = straight, nearly = straight, other = straight;
  moved.origin.x += 0.01;
  nearly.origin.x += 1e-5;
  other.shape[0] = 6;
  g_assert_true(debye_grid_is_same(&straight, &nearly));
  g_assert_false(debye_grid_is_same(&straight, &moved));
  g_assert_false(debye_grid_is_same(&straight, &other));
  g_autoptr(DebyeField) a = new_field(&straight, "V", 1.0);
  g_autoptr(DebyeField) b = new_field(&straight, "kT/e", 1.0);
  g_autoptr(DebyeField) c = new_field(&moved, "V", 1.0);
  g_autoptr(GError) units = NULL;
  g_autoptr(GError) grids = NULL;
  g_assert_null(debye_field_subtract(a, b, &units));
  g_assert_error(units, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
  g_assert_nonnull(strstr(units->message, "kT/e"));
  g_assert_false(debye_field_can_subtract(a, b, NULL));
  g_assert_null(debye_field_subtract(a, c, &grids));
  g_assert_error(grids, DEBYE_ERROR, DEBYE_ERROR_MISMATCH);
}

/* The mean over a plane of a linear function is its value in the plane's middle. */
static void
check_profile(const DebyeGrid *grid, int axis, const char *x_name, double first, double step)
{
  g_autoptr(DebyeField) field = new_field(grid, "V", 1.0);
  g_autoptr(DebyeCurve) curve = debye_field_get_profile(field, axis);
  g_assert_cmpuint(debye_curve_get_n_points(curve), ==, grid->shape[axis]);
  g_assert_cmpstr(debye_curve_get_x_quantity(curve)->name, ==, x_name);
  g_assert_cmpstr(debye_curve_get_y_quantity(curve)->unit, ==, "V");
  for (gsize plane = 0; plane < grid->shape[axis]; plane++) {
    double at[3];
    for (int i = 0; i < 3; i++)
      at[i] = i == axis ? (double)plane : 0.5 * (double)(grid->shape[i] - 1);
    g_assert_cmpfloat_with_epsilon(debye_curve_get_x(curve)[plane], first + step * (double)plane, 1e-12);
    g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[plane],
                                   plane_function(debye_grid_point(grid, at[0], at[1], at[2])), 1e-5);
  }
}

static void
test_profiles(void)
{
  check_profile(&straight, 0, "x", -1.0, 0.5);
  check_profile(&straight, 1, "y", 2.0, 0.25);
  check_profile(&straight, 2, "z", 5.0, 0.75);
  /* The planes of a and b are perpendicular to z, and 0.4 Å apart, though the third step leans. */
  check_profile(&skew, 2, "distance", 0.0, 0.4);
}

static void
test_gap(void)
{
  float *values = g_new(float, 8);
  const DebyeGrid grid = {{0.0, 0.0, 0.0}, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {2, 2, 2}};
  for (int i = 0; i < 8; i++)
    values[i] = i < 4 ? NAN : i == 5 ? NAN : (float)i;
  g_autoptr(DebyeField) field = debye_field_new_take("potential", &grid, values, "V");
  g_autoptr(DebyeCurve) curve = debye_field_get_profile(field, 2);
  g_assert_true(isnan(debye_curve_get_y(curve)[0]));
  g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[1], (4.0 + 6.0 + 7.0) / 3.0, 1e-12);
}

static void
test_line(void)
{
  g_autoptr(DebyeField) field = new_field(&straight, "V", 1.0);
  DebyeVec3 from = {-0.9, 2.1, 5.2}, to = {0.9, 3.1, 9.0};
  g_autoptr(DebyeCurve) curve = debye_field_get_line(field, from, to, 11);
  double length = debye_vec3_length(debye_vec3_subtract(to, from));
  g_assert_cmpfloat_with_epsilon(debye_curve_get_x(curve)[10], length, 1e-12);
  for (int i = 0; i <= 10; i++) {
    DebyeVec3 p = debye_vec3_add(from, debye_vec3_scale(debye_vec3_subtract(to, from), 0.1 * i));
    g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[i], plane_function(p), 2e-5);
  }
  g_autoptr(DebyeCurve) outside = debye_field_get_line(field, from, debye_vec3(50.0, 0.0, 0.0), 3);
  g_assert_true(isnan(debye_curve_get_y(outside)[2]));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field-math/difference", test_difference);
  g_test_add_func("/field-math/mismatches", test_mismatches);
  g_test_add_func("/field-math/profiles", test_profiles);
  g_test_add_func("/field-math/gap", test_gap);
  g_test_add_func("/field-math/line", test_line);
  return g_test_run();
}
