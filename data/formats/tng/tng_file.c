/* SPDX-License-Identifier: MIT */
/* Reads the blocks of a TNG file and the headers before their data; called by the other files of the TNG
 * reader. */
#include "tng_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"

#define HEAD_BYTES 40 /* sizes, number, checksum; then the name, ended by NUL */
#define HEAD_MAXIMUM 65536
#define GENERAL_TEXTS 9
#define DATA_HEAD_MAXIMUM 59
#define FRAME_SET_BYTES 64 /* the numbers of frames, and the places of other sets */
#define DEFAULT_EXPONENT (-9)
/* deflate packs a byte of a run into at least 1/1032. */
#define EXPANSION 1032

enum { TYPE_FLOAT = 2, TYPE_DOUBLE = 3 };
enum { DEPENDS_ON_FRAME = 1, DEPENDS_ON_ATOM = 2 };

static guint64
get_word(const guint8 *bytes, gboolean is_big_endian)
{
  guint64 word;
  memcpy(&word, bytes, sizeof word);
  return is_big_endian ? GUINT64_FROM_BE(word) : GUINT64_FROM_LE(word);
}

gint64
debye_tng_get_int(const DebyeTngLayout *layout, const guint8 *bytes)
{
  return (gint64)get_word(bytes, layout->is_big_endian);
}

