/* SPDX-License-Identifier: MIT */
/* Reads one or several files as one sequence of frames; opened by dataset.c, read by frame streams and the
 * window. */
#include "data/files/error.h"
#include "frame_cache.h"
#include "data/files/input_packed.h"
#include "data/messages/message.h"
#include "trajectory_private.h"
#include "trajectory_times.h"
#include "format_list.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Of so many packed files what they hold is kept for all readers, as long as the trajectory is open: of more
 * it might fill the disk. */
#define UNPACKED_MAXIMUM 4

G_DEFINE_FINAL_TYPE(DebyeTrajectory, debye_trajectory, G_TYPE_OBJECT)

static void
file_free(gpointer data)
{
  DebyeTrajectoryFile *file = data;
  g_free(file->path);
  g_clear_pointer(&file->unpacked, debye_unpacked_unref);
  debye_frame_index_free(file->index);
  g_free(file);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeTrajectoryFile, file_free)

static void
debye_trajectory_finalize(GObject *object)
{
  DebyeTrajectory *self = DEBYE_TRAJECTORY(object);
  g_ptr_array_unref(self->files);
  g_ptr_array_unref(self->warnings);
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
  self->cell = (DebyeCellChoice){.is_of_file = TRUE};
  self->length_unit = 1.0;
}

/* The progress of one file as a part of all. */
typedef struct {
  DebyeProgressFunc progress;
  gpointer data;
  gsize file_number, n_files;
  double begin; /* how much of the file's way is behind */
} Part;

static gboolean
report_part(double fraction, gpointer data)
{
  const Part *part = data;
  double done = part->begin + (1.0 - part->begin) * fraction;
  return part->progress(((double)part->file_number + done) / (double)part->n_files, part->data);
}

static DebyeUnpacked *
keep_unpacked(const DebyeInput *input, const Part *part)
{
  return part->file_number < UNPACKED_MAXIMUM ? debye_unpacked_find(input) : NULL;
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

/* An index that was made for another topology cuts the file into other frames, or leaves out others. */
static DebyeFrameIndex *
load_index(DebyeInput *input, const DebyeFormat *format, const Known *known)
{
  g_autoptr(DebyeFrameIndex) cached = debye_frame_cache_load(input, format);
  if (!cached || (format->needs_n_atoms && cached->n_atoms != known->n_atoms) ||
      (cached->has_odd_frames && cached->known_atoms != known->n_atoms))
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
  gboolean good =
      format->index_frames(input, index, part->progress ? report_part : NULL, (gpointer)part, error);
  /* Or a disk's bad moment would be kept as the file's end. */
  if (!debye_input_confirm(input, good, error))
    return NULL;
  debye_frame_cache_store(input, format, index);
  return g_steal_pointer(&index);
}

static DebyeTrajectoryFile *
open_file(const char *path, const Known *known, const Part *part, GError **error)
{
  g_autoptr(DebyeInput) input =
      debye_input_open_watched(path, part->progress ? report_part : NULL, (gpointer)part, error);
  if (!input)
    return NULL;
  const DebyeFormat *format = debye_format_detect(input, error);
  if (!format)
    return NULL;
  if (!format->index_frames)
    return debye_null(debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                                            "expected coordinates, found %s, which has none", format->title));
  Part rest = *part;
  rest.begin = debye_input_get_unpacked_part(input);
  DebyeFrameIndex *index = make_index(input, format, known, &rest, error);
  if (!index)
    return NULL;
  DebyeTrajectoryFile *file = g_new0(DebyeTrajectoryFile, 1);
  file->path = g_strdup(path);
  file->unpacked = keep_unpacked(input, part);
  file->has_one_reader = (format->has_one_reader != NULL && format->has_one_reader(input)) ||
                         (file->unpacked == NULL && debye_input_get_unpacked_part(input) > 0.0);
  file->identity = debye_input_get_identity(input);
  file->disk_size = debye_input_get_disk_size(input);
  file->format = format;
  file->index = index;
  return file;
}

static void
take_warnings(DebyeTrajectory *self, const DebyeTrajectoryFile *file)
{
  g_autofree char *name = debye_error_name_file(file->path);
  for (guint i = 0; i < file->index->warnings->len; i++) {
    const char *warning = g_ptr_array_index(file->index->warnings, i);
    if (!file->is_growing || i + 1 != file->index->unfinished)
      g_ptr_array_add(self->warnings, debye_say("%s: %s", name, warning));
  }
}

