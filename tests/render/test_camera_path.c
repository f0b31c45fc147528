/* SPDX-License-Identifier: MIT */
/* Films' cameras: a turn against rotations known by hand, a path at its stops and halfway. */
#include "render/scene/camera_path.h"

#include "data/files/error.h"

#define FLOAT_ERROR 1e-5 /* a few roundings of single precision */

/* Where the world's x axis points to in the view. */
static void
look_at_x(const DebyeCamera *camera, vec3 seen)
{
  versor orientation;
  glm_quat_copy((float *)camera->orientation, orientation);
  glm_quat_rotatev(orientation, (vec3){1.0f, 0.0f, 0.0f}, seen);
}

static void
assert_x_seen(const DebyeCamera *camera, double x, double y, double z)
{
  vec3 seen;
  look_at_x(camera, seen);
  g_assert_cmpfloat_with_epsilon((double)seen[0], x, FLOAT_ERROR);
  g_assert_cmpfloat_with_epsilon((double)seen[1], y, FLOAT_ERROR);
  g_assert_cmpfloat_with_epsilon((double)seen[2], z, FLOAT_ERROR);
}

static void
start_camera(DebyeCamera *camera)
{
  debye_camera_init(camera);
  glm_quat_identity(camera->orientation);
  camera->height = 40.0f;
}

/* A quarter of a right-handed turn about y takes x to −z, about z to y, about x nowhere. */
static void
test_turn(void)
{
  DebyeCamera start, camera;
  start_camera(&start);
  const struct {
    DebyeTurnAxis axis;
    double x, y, z;
  } cases[] = {{DEBYE_TURN_UPRIGHT, 0, 0, -1}, {DEBYE_TURN_LEVEL, 1, 0, 0}, {DEBYE_TURN_SIGHT, 0, 1, 0}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(DebyeCameraPath) path = debye_camera_path_new_turn(360.0, cases[i].axis);
    debye_camera_path_place(path, &start, 0, 40, &camera);
    assert_x_seen(&camera, 1.0, 0.0, 0.0);
    debye_camera_path_place(path, &start, 10, 40, &camera);
    assert_x_seen(&camera, cases[i].x, cases[i].y, cases[i].z);
    g_assert_cmpfloat(camera.height, ==, start.height);
  }
}

/* The step from the last picture to the first is as large as any other. */
static void
test_loop(void)
{
  DebyeCamera start, last, first;
  start_camera(&start);
  g_autoptr(DebyeCameraPath) path = debye_camera_path_new_turn(360.0, DEBYE_TURN_SIGHT);
  debye_camera_path_place(path, &start, 11, 12, &last);
  debye_camera_path_place(path, &start, 0, 12, &first);
  assert_x_seen(&last, 0.8660254, -0.5, 0.0);
  assert_x_seen(&first, 1.0, 0.0, 0.0);
}

static void
test_stops(void)
{
  DebyeCamera start, camera;
  g_autoptr(GError) error = NULL;
  start_camera(&start);
  g_autoptr(DebyeCameraPath) path = debye_camera_path_parse("0,0,1; 90,0,4; 90, 90, 1", &error);
  g_assert_no_error(error);
  debye_camera_path_place(path, &start, 0, 5, &camera);
  assert_x_seen(&camera, 1.0, 0.0, 0.0);
  debye_camera_path_place(path, &start, 1, 5, &camera); /* halfway: 45°, and twice as large */
  assert_x_seen(&camera, 0.70710678, 0.0, -0.70710678);
  g_assert_cmpfloat_with_epsilon((double)camera.height, 20.0, 20.0 * FLOAT_ERROR);
  debye_camera_path_place(path, &start, 2, 5, &camera);
  assert_x_seen(&camera, 0.0, 0.0, -1.0);
  g_assert_cmpfloat_with_epsilon((double)camera.height, 10.0, 10.0 * FLOAT_ERROR);
  debye_camera_path_place(path, &start, 4, 5, &camera); /* −z, tilted about x by 90°, is y */
  assert_x_seen(&camera, 0.0, 1.0, 0.0);
  g_assert_cmpfloat_with_epsilon((double)camera.height, 40.0, 40.0 * FLOAT_ERROR);
}

/* From view to view by the shortest turn, each reached; zooms by factors. */
static void
test_views(void)
{
  DebyeCamera views[3], camera;
  g_autoptr(GError) error = NULL;
  start_camera(&views[0]);
  views[1] = views[2] = views[0];
  glm_quat(views[1].orientation, glm_rad(90.0f), 0.0f, 1.0f, 0.0f);
  glm_quat(views[2].orientation, glm_rad(270.0f), 0.0f, 1.0f, 0.0f);
  views[1].height = 4.0f * views[0].height;
  views[1].target[1] = views[0].target[1] + 6.0f;
  g_autoptr(DebyeCameraPath) path = debye_camera_path_new_views(views, 3, &error);
  g_assert_no_error(error);
  debye_camera_path_place(path, &views[2], 0, 5, &camera);
  assert_x_seen(&camera, 1.0, 0.0, 0.0);
  debye_camera_path_place(path, &views[2], 1, 5, &camera); /* halfway to the second */
  assert_x_seen(&camera, 0.70710678, 0.0, -0.70710678);
  g_assert_cmpfloat_with_epsilon((double)camera.height, 2.0 * (double)views[0].height, 1e-3);
  g_assert_cmpfloat_with_epsilon((double)camera.target[1], (double)views[0].target[1] + 3.0, 1e-4);
  debye_camera_path_place(path, &views[2], 2, 5, &camera);
  assert_x_seen(&camera, 0.0, 0.0, -1.0);
  debye_camera_path_place(path, &views[2], 4, 5, &camera);
  assert_x_seen(&camera, 0.0, 0.0, 1.0);
  g_assert_null(debye_camera_path_new_views(views, 1, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
}

static void
test_refused(void)
{
  const char *const texts[] = {
      "", "0,0,1", "0,0,1;", "0,0;0,0", "0,0,0;0,0,1", "a,0,1;0,0,1", "0,0,1;0,0,1e9", "0,0,nan;0,0,1"};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_camera_path_parse(texts[i], &error));
    g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_SETTING);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/camera-path/turn", test_turn);
  g_test_add_func("/camera-path/loop", test_loop);
  g_test_add_func("/camera-path/stops", test_stops);
  g_test_add_func("/camera-path/views", test_views);
  g_test_add_func("/camera-path/refused", test_refused);
  return g_test_run();
}
