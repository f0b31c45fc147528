/* SPDX-License-Identifier: MIT */
/* Writes H5MD for format_h5md.c: room for the small parts, then all positions, then all velocities. The
 * small parts come last, when times and boxes are known; how much room they need is known from the first
 * frame on. */
#include "h5md_writer.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "h5md_skeleton.h"

#define BLOCK 4096

typedef struct {
  GOutputStream *stream;
  DebyeTopology *topology; /* or NULL */
  gsize n_atoms, n_announced, n_written;
  gboolean has_cell, has_velocities, has_times; /* decided by the first frame */
  GArray *steps, *times, *edges;
  guint64 begin; /* of the positions */
  float *vectors;
} Writer;

static void
writer_free(Writer *writer)
{
  g_object_unref(writer->stream);
  g_clear_object(&writer->topology);
  g_array_unref(writer->steps);
  g_array_unref(writer->times);
  g_array_unref(writer->edges);
  g_free(writer->vectors);
  g_free(writer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Writer, writer_free)

static gsize
get_frame_bytes(const Writer *writer)
{
  return writer->n_atoms * 3 * sizeof(float);
}

gpointer
debye_h5md_writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                      GError **error)
{
  if (!G_IS_SEEKABLE(stream) || !g_seekable_can_seek(G_SEEKABLE(stream))) {
    debye_error_set(error, DEBYE_ERROR_WRITE, "H5MD can only be written to a file on disk");
    return NULL;
  }
  if (topology != NULL && debye_topology_get_n_atoms(topology) != n_atoms) {
    debye_error_set(error, DEBYE_ERROR_MISMATCH,
                    "expected a topology of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT, n_atoms,
                    debye_topology_get_n_atoms(topology));
    return NULL;
  }
  g_autoptr(Writer) writer = g_new0(Writer, 1);
  writer->stream = g_object_ref(stream);
  writer->topology = topology != NULL ? g_object_ref(topology) : NULL;
  writer->n_atoms = n_atoms;
  writer->n_announced = n_frames;
  writer->steps = g_array_new(FALSE, TRUE, sizeof(gint64));
  writer->times = g_array_new(FALSE, TRUE, sizeof(double));
  writer->edges = g_array_new(FALSE, TRUE, 9 * sizeof(double));
  writer->vectors = g_try_malloc(MAX(get_frame_bytes(writer), 1));
  if (writer->vectors != NULL)
    return g_steal_pointer(&writer);
  debye_error_set_memory(error, NULL, n_atoms, "atoms");
  return NULL;
}

/* The small parts, with the first `n_frames` of what is collected. */
static guint8 *
make_skeleton(const Writer *writer, gsize n_frames, gsize *size, GError **error)
{
  guint64 velocity_at = writer->begin + (guint64)writer->n_announced * get_frame_bytes(writer);
  guint64 end =
      (writer->has_velocities ? velocity_at : writer->begin) + (guint64)n_frames * get_frame_bytes(writer);
  const DebyeH5mdContents contents = {.n_atoms = writer->n_atoms,
                                      .n_frames = n_frames,
                                      .topology = writer->topology,
                                      .has_cell = writer->has_cell,
                                      .has_velocities = writer->has_velocities,
                                      .has_times = writer->has_times,
                                      .steps = (const gint64 *)(gpointer)writer->steps->data,
                                      .times = (const double *)(gpointer)writer->times->data,
                                      .edges = (const double *)(gpointer)writer->edges->data};
  return debye_h5md_skeleton_make(&contents, writer->begin, velocity_at, end, size, error);
}

/* How much room the small parts take: that of all frames that were announced. */
static gboolean
make_room(Writer *writer, GError **error)
{
  gsize size;
  g_array_set_size(writer->steps, (guint)writer->n_announced);
  g_array_set_size(writer->times, (guint)writer->n_announced);
  g_array_set_size(writer->edges, (guint)writer->n_announced);
  g_autofree guint8 *skeleton = make_skeleton(writer, writer->n_announced, &size, error);
  if (skeleton == NULL)
    return FALSE;
  writer->begin = (size / BLOCK + 1) * BLOCK;
  return TRUE;
}

static gboolean
begin(Writer *writer, const DebyeFrame *frame, GError **error)
{
  writer->has_cell = frame->has_cell;
  writer->has_velocities = frame->vx != NULL;
  writer->has_times = isfinite(frame->time);
  return make_room(writer, error);
}

static gboolean
put_vectors(Writer *writer, guint64 at, const float *x, const float *y, const float *z, GError **error)
{
  for (gsize i = 0; i < writer->n_atoms; i++) {
    writer->vectors[3 * i] = x != NULL ? x[i] : 0.0F;
    writer->vectors[3 * i + 1] = y != NULL ? y[i] : 0.0F;
    writer->vectors[3 * i + 2] = z != NULL ? z[i] : 0.0F;
  }
  at += (guint64)writer->n_written * get_frame_bytes(writer);
  return g_seekable_seek(G_SEEKABLE(writer->stream), (goffset)at, G_SEEK_SET, NULL, error) &&
         g_output_stream_write_all(writer->stream, writer->vectors, get_frame_bytes(writer), NULL, NULL,
                                   error);
}

static void
keep_small_values(Writer *writer, const DebyeFrame *frame)
{
  gsize k = writer->n_written;
  g_array_index(writer->steps, gint64, k) = frame->step >= 0 ? frame->step : (gint64)k;
  g_array_index(writer->times, double, k) = frame->time;
  if (frame->has_cell)
    memcpy(writer->edges->data + k * 9 * sizeof(double), &frame->cell, sizeof frame->cell);
}

gboolean
debye_h5md_writer_write(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  if (writer->n_written == writer->n_announced || frame->n_atoms != writer->n_atoms) {
    debye_error_set(error, DEBYE_ERROR_WRITE,
                    "expected %" G_GSIZE_FORMAT " frames of %" G_GSIZE_FORMAT " atoms, found more",
                    writer->n_announced, writer->n_atoms);
    return FALSE;
  }
  if (writer->n_written == 0 && !begin(writer, frame, error))
    return FALSE;
  guint64 velocity_at = writer->begin + (guint64)writer->n_announced * get_frame_bytes(writer);
  if (!put_vectors(writer, writer->begin, frame->x, frame->y, frame->z, error) ||
      (writer->has_velocities && !put_vectors(writer, velocity_at, frame->vx, frame->vy, frame->vz, error)))
    return FALSE;
  keep_small_values(writer, frame);
  writer->n_written++;
  return TRUE;
}

static gboolean
put_skeleton(const Writer *writer, GError **error)
{
  gsize size;
  g_autofree guint8 *skeleton = make_skeleton(writer, writer->n_written, &size, error);
  if (skeleton == NULL)
    return FALSE;
  /* It was made for as many frames as were announced, and more are refused. */
  g_return_val_if_fail(writer->n_written == 0 || size <= writer->begin, FALSE);
  return g_seekable_seek(G_SEEKABLE(writer->stream), 0, G_SEEK_SET, NULL, error) &&
         g_output_stream_write_all(writer->stream, skeleton, size, NULL, NULL, error) &&
         g_seekable_seek(G_SEEKABLE(writer->stream), 0, G_SEEK_END, NULL, error);
}

gboolean
debye_h5md_writer_finish(gpointer data, GError **error)
{
  g_autoptr(Writer) writer = data;
  return error == NULL || put_skeleton(writer, error);
}
