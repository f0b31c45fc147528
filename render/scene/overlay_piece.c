/* SPDX-License-Identifier: MIT */
/* A picture over the scene: as a texture, and put at its place; called by overlay.c and overlay_labels.c. */
#include <math.h>

#include "overlay_private.h"
#include "render/gl/gl_target.h"

void
debye_piece_upload(DebyePiece *piece, cairo_surface_t *surface)
{
  int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
  if (!piece->texture)
    piece->texture = debye_texture_new(GL_LINEAR);
  cairo_surface_flush(surface);
  debye_texture_bind(DEBYE_UNIT_IMAGE, piece->texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, cairo_image_surface_get_stride(surface) / 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               cairo_image_surface_get_data(surface));
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  piece->width = width;
  piece->height = height;
}

void
debye_piece_put(DebyeRenderer *renderer, const DebyePiece *piece, const DebyePicture *picture, double left,
                double top)
{
  if (piece->texture && piece->width > 0.0)
    debye_renderer_draw_piece(renderer, piece->texture, picture, round(left), round(top), piece->width,
                              piece->height);
}
