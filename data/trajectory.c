/* SPDX-License-Identifier: MIT */
/* Several files as one sequence of frames. */
#include "error.h"
#include "frame_cache.h"
#include "trajectory.h"

#include <math.h>
#include <string.h>

typedef struct {
  char *path;
  const DebyeFormat *format;
  DebyeFrameIndex *index;
  gsize first_frame; /* of this file in the trajectory */
} File;

struct _DebyeTrajectory {
  GObject parent_instance;
  GPtrArray *files; /* File */
  gsize n_frames, n_atoms;
  GStrv paths;
  GPtrArray *warnings; /* ends with NULL once opened */
};

G_DEFINE_FINAL_TYPE(DebyeTrajectory, debye_trajectory, G_TYPE_OBJECT)

static void
file_free(gpointer data)
{
  File *file = data;
  g_free(file->path);
  debye_frame_index_free(file->index);
  g_free(file);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(File, file_free)

static void
debye_trajectory_finalize(GObject *object)
{
  DebyeTrajectory *self = DEBYE_TRAJECTORY(object);
  g_ptr_array_unref(self->files);
  g_ptr_array_unref(self->warnings);
  g_strfreev(self->paths);
  G_OBJECT_CLASS(debye_trajectory_parent_class)->finalize(object);
}

static void
debye_trajectory_class_init(DebyeTrajectoryClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_trajectory_finalize;
}

static void
debye_trajectory_init(DebyeTrajectory *self)
{
  self->files = g_ptr_array_new_with_free_func(file_free);
  self->warnings = g_ptr_array_new_with_free_func(g_free);
}

/* The progress of one file as a part of all. */
typedef struct {
  DebyeProgressFunc progress;
  gpointer data;
  gsize file_number, n_files;
} Part;

static gboolean
report_part(double fraction, gpointer data)
{
  const Part *part = data;
  return part->progress(((double)part->file_number + fraction) / (double)part->n_files, part->data);
}

/* What some files leave to the topology. */
typedef struct {
  gsize n_atoms; /* 0: unknown */
  double cell_angles[3];
} Known;

static Known
get_known(DebyeTopology *topology)
{
  Known known = {.cell_angles = {NAN, NAN, NAN}};
  DebyeCell cell;
  double lengths[3];
  if (!topology)
    return known;
  known.n_atoms = debye_topology_get_n_atoms(topology);
  if (debye_topology_get_cell(topology, &cell))
    debye_cell_to_lengths_angles(&cell, lengths, known.cell_angles);
  return known;
}

/* An index that was made for another topology cuts the file into other frames. */
static DebyeFrameIndex *
load_index(DebyeInput *input, const DebyeFormat *format, const Known *known)
{
  g_autoptr(DebyeFrameIndex) cached = debye_frame_cache_load(input, format);
  if (!cached || (format->needs_n_atoms && cached->n_atoms != known->n_atoms))
    return NULL;
  memcpy(cached->cell_angles, known->cell_angles, sizeof known->cell_angles);
  return g_steal_pointer(&cached);
}

static DebyeFrameIndex *
make_index(DebyeInput *input, const DebyeFormat *format, const Known *known, const Part *part, GError **error)
{
  DebyeFrameIndex *cached = load_index(input, format, known);
  if (cached)
    return cached;
  g_autoptr(DebyeFrameIndex) index = debye_frame_index_new();
  index->n_atoms = known->n_atoms;
  memcpy(index->cell_angles, known->cell_angles, sizeof known->cell_angles);
  if (!format->index_frames(input, index, part->progress ? report_part : NULL, (gpointer)part, error))
    return NULL;
  debye_frame_cache_store(input, format, index);
  return g_steal_pointer(&index);
}

static File *
open_file(const char *path, const Known *known, const Part *part, GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  if (!input)
    return NULL;
  const DebyeFormat *format = debye_format_detect(input, error);
  if (!format)
    return NULL;
  if (!format->index_frames) {
    debye_input_set_error(input, error, DEBYE_ERROR_MISSING, "expected coordinates, found %s, which has none",
                          format->title);
    return NULL;
  }
  DebyeFrameIndex *index = make_index(input, format, known, part, error);
  if (!index)
    return NULL;
  File *file = g_new0(File, 1);
  file->path = g_strdup(path);
  file->format = format;
  file->index = index;
  return file;
}

static void
take_warnings(DebyeTrajectory *self, const File *file)
{
  g_autofree char *name = g_filename_display_basename(file->path);
  for (guint i = 0; i < file->index->warnings->len; i++) {
    const char *warning = g_ptr_array_index(file->index->warnings, i);
    g_ptr_array_add(self->warnings, g_strdup_printf("%s: %s", name, warning));
  }
}

static gboolean
add_file(DebyeTrajectory *self, File *taken, GError **error)
{
  g_autoptr(File) file = taken;
  if (self->files->len > 0 && file->index->n_atoms != self->n_atoms) {
    const File *first = g_ptr_array_index(self->files, 0);
    g_autofree char *name = g_filename_display_basename(file->path);
    g_autofree char *first_name = g_filename_display_basename(first->path);
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_MISMATCH,
                "%s: has %" G_GSIZE_FORMAT " atoms, expected %" G_GSIZE_FORMAT " as in %s", name,
                file->index->n_atoms, self->n_atoms, first_name);
    return FALSE;
  }
  take_warnings(self, file);
  file->first_frame = self->n_frames;
  self->n_atoms = file->index->n_atoms;
  self->n_frames += file->index->offsets->len;
  g_ptr_array_add(self->files, g_steal_pointer(&file));
  return TRUE;
}