static void
check_joint(DebyeTrajectory *self, const DebyeTrajectoryFile *file)
{
  const DebyeTrajectoryFile *files[2] = {NULL, file};
  DebyeFileTimes times[2];
  if (self->files->len == 0)
    return;
  files[0] = g_ptr_array_index(self->files, self->files->len - 1);
  g_autofree char *before = debye_error_name_file(files[0]->path);
  g_autofree char *after = debye_error_name_file(file->path);
  for (int k = 0; k < 2; k++)
    times[k] = (DebyeFileTimes){.name = k == 0 ? before : after,
                                .first = files[k]->index->first_time,
                                .last = files[k]->index->last_time,
                                .step = files[k]->index->time_step};
  g_autofree char *message = debye_file_times_describe_joint(&times[0], &times[1]);
  if (message != NULL)
    g_ptr_array_add(self->warnings, debye_message_translate(message));
}

static gboolean
add_file(DebyeTrajectory *self, DebyeTrajectoryFile *taken, GError **error)
{
  g_autoptr(DebyeTrajectoryFile) file = taken;
  if (self->files->len > 0 && file->index->n_atoms != self->n_atoms) {
    const DebyeTrajectoryFile *first = g_ptr_array_index(self->files, 0);
    g_autofree char *name = debye_error_name_file(file->path);
    g_autofree char *first_name = debye_error_name_file(first->path);
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "%s: has %" G_GSIZE_FORMAT " atoms, expected %" G_GSIZE_FORMAT " as in %s", name,
                           file->index->n_atoms, self->n_atoms, first_name);
  }
  take_warnings(self, file);
  check_joint(self, file);
  file->first_frame = self->n_frames;
  self->n_atoms = file->index->n_atoms;
  self->n_frames += file->index->offsets->len;
  g_ptr_array_add(self->files, g_steal_pointer(&file));
  return TRUE;
}

/* --- Files that grow --- */

gboolean
debye_trajectory_file_check_same(const DebyeInput *input, const DebyeTrajectoryFile *file, GError **error)
{
  DebyeFileIdentity identity = debye_input_get_identity(input);
  if (identity.device != file->identity.device || identity.number != file->identity.number)
    return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                                 "expected the file that was opened, found another one in its place");
  return TRUE;
}

/* The index of a file that was shorter: only what came is looked at where the format can, and none of it is
 * cached, since more will come. */
static DebyeFrameIndex *
extend_index(DebyeInput *input, const DebyeTrajectoryFile *file, const Part *part, GError **error)
{
  g_autoptr(DebyeFrameIndex) index =
      file->format->can_resume ? debye_frame_index_copy(file->index) : debye_frame_index_new();
  /* As when it was opened: a file that was its own structure may come to have more atoms, which the topology lacks. */
  index->n_atoms = file->format->read_all_atoms != NULL ? file->index->known_atoms : file->index->n_atoms;
  memcpy(index->cell_angles, file->index->cell_angles, sizeof index->cell_angles);
  gboolean good =
      file->format->index_frames(input, index, part->progress ? report_part : NULL, (gpointer)part, error);
  return debye_input_confirm(input, good, error) ? g_steal_pointer(&index) : NULL;
}

/* What follows a file must begin anew with one that was written anew. */
static gboolean
check_not_cut(const DebyeInput *input, const DebyeTrajectoryFile *file, GError **error)
{
  guint64 disk_size = debye_input_get_disk_size(input);
  if (disk_size >= file->disk_size)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                               "expected the %" G_GUINT64_FORMAT " bytes that it had when it was opened, "
                               "found %" G_GUINT64_FORMAT,
                               file->disk_size, disk_size);
}

/* A copy of `file` as it is now. */
static DebyeTrajectoryFile *
refresh_file(const DebyeTrajectoryFile *file, const Part *part, GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open(file->path, error);
  if (!input || !debye_trajectory_file_check_same(input, file, error) || !check_not_cut(input, file, error))
    return NULL;
  gboolean has_grown = debye_input_get_disk_size(input) > file->disk_size;
  DebyeFrameIndex *index =
      has_grown ? extend_index(input, file, part, error) : debye_frame_index_copy(file->index);
  if (!index)
    return NULL;
  /* Ids that come in later frames are atoms that the topology doesn't have. */
  if (index->n_atoms != file->index->n_atoms) {
    debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                          "expected %" G_GSIZE_FORMAT " atoms, as when it was opened, found %" G_GSIZE_FORMAT,
                          file->index->n_atoms, index->n_atoms);
    debye_frame_index_free(index);
    return NULL;
  }
  DebyeTrajectoryFile *copy = g_new0(DebyeTrajectoryFile, 1);
  *copy = *file;
  copy->path = g_strdup(file->path);
  copy->unpacked = keep_unpacked(input, part);
  copy->disk_size = debye_input_get_disk_size(input);
  copy->index = index;
  copy->is_growing = file->is_growing || has_grown;
  return copy;
}

