/* SPDX-License-Identifier: MIT */
/* Implementation of gif_file.h: chooses colours by median cut (Heckbert 1982) and packs their numbers by LZW. */
#include "gif_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"

#define N_COLORS 256
#define N_BINS (1 << 15) /* five bits of each of red, green and blue */
#define MAX_CODES 4096
#define HASH_SIZE 8192 /* slots for the codes, twice as many */
#define MAX_BLOCK 255

struct _DebyeGifFile {
  DebyeReplaceFile *file;
  int width, height;
  double rate; /* pictures per second */
  guint64 n_pictures;
  gint64 n_ticks; /* hundredths of a second that are written */
  GByteArray *bytes;
  guint8 *numbers; /* of the colours of a picture */
};

/* --- Colours --- */

/* The pixels whose leading five bits are these. */
typedef struct {
  guint32 bin;
  guint64 count, sum[3];
} Bin;

/* Bins that get one colour, as a range of the list. */
typedef struct {
  gsize first, n;
  guint64 count;
  int axis, extent; /* the longest side, in bins */
} Box;

static int
get_place(guint32 bin, int axis)
{
  return (int)(bin >> (10 - 5 * axis) & 31);
}

static guint32
find_bin(const guint8 *pixel)
{
  return (guint32)(pixel[0] >> 3) << 10 | (guint32)(pixel[1] >> 3) << 5 | (guint32)(pixel[2] >> 3);
}

static gsize
count_colors(const guint8 *rgba, gsize n_pixels, Bin *bins)
{
  gsize n = 0;
  memset(bins, 0, N_BINS * sizeof *bins);
  for (gsize i = 0; i < n_pixels; i++) {
    Bin *bin = &bins[find_bin(rgba + 4 * i)];
    bin->count++;
    for (int c = 0; c < 3; c++)
      bin->sum[c] += rgba[4 * i + (gsize)c];
  }
  for (gsize i = 0; i < N_BINS; i++)
    if (bins[i].count > 0) {
      bins[i].bin = (guint32)i;
      bins[n++] = bins[i];
    }
  return n;
}

static void
measure_box(const Bin *bins, Box *box)
{
  int low[3] = {31, 31, 31}, high[3] = {0, 0, 0};
  box->count = 0;
  for (gsize i = box->first; i < box->first + box->n; i++) {
    box->count += bins[i].count;
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = MIN(low[axis], get_place(bins[i].bin, axis));
      high[axis] = MAX(high[axis], get_place(bins[i].bin, axis));
    }
  }
  box->axis = 0;
  for (int axis = 1; axis < 3; axis++)
    if (high[axis] - low[axis] > high[box->axis] - low[box->axis])
      box->axis = axis;
  box->extent = high[box->axis] - low[box->axis];
}

static int
compare_bins(gconstpointer a, gconstpointer b, gpointer axis)
{
  return get_place(((const Bin *)a)->bin, GPOINTER_TO_INT(axis)) -
         get_place(((const Bin *)b)->bin, GPOINTER_TO_INT(axis));
}

/* At the median of its pixels along its longest side, with at least one bin on each side. */
static void
split_box(Bin *bins, Box *box, Box *other)
{
  g_qsort_with_data(bins + box->first, (int)box->n, sizeof *bins, compare_bins, GINT_TO_POINTER(box->axis));
  guint64 passed = 0;
  gsize n = 0;
  while (n < box->n - 1 && (n == 0 || passed + bins[box->first + n].count <= box->count / 2))
    passed += bins[box->first + n++].count;
  *other = (Box){.first = box->first + n, .n = box->n - n};
  box->n = n;
  measure_box(bins, box);
  measure_box(bins, other);
}

/* Wide boxes first, those of many pixels above all; a box of one bin stays whole. */
static Box *
find_widest(Box *boxes, gsize n_boxes)
{
  Box *widest = NULL;
  double most = 0.0;
  for (gsize i = 0; i < n_boxes; i++) {
    const double weight = boxes[i].extent * sqrt((double)boxes[i].count);
    if (boxes[i].n > 1 && weight > most) {
      most = weight;
      widest = &boxes[i];
    }
  }
  return widest;
}

