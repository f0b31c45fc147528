/* SPDX-License-Identifier: MIT */
/* The framebuffers that the renderer draws into, with a colour and a depth texture of one sample:
 * antialiasing is done by drawing shifted pictures. */
#include "gl_target.h"

GLuint
debye_texture_new(GLenum filter)
{
  GLuint texture;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  return texture;
}

void
debye_texture_bind(int unit, GLuint texture)
{
  glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
  glBindTexture(GL_TEXTURE_2D, texture);
}

static void
allocate_color(DebyeTarget *target)
{
  gboolean half = target->format == GL_RGBA16F, single = target->format == GL_R32F;
  GLenum layout = target->format == GL_R8 || single ? GL_RED : GL_RGBA;
  target->color = debye_texture_new(layout == GL_RED ? GL_NEAREST : GL_LINEAR);
  glTexImage2D(GL_TEXTURE_2D, 0, (GLint)target->format, target->width, target->height, 0, layout,
               half     ? GL_HALF_FLOAT
               : single ? GL_FLOAT
                        : GL_UNSIGNED_BYTE,
               NULL);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->color, 0);
}

/* 32-bit float: what a fragment's depth was is what a later pass reads back, to the bit, as peeling needs. */
static void
allocate_depth(DebyeTarget *target)
{
  target->depth = debye_texture_new(GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, target->width, target->height, 0, GL_DEPTH_COMPONENT,
               GL_FLOAT, NULL);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
}

gboolean
debye_target_ensure(DebyeTarget *target, int width, int height, GLenum format, gboolean with_depth)
{
  if (target->framebuffer && target->width == width && target->height == height && target->format == format &&
      (target->depth != 0) == !!with_depth)
    return TRUE;
  debye_target_clear(target, FALSE);
  *target = (DebyeTarget){.width = width, .height = height, .format = format};
  glActiveTexture(GL_TEXTURE0);
  glGenFramebuffers(1, &target->framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
  allocate_color(target);
  if (with_depth)
    allocate_depth(target);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
    return TRUE;
  /* Or the next call would take it for one that is ready. */
  debye_target_clear(target, FALSE);
  return FALSE;
}

void
debye_target_clear(DebyeTarget *target, gboolean context_lost)
{
  if (!context_lost && target->framebuffer) {
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->color);
    if (target->depth)
      glDeleteTextures(1, &target->depth);
  }
  *target = (DebyeTarget){0};
}

void
debye_color_map_upload(const DebyeColorMap *map)
{
  guint8 colors[256][4];
  for (int i = 0; i < 256; i++) {
    float rgb[3];
    debye_color_map_get(map, i / 255.0, rgb);
    for (int c = 0; c < 3; c++)
      colors[i][c] = (guint8)(rgb[c] * 255.0f + 0.5f);
    colors[i][3] = 255;
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, colors);
}
