/* SPDX-License-Identifier: MIT */
/* What is made of maps as results: which parts they have, what is refused, and that they come back from their
 * files. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/analysis/analysis_list.h"
#include "app/analysis/map/field_run.h"
#include "app/analysis/map/field_settings.h"
#include "data/files/error.h"

static const DebyeGrid grid = {
    {-1.0, -2.0, -3.0}, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {3, 5, 7}};

/* V = scale · z. */
static DebyeField *
new_map(double scale)
{
  float *values = g_new(float, debye_grid_n_points(&grid));
  for (gsize i = 0; i < debye_grid_n_points(&grid); i++)
    values[i] = (float)(scale * (grid.origin.z + (double)(i / (grid.shape[0] * grid.shape[1]))));
  return debye_field_new_take("potential", &grid, values, "V");
}

static DebyeRequest *
new_request(const char *key, const char *value, const char *other_key, const char *other_value)
{
  DebyeRequest *request = debye_request_new(&debye_field_table);
  g_assert_true(debye_request_set(request, key, value, NULL));
  if (other_key != NULL)
    g_assert_true(debye_request_set(request, other_key, other_value, NULL));
  return request;
}

static DebyeCurve *
get_curve(DebyeResult *result)
{
  g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_fields(result)), ==, 0);
  g_assert_cmpuint(g_list_model_get_n_items(debye_result_get_curves(result)), ==, 1);
  return g_list_model_get_item(debye_result_get_curves(result), 0);
}

static void
test_profile(void)
{
  g_autoptr(DebyeField) map = new_map(2.0);
  g_autoptr(DebyeRequest) request = new_request("profile", "z", NULL, NULL);
  g_autoptr(DebyeResult) result = debye_field_run(request, map, NULL, NULL);
  g_autoptr(DebyeCurve) curve = get_curve(result);
  g_assert_cmpstr(debye_result_get_title(result), ==, "potential, profile along z");
  g_assert_cmpuint(debye_curve_get_n_points(curve), ==, 7);
  for (gsize i = 0; i < 7; i++)
    g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[i], 2.0 * debye_curve_get_x(curve)[i], 1e-12);
}

static void
test_line(void)
{
  g_autoptr(DebyeField) map = new_map(1.0);
  g_autoptr(DebyeRequest) request = new_request("line-from", "0,0,-3", "line-to", "0,0,3");
  g_assert_true(debye_request_set(request, "points", "13", NULL));
  g_autoptr(DebyeResult) result = debye_field_run(request, map, NULL, NULL);
  g_autoptr(DebyeCurve) curve = get_curve(result);
  g_assert_cmpuint(debye_curve_get_n_points(curve), ==, 13);
  for (gsize i = 0; i < 13; i++)
    g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[i], -3.0 + 0.5 * (double)i, 1e-6);
}

static void
check_refused(DebyeRequest *request, int code, const char *part)
{
  g_autoptr(DebyeField) map = new_map(1.0);
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_field_run(request, map, NULL, &error));
  g_assert_error(error, DEBYE_ERROR, code);
  g_assert_nonnull(strstr(error->message, part));
}

static void
test_refused_lines(void)
{
  g_autoptr(DebyeRequest) half = new_request("line-from", "0,0,0", NULL, NULL);
  g_autoptr(DebyeRequest) point = new_request("line-from", "0,0,1", "line-to", "0,0,1");
  g_autoptr(DebyeRequest) outside = new_request("line-from", "9,9,9", "line-to", "9,9,12");
  check_refused(half, DEBYE_ERROR_MISSING, "Line to");
  check_refused(point, DEBYE_ERROR_VALUE, "found the same");
  check_refused(outside, DEBYE_ERROR_VALUE, "-1 … 1 in x, -2 … 2 in y, -3 … 3 in z");
}

static void
test_difference(void)
{
  g_autoptr(DebyeField) map = new_map(3.0);
  g_autoptr(DebyeField) other = new_map(1.0);
  g_autoptr(DebyeRequest) request = new_request("subtract", "other.dx", NULL, NULL);
  g_autoptr(DebyeResult) result = debye_field_run(request, map, other, NULL);
  g_autoptr(DebyeField) difference = g_list_model_get_item(debye_result_get_fields(result), 0);
  g_assert_cmpstr(debye_field_get_name(difference), ==, "potential difference");
  g_assert_cmpfloat_with_epsilon(debye_field_get_values(difference)[0], -6.0f, 1e-6f);
}

/* A window opens it like any result. */
static void
test_file(void)
{
  g_autofree char *folder = g_dir_make_tmp("debye-field-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "profile.h5", NULL);
  g_autoptr(DebyeField) map = new_map(2.0);
  g_autoptr(DebyeRequest) request = new_request("profile", "z", NULL, NULL);
  g_autoptr(DebyeResult) result = debye_field_run(request, map, NULL, NULL);
  g_autoptr(GError) error = NULL;
  debye_result_save(result, path, "debye-cli field --profile z", &error);
  g_assert_no_error(error);
  g_autoptr(DebyeResult) loaded = debye_result_load(path, debye_analysis_find_table, &error);
  g_assert_no_error(error);
  g_autoptr(DebyeCurve) curve = get_curve(loaded);
  g_assert_cmpstr(debye_request_get(debye_result_get_request(loaded), "profile"), ==, "z");
  g_assert_cmpfloat_with_epsilon(debye_curve_get_y(curve)[6], 6.0, 1e-12);
  g_assert_null(debye_analysis_find("field"));
  g_unlink(path);
  g_rmdir(folder);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field-run/profile", test_profile);
  g_test_add_func("/field-run/line", test_line);
  g_test_add_func("/field-run/refused-lines", test_refused_lines);
  g_test_add_func("/field-run/difference", test_difference);
  g_test_add_func("/field-run/file", test_file);
  return g_test_run();
}
