/* SPDX-License-Identifier: MIT */
/* TRR, GROMACS' full-precision trajectory: floats or doubles, positions, velocities and forces, each of them
 * in some frames only. Frames without positions are left out. */
#include "data/files/error.h"
#include "data/formats/frame_index.h"
#include "data/files/xdr.h"
#include "data/messages/message.h"

#include <math.h>

#define MAGIC 1993
#define VERSION "GMX_trn_file"
#define VERSION_BYTES 12
#define SIZES_AT 24 /* magic, two lengths, the version */
#define N_SIZES 10
#define FIXED_BYTES (SIZES_AT + 4 * (N_SIZES + 3))
#define HEADER_BYTES_MAXIMUM (FIXED_BYTES + 16)

/* The order of the sizes in the header, which is also that of the data. */
enum {
  SIZE_INPUT,
  SIZE_ENERGY,
  SIZE_CELL,
  SIZE_VIRIAL,
  SIZE_PRESSURE,
  SIZE_TOPOLOGY,
  SIZE_SYMMETRY,
  SIZE_X,
  SIZE_V,
  SIZE_F
};

typedef struct {
  gsize n_atoms;
  gint32 step;
  double time;
  gsize width; /* of a real: 4 or 8 */
  guint32 sizes[N_SIZES];
  gsize header_bytes;
  guint64 frame_bytes;
} Header;

static gboolean
has_signature(const guint8 *bytes)
{
  return debye_xdr_get_uint32(bytes) == MAGIC && debye_xdr_get_uint32(bytes + 8) == VERSION_BYTES &&
         memcmp(bytes + 12, VERSION, VERSION_BYTES) == 0;
}

static int
probe(const guint8 *head, gsize n)
{
  return n >= SIZES_AT && has_signature(head) ? 100 : 0;
}

/* The header doesn't say whether its reals are floats or doubles: the size of what there is tells. */
static gsize
find_width(const Header *header)
{
  if (header->sizes[SIZE_CELL] > 0)
    return header->sizes[SIZE_CELL] / 9;
  for (int k = SIZE_X; k <= SIZE_F; k++)
    if (header->sizes[k] > 0)
      return header->sizes[k] / (3 * header->n_atoms);
  return sizeof(float);
}

/* NULL or a fault: every size must be what the number of atoms makes it. */
static char *
check_sizes(const Header *header, guint64 available)
{
  guint64 vectors = 3 * (guint64)header->n_atoms * header->width;
  if (header->width != sizeof(float) && header->width != sizeof(double))
    return debye_message_new("expected numbers of 4 or 8 bytes, found %" G_GSIZE_FORMAT " bytes",
                             header->width);
  if (header->sizes[SIZE_CELL] != 0 && header->sizes[SIZE_CELL] != 9 * header->width)
    return debye_message_new("its cell has %u bytes, expected %" G_GSIZE_FORMAT, header->sizes[SIZE_CELL],
                             9 * header->width);
  for (int k = SIZE_X; k <= SIZE_F; k++)
    if (header->sizes[k] != 0 && header->sizes[k] != vectors)
      return debye_message_new("%u bytes for %" G_GSIZE_FORMAT " atoms, expected %" G_GUINT64_FORMAT,
                               header->sizes[k], header->n_atoms, vectors);
  return header->frame_bytes <= available ? NULL : g_strdup(N_("the file ends inside it"));
}

static char *
parse_header(Header *header, const guint8 *bytes, gsize n, guint64 available, int *code)
{
  *header = (Header){0};
  *code = DEBYE_ERROR_TRUNCATED;
  if (n < HEADER_BYTES_MAXIMUM - 8)
    return g_strdup(N_("the file ends inside its header"));
  *code = DEBYE_ERROR_SYNTAX;
  if (!has_signature(bytes))
    return debye_message_new("expected the number %d and “%s” at its beginning", MAGIC, VERSION);
  gint32 n_atoms = debye_xdr_get_int32(bytes + SIZES_AT + 4 * N_SIZES);
  if (n_atoms <= 0)
    return debye_message_new("expected a number of atoms, found %d", n_atoms);
  *header =
      (Header){.n_atoms = (gsize)n_atoms, .step = debye_xdr_get_int32(bytes + SIZES_AT + 4 * N_SIZES + 4)};
  for (int k = 0; k < N_SIZES; k++)
    header->sizes[k] = debye_xdr_get_uint32(bytes + SIZES_AT + 4 * k);
  header->width = find_width(header);
  header->time = header->width == sizeof(double) ? debye_xdr_get_double(bytes + FIXED_BYTES)
                                                 : (double)debye_xdr_get_float(bytes + FIXED_BYTES);
  header->header_bytes = FIXED_BYTES + 2 * header->width;
  header->frame_bytes = header->header_bytes;
  for (int k = 0; k < N_SIZES; k++)
    header->frame_bytes += header->sizes[k];
  char *fault = check_sizes(header, available);
  if (fault && header->frame_bytes > available)
    *code = DEBYE_ERROR_TRUNCATED;
  return fault;
}