static double
get_double(const DebyeTngLayout *layout, const guint8 *bytes)
{
  guint64 word = get_word(bytes, layout->is_big_endian);
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static gboolean
is_head_size(guint64 size)
{
  return size > HEAD_BYTES && size <= HEAD_MAXIMUM;
}

int
debye_tng_probe(const guint8 *head, gsize n)
{
  static const char name[] = "GENERAL INFO";
  return n >= HEAD_BYTES + sizeof name && memcmp(head + HEAD_BYTES, name, sizeof name) == 0 &&
                 (is_head_size(get_word(head, FALSE)) || is_head_size(get_word(head, TRUE)))
             ? 100
             : 0;
}

static gboolean
fail(DebyeInput *input, guint64 at, int code, const char *text, GError **error)
{
  return debye_input_set_error(input, error, code, "byte %" G_GUINT64_FORMAT ": %s", at, text);
}

gboolean
debye_tng_read_block(DebyeInput *input, const DebyeTngLayout *layout, guint64 at, DebyeTngBlock *block,
                     GError **error)
{
  guint8 bytes[24];
  guint64 rest = debye_input_get_size(input) - at;
  if (rest < HEAD_BYTES)
    return fail(input, at, DEBYE_ERROR_TRUNCATED, "the file ends inside the head of a block", error);
  if (!debye_input_read(input, at, bytes, sizeof bytes, error))
    return FALSE;
  guint64 head_bytes = get_word(bytes, layout->is_big_endian);
  *block = (DebyeTngBlock){.id = debye_tng_get_int(layout, bytes + 16),
                           .at = at,
                           .contents_at = at + head_bytes,
                           .n_bytes = get_word(bytes + 8, layout->is_big_endian)};
  if (!is_head_size(head_bytes))
    return fail(input, at, DEBYE_ERROR_SYNTAX, "expected the head of a block, found something else", error);
  if (head_bytes > rest || block->n_bytes > rest - head_bytes)
    return fail(input, at, DEBYE_ERROR_TRUNCATED, "the file ends inside a block", error);
  block->next = block->contents_at + block->n_bytes;
  return TRUE;
}

/* Nine texts, the time of writing, whether the number of atoms varies, and behind five more numbers, which
 * older files end with, the power of ten of the unit of length. */
gboolean
debye_tng_read_layout(DebyeInput *input, DebyeTngLayout *layout, GError **error)
{
  guint8 first[8];
  DebyeTngBlock block;
  *layout = (DebyeTngLayout){.unit = 10.0};
  if (!debye_input_read(input, 0, first, sizeof first, error))
    return FALSE;
  layout->is_big_endian = !is_head_size(get_word(first, FALSE));
  if (!debye_tng_read_block(input, layout, 0, &block, error))
    return FALSE;
  layout->blocks_at = block.next;
  g_autofree guint8 *bytes = g_malloc(HEAD_MAXIMUM);
  gsize n = MIN(block.n_bytes, HEAD_MAXIMUM), at = 0;
  if (!debye_input_read(input, block.contents_at, bytes, n, error))
    return FALSE;
  for (int text = 0; text < GENERAL_TEXTS && at < n; at++)
    text += bytes[at] == 0;
  if (at + 49 > n)
    return fail(input, block.contents_at, DEBYE_ERROR_SYNTAX,
                "expected general information, found too little", error);
  if (bytes[at + 8] != 0)
    return fail(input, block.contents_at + at + 8, DEBYE_ERROR_SYNTAX,
                "expected the same number of atoms in all frames, found different numbers", error);
  gint64 exponent = at + 57 <= n ? debye_tng_get_int(layout, bytes + at + 49) : DEFAULT_EXPONENT;
  if (exponent < -20 || exponent > 20)
    exponent = DEFAULT_EXPONENT;
  layout->unit = pow(10.0, (double)exponent + 10.0);
  return TRUE;
}

/* Newer files end with the first frame's time and the time between frames. */
gboolean
debye_tng_read_frame_set(DebyeInput *input, const DebyeTngLayout *layout, const DebyeTngBlock *block,
                         DebyeTngFrameSet *set, GError **error)
{
  guint8 bytes[FRAME_SET_BYTES + 16];
  gsize n = MIN(block->n_bytes, sizeof bytes);
  if (n < FRAME_SET_BYTES)
    return fail(input, block->at, DEBYE_ERROR_SYNTAX, "expected a frame set, found too little for one",
                error);
  if (!debye_input_read(input, block->contents_at, bytes, n, error))
    return FALSE;
  *set = (DebyeTngFrameSet){.first = debye_tng_get_int(layout, bytes),
                            .n_frames = debye_tng_get_int(layout, bytes + 8),
                            .first_time = NAN,
                            .time_step = NAN};
  if (n == sizeof bytes) {
    set->first_time = get_double(layout, bytes + FRAME_SET_BYTES);
    set->time_step = get_double(layout, bytes + FRAME_SET_BYTES + 8);
  }
  if (set->first < 0 || set->n_frames < 0 || set->first > G_MAXINT64 / 2 || set->n_frames > G_MAXINT64 / 2)
    return fail(input, block->at, DEBYE_ERROR_SYNTAX,
                "expected numbers of frames, found negative or huge ones", error);
  return TRUE;
}

/* The fields depend on one another: `at` moves over them. */
static void
parse_data_head(const DebyeTngLayout *layout, const guint8 *bytes, gsize *at, DebyeTngData *data,
                gboolean *is_sparse)
{
  guint8 type = bytes[0], depends = bytes[1];
  *at = 2;
  *is_sparse = (depends & DEPENDS_ON_FRAME) != 0 && bytes[(*at)++] != 0;
  data->value_bytes = type == TYPE_FLOAT ? 4 : type == TYPE_DOUBLE ? 8 : 0;
  data->n_values = debye_tng_get_int(layout, bytes + *at);
  data->codec = debye_tng_get_int(layout, bytes + *at + 8);
  *at += 16;
  if (data->codec != DEBYE_TNG_PLAIN)
    *at += 8; /* a factor for integers */
  if (*is_sparse) {
    data->first = debye_tng_get_int(layout, bytes + *at);
    data->stride = debye_tng_get_int(layout, bytes + *at + 8);
    *at += 16;
  }
  if (depends & DEPENDS_ON_ATOM) {
    data->n_atoms = debye_tng_get_int(layout, bytes + *at + 8);
    *at += 16;
  }
}

static gint64
get_n_values(gint64 id)
{
  return id == DEBYE_TNG_BOX ? 9 : id == DEBYE_TNG_CHARGES || id == DEBYE_TNG_MASSES ? 1 : 3;
}

static gboolean
check_data(const DebyeTngData *data, gint64 id, const DebyeTngFrameSet *set)
{
  gint64 expected = get_n_values(id);
  return data->value_bytes > 0 && data->n_values == expected && data->n_atoms >= 0 &&
         data->n_atoms <= G_MAXINT32 && data->stride > 0 && data->first >= 0 &&
         (set == NULL || data->first >= set->first);
}

/* What the data take up, unpacked; G_MAXSIZE: more than can be. */
static gsize
get_plain_bytes(const DebyeTngData *data)
{
  guint64 values = (guint64)data->n_values * (guint64)MAX(data->n_atoms, 1);
  guint64 most = (data->n_bytes + 64) * EXPANSION;
  return data->n_frames <= most / values / data->value_bytes ? data->n_frames * values * data->value_bytes
                                                             : G_MAXSIZE;
}

/* Before anything is allocated for them. TNG's coding spends two bits on an atom at the least. A box that
 * stays as it is zips into next to nothing. */
static gboolean
has_room(const DebyeTngData *data)
{
  if (data->codec == DEBYE_TNG_AS_TNG)
    return (guint64)data->n_atoms / 4 <= data->n_bytes;
  gsize n = get_plain_bytes(data);
  return n != G_MAXSIZE && (data->codec != DEBYE_TNG_PLAIN || n <= data->n_bytes);
}

gboolean
debye_tng_read_data_head(DebyeInput *input, const DebyeTngLayout *layout, const DebyeTngBlock *block,
                         const DebyeTngFrameSet *set, DebyeTngData *data, GError **error)
{
  guint8 bytes[DATA_HEAD_MAXIMUM] = {0};
  gboolean is_sparse;
  gsize at;
  *data = (DebyeTngData){.first = set != NULL ? set->first : 0, .stride = 1};
  if (!debye_input_read(input, block->contents_at, bytes, MIN(block->n_bytes, sizeof bytes), error))
    return FALSE;
  parse_data_head(layout, bytes, &at, data, &is_sparse);
  if (at > block->n_bytes || !check_data(data, block->id, set))
    return fail(input, block->at, DEBYE_ERROR_SYNTAX,
                "expected numbers in floats or doubles, as many as such a block has, found something else",
                error);
  data->data_at = block->contents_at + at;
  data->n_bytes = block->n_bytes - at;
  gint64 end = set != NULL ? set->first + set->n_frames : 1;
  guint64 n_frames = end > data->first ? (guint64)(end - 1 - data->first) / (guint64)data->stride + 1 : 0;
  data->n_frames = MIN(n_frames, G_MAXSIZE / 2);
  if (!has_room(data))
    return fail(input, block->at, DEBYE_ERROR_LIMIT, "the block is too small for its frames", error);
  return TRUE;
}

static guint8 *
inflate(DebyeInput *input, const DebyeTngData *data, const guint8 *packed, gsize n, GError **error)
{
  g_autoptr(GZlibDecompressor) decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  g_autofree guint8 *bytes = g_try_malloc(MAX(n, 1));
  gsize used = 0, made = 0;
  while (bytes != NULL && made < n) {
    gsize read = 0, written = 0;
    GConverterResult result =
        g_converter_convert(G_CONVERTER(decompressor), packed + used, data->n_bytes - used, bytes + made,
                            n - made, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
    used += read;
    made += written;
    if (result == G_CONVERTER_ERROR || result == G_CONVERTER_FINISHED)
      break;
  }
  if (bytes != NULL && made == n)
    return g_steal_pointer(&bytes);
  return debye_null(fail(input, data->data_at, DEBYE_ERROR_SYNTAX, "the compressed data are damaged", error));
}

guint8 *
debye_tng_read_data(DebyeInput *input, const DebyeTngData *data, GError **error)
{
  gsize n = get_plain_bytes(data);
  gboolean is_plain = data->codec == DEBYE_TNG_PLAIN;
  if (data->codec < DEBYE_TNG_PLAIN || data->codec > DEBYE_TNG_AS_GZIP || data->codec == DEBYE_TNG_AS_XTC) {
    debye_input_set_error(input, error, DEBYE_ERROR_UNKNOWN,
                          "byte %" G_GUINT64_FORMAT ": expected data that are plain, in gzip's or in TNG's "
                          "packing, found packing number %" G_GINT64_FORMAT,
                          data->data_at, data->codec);
    return NULL;
  }
  gsize n_read = is_plain ? n : data->n_bytes;
  g_autofree guint8 *bytes = g_try_malloc(MAX(n_read, 1));
  if (bytes == NULL)
    return debye_null(debye_error_set_memory(error, debye_input_get_name(input), n_read, "bytes"));
  if (!debye_input_read(input, data->data_at, bytes, n_read, error))
    return NULL;
  return data->codec == DEBYE_TNG_AS_GZIP ? inflate(input, data, bytes, n, error) : g_steal_pointer(&bytes);
}

double
debye_tng_get_value(const DebyeTngLayout *layout, const DebyeTngData *data, const guint8 *bytes, gsize k)
{
  guint32 word;
  float value;
  if (data->value_bytes == sizeof(double))
    return get_double(layout, bytes + 8 * k);
  memcpy(&word, bytes + 4 * k, sizeof word);
  word = layout->is_big_endian ? GUINT32_FROM_BE(word) : GUINT32_FROM_LE(word);
  memcpy(&value, &word, sizeof value);
  return (double)value;
}
