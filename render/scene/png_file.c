/* SPDX-License-Identifier: MIT */
/* Pixels into a PNG file, or a TIFF file, written beside and renamed so that the old picture or the new one
 * stands. */
#include <math.h>
#include <string.h>

#include <png.h>

#include "capture.h"
#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "data/files/tiff.h"
#include "png_strips.h"

#define METRES_PER_INCH 0.0254

/* What libpng's functions need and say; it ends them by longjmp, so nothing of theirs is kept in variables. */
typedef struct {
  GOutputStream *stream;
  GError *error;
  const guint8 *pixels;
  gsize stride; /* bytes a row */
  double dpi;
  const DebyePictureOrigin *origin; /* NULL: forgotten */
  GArray *texts;                    /* DebyePictureText, of the origin; or NULL */
  int n_rows;
  png_structp png;
  DebyePngStrips *strips;
  DebyePngProgress progress;
  gpointer data;
  gboolean stopped;
} Writing;

static void
on_bytes(png_structp png, png_bytep bytes, png_size_t n)
{
  Writing *writing = png_get_io_ptr(png);
  if (!g_output_stream_write_all(writing->stream, bytes, n, NULL, NULL, &writing->error))
    png_error(png, "the file can't be written");
}

/* The stream is flushed when the file takes its place. */
static void
on_flush(png_structp png G_GNUC_UNUSED)
{
}

static void
on_error(png_structp png, png_const_charp message)
{
  Writing *writing = png_get_error_ptr(png);
  if (writing->error == NULL)
    debye_error_set(&writing->error, DEBYE_ERROR_WRITE, "the picture can't be encoded as PNG: %s", message);
  png_longjmp(png, 1);
}

static void
on_warning(png_structp png G_GNUC_UNUSED, png_const_charp message G_GNUC_UNUSED)
{
}

/* Before the pixels, so that they are found without reading these. */
static void
put_texts(png_structp png, png_infop info, const Writing *writing)
{
  for (guint i = 0; writing->texts != NULL && i < writing->texts->len; i++) {
    const DebyePictureText *text = &g_array_index(writing->texts, DebyePictureText, i);
    png_text entry = {.compression = PNG_ITXT_COMPRESSION_NONE,
                      .key = (char *)text->keyword,
                      .text = text->text,
                      .itxt_length = strlen(text->text)};
    png_set_text(png, info, &entry, 1);
  }
}

static gboolean
write_piece(const guint8 *bytes, gsize n, double fraction, gpointer data)
{
  Writing *writing = data;
  png_write_chunk(writing->png, (png_const_bytep) "IDAT", bytes, n);
  writing->stopped = writing->progress != NULL && !writing->progress(fraction, writing->data);
  return !writing->stopped;
}

/* libpng compresses on one processor alone; its chunks are as good for what others have made. */
static void
write_rows(Writing *writing)
{
  const DebyePngRows rows = {writing->pixels, writing->stride, (guint)writing->n_rows, 4};
  writing->strips = debye_png_strips_new(&rows);
  if (!debye_png_strips_run(writing->strips, write_piece, writing) && !writing->stopped)
    png_error(writing->png, "no memory");
}

/* FALSE with writing->error. */
static gboolean
encode(Writing *writing, png_structp png, png_infop info, int width)
{
  if (setjmp(png_jmpbuf(png)))
    return FALSE;
  png_set_write_fn(png, writing, on_bytes, on_flush);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)writing->n_rows, 8, PNG_COLOR_TYPE_RGB_ALPHA,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  const png_uint_32 per_metre = (png_uint_32)lround(writing->dpi / METRES_PER_INCH);
  png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
  put_texts(png, info, writing);
  png_write_info(png, info);
  write_rows(writing);
  if (!writing->stopped)
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
  return TRUE;
}

static gboolean
write_png(Writing *writing, int width)
{
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writing, on_error, on_warning);
  png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
  writing->png = png;
  gboolean written = info != NULL && encode(writing, png, info, width);
  g_clear_pointer(&writing->strips, debye_png_strips_free);
  if (info == NULL)
    debye_error_set(&writing->error, DEBYE_ERROR_MEMORY,
                    "the picture can't be encoded as PNG: not enough memory");
  png_destroy_write_struct(&png, &info);
  return written;
}

/* Without an opacity where nothing is transparent: journals take none. */
static gboolean
write_tiff(const Writing *writing, int width, GError **error)
{
  const gsize n = (gsize)width * (gsize)writing->n_rows;
  g_autofree guint8 *rgb = g_malloc(3 * n);
  gboolean is_opaque = TRUE;
  for (gsize i = 0; i < n && is_opaque; i++) {
    memcpy(rgb + 3 * i, writing->pixels + 4 * i, 3);
    is_opaque = writing->pixels[4 * i + 3] == 255;
  }
  g_autofree char *description =
      writing->origin != NULL ? debye_picture_origin_to_text(writing->origin) : NULL;
  return debye_tiff_save(is_opaque ? rgb : writing->pixels, width, writing->n_rows, is_opaque ? 3 : 4,
                         writing->dpi, description, writing->stream, error);
}

static gboolean
write_picture(Writing *writing, const char *path, int width, GError **error)
{
  g_autofree char *lower = g_ascii_strdown(path, -1);
  if (g_str_has_suffix(lower, ".tiff") || g_str_has_suffix(lower, ".tif"))
    return write_tiff(writing, width, error);
  g_autoptr(GArray) texts = writing->origin != NULL ? debye_picture_origin_list_texts(writing->origin) : NULL;
  writing->texts = texts;
  if (write_png(writing, width))
    return TRUE;
  g_propagate_error(error, g_steal_pointer(&writing->error));
  return FALSE;
}

gboolean
debye_capture_save_large_png(GBytes *rgba, int width, int height, double dpi,
                             const DebyePictureOrigin *origin, const char *path, DebyePngProgress progress,
                             gpointer data, GError **error)
{
  g_return_val_if_fail(g_bytes_get_size(rgba) == 4 * (gsize)width * (gsize)height, FALSE);
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (file == NULL)
    return FALSE;
  Writing writing = {.stream = debye_replace_file_get_stream(file),
                     .pixels = g_bytes_get_data(rgba, NULL),
                     .stride = 4 * (gsize)width,
                     .n_rows = height,
                     .dpi = dpi,
                     .origin = origin,
                     .progress = progress,
                     .data = data};
  if (!write_picture(&writing, path, width, error))
    return FALSE;
  return writing.stopped || debye_replace_file_commit(g_steal_pointer(&file), error);
}

gboolean
debye_capture_save_png(GBytes *rgba, int width, int height, double dpi, const char *path, GError **error)
{
  return debye_capture_save_large_png(rgba, width, height, dpi, NULL, path, NULL, NULL, error);
}
