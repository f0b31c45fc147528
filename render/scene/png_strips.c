/* SPDX-License-Identifier: MIT */
/* Filters and compresses a picture's rows for png_file.c. */
#include "png_strips.h"

#include <string.h>

#include <zlib.h>

#include "data/work/parts.h"

#define STRIP_BYTES \
  ((gsize)192 << 10)             /* of pixels: what is known of the strip before is then a sixth of it */
#define WINDOW ((gsize)32 << 10) /* that deflate looks back */
#define N_FILTERS 5
#define STRIPS_A_THREAD 4 /* are compressed before they are handed on: a large picture isn't kept twice */

typedef struct {
  const DebyePngStrips *strips;
  guint number;
  guint8 *bytes; /* compressed; NULL: no memory */
  gsize n_bytes, n_filtered;
  guint32 checksum;
} Strip;

struct _DebyePngStrips {
  DebyePngRows rows;
  guint rows_a_strip, n_strips, n_at_once;
  Strip *at_once;
};

DebyePngStrips *
debye_png_strips_new(const DebyePngRows *rows)
{
  DebyePngStrips *self = g_new0(DebyePngStrips, 1);
  self->rows = *rows;
  self->rows_a_strip = (guint)MAX(STRIP_BYTES / MAX(rows->stride, 1), 1);
  self->n_strips = (rows->n_rows + self->rows_a_strip - 1) / self->rows_a_strip;
  self->n_at_once = MIN(self->n_strips, STRIPS_A_THREAD * debye_parts_count_threads());
  self->at_once = g_new0(Strip, self->n_at_once);
  return self;
}

void
debye_png_strips_free(DebyePngStrips *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_at_once; i++)
    g_free(self->at_once[i].bytes);
  g_free(self->at_once);
  g_free(self);
}

/* --- Filters --- */

static guint8
predict_paeth(int left, int above, int corner)
{
  const int to_left = ABS(above - corner), to_above = ABS(left - corner),
            to_corner = ABS(left + above - 2 * corner);
  if (to_left <= to_above && to_left <= to_corner)
    return (guint8)left;
  return (guint8)(to_above <= to_corner ? above : corner);
}

static guint8
predict(guint filter, guint8 left, guint8 above, guint8 corner)
{
  switch (filter) {
  case 1:
    return left;
  case 2:
    return above;
  case 3:
    return (guint8)((left + above) / 2);
  case 4:
    return predict_paeth(left, above, corner);
  default:
    return 0;
  }
}

/* One filter's differences, and the sum of their sizes: the filter of the least sum compresses best, as a rule (9.6 there). */
static inline guint64
apply(guint filter, const guint8 *row, const guint8 *above, gsize n, guint n_channels, guint8 *to)
{
  guint64 sum = 0;
  for (gsize i = 0; i < MIN(n, n_channels); i++)
    to[i] = (guint8)(row[i] - predict(filter, 0, above[i], 0));
  for (gsize i = n_channels; i < n; i++)
    to[i] = (guint8)(row[i] - predict(filter, row[i - n_channels], above[i], above[i - n_channels]));
  for (gsize i = 0; i < n; i++)
    sum += to[i] < 128 ? to[i] : 256u - to[i];
  return sum;
}

/* A constant filter lets the compiler make a loop of each. */
static guint64
apply_filter(guint filter, const guint8 *row, const guint8 *above, gsize n, guint n_channels, guint8 *to)
{
  switch (filter) {
  case 0:
    return apply(0, row, above, n, n_channels, to);
  case 1:
    return apply(1, row, above, n, n_channels, to);
  case 2:
    return apply(2, row, above, n, n_channels, to);
  case 3:
    return apply(3, row, above, n, n_channels, to);
  default:
    return apply(4, row, above, n, n_channels, to);
  }
}

/* The filter's number and the differences: stride + 1 bytes. `trial` has as many. */
static void
filter_row(const DebyePngRows *rows, guint row, const guint8 *nothing, guint8 *trial, guint8 *to)
{
  const guint8 *pixels = rows->pixels + row * rows->stride;
  const guint8 *above = row > 0 ? pixels - rows->stride : nothing;
  guint64 least = G_MAXUINT64;
  for (guint filter = 0; filter < N_FILTERS; filter++) {
    const guint64 sum = apply_filter(filter, pixels, above, rows->stride, rows->n_channels, trial + 1);
    if (sum >= least)
      continue;
    least = sum;
    trial[0] = (guint8)filter;
    memcpy(to, trial, rows->stride + 1);
  }
}

