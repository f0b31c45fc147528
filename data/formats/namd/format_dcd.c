/* SPDX-License-Identifier: MIT */
/* DCD, the trajectory of CHARMM, NAMD and many others: plain floats in Å, x, y and z apart, which is how
 * Debye holds them too. Where a file has this machine's byte order and no fixed atoms, the coordinates go
 * from the file into the frame without a step between. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/frame_index.h"
#include "data/messages/message.h"
#include "dcd_layout.h"

static int
probe(const guint8 *head, gsize n)
{
  DebyeDcdLayout layout;
  return debye_dcd_layout_recognize(&layout, head, n) ? 100 : 0;
}

static char *
look_at_frame(gconstpointer format_data, const DebyeFrameIndex *index, const guint8 *bytes, gsize n,
              guint64 available, DebyeFrameFacts *facts, int *code)
{
  const DebyeDcdLayout *layout = format_data;
  guint number = index->offsets->len;
  gsize n_stored = number == 0 ? layout->n_atoms : layout->n_free;
  guint64 expected = layout->has_cell ? DEBYE_DCD_CELL_BYTES : 4 * (guint64)n_stored;
  guint64 found = n >= layout->marker_bytes ? debye_dcd_layout_get_marker(layout, bytes) : expected;
  DebyeCell cell;
  facts->n_bytes = number == 0 ? layout->first_bytes : layout->other_bytes;
  *code = DEBYE_ERROR_SYNTAX;
  if (found != expected)
    return debye_message_new(
        "expected a record of %" G_GUINT64_FORMAT " bytes, found one of %" G_GUINT64_FORMAT, expected, found);
  *code = DEBYE_ERROR_TRUNCATED;
  if (facts->n_bytes > available)
    return g_strdup(N_("the file ends inside it"));
  facts->n_atoms = layout->n_atoms;
  facts->time = debye_dcd_layout_get_time(layout, number);
  facts->has_bad_cell =
      layout->has_cell && !debye_dcd_layout_get_cell(layout, bytes + layout->marker_bytes, &cell);
  return NULL;
}

/* Frames of a DCD file are all of one length, so that where they begin needs no reading. Many of them are
 * checked by sample: looking at each of a million would take a spinning disk an hour. */
#define LOOK_AT_ALL 16384
#define SAMPLES 4096

static guint64
count_whole_frames(const DebyeDcdLayout *layout, guint64 size, guint64 *rest)
{
  guint64 after_first = size - layout->frames_offset - layout->first_bytes;
  *rest = after_first % layout->other_bytes;
  return 1 + after_first / layout->other_bytes;
}

static guint64
get_frame_offset(const DebyeDcdLayout *layout, guint64 frame_number)
{
  guint64 others = frame_number > 0 ? layout->first_bytes + (frame_number - 1) * layout->other_bytes : 0;
  return layout->frames_offset + others;
}

/* Looks at frames all over the file, the last one among them. */
static gboolean
samples_are_frames(const DebyeDcdLayout *layout, DebyeInput *input, guint64 n_frames)
{
  guint64 expected = layout->has_cell ? DEBYE_DCD_CELL_BYTES : 4 * (guint64)layout->n_free;
  guint8 bytes[8];
  for (guint64 k = 1; k <= SAMPLES; k++) {
    guint64 offset = get_frame_offset(layout, k * (n_frames - 1) / SAMPLES);
    if (!debye_input_read(input, offset, bytes, layout->marker_bytes, NULL) ||
        debye_dcd_layout_get_marker(layout, bytes) != expected)
      return FALSE;
  }
  return TRUE;
}

/* FALSE when it isn't that simple: a short file, or one with anything but frames in it. */
static gboolean
index_by_length(const DebyeDcdLayout *layout, DebyeInput *input, DebyeFrameIndex *index)
{
  guint64 rest;
  guint64 n = count_whole_frames(layout, debye_input_get_size(input), &rest);
  if (n <= LOOK_AT_ALL || n > G_MAXUINT || rest > 0 || !samples_are_frames(layout, input, n))
    return FALSE;
  for (guint64 k = 0; k < n; k++) {
    guint64 offset = get_frame_offset(layout, k);
    g_array_append_val(index->offsets, offset);
  }
  index->n_atoms = layout->n_atoms;
  debye_frame_index_set_times(index, debye_dcd_layout_get_time(layout, 0),
                              debye_dcd_layout_get_time(layout, n - 1));
  return TRUE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(DebyeDcdLayout) layout = {0};
  if (!debye_dcd_layout_read(&layout, input, error))
    return FALSE;
  gsize n_look = layout.marker_bytes + (layout.has_cell ? DEBYE_DCD_CELL_BYTES : 0);
  if (!index_by_length(&layout, input, index) &&
      !debye_frame_index_walk(index, input, layout.frames_offset, n_look, look_at_frame, &layout, progress,
                              data, error))
    return FALSE;
  /* A header with fewer frames than there are is usual: programs that stop early leave it at 0. */
  if (layout.n_frames > 0 && (guint)layout.n_frames > index->offsets->len)
    debye_frame_index_warn(index, "the header announces %d frames, the file has %u", layout.n_frames,
                           index->offsets->len);
  return TRUE;
}

