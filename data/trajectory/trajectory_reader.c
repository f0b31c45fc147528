/* SPDX-License-Identifier: MIT */
/* Reads frames of a trajectory by number; used by frame streams and the window. */
#include "trajectory_private.h"

#include "data/files/error.h"
#include "length_unit.h"

/* One file is open at a time: a trajectory may have thousands. */
struct _DebyeTrajectoryReader {
  DebyeTrajectory *trajectory;
  const DebyeTrajectoryFile *file;
  DebyeInput *input;
  gpointer format_reader;
  DebyeProgressFunc progress; /* NULL: nobody asks */
  gpointer progress_data;
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

void
debye_trajectory_reader_watch(DebyeTrajectoryReader *reader, DebyeProgressFunc progress, gpointer data)
{
  reader->progress = progress;
  reader->progress_data = data;
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
switch_to_file(DebyeTrajectoryReader *reader, const DebyeTrajectoryFile *file, GError **error)
{
  if (reader->file == file)
    return TRUE;
  close_file(reader);
  reader->input = debye_input_open_watched(file->path, reader->progress, reader->progress_data, error);
  if (!reader->input)
    return FALSE;
  reader->file = file;
  if (!debye_trajectory_file_check_same(reader->input, file, error)) {
    close_file(reader);
    return FALSE;
  }
  reader->format_reader = file->format->reader_new(reader->input, file->index, error);
  if (reader->format_reader)
    return TRUE;
  debye_input_confirm(reader->input, FALSE, error);
  close_file(reader);
  return FALSE;
}

/* The last file that begins at or before the frame. */
static const DebyeTrajectoryFile *
find_file(const DebyeTrajectory *self, gsize frame_number)
{
  guint low = 0, high = self->files->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    const DebyeTrajectoryFile *file = g_ptr_array_index(self->files, middle);
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
  if (frame_number >= trajectory->n_frames)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "expected a frame below %" G_GSIZE_FORMAT ", found %" G_GSIZE_FORMAT,
                           trajectory->n_frames, frame_number);
  const DebyeTrajectoryFile *file = find_file(trajectory, frame_number);
  frame->cell_origin = debye_vec3(0.0, 0.0, 0.0);
  frame->n_absent = 0;
  frame->is_packed = FALSE;
  if (!switch_to_file(reader, file, error))
    return FALSE;
  if (!file->format->read_frame(reader->format_reader, reader->input, file->index,
                                frame_number - file->first_frame, frame, error))
    return debye_input_confirm(reader->input, FALSE, error);
  frame->index = frame_number;
  if (file->format->leaves_unit_open)
    debye_length_unit_apply(trajectory->length_unit, frame);
  if (!frame->has_cell || !debye_cell_is_valid(&frame->cell)) {
    frame->has_cell = FALSE;
    frame->cell = (DebyeCell){0};
  }
  debye_cell_choice_apply(&trajectory->cell, frame);
  return TRUE;
}
