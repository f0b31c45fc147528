/* SPDX-License-Identifier: MIT */
/* The camera against geometry: what is framed fits, what is under the pointer stays, rays and matrices agree.
 */
#include "render/layers/camera.h"

#define WIDTH 800.0
#define HEIGHT 600.0

static const DebyeVec3 low = {-10.0, -5.0, -3.0}, high = {12.0, 6.0, 9.0};

/* Where a point lies in the picture, pixels from the top left. */
static void
project(const DebyeCamera *camera, DebyeVec3 point, double *x, double *y, double *depth)
{
  mat4 view, projection;
  debye_camera_matrices(camera, WIDTH / HEIGHT, low, high, view, projection);
  vec4 p = {(float)point.x, (float)point.y, (float)point.z, 1.0f};
  glm_mat4_mulv(view, p, p);
  glm_mat4_mulv(projection, p, p);
  *x = 0.5 * WIDTH * (1.0 + (double)(p[0] / p[3]));
  *y = 0.5 * HEIGHT * (1.0 - (double)(p[1] / p[3]));
  *depth = (double)(p[2] / p[3]);
}

static DebyeVec3
box_corner(int corner)
{
  return debye_vec3(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z);
}

static void
turn(DebyeCamera *camera)
{
  debye_camera_orbit(camera, 200.0, 300.0, 420.0, 180.0, WIDTH, HEIGHT);
  debye_camera_orbit(camera, 700.0, 20.0, 500.0, 80.0, WIDTH, HEIGHT);
}

static void
frame_box(DebyeCamera *camera)
{
  DebyeVec3 directions[DEBYE_FRAME_DIRECTIONS];
  double supports[DEBYE_FRAME_DIRECTIONS];
  for (int i = 0; i < DEBYE_FRAME_DIRECTIONS; i++)
    supports[i] = -INFINITY;
  debye_camera_frame_directions(camera, WIDTH / HEIGHT, directions);
  debye_camera_box_supports(low, high, directions, supports);
  debye_camera_frame_supports(camera, WIDTH / HEIGHT, supports);
}

static void
test_frame(gconstpointer data)
{
  DebyeCamera camera;
  debye_camera_init(&camera);
  camera.perspective = GPOINTER_TO_INT(data);
  turn(&camera);
  frame_box(&camera);
  double widest = 0.0;
  for (int corner = 0; corner < 8; corner++) {
    double x, y, depth;
    project(&camera, box_corner(corner), &x, &y, &depth);
    g_assert_cmpfloat(x, >, 0.0);
    g_assert_cmpfloat(x, <, WIDTH);
    g_assert_cmpfloat(y, >, 0.0);
    g_assert_cmpfloat(y, <, HEIGHT);
    g_assert_cmpfloat(fabs(depth), <, 1.0);
    widest = fmax(widest, fmax(fabs(x / WIDTH - 0.5), fabs(y / HEIGHT - 0.5)));
  }
  g_assert_cmpfloat(widest, >, 0.4);
}

static void
test_ray(gconstpointer data)
{
  DebyeCamera camera;
  debye_camera_init(&camera);
  camera.perspective = GPOINTER_TO_INT(data);
  turn(&camera);
  frame_box(&camera);
  for (int corner = 0; corner < 8; corner++) {
    double x, y, depth;
    DebyeVec3 origin, direction, point = box_corner(corner);
    project(&camera, point, &x, &y, &depth);
    debye_camera_ray(&camera, x, y, WIDTH, HEIGHT, &origin, &direction);
    DebyeVec3 to = debye_vec3_subtract(point, origin);
    DebyeVec3 miss = debye_vec3_subtract(to, debye_vec3_scale(direction, debye_vec3_dot(to, direction)));
    g_assert_cmpfloat_with_epsilon(debye_vec3_length(direction), 1.0, 1e-5);
    /* Single precision at a distance of some hundred Å. */
    g_assert_cmpfloat(debye_vec3_length(miss), <, 1e-3);
  }
}