/* The markers of four records and what lies between, as one stretch of the file. */
#define MARKERS_MAXIMUM 8

typedef struct {
  DebyeDcdLayout layout;
  guint8 markers[MARKERS_MAXIMUM][8];
  guint8 cell[DEBYE_DCD_CELL_BYTES];
  float *fixed[3];    /* the first frame's coordinates; NULL when no atom is fixed */
  float *free_values; /* one coordinate of the free atoms */
} Reader;

static void
reader_free(gpointer data)
{
  Reader *reader = data;
  if (!reader)
    return;
  debye_dcd_layout_clear(&reader->layout);
  for (int k = 0; k < 3; k++)
    g_free(reader->fixed[k]);
  g_free(reader->free_values);
  g_free(reader);
}

typedef struct {
  DebyeInputPart parts[3 * MARKERS_MAXIMUM / 2];
  gsize n_parts;
  guint64 lengths[MARKERS_MAXIMUM / 2]; /* expected of the records */
  gsize n_records;
} Plan;

static void
plan_record(Plan *plan, Reader *reader, gpointer buffer, gsize n)
{
  gsize marker = 2 * plan->n_records;
  plan->parts[plan->n_parts++] = (DebyeInputPart){reader->markers[marker], reader->layout.marker_bytes};
  plan->parts[plan->n_parts++] = (DebyeInputPart){buffer, n};
  plan->parts[plan->n_parts++] = (DebyeInputPart){reader->markers[marker + 1], reader->layout.marker_bytes};
  plan->lengths[plan->n_records++] = n;
}

static gboolean
check_markers(const Plan *plan, const Reader *reader, DebyeInput *input, gsize frame_number, GError **error)
{
  for (gsize k = 0; k < 2 * plan->n_records; k++) {
    guint64 found = debye_dcd_layout_get_marker(&reader->layout, reader->markers[k]);
    if (found == plan->lengths[k / 2])
      continue;
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "frame %" G_GSIZE_FORMAT ": expected the record marker %" G_GUINT64_FORMAT
                                 ", found %" G_GUINT64_FORMAT,
                                 frame_number, plan->lengths[k / 2], found);
  }
  return TRUE;
}

/* The cell and n values of each coordinate, in the file's byte order. */
static gboolean
read_records(Reader *reader, DebyeInput *input, guint64 offset, gsize frame_number, gsize n,
             float *const to[3], GError **error)
{
  Plan plan = {.n_parts = 0};
  if (reader->layout.has_cell)
    plan_record(&plan, reader, reader->cell, sizeof reader->cell);
  for (int k = 0; k < 3; k++)
    plan_record(&plan, reader, to[k], n * sizeof(float));
  return debye_input_read_parts(input, offset, plan.parts, plan.n_parts, error) &&
         check_markers(&plan, reader, input, frame_number, error);
}

static void
swap_bytes(float *values, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    guint32 word;
    memcpy(&word, &values[i], sizeof word);
    word = GUINT32_SWAP_LE_BE(word);
    memcpy(&values[i], &word, sizeof word);
  }
}

static gboolean
read_all_atoms(Reader *reader, DebyeInput *input, guint64 offset, gsize frame_number, float *const to[3],
               GError **error)
{
  gsize n = reader->layout.n_atoms;
  if (!read_records(reader, input, offset, frame_number, n, to, error))
    return FALSE;
  for (int k = 0; k < 3 && reader->layout.is_swapped; k++)
    swap_bytes(to[k], n);
  return TRUE;
}

