/* SPDX-License-Identifier: MIT */
/* H5MD trajectories, as GROMACS, LAMMPS, ESPResSo, MDAnalysis and others write them. Frames are counted, not
 * found at bytes: HDF5 knows where they lie. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "h5md_file.h"
#include "h5md_skeleton.h"

/* What an HDF5 file gets that can't be opened: nobody else takes it, and reading it says why it can't. */
#define SCORE_OF_BROKEN 10

static int
probe(const guint8 *head, gsize n)
{
  static const guint8 signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  /* A block of the user's may stand before it, of a power of two of bytes. */
  for (gsize at = 0; at + sizeof signature <= n; at = at == 0 ? 512 : 2 * at)
    if (memcmp(head + at, signature, sizeof signature) == 0)
      return 1;
  return 0;
}

static int
look(DebyeInput *input)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = debye_h5_open_input(input, NULL);
  if (file < 0)
    return SCORE_OF_BROKEN;
  return debye_h5md_is_one(file) ? 95 : 0;
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(DebyeH5mdFile) file = debye_h5md_file_open(input, error);
  if (file != NULL)
    debye_h5md_file_add_to(file, input, builder);
  return file != NULL;
}

/* --- The index --- */

static void
take_times(DebyeFrameIndex *index, const DebyeH5mdFile *file)
{
  const DebyeH5mdGroup *group = g_ptr_array_index(file->groups, 0);
  double first = debye_h5md_element_get_time(group->position, 0) * file->time_scale;
  double last = debye_h5md_element_get_time(group->position, file->n_frames - 1) * file->time_scale;
  index->first_time = first;
  index->last_time = last;
  if (file->n_frames > 1)
    index->time_step = (last - first) / (double)(file->n_frames - 1);
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, G_GNUC_UNUSED DebyeProgressFunc progress,
             G_GNUC_UNUSED gpointer data, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(DebyeH5mdFile) file = debye_h5md_file_open(input, error);
  if (file == NULL)
    return FALSE;
  index->n_atoms = file->n_atoms;
  for (guint64 k = 0; k < file->n_frames; k++)
    g_array_append_val(index->offsets, k);
  for (guint i = 0; i < file->warnings->len; i++)
    debye_frame_index_warn(index, "%s", (const char *)g_ptr_array_index(file->warnings, i));
  take_times(index, file);
  return TRUE;
}

/* --- Reading --- */

/* Which atom each row of a group is; only where that changes. */
typedef struct {
  guint32 *atoms; /* G_MAXUINT32: none */
  gint64 *ids;    /* for which it was made */
  guint8 *is_there;
} Order;

typedef struct {
  DebyeH5mdFile *file;
  Order *orders; /* one a group */
} Reader;

static void
reader_free(gpointer data)
{
  DEBYE_H5_LOCKED();
  Reader *reader = data;
  for (guint i = 0; reader->file != NULL && i < reader->file->groups->len; i++) {
    g_free(reader->orders[i].atoms);
    g_free(reader->orders[i].ids);
    g_free(reader->orders[i].is_there);
  }
  g_clear_pointer(&reader->file, debye_h5md_file_close);
  g_free(reader->orders);
  g_free(reader);
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(DebyeH5mdFile) file = debye_h5md_file_open(input, error);
  if (file == NULL)
    return NULL;
  if (file->n_atoms != index->n_atoms || file->n_frames != index->offsets->len)
    return debye_null(debye_input_set_changed(input, error));
  Reader *reader = g_new0(Reader, 1);
  reader->orders = g_new0(Order, file->groups->len);
  reader->file = g_steal_pointer(&file);
  return reader;
}

static void
make_room(Order *order, const DebyeH5mdGroup *group)
{
  if (order->atoms != NULL)
    return;
  order->atoms = g_new(guint32, group->n_rows);
  order->ids = g_new(gint64, group->n_rows);
  order->is_there = g_new(guint8, MAX(group->n_atoms, 1));
  /* No id of the convention's: the first frame's order is made. */
  memset(order->ids, 0x80, group->n_rows * sizeof(gint64));
}

