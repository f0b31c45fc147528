/* SPDX-License-Identifier: MIT */
/* A picture of any size: drawn in tiles with a rim around each, since occlusion, outlines and large points
 * look beyond a pixel's own place, and the rim is thrown away. */
#include "capture_private.h"

#include <string.h>

#include "data/error.h"
#include "gl_target.h"
#include "scene_private.h"

#define LARGEST_TILE 4096
#define RIM 96
/* Of a side and of the whole: what libpng and a person's memory can bear. */
#define LARGEST_SIDE 65535
#define LARGEST_AREA ((gsize)1 << 29)

typedef struct {
  DebyeScene *scene;
  int width, height, samples, side; /* side: of a tile with its rim */
  double scale;
  DebyeTarget target;
  guint8 *tile, *rgba;
} Capture;

/* Premultiplied to straight alpha. */
static void
copy_pixels(const guint8 *from, guint8 *to, gsize n)
{
  for (gsize i = 0; i < n; i++, from += 4, to += 4) {
    guint alpha = from[3];
    for (int c = 0; c < 3; c++)
      to[c] = alpha == 255 ? from[c] : alpha ? (guint8)MIN((from[c] * 255u + alpha / 2) / alpha, 255u) : 0;
    to[3] = (guint8)alpha;
  }
}

/* The part of the picture from (x, y), y down, of width × height: drawn with its rim, kept without. */
static gboolean
capture_part(Capture *capture, int x, int y, int width, int height, GError **error)
{
  int left = MAX(x - RIM, 0), right = MIN(x + width + RIM, capture->width);
  int top = MAX(y - RIM, 0), bottom = MIN(y + height + RIM, capture->height);
  DebyeTile tile = {left, capture->height - bottom, right - left, bottom - top};
  if (!debye_target_ensure(&capture->target, tile.width, tile.height, GL_RGBA8, FALSE)) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_DEVICE,
                "OpenGL can't make a picture of %d × %d pixels to draw into", tile.width, tile.height);
    return FALSE;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, capture->target.framebuffer);
  if (!debye_scene_draw_tile(capture->scene, capture->width, capture->height, capture->scale, &tile,
                             capture->samples, error))
    return FALSE;
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, tile.width, tile.height, GL_RGBA, GL_UNSIGNED_BYTE, capture->tile);
  for (int row = 0; row < height; row++) {
    gsize from = (gsize)(bottom - 1 - (y + row)) * (gsize)tile.width + (gsize)(x - left);
    gsize to = (gsize)(y + row) * (gsize)capture->width + (gsize)x;
    copy_pixels(capture->tile + 4 * from, capture->rgba + 4 * to, (gsize)width);
  }
  return TRUE;
}

static gboolean
capture_all(Capture *capture, GError **error)
{
  gboolean whole = capture->width <= capture->side && capture->height <= capture->side;
  int step = whole ? capture->side : capture->side - 2 * RIM;
  for (int y = 0; y < capture->height; y += step)
    for (int x = 0; x < capture->width; x += step)
      if (!capture_part(capture, x, y, MIN(step, capture->width - x), MIN(step, capture->height - y), error))
        return FALSE;
  return TRUE;
}

static gboolean
check_size(int width, int height, GError **error)
{
  if (width >= 1 && height >= 1 && width <= LARGEST_SIDE && height <= LARGEST_SIDE &&
      (gsize)width * (gsize)height <= LARGEST_AREA)
    return TRUE;
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
              "a picture has 1 to %d pixels a side and at most %" G_GSIZE_FORMAT " in all, found %d × %d",
              LARGEST_SIDE, LARGEST_AREA, width, height);
  return FALSE;
}

static int
largest_tile(int width, int height)
{
  GLint limit = 0, view[2] = {0, 0};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, view);
  return MIN(MIN(limit, MIN(view[0], view[1])), MIN(LARGEST_TILE, MAX(width, height)));
}

/* Some tiles' worth of a picture; also what the tests use to compare tiled with whole. */
GBytes *
debye_capture_tiled(DebyeScene *scene, int width, int height, double scale, gboolean transparent, int samples,
                    int side, GError **error)
{
  if (!check_size(width, height, error))
    return NULL;
  Capture capture = {.scene = scene, .width = width, .height = height, .samples = samples, .scale = scale};
  capture.side = side > 2 * RIM ? side : largest_tile(width, height);
  gsize tile = (gsize)MIN(capture.side, width) * (gsize)MIN(capture.side, height);
  capture.rgba = g_try_malloc(4 * (gsize)width * (gsize)height);
  capture.tile = g_try_malloc(4 * tile);
  gboolean done = capture.rgba && capture.tile;
  if (!done)
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MEMORY, "there is no memory for a picture of %d × %d pixels",
                width, height);
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  DebyeLook *look = debye_scene_get_look(scene);
  float coverage = look->background[3];
  look->background[3] = transparent ? 0.0f : coverage;
  debye_scene_settle(scene);
  done = done && capture_all(&capture, error);
  look->background[3] = coverage;
  debye_target_clear(&capture.target, FALSE);
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
  g_free(capture.tile);
  if (!done) {
    g_free(capture.rgba);
    return NULL;
  }
  return g_bytes_new_take(capture.rgba, 4 * (gsize)width * (gsize)height);
}

GBytes *
debye_capture(DebyeScene *scene, int width, int height, double scale, gboolean transparent, int samples,
              GError **error)
{
  return debye_capture_tiled(scene, width, height, scale, transparent, samples, 0, error);
}
