/* SPDX-License-Identifier: MIT */
/* MDTraj's HDF5 trajectories (mdtraj.org, “MDTraj HDF5 Format Specification” 1.1): coordinates in nm, the
 * cell by lengths and angles, and the topology as JSON. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/h5/h5_series.h"
#include "mdtraj_topology.h"
#include "data/tables/unit.h"

#define NANOMETER 10.0 /* Å */

static int
probe(const guint8 *head, gsize n)
{
  static const guint8 signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  return n >= sizeof signature && memcmp(head, signature, sizeof signature) == 0 ? 1 : 0;
}

/* Coordinates alone are in other HDF5 files too. */
static int
look(DebyeInput *input)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = debye_h5_open_input(input, NULL);
  if (file < 0)
    return 0;
  g_auto(DebyeH5Dataset) coordinates = debye_h5_open_dataset(file, "coordinates");
  g_auto(DebyeH5Dataset) topology = debye_h5_open_dataset(file, "topology");
  g_autofree char *conventions = debye_h5_find_string(file, "conventions", input);
  if (coordinates < 0)
    return 0;
  if (conventions != NULL && strstr(conventions, "Pande") != NULL)
    return 97;
  return topology >= 0 ? 60 : 0;
}

/* --- The file --- */

typedef struct {
  hid_t file;
  gsize n_atoms, n_frames;
  DebyeH5Series *coordinates, *velocities, *lengths, *angles; /* NULL: none, but for the first */
  double *times;                                              /* ps; NULL: none */
  gsize n_times;
  double length_scale, velocity_scale, cell_scale, time_scale;
} File;

static void
file_close(File *file)
{
  g_clear_pointer(&file->coordinates, debye_h5_series_free);
  g_clear_pointer(&file->velocities, debye_h5_series_free);
  g_clear_pointer(&file->lengths, debye_h5_series_free);
  g_clear_pointer(&file->angles, debye_h5_series_free);
  g_free(file->times);
  if (file->file >= 0)
    H5Fclose(file->file);
  g_free(file);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(File, file_close)

static double
find_scale(hid_t dataset, DebyeInput *input, DebyeUnitKind kind, double otherwise)
{
  g_autofree char *units = debye_h5_find_string(dataset, "units", input);
  double scale;
  return debye_unit_get_scale(units, kind, &scale) ? scale : otherwise;
}

static DebyeH5Series *
open_series(const File *file, const char *name, int rank, DebyeInput *input)
{
  hid_t dataset = debye_h5_open_dataset(file->file, name);
  if (dataset < 0)
    return NULL;
  g_autoptr(DebyeH5Series) series =
      debye_h5_series_new(dataset, FALSE, rank, H5T_NATIVE_FLOAT, debye_input_get_size(input));
  gboolean fits = series != NULL && series->rank == rank && series->shape[rank - 1] == 3 &&
                  (file->coordinates == NULL || series->n_frames == file->n_frames);
  return fits ? g_steal_pointer(&series) : NULL;
}

static void
open_times(File *file, DebyeInput *input)
{
  gboolean is_scalar;
  g_auto(DebyeH5Dataset) time = debye_h5_open_dataset(file->file, "time");
  if (time < 0)
    return;
  file->times = debye_h5_get_doubles(time, debye_input_get_size(input), &file->n_times, &is_scalar);
  file->time_scale = find_scale(time, input, DEBYE_UNIT_TIME, 1.0);
}

static void
open_cell(File *file, DebyeInput *input)
{
  file->lengths = open_series(file, "cell_lengths", 2, input);
  file->angles = open_series(file, "cell_angles", 2, input);
  if (file->lengths != NULL)
    file->cell_scale = find_scale(file->lengths->dataset, input, DEBYE_UNIT_LENGTH, NANOMETER);
}

static File *
file_open(DebyeInput *input, GError **error)
{
  g_autoptr(File) file = g_new0(File, 1);
  file->file = debye_h5_open_input(input, error);
  if (file->file < 0)
    return NULL;
  file->coordinates = open_series(file, "coordinates", 3, input);
  if (file->coordinates == NULL || file->coordinates->n_frames >= G_MAXUINT ||
      file->coordinates->shape[1] >= G_MAXUINT32) {
    debye_input_set_error(
        input, error, DEBYE_ERROR_MISSING,
        "expected coordinates of three numbers per atom and frame, found none that the file can hold");
    return NULL;
  }
  file->n_frames = file->coordinates->n_frames;
  file->n_atoms = (gsize)file->coordinates->shape[1];
  file->length_scale = find_scale(file->coordinates->dataset, input, DEBYE_UNIT_LENGTH, NANOMETER);
  file->velocities = open_series(file, "velocities", 3, input);
  if (file->velocities != NULL && file->velocities->n_values != file->coordinates->n_values)
    g_clear_pointer(&file->velocities, debye_h5_series_free);
  if (file->velocities != NULL)
    file->velocity_scale = find_scale(file->velocities->dataset, input, DEBYE_UNIT_VELOCITY, NANOMETER);
  open_times(file, input);
  open_cell(file, input);
  return g_steal_pointer(&file);
}

static double
get_time(const File *file, gsize frame_number)
{
  return frame_number < file->n_times ? file->times[frame_number] * file->time_scale : NAN;
}

/* --- The topology --- */

static gboolean
parse_topology(const char *text, const File *file, DebyeInput *input, DebyeTopologyBuilder *builder,
               GError **error)
{
  g_autofree char *problem = NULL;
  if (!debye_mdtraj_topology_read(text, strlen(text), builder, &problem)) {
    debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "the topology's JSON: %s", problem);
    return FALSE;
  }
  gsize n_atoms = debye_topology_builder_get_n_atoms(builder);
  if (n_atoms == file->n_atoms)
    return TRUE;
  debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                        "expected the %" G_GSIZE_FORMAT
                        " atoms of the coordinates in the topology, found %" G_GSIZE_FORMAT,
                        file->n_atoms, n_atoms);
  return FALSE;
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(File) file = file_open(input, error);
  if (file == NULL)
    return FALSE;
  g_auto(GStrv) texts = debye_h5_get_strings(file->file, "topology", debye_input_get_size(input));
  if (texts != NULL && texts[0] != NULL)
    return parse_topology(texts[0], file, input, builder, error);
  const DebyeAtom atom = DEBYE_ATOM_INIT;
  for (gsize i = 0; i < file->n_atoms; i++)
    debye_topology_builder_add_atom(builder, &atom);
  return TRUE;
}

