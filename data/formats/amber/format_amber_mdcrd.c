/* SPDX-License-Identifier: MIT */
/* AMBER's trajectories in text (mdcrd): a title, then for each frame its coordinates, ten a line in columns
 * of eight, and with periodic boundaries a line of the cell's lengths. The file says neither how many atoms
 * there are nor whether there is a cell: the first is the topology's to know, the second shows behind the
 * first frame. */
#include <math.h>
#include <string.h>

#include "amber_numbers.h"
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/text_frames.h"

#define WIDTH 8
#define PER_LINE 10
/* Frames between two reports while hopping. */
#define REPORT_INTERVAL 1024

/* --- Recognising it --- */

/* Replica exchange puts a line before each frame. */
static gboolean
is_replica_line(const char *line, gsize length)
{
  return (length >= 4 && memcmp(line, "REMD", 4) == 0) || (length >= 5 && memcmp(line, "HREMD", 5) == 0);
}

/* Numbers with three decimals in columns of eight. */
static gboolean
is_line_of_numbers(const char *line, gsize length)
{
  while (length > 0 && g_ascii_isspace(line[length - 1]))
    length--;
  if (length == 0 || length % WIDTH != 0 || length > WIDTH * PER_LINE)
    return FALSE;
  for (gsize first = 0; first < length; first += WIDTH)
    if (line[first + 4] != '.' || !debye_text_is_number((DebyeTextField){line + first, WIDTH}))
      return FALSE;
  return TRUE;
}

/* Weak, since nothing but columns of numbers tells it: just above a PDB file without atoms, because programs
 * put the word TITLE into the first line. */
static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  if (!debye_text_head_next(&head, &line, &length) || !debye_text_head_next(&head, &line, &length))
    return 0;
  if (is_replica_line(line, length) && !debye_text_head_next(&head, &line, &length))
    return 0;
  if (!is_line_of_numbers(line, length) || length < 3 * WIDTH)
    return 0;
  return !debye_text_head_next(&head, &line, &length) || is_line_of_numbers(line, length) ? 65 : 0;
}

/* --- What a frame has --- */

typedef struct {
  gsize n_atoms;
  gboolean has_replica_line;
  gsize n_box;           /* numbers: 0, 3, or 6 with angles */
  guint64 frames_offset; /* behind the title */
} Layout;

static gsize
get_lines_of_frame(const Layout *layout)
{
  return (3 * layout->n_atoms + PER_LINE - 1) / PER_LINE + (layout->n_box > 0) + layout->has_replica_line;
}

static gboolean
require_count(DebyeLineReader *lines, const Layout *layout, gsize n, GError **error)
{
  if (!debye_text_require_line(lines, "coordinates", error))
    return FALSE;
  gsize found = debye_amber_count_numbers(lines, WIDTH);
  if (found == n)
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected %" G_GSIZE_FORMAT
                                     " numbers in columns of %d in a frame of %" G_GSIZE_FORMAT
                                     " atoms, found %" G_GSIZE_FORMAT,
                                     n, WIDTH, layout->n_atoms, found);
}

static gboolean
walk_coordinates(DebyeLineReader *lines, const Layout *layout, DebyeProgressFunc progress, gpointer data,
                 GError **error)
{
  if (layout->has_replica_line && !debye_text_require_line(lines, "coordinates", error))
    return FALSE;
  for (gsize done = 0; done < 3 * layout->n_atoms; done += PER_LINE)
    if (!require_count(lines, layout, MIN(3 * layout->n_atoms - done, PER_LINE), error) ||
        !debye_text_report(lines, progress, data, error))
      return FALSE;
  return TRUE;
}

/* A line of three or six numbers behind the first frame is its cell, unless frames begin with a line of as
 * many: those of one atom (two with six numbers) can't be told apart and are taken for coordinates. */
static void
find_box(DebyeLineReader *lines, Layout *layout)
{
  if (!debye_line_reader_next(lines, NULL))
    return;
  gsize n = debye_amber_count_numbers(lines, WIDTH);
  if ((n == 3 || n == 6) && n != MIN(3 * layout->n_atoms, PER_LINE))
    layout->n_box = n;
}

static gboolean
check_n_atoms(const Layout *layout, DebyeInput *input, GError **error)
{
  if (layout->n_atoms == 0)
    return debye_input_set_error(
        input, error, DEBYE_ERROR_MISSING,
        "an AMBER trajectory in text doesn't say how many atoms it has: expected its topology "
        "(prmtop, PDB, …) to be opened with it, found none");
  guint64 size = debye_input_get_size(input);
  if (layout->n_atoms <= size / (3 * WIDTH))
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_MISMATCH,
                               "expected the topology's %" G_GSIZE_FORMAT " atoms in a frame, found a file "
                               "of %" G_GUINT64_FORMAT " bytes, too short for it",
                               layout->n_atoms, size);
}

static gboolean
begins_with_replica_line(DebyeInput *input, guint64 offset)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, offset, 1);
  return debye_line_reader_next(&lines, NULL) && is_replica_line(lines.text, lines.length);
}

static gboolean
find_layout(Layout *layout, DebyeInput *input, gsize n_atoms, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  *layout = (Layout){.n_atoms = n_atoms};
  if (!check_n_atoms(layout, input, error))
    return FALSE;
  if (!debye_text_require_line(&lines, "a title", error))
    return FALSE;
  layout->frames_offset = lines.next_offset;
  layout->has_replica_line = begins_with_replica_line(input, layout->frames_offset);
  if (!walk_coordinates(&lines, layout, NULL, NULL, error))
    return FALSE;
  find_box(&lines, layout);
  return TRUE;
}