/* Each particle of frame 0 once. */
static gboolean
find_order(Order *order, DebyeH5mdGroup *group, gsize frame_number, GError **error)
{
  const gint64 *ids = debye_h5_series_read(group->ids->values, frame_number, error);
  if (ids == NULL)
    return FALSE;
  make_room(order, group);
  if (memcmp(ids, order->ids, group->n_rows * sizeof *ids) == 0)
    return TRUE;
  memset(order->is_there, 0, group->n_atoms);
  gsize n = 0;
  for (gsize row = 0; row < group->n_rows; row++) {
    gsize atom = 0;
    gboolean is_known =
        ids[row] >= 0 && debye_h5md_group_find_id(group, ids[row], &atom) && !order->is_there[atom];
    order->atoms[row] = is_known ? (guint32)atom : G_MAXUINT32;
    if (!is_known)
      continue;
    order->is_there[atom] = 1;
    n++;
  }
  memcpy(order->ids, ids, group->n_rows * sizeof *ids);
  if (n == group->n_atoms)
    return TRUE;
  memset(order->ids, 0x80, group->n_rows * sizeof(gint64));
  return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                         "expected the %" G_GSIZE_FORMAT
                         " particles of frame 0 in group “%s”, found %" G_GSIZE_FORMAT " of them",
                         group->n_atoms, group->name, n);
}

/* Rows of one to three numbers into three arrays. */
static void
put_vectors(const DebyeH5mdGroup *group, const Order *order, const float *values, double scale, float *to[3])
{
  float factor = (float)scale;
  int n = group->n_dimensions;
  for (int axis = 0; axis < 3; axis++) {
    float *column = to[axis] + group->first_atom;
    if (axis >= n)
      memset(column, 0, group->n_atoms * sizeof(float));
    else if (!group->rows_change)
      for (gsize row = 0; row < group->n_rows; row++)
        column[row] = factor * values[row * (gsize)n + (gsize)axis];
    else
      for (gsize row = 0; row < group->n_rows; row++)
        if (order->atoms[row] != G_MAXUINT32)
          column[order->atoms[row]] = factor * values[row * (gsize)n + (gsize)axis];
  }
}

static gboolean
read_velocities(const Reader *reader, gsize i, gsize frame_number, DebyeFrame *frame, GError **error)
{
  const DebyeH5mdGroup *group = g_ptr_array_index(reader->file->groups, i);
  float *to[3] = {frame->vx, frame->vy, frame->vz};
  const float *values = debye_h5_series_read(group->velocity->values, frame_number, error);
  if (values != NULL)
    put_vectors(group, &reader->orders[i], values, reader->file->velocity_scale, to);
  return values != NULL;
}

static gboolean
read_group(const Reader *reader, gsize i, gsize frame_number, DebyeFrame *frame, GError **error)
{
  DebyeH5mdGroup *group = g_ptr_array_index(reader->file->groups, i);
  float *to[3] = {frame->x, frame->y, frame->z};
  if (group->rows_change && !find_order(&reader->orders[i], group, frame_number, error))
    return FALSE;
  const float *values = debye_h5_series_read(group->position->values, frame_number, error);
  if (values == NULL)
    return FALSE;
  put_vectors(group, &reader->orders[i], values, reader->file->length_scale, to);
  return frame->vx == NULL || read_velocities(reader, i, frame_number, frame, error);
}

/* Velocities are given where all groups have them. */
static gboolean
prepare_velocities(const DebyeH5mdFile *file, DebyeFrame *frame, GError **error)
{
  frame->vx = frame->vy = frame->vz = NULL;
  for (guint i = 0; i < file->groups->len; i++)
    if (((const DebyeH5mdGroup *)g_ptr_array_index(file->groups, i))->velocity == NULL)
      return TRUE;
  return debye_frame_add_velocities(frame) ||
         debye_error_set_memory(error, NULL, frame->n_atoms, "velocities");
}

/* --- The cell --- */