static char *
look_at_frame(G_GNUC_UNUSED gconstpointer format_data, G_GNUC_UNUSED const DebyeFrameIndex *index,
              const guint8 *bytes, gsize n, guint64 available, DebyeFrameFacts *facts, int *code)
{
  Header header;
  char *fault = parse_header(&header, bytes, n, available, code);
  if (fault)
    return fault;
  facts->n_atoms = header.n_atoms;
  facts->time = header.time;
  facts->n_bytes = header.frame_bytes;
  facts->has_coordinates = header.sizes[SIZE_X] > 0;
  return NULL;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  return debye_frame_index_walk(index, input, 0, HEADER_BYTES_MAXIMUM, look_at_frame, NULL, progress, data,
                                error);
}

/* Vectors are converted block by block: a whole frame of doubles need not be held. */
#define BLOCK_ATOMS 4096

typedef struct {
  guint8 block[BLOCK_ATOMS * 3 * sizeof(double)];
} Reader;

static gpointer
reader_new(G_GNUC_UNUSED DebyeInput *input, G_GNUC_UNUSED const DebyeFrameIndex *index,
           G_GNUC_UNUSED GError **error)
{
  return g_new(Reader, 1);
}

static gboolean
read_vectors(Reader *reader, DebyeInput *input, guint64 offset, const Header *header, float *x, float *y,
             float *z, GError **error)
{
  for (gsize i = 0; i < header->n_atoms; i += BLOCK_ATOMS) {
    gsize n = MIN(BLOCK_ATOMS, header->n_atoms - i);
    gsize n_bytes = n * 3 * header->width;
    if (!debye_input_read(input, offset, reader->block, n_bytes, error))
      return FALSE;
    debye_xdr_get_vectors(reader->block, n, header->width, x + i, y + i, z + i);
    offset += n_bytes;
  }
  return TRUE;
}

static gboolean
read_cell(Reader *reader, DebyeInput *input, guint64 offset, const Header *header, DebyeFrame *frame,
          GError **error)
{
  frame->has_cell = FALSE;
  frame->cell = (DebyeCell){0};
  if (header->sizes[SIZE_CELL] == 0)
    return TRUE;
  if (!debye_input_read(input, offset, reader->block, header->sizes[SIZE_CELL], error))
    return FALSE;
  frame->has_cell = debye_xdr_get_cell(reader->block, header->width, &frame->cell);
  return TRUE;
}

static gboolean
read_velocities(Reader *reader, DebyeInput *input, guint64 offset, const Header *header, DebyeFrame *frame,
                GError **error)
{
  if (header->sizes[SIZE_V] == 0) {
    frame->vx = frame->vy = frame->vz = NULL;
    return TRUE;
  }
  if (!debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, debye_input_get_name(input), frame->n_atoms, "velocities");
  return read_vectors(reader, input, offset, header, frame->vx, frame->vy, frame->vz, error);
}

static gboolean
read_contents(Reader *reader, DebyeInput *input, guint64 offset, const Header *header, DebyeFrame *frame,
              GError **error)
{
  guint64 places[N_SIZES];
  offset += header->header_bytes;
  for (int k = 0; k < N_SIZES; k++) {
    places[k] = offset;
    offset += header->sizes[k];
  }
  return read_cell(reader, input, places[SIZE_CELL], header, frame, error) &&
         read_vectors(reader, input, places[SIZE_X], header, frame->x, frame->y, frame->z, error) &&
         read_velocities(reader, input, places[SIZE_V], header, frame, error);
}

