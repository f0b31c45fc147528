/* SPDX-License-Identifier: MIT */
/* AMBER's NetCDF trajectories and restart files, and those of programs that follow its convention. Where the
 * frames lie follows from the header, so that opening takes no longer for a large file. */
#include <string.h>

#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/frame_index.h"
#include "netcdf_amber.h"
#include "netcdf_values.h"
#include "netcdf_writer.h"

static int
probe(const guint8 *head, gsize n)
{
  if (debye_netcdf_is_classic(head, n))
    return 100;
  return debye_netcdf_is_hdf5(head, n) ? 1 : 0;
}

/* HDF5 holds much else: only what says that it follows the convention is taken. */
static int
look(DebyeInput *input)
{
  guint8 head[8];
  if (debye_input_read(input, 0, head, sizeof head, NULL) && debye_netcdf_is_classic(head, sizeof head))
    return 100;
  g_autoptr(DebyeNetcdfFile) file = debye_netcdf_file_open(input, NULL);
  const char *conventions = file != NULL ? debye_netcdf_file_get_conventions(file) : NULL;
  return conventions != NULL && strstr(conventions, "AMBER") != NULL ? 100 : 0;
}

/* --- Frames --- */

static gboolean
check_number_of_frames(const DebyeAmberNetcdf *amber, DebyeInput *input, GError **error)
{
  if (amber->n_frames > 0 && amber->n_frames < G_MAXUINT)
    return TRUE;
  const char *warning = debye_netcdf_file_get_warning(amber->file);
  if (amber->n_frames == 0)
    debye_input_set_error(input, error, DEBYE_ERROR_TRUNCATED, "expected a frame, found none%s%s",
                          warning != NULL ? ": " : "", warning != NULL ? warning : "");
  else
    debye_input_set_error(input, error, DEBYE_ERROR_LIMIT,
                          "expected fewer than %u frames, found %" G_GUINT64_FORMAT, G_MAXUINT,
                          amber->n_frames);
  return FALSE;
}

/* A place in the file where it is known; HDF5 finds its rows by their number. */
static guint64
get_frame_offset(const DebyeAmberNetcdf *amber, guint64 frame_number)
{
  const DebyeNetcdfVariable *variable = amber->coordinates.variable;
  return variable->series != NULL ? frame_number : variable->offset + frame_number * variable->stride;
}

static void
check_first_cell(const DebyeAmberNetcdf *amber, DebyeInput *input, DebyeFrameIndex *index)
{
  DebyeCell cell;
  g_autoptr(GError) error = NULL;
  if (amber->lengths.variable == NULL ||
      debye_amber_netcdf_read_cell(amber, input, 0, index->cell_angles, &cell, &error))
    return;
  debye_frame_index_warn(
      index, "the cell_lengths and cell_angles of frame 0 do not describe a cell: the frame has none");
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(DebyeAmberNetcdf) amber = {0};
  (void)progress;
  (void)data;
  if (!debye_amber_netcdf_open(&amber, input, error) || !check_number_of_frames(&amber, input, error))
    return FALSE;
  index->n_atoms = amber.n_atoms;
  for (guint64 k = 0; k < amber.n_frames; k++) {
    guint64 offset = get_frame_offset(&amber, k);
    g_array_append_val(index->offsets, offset);
  }
  for (guint i = 0; i < amber.warnings->len; i++)
    debye_frame_index_warn(index, "%s", (const char *)g_ptr_array_index(amber.warnings, i));
  check_first_cell(&amber, input, index);
  debye_frame_index_set_times(index, debye_amber_netcdf_read_time(&amber, input, 0),
                              debye_amber_netcdf_read_time(&amber, input, (gsize)amber.n_frames - 1));
  return TRUE;
}

/* --- Reading --- */

typedef struct {
  gint64 id;
  guint32 place; /* in the frame as it is stored */
} Identity;

typedef struct {
  DebyeAmberNetcdf amber;
  guint8 *bytes;        /* of a block of coordinates, velocities or identities */
  Identity *identities; /* NULL: atoms are in order */
  float *unordered[3];
  gboolean all_finite; /* of the vectors read last, for certain */
} Reader;

static void
reader_free(gpointer data)
{
  Reader *reader = data;
  if (reader == NULL)
    return;
  debye_amber_netcdf_clear(&reader->amber);
  g_free(reader->bytes);
  g_free(reader->identities);
  for (int k = 0; k < 3; k++)
    g_free(reader->unordered[k]);
  g_free(reader);
}

