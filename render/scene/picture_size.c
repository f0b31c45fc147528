/* SPDX-License-Identifier: MIT */
/* Implementation of picture_size.h; called by debye-cli render, presets and the window's export of pictures. */
#include "picture_size.h"

#include <math.h>
#include <string.h>

#include "capture.h"
#include "data/files/error.h"

/* Text and lines of a picture this wide have a pixel for a logical pixel; and what a picture has at most. */
#define SCREEN_WIDTH 1280
#define LARGEST_SCALE 16.0

#define POINTS_PER_INCH 72.0
#define MM_PER_INCH 25.4

/* "89x66mm" */
static gboolean
parse_mm(const char *text, double *width, double *height)
{
  char *end = NULL;
  *width = g_ascii_strtod(text, &end);
  if (end == text || *end != 'x')
    return FALSE;
  const char *second = end + 1;
  *height = g_ascii_strtod(second, &end);
  return end != second && strcmp(end, "mm") == 0 && *width > 0.0 && *height > 0.0;
}

static gboolean
parse_pixels(const char *text, double *width, double *height)
{
  guint64 sides[2];
  g_auto(GStrv) parts = g_strsplit(text, "x", -1);
  if (g_strv_length(parts) != 2 ||
      !g_ascii_string_to_unsigned(parts[0], 10, 1, DEBYE_PICTURE_MAX_PIXELS, &sides[0], NULL) ||
      !g_ascii_string_to_unsigned(parts[1], 10, 1, DEBYE_PICTURE_MAX_PIXELS, &sides[1], NULL))
    return FALSE;
  *width = (double)sides[0];
  *height = (double)sides[1];
  return TRUE;
}

gboolean
debye_picture_size_parse(DebyePictureSize *size, const char *text, GError **error)
{
  int width, height;
  DebyePictureSize read = *size;
  read.is_in_mm = !parse_pixels(text, &read.width, &read.height);
  if ((!read.is_in_mm || parse_mm(text, &read.width, &read.height)) &&
      debye_picture_size_get_pixels(&read, &width, &height)) {
    *size = read;
    return TRUE;
  }
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "expected WIDTHxHEIGHT of at most %d pixels a side, or WIDTHxHEIGHTmm that is no more at "
      "--dpi, found “%s”",
      DEBYE_PICTURE_MAX_PIXELS, text);
}

gboolean
debye_picture_size_get_pixels(const DebyePictureSize *size, int *width, int *height)
{
  const double unit = size->is_in_mm ? MM_PER_INCH : 1.0;
  const double pixels = size->is_in_mm ? debye_picture_size_get_dpi(size) : 1.0;
  if (!(fmax(size->width, size->height) / unit * pixels <= DEBYE_PICTURE_MAX_PIXELS))
    return FALSE;
  *width = (int)fmax(1.0, round(size->width / unit * pixels));
  *height = (int)fmax(1.0, round(size->height / unit * pixels));
  return TRUE;
}

/* What can be read in a picture on a screen can be read in a large one that is printed. */
double
debye_picture_size_get_scale(const DebyePictureSize *size)
{
  if (size->scale > 0.0)
    return size->scale;
  if (size->is_in_mm)
    return debye_picture_size_get_dpi(size) / DEBYE_SCREEN_DPI;
  return CLAMP(fmax(size->width, size->height) / SCREEN_WIDTH, 1.0, LARGEST_SCALE);
}

double
debye_picture_size_get_dpi(const DebyePictureSize *size)
{
  if (size->dpi > 0.0)
    return size->dpi;
  return size->is_in_mm ? DEBYE_PICTURE_USUAL_DPI : DEBYE_SCREEN_DPI * debye_picture_size_get_scale(size);
}

/* Text is of the finished picture, so it doesn't depend on the scale, which lines have. */
void
debye_picture_size_set_words(const DebyePictureSize *size, DebyeLook *look)
{
  const double points = size->text_size > 0.0 ? size->text_size : DEBYE_PICTURE_PRINTED_TEXT;
  if (size->text_size > 0.0 || size->is_in_mm)
    look->font_size =
        points / POINTS_PER_INCH * debye_picture_size_get_dpi(size) / debye_picture_size_get_scale(size);
  if (size->is_in_mm)
    look->legend_notes = FALSE;
}
