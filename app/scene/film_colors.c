/* SPDX-License-Identifier: MIT */
/* Implementation of film_colors.h. Weights: ITU-R BT.601-7 §2.5, BT.709-6 §3. */
#include "film_colors.h"

#include <math.h>

/* Shares of red and blue in the brightness. */
static const struct {
  float red, blue;
} weights[] = {[DEBYE_FILM_BT709] = {0.2126f, 0.0722f}, [DEBYE_FILM_BT601] = {0.299f, 0.114f}};

/* 0 … 255. */
static float
find_brightness(const float rgb[3], float red, float blue)
{
  return rgb[1] + red * (rgb[0] - rgb[1]) + blue * (rgb[2] - rgb[1]);
}

static guint8
to_range(float value, float middle, float range)
{
  return (guint8)lrintf(middle + value * (range / 255.0f));
}

static void
add_pixel(const guint8 *pixel, float sum[3])
{
  for (int c = 0; c < 3; c++)
    sum[c] += 0.25f * (float)pixel[c];
}

/* Two rows of pixels, of which the second row of y begins a stride behind the first. */
static void
convert_rows(const guint8 *rgba, gsize width, float red, float blue, guint8 *y, gsize stride, guint8 *u,
             guint8 *v)
{
  for (gsize x = 0; x < width; x += 2) {
    float mean[3] = {0.0f, 0.0f, 0.0f};
    for (gsize k = 0; k < 4; k++) {
      const gsize place = x + (k & 1) + (k >> 1) * width;
      const guint8 *pixel = rgba + 4 * place;
      const float rgb[3] = {(float)pixel[0], (float)pixel[1], (float)pixel[2]};
      y[x + (k & 1) + (k >> 1) * stride] = to_range(find_brightness(rgb, red, blue), 16.0f, 219.0f);
      add_pixel(pixel, mean);
    }
    const float brightness = find_brightness(mean, red, blue);
    u[x / 2] = to_range((mean[2] - brightness) / (2.0f - 2.0f * blue), 128.0f, 224.0f);
    v[x / 2] = to_range((mean[0] - brightness) / (2.0f - 2.0f * red), 128.0f, 224.0f);
  }
}

GBytes *
debye_film_colors_convert(GBytes *rgba, int width, int height, DebyeFilmMatrix matrix)
{
  const gsize w = (gsize)width, h = (gsize)height;
  const gsize stride = (w + 3) / 4 * 4, half_stride = (w / 2 + 3) / 4 * 4;
  const gsize n = stride * h, n_half = half_stride * (h / 2);
  const guint8 *pixels = g_bytes_get_data(rgba, NULL);
  guint8 *planes = g_malloc0(n + 2 * n_half);
  for (gsize row = 0; row < h; row += 2)
    convert_rows(pixels + 4 * w * row, w, weights[matrix].red, weights[matrix].blue, planes + stride * row,
                 stride, planes + n + half_stride * (row / 2), planes + n + n_half + half_stride * (row / 2));
  return g_bytes_new_take(planes, n + 2 * n_half);
}
