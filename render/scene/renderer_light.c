/* SPDX-License-Identifier: MIT */
/* Where the light of a picture comes from, and the scene as the light sees it, for its shadows; called by renderer.c and
 * renderer_passes.c. */
#include "renderer_private.h"

#include <math.h>

#define SHADOW_SIDE 2048
#define SHADOW_SIDE_KEPT 4096 /* of pictures to keep that are larger than the first */
#define SOFTNESS 0.3f         /* Å: half the width of a shadow's rim */

/* The turn that brings the light to +z, in front of whom it makes a viewer. */
static void
turn_to_light(const float light[4], mat4 turn)
{
  vec3 toward = {light[0], light[1], light[2]}, up = {0.0f, 1.0f, 0.0f}, x, y;
  if (fabsf(toward[1]) > 0.99f)
    glm_vec3_copy((vec3){0.0f, 0.0f, 1.0f}, up);
  glm_vec3_crossn(up, toward, x);
  glm_vec3_cross(toward, x, y);
  glm_mat4_identity(turn);
  for (int i = 0; i < 3; i++) {
    turn[i][0] = x[i];
    turn[i][1] = y[i];
    turn[i][2] = toward[i];
  }
}

/* The middle of the scene in the view, and the radius of the sphere about it. */
static float
find_sphere(const DebyePicture *picture, const DebyeViewBlock *block, vec3 middle)
{
  glm_vec3_copy((vec3){(float)(0.5 * (picture->low.x + picture->high.x)),
                       (float)(0.5 * (picture->low.y + picture->high.y)),
                       (float)(0.5 * (picture->low.z + picture->high.z))},
                middle);
  glm_mat4_mulv3((vec4 *)block->view, middle, 1.0f, middle);
  return fmaxf(1.0f,
               (float)(0.5 * debye_vec3_length(debye_vec3_subtract(picture->high, picture->low))) + 1.0f);
}

/* From the view to that of the light, whose middle is as far before it as the sphere is wide. */
static void
find_way(const DebyePicture *picture, const DebyeViewBlock *block, mat4 way, mat4 projection)
{
  vec3 middle;
  const float radius = find_sphere(picture, block, middle);
  turn_to_light(block->light, way);
  glm_mat4_mulv3(way, middle, 1.0f, middle);
  way[3][0] = -middle[0];
  way[3][1] = -middle[1];
  way[3][2] = -middle[2] - 2.0f * radius;
  glm_ortho(-radius, radius, -radius, radius, 0.0f, 4.0f * radius, projection);
}

void
debye_renderer_make_light(const DebyePicture *picture, DebyeViewBlock *block)
{
  const DebyeLook *look = picture->look;
  const float turn = glm_rad(look->light_turn), tilt = glm_rad(look->light_tilt);
  mat4 way, projection;
  glm_vec4_copy((vec4){sinf(turn) * cosf(tilt), sinf(tilt), cosf(turn) * cosf(tilt), look->brightness},
                block->light);
  find_way(picture, block, way, projection);
  glm_mat4_mul(projection, way, block->to_light);
  const float width = 2.0f / projection[0][0];
  glm_vec4_copy((vec4){look->shadow, SOFTNESS / width, SOFTNESS, 1.0f / (2.0f * width)}, block->shadow);
}

int
debye_renderer_get_shadow_side(const DebyePicture *picture)
{
  const gboolean is_large = picture->thorough && MAX(picture->width, picture->height) > SHADOW_SIDE;
  return is_large ? SHADOW_SIDE_KEPT : SHADOW_SIDE;
}

/* The clipping plane goes along: what is cut away throws no shadow. */
static void
turn_clip(mat4 way, vec4 clip)
{
  vec3 normal;
  if (clip[0] == 0.0f && clip[1] == 0.0f && clip[2] == 0.0f)
    return;
  glm_mat4_mulv3(way, clip, 0.0f, normal);
  const float shift = glm_vec3_dot(normal, way[3]);
  glm_vec4(normal, clip[3] - shift, clip);
}

void
debye_renderer_look_from_light(const DebyeSample *seen, DebyeSample *sample)
{
  const float side = (float)debye_renderer_get_shadow_side(seen->picture);
  DebyeViewBlock *block = &sample->block;
  mat4 way;
  *sample = *seen;
  sample->seen[0] = NULL; /* the viewer's */
  find_way(seen->picture, &seen->block, way, block->projection);
  glm_mat4_mul(way, (vec4 *)seen->block.view, block->view);
  const float half = 1.0f / block->projection[0][0];
  glm_vec4_copy((vec4){2.0f * half / side, 2.0f * half / side, -half, -half}, block->ray);
  glm_vec4_copy((vec4){side, side, block->pixels[2], side / (2.0f * half)}, block->pixels);
  block->cue[3] = 1.0f;
  turn_clip(way, block->clip);
  DebyeDrawContext *context = &sample->context;
  context->width = context->height = (int)side;
  context->orthographic = TRUE;
  context->pixels_per_angstrom = block->pixels[3];
  glm_mat4_copy(block->view, context->view);
  glm_mat4_copy(block->projection, context->projection);
}