/* --- Where the frames are --- */

typedef struct {
  DebyeInput *input;
  DebyeFrameIndex *index;
  DebyeProgressFunc progress;
  gpointer data;
  DebyeTextFrames frames;
} Indexing;

/* One frame by its lines, which are counted and measured. FALSE without an error at the end. */
static gboolean
walk_frame(Indexing *indexing, DebyeLineReader *lines, const Layout *layout, GError **error)
{
  guint64 begin = lines->next_offset, size = debye_input_get_size(indexing->input);
  char c;
  /* Blanks at the end aren't another frame. */
  for (guint64 at = begin; at <= size; at++)
    if (at == size || !debye_input_read(indexing->input, at, &c, 1, error))
      return FALSE;
    else if (!g_ascii_isspace(c))
      break;
  if (!walk_coordinates(lines, layout, indexing->progress, indexing->data, error) ||
      (layout->n_box > 0 && !require_count(lines, layout, layout->n_box, error)))
    return FALSE;
  debye_text_add_frame(&indexing->frames, indexing->index, begin, layout->n_atoms, NAN);
  return TRUE;
}

/* Frames are all of one length, unless a number outgrew its column: as long as a line ends where a frame must
 * end, the lines between needn't be looked at. Returns where it isn't so any more. */
static gboolean
hop(Indexing *indexing, guint64 *offset, guint64 frame_bytes, gsize n_atoms, GError **error)
{
  guint64 size = debye_input_get_size(indexing->input);
  for (gsize n = 1; *offset + frame_bytes <= size; n++, *offset += frame_bytes) {
    char end;
    if (!debye_input_read(indexing->input, *offset + frame_bytes - 1, &end, 1, error))
      return FALSE;
    if (end != '\n' && end != '\r')
      break;
    debye_text_add_frame(&indexing->frames, indexing->index, *offset, n_atoms, NAN);
    if (n % REPORT_INTERVAL == 0 && indexing->progress != NULL &&
        !indexing->progress((double)*offset / (double)size, indexing->data))
      return debye_input_set_stopped(indexing->input, error);
  }
  return TRUE;
}

static gboolean
walk_all(Indexing *indexing, const Layout *layout, GError **error)
{
  g_auto(DebyeLineReader) lines;
  guint64 first_line = 2;
  debye_line_reader_init(&lines, indexing->input, layout->frames_offset, first_line);
  if (!walk_frame(indexing, &lines, layout, error))
    return FALSE;
  guint64 offset = lines.next_offset;
  if (!hop(indexing, &offset, offset - layout->frames_offset, layout->n_atoms, error))
    return FALSE;
  first_line += indexing->frames.n_frames * get_lines_of_frame(layout);
  debye_line_reader_clear(&lines);
  debye_line_reader_init(&lines, indexing->input, offset, first_line);
  while (walk_frame(indexing, &lines, layout, error))
    ;
  return TRUE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  Layout layout;
  Indexing indexing = {.input = input, .index = index, .progress = progress, .data = data};
  GError *problem = NULL;
  if (!find_layout(&layout, input, index->n_atoms, error))
    return FALSE;
  walk_all(&indexing, &layout, &problem);
  if (!debye_text_end_frames(&indexing.frames, index, input, problem, error))
    return FALSE;
  /* There are no times in these files. */
  index->first_time = index->last_time = index->time_step = NAN;
  return TRUE;
}

/* --- Reading them --- */

typedef struct {
  Layout layout;
  const double *known_angles; /* the topology's */
} Reader;

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  g_autofree Reader *reader = g_new0(Reader, 1);
  reader->known_angles = index->cell_angles;
  return find_layout(&reader->layout, input, index->n_atoms, error) ? g_steal_pointer(&reader) : NULL;
}

static gboolean
read_box(DebyeLineReader *lines, const Reader *reader, DebyeFrame *frame, GError **error)
{
  double values[DEBYE_AMBER_LINE];
  for (int k = 0; k < 3; k++)
    values[3 + k] = isnan(reader->known_angles[k]) ? 90.0 : reader->known_angles[k];
  if (!debye_amber_read_next_numbers(lines, "the box", WIDTH, reader->layout.n_box, values, error))
    return FALSE;
  frame->has_cell = debye_cell_from_lengths_angles(&frame->cell, values, values + 3);
  return TRUE;
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  const Reader *reader = state;
  float *const to[3] = {frame->x, frame->y, frame->z};
  double values[DEBYE_AMBER_LINE];
  gsize atom = 0, axis = 0, n_values = 3 * frame->n_atoms;
  if (reader->layout.has_replica_line && !debye_text_require_line(lines, "coordinates", error))
    return FALSE;
  for (gsize done = 0; done < n_values; done += PER_LINE) {
    gsize n = MIN(n_values - done, PER_LINE);
    if (!debye_amber_read_next_numbers(lines, "coordinates", WIDTH, n, values, error))
      return FALSE;
    for (gsize k = 0; k < n; k++) {
      to[axis][atom] = (float)values[k];
      axis = axis == 2 ? 0 : axis + 1;
      atom += axis == 0;
    }
  }
  return reader->layout.n_box == 0 || read_box(lines, reader, frame, error);
}

DEBYE_TEXT_READ_FRAME(parse_frame)

const DebyeFormat debye_format_mdcrd = {
    .name = "mdcrd",
    .title = "AMBER trajectory in text",
    .suffixes = (const char *const[]){"mdcrd", "crd", "mdcrdbox", "crdbox", "trj", NULL},
    .probe = probe,
    .needs_n_atoms = TRUE,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
};
