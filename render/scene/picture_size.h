/* SPDX-License-Identifier: MIT */
/* The size of a picture in pixels or in millimetres on paper, with the size of its text; the
 * options of debye-cli render and the window's dialog share it. */
#pragma once

#include "look.h"

#define DEBYE_PICTURE_MAX_PIXELS 32768 /* a side */
#define DEBYE_PICTURE_MIN_DPI 36.0
#define DEBYE_PICTURE_MAX_DPI 2400.0
#define DEBYE_PICTURE_USUAL_DPI 300.0 /* of print */
#define DEBYE_PICTURE_MIN_TEXT 1.0    /* points */
#define DEBYE_PICTURE_MAX_TEXT 200.0
#define DEBYE_PICTURE_PRINTED_TEXT 7.0 /* points: what journals print at most */

typedef struct {
  double width, height; /* as it was given: mm or pixels */
  gboolean is_in_mm;
  double dpi;       /* of the finished picture; 0: 300 for a size in mm, else by the scale */
  double text_size; /* points in the finished picture; 0: 7 for a size in mm, else as the look has it */
  double scale;     /* pixels per logical pixel, which lines have; 0: by the size */
} DebyePictureSize;

/* "1280x800" in pixels or "89x66mm"; the other members stay. FALSE with DEBYE_ERROR_VALUE where it can't be read or has
 * more than DEBYE_PICTURE_MAX_PIXELS a side at the density that `size` has. */
gboolean debye_picture_size_parse(DebyePictureSize *size, const char *text, GError **error);
/* FALSE: more than DEBYE_PICTURE_MAX_PIXELS a side. At least one pixel a side. */
gboolean debye_picture_size_get_pixels(const DebyePictureSize *size, int *width, int *height);
/* Pixels per logical pixel. */
double debye_picture_size_get_scale(const DebyePictureSize *size);
/* As the file states it, in pixels an inch. */
double debye_picture_size_get_dpi(const DebyePictureSize *size);
/* Sets the text to its size, whatever the width of lines is. In print the caption has the notes of the legend. */
void debye_picture_size_set_words(const DebyePictureSize *size, DebyeLook *look);