/* --- A strip --- */

/* What deflate makes of the filtered rows, that a window of earlier ones stands before. NULL, not half of it, where it can't. */
static void
deflate_strip(Strip *strip, const guint8 *window, gsize n_window, const guint8 *filtered, gboolean is_last)
{
  z_stream stream = {0};
  /* As libpng does: raw, since the header and the checksum are the whole stream's. */
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_FILTERED) != Z_OK)
    return;
  const gsize room = deflateBound(&stream, strip->n_filtered) + 16;
  strip->bytes = g_try_malloc(room);
  if (strip->bytes != NULL) {
    if (n_window > 0)
      deflateSetDictionary(&stream, window, (uInt)n_window);
    stream.next_in = (Bytef *)filtered;
    stream.avail_in = (uInt)strip->n_filtered;
    stream.next_out = strip->bytes;
    stream.avail_out = (uInt)room;
    const int end = deflate(&stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
    strip->n_bytes = room - stream.avail_out;
    if (end != (is_last ? Z_STREAM_END : Z_OK) || stream.avail_in > 0 || stream.avail_out == 0)
      g_clear_pointer(&strip->bytes, g_free);
  }
  deflateEnd(&stream);
}

static void
make_strip(gsize place, gpointer data)
{
  Strip *strip = (Strip *)data + place;
  const DebyePngStrips *strips = strip->strips;
  const DebyePngRows *rows = &strips->rows;
  const gsize length = rows->stride + 1;
  const guint first = strip->number * strips->rows_a_strip;
  const guint end = MIN(first + strips->rows_a_strip, rows->n_rows);
  const guint n_before = (guint)MIN(first, WINDOW / length + 1);
  g_autofree guint8 *nothing = g_try_malloc0(rows->stride);
  g_autofree guint8 *trial = g_try_malloc(length);
  g_autofree guint8 *filtered = g_try_malloc(length * (n_before + end - first));
  g_clear_pointer(&strip->bytes, g_free);
  if (nothing == NULL || trial == NULL || filtered == NULL)
    return;
  for (guint row = first - n_before; row < end; row++)
    filter_row(rows, row, nothing, trial, filtered + length * (row - (first - n_before)));
  const guint8 *own = filtered + length * n_before;
  const gsize n_window = MIN(WINDOW, length * n_before);
  strip->n_filtered = length * (end - first);
  strip->checksum = (guint32)adler32_z(1, own, strip->n_filtered);
  deflate_strip(strip, own - n_window, n_window, own, end == rows->n_rows);
}

/* --- The stream --- */

static gboolean
hand_on(const DebyePngStrips *self, const Strip *strip, DebyePngPieceFunc function, gpointer data)
{
  return strip->bytes != NULL &&
         function(strip->bytes, strip->n_bytes, (double)(strip->number + 1) / self->n_strips, data);
}

gboolean
debye_png_strips_run(DebyePngStrips *self, DebyePngPieceFunc function, gpointer data)
{
  static const guint8 header[] = {0x78, 0x9c}; /* RFC 1950: deflate, a window of 32 KiB, the usual effort */
  uLong checksum = 1;
  if (!function(header, sizeof header, 0.0, data))
    return FALSE;
  for (guint first = 0; first < self->n_strips; first += self->n_at_once) {
    const guint n = MIN(self->n_at_once, self->n_strips - first);
    for (guint i = 0; i < n; i++) {
      self->at_once[i].strips = self;
      self->at_once[i].number = first + i;
    }
    debye_parts_run(n, make_strip, self->at_once);
    for (guint i = 0; i < n; i++) {
      const Strip *strip = &self->at_once[i];
      if (!hand_on(self, strip, function, data))
        return FALSE;
      checksum = adler32_combine(checksum, strip->checksum, (z_off_t)strip->n_filtered);
    }
  }
  const guint32 last = GUINT32_TO_BE((guint32)checksum);
  return function((const guint8 *)&last, sizeof last, 1.0, data);
}
