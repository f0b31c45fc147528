/* SPDX-License-Identifier: MIT */
/* Moves the camera of the view; called by view_3d.c and view_3d_input.c. */
#include "view_3d_private.h"

void
debye_view_3d_get_size(DebyeView3d *self, double *width, double *height)
{
  *width = MAX(1, gtk_widget_get_width(GTK_WIDGET(self->area)));
  *height = MAX(1, gtk_widget_get_height(GTK_WIDGET(self->area)));
}

void
debye_view_3d_zoom_at(DebyeView3d *self, double factor, double x, double y)
{
  double width, height;
  if (self->scene == NULL)
    return;
  debye_view_3d_get_size(self, &width, &height);
  debye_camera_zoom(debye_scene_get_camera(self->scene), factor, x, y, width, height);
  debye_scene_changed(self->scene);
}

void
debye_view_3d_move_to(DebyeView3d *self, DebyeVec3 point, float height)
{
  const DebyeCamera *camera = debye_scene_get_camera(self->scene);
  glm_vec3_copy((float *)camera->target, self->centre_from);
  self->height_from = camera->height;
  self->height_to = height;
  self->centre_to[0] = (float)point.x;
  self->centre_to[1] = (float)point.y;
  self->centre_to[2] = (float)point.z;
  adw_animation_reset(self->centring);
  adw_animation_play(self->centring);
}