static gsize
cut_boxes(Bin *bins, gsize n_bins, Box boxes[N_COLORS])
{
  gsize n_boxes = 1;
  boxes[0] = (Box){.n = n_bins};
  measure_box(bins, &boxes[0]);
  for (Box *widest; n_boxes < N_COLORS && (widest = find_widest(boxes, n_boxes)) != NULL; n_boxes++)
    split_box(bins, widest, &boxes[n_boxes]);
  return n_boxes;
}

/* Appends the table of colours and numbers the pixels. */
static void
choose_colors(DebyeGifFile *self, const guint8 *rgba)
{
  const gsize n_pixels = (gsize)self->width * (gsize)self->height;
  g_autofree Bin *bins = g_new(Bin, N_BINS);
  g_autofree guint8 *number_of_bin = g_malloc0(N_BINS);
  Box boxes[N_COLORS];
  guint8 table[3 * N_COLORS] = {0};
  const gsize n_boxes = cut_boxes(bins, count_colors(rgba, n_pixels, bins), boxes);
  for (gsize i = 0; i < n_boxes; i++) {
    guint64 sum[3] = {0};
    for (gsize k = boxes[i].first; k < boxes[i].first + boxes[i].n; k++) {
      number_of_bin[bins[k].bin] = (guint8)i;
      for (int c = 0; c < 3; c++)
        sum[c] += bins[k].sum[c];
    }
    for (gsize c = 0; c < 3; c++)
      table[3 * i + c] = (guint8)((sum[c] + boxes[i].count / 2) / boxes[i].count);
  }
  for (gsize i = 0; i < n_pixels; i++)
    self->numbers[i] = number_of_bin[find_bin(rgba + 4 * i)];
  g_byte_array_append(self->bytes, table, sizeof table);
}

/* --- LZW --- */

/* Codes of 9 to 12 bits, the first bits lowest, in blocks of up to 255 bytes. */
typedef struct {
  GByteArray *bytes;
  guint32 bits;
  int n_bits, width;
  guint8 block[MAX_BLOCK];
  guint8 n_block;
} Packing;

static void
end_block(Packing *packing)
{
  if (packing->n_block == 0)
    return;
  g_byte_array_append(packing->bytes, &packing->n_block, 1);
  g_byte_array_append(packing->bytes, packing->block, packing->n_block);
  packing->n_block = 0;
}

static void
put_byte(Packing *packing, guint8 byte)
{
  packing->block[packing->n_block++] = byte;
  if (packing->n_block == MAX_BLOCK)
    end_block(packing);
}

static void
put_code(Packing *packing, guint32 code)
{
  packing->bits |= code << packing->n_bits;
  for (packing->n_bits += packing->width; packing->n_bits >= 8; packing->n_bits -= 8) {
    put_byte(packing, (guint8)packing->bits);
    packing->bits >>= 8;
  }
}

/* The codes of known runs: a run is one that is known and one more number. */
typedef struct {
  guint32 keys[HASH_SIZE]; /* code of the run before << 8 | number, plus 1; 0: free */
  guint16 codes[HASH_SIZE];
} Runs;

static gsize
find_slot(const Runs *runs, guint32 key)
{
  gsize slot = key * 2654435761u >> 19;
  while (runs->keys[slot] != 0 && runs->keys[slot] != key)
    slot = (slot + 1) % HASH_SIZE;
  return slot;
}

static void
pack(GByteArray *bytes, const guint8 *numbers, gsize n)
{
  enum { CLEAR = N_COLORS, END, FIRST };
  g_autofree Runs *runs = g_new0(Runs, 1);
  Packing packing = {.bytes = bytes, .width = 9};
  guint32 next = FIRST, run = numbers[0];
  put_code(&packing, CLEAR);
  for (gsize i = 1; i < n; i++) {
    const guint32 key = (run << 8 | numbers[i]) + 1;
    const gsize slot = find_slot(runs, key);
    if (runs->keys[slot] == key) {
      run = runs->codes[slot];
      continue;
    }
    put_code(&packing, run);
    run = numbers[i];
    if (next < MAX_CODES) {
      runs->keys[slot] = key;
      runs->codes[slot] = (guint16)next;
      packing.width += next == 1u << packing.width;
      next++;
      continue;
    }
    put_code(&packing, CLEAR);
    memset(runs, 0, sizeof *runs);
    next = FIRST;
    packing.width = 9;
  }
  put_code(&packing, run);
  packing.width += next == 1u << packing.width && packing.width < 12;
  put_code(&packing, END);
  if (packing.n_bits > 0)
    put_byte(&packing, (guint8)packing.bits);
  end_block(&packing);
}

