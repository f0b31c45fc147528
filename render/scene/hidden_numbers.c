/* SPDX-License-Identifier: MIT */
/* Looks along rays for what stands before the numbers of contour lines; called by overlay.c. */
#include "hidden_numbers.h"

#include <string.h>

/* Å before a number: what is nearer to it is its own plane, or stands on that. */
#define CLEARANCE 0.05
/* A number is read through what is more transparent. */
#define OPAQUE 0.5

struct _DebyeHiddenNumbers {
  GArray *hidden; /* gboolean, a number each */
  guint next;
  DebyeCamera camera, camera_of_hidden; /* of the picture; when `hidden` was found */
  guint64 serial, serial_of_hidden;
  gboolean is_looking; /* `hidden` is found for this picture */
  /* Of this picture. */
  GListModel *layers;
  double width, height, plane[4];
};

DebyeHiddenNumbers *
debye_hidden_numbers_new(void)
{
  DebyeHiddenNumbers *self = g_new0(DebyeHiddenNumbers, 1);
  self->hidden = g_array_new(FALSE, TRUE, sizeof(gboolean));
  return self;
}

void
debye_hidden_numbers_free(DebyeHiddenNumbers *self)
{
  g_array_unref(self->hidden);
  g_free(self);
}

static gboolean
is_same_view(const DebyeCamera *one, guint64 serial, const DebyeCamera *other, guint64 other_serial)
{
  return serial == other_serial && memcmp(one, other, sizeof *one) == 0;
}

void
debye_hidden_numbers_begin(DebyeHiddenNumbers *self, GListModel *layers, const DebyePicture *picture,
                           guint64 serial, const double plane[4])
{
  const gboolean rests = is_same_view(&self->camera, self->serial, picture->camera, serial);
  const gboolean is_found =
      is_same_view(&self->camera_of_hidden, self->serial_of_hidden, picture->camera, serial);
  self->layers = layers;
  self->width = picture->width;
  self->height = picture->height;
  memcpy(self->plane, plane, sizeof self->plane);
  memcpy(&self->camera, picture->camera, sizeof self->camera);
  self->serial = serial;
  self->next = 0;
  self->is_looking = (picture->thorough || rests) && !is_found;
  if (self->is_looking) {
    memcpy(&self->camera_of_hidden, picture->camera, sizeof self->camera_of_hidden);
    self->serial_of_hidden = serial;
    g_array_set_size(self->hidden, 0);
  }
}

/* What the clipping plane takes away before a ray meets it covers nothing. */
static double
skip_what_is_cut(const double plane[4], DebyeVec3 origin, DebyeVec3 direction)
{
  const DebyeVec3 normal = debye_vec3(plane[0], plane[1], plane[2]);
  const double before = debye_vec3_dot(normal, origin) + plane[3], speed = debye_vec3_dot(normal, direction);
  return before < 0.0 && speed > 0.0 ? -before / speed : 0.0;
}

static gboolean
is_covered(const DebyeHiddenNumbers *self, DebyeLayer *own, const double at[2], DebyeVec3 place)
{
  DebyeVec3 origin, direction;
  debye_camera_ray(&self->camera, at[0], at[1], self->width, self->height, &origin, &direction);
  const double skipped = skip_what_is_cut(self->plane, origin, direction);
  const double distance = debye_vec3_dot(debye_vec3_subtract(place, origin), direction) - skipped;
  origin = debye_vec3_add(origin, debye_vec3_scale(direction, skipped));
  for (guint i = 0; i < g_list_model_get_n_items(self->layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(self->layers, i);
    DebyePick pick = {.atom = -1, .depth = distance - CLEARANCE};
    if (layer != own && debye_layer_get_visible(layer) && debye_layer_get_opacity(layer) >= OPAQUE &&
        DEBYE_LAYER_GET_CLASS(layer)->pick &&
        DEBYE_LAYER_GET_CLASS(layer)->pick(layer, origin, direction, &pick))
      return TRUE;
  }
  return FALSE;
}

gboolean
debye_hidden_numbers_next(DebyeHiddenNumbers *self, DebyeLayer *layer, const double at[2], DebyeVec3 place)
{
  const guint number = self->next++;
  if (self->is_looking) {
    const gboolean hidden = is_covered(self, layer, at, place);
    g_array_append_val(self->hidden, hidden);
  }
  return number < self->hidden->len && g_array_index(self->hidden, gboolean, number);
}
