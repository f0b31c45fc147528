/* SPDX-License-Identifier: MIT */
/* A picture of cairo's as PNG or TIFF that states how large it is; called by plot_save.c and figure.c. cairo writes no density,
 * so the chunk with it is put behind the head of what it wrote. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/tiff.h"
#include "plot_cairo.h"

#define HEAD 33 /* bytes: the signature and the first chunk */
#define METRES_PER_INCH 0.0254

/* cairo's pixels are premultiplied. */
static void
copy_row(const guint8 *from, guint32 *to, int n)
{
  for (int i = 0; i < n; i++, from += 4) {
    guint32 alpha = from[3];
    guint32 red = (from[0] * alpha + 127) / 255, green = (from[1] * alpha + 127) / 255;
    guint32 blue = (from[2] * alpha + 127) / 255;
    to[i] = alpha << 24 | red << 16 | green << 8 | blue;
  }
}

cairo_surface_t *
debye_plot_picture_from_rgba(GBytes *rgba, int width, int height)
{
  const guint8 *pixels = g_bytes_get_data(rgba, NULL);
  cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  guint8 *data = cairo_image_surface_get_data(picture);
  int stride = cairo_image_surface_get_stride(picture);
  for (int row = 0; data != NULL && row < height; row++)
    copy_row(pixels + (gsize)row * 4 * (gsize)width, (guint32 *)(gpointer)(data + (gsize)row * (gsize)stride),
             width);
  cairo_surface_mark_dirty(picture);
  return picture;
}

static cairo_status_t
append_bytes(void *data, const unsigned char *bytes, unsigned int n)
{
  g_byte_array_append(data, bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

/* As PNG has it (ISO 15948, annex D), bit by bit: chunks are short. */
static guint32
check_sum(const guint8 *bytes, gsize n)
{
  guint32 sum = 0xffffffffu;
  for (gsize i = 0; i < n; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      sum = sum & 1 ? 0xedb88320u ^ sum >> 1 : sum >> 1;
  }
  return ~sum;
}

static void
put_word(GByteArray *bytes, guint32 word)
{
  const guint32 big = GUINT32_TO_BE(word);
  g_byte_array_append(bytes, (const guint8 *)&big, sizeof big);
}

static GByteArray *
make_density(double dpi)
{
  GByteArray *chunk = g_byte_array_new();
  const guint32 per_metre = (guint32)lround(dpi / METRES_PER_INCH);
  put_word(chunk, 9);
  g_byte_array_append(chunk, (const guint8 *)"pHYs", 4);
  put_word(chunk, per_metre);
  put_word(chunk, per_metre);
  g_byte_array_append(chunk, (const guint8 *)"\1", 1); /* metres */
  put_word(chunk, check_sum(chunk->data + 4, chunk->len - 4));
  return chunk;
}

/* A chunk of keyword and text that isn't packed, in UTF-8 (ISO 15948, 11.3.4.5). */
static void
put_text(GByteArray *chunks, const DebyePictureText *text)
{
  const guint begin = chunks->len;
  put_word(chunks, (guint32)(strlen(text->keyword) + strlen(text->text) + 5));
  g_byte_array_append(chunks, (const guint8 *)"iTXt", 4);
  g_byte_array_append(chunks, (const guint8 *)text->keyword, (guint)strlen(text->keyword) + 1);
  g_byte_array_append(chunks, (const guint8 *)"\0\0\0\0", 4); /* not packed; no language */
  g_byte_array_append(chunks, (const guint8 *)text->text, (guint)strlen(text->text));
  put_word(chunks, check_sum(chunks->data + begin + 4, chunks->len - begin - 4));
}

static void
put_texts(GByteArray *chunks, const DebyePictureOrigin *origin)
{
  g_autoptr(GArray) texts = origin != NULL ? debye_picture_origin_list_texts(origin) : NULL;
  for (guint i = 0; texts != NULL && i < texts->len; i++)
    put_text(chunks, &g_array_index(texts, DebyePictureText, i));
}

gboolean
debye_plot_save_tiff(cairo_surface_t *picture, double dpi, const DebyePictureOrigin *origin,
                     GOutputStream *stream, GError **error)
{
  const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
  const gsize stride = (gsize)cairo_image_surface_get_stride(picture);
  cairo_surface_flush(picture);
  const guint8 *rows = cairo_image_surface_get_data(picture);
  g_autofree guint8 *rgb = g_malloc(3 * (gsize)width * (gsize)height);
  guint8 *to = rgb;
  for (gsize y = 0; y < (gsize)height; y++)
    for (gsize x = 0; x < (gsize)width; x++) {
      guint32 word;
      memcpy(&word, rows + y * stride + 4 * x, sizeof word);
      *to++ = (guint8)(word >> 16);
      *to++ = (guint8)(word >> 8);
      *to++ = (guint8)word;
    }
  g_autofree char *description = origin != NULL ? debye_picture_origin_to_text(origin) : NULL;
  return debye_tiff_save(rgb, width, height, 3, dpi, description, stream, error);
}

gboolean
debye_plot_save_png(cairo_surface_t *picture, double dpi, const DebyePictureOrigin *origin,
                    GOutputStream *stream, GError **error)
{
  g_autoptr(GByteArray) png = g_byte_array_new();
  cairo_status_t status = cairo_surface_write_to_png_stream(picture, append_bytes, png);
  if (status != CAIRO_STATUS_SUCCESS || png->len < HEAD)
    return debye_error_set(error, DEBYE_ERROR_WRITE, "the plot can't be written: %s",
                           cairo_status_to_string(status));
  g_autoptr(GByteArray) density = make_density(dpi);
  put_texts(density, origin);
  return g_output_stream_write_all(stream, png->data, HEAD, NULL, NULL, error) &&
         g_output_stream_write_all(stream, density->data, density->len, NULL, NULL, error) &&
         g_output_stream_write_all(stream, png->data + HEAD, png->len - HEAD, NULL, NULL, error);
}
