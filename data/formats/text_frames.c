/* SPDX-License-Identifier: MIT */
/* Implementation of text_frames.h: reads and indexes frames of text; used by the readers of PDB, GRO, XYZ and
 * others. */
#include "text_frames.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"

gboolean
debye_text_require_n_atoms(const DebyeLineReader *lines, gsize expected, gsize found, GError **error)
{
  if (found == expected)
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_MISMATCH,
                                     "expected %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT, expected,
                                     found);
}

gpointer
debye_text_reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  (void)input;
  (void)index;
  (void)error;
  /* NULL would mean an error. */
  return g_new0(char, 1);
}

static gboolean
parse_frame_at(DebyeInput *input, guint64 offset, guint64 first_line, DebyeTextFrameFunc parse,
               gpointer state, DebyeFrame *frame, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, offset, first_line);
  debye_frame_forget(frame);
  GError *problem = NULL;
  if (parse(&lines, state, frame, &problem))
    return TRUE;
  /* The file was longer when it was indexed. */
  if (problem == NULL)
    debye_text_set_truncated(&lines, error, "a frame");
  else
    g_propagate_error(error, problem);
  return FALSE;
}

static guint64
count_lines_before(DebyeInput *input, guint64 offset)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  while (lines.next_offset < offset && debye_line_reader_next(&lines, NULL))
    ;
  return lines.next_number - 1;
}

gboolean
debye_text_read_frame(DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
                      DebyeTextFrameFunc parse, gpointer state, DebyeFrame *frame, GError **error)
{
  guint64 offset = g_array_index(index->offsets, guint64, frame_number);
  if (!parse_frame_at(input, offset, 1, parse, state, frame, NULL)) {
    guint64 before = count_lines_before(input, offset);
    if (!parse_frame_at(input, offset, before + 1, parse, state, frame, error))
      return FALSE;
  }
  frame->index = frame_number;
  debye_frame_check(frame);
  return TRUE;
}

static gboolean
find_value(const char *line, gsize length, const char *key, DebyeTextField *value)
{
  gsize key_length = strlen(key);
  gboolean found = FALSE;
  /* The last one counts: a title may hold "t=" before the program's own. */
  for (gsize i = 0; i + key_length <= length; i++) {
    if (memcmp(line + i, key, key_length) != 0 || (i > 0 && g_ascii_isalnum(line[i - 1])))
      continue;
    const char *cursor = line + i + key_length;
    found |= debye_text_next_field(&cursor, line + length, &value->text, &value->length);
  }
  return found;
}

void
debye_text_find_time(const char *line, gsize length, double *time, gint64 *step)
{
  DebyeTextField field;
  double number;
  gint64 integer;
  if (find_value(line, length, "t=", &field) && debye_text_to_double(field.text, field.length, &number))
    *time = number;
  if (find_value(line, length, "step=", &field) && debye_text_to_int(field.text, field.length, &integer))
    *step = integer;
}

void
debye_text_add_frame(DebyeTextFrames *frames, DebyeFrameIndex *index, guint64 offset, gsize n_atoms,
                     double time)
{
  if (frames->n_frames == 0) {
    index->known_atoms = index->n_atoms;
    index->n_atoms = n_atoms;
    frames->first_time = time;
    frames->least_atoms = n_atoms;
  }
  if (frames->offsets != NULL)
    g_array_append_val(frames->offsets, offset);
  frames->least_atoms = MIN(frames->least_atoms, n_atoms);
  frames->most_atoms = MAX(frames->most_atoms, n_atoms);
  frames->very_last_time = time;
  if (n_atoms == index->n_atoms) {
    g_array_append_val(index->offsets, offset);
    frames->last_time = time;
  } else if (frames->n_others++ == 0) {
    index->has_odd_frames = TRUE;
    frames->first_other = frames->n_frames;
    frames->first_other_atoms = n_atoms;
  }
  frames->n_frames++;
}

