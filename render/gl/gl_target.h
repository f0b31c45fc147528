/* SPDX-License-Identifier: MIT */
/* Pictures to draw into, and the block of values that every shader reads. */
#pragma once

#include <cglm/cglm.h>
#include <epoxy/gl.h>
#include <glib.h>

#include "render/plot/color_map.h"

/* As `View` in shaders/view.glsl, std140. */
typedef struct {
  mat4 view, projection;
  vec4 ray;
  vec4 background;
  vec4 cue;
  vec4 pixels;
  vec4 look;
  vec4 clip;
  vec4 light;
  mat4 to_light;
  vec4 shadow;
} DebyeViewBlock;

typedef struct {
  GLuint framebuffer, color, depth; /* textures; depth 0: none */
  GLenum format;
  int width, height;
} DebyeTarget;

/* Makes it, or makes it anew where size or format differ. FALSE where this GL can't draw into it. */
gboolean debye_target_ensure(DebyeTarget *target, int width, int height, GLenum format, gboolean with_depth);
void debye_target_clear(DebyeTarget *target, gboolean context_lost);

/* A texture of `format` with the wrap and filter that all of ours have. */
GLuint debye_texture_new(GLenum filter);
void debye_texture_bind(int unit, GLuint texture);
/* Fills the texture bound last with the 256 colours of a map. */
void debye_color_map_upload(const DebyeColorMap *map);
