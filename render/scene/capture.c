/* SPDX-License-Identifier: MIT */
/* A picture of any size: drawn in tiles with a rim around each, since outlines, lines and what smooths the
 * occlusion look beyond a pixel's own place, and the rim is thrown away. */
#include "capture_private.h"

#include <math.h>

#include "data/files/error.h"
#include "render/gl/gl_target.h"
#include "scene_private.h"

#define LARGEST_TILE 4096
/* A step of a software GL then takes a second or two, so that Stop is heeded. */
#define LARGEST_TILE_SOFTWARE 1024
/* Pixels, and logical pixels: widest is half a thick line. */
#define LEAST_RIM 8
#define RIM_LOGICAL 5.0
/* Of a triangle of a surface, pixels: its arcs are off by a fifth of a pixel from straight lines where they turn within
 * 150. */
#define LONGEST_EDGE 16.0
/* Of a side and of the whole: what libpng and a person's memory can bear. */
#define LARGEST_SIDE 65535
#define LARGEST_AREA ((gsize)1 << 29)

struct _DebyeCapture {
  DebyeScene *scene;
  DebyeCaptureSize size;
  int side, rim;      /* of a tile with its rim */
  int next_x, next_y; /* the tile that is drawn next */
  gboolean begun;
  DebyeTarget target;
  guint8 *tile, *rgba;
};

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
draw_part(DebyeCapture *self, int x, int y, int width, int height, GError **error)
{
  const DebyeCaptureSize *size = &self->size;
  int left = MAX(x - self->rim, 0), right = MIN(x + width + self->rim, size->width);
  int top = MAX(y - self->rim, 0), bottom = MIN(y + height + self->rim, size->height);
  DebyeTile tile = {left, size->height - bottom, right - left, bottom - top};
  if (!debye_target_ensure(&self->target, tile.width, tile.height, GL_RGBA8, FALSE)) {
    debye_error_set(error, DEBYE_ERROR_DEVICE, "OpenGL can't make a picture of %d × %d pixels to draw into",
                    tile.width, tile.height);
    return FALSE;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, self->target.framebuffer);
  if (!debye_scene_draw_tile(self->scene, size->width, size->height, size->scale, &tile, size->samples,
                             error))
    return FALSE;
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, tile.width, tile.height, GL_RGBA, GL_UNSIGNED_BYTE, self->tile);
  for (int row = 0; row < height; row++) {
    gsize from = (gsize)(bottom - 1 - (y + row)) * (gsize)tile.width + (gsize)(x - left);
    gsize to = (gsize)(y + row) * (gsize)size->width + (gsize)x;
    copy_pixels(self->tile + 4 * from, self->rgba + 4 * to, (gsize)width);
  }
  return TRUE;
}

static gboolean
is_whole(const DebyeCapture *self)
{
  return self->size.width <= self->side && self->size.height <= self->side;
}

/* The side of the part of a tile that is kept, in pixels. */
static int
get_stride(const DebyeCapture *self)
{
  return is_whole(self) ? self->side : self->side - 2 * self->rim;
}

static gboolean
draw_next(DebyeCapture *self, GError **error)
{
  const DebyeCaptureSize *size = &self->size;
  int stride = get_stride(self);
  if (!self->begun && !is_whole(self) &&
      !debye_scene_begin_tiles(self->scene, size->width, size->height, size->scale)) {
    debye_error_set(error, DEBYE_ERROR_DEVICE, "OpenGL can't draw a picture of %d × %d pixels", size->width,
                    size->height);
    return FALSE;
  }
  self->begun = TRUE;
  int x = self->next_x, y = self->next_y;
  if (!draw_part(self, x, y, MIN(stride, size->width - x), MIN(stride, size->height - y), error))
    return FALSE;
  self->next_x = x + stride < size->width ? x + stride : 0;
  self->next_y = self->next_x > 0 ? y : MIN(y + stride, size->height);
  return TRUE;
}

gboolean
debye_capture_step(DebyeCapture *self, GError **error)
{
  GLint bound = 0;
  if (self->next_y >= self->size.height)
    return TRUE;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  DebyeLook *look = debye_scene_get_look(self->scene);
  float coverage = look->background[3];
  look->background[3] = self->size.transparent ? 0.0f : coverage;
  gboolean drawn = draw_next(self, error);
  look->background[3] = coverage;
  glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
  return drawn;
}

double
debye_capture_get_fraction(const DebyeCapture *self)
{
  double stride = get_stride(self), width = self->size.width, height = self->size.height;
  double row = fmin(stride, height - self->next_y);
  double done = (double)self->next_y * width + self->next_x * fmax(row, 0.0);
  return self->next_y >= self->size.height ? 1.0 : done / (width * height);
}