/* The fixed atoms from the first frame, the others from this one. */
static gboolean
read_free_atoms(Reader *reader, DebyeInput *input, guint64 offset, gsize frame_number, float *const to[3],
                GError **error)
{
  const DebyeDcdLayout *layout = &reader->layout;
  gsize n = layout->n_free;
  float *parts[3] = {reader->free_values, reader->free_values + n, reader->free_values + 2 * n};
  if (!read_records(reader, input, offset, frame_number, n, parts, error))
    return FALSE;
  if (layout->is_swapped)
    swap_bytes(reader->free_values, 3 * n);
  for (int k = 0; k < 3; k++) {
    memcpy(to[k], reader->fixed[k], layout->n_atoms * sizeof(float));
    for (gsize i = 0; i < n; i++)
      to[k][layout->free_atoms[i]] = parts[k][i];
  }
  return TRUE;
}

static gboolean
prepare_fixed_atoms(Reader *reader, DebyeInput *input, GError **error)
{
  const DebyeDcdLayout *layout = &reader->layout;
  if (!layout->free_atoms)
    return TRUE;
  reader->free_values = g_try_new(float, 3 * layout->n_free);
  for (int k = 0; k < 3; k++)
    reader->fixed[k] = g_try_new(float, layout->n_atoms);
  if (!reader->free_values || !reader->fixed[0] || !reader->fixed[1] || !reader->fixed[2])
    return debye_error_set_memory(error, debye_input_get_name(input), layout->n_atoms, "atoms");
  return read_all_atoms(reader, input, layout->frames_offset, 0, reader->fixed, error);
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  Reader *reader = g_new0(Reader, 1);
  gboolean good = debye_dcd_layout_read(&reader->layout, input, error);
  if (good && reader->layout.n_atoms != index->n_atoms) {
    debye_input_set_changed(input, error);
    good = FALSE;
  }
  if (good && prepare_fixed_atoms(reader, input, error))
    return reader;
  reader_free(reader);
  return NULL;
}

static gboolean
read_frame(gpointer data, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  Reader *reader = data;
  const DebyeDcdLayout *layout = &reader->layout;
  guint64 offset = g_array_index(index->offsets, guint64, frame_number);
  float *const to[3] = {frame->x, frame->y, frame->z};
  gboolean is_full = frame_number == 0 || !layout->free_atoms;
  gboolean good = is_full ? read_all_atoms(reader, input, offset, frame_number, to, error)
                          : read_free_atoms(reader, input, offset, frame_number, to, error);
  if (!good)
    return FALSE;
  frame->vx = frame->vy = frame->vz = NULL;
  frame->time = debye_dcd_layout_get_time(layout, frame_number);
  frame->step = debye_dcd_layout_get_step(layout, frame_number);
  frame->cell = (DebyeCell){0};
  frame->has_cell = layout->has_cell && debye_dcd_layout_get_cell(layout, reader->cell, &frame->cell);
  debye_frame_check(frame);
  return TRUE;
}

/* --- Writing: as CHARMM 24 and NAMD do, in this machine's byte order, with 32-bit markers and cells as lengths and
 * cosines. The header holds what is known only at the end (number of frames, time between them): it is written again
 * then. --- */

#define VERSION 24
#define TITLE_BYTES 80
#define HEADER_BYTES (8 + DEBYE_DCD_HEADER_BYTES + 8 + 4 + TITLE_BYTES + 8 + 4)

typedef struct {
  GOutputStream *stream;
  gsize n_atoms;
  gsize n_announced;
  gsize n_written;
  gboolean has_cell; /* decided by the first frame */
  double first_time, last_time;
} Writer;

static guint8 *
put_int32(guint8 *at, gint32 value)
{
  memcpy(at, &value, sizeof value);
  return at + sizeof value;
}

/* Times are step · delta: the step of the first frame follows from its time and the interval. */
static void
find_time_scale(const Writer *writer, gint32 *first_step, float *delta)
{
  double interval = writer->n_written > 1
                        ? (writer->last_time - writer->first_time) / (double)(writer->n_written - 1)
                        : NAN;
  *first_step = 0;
  *delta = (float)(1.0 / DEBYE_DCD_TIME_UNIT);
  if (!(interval > 0.0 && isfinite(interval)))
    return;
  *delta = (float)(interval / DEBYE_DCD_TIME_UNIT);
  double steps = rint(writer->first_time / interval);
  if (fabs(steps) < (double)G_MAXINT32)
    *first_step = (gint32)steps;
}