/* --- File --- */

static gboolean
flush(DebyeGifFile *self, GError **error)
{
  const gboolean written = g_output_stream_write_all(debye_replace_file_get_stream(self->file),
                                                     self->bytes->data, self->bytes->len, NULL, NULL, error);
  g_byte_array_set_size(self->bytes, 0);
  return written;
}

static void
put_short(DebyeGifFile *self, int number)
{
  const guint8 bytes[2] = {(guint8)(number & 255), (guint8)(number >> 8)};
  g_byte_array_append(self->bytes, bytes, 2);
}

DebyeGifFile *
debye_gif_file_new(const char *path, int width, int height, double rate, GError **error)
{
  /* No table for all pictures; then the extension by which they are repeated without end. */
  static const guint8 screen[] = {0x70, 0, 0};
  static const char repeat[] = "!\xff\x0bNETSCAPE2.0\x03\x01\0\0";
  if (width > G_MAXUINT16 || height > G_MAXUINT16) {
    debye_error_set(error, DEBYE_ERROR_VALUE, "%s: expected at most %d pixels a side, found %d×%d", path,
                    G_MAXUINT16, width, height);
    return NULL;
  }
  g_autoptr(DebyeGifFile) self = g_new(DebyeGifFile, 1);
  *self = (DebyeGifFile){.width = width,
                         .height = height,
                         .rate = rate,
                         .bytes = g_byte_array_new(),
                         .numbers = g_malloc((gsize)width * (gsize)height)};
  self->file = debye_replace_file_new(path, error);
  if (self->file == NULL)
    return NULL;
  g_byte_array_append(self->bytes, (const guint8 *)"GIF89a", 6);
  put_short(self, width);
  put_short(self, height);
  g_byte_array_append(self->bytes, screen, sizeof screen);
  g_byte_array_append(self->bytes, (const guint8 *)repeat, sizeof repeat);
  return g_steal_pointer(&self);
}

gboolean
debye_gif_file_add(DebyeGifFile *self, GBytes *rgba, GError **error)
{
  static const guint8 control[] = {'!', 0xf9, 4, 0}, zero = 0, least_bits = 8;
  gsize n_bytes;
  const guint8 *pixels = g_bytes_get_data(rgba, &n_bytes);
  g_return_val_if_fail(n_bytes == 4 * (gsize)self->width * (gsize)self->height, FALSE);
  const gint64 end = llround(100.0 * (double)++self->n_pictures / self->rate);
  const gint64 delay = MIN(end - self->n_ticks, G_MAXUINT16);
  g_byte_array_append(self->bytes, control, sizeof control);
  put_short(self, (int)delay);
  self->n_ticks += delay;
  g_byte_array_append(self->bytes, &zero, 1);
  g_byte_array_append(self->bytes, &zero, 1);
  g_byte_array_append(self->bytes, (const guint8 *)",\0\0\0\0", 5);
  put_short(self, self->width);
  put_short(self, self->height);
  g_byte_array_append(self->bytes, (const guint8 *)"\x87", 1); /* with 256 colours of its own */
  choose_colors(self, pixels);
  g_byte_array_append(self->bytes, &least_bits, 1);
  pack(self->bytes, self->numbers, n_bytes / 4);
  g_byte_array_append(self->bytes, &zero, 1);
  return flush(self, error);
}

gboolean
debye_gif_file_finish(DebyeGifFile *gif, GError **error)
{
  g_autoptr(DebyeGifFile) self = gif;
  g_byte_array_append(self->bytes, (const guint8 *)";", 1);
  return flush(self, error) && debye_replace_file_commit(g_steal_pointer(&self->file), error);
}

void
debye_gif_file_abandon(DebyeGifFile *self)
{
  if (self == NULL)
    return;
  g_clear_pointer(&self->file, debye_replace_file_abandon);
  g_byte_array_unref(self->bytes);
  g_free(self->numbers);
  g_free(self);
}