DebyeTrajectory *
debye_trajectory_refresh(DebyeTrajectory *self, DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), NULL);
  g_autoptr(DebyeTrajectory) fresh = g_object_new(DEBYE_TYPE_TRAJECTORY, NULL);
  Part part = {.progress = progress, .data = data, .n_files = self->files->len};
  gboolean has_grown = FALSE;
  for (; part.file_number < part.n_files; part.file_number++) {
    const DebyeTrajectoryFile *file = g_ptr_array_index(self->files, part.file_number);
    DebyeTrajectoryFile *copy = refresh_file(file, &part, error);
    has_grown = has_grown || (copy && copy->disk_size != file->disk_size);
    if (!copy || !add_file(fresh, copy, error))
      return NULL;
  }
  if (!has_grown)
    return g_object_ref(self);
  g_ptr_array_add(fresh->warnings, NULL);
  fresh->cell = self->cell;
  fresh->length_unit = self->length_unit;
  return g_steal_pointer(&fresh);
}

/* What a trajectory knows of its files never changes, so that two share it. */
DebyeTrajectory *
debye_trajectory_with_choices(DebyeTrajectory *self, const DebyeCellChoice *cell, double length_unit)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), NULL);
  DebyeTrajectory *copy = g_object_new(DEBYE_TYPE_TRAJECTORY, NULL);
  g_ptr_array_unref(copy->files);
  g_ptr_array_unref(copy->warnings);
  copy->files = g_ptr_array_ref(self->files);
  copy->warnings = g_ptr_array_ref(self->warnings);
  copy->n_frames = self->n_frames;
  copy->n_atoms = self->n_atoms;
  copy->cell = cell != NULL ? *cell : self->cell;
  copy->length_unit = isfinite(length_unit) ? length_unit : self->length_unit;
  return copy;
}

gboolean
debye_trajectory_has_changed(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), FALSE);
  for (guint i = 0; i < self->files->len; i++) {
    const DebyeTrajectoryFile *file = g_ptr_array_index(self->files, i);
    GStatBuf status;
    if (g_stat(file->path, &status) != 0 || (guint64)status.st_size != file->disk_size)
      return TRUE;
  }
  return FALSE;
}

DebyeTrajectory *
debye_trajectory_open(const char *const *paths, DebyeTopology *topology, DebyeProgressFunc progress,
                      gpointer data, GError **error)
{
  g_autoptr(DebyeTrajectory) self = g_object_new(DEBYE_TYPE_TRAJECTORY, NULL);
  Part part = {.progress = progress, .data = data, .n_files = g_strv_length((char **)paths)};
  if (part.n_files == 0)
    return debye_null(debye_error_set(error, DEBYE_ERROR_MISSING, "expected a trajectory file, found none"));
  Known known = get_known(topology);
  for (; part.file_number < part.n_files; part.file_number++) {
    DebyeTrajectoryFile *file = open_file(paths[part.file_number], &known, &part, error);
    if (!file || !add_file(self, file, error))
      return NULL;
    known.n_atoms = self->n_atoms;
  }
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
  const DebyeTrajectoryFile *begin = g_ptr_array_index(self->files, 0);
  const DebyeTrajectoryFile *end = g_ptr_array_index(self->files, self->files->len - 1);
  *first = begin->index->first_time;
  *last = end->index->last_time;
  *step = self->n_frames > 1 ? (*last - *first) / (double)(self->n_frames - 1) : 0.0;
  return isfinite(*first) && isfinite(*last);
}

const char *const *
debye_trajectory_get_warnings(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), NULL);
  return (const char *const *)self->warnings->pdata;
}

gboolean
debye_trajectory_has_many_readers(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), FALSE);
  for (guint i = 0; i < self->files->len; i++) {
    const DebyeTrajectoryFile *file = g_ptr_array_index(self->files, i);
    if (file->has_one_reader)
      return FALSE;
  }
  return TRUE;
}

gboolean
debye_trajectory_may_be_packed(DebyeTrajectory *self)
{
  g_return_val_if_fail(DEBYE_IS_TRAJECTORY(self), FALSE);
  for (guint i = 0; i < self->files->len; i++) {
    const DebyeTrajectoryFile *file = g_ptr_array_index(self->files, i);
    if (!file->format->can_stay_packed)
      return FALSE;
  }
  return TRUE;
}
