/* SPDX-License-Identifier: MIT */
/* The farthest depth of a picture in squares of 4, 8, 16 … pixels: whether a part of the picture hides what lies behind it is
 * known without a look at each pixel. The renderer finds the first squares (copy.glsl, FARTHEST). */
#pragma once

#include "gl_target.h"

#define DEBYE_DEPTH_SQUARE 4 /* pixels: copy.glsl knows it */
#define DEBYE_DEPTH_LEVELS 16

typedef struct {
  int width, height; /* squares */
  int n_levels;
  float *levels[DEBYE_DEPTH_LEVELS]; /* row by row from the bottom; of each two by two of the level before */
} DebyeDepthLevels;

/* Room for so many squares, whose depths are to be filled in. */
void debye_depth_levels_resize(DebyeDepthLevels *self, int width, int height);
/* The further levels, of the first. */
void debye_depth_levels_build(DebyeDepthLevels *self);
void debye_depth_levels_clear(DebyeDepthLevels *self);

/* Whether all squares of some columns and rows, first and last, are nearer than `depth`. */
gboolean debye_depth_levels_hide(const DebyeDepthLevels *self, const int columns[2], const int rows[2],
                                 float depth);
