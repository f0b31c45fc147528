/* SPDX-License-Identifier: MIT */
/* The view of one sample of a picture or of a tile of it, as the shaders are told it. */
#include "renderer_private.h"

#include "render/layers/clip_layer.h"

/* A point of the unit square by Roberts' sequence; the first is the middle. */
static void
sample_shift(int sample, double shift[2])
{
  shift[0] = fmod(0.5 + 0.7548776662466927 * sample, 1.0) - 0.5;
  shift[1] = fmod(0.5 + 0.5698402909980532 * sample, 1.0) - 0.5;
}

/* Narrows a projection to the tile and shifts it: x' = s·x + t in normalised device coordinates. */
static void
crop(mat4 projection, gboolean perspective, int axis, double s, double t)
{
  projection[axis][axis] *= (float)s;
  if (perspective)
    projection[2][axis] = (float)(s * (double)projection[2][axis] - t);
  else
    projection[3][axis] = (float)(s * (double)projection[3][axis] + t);
}

static void
make_view(const DebyePicture *picture, double factor, int sample, DebyeViewBlock *block)
{
  const DebyeCamera *camera = picture->camera;
  const DebyeLook *look = picture->look;
  debye_camera_matrices(camera, (double)picture->width / picture->height, picture->low, picture->high,
                        block->view, block->projection);
  double shift[2], size[2] = {picture->width, picture->height};
  double tile[2] = {picture->tile_width, picture->tile_height}, corner[2] = {picture->left, picture->bottom};
  sample_shift(sample, shift);
  block->pixels[3] = (float)(0.5 * (double)block->projection[1][1] * picture->height * factor);
  for (int axis = 0; axis < 2; axis++) {
    double s = size[axis] / tile[axis];
    double t =
        (size[axis] - 2.0 * corner[axis]) / tile[axis] - 1.0 + 2.0 * shift[axis] / (tile[axis] * factor);
    crop(block->projection, camera->perspective, axis, s, t);
    double scale = (double)block->projection[axis][axis];
    block->pixels[axis] = (float)(tile[axis] * factor);
    block->ray[axis] = (float)(2.0 / (tile[axis] * factor * scale));
    block->ray[2 + axis] = (float)((-1.0 + (double)block->projection[2][axis] * camera->perspective -
                                    (double)block->projection[3][axis] * !camera->perspective) /
                                   scale);
  }
  block->pixels[2] = (float)(picture->scale * factor);
  for (int c = 0; c < 4; c++)
    block->background[c] = look->background[c];
  block->look[0] = look->outline;
  block->look[1] = look->ambient_occlusion;
  block->look[3] = (float)sample;
}

/* Cueing begins a little behind the nearest corner of the scene and ends behind the farthest. */
static void
make_cue(const DebyePicture *picture, DebyeViewBlock *block)
{
  vec3 middle = {(float)(0.5 * (picture->low.x + picture->high.x)),
                 (float)(0.5 * (picture->low.y + picture->high.y)),
                 (float)(0.5 * (picture->low.z + picture->high.z))};
  float radius = (float)(0.5 * debye_vec3_length(debye_vec3_subtract(picture->high, picture->low)));
  glm_mat4_mulv3(block->view, middle, 1.0f, middle);
  block->cue[0] = -middle[2] - 0.45f * radius;
  block->cue[1] = -middle[2] + 1.0f * radius;
  block->cue[2] = picture->look->depth_cue;
  block->cue[3] = picture->camera->perspective ? 0.0f : 1.0f;
}

/* A plane of space as one of the view. */
static void
make_clip(GListModel *layers, const DebyePicture *picture, DebyeViewBlock *block)
{
  double plane[4];
  glm_vec4_copy((vec4){0.0f, 0.0f, 0.0f, 1.0f}, block->clip);
  if (!debye_clip_layer_find_plane(layers, picture->camera, picture->low, picture->high, plane))
    return;
  vec3 normal = {(float)plane[0], (float)plane[1], (float)plane[2]}, seen;
  glm_mat4_mulv3(block->view, normal, 0.0f, seen);
  double shift = (double)seen[0] * (double)block->view[3][0] + (double)seen[1] * (double)block->view[3][1] +
                 (double)seen[2] * (double)block->view[3][2];
  glm_vec4(seen, (float)(plane[3] - shift), block->clip);
}

void
debye_renderer_make_view(GListModel *layers, const DebyePicture *picture, double factor, int sample,
                         DebyeViewBlock *block)
{
  make_view(picture, factor, sample, block);
  make_cue(picture, block);
  make_clip(layers, picture, block);
  debye_renderer_make_light(picture, block);
}
