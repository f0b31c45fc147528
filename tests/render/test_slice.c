/* SPDX-License-Identifier: MIT */
/* Where a slice stands, in Å along its normal, and which legends are one and the same. */
#include <math.h>

#include "render/layers/isosurface_layer.h"
#include "render/layers/slice_layer.h"

#define EXACT 1e-12 /* a few roundings of lengths of some 10 Å */

static DebyeField *
make_field(const DebyeVec3 steps[3])
{
  const DebyeGrid grid = {
      .origin = {-4.0, 2.0, 10.0}, .step = {steps[0], steps[1], steps[2]}, .shape = {5, 7, 9}};
  gsize n = debye_grid_n_points(&grid);
  float *values = g_new(float, n);
  for (gsize i = 0; i < n; i++)
    values[i] = (float)i - 0.5f * (float)n;
  return debye_field_new_take("ramp", &grid, values, "kT/e");
}

static const DebyeVec3 straight[3] = {{1.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 2.0}};

static double
get_position(DebyeSliceLayer *slice)
{
  double position;
  g_object_get(slice, "position", &position, NULL);
  return position;
}

/* Along x, y and z the distance is the coordinate. */
static void
test_coordinates(void)
{
  static const double low[3] = {-4.0, 2.0, 10.0}, high[3] = {0.0, 5.0, 26.0};
  g_autoptr(DebyeField) field = make_field(straight);
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  for (int axis = 0; axis < 3; axis++) {
    double from, to;
    debye_slice_layer_set_axis(slice, axis);
    debye_slice_layer_get_reach(slice, &from, &to);
    g_assert_cmpfloat_with_epsilon(from, low[axis], EXACT);
    g_assert_cmpfloat_with_epsilon(to, high[axis], EXACT);
    debye_slice_layer_set_distance(slice, low[axis] + 0.75 * (high[axis] - low[axis]));
    g_assert_cmpfloat_with_epsilon(get_position(slice), 0.75, EXACT);
  }
}

static void
test_kept_within(void)
{
  g_autoptr(DebyeField) field = make_field(straight);
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  debye_slice_layer_set_distance(slice, 1000.0);
  g_assert_cmpfloat_with_epsilon(debye_slice_layer_get_distance(slice), 26.0, EXACT);
  debye_slice_layer_set_distance(slice, -1000.0);
  g_assert_cmpfloat_with_epsilon(get_position(slice), 0.0, EXACT);
}

/* In a skew grid the planes across an axis are nearer to each other than the axis is long: the third step
 * here has a part of √3 Å across the other two, over eight intervals. A left-handed grid counts the same way.
 */
static void
test_skew(void)
{
  static const DebyeVec3 skew[3] = {{1.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {1.0, 0.0, 1.7320508075688772}};
  static const DebyeVec3 left_handed[3] = {{0.5, 0.5, 0.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, 1.7320508075688772}};
  for (int i = 0; i < 2; i++) {
    double low, high;
    g_autoptr(DebyeField) field = make_field(i == 0 ? skew : left_handed);
    g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
    debye_slice_layer_set_axis(slice, 2);
    debye_slice_layer_get_reach(slice, &low, &high);
    g_assert_cmpfloat_with_epsilon(low, 10.0, EXACT);
    g_assert_cmpfloat_with_epsilon(high - low, 8.0 * sqrt(3.0), EXACT);
  }
}

static void
count(guint *n)
{
  (*n)++;
}

static void
test_notified(void)
{
  guint n = 0;
  g_autoptr(DebyeField) field = make_field(straight);
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  g_signal_connect_swapped(slice, "notify::distance", G_CALLBACK(count), &n);
  debye_slice_layer_set_position(slice, 0.25);
  g_assert_cmpuint(n, ==, 1);
  debye_slice_layer_set_axis(slice, 0);
  g_assert_cmpuint(n, ==, 2);
  debye_slice_layer_set_axis(slice, 0);
  g_assert_cmpuint(n, ==, 2);
}

static char *
key_of(gpointer layer)
{
  return DEBYE_LAYER_GET_CLASS(layer)->get_legend_key(layer);
}

/* Two slices of a map have one colour bar as long as their colours mean the same. */
static void
test_legends(void)
{
  g_autoptr(DebyeField) field = make_field(straight);
  g_autoptr(DebyeSliceLayer) one = debye_slice_layer_new(field);
  g_autoptr(DebyeSliceLayer) other = debye_slice_layer_new(field);
  debye_slice_layer_set_axis(other, 0);
  g_autofree char *first = key_of(one), *second = key_of(other);
  g_assert_cmpstr(first, ==, second);
  debye_slice_layer_set_limits(other, -1.0, 1.0);
  g_autofree char *third = key_of(other);
  g_assert_cmpstr(first, !=, third);
  debye_slice_layer_set_limits(other, 2.0, 2.0); /* no range of colours */
  g_autofree char *fourth = key_of(other);
  g_assert_cmpstr(third, ==, fourth);

  g_autoptr(DebyeIsosurfaceLayer) surface = debye_isosurface_layer_new(field, 5.0);
  g_autoptr(DebyeIsosurfaceLayer) higher = debye_isosurface_layer_new(field, 6.0);
  g_autofree char *low = key_of(surface), *high = key_of(higher);
  g_assert_cmpstr(low, !=, high);
}

static void
test_opacity(void)
{
  guint n = 0;
  g_autoptr(DebyeField) field = make_field(straight);
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  g_signal_connect_swapped(slice, "notify::opacity", G_CALLBACK(count), &n);
  g_assert_false(debye_layer_is_transparent(DEBYE_LAYER(slice)));
  debye_layer_set_opacity(DEBYE_LAYER(slice), 0.5);
  debye_layer_set_opacity(DEBYE_LAYER(slice), 0.5);
  g_assert_true(debye_layer_is_transparent(DEBYE_LAYER(slice)));
  g_assert_cmpuint(n, ==, 1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/slice/coordinates", test_coordinates);
  g_test_add_func("/slice/kept-within", test_kept_within);
  g_test_add_func("/slice/skew", test_skew);
  g_test_add_func("/slice/notified", test_notified);
  g_test_add_func("/slice/legends", test_legends);
  g_test_add_func("/slice/opacity", test_opacity);
  return g_test_run();
}
