/* SPDX-License-Identifier: MIT */
/* Implementation of frame_index.h: builds the index of a trajectory's frames; used by the trajectory
 * formats. */
#include "data/files/error.h"
#include "frame_index.h"
#include "data/messages/message.h"

#include <math.h>

/* So many frames between two reports: often enough for a bar, rarely enough to cost nothing. */
#define REPORT_INTERVAL 1024

DebyeFrameIndex *
debye_frame_index_new(void)
{
  DebyeFrameIndex *index = g_new0(DebyeFrameIndex, 1);
  index->offsets = g_array_new(FALSE, FALSE, sizeof(guint64));
  index->warnings = g_ptr_array_new_with_free_func(g_free);
  index->first_time = index->last_time = index->time_step = NAN;
  for (int k = 0; k < 3; k++)
    index->cell_angles[k] = NAN;
  return index;
}

void
debye_frame_index_free(DebyeFrameIndex *index)
{
  if (!index)
    return;
  g_array_unref(index->offsets);
  g_ptr_array_unref(index->warnings);
  g_free(index);
}

DebyeFrameIndex *
debye_frame_index_copy(const DebyeFrameIndex *index)
{
  DebyeFrameIndex *copy = g_memdup2(index, sizeof *index);
  copy->offsets = g_array_copy(index->offsets);
  copy->warnings = g_ptr_array_new_with_free_func(g_free);
  for (guint k = 0; k < index->warnings->len; k++)
    g_ptr_array_add(copy->warnings, g_strdup(g_ptr_array_index(index->warnings, k)));
  return copy;
}

void
debye_frame_index_warn(DebyeFrameIndex *index, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_ptr_array_add(index->warnings, debye_message_new_valist(format, arguments));
  va_end(arguments);
}

void
debye_frame_index_set_times(DebyeFrameIndex *index, double first, double last)
{
  index->first_time = first;
  index->last_time = last;
  index->time_step = index->offsets->len > 1 ? (last - first) / (double)(index->offsets->len - 1) : NAN;
  if (!(index->time_step > 0.0))
    index->time_step = NAN;
}

/* Counts gathered while walking over a file. */
typedef struct {
  guint64 n_seen;  /* frames, those without coordinates too */
  guint64 n_empty; /* without coordinates */
  guint64 n_bad_cells;
  guint first_bad_cell;
  double first_time, last_time;
} Walk;

static gboolean
report(const Walk *walk, DebyeInput *input, guint64 offset, DebyeProgressFunc progress, gpointer data,
       GError **error)
{
  if (!progress || walk->n_seen % REPORT_INTERVAL != 0)
    return TRUE;
  if (progress((double)offset / (double)debye_input_get_size(input), data))
    return TRUE;
  return debye_input_set_stopped(input, error);
}

/* The next frame can't be used: with frames before it that is a warning, otherwise the error. */
static gboolean
stop(DebyeFrameIndex *index, DebyeInput *input, guint64 frame_number, int code, const char *fault,
     GError **error)
{
  guint n = index->offsets->len;
  if (n == 0)
    return debye_input_set_error(input, error, code, "frame %" G_GUINT64_FORMAT ": %s", frame_number, fault);
  if (n == 1)
    debye_frame_index_warn(index, "frame %" G_GUINT64_FORMAT ": %s; the frame before it is used",
                           frame_number, fault);
  else
    debye_frame_index_warn(index, "frame %" G_GUINT64_FORMAT ": %s; the %u frames before it are used",
                           frame_number, fault, n);
  if (code == DEBYE_ERROR_TRUNCATED)
    index->unfinished = index->warnings->len;
  return TRUE;
}

static char *
compare_n_atoms(const DebyeFrameIndex *index, const DebyeFrameFacts *facts, int *code)
{
  if (!facts->has_coordinates || index->offsets->len == 0 || facts->n_atoms == index->n_atoms)
    return NULL;
  *code = DEBYE_ERROR_MISMATCH;
  return debye_message_new("has %" G_GSIZE_FORMAT " atoms, the frames before it have %" G_GSIZE_FORMAT,
                           facts->n_atoms, index->n_atoms);
}

