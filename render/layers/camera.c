/* SPDX-License-Identifier: MIT */
/* The camera's mathematics. The view looks along −z; its distance from the target follows from the height and
 * the field of view, so that perspective and orthographic pictures of one camera show the target at the same
 * size. */
#include "camera.h"

/* Air around what is framed. */
#define FRAME_MARGIN 1.06

static double
tangent(const DebyeCamera *camera)
{
  return tan(0.5 * (double)camera->field_of_view * G_PI / 180.0);
}

static double
eye_distance(const DebyeCamera *camera)
{
  return 0.5 * (double)camera->height / tangent(camera);
}

void
debye_camera_init(DebyeCamera *camera)
{
  *camera = (DebyeCamera){.height = 20.0f, .perspective = TRUE, .field_of_view = 24.0f};
  glm_quat_identity(camera->orientation);
}

static void
box_corner(DebyeVec3 low, DebyeVec3 high, int corner, vec3 point)
{
  point[0] = (float)(corner & 1 ? high.x : low.x);
  point[1] = (float)(corner & 2 ? high.y : low.y);
  point[2] = (float)(corner & 4 ? high.z : low.z);
}

/* The supports (largest product with a point) along these directions say where the eye must stand: four of
 * them are the normals of the sides of the view, whose tilt makes the answer exact in perspective too. */
void
debye_camera_frame_directions(const DebyeCamera *camera, double aspect,
                              DebyeVec3 directions[DEBYE_FRAME_DIRECTIONS])
{
  float rise = camera->perspective ? (float)tangent(camera) : 0.0f, run = rise * (float)aspect;
  vec3 sides[DEBYE_FRAME_DIRECTIONS] = {{1, 0, run},   {-1, 0, run}, {0, 1, rise},
                                        {0, -1, rise}, {0, 0, 1},    {0, 0, -1}};
  versor inverse;
  glm_quat_conjugate((float *)camera->orientation, inverse);
  for (int i = 0; i < DEBYE_FRAME_DIRECTIONS; i++) {
    glm_quat_rotatev(inverse, sides[i], sides[i]);
    directions[i] = debye_vec3((double)sides[i][0], (double)sides[i][1], (double)sides[i][2]);
  }
}

void
debye_camera_frame_supports(DebyeCamera *camera, double aspect, const double supports[DEBYE_FRAME_DIRECTIONS])
{
  double width = supports[0] + supports[1], height = supports[2] + supports[3];
  double middle = 0.5 * (supports[4] - supports[5]);
  if (camera->perspective) {
    double slope = tangent(camera);
    double eye = fmax(width / (2.0 * slope * aspect), height / (2.0 * slope));
    height = 2.0 * slope * (eye - middle);
  } else {
    height = fmax(height, width / aspect);
  }
  versor inverse;
  vec3 target = {(float)(0.5 * (supports[0] - supports[1])), (float)(0.5 * (supports[2] - supports[3])),
                 (float)middle};
  glm_quat_conjugate(camera->orientation, inverse);
  glm_quat_rotatev(inverse, target, camera->target);
  camera->height = (float)(fmax(height, 1.0) * FRAME_MARGIN);
}

void
debye_camera_box_supports(DebyeVec3 low, DebyeVec3 high, const DebyeVec3 *directions, double *supports)
{
  for (int i = 0; i < DEBYE_FRAME_DIRECTIONS; i++) {
    const DebyeVec3 d = directions[i];
    double support =
        fmax(d.x * low.x, d.x * high.x) + fmax(d.y * low.y, d.y * high.y) + fmax(d.z * low.z, d.z * high.z);
    supports[i] = fmax(supports[i], support);
  }
}

/* A point of the view on the trackball: a sphere in the middle that runs out into a hyperbola (Bell), so that
 * the rotation has no jump at its rim. */
static void
on_trackball(double x, double y, double width, double height, vec3 point)
{
  double size = fmin(width, height);
  double u = (2.0 * x - width) / size, v = (height - 2.0 * y) / size;
  double square = u * u + v * v;
  point[0] = (float)u;
  point[1] = (float)v;
  point[2] = (float)(square <= 0.5 ? sqrt(1.0 - square) : 0.5 / sqrt(square));
  glm_vec3_normalize(point);
}

void
debye_camera_orbit(DebyeCamera *camera, double x0, double y0, double x1, double y1, double width,
                   double height)
{
  if (!(width > 0.0 && height > 0.0) || (x0 == x1 && y0 == y1))
    return;
  vec3 from, to, axis;
  on_trackball(x0, y0, width, height, from);
  on_trackball(x1, y1, width, height, to);
  glm_vec3_cross(from, to, axis);
  float sine = glm_vec3_norm(axis);
  if (sine < 1e-7f)
    return;
  versor turn;
  /* Twice the arc, as Shoemake has it: a drag across the ball turns the molecule once around. */
  glm_quatv(turn, 2.0f * atan2f(sine, glm_vec3_dot(from, to)), axis);
  glm_quat_mul(turn, camera->orientation, camera->orientation);
  glm_quat_normalize(camera->orientation);
}

