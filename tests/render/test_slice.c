/* SPDX-License-Identifier: MIT */
/* Where a slice stands, in Å along its normal, and which legends are one and the same. */
#include <math.h>

#include "data/tables/unit_text.h"
#include "render/layers/color_limits.h"
#include "render/layers/isosurface_layer.h"
#include "render/layers/overlay_text.h"
#include "render/layers/slice_contours.h"
#include "render/layers/slice_layer.h"
#include "render/mesh/slice_plane.h"

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

/* --- Any plane --- */

/* x + 2 y − z on a cube of 4 Å about (2, 2, 2), which interpolation keeps. */
static double
linear(DebyeVec3 p)
{
  return p.x + 2.0 * p.y - p.z;
}

static DebyeField *
make_linear_field(void)
{
  const DebyeGrid grid = {.step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, .shape = {5, 5, 5}};
  float *values = g_new(float, 125);
  for (gsize i = 0; i < 125; i++)
    values[i] = (float)linear(debye_vec3((double)(i % 5), (double)(i / 5 % 5), (double)(i / 25)));
  return debye_field_new_take("linear", &grid, values, "kT/e");
}

typedef struct {
  DebyeVec3 point, normal;
  guint n_corners; /* 0: there is no cut */
} Cut;

/* Edges and faces of the box that lie in the plane, corners that it touches, and the cut of most corners. */
static void
test_cuts(void)
{
  static const Cut cuts[] = {
      {{2.0, 2.0, 2.0}, {1.0, 1.0, 1.0}, 6},    /* across the diagonal */
      {{2.0, 2.0, 2.0}, {0.0, 0.0, -3.0}, 4},   /* across an axis, its normal of any length */
      {{0.0, 0.0, 0.0}, {1.0, -1.0, 0.0}, 4},   /* two edges lie in it */
      {{0.0, 0.0, 4.0}, {0.0, 0.0, 1.0}, 4},    /* a face does */
      {{4.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, 3},    /* through three corners */
      {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, 0},    /* touches a corner */
      {{0.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, 0},    /* touches an edge */
      {{0.0, 0.0, 4.001}, {0.0, 0.0, 1.0}, 0},  /* beyond */
      {{2.0, 2.0, 2.0}, {0.0, 0.0, 0.0}, 0},    /* no normal */
      {{2.0, 2.0, 2.0}, {1e-200, 0.0, 0.0}, 0}, /* its square is none */
  };
  g_autoptr(DebyeField) field = make_linear_field();
  for (gsize i = 0; i < G_N_ELEMENTS(cuts); i++) {
    DebyeSlicePlane *plane = debye_slice_plane_through(field, cuts[i].point, cuts[i].normal);
    g_assert_cmpuint(plane ? plane->n_corners : 0, ==, cuts[i].n_corners);
    debye_slice_plane_free(plane);
  }
}

/* Each value within the cut is the map's there, and each of its corners on the box and in the plane. */
static void
test_oblique_values(void)
{
  const DebyeVec3 point = {2.0, 1.0, 2.5}, normal = {0.3, -0.2, 0.9};
  g_autoptr(DebyeField) field = make_linear_field();
  DebyeSlicePlane *plane = debye_slice_plane_through(field, point, normal);
  for (gsize k = 0; k < plane->n_u * plane->n_v; k++) {
    const double u = (double)(k % plane->n_u) / (double)(plane->n_u - 1),
                 v = (double)(k / plane->n_u) / (double)(plane->n_v - 1);
    if (debye_slice_plane_contains(plane, u, v))
      g_assert_cmpfloat_with_epsilon((double)plane->values[k], linear(debye_slice_plane_place(plane, u, v)),
                                     1e-5); /* of 32 bits */
  }
  for (guint i = 0; i < plane->n_corners; i++) {
    const DebyeVec3 corner =
        debye_slice_plane_place(plane, (double)plane->corners[i][0], (double)plane->corners[i][1]);
    g_assert_cmpfloat_with_epsilon(debye_vec3_dot(debye_vec3_subtract(corner, point), normal), 0.0, 1e-6);
    g_assert_cmpfloat(fmin(corner.x, fmin(corner.y, corner.z)), >, -1e-6);
    g_assert_cmpfloat(fmax(corner.x, fmax(corner.y, corner.z)), <, 4.0 + 1e-6);
  }
  debye_slice_plane_free(plane);
}

static void
assert_plane(DebyeSliceLayer *slice, const char *expected)
{
  g_autofree char *plane = NULL;
  g_object_get(slice, "plane", &plane, NULL);
  g_assert_cmpstr(plane, ==, expected);
}

/* It begins where the slice stands, is moved along its normal, and a text that is no plane changes nothing. */
static void
test_plane_of_layer(void)
{
  static const char *const wrong[] = {
      "", "1,2,3", "1,2,3:0,0,0", "1,2:1,0,0", "1,2,3:1,0,0,0", "a,2,3:1,0,0", "1,2,3:nan,0,1"};
  g_autoptr(DebyeField) field = make_linear_field();
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  assert_plane(slice, "");
  debye_slice_layer_set_position(slice, 0.25);
  debye_slice_layer_set_axis(slice, DEBYE_SLICE_ANY_PLANE);
  assert_plane(slice, "2,2,1:0,0,1");
  g_assert_true(debye_slice_layer_set_plane(slice, " 2, 2,2:0,3,4"));
  g_assert_cmpfloat_with_epsilon(debye_slice_layer_get_distance(slice), 2.8, EXACT);
  debye_slice_layer_set_distance(slice, 3.8);
  assert_plane(slice, "2,2.6,2.8:0,3,4");
  g_assert_cmpfloat_with_epsilon(get_position(slice), 3.8 / 5.6, EXACT);
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
    g_assert_false(debye_slice_layer_set_plane(slice, wrong[i]));
  assert_plane(slice, "2,2.6,2.8:0,3,4");
}

/* --- Orbitals --- */

/* Like a p orbital across z: a node in the middle, lobes 1 Å beside it. */
static DebyeField *
make_orbital(void)
{
  const DebyeGrid grid = {.origin = {-4.0, -4.0, -4.0},
                          .step = {{0.2, 0.0, 0.0}, {0.0, 0.2, 0.0}, {0.0, 0.0, 0.2}},
                          .shape = {41, 41, 41}};
  float *values = g_new(float, debye_grid_n_points(&grid));
  gsize k = 0;
  for (int z = -20; z <= 20; z++)
    for (int y = -20; y <= 20; y++)
      for (int x = -20; x <= 20; x++)
        values[k++] = (float)(0.2 * z * exp(-0.5 * 0.04 * (x * x + y * y + z * z)));
  return debye_field_new_of_kind(DEBYE_FIELD_ORBITAL, &grid, values, "bohr^-3/2");
}

/* The middle of the map is empty across z, and isn't across x. */
static void
test_node(void)
{
  g_autoptr(DebyeField) field = make_orbital();
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  debye_slice_layer_begin_along(slice, 2);
  g_assert_cmpfloat_with_epsilon(fabs(debye_slice_layer_get_distance(slice)), 1.0, 1e-6);
  debye_slice_layer_begin_along(slice, 0);
  g_assert_cmpfloat_with_epsilon(debye_slice_layer_get_distance(slice), 0.0, 1e-6);
}

/* 98 % of the box hold next to nothing: the colours reach into the lobes, whose top is exp(−½) = 0.61. */
static void
test_orbital_limits(void)
{
  double low, high;
  g_autoptr(DebyeField) field = make_orbital();
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  debye_slice_layer_get_limits(slice, &low, &high);
  g_assert_cmpfloat(low, ==, -high);
  g_assert_cmpfloat(high, >, 0.3);
  g_assert_cmpfloat(high, <=, 0.6);
  /* A map of colours without a middle reaches into both lobes too. */
  debye_color_limits_suggest(field, FALSE, &low, &high);
  g_assert_cmpfloat(low, ==, -high);
}

static void
test_unit_text(void)
{
  static const char *const units[][2] = {
      {"bohr^-3/2", "bohr⁻³ᐟ²"}, {"kT/e", "kT/e"}, {"m^2/s", "m²/s"}, {"e/A", "e/A"}, {"^", "^"}, {"", ""}};
  for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
    g_autofree char *text = debye_unit_to_text(units[i][0]);
    g_assert_cmpstr(text, ==, units[i][1]);
  }
}

/* --- Contours --- */

/* A ramp has parallel lines; each number stands on its own. */
static void
test_numbers(void)
{
  g_autoptr(DebyeField) field = make_linear_field();
  DebyeSlicePlane *plane =
      debye_slice_plane_through(field, debye_vec3(2.0, 2.0, 2.0), debye_vec3(1.0, 1.0, 1.0));
  g_autoptr(GArray) labels = debye_slice_contours_label(plane, -2.0, 6.0, 1.0);
  g_assert_cmpuint(labels->len, >=, 5);
  for (guint i = 0; i < labels->len; i++) {
    const DebyeLabel *label = &g_array_index(labels, DebyeLabel, i);
    g_autofree char *expected = debye_overlay_text_format_number(linear(label->place), 1.0);
    g_assert_cmpfloat_with_epsilon(linear(label->place), round(linear(label->place)), 1e-4);
    g_assert_cmpstr(label->text, ==, expected);
  }
  /* Too many to be read. */
  g_autoptr(GArray) none = debye_slice_contours_label(plane, -2.0, 6.0, 0.001);
  g_assert_cmpuint(none->len, ==, 0);
  debye_slice_plane_free(plane);
}

static void
test_contour_steps(void)
{
  gboolean has_step;
  g_autoptr(DebyeField) field = make_linear_field();
  g_autoptr(DebyeSliceLayer) slice = debye_slice_layer_new(field);
  debye_layer_set_limits(DEBYE_LAYER(slice), -4.0, 4.0);
  g_assert_cmpfloat(debye_slice_layer_get_contour_step(slice), ==, 0.0);
  g_object_set(slice, "contours", DEBYE_CONTOURS_ROUND, NULL);
  g_assert_cmpfloat(debye_slice_layer_get_contour_step(slice), ==, 1.0);
  g_object_set(slice, "contours", DEBYE_CONTOURS_STEP, NULL);
  g_assert_cmpfloat(debye_slice_layer_get_contour_step(slice), ==, 1.0);
  g_object_set(slice, "contour-step", 2.5, NULL);
  g_object_get(slice, "has-contour-step", &has_step, NULL);
  g_assert_cmpfloat(debye_slice_layer_get_contour_step(slice), ==, 2.5);
  g_assert_true(has_step);
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
  debye_layer_set_limits(DEBYE_LAYER(other), -1.0, 1.0);
  g_autofree char *third = key_of(other);
  g_assert_cmpstr(first, !=, third);
  debye_layer_set_limits(DEBYE_LAYER(other), 2.0, 2.0); /* no range of colours */
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
  g_test_add_func("/slice/cuts", test_cuts);
  g_test_add_func("/slice/oblique-values", test_oblique_values);
  g_test_add_func("/slice/plane-of-layer", test_plane_of_layer);
  g_test_add_func("/slice/node", test_node);
  g_test_add_func("/slice/orbital-limits", test_orbital_limits);
  g_test_add_func("/slice/unit-text", test_unit_text);
  g_test_add_func("/slice/numbers", test_numbers);
  g_test_add_func("/slice/contour-steps", test_contour_steps);
  g_test_add_func("/slice/notified", test_notified);
  g_test_add_func("/slice/legends", test_legends);
  g_test_add_func("/slice/opacity", test_opacity);
  return g_test_run();
}
