/* SPDX-License-Identifier: MIT */
/* How the camera moves while a film runs: once round the molecule, or from one place to the next, told as
 * turns from where it begins or as whole cameras. */
#pragma once

#include <gio/gio.h>

#include "render/layers/camera.h"

typedef enum { DEBYE_TURN_UPRIGHT, DEBYE_TURN_LEVEL, DEBYE_TURN_SIGHT } DebyeTurnAxis;

/* A place of the path, from where the film begins. Degrees; zoom 1: as it begins. */
typedef struct {
  double turn, tilt, zoom;
} DebyeCameraStop;

typedef struct _DebyeCameraPath DebyeCameraPath;

/* `degrees` about an axis of the picture. Evenly, and the last picture is not the first again, so that a
 * whole turn can be shown in a loop. */
DebyeCameraPath *debye_camera_path_new_turn(double degrees, DebyeTurnAxis axis);
/* "TURN,TILT,ZOOM; …": each stop is reached and left slowly. At least two stops; NULL with the reason. */
DebyeCameraPath *debye_camera_path_parse(const char *text, GError **error);
/* From one camera to the next, each reached and left slowly, by the shortest turn between two. NULL with the
 * reason where there are fewer than two. The cameras are copied. */
DebyeCameraPath *debye_camera_path_new_views(const DebyeCamera *views, gsize n_views, GError **error);
void debye_camera_path_free(DebyeCameraPath *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeCameraPath, debye_camera_path_free)

/* The camera of picture `number` of `n_pictures`, where `start` is that of a film that stands still; views
 * have no part of it. */
void debye_camera_path_place(const DebyeCameraPath *self, const DebyeCamera *start, gsize number,
                             gsize n_pictures, DebyeCamera *camera);
