/* SPDX-License-Identifier: MIT */
/* H5MD trajectories, as GROMACS, LAMMPS, ESPResSo, MDAnalysis and others write them. Frames are counted, not
 * found at bytes: HDF5 knows where they lie. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "h5md_file.h"
#include "h5md_writer.h"

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
  if (file->n_atoms != index->n_atoms || file->n_frames != index->offsets->len) {
    debye_input_set_changed(input, error);
    return NULL;
  }
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
  debye_error_set(error, DEBYE_ERROR_MISMATCH,
                  "expected the %" G_GSIZE_FORMAT
                  " particles of frame 0 in group “%s”, found %" G_GSIZE_FORMAT " of them",
                  group->n_atoms, group->name, n);
  return FALSE;
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

static const char *const suffixes[] = {"h5md", NULL};

const DebyeFormat debye_format_h5md = {
    .name = "h5md",
    .title = "H5MD",
    .suffixes = suffixes,
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
    .writer_new = debye_h5md_writer_new,
    .write_frame = debye_h5md_writer_write,
    .writer_finish = debye_h5md_writer_finish,
};
