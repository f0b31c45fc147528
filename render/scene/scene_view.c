/* SPDX-License-Identifier: MIT */
/* A scene through its camera: a view of all of it, and what lies under a point of the view. */
#include "scene.h"

#include "render/layers/box_layer.h"
#include "render/layers/clip_layer.h"
#include "legend.h"

/* Wider legends would leave no room. */
#define WIDEST_LEGEND 0.5

static void
extend_supports(DebyeLayer *layer, const DebyeVec3 *directions, double *supports)
{
  DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
  DebyeVec3 low, high;
  if (!debye_layer_get_visible(layer) || !debye_layer_get_bounds(layer, &low, &high))
    return;
  if (class->extend_supports)
    class->extend_supports(layer, directions, supports);
  else
    debye_camera_box_supports(low, high, directions, supports);
}

/* The images are the same things elsewhere, so each support grows by the farthest shift. */
static void
extend_by_images(DebyeScene *self, const DebyeVec3 *directions, double *supports)
{
  g_autoptr(GArray) shifts = debye_box_layer_list_images(debye_scene_get_layers(self));
  for (int d = 0; d < DEBYE_FRAME_DIRECTIONS; d++) {
    double farthest = 0.0;
    for (guint i = 0; i < shifts->len; i++)
      farthest = fmax(farthest, debye_vec3_dot(directions[d], g_array_index(shifts, DebyeVec3, i)));
    supports[d] += farthest;
  }
}

void
debye_scene_view_all(DebyeScene *self, double aspect)
{
  DebyeVec3 directions[DEBYE_FRAME_DIRECTIONS];
  double supports[DEBYE_FRAME_DIRECTIONS];
  for (int i = 0; i < DEBYE_FRAME_DIRECTIONS; i++)
    supports[i] = -INFINITY;
  aspect = fmax(aspect, 1e-3);
  debye_camera_frame_directions(debye_scene_get_camera(self), aspect, directions);
  for (guint i = 0; i < g_list_model_get_n_items(debye_scene_get_layers(self)); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(debye_scene_get_layers(self), i);
    extend_supports(layer, directions, supports);
  }
  if (!isfinite(supports[0]))
    return;
  extend_by_images(self, directions, supports);
  debye_camera_frame_supports(debye_scene_get_camera(self), aspect, supports);
  debye_scene_changed(self);
}

double
debye_scene_view_all_beside_legend(DebyeScene *self, double width, double height)
{
  const DebyeCamera *camera = debye_scene_get_camera(self);
  const DebyeLook *look = debye_scene_get_look(self);
  const double share = debye_legend_get_share(debye_scene_get_layers(self), look, width, height);
  debye_scene_view_all(self, width / height);
  const float usual = camera->height;
  if (!(share > 0.0 && share < WIDEST_LEGEND))
    return 0.0;
  debye_scene_view_all(self, (1.0 - 2.0 * share) * width / height);
  const gboolean is_free = camera->height <= 1.001f * usual;
  debye_scene_view_all(self, (is_free ? 1.0 : 1.0 - share) * width / height);
  const gboolean is_left =
      look->legend_place == DEBYE_PLACE_TOP_LEFT || look->legend_place == DEBYE_PLACE_BOTTOM_LEFT;
  return is_free ? 0.0 : is_left ? 0.5 * share : -0.5 * share;
}

/* Starts a ray where the clipping plane lets it see something; how far that is. */
static double
skip_what_is_cut(DebyeScene *self, DebyeVec3 *origin, DebyeVec3 direction)
{
  DebyeVec3 low, high;
  double plane[4];
  if (!debye_scene_get_bounds(self, &low, &high) ||
      !debye_clip_layer_find_plane(debye_scene_get_layers(self), debye_scene_get_camera(self), low, high,
                                   plane))
    return 0.0;
  DebyeVec3 normal = debye_vec3(plane[0], plane[1], plane[2]);
  double before = debye_vec3_dot(normal, *origin) + plane[3], speed = debye_vec3_dot(normal, direction);
  if (before >= 0.0 || speed <= 0.0)
    return 0.0;
  *origin = debye_vec3_add(*origin, debye_vec3_scale(direction, -before / speed));
  return -before / speed;
}

double
debye_scene_find_ray(DebyeScene *self, double x, double y, double width, double height, DebyeVec3 *origin,
                     DebyeVec3 *direction)
{
  debye_camera_ray(debye_scene_get_camera(self), x, y, width, height, origin, direction);
  return skip_what_is_cut(self, origin, *direction);
}

gboolean
debye_scene_pick(DebyeScene *self, double x, double y, double width, double height, DebyePick *pick)
{
  DebyeVec3 origin, direction;
  *pick = (DebyePick){.atom = -1, .value = NAN, .depth = INFINITY};
  if (!(width > 0.0 && height > 0.0))
    return FALSE;
  const double skipped = debye_scene_find_ray(self, x, y, width, height, &origin, &direction);
  for (guint i = 0; i < g_list_model_get_n_items(debye_scene_get_layers(self)); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(debye_scene_get_layers(self), i);
    DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
    if (class->pick && debye_layer_get_visible(layer))
      class->pick(layer, origin, direction, pick);
  }
  pick->depth += skipped;
  return pick->layer != NULL;
}
