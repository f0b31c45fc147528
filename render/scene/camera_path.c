/* SPDX-License-Identifier: MIT */
/* Implementation of camera_path.h: the camera's movement in a movie, for the window and debye-cli render. */
#include "camera_path.h"

#include <math.h>

#include "data/files/error.h"

#define LEAST_ZOOM 0.01
#define MAX_ZOOM 100.0

struct _DebyeCameraPath {
  GArray *stops; /* of DebyeCameraStop, or */
  GArray *views; /* of DebyeCamera; both NULL: a turn */
  double degrees;
  DebyeTurnAxis axis;
};

DebyeCameraPath *
debye_camera_path_new_turn(double degrees, DebyeTurnAxis axis)
{
  DebyeCameraPath *self = g_new(DebyeCameraPath, 1);
  *self = (DebyeCameraPath){.degrees = degrees, .axis = axis};
  return self;
}

DebyeCameraPath *
debye_camera_path_new_views(const DebyeCamera *views, gsize n_views, GError **error)
{
  if (n_views < 2) {
    debye_error_set(error, DEBYE_ERROR_SETTING,
                    "A path from view to view: expected at least two views, found %" G_GSIZE_FORMAT, n_views);
    return NULL;
  }
  DebyeCameraPath *self = g_new(DebyeCameraPath, 1);
  *self = (DebyeCameraPath){.views = g_array_new(FALSE, FALSE, sizeof(DebyeCamera))};
  g_array_append_vals(self->views, views, (guint)n_views);
  return self;
}

void
debye_camera_path_free(DebyeCameraPath *self)
{
  if (self == NULL)
    return;
  g_clear_pointer(&self->stops, g_array_unref);
  g_clear_pointer(&self->views, g_array_unref);
  g_free(self);
}

/* --- Reading --- */

static gboolean
parse_stop(const char *text, DebyeCameraStop *stop)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  double values[3];
  if (g_strv_length(parts) != G_N_ELEMENTS(values))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
    char *end;
    const char *word = g_strstrip(parts[i]);
    values[i] = g_ascii_strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(values[i]))
      return FALSE;
  }
  *stop = (DebyeCameraStop){.turn = values[0], .tilt = values[1], .zoom = values[2]};
  return stop->zoom >= LEAST_ZOOM && stop->zoom <= MAX_ZOOM;
}

DebyeCameraPath *
debye_camera_path_parse(const char *text, GError **error)
{
  g_autoptr(GArray) stops = g_array_new(FALSE, FALSE, sizeof(DebyeCameraStop));
  g_auto(GStrv) parts = g_strsplit(text, ";", -1);
  gboolean understood = g_strv_length(parts) >= 2;
  for (guint i = 0; understood && parts[i] != NULL; i++) {
    DebyeCameraStop stop;
    understood = parse_stop(parts[i], &stop);
    g_array_append_val(stops, stop);
  }
  if (!understood)
    return debye_null(debye_error_set(
        error, DEBYE_ERROR_SETTING,
        "Path of cameras: expected TURN,TILT,ZOOM; TURN,TILT,ZOOM; … (degrees, degrees, %g to %g), "
        "found “%s”",
        LEAST_ZOOM, MAX_ZOOM, text));
  DebyeCameraPath *self = g_new(DebyeCameraPath, 1);
  *self = (DebyeCameraPath){.stops = g_steal_pointer(&stops)};
  return self;
}

/* --- Places --- */

/* About an axis of the picture: after what turned the world before. */
static void
turn(DebyeCamera *camera, double degrees, DebyeTurnAxis axis)
{
  versor rotation, turned;
  glm_quat(rotation, glm_rad((float)degrees), axis == DEBYE_TURN_LEVEL ? 1.0f : 0.0f,
           axis == DEBYE_TURN_UPRIGHT ? 1.0f : 0.0f, axis == DEBYE_TURN_SIGHT ? 1.0f : 0.0f);
  glm_quat_mul(rotation, camera->orientation, turned);
  glm_quat_normalize_to(turned, camera->orientation);
}

static double
between(double a, double b, double share)
{
  return a + share * (b - a);
}

/* Between which of `n` stops the film is; how far it has gone from one to the next, with speed 0 at both
 * (smoothstep). */
static guint
find_leg(guint n, double share, double *eased)
{
  double place = share * (n - 1);
  guint i = MIN((guint)place, n - 2);
  double t = place - i;
  *eased = t * t * (3.0 - 2.0 * t);
  return i;
}

/* A zoom grows by factors: halfway from 1 to 4 is 2. */
static DebyeCameraStop
find_stop(const GArray *stops, double share)
{
  double eased;
  guint i = find_leg(stops->len, share, &eased);
  const DebyeCameraStop *a = &g_array_index(stops, DebyeCameraStop, i);
  const DebyeCameraStop *b = &g_array_index(stops, DebyeCameraStop, i + 1);
  return (DebyeCameraStop){.turn = between(a->turn, b->turn, eased),
                           .tilt = between(a->tilt, b->tilt, eased),
                           .zoom = a->zoom * pow(b->zoom / a->zoom, eased)};
}

static void
place_between_views(const GArray *views, double share, DebyeCamera *camera)
{
  double eased;
  guint i = find_leg(views->len, share, &eased);
  const DebyeCamera *a = &g_array_index(views, DebyeCamera, i);
  const DebyeCamera *b = &g_array_index(views, DebyeCamera, i + 1);
  versor from, to;
  vec3 ends[2];
  glm_quat_copy((float *)a->orientation, from);
  glm_quat_copy((float *)b->orientation, to);
  glm_vec3_copy((float *)a->target, ends[0]);
  glm_vec3_copy((float *)b->target, ends[1]);
  *camera = eased < 0.5 ? *a : *b;
  glm_quat_slerp(from, to, (float)eased, camera->orientation);
  glm_vec3_lerp(ends[0], ends[1], (float)eased, camera->target);
  camera->height = a->height * powf(b->height / a->height, (float)eased);
}

void
debye_camera_path_place(const DebyeCameraPath *self, const DebyeCamera *start, gsize number, gsize n_pictures,
                        DebyeCamera *camera)
{
  double share = n_pictures > 1 ? (double)number / (double)(n_pictures - 1) : 0.0;
  *camera = *start;
  if (self->views != NULL) {
    place_between_views(self->views, share, camera);
    return;
  }
  if (self->stops == NULL) {
    turn(camera, self->degrees * (double)number / (double)MAX(n_pictures, 1), self->axis);
    return;
  }
  DebyeCameraStop stop = find_stop(self->stops, share);
  turn(camera, stop.turn, DEBYE_TURN_UPRIGHT);
  turn(camera, stop.tilt, DEBYE_TURN_LEVEL);
  camera->height /= (float)stop.zoom;
}