static void
test_zoom_keeps_the_pointer(void)
{
  DebyeCamera camera;
  debye_camera_init(&camera);
  turn(&camera);
  frame_box(&camera);
  /* A point in the plane of the target, at the pointer. */
  DebyeVec3 origin, direction;
  debye_camera_ray(&camera, 620.0, 110.0, WIDTH, HEIGHT, &origin, &direction);
  DebyeVec3 middle_origin, middle;
  debye_camera_ray(&camera, 0.5 * WIDTH, 0.5 * HEIGHT, WIDTH, HEIGHT, &middle_origin, &middle);
  DebyeVec3 target = {(double)camera.target[0], (double)camera.target[1], (double)camera.target[2]};
  double t = debye_vec3_dot(debye_vec3_subtract(target, origin), middle) / debye_vec3_dot(direction, middle);
  DebyeVec3 point = debye_vec3_add(origin, debye_vec3_scale(direction, t));
  float height = camera.height;
  debye_camera_zoom(&camera, 1.5, 620.0, 110.0, WIDTH, HEIGHT);
  g_assert_cmpfloat_with_epsilon(camera.height * 1.5f, height, 1e-3f);
  double x, y, depth;
  project(&camera, point, &x, &y, &depth);
  g_assert_cmpfloat_with_epsilon(x, 620.0, 0.1);
  g_assert_cmpfloat_with_epsilon(y, 110.0, 0.1);
  debye_camera_zoom(&camera, NAN, 0.0, 0.0, WIDTH, HEIGHT);
  debye_camera_zoom(&camera, -2.0, 0.0, 0.0, WIDTH, HEIGHT);
  g_assert_cmpfloat_with_epsilon(camera.height * 1.5f, height, 1e-3f);
}

static void
test_pan(void)
{
  DebyeCamera camera;
  double x, y, depth;
  debye_camera_init(&camera);
  turn(&camera);
  camera.perspective = FALSE;
  DebyeVec3 point = {1.0, 2.0, 3.0};
  double x0, y0;
  project(&camera, point, &x0, &y0, &depth);
  debye_camera_pan(&camera, 37.0, -12.0, WIDTH, HEIGHT);
  project(&camera, point, &x, &y, &depth);
  g_assert_cmpfloat_with_epsilon(x - x0, 37.0, 0.05);
  g_assert_cmpfloat_with_epsilon(y - y0, -12.0, 0.05);
}

static void
test_orbit(void)
{
  DebyeCamera camera;
  debye_camera_init(&camera);
  /* What faces the viewer follows the pointer to the right. */
  vec3 front = {0.0f, 0.0f, 1.0f};
  debye_camera_orbit(&camera, 400.0, 300.0, 450.0, 300.0, WIDTH, HEIGHT);
  glm_quat_rotatev(camera.orientation, front, front);
  g_assert_cmpfloat(front[0], >, 0.1f);
  g_assert_cmpfloat_with_epsilon(front[1], 0.0f, 1e-5f);
  debye_camera_orbit(&camera, 450.0, 300.0, 400.0, 300.0, WIDTH, HEIGHT);
  vec3 again = {0.0f, 0.0f, 1.0f};
  glm_quat_rotatev(camera.orientation, again, again);
  g_assert_cmpfloat_with_epsilon(again[2], 1.0f, 1e-5f);
  for (int i = 0; i < 10000; i++)
    debye_camera_orbit(&camera, 300.0 + i % 7, 200.0, 340.0, 230.0 - i % 11, WIDTH, HEIGHT);
  g_assert_cmpfloat_with_epsilon(glm_quat_norm(camera.orientation), 1.0f, 1e-4f);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_data_func("/camera/frame/orthographic", GINT_TO_POINTER(0), test_frame);
  g_test_add_data_func("/camera/frame/perspective", GINT_TO_POINTER(1), test_frame);
  g_test_add_data_func("/camera/ray/orthographic", GINT_TO_POINTER(0), test_ray);
  g_test_add_data_func("/camera/ray/perspective", GINT_TO_POINTER(1), test_ray);
  g_test_add_func("/camera/zoom", test_zoom_keeps_the_pointer);
  g_test_add_func("/camera/pan", test_pan);
  g_test_add_func("/camera/orbit", test_orbit);
  return g_test_run();
}