/* The largest number of atoms that one read takes. */
static gsize
get_max_atoms(const Reader *reader)
{
  const DebyeAmberNetcdf *amber = &reader->amber;
  gsize n = debye_amber_netcdf_get_block(amber, &amber->coordinates, 3);
  if (amber->velocities.variable != NULL)
    n = MAX(n, debye_amber_netcdf_get_block(amber, &amber->velocities, 3));
  if (amber->ids.variable != NULL)
    n = MAX(n, debye_amber_netcdf_get_block(amber, &amber->ids, 1));
  return n;
}

static gboolean
allocate(Reader *reader, DebyeInput *input, GError **error)
{
  gsize n = reader->amber.n_atoms;
  /* The widest of what is read: vectors of doubles. */
  reader->bytes = g_try_malloc_n(get_max_atoms(reader), 3 * sizeof(double));
  gboolean good = reader->bytes != NULL;
  if (reader->amber.ids.variable != NULL) {
    reader->identities = g_try_new(Identity, n);
    good = good && reader->identities != NULL;
    for (int k = 0; k < 3; k++) {
      reader->unordered[k] = g_try_new(float, n);
      good = good && reader->unordered[k] != NULL;
    }
  }
  return good || debye_error_set_memory(error, debye_input_get_name(input), n, "atoms");
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  Reader *reader = g_new0(Reader, 1);
  gboolean good = debye_amber_netcdf_open(&reader->amber, input, error);
  if (good && (reader->amber.n_atoms != index->n_atoms || reader->amber.n_frames < index->offsets->len)) {
    debye_input_set_changed(input, error);
    good = FALSE;
  }
  if (good && allocate(reader, input, error))
    return reader;
  reader_free(reader);
  return NULL;
}

