/* SPDX-License-Identifier: MIT */
/* Pixels into a PNG file, written beside and renamed so that the old picture or the new one stands. */
#include <png.h>

#include "capture.h"
#include "data/error.h"
#include "data/replace_file.h"

static gboolean
encode(GBytes *rgba, int width, int height, guint8 **bytes, gsize *n_bytes, GError **error)
{
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = PNG_FORMAT_RGBA};
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  *bytes = g_try_malloc(size);
  if (*bytes && png_image_write_to_memory(&image, *bytes, &size, 0, g_bytes_get_data(rgba, NULL), 0, NULL)) {
    *n_bytes = size;
    return TRUE;
  }
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE, "the picture can't be made into a PNG: %s",
              *bytes ? image.message : "there is no memory for it");
  png_image_free(&image);
  g_clear_pointer(bytes, g_free);
  return FALSE;
}

gboolean
debye_capture_save_png(GBytes *rgba, int width, int height, const char *path, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  gsize n_bytes = 0;
  g_return_val_if_fail(g_bytes_get_size(rgba) == 4 * (gsize)width * (gsize)height, FALSE);
  if (!encode(rgba, width, height, &bytes, &n_bytes, error))
    return FALSE;
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, error);
  if (!file ||
      !g_output_stream_write_all(debye_replace_file_get_stream(file), bytes, n_bytes, NULL, NULL, error))
    return FALSE;
  return debye_replace_file_commit(g_steal_pointer(&file), error);
}