/* Moves the target by (x, y) Å in the plane of the view. */
static void
move_target(DebyeCamera *camera, double x, double y)
{
  versor inverse;
  vec3 shift = {(float)x, (float)y, 0.0f};
  glm_quat_conjugate(camera->orientation, inverse);
  glm_quat_rotatev(inverse, shift, shift);
  glm_vec3_add(camera->target, shift, camera->target);
}

void
debye_camera_roll(DebyeCamera *camera, double degrees)
{
  versor rotation, turned;
  glm_quat(rotation, glm_rad((float)degrees), 0.0f, 0.0f, 1.0f);
  glm_quat_mul(rotation, camera->orientation, turned);
  glm_quat_normalize_to(turned, camera->orientation);
}

void
debye_camera_pan(DebyeCamera *camera, double dx, double dy, double width, double height)
{
  if (!(width > 0.0 && height > 0.0))
    return;
  double pixel = (double)camera->height / height;
  move_target(camera, -dx * pixel, dy * pixel);
}

void
debye_camera_zoom(DebyeCamera *camera, double factor, double x, double y, double width, double height)
{
  if (!(factor > 0.0 && isfinite(factor) && width > 0.0 && height > 0.0))
    return;
  double before = (double)camera->height;
  double after = CLAMP(before / factor, 0.05, 1e6);
  double shrink = (before - after) / height;
  move_target(camera, (x - 0.5 * width) * shrink, (0.5 * height - y) * shrink);
  camera->height = (float)after;
}

static void
view_matrix(const DebyeCamera *camera, mat4 view)
{
  vec3 back;
  versor orientation;
  glm_quat_copy((float *)camera->orientation, orientation);
  glm_quat_mat4(orientation, view);
  glm_vec3_negate_to((float *)camera->target, back);
  glm_translate(view, back);
  view[3][2] -= (float)eye_distance(camera);
}

void
debye_camera_matrices(const DebyeCamera *camera, double aspect, DebyeVec3 low, DebyeVec3 high, mat4 view,
                      mat4 projection)
{
  view_matrix(camera, view);
  double nearest = INFINITY, farthest = -INFINITY;
  for (int corner = 0; corner < 8; corner++) {
    vec3 point;
    box_corner(low, high, corner, point);
    glm_mat4_mulv3(view, point, 1.0f, point);
    nearest = fmin(nearest, -(double)point[2]);
    farthest = fmax(farthest, -(double)point[2]);
  }
  double margin = 0.01 * (farthest - nearest) + 0.1;
  nearest -= margin;
  farthest += margin;
  double half = 0.5 * (double)camera->height;
  if (camera->perspective) {
    /* Nearer than a hundredth of the distance to the target there is nothing to see, and depth would lose its
     * bits. */
    nearest = fmax(nearest, 0.01 * eye_distance(camera));
    farthest = fmax(farthest, nearest * 1.1);
    glm_perspective((float)(2.0 * atan(tangent(camera))), (float)aspect, (float)nearest, (float)farthest,
                    projection);
  } else {
    glm_ortho((float)(-half * aspect), (float)(half * aspect), (float)-half, (float)half, (float)nearest,
              (float)farthest, projection);
  }
}

void
debye_camera_ray(const DebyeCamera *camera, double x, double y, double width, double height,
                 DebyeVec3 *origin, DebyeVec3 *direction)
{
  double pixel = (double)camera->height / height;
  double u = (x - 0.5 * width) * pixel, v = (0.5 * height - y) * pixel;
  double distance = eye_distance(camera);
  versor inverse;
  vec3 toward, start;
  glm_quat_conjugate((float *)camera->orientation, inverse);
  if (camera->perspective) {
    glm_vec3_copy((vec3){(float)u, (float)v, (float)-distance}, toward);
    glm_vec3_copy((vec3){0.0f, 0.0f, (float)distance}, start);
  } else {
    glm_vec3_copy((vec3){0.0f, 0.0f, -1.0f}, toward);
    glm_vec3_copy((vec3){(float)u, (float)v, (float)distance}, start);
  }
  glm_quat_rotatev(inverse, toward, toward);
  glm_quat_rotatev(inverse, start, start);
  glm_vec3_add(start, (float *)camera->target, start);
  glm_vec3_normalize(toward);
  *origin = debye_vec3((double)start[0], (double)start[1], (double)start[2]);
  *direction = debye_vec3((double)toward[0], (double)toward[1], (double)toward[2]);
}