static int
compare_identities(gconstpointer left, gconstpointer right)
{
  const Identity *a = left, *b = right;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

static gboolean
read_identities(Reader *reader, DebyeInput *input, gsize frame_number, GError **error)
{
  const DebyeAmberNetcdf *amber = &reader->amber;
  gsize width = debye_netcdf_type_width(amber->ids.variable->type);
  gsize block = debye_amber_netcdf_get_block(amber, &amber->ids, 1);
  for (gsize first = 0; first < amber->n_atoms; first += block) {
    gsize n = MIN(block, amber->n_atoms - first);
    if (!debye_amber_netcdf_read_atoms(amber, input, &amber->ids, 1, frame_number, first, n, reader->bytes,
                                       error))
      return FALSE;
    for (gsize i = 0; i < n; i++) {
      double id;
      debye_netcdf_get_doubles(amber->ids.variable->type, reader->bytes + i * width, 1, 1.0, &id);
      reader->identities[first + i] = (Identity){(gint64)CLAMP(id, -9e15, 9e15), (guint32)(first + i)};
    }
  }
  return TRUE;
}

/* LAMMPS keeps atoms as its processors have them, with their numbers beside: sorted by them, an atom has the
 * same place in all frames. TRUE in *is_sorted where nothing is to be done. */
static gboolean
find_order(Reader *reader, DebyeInput *input, gsize frame_number, gboolean *is_sorted, GError **error)
{
  gsize n = reader->amber.n_atoms;
  *is_sorted = TRUE;
  if (reader->identities == NULL)
    return TRUE;
  if (!read_identities(reader, input, frame_number, error))
    return FALSE;
  for (gsize i = 1; i < n && *is_sorted; i++)
    *is_sorted = reader->identities[i - 1].id <= reader->identities[i].id;
  if (!*is_sorted)
    qsort(reader->identities, n, sizeof(Identity), compare_identities);
  return TRUE;
}

/* Of large frames the copy that a read makes would take more time than all else. FALSE in *is_done where the
 * frame isn't one. */
static gboolean
view_vectors(Reader *reader, DebyeInput *input, const DebyeAmberQuantity *quantity, gsize frame_number,
             float *const to[3], gboolean *is_done, GError **error)
{
  DebyeInputView view;
  const DebyeAmberNetcdf *amber = &reader->amber;
  *is_done = debye_amber_netcdf_view_vectors(amber, input, quantity, frame_number, &view);
  if (!*is_done)
    return TRUE;
  reader->all_finite = debye_netcdf_get_vectors(quantity->variable->type, view.bytes, amber->n_atoms,
                                                quantity->scale, to[0], to[1], to[2]);
  return debye_input_view_close(&view, error);
}

static gboolean
read_blocks(Reader *reader, DebyeInput *input, const DebyeAmberQuantity *quantity, gsize frame_number,
            float *const stored[3], GError **error)
{
  const DebyeAmberNetcdf *amber = &reader->amber;
  gsize block = debye_amber_netcdf_get_block(amber, quantity, 3);
  reader->all_finite = TRUE;
  for (gsize first = 0; first < amber->n_atoms; first += block) {
    gsize n = MIN(block, amber->n_atoms - first);
    if (!debye_amber_netcdf_read_atoms(amber, input, quantity, 3, frame_number, first, n, reader->bytes,
                                       error))
      return FALSE;
    reader->all_finite &=
        debye_netcdf_get_vectors(quantity->variable->type, reader->bytes, n, quantity->scale,
                                 stored[0] + first, stored[1] + first, stored[2] + first);
  }
  return TRUE;
}

static gboolean
read_vectors(Reader *reader, DebyeInput *input, const DebyeAmberQuantity *quantity, gsize frame_number,
             gboolean is_sorted, float *const to[3], GError **error)
{
  const DebyeAmberNetcdf *amber = &reader->amber;
  float *const *stored = is_sorted ? to : reader->unordered;
  gboolean is_done;
  if (!view_vectors(reader, input, quantity, frame_number, stored, &is_done, error) ||
      (!is_done && !read_blocks(reader, input, quantity, frame_number, stored, error)))
    return FALSE;
  for (int k = 0; k < 3 && !is_sorted; k++)
    for (gsize i = 0; i < amber->n_atoms; i++)
      to[k][i] = stored[k][reader->identities[i].place];
  return TRUE;
}

static gboolean
read_coordinates(Reader *reader, DebyeInput *input, gsize frame_number, gboolean is_sorted, DebyeFrame *frame,
                 GError **error)
{
  float *const to[3] = {frame->x, frame->y, frame->z};
  if (!read_vectors(reader, input, &reader->amber.coordinates, frame_number, is_sorted, to, error))
    return FALSE;
  frame->n_bad = frame->first_bad_atom = 0;
  if (!reader->all_finite)
    debye_frame_check(frame);
  return TRUE;
}

static gboolean
read_velocities(Reader *reader, DebyeInput *input, gsize frame_number, gboolean is_sorted, DebyeFrame *frame,
                GError **error)
{
  frame->vx = frame->vy = frame->vz = NULL;
  if (reader->amber.velocities.variable == NULL)
    return TRUE;
  if (!debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, debye_input_get_name(input), frame->n_atoms, "velocities");
  float *const to[3] = {frame->vx, frame->vy, frame->vz};
  return read_vectors(reader, input, &reader->amber.velocities, frame_number, is_sorted, to, error);
}

static gboolean
read_frame(gpointer data, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  Reader *reader = data;
  gboolean is_sorted = TRUE;
  g_autoptr(GError) cell_error = NULL;
  if (!find_order(reader, input, frame_number, &is_sorted, error) ||
      !read_coordinates(reader, input, frame_number, is_sorted, frame, error) ||
      !read_velocities(reader, input, frame_number, is_sorted, frame, error))
    return FALSE;
  frame->has_cell = debye_amber_netcdf_read_cell(&reader->amber, input, frame_number, index->cell_angles,
                                                 &frame->cell, &cell_error);
  if (cell_error != NULL) {
    g_propagate_error(error, g_steal_pointer(&cell_error));
    return FALSE;
  }
  frame->cell_origin = debye_amber_netcdf_read_origin(&reader->amber, input, frame_number);
  frame->time = debye_amber_netcdf_read_time(&reader->amber, input, frame_number);
  frame->step = -1;
  return TRUE;
}

/* HDF5 stands behind one lock. */
static gboolean
has_one_reader(DebyeInput *input)
{
  guint8 head[8];
  return debye_input_read(input, 0, head, sizeof head, NULL) && debye_netcdf_is_hdf5(head, sizeof head);
}

const DebyeFormat debye_format_netcdf = {
    .name = "netcdf",
    .title = "AMBER NetCDF trajectory or restart",
    .suffixes = (const char *const[]){"nc", "ncdf", "netcdf", NULL},
    .probe = probe,
    .look = look,
    .has_one_reader = has_one_reader,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
    .write_flags = DEBYE_WRITE_MANY | DEBYE_WRITE_ALIGNED,
    .writer_new = debye_netcdf_writer_new,
    .write_frame = debye_netcdf_writer_write,
    .writer_finish = debye_netcdf_writer_finish,
};
