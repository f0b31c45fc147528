/* SPDX-License-Identifier: MIT */
/* The camera of a scene as values of a session and as a file (--camera of debye-cli render); used by both programs. */
#pragma once

#include "render/layers/camera.h"

/* An a{sv}. (transfer floating) */
GVariant *debye_camera_save(const DebyeCamera *camera);
/* FALSE, and nothing changes: it is no camera. */
gboolean debye_camera_load(GVariant *saved, DebyeCamera *camera);

/* In one word, “qx,qy,qz,qw:x,y,z:HEIGHT”, of a perspective view “…:HEIGHT:ANGLE”: the orientation, the target in Å, the height
 * of the view there in Å and the field of view in degrees, with as many digits as the numbers have. */
char *debye_camera_to_text(const DebyeCamera *camera);
/* FALSE, and nothing changes: the text is no such word. */
gboolean debye_camera_parse(DebyeCamera *camera, const char *text);
/* Whether a text is laid out as such a word, whatever its numbers are: it is meant as one, not as a file's name. */
gboolean debye_camera_has_form(const char *text);

/* JSON, with as many digits as the numbers have: the same picture is drawn from it. */
gboolean debye_camera_file_write(const DebyeCamera *camera, const char *path, GError **error);
gboolean debye_camera_file_read(DebyeCamera *camera, const char *path, GError **error);
