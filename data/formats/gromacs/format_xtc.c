/* SPDX-License-Identifier: MIT */
/* XTC, GROMACS' compressed trajectory: coordinates as integers in units of 1/precision nm (xtc_coding.h), up
 * to nine atoms as plain floats. Two magic numbers: 1995, and 2023 for frames so large that their size needs
 * 64 bits. */
#include "data/files/error.h"
#include "data/formats/frame_index.h"
#include "data/files/xdr.h"
#include "data/messages/message.h"
#include "xtc_coding.h"

#include <math.h>

#define MAGIC 1995
#define MAGIC_WIDE 2023
#define PLAIN_ATOMS 9        /* up to here nothing is compressed */
#define WIDE_ATOMS 298261617 /* from here GROMACS writes MAGIC_WIDE */
#define START_BYTES 56       /* magic, atoms, step, time, cell, atoms */
#define BLOCK_BYTES 36       /* precision, minima, maxima, width index, size (32 bits) */
#define HEADER_BYTES_MAXIMUM (START_BYTES + BLOCK_BYTES + 4)
#define CELL_AT 16
#define WRITTEN_PRECISION 1000.0f
/* Frames of a lower precision, which no program writes, may reach too far for any to stay packed. */
#define PACKED_PRECISION 32.0f

typedef struct {
  gsize n_atoms;
  gint32 step;
  float time;
  guint8 cell[36];
  float precision; /* 0: plain floats */
  DebyeXtcBlock block;
  gsize header_bytes;
  guint64 data_bytes;
  guint64 frame_bytes; /* with the padding to four */
} Header;

static int
probe(const guint8 *head, gsize n)
{
  if (n < START_BYTES)
    return 0;
  guint32 magic = debye_xdr_get_uint32(head);
  gint32 n_atoms = debye_xdr_get_int32(head + 4);
  if ((magic != MAGIC && magic != MAGIC_WIDE) || n_atoms <= 0)
    return 0;
  return debye_xdr_get_int32(head + START_BYTES - 4) == n_atoms ? 100 : 60;
}

/* The part that depends on compression. NULL or a fault. */
static char *
parse_block(Header *header, const guint8 *bytes, gboolean wide)
{
  header->precision = debye_xdr_get_float(bytes);
  for (int k = 0; k < 3; k++) {
    header->block.minimum[k] = debye_xdr_get_int32(bytes + 4 + 4 * k);
    header->block.maximum[k] = debye_xdr_get_int32(bytes + 16 + 4 * k);
  }
  header->block.small_index = debye_xdr_get_int32(bytes + 28);
  header->data_bytes = wide ? debye_xdr_get_uint64(bytes + 32) : debye_xdr_get_uint32(bytes + 32);
  header->header_bytes = START_BYTES + BLOCK_BYTES + (wide ? 4 : 0);
  if (!(header->precision > 0.0f && isfinite(header->precision)))
    return debye_message_new("expected a positive precision, found %g", (double)header->precision);
  return debye_xtc_block_find_fault(&header->block);
}

static char *
check_size(Header *header, guint64 available)
{
  if (header->header_bytes > available || header->data_bytes > available - header->header_bytes)
    return debye_message_new("its %" G_GUINT64_FORMAT " bytes of coordinates reach beyond the end of the "
                             "file",
                             header->data_bytes);
  /* Two bits an atom are the least that the coding can spend. */
  if (header->precision > 0.0f && header->n_atoms / 4 > header->data_bytes)
    return debye_message_new("%" G_GSIZE_FORMAT " atoms can't be in %" G_GUINT64_FORMAT " bytes",
                             header->n_atoms, header->data_bytes);
  header->frame_bytes = header->header_bytes + ((header->data_bytes + 3) & ~G_GUINT64_CONSTANT(3));
  return NULL;
}