DebyeTrajectory *
debye_trajectory_open(const char *const *paths, DebyeProgressFunc progress, gpointer data, GError **error)
{
  return debye_trajectory_open_for_topology(paths, NULL, progress, data, error);
}

DebyeTrajectory *
debye_trajectory_open_for_topology(const char *const *paths, DebyeTopology *topology,
                                   DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_autoptr(DebyeTrajectory) self = g_object_new(DEBYE_TYPE_TRAJECTORY, NULL);
  Part part = {.progress = progress, .data = data, .n_files = g_strv_length((char **)paths)};
  if (part.n_files == 0) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MISSING, "expected a trajectory file, found none");
    return NULL;
  }
  Known known = get_known(topology);
  for (; part.file_number < part.n_files; part.file_number++) {
    File *file = open_file(paths[part.file_number], &known, &part, error);
    if (!file || !add_file(self, file, error))
      return NULL;
    known.n_atoms = self->n_atoms;
  }
  self->paths = g_strdupv((char **)paths);
  g_ptr_array_add(self->warnings, NULL);
  return g_steal_pointer(&self);
}

gsize
debye_trajectory_get_n_frames(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), 0);
  return self->n_frames;
}

gsize
debye_trajectory_get_n_atoms(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), 0);
  return self->n_atoms;
}

gboolean
debye_trajectory_get_times(DebyeTrajectory *self, double *first, double *last, double *step)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), FALSE);
  const File *begin = g_ptr_array_index(self->files, 0);
  const File *end = g_ptr_array_index(self->files, self->files->len - 1);
  *first = begin->index->first_time;
  *last = end->index->last_time;
  *step = self->n_frames > 1 ? (*last - *first) / (double)(self->n_frames - 1) : 0.0;
  return isfinite(*first) && isfinite(*last);
}

const char *const *
debye_trajectory_get_paths(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), NULL);
  return (const char *const *)self->paths;
}

const char *const *
debye_trajectory_get_warnings(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), NULL);
  return (const char *const *)self->warnings->pdata;
}

/* One file is open at a time: a trajectory may have thousands. */
struct _DebyeTrajectoryReader {
  DebyeTrajectory *trajectory;
  const File *file;
  DebyeInput *input;
  gpointer format_reader;
};

DebyeTrajectoryReader *
debye_trajectory_reader_new(DebyeTrajectory *trajectory, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(trajectory), NULL);
  g_return_val_if_fail(error == NULL || *error == NULL, NULL);
  DebyeTrajectoryReader *reader = g_new0(DebyeTrajectoryReader, 1);
  reader->trajectory = g_object_ref(trajectory);
  return reader;
}

static void
close_file(DebyeTrajectoryReader *reader)
{
  if (reader->format_reader)
    reader->file->format->reader_free(reader->format_reader);
  reader->format_reader = NULL;
  g_clear_pointer(&reader->input, debye_input_close);
  reader->file = NULL;
}

void
debye_trajectory_reader_free(DebyeTrajectoryReader *reader)
{
  if (!reader)
    return;
  close_file(reader);
  g_object_unref(reader->trajectory);
  g_free(reader);
}

static gboolean
switch_to_file(DebyeTrajectoryReader *reader, const File *file, GError **error)
{
  if (reader->file == file)
    return TRUE;
  close_file(reader);
  reader->input = debye_input_open(file->path, error);
  if (!reader->input)
    return FALSE;
  reader->file = file;
  reader->format_reader = file->format->reader_new(reader->input, file->index, error);
  if (reader->format_reader)
    return TRUE;
  close_file(reader);
  return FALSE;
}

/* The last file that begins at or before the frame. */
static const File *
find_file(const DebyeTrajectory *self, gsize frame_number)
{
  guint low = 0, high = self->files->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    const File *file = g_ptr_array_index(self->files, middle);
    if (file->first_frame <= frame_number)
      low = middle;
    else
      high = middle;
  }
  return g_ptr_array_index(self->files, low);
}

gboolean
debye_trajectory_reader_read(DebyeTrajectoryReader *reader, gsize frame_number, DebyeFrame *frame,
                             GError **error)
{
  const DebyeTrajectory *trajectory = reader->trajectory;
  g_return_val_if_fail(frame->n_atoms == trajectory->n_atoms, FALSE);
  if (frame_number >= trajectory->n_frames) {
    g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_VALUE,
                "expected a frame below %" G_GSIZE_FORMAT ", found %" G_GSIZE_FORMAT, trajectory->n_frames,
                frame_number);
    return FALSE;
  }
  const File *file = find_file(trajectory, frame_number);
  frame->cell_origin = debye_vec3(0.0, 0.0, 0.0);
  if (!switch_to_file(reader, file, error) ||
      !file->format->read_frame(reader->format_reader, reader->input, file->index,
                                frame_number - file->first_frame, frame, error))
    return FALSE;
  frame->index = frame_number;
  if (!frame->has_cell || !debye_cell_is_valid(&frame->cell)) {
    frame->has_cell = FALSE;
    frame->cell = (DebyeCell){0};
  }
  return TRUE;
}