void
debye_text_use_all_frames(DebyeTextFrames *frames, DebyeFrameIndex *index, gsize n_atoms, gboolean by_order)
{
  const gsize known = index->known_atoms;
  if (known > 0 && (n_atoms != known || (by_order && index->n_atoms != known)))
    return;
  g_array_set_size(index->offsets, 0);
  g_array_append_vals(index->offsets, frames->offsets->data, frames->offsets->len);
  index->n_atoms = n_atoms;
  frames->n_others = 0;
  frames->last_time = frames->very_last_time;
  debye_frame_index_warn(index,
                         "frames have %" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                         " atoms: those that a frame lacks have no coordinates in it",
                         frames->least_atoms, frames->most_atoms, n_atoms);
}

void
debye_text_empty_frame(DebyeFrame *frame)
{
  for (gsize i = 0; i < frame->n_atoms; i++)
    frame->x[i] = frame->y[i] = frame->z[i] = NAN;
  for (gsize i = 0; frame->vx != NULL && i < frame->n_atoms; i++)
    frame->vx[i] = frame->vy[i] = frame->vz[i] = 0.0F;
}

void
debye_text_warn_of_odd_frames(DebyeFrameIndex *index, const GError *reason)
{
  debye_frame_index_warn(index, "%s; it is not known which atoms frames with another number of atoms contain",
                         debye_error_get_message(reason));
}

gboolean
debye_text_end_frames(DebyeTextFrames *frames, DebyeFrameIndex *index, DebyeInput *input, GError *problem,
                      GError **error)
{
  if (problem != NULL &&
      (frames->n_frames == 0 || g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))) {
    g_propagate_error(error, problem);
    return FALSE;
  }
  if (problem != NULL) {
    debye_frame_index_warn(index, "%s; the %u frames before it are used", debye_error_get_message(problem),
                           index->offsets->len);
    g_error_free(problem);
  }
  if (frames->n_frames == 0 || index->n_atoms == 0)
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "expected atoms, found none");
  if (frames->n_others > 0)
    debye_frame_index_warn(index,
                           "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " frames are left out because they "
                           "don't have the first one's %" G_GSIZE_FORMAT " atoms (frame %" G_GSIZE_FORMAT
                           " has %" G_GSIZE_FORMAT ")",
                           frames->n_others, frames->n_frames, index->n_atoms, frames->first_other,
                           frames->first_other_atoms);
  index->first_time = frames->first_time;
  index->last_time = frames->last_time;
  if (index->offsets->len > 1)
    index->time_step = (frames->last_time - frames->first_time) / (index->offsets->len - 1);
  return TRUE;
}

/* --- Writing --- */

static char *
describe_partial(gsize n_written, gsize n_frames)
{
  return g_strdup_printf(" partial=\"%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " frames\"", n_written,
                         n_frames);
}

void
debye_text_put_room(DebyeTextWriter *writer, gsize n_frames)
{
  g_autofree char *longest = describe_partial(n_frames, n_frames);
  g_autofree char *blanks = g_strnfill(strlen(longest), ' ');
  debye_text_writer_mark(writer);
  debye_text_writer_put_string(writer, blanks);
}

DebyeTextOutput *
debye_text_output_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                      const char *lacks_names, GError **error)
{
  if (topology == NULL || debye_topology_get_n_atoms(topology) != n_atoms)
    return debye_null(debye_error_set(error, DEBYE_ERROR_MISSING, "%s", lacks_names));
  DebyeTextOutput *output = g_new0(DebyeTextOutput, 1);
  output->text = debye_text_writer_new(stream);
  output->topology = g_object_ref(topology);
  output->n_frames = n_frames;
  return output;
}

void
debye_text_output_free(DebyeTextOutput *output)
{
  debye_text_writer_free(output->text);
  g_object_unref(output->topology);
  g_free(output);
}

gboolean
debye_text_output_finish(gpointer data, GError **error)
{
  g_autoptr(DebyeTextOutput) output = data;
  if (error == NULL)
    return TRUE;
  if (output->n_written == 0 || output->n_written >= output->n_frames)
    return debye_text_writer_finish(output->text, error);
  g_autofree char *partial = describe_partial(output->n_written, output->n_frames);
  return debye_text_writer_finish_over(output->text, partial, error);
}
