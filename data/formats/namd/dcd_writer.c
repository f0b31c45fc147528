/* SPDX-License-Identifier: MIT */
/* Writes DCD for format_dcd.c. The header holds what is known only at the end (number of frames, time between
 * them): it is written again then. */
#include "dcd_layout.h"
#include "dcd_writer.h"
#include "data/files/error.h"

#include <math.h>
#include <string.h>

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

gpointer
debye_dcd_writer_new(GOutputStream *stream, G_GNUC_UNUSED DebyeTopology *topology, gsize n_atoms,
                     gsize n_frames, GError **error)
{
  if (n_atoms == 0 || n_atoms > G_MAXINT32 / 4) {
    debye_error_set(error, DEBYE_ERROR_LIMIT, "DCD holds 1 to %d atoms, not %" G_GSIZE_FORMAT, G_MAXINT32 / 4,
                    n_atoms);
    return NULL;
  }
  Writer *writer = g_new0(Writer, 1);
  writer->stream = g_object_ref(stream);
  writer->n_atoms = n_atoms;
  writer->n_announced = n_frames;
  return writer;
}

gboolean
debye_dcd_writer_write(gpointer data, const DebyeFrame *frame, GError **error)
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

gboolean
debye_dcd_writer_finish(gpointer data, GError **error)
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