static void
take_frame(DebyeFrameIndex *index, Walk *walk, guint64 offset, const DebyeFrameFacts *facts)
{
  walk->n_seen++;
  if (!facts->has_coordinates) {
    walk->n_empty++;
    return;
  }
  if (index->offsets->len == 0)
    walk->first_time = facts->time;
  walk->last_time = facts->time;
  if (facts->has_bad_cell && walk->n_bad_cells++ == 0)
    walk->first_bad_cell = index->offsets->len;
  index->n_atoms = facts->n_atoms;
  g_array_append_val(index->offsets, offset);
}

static void
warn_of_findings(DebyeFrameIndex *index, const Walk *walk)
{
  if (walk->n_bad_cells > 0)
    debye_frame_index_warn(index,
                           "the numbers of the cell do not describe one in %" G_GUINT64_FORMAT
                           " of %u frames (frame %u is the first): these frames have no cell",
                           walk->n_bad_cells, index->offsets->len, walk->first_bad_cell);
  if (walk->n_empty > 0)
    debye_frame_index_warn(index, "%" G_GUINT64_FORMAT " frames without coordinates are left out",
                           walk->n_empty);
}

/* One step of the walk: *offset moves to the next frame, or to the end of the file where the walk ends. */
static gboolean
step(DebyeFrameIndex *index, Walk *walk, DebyeInput *input, guint64 *offset, guint8 *bytes, gsize n_look,
     DebyeFrameLook look, gconstpointer format_data, GError **error)
{
  guint64 size = debye_input_get_size(input);
  DebyeFrameFacts facts = {.time = NAN, .has_coordinates = TRUE};
  int code = DEBYE_ERROR_OPEN;
  g_autoptr(GError) local = NULL;
  g_autofree char *fault = NULL;
  gssize n = debye_input_read_some(input, *offset, bytes, n_look, &local);
  if (n < 0)
    fault = g_strdup(local->message);
  else
    fault = look(format_data, index, bytes, (gsize)n, size - *offset, &facts, &code);
  if (!fault)
    fault = compare_n_atoms(index, &facts, &code);
  if (fault) {
    *offset = size;
    return stop(index, input, walk->n_seen, code, fault, error);
  }
  take_frame(index, walk, *offset, &facts);
  *offset += MAX(facts.n_bytes, 1);
  return TRUE;
}

/* The last frame known is looked at again: what comes behind it may have been half written, and isn't known. */
static Walk
resume(DebyeFrameIndex *index, guint64 *offset)
{
  Walk walk = {.first_time = NAN, .last_time = NAN};
  guint n = index->offsets->len;
  if (n == 0)
    return walk;
  *offset = g_array_index(index->offsets, guint64, n - 1);
  g_array_set_size(index->offsets, n - 1);
  walk.n_seen = n - 1;
  walk.first_time = index->first_time;
  if (index->unfinished > 0)
    g_ptr_array_remove_index(index->warnings, index->unfinished - 1);
  index->unfinished = 0;
  return walk;
}

gboolean
debye_frame_index_walk(DebyeFrameIndex *index, DebyeInput *input, guint64 offset, gsize n_look,
                       DebyeFrameLook look, gconstpointer format_data, DebyeProgressFunc progress,
                       gpointer data, GError **error)
{
  g_autofree guint8 *bytes = g_malloc(n_look);
  Walk walk = resume(index, &offset);
  while (offset < debye_input_get_size(input))
    if (!report(&walk, input, offset, progress, data, error) ||
        !step(index, &walk, input, &offset, bytes, n_look, look, format_data, error))
      return FALSE;
  if (index->offsets->len == 0)
    return debye_input_set_error(input, error, DEBYE_ERROR_TRUNCATED,
                                 "expected a frame with coordinates, found none");
  debye_frame_index_set_times(index, walk.first_time, walk.last_time);
  warn_of_findings(index, &walk);
  return TRUE;
}