/* --- Beginning and end --- */

static gboolean
check_size(int width, int height, GError **error)
{
  if (width >= 1 && height >= 1 && width <= LARGEST_SIDE && height <= LARGEST_SIDE &&
      (gsize)width * (gsize)height <= LARGEST_AREA)
    return TRUE;
  debye_error_set(error, DEBYE_ERROR_VALUE,
                  "a picture has 1 to %d pixels per side and at most %" G_GSIZE_FORMAT
                  " in total, found %d × %d",
                  LARGEST_SIDE, LARGEST_AREA, width, height);
  return FALSE;
}

static int
largest_tile(DebyeScene *scene, int width, int height)
{
  GLint limit = 0, view[2] = {0, 0};
  int wanted = debye_scene_is_software(scene) ? LARGEST_TILE_SOFTWARE : LARGEST_TILE;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, view);
  return MIN(MIN(limit, MIN(view[0], view[1])), MIN(wanted, MAX(width, height)));
}

/* Of the camera's target: what is nearer is larger, but not by much. */
void
debye_capture_settle(DebyeScene *scene, const DebyeCaptureSize *size)
{
  GListModel *layers = debye_scene_get_layers(scene);
  const double longest =
      LONGEST_EDGE * (double)debye_scene_get_camera(scene)->height / fmax(size->height, 1.0);
  debye_scene_settle(scene);
  for (guint i = 0; i < g_list_model_get_n_items(layers); i++) {
    g_autoptr(DebyeLayer) layer = g_list_model_get_item(layers, i);
    DebyeLayerClass *class = DEBYE_LAYER_GET_CLASS(layer);
    if (class->set_longest_edge != NULL && debye_layer_get_visible(layer))
      class->set_longest_edge(layer, longest);
  }
  debye_scene_settle(scene);
}

/* `side` 0: as large as is good. */
static DebyeCapture *
begin(DebyeScene *scene, const DebyeCaptureSize *size, int side, GError **error)
{
  if (!check_size(size->width, size->height, error))
    return NULL;
  g_autoptr(DebyeCapture) self = g_new(DebyeCapture, 1);
  *self = (DebyeCapture){.scene = g_object_ref(scene), .size = *size};
  self->rim = LEAST_RIM + (int)ceil(RIM_LOGICAL * fmax(size->scale, 0.0));
  self->side = side > 2 * self->rim ? side : largest_tile(scene, size->width, size->height);
  self->rim = MIN(self->rim, self->side / 4);
  gsize tile = (gsize)MIN(self->side, size->width) * (gsize)MIN(self->side, size->height);
  self->rgba = g_try_malloc(4 * (gsize)size->width * (gsize)size->height);
  self->tile = g_try_malloc(4 * tile);
  if (self->rgba == NULL || self->tile == NULL) {
    debye_error_set(error, DEBYE_ERROR_MEMORY, "there is no memory for a picture of %d × %d pixels",
                    size->width, size->height);
    return NULL;
  }
  debye_capture_settle(scene, size);
  return g_steal_pointer(&self);
}

DebyeCapture *
debye_capture_begin(DebyeScene *scene, const DebyeCaptureSize *size, GError **error)
{
  return begin(scene, size, 0, error);
}

void
debye_capture_free(DebyeCapture *self)
{
  if (self == NULL)
    return;
  debye_target_clear(&self->target, FALSE);
  g_object_unref(self->scene);
  g_free(self->tile);
  g_free(self->rgba);
  g_free(self);
}

GBytes *
debye_capture_finish(DebyeCapture *self)
{
  gsize n_bytes = 4 * (gsize)self->size.width * (gsize)self->size.height;
  GBytes *rgba = g_bytes_new_take(g_steal_pointer(&self->rgba), n_bytes);
  debye_capture_free(self);
  return rgba;
}

/* Some tiles' worth of a picture; also what the tests use to compare tiled with whole. */
GBytes *
debye_capture_tiled(DebyeScene *scene, int width, int height, double scale, gboolean transparent, int samples,
                    int side, GError **error)
{
  const DebyeCaptureSize size = {width, height, scale, transparent, samples};
  g_autoptr(DebyeCapture) capture = begin(scene, &size, side, error);
  if (capture == NULL)
    return NULL;
  while (debye_capture_get_fraction(capture) < 1.0)
    if (!debye_capture_step(capture, error))
      return NULL;
  return debye_capture_finish(g_steal_pointer(&capture));
}

GBytes *
debye_capture(DebyeScene *scene, int width, int height, double scale, gboolean transparent, int samples,
              GError **error)
{
  return debye_capture_tiled(scene, width, height, scale, transparent, samples, 0, error);
}
