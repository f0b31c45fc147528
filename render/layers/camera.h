/* SPDX-License-Identifier: MIT */
/* Where the scene is seen from. Plain struct: copied, compared, interpolated. Lengths in Å. */
#pragma once

#include <cglm/cglm.h>
#include <glib.h>

#include "data/geometry.h"

typedef struct {
  versor orientation;   /* world → view rotation */
  vec3 target;          /* the point that is orbited, Å */
  float height;         /* of the view at the target, Å: zoom */
  gboolean perspective; /* FALSE: orthographic */
  float field_of_view;  /* degrees, for perspective */
} DebyeCamera;

void debye_camera_init(DebyeCamera *camera);
/* Drag from (x0, y0) to (x1, y1), in pixels of a view of width × height: arcball. */
void debye_camera_orbit(DebyeCamera *camera, double x0, double y0, double x1, double y1, double width,
                        double height);
/* About the line of sight, counter-clockwise. */
void debye_camera_roll(DebyeCamera *camera, double degrees);
void debye_camera_pan(DebyeCamera *camera, double dx, double dy, double width, double height);
/* Things become `factor` times as large; the point under the pointer stays where it is. */
void debye_camera_zoom(DebyeCamera *camera, double factor, double x, double y, double width, double height);
/* `near_far`: bounds of the scene, so that depth is used well. */
void debye_camera_matrices(const DebyeCamera *camera, double aspect, DebyeVec3 low, DebyeVec3 high, mat4 view,
                           mat4 projection);
/* The ray through a pixel: `direction` is a unit vector. For orthographic views the origin is in the plane of
 * the eye. */
void debye_camera_ray(const DebyeCamera *camera, double x, double y, double width, double height,
                      DebyeVec3 *origin, DebyeVec3 *direction);

/* Framing anything by its supports along some directions of the current view: ask for the directions, find
 * the largest product of each with a point of what is to be seen, and give them back. */
#define DEBYE_FRAME_DIRECTIONS 6
void debye_camera_frame_directions(const DebyeCamera *camera, double aspect,
                                   DebyeVec3 directions[DEBYE_FRAME_DIRECTIONS]);
void debye_camera_frame_supports(DebyeCamera *camera, double aspect,
                                 const double supports[DEBYE_FRAME_DIRECTIONS]);
/* Raises supports to those of a box. */
void debye_camera_box_supports(DebyeVec3 low, DebyeVec3 high, const DebyeVec3 *directions, double *supports);