/* `n` bytes from the frame's beginning, of which the file has `available`. NULL or a fault, with its code. */
static char *
parse_header(Header *header, const guint8 *bytes, gsize n, guint64 available, int *code)
{
  *header = (Header){0};
  *code = DEBYE_ERROR_TRUNCATED;
  if (n < START_BYTES)
    return g_strdup(N_("the file ends inside its header"));
  *code = DEBYE_ERROR_SYNTAX;
  guint32 magic = debye_xdr_get_uint32(bytes);
  gint32 n_atoms = debye_xdr_get_int32(bytes + 4);
  gint32 n_coordinates = debye_xdr_get_int32(bytes + START_BYTES - 4);
  if (magic != MAGIC && magic != MAGIC_WIDE)
    return debye_message_new("expected the number %d or %d at its beginning, found %u", MAGIC, MAGIC_WIDE,
                             magic);
  if (n_atoms <= 0 || n_atoms != n_coordinates)
    return debye_message_new("%d atoms in the header, %d in the coordinates", n_atoms, n_coordinates);
  *header = (Header){.n_atoms = (gsize)n_atoms,
                     .step = debye_xdr_get_int32(bytes + 8),
                     .time = debye_xdr_get_float(bytes + 12)};
  memcpy(header->cell, bytes + CELL_AT, sizeof header->cell);
  char *fault = NULL;
  if (n_atoms <= PLAIN_ATOMS) {
    header->header_bytes = START_BYTES;
    header->data_bytes = 12 * (guint64)n_atoms;
  } else if (n < START_BYTES + BLOCK_BYTES + (magic == MAGIC_WIDE ? 4 : 0)) {
    *code = DEBYE_ERROR_TRUNCATED;
    return g_strdup(N_("the file ends inside its header"));
  } else {
    fault = parse_block(header, bytes + START_BYTES, magic == MAGIC_WIDE);
  }
  if (!fault) {
    fault = check_size(header, available);
    *code = fault ? DEBYE_ERROR_TRUNCATED : 0;
  }
  return fault;
}

/* FALSE with an error only when the file can't be read; a header that is no header is a fault. */
static gboolean
read_header(DebyeInput *input, guint64 offset, Header *header, char **fault, int *code, GError **error)
{
  guint8 bytes[HEADER_BYTES_MAXIMUM];
  gssize n = debye_input_read_some(input, offset, bytes, sizeof bytes, error);
  if (n < 0)
    return FALSE;
  *fault = parse_header(header, bytes, (gsize)n, debye_input_get_size(input) - offset, code);
  return TRUE;
}

static gboolean
is_zero(const guint8 *bytes, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (bytes[i])
      return FALSE;
  return TRUE;
}

static char *
look_at_frame(G_GNUC_UNUSED gconstpointer format_data, G_GNUC_UNUSED const DebyeFrameIndex *index,
              const guint8 *bytes, gsize n, guint64 available, DebyeFrameFacts *facts, int *code)
{
  Header header;
  DebyeCell cell;
  char *fault = parse_header(&header, bytes, n, available, code);
  if (fault)
    return fault;
  facts->n_atoms = header.n_atoms;
  facts->time = (double)header.time;
  facts->n_bytes = header.frame_bytes;
  /* All zeros are how GROMACS writes that there is no cell. */
  facts->has_bad_cell =
      !debye_xdr_get_cell(header.cell, sizeof(float), &cell) && !is_zero(header.cell, sizeof header.cell);
  return NULL;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  return debye_frame_index_walk(index, input, 0, HEADER_BYTES_MAXIMUM, look_at_frame, NULL, progress, data,
                                error);
}

typedef struct {
  guint8 *bytes;
  gsize capacity;
  gint32 *integers[3];
} Reader;

static void
reader_free(gpointer data)
{
  Reader *reader = data;
  if (!reader)
    return;
  g_free(reader->bytes);
  for (int k = 0; k < 3; k++)
    g_free(reader->integers[k]);
  g_free(reader);
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  Reader *reader = g_new0(Reader, 1);
  for (int k = 0; k < 3; k++)
    reader->integers[k] = g_try_new(gint32, index->n_atoms);
  if (reader->integers[0] && reader->integers[1] && reader->integers[2])
    return reader;
  reader_free(reader);
  return debye_null(debye_error_set_memory(error, debye_input_get_name(input), index->n_atoms, "atoms"));
}

static gboolean
read_data(Reader *reader, DebyeInput *input, guint64 offset, gsize n, GError **error)
{
  if (n + DEBYE_XTC_PADDING > reader->capacity) {
    g_free(reader->bytes);
    reader->capacity = n + n / 8 + DEBYE_XTC_PADDING;
    reader->bytes = g_try_malloc0(reader->capacity);
    if (!reader->bytes) {
      reader->capacity = 0;
      return debye_error_set_memory(error, debye_input_get_name(input), n, "bytes");
    }
  }
  return debye_input_read(input, offset, reader->bytes, n, error);
}

/* In float and in this order, as the programs do that write and read XTC: so all see the same coordinates,
 * bit for bit. */
static void
scale(const gint32 *restrict integers, gsize n, float precision, float *restrict to)
{
  float unit = 1.0f / precision;
  for (gsize i = 0; i < n; i++)
    to[i] = (float)integers[i] * unit * 10.0f;
}