static void
make_header(const Writer *writer, guint8 bytes[HEADER_BYTES])
{
  gint32 control[20] = {0};
  char title[TITLE_BYTES] = "Created by Debye";
  gsize n_frames = writer->n_written ? writer->n_written : writer->n_announced;
  float delta;
  control[0] = control[3] = (gint32)MIN(n_frames, G_MAXINT32);
  find_time_scale(writer, &control[1], &delta);
  control[2] = 1;
  memcpy(&control[9], &delta, sizeof delta);
  control[10] = writer->has_cell;
  control[19] = VERSION;
  guint8 *at = put_int32(bytes, DEBYE_DCD_HEADER_BYTES);
  memcpy(at, "CORD", 4);
  memcpy(at + 4, control, sizeof control);
  at = put_int32(at + DEBYE_DCD_HEADER_BYTES, DEBYE_DCD_HEADER_BYTES);
  at = put_int32(at, 4 + TITLE_BYTES);
  at = put_int32(at, 1);
  memcpy(at, title, TITLE_BYTES);
  at = put_int32(at + TITLE_BYTES, 4 + TITLE_BYTES);
  at = put_int32(at, 4);
  at = put_int32(at, (gint32)writer->n_atoms);
  put_int32(at, 4);
}

static gboolean
put_header(const Writer *writer, GError **error)
{
  guint8 bytes[HEADER_BYTES];
  make_header(writer, bytes);
  return g_output_stream_write_all(writer->stream, bytes, sizeof bytes, NULL, NULL, error);
}

static gboolean
put_record(const Writer *writer, const void *data, gsize n, GError **error)
{
  gint32 marker = (gint32)n;
  return g_output_stream_write_all(writer->stream, &marker, sizeof marker, NULL, NULL, error) &&
         g_output_stream_write_all(writer->stream, data, n, NULL, NULL, error) &&
         g_output_stream_write_all(writer->stream, &marker, sizeof marker, NULL, NULL, error);
}

/* Cosines rather than degrees: a right angle is then exactly zero, which every program takes for one. */
static gboolean
put_cell(const Writer *writer, const DebyeFrame *frame, GError **error)
{
  double lengths[3], angles[3], values[6] = {0};
  if (frame->has_cell) {
    debye_cell_to_lengths_angles(&frame->cell, lengths, angles);
    for (int k = 0; k < 3; k++)
      angles[k] = angles[k] == 90.0 ? 0.0 : cos(angles[k] * (G_PI / 180.0));
    const double filled[6] = {lengths[0], angles[2], lengths[1], angles[1], angles[0], lengths[2]};
    memcpy(values, filled, sizeof values);
  }
  return put_record(writer, values, sizeof values, error);
}

static gpointer
writer_new(GOutputStream *stream, G_GNUC_UNUSED DebyeTopology *topology, gsize n_atoms, gsize n_frames,
           GError **error)
{
  if (n_atoms == 0 || n_atoms > G_MAXINT32 / 4)
    return debye_null(debye_error_set(
        error, DEBYE_ERROR_LIMIT, "DCD holds 1 to %d atoms, not %" G_GSIZE_FORMAT, G_MAXINT32 / 4, n_atoms));
  Writer *writer = g_new0(Writer, 1);
  writer->stream = g_object_ref(stream);
  writer->n_atoms = n_atoms;
  writer->n_announced = n_frames;
  return writer;
}

static gboolean
write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  gsize n_bytes = writer->n_atoms * sizeof(float);
  if (writer->n_written == 0) {
    writer->has_cell = frame->has_cell;
    writer->first_time = frame->time;
    if (!put_header(writer, error))
      return FALSE;
  }
  writer->last_time = frame->time;
  writer->n_written++;
  return (!writer->has_cell || put_cell(writer, frame, error)) &&
         put_record(writer, frame->x, n_bytes, error) && put_record(writer, frame->y, n_bytes, error) &&
         put_record(writer, frame->z, n_bytes, error);
}

static gboolean
writer_finish(gpointer data, GError **error)
{
  Writer *writer = data;
  gboolean good = TRUE;
  GSeekable *seekable = G_IS_SEEKABLE(writer->stream) ? G_SEEKABLE(writer->stream) : NULL;
  if (error && writer->n_written == 0)
    good = put_header(writer, error);
  else if (error && seekable && g_seekable_can_seek(seekable))
    good = g_seekable_seek(seekable, 0, G_SEEK_SET, NULL, error) && put_header(writer, error) &&
           g_seekable_seek(seekable, 0, G_SEEK_END, NULL, error);
  g_object_unref(writer->stream);
  g_free(writer);
  return good;
}

const DebyeFormat debye_format_dcd = {
    .name = "dcd",
    .title = "CHARMM/NAMD trajectory",
    .suffixes = (const char *const[]){"dcd", NULL},
    .probe = probe,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
    .write_flags = DEBYE_WRITE_MANY | DEBYE_WRITE_ALIGNED,
    .writer_new = writer_new,
    .write_frame = write_frame,
    .writer_finish = writer_finish,
};
