/* SPDX-License-Identifier: MIT */
/* The compressed pixels of a PNG file, strip by strip on all processors; called by png_file.c. A filter for each row (W3C,
 * Portable Network Graphics, 9) and one stream of zlib, whose pieces don't depend on the number of threads. */
#pragma once

#include <glib.h>

typedef struct {
  const guint8 *pixels;
  gsize stride; /* bytes a row, each of which is a channel of 8 bits */
  guint n_rows; /* at least one */
  guint n_channels;
} DebyePngRows;

/* A piece of the stream, in order, on the caller's thread. FALSE stops. It may also leave by longjmp(): what is allocated belongs
 * to the state below. */
typedef gboolean (*DebyePngPieceFunc)(const guint8 *bytes, gsize n, double fraction, gpointer data);

typedef struct _DebyePngStrips DebyePngStrips;
DebyePngStrips *debye_png_strips_new(const DebyePngRows *rows);
/* FALSE: stopped, or there wasn't the memory. */
gboolean debye_png_strips_run(DebyePngStrips *strips, DebyePngPieceFunc function, gpointer data);
void debye_png_strips_free(DebyePngStrips *strips);