static const char *
unpack(Reader *reader, const Header *header, DebyeFrame *frame)
{
  if (header->precision == 0.0f) {
    debye_xdr_get_vectors(reader->bytes, header->n_atoms, sizeof(float), frame->x, frame->y, frame->z);
    return NULL;
  }
  gint32 **integers = reader->integers;
  const char *fault = debye_xtc_decode(&header->block, reader->bytes, header->data_bytes, header->n_atoms,
                                       integers[0], integers[1], integers[2]);
  if (fault)
    return fault;
  scale(integers[0], header->n_atoms, header->precision, frame->x);
  scale(integers[1], header->n_atoms, header->precision, frame->y);
  scale(integers[2], header->n_atoms, header->precision, frame->z);
  return NULL;
}

static gboolean
read_packed(DebyeInput *input, guint64 offset, const Header *header, DebyeFrame *frame, const char **damage,
            GError **error)
{
  const gsize n = header->data_bytes;
  if (!debye_frame_reserve_packed(frame, n))
    return debye_error_set_memory(error, debye_input_get_name(input), n, "bytes");
  if (!debye_input_read(input, offset, frame->packed->bytes, n, error))
    return FALSE;
  *damage = debye_xtc_scan(&header->block, n, header->n_atoms, frame->packed);
  frame->packed->unit = 1.0f / header->precision;
  frame->is_packed = 10.0 * (double)frame->packed->unit * frame->packed->farthest <= DEBYE_PACKED_FARTHEST;
  frame->n_bad = 0;
  return TRUE;
}

static gboolean
read_unpacked(Reader *reader, DebyeInput *input, guint64 offset, const Header *header, DebyeFrame *frame,
              const char **damage, GError **error)
{
  if (!read_data(reader, input, offset, header->data_bytes, error))
    return FALSE;
  *damage = unpack(reader, header, frame);
  if (*damage == NULL)
    debye_frame_check(frame);
  return TRUE;
}

static gboolean
read_frame(gpointer data, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  Reader *reader = data;
  Header header;
  g_autofree char *fault = NULL;
  int code;
  guint64 offset = g_array_index(index->offsets, guint64, frame_number);
  if (!read_header(input, offset, &header, &fault, &code, error))
    return FALSE;
  if (!fault && header.n_atoms != index->n_atoms)
    fault = g_strdup("expected the file that was opened, found it changed since");
  if (fault)
    return debye_input_set_error(input, error, code, "frame %" G_GSIZE_FORMAT ": %s", frame_number, fault);
  const char *damage = NULL;
  const guint64 data_at = offset + header.header_bytes;
  frame->is_packed = FALSE;
  if (frame->packed && header.precision >= PACKED_PRECISION &&
      !read_packed(input, data_at, &header, frame, &damage, error))
    return FALSE;
  if (!frame->is_packed && !damage && !read_unpacked(reader, input, data_at, &header, frame, &damage, error))
    return FALSE;
  if (damage)
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "frame %" G_GSIZE_FORMAT ": %s",
                                 frame_number, damage);
  frame->vx = frame->vy = frame->vz = NULL;
  frame->time = (double)header.time;
  frame->step = header.step;
  frame->has_cell = debye_xdr_get_cell(header.cell, sizeof(float), &frame->cell);
  return TRUE;
}

typedef struct {
  GOutputStream *stream;
  gsize n_atoms;
  gsize n_written;
  guint8 *bytes;
  gint32 *integers[3];
  gint32 small_index; /* of the frame before */
  float precision;    /* steps a nanometre */
} Writer;

static void
writer_free(Writer *writer)
{
  g_clear_object(&writer->stream);
  g_free(writer->bytes);
  for (int k = 0; k < 3; k++)
    g_free(writer->integers[k]);
  g_free(writer);
}

static gpointer
writer_new(GOutputStream *stream, G_GNUC_UNUSED DebyeTopology *topology, gsize n_atoms,
           G_GNUC_UNUSED gsize n_frames, GError **error)
{
  if (n_atoms == 0 || n_atoms > G_MAXINT32)
    return debye_null(debye_error_set(error, DEBYE_ERROR_LIMIT,
                                      "XTC holds 1 to %d atoms, not %" G_GSIZE_FORMAT, G_MAXINT32, n_atoms));
  Writer *writer = g_new0(Writer, 1);
  writer->stream = g_object_ref(stream);
  writer->n_atoms = n_atoms;
  writer->precision = WRITTEN_PRECISION;
  writer->bytes = g_try_malloc(HEADER_BYTES_MAXIMUM + debye_xtc_get_bound(n_atoms));
  for (int k = 0; k < 3; k++)
    writer->integers[k] = g_try_new(gint32, n_atoms);
  if (writer->bytes && writer->integers[0] && writer->integers[1] && writer->integers[2])
    return writer;
  debye_error_set_memory(error, NULL, n_atoms, "atoms");
  writer_free(writer);
  return NULL;
}