static gboolean
read_frame(gpointer data, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  guint8 bytes[HEADER_BYTES_MAXIMUM];
  Header header;
  int code;
  guint64 offset = g_array_index(index->offsets, guint64, frame_number);
  gssize n = debye_input_read_some(input, offset, bytes, sizeof bytes, error);
  if (n < 0)
    return FALSE;
  g_autofree char *fault =
      parse_header(&header, bytes, (gsize)n, debye_input_get_size(input) - offset, &code);
  if (!fault && (header.n_atoms != index->n_atoms || header.sizes[SIZE_X] == 0))
    fault = g_strdup("expected the file that was opened, found it changed since");
  if (fault)
    return debye_input_set_error(input, error, code, "frame %" G_GSIZE_FORMAT ": %s", frame_number, fault);
  if (!read_contents(data, input, offset, &header, frame, error))
    return FALSE;
  frame->time = header.time;
  frame->step = header.step;
  debye_frame_check(frame);
  return TRUE;
}

typedef struct {
  GOutputStream *stream;
  gsize n_atoms;
  gsize n_written;
  guint8 *bytes;
} Writer;

static gpointer
writer_new(GOutputStream *stream, G_GNUC_UNUSED DebyeTopology *topology, gsize n_atoms,
           G_GNUC_UNUSED gsize n_frames, GError **error)
{
  if (n_atoms == 0 || n_atoms > G_MAXINT32 / 12)
    return debye_null(debye_error_set(
        error, DEBYE_ERROR_LIMIT, "TRR holds 1 to %d atoms, not %" G_GSIZE_FORMAT, G_MAXINT32 / 12, n_atoms));
  g_autofree guint8 *bytes = g_try_malloc(HEADER_BYTES_MAXIMUM + 36 + 24 * n_atoms);
  if (!bytes)
    return debye_null(debye_error_set_memory(error, NULL, n_atoms, "atoms"));
  Writer *writer = g_new0(Writer, 1);
  writer->stream = g_object_ref(stream);
  writer->n_atoms = n_atoms;
  writer->bytes = g_steal_pointer(&bytes);
  return writer;
}

static guint8 *
put_header(guint8 *at, const DebyeFrame *frame, gsize n_written)
{
  guint32 vectors = (guint32)(12 * frame->n_atoms);
  const guint32 sizes[N_SIZES] = {
      [SIZE_CELL] = frame->has_cell ? 36 : 0, [SIZE_X] = vectors, [SIZE_V] = frame->vx ? vectors : 0};
  gboolean step_fits = frame->step >= 0 && frame->step <= G_MAXINT32;
  at = debye_xdr_put_int32(at, MAGIC);
  at = debye_xdr_put_int32(at, VERSION_BYTES + 1);
  at = debye_xdr_put_int32(at, VERSION_BYTES);
  memcpy(at, VERSION, VERSION_BYTES);
  at += VERSION_BYTES;
  for (int k = 0; k < N_SIZES; k++)
    at = debye_xdr_put_uint32(at, sizes[k]);
  at = debye_xdr_put_int32(at, (gint32)frame->n_atoms);
  at = debye_xdr_put_int32(at, step_fits ? (gint32)frame->step : (gint32)n_written);
  at = debye_xdr_put_int32(at, 0);
  at = debye_xdr_put_float(at, isfinite(frame->time) ? (float)frame->time : (float)n_written);
  return debye_xdr_put_float(at, 0.0f);
}

static gboolean
write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  guint8 *at = put_header(writer->bytes, frame, writer->n_written++);
  if (frame->has_cell)
    at = debye_xdr_put_cell(at, &frame->cell);
  at = debye_xdr_put_vectors(at, writer->n_atoms, frame->x, frame->y, frame->z);
  if (frame->vx)
    at = debye_xdr_put_vectors(at, writer->n_atoms, frame->vx, frame->vy, frame->vz);
  return g_output_stream_write_all(writer->stream, writer->bytes, (gsize)(at - writer->bytes), NULL, NULL,
                                   error);
}

static gboolean
writer_finish(gpointer data, G_GNUC_UNUSED GError **error)
{
  Writer *writer = data;
  g_object_unref(writer->stream);
  g_free(writer->bytes);
  g_free(writer);
  return TRUE;
}

const DebyeFormat debye_format_trr = {
    .name = "trr",
    .title = "GROMACS full-precision trajectory",
    .suffixes = (const char *const[]){"trr", NULL},
    .probe = probe,
    .can_resume = TRUE,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
    .write_flags = DEBYE_WRITE_MANY | DEBYE_WRITE_ALIGNED,
    .writer_new = writer_new,
    .write_frame = write_frame,
    .writer_finish = writer_finish,
};