/* The box may have been written at other steps than the positions: then the last one written by that step. */
static gsize
find_box(const DebyeH5mdGroup *group, gsize frame_number)
{
  const DebyeH5mdElement *edges = group->edges;
  gsize n = edges->values->n_frames;
  double step = debye_h5md_element_get_step(group->position, frame_number);
  if (n == group->position->values->n_frames || edges->steps == NULL || isnan(step))
    return MIN(frame_number, n - 1);
  gsize low = 0, high = n;
  while (high - low > 1) {
    gsize middle = low + (high - low) / 2;
    if (debye_h5md_element_get_step(edges, middle) <= step)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void
set_cell(DebyeFrame *frame, const double *edges, gsize n, double scale)
{
  double matrix[9] = {edges[0], 0.0, 0.0, 0.0, edges[1], 0.0, 0.0, 0.0, edges[2]};
  if (n == 9)
    memcpy(matrix, edges, sizeof matrix);
  DebyeVec3 *vectors[3] = {&frame->cell.a, &frame->cell.b, &frame->cell.c};
  for (int i = 0; i < 3; i++)
    *vectors[i] = debye_vec3_scale(debye_vec3(matrix[3 * i], matrix[3 * i + 1], matrix[3 * i + 2]), scale);
  frame->has_cell = debye_cell_is_valid(&frame->cell);
}

static gboolean
read_cell(const DebyeH5mdFile *file, gsize frame_number, DebyeFrame *frame, GError **error)
{
  const DebyeH5mdGroup *group = g_ptr_array_index(file->groups, 0);
  frame->has_cell = FALSE;
  frame->cell = (DebyeCell){0};
  if (!group->is_periodic)
    return TRUE;
  if (group->edges == NULL) {
    if (group->n_fixed_edges > 0)
      set_cell(frame, group->fixed_edges, group->n_fixed_edges, file->edge_scale);
    return TRUE;
  }
  const double *edges = debye_h5_series_read(group->edges->values, find_box(group, frame_number), error);
  if (edges != NULL)
    set_cell(frame, edges, group->edges->values->n_values, file->edge_scale);
  return edges != NULL;
}

static gboolean
fill_frame(const Reader *reader, gsize frame_number, DebyeFrame *frame, GError **error)
{
  const DebyeH5mdGroup *first = g_ptr_array_index(reader->file->groups, 0);
  if (!prepare_velocities(reader->file, frame, error) || !read_cell(reader->file, frame_number, frame, error))
    return FALSE;
  for (guint i = 0; i < reader->file->groups->len; i++)
    if (!read_group(reader, i, frame_number, frame, error))
      return FALSE;
  double step = debye_h5md_element_get_step(first->position, frame_number);
  frame->time = debye_h5md_element_get_time(first->position, frame_number) * reader->file->time_scale;
  frame->step = step >= 0.0 && step < 9e18 ? (gint64)step : -1;
  return TRUE;
}

static gboolean
read_frame(gpointer reader, DebyeInput *input, G_GNUC_UNUSED const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  DEBYE_H5_LOCKED();
  if (!fill_frame(reader, frame_number, frame, error)) {
    debye_error_prefix(error, "%s: frame %" G_GSIZE_FORMAT ": ", debye_input_get_name(input), frame_number);
    return FALSE;
  }
  frame->index = frame_number;
  debye_frame_check(frame);
  return TRUE;
}

/* HDF5 stands behind one lock. */
static gboolean
has_one_reader(DebyeInput *input G_GNUC_UNUSED)
{
  return TRUE;
}

/* --- Writing: room for the small parts, then all positions, then all velocities. The small parts come last, when times
 * and boxes are known; how much room they need is known from the first frame on. --- */

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

static gpointer
writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames, GError **error)
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
  return debye_null(debye_error_set_memory(error, NULL, n_atoms, "atoms"));
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
reserve(Writer *writer, GError **error)
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
  return reserve(writer, error);
}

static gboolean
write_vectors(Writer *writer, guint64 at, const float *x, const float *y, const float *z, GError **error)
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

static gboolean
write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  Writer *writer = data;
  if (writer->n_written == writer->n_announced || frame->n_atoms != writer->n_atoms)
    return debye_error_set(error, DEBYE_ERROR_WRITE,
                           "expected %" G_GSIZE_FORMAT " frames of %" G_GSIZE_FORMAT " atoms, found more",
                           writer->n_announced, writer->n_atoms);
  if (writer->n_written == 0 && !begin(writer, frame, error))
    return FALSE;
  guint64 velocity_at = writer->begin + (guint64)writer->n_announced * get_frame_bytes(writer);
  if (!write_vectors(writer, writer->begin, frame->x, frame->y, frame->z, error) ||
      (writer->has_velocities && !write_vectors(writer, velocity_at, frame->vx, frame->vy, frame->vz, error)))
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

static gboolean
writer_finish(gpointer data, GError **error)
{
  g_autoptr(Writer) writer = data;
  return error == NULL || put_skeleton(writer, error);
}

const DebyeFormat debye_format_h5md = {
    .name = "h5md",
    .title = "H5MD",
    .suffixes = (const char *const[]){"h5md", NULL},
    .is_trajectory = TRUE,
    .probe = probe,
    .look = look,
    .read_topology = read_topology,
    .has_one_reader = has_one_reader,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
    .write_flags = DEBYE_WRITE_MANY,
    .writer_new = writer_new,
    .write_frame = write_frame,
    .writer_finish = writer_finish,
};