/* --- Frames --- */

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, G_GNUC_UNUSED DebyeProgressFunc progress,
             G_GNUC_UNUSED gpointer data, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(File) file = file_open(input, error);
  if (file == NULL)
    return FALSE;
  index->n_atoms = file->n_atoms;
  for (guint64 k = 0; k < file->n_frames; k++)
    g_array_append_val(index->offsets, k);
  index->first_time = get_time(file, 0);
  index->last_time = get_time(file, file->n_frames - 1);
  if (file->n_frames > 1)
    index->time_step = (index->last_time - index->first_time) / (double)(file->n_frames - 1);
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  DEBYE_H5_LOCKED();
  g_autoptr(File) file = file_open(input, error);
  if (file == NULL)
    return NULL;
  if (file->n_atoms == index->n_atoms && file->n_frames == index->offsets->len)
    return g_steal_pointer(&file);
  debye_input_set_changed(input, error);
  return NULL;
}

static void
reader_free(gpointer reader)
{
  DEBYE_H5_LOCKED();
  file_close(reader);
}

static gboolean
read_vectors(DebyeH5Series *series, gsize frame_number, gsize n_atoms, double scale, float *x, float *y,
             float *z, GError **error)
{
  const float *values = debye_h5_series_read(series, frame_number, error);
  float factor = (float)scale;
  if (values == NULL)
    return FALSE;
  for (gsize i = 0; i < n_atoms; i++) {
    x[i] = factor * values[3 * i];
    y[i] = factor * values[3 * i + 1];
    z[i] = factor * values[3 * i + 2];
  }
  return TRUE;
}

/* Angles that are missing are right ones. */
static gboolean
read_cell(const File *file, gsize frame_number, DebyeFrame *frame, GError **error)
{
  double lengths[3], angles[3] = {90.0, 90.0, 90.0};
  frame->has_cell = FALSE;
  frame->cell = (DebyeCell){0};
  if (file->lengths == NULL)
    return TRUE;
  const float *values = debye_h5_series_read(file->lengths, frame_number, error);
  if (values == NULL)
    return FALSE;
  for (int i = 0; i < 3; i++)
    lengths[i] = (double)values[i] * file->cell_scale;
  values = file->angles != NULL ? debye_h5_series_read(file->angles, frame_number, error) : NULL;
  if (file->angles != NULL && values == NULL)
    return FALSE;
  for (int i = 0; i < 3 && values != NULL; i++)
    angles[i] = (double)values[i];
  frame->has_cell = debye_cell_from_lengths_angles(&frame->cell, lengths, angles);
  return TRUE;
}

static gboolean
read_velocities(const File *file, gsize frame_number, DebyeFrame *frame, GError **error)
{
  frame->vx = frame->vy = frame->vz = NULL;
  if (file->velocities == NULL)
    return TRUE;
  if (!debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, NULL, frame->n_atoms, "velocities");
  return read_vectors(file->velocities, frame_number, frame->n_atoms, file->velocity_scale, frame->vx,
                      frame->vy, frame->vz, error);
}

static gboolean
read_frame(gpointer reader, DebyeInput *input, G_GNUC_UNUSED const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  DEBYE_H5_LOCKED();
  const File *file = reader;
  if (!read_vectors(file->coordinates, frame_number, frame->n_atoms, file->length_scale, frame->x, frame->y,
                    frame->z, error) ||
      !read_velocities(file, frame_number, frame, error) || !read_cell(file, frame_number, frame, error)) {
    debye_error_prefix(error, "%s: frame %" G_GSIZE_FORMAT ": ", debye_input_get_name(input), frame_number);
    return FALSE;
  }
  frame->time = get_time(file, frame_number);
  frame->step = -1;
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

static const char *const suffixes[] = {"h5", "hdf5", NULL};

const DebyeFormat debye_format_mdtraj = {
    .name = "mdtraj",
    .title = "MDTraj HDF5",
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
};
