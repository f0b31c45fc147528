/* SPDX-License-Identifier: MIT */
/* The nearest fragments of each pixel, with their colours, in the order of their depths: all layers of transparency from one
 * drawing, in any order, where the GL has buffers and numbers of 64 bits for it. shaders/light.glsl keeps them, shaders/nearest.glsl
 * lays them over each other. After Kubisch, "Order Independent Transparency In OpenGL 4.x", 2014. Used by the renderer. */
#pragma once

#include "gl_program.h"

/* Fragments kept per pixel. */
#define DEBYE_NEAREST_FRAGMENTS 8

typedef struct {
  GLuint buffer;
  gsize n_bytes, n_used; /* of the buffer, and of the picture */
} DebyeNearestFragments;

/* FALSE: this GL can't, or not for so many pixels. */
gboolean debye_nearest_ensure(DebyeNearestFragments *self, DebyePrograms *programs, int width, int height);
void debye_nearest_clear(DebyeNearestFragments *self, gboolean context_lost);

/* Makes all pixels empty. */
void debye_nearest_begin(const DebyeNearestFragments *self);
/* For the shaders that are drawn with next. */
void debye_nearest_bind(const DebyeNearestFragments *self);
