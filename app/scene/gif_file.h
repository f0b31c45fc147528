/* SPDX-License-Identifier: MIT */
/* An animated GIF, picture after picture, each with the 256 colours that suit it. Needs no other program; called by
 * film_file.c. Format: GIF89a (CompuServe, 1990). */
#pragma once

#include <gio/gio.h>

typedef struct _DebyeGifFile DebyeGifFile;

/* Pictures per second: readers slow down what is faster, which film_file.c refuses. */
#define DEBYE_GIF_MAX_RATE 50.0

/* Sides up to 65535 pixels. Times in the file are whole hundredths of a second: they are rounded so that no error
 * adds up. */
DebyeGifFile *debye_gif_file_new(const char *path, int width, int height, double rate, GError **error);
/* RGBA rows from the top; opacity counts for nothing. */
gboolean debye_gif_file_add(DebyeGifFile *self, GBytes *rgba, GError **error);
/* Puts the file in its place. Frees in any case. */
gboolean debye_gif_file_finish(DebyeGifFile *self, GError **error);
/* Nothing remains. */
void debye_gif_file_abandon(DebyeGifFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeGifFile, debye_gif_file_abandon)