static gboolean
round_to_integers(const float *from, gsize n, float precision, gint32 *to, GError **error)
{
  for (gsize i = 0; i < n; i++) {
    double value = rint((double)from[i] * (0.1 * (double)precision));
    if (!(fabs(value) < (double)(1 << 30)))
      return debye_error_set(error, DEBYE_ERROR_VALUE,
                             "atom %" G_GSIZE_FORMAT ": XTC can't hold the coordinate %g Å", i,
                             (double)from[i]);
    to[i] = (gint32)value;
  }
  return TRUE;
}

static void
writer_set_precision(gpointer data, double steps)
{
  Writer *writer = data;
  writer->precision = (float)steps;
}

static guint8 *
put_block(guint8 *at, const DebyeXtcBlock *block, float precision, gboolean wide, gsize n_bytes)
{
  at = debye_xdr_put_float(at, precision);
  for (int k = 0; k < 3; k++)
    at = debye_xdr_put_int32(at, block->minimum[k]);
  for (int k = 0; k < 3; k++)
    at = debye_xdr_put_int32(at, block->maximum[k]);
  at = debye_xdr_put_int32(at, block->small_index);
  return wide ? debye_xdr_put_uint64(at, n_bytes) : debye_xdr_put_uint32(at, (guint32)n_bytes);
}

static guint8 *
put_coordinates(Writer *writer, guint8 *at, gboolean wide)
{
  gint32 **integers = writer->integers;
  DebyeXtcBlock block = {.small_index = writer->small_index};
  guint8 *bits = at + BLOCK_BYTES + (wide ? 4 : 0);
  gsize n_bytes = debye_xtc_encode(&block, bits, writer->n_atoms, integers[0], integers[1], integers[2]);
  writer->small_index = block.small_index;
  put_block(at, &block, writer->precision, wide, n_bytes);
  gsize padding = (4 - n_bytes % 4) % 4;
  memset(bits + n_bytes, 0, padding);
  return bits + n_bytes + padding;
}

static gboolean
write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  gsize n = writer->n_atoms;
  gboolean wide = n > WIDE_ATOMS;
  guint8 *at = writer->bytes;
  gint64 step = frame->step >= 0 && frame->step <= G_MAXINT32 ? frame->step : (gint64)writer->n_written;
  at = debye_xdr_put_int32(at, wide ? MAGIC_WIDE : MAGIC);
  at = debye_xdr_put_int32(at, (gint32)n);
  at = debye_xdr_put_int32(at, (gint32)step);
  at = debye_xdr_put_float(at, isfinite(frame->time) ? (float)frame->time : (float)writer->n_written);
  at = debye_xdr_put_cell(at, frame->has_cell ? &frame->cell : NULL);
  at = debye_xdr_put_int32(at, (gint32)n);
  if (n <= PLAIN_ATOMS) {
    at = debye_xdr_put_vectors(at, n, frame->x, frame->y, frame->z);
  } else {
    if (!round_to_integers(frame->x, n, writer->precision, writer->integers[0], error) ||
        !round_to_integers(frame->y, n, writer->precision, writer->integers[1], error) ||
        !round_to_integers(frame->z, n, writer->precision, writer->integers[2], error))
      return FALSE;
    at = put_coordinates(writer, at, wide);
  }
  writer->n_written++;
  return g_output_stream_write_all(writer->stream, writer->bytes, (gsize)(at - writer->bytes), NULL, NULL,
                                   error);
}

static gboolean
writer_finish(gpointer data, G_GNUC_UNUSED GError **error)
{
  writer_free(data);
  return TRUE;
}

const DebyeFormat debye_format_xtc = {
    .name = "xtc",
    .title = "GROMACS compressed trajectory",
    .suffixes = (const char *const[]){"xtc", NULL},
    .probe = probe,
    .can_resume = TRUE,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
    .can_stay_packed = TRUE,
    .write_flags = DEBYE_WRITE_MANY | DEBYE_WRITE_ALIGNED,
    .writer_new = writer_new,
    .writer_set_precision = writer_set_precision,
    .write_frame = write_frame,
    .writer_finish = writer_finish,
};
