/* SPDX-License-Identifier: MIT */
/* Reads records, models and cells of PDB and PQR files; used by format_pdb.c, format_pqr.c and
 * pdb_writer.c. */
#include "pdb_records.h"

#include "data/files/error.h"
#include "data/formats/text_frames.h"

#include <math.h>
#include <string.h>

static gboolean
starts_with(const char *line, gsize length, const char *word, gsize word_length)
{
  return length >= word_length && memcmp(line, word, word_length) == 0;
}

#define STARTS_WITH(word) starts_with(line, length, word, sizeof(word) - 1)

DebyePdbRecord
debye_pdb_get_record(const char *line, gsize length)
{
  /* Serials of six digits stand right behind the record's name. */
  if (STARTS_WITH("ATOM"))
    return length == 4 || g_ascii_isspace(line[4]) || g_ascii_isdigit(line[4]) ? DEBYE_PDB_ATOM
                                                                               : DEBYE_PDB_OTHER;
  if (STARTS_WITH("HETATM"))
    return DEBYE_PDB_ATOM;
  if (STARTS_WITH("CONECT"))
    return DEBYE_PDB_CONNECT;
  if (STARTS_WITH("TER") && (length == 3 || g_ascii_isspace(line[3])))
    return DEBYE_PDB_TERMINATOR;
  if (STARTS_WITH("MODEL") && (length == 5 || g_ascii_isspace(line[5])))
    return DEBYE_PDB_MODEL;
  if (STARTS_WITH("END") && (length == 3 || g_ascii_isspace(line[3]) || STARTS_WITH("ENDMDL")))
    return DEBYE_PDB_END_OF_MODEL;
  if (STARTS_WITH("CRYST1"))
    return DEBYE_PDB_CELL;
  return STARTS_WITH("TITLE ") ? DEBYE_PDB_TITLE : DEBYE_PDB_OTHER;
}

/* --- The cell --- */

static gboolean
read_cell_columns(const char *line, gsize length, double numbers[6])
{
  static const gsize columns[7] = {6, 15, 24, 33, 40, 47, 54};
  for (int i = 0; i < 6; i++) {
    DebyeTextField field = debye_text_columns(line, length, columns[i], columns[i + 1]);
    gboolean is_missing_angle = i >= 3 && field.length == 0;
    numbers[i] = 90.0;
    if (!is_missing_angle && !debye_text_to_double(field.text, field.length, &numbers[i]))
      return FALSE;
  }
  return TRUE;
}

/* Programs that don't count columns at least put blanks between the numbers. */
static gboolean
read_cell_words(const char *line, gsize length, double numbers[6])
{
  DebyeTextField fields[7];
  if (debye_text_split(line, length, fields, G_N_ELEMENTS(fields)) < 7)
    return FALSE;
  for (int i = 0; i < 6; i++)
    if (!debye_text_to_double(fields[i + 1].text, fields[i + 1].length, &numbers[i]))
      return FALSE;
  return TRUE;
}

/* FALSE where CRYST1 describes no cell; the 1 × 1 × 1 Å of entries without a crystal is none, and no mistake
 * either. */
static gboolean
read_cell(const char *line, gsize length, DebyeCell *cell, gboolean *is_mistake)
{
  double n[6];
  *cell = (DebyeCell){0};
  *is_mistake = TRUE;
  if (!read_cell_columns(line, length, n) && !read_cell_words(line, length, n))
    return FALSE;
  gboolean is_dummy =
      (n[0] == 1.0 && n[1] == 1.0 && n[2] == 1.0) || (n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0);
  *is_mistake = !is_dummy;
  return !is_dummy && debye_cell_from_lengths_angles(cell, n, n + 3);
}

/* --- Models as frames --- */

typedef struct {
  DebyeTextFrames frames;
  guint64 start; /* of the frame that is being counted: what stands before its MODEL (CRYST1) belongs to it */
  guint64 next_cell; /* where a CRYST1 stands behind the atoms that are counted; 0: nowhere */
  guint64 late_cell; /* the line of a CRYST1 that no atoms follow; 0: none */
  gsize n_atoms;
  double time;
  gboolean has_bad_cell;
  gboolean has_first_cell; /* before all atoms */
} Scan;

static void
end_frame(Scan *scan, DebyeFrameIndex *index, guint64 next_start)
{
  if (scan->n_atoms == 0)
    return;
  debye_text_add_frame(&scan->frames, index, scan->start, scan->n_atoms, scan->time);
  scan->start = next_start;
  scan->next_cell = 0;
  scan->n_atoms = 0;
  scan->time = NAN;
}

static void
scan_cell(Scan *scan, const DebyeLineReader *lines, DebyeFrameIndex *index)
{
  DebyeCell cell;
  gboolean is_mistake;
  if (scan->n_atoms > 0)
    scan->next_cell = lines->offset;
  else if (scan->frames.n_frames > 0)
    scan->late_cell = lines->number;
  else
    scan->has_first_cell = TRUE;
  if (read_cell(lines->text, lines->length, &cell, &is_mistake) || !is_mistake || scan->has_bad_cell)
    return;
  scan->has_bad_cell = TRUE;
  debye_frame_index_warn(index, "line %" G_GUINT64_FORMAT ": CRYST1 does not describe a cell and is ignored",
                         lines->number);
}

static void
scan_line(Scan *scan, const DebyeLineReader *lines, DebyeFrameIndex *index)
{
  gint64 step;
  switch (debye_pdb_get_record(lines->text, lines->length)) {
  case DEBYE_PDB_ATOM:
    scan->n_atoms++;
    scan->next_cell = scan->late_cell = 0;
    break;
  case DEBYE_PDB_MODEL:
    end_frame(scan, index, scan->next_cell > 0 ? scan->next_cell : lines->offset);
    break;
  case DEBYE_PDB_END_OF_MODEL:
    end_frame(scan, index, lines->next_offset);
    break;
  case DEBYE_PDB_CELL:
    scan_cell(scan, lines, index);
    break;
  case DEBYE_PDB_TITLE:
    debye_text_find_time(lines->text, lines->length, &scan->time, &step);
    break;
  default:
    break;
  }
}

gboolean
debye_pdb_index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
                       GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  Scan scan = {.time = NAN};
  GError *problem = NULL;
  while (debye_line_reader_next(&lines, &problem) && debye_text_report(&lines, progress, data, &problem))
    scan_line(&scan, &lines, index);
  end_frame(&scan, index, 0);
  /* Where the first has none before it, cells stand behind their models. */
  if (scan.late_cell > 0 && scan.has_first_cell)
    debye_frame_index_warn(index,
                           "line %" G_GUINT64_FORMAT ": this CRYST1 belongs to no model and is ignored: a "
                           "cell comes before its model",
                           scan.late_cell);
  return debye_text_end_frames(&scan.frames, index, input, problem, error);
}

/* --- Reading a frame --- */

/* A cell as a model states it: perhaps that it has none. */
typedef struct {
  gboolean is_stated, is_cell;
  DebyeCell cell;
} StatedCell;

struct _DebyePdbReader {
  DebyePdbAtomFunc read_atom;
  StatedCell first;         /* of the first frame: for models that state none of their own */
  gboolean do_cells_follow; /* CRYST1 stands behind the ENDMDL of its model */
};

static void
state_cell(StatedCell *stated, const DebyeLineReader *lines)
{
  gboolean is_mistake;
  stated->is_stated = TRUE;
  stated->is_cell = read_cell(lines->text, lines->length, &stated->cell, &is_mistake);
}

/* What stands behind a model's atoms: up to its end or, where cells follow, up to the next model. Without a record
 * at the model's end, a cell there is the next one's. */
static StatedCell
find_cell_behind(DebyeLineReader *lines, gboolean do_cells_follow)
{
  StatedCell stated = {.is_stated = FALSE};
  gboolean is_over = FALSE, is_next = FALSE;
  while (!is_next && !(is_over && !do_cells_follow) && debye_line_reader_next(lines, NULL)) {
    DebyePdbRecord record = debye_pdb_get_record(lines->text, lines->length);
    if (record == DEBYE_PDB_CELL)
      state_cell(&stated, lines);
    is_over = is_over || record == DEBYE_PDB_END_OF_MODEL || record == DEBYE_PDB_CONNECT;
    is_next = record == DEBYE_PDB_MODEL || record == DEBYE_PDB_ATOM;
  }
  return is_over || !is_next ? stated : (StatedCell){.is_stated = FALSE};
}

/* Passes so many atoms. The cell before the first of them. */
static StatedCell
pass_atoms(DebyeLineReader *lines, gsize n_atoms, GError **error)
{
  StatedCell stated = {.is_stated = FALSE};
  for (gsize n = 0; n < n_atoms && debye_line_reader_next(lines, error);) {
    DebyePdbRecord record = debye_pdb_get_record(lines->text, lines->length);
    if (record == DEBYE_PDB_CELL && n == 0)
      state_cell(&stated, lines);
    n += record == DEBYE_PDB_ATOM;
  }
  return stated;
}

/* The cell before a frame's atoms or, with `is_behind`, the one behind its end. */
static gboolean
find_cell(DebyeInput *input, const DebyeFrameIndex *index, guint frame, gboolean is_behind, StatedCell *cell,
          GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, g_array_index(index->offsets, guint64, frame), 1);
  GError *problem = NULL;
  *cell = pass_atoms(&lines, is_behind ? index->n_atoms : 1, &problem);
  if (problem != NULL) {
    g_propagate_error(error, problem);
    return FALSE;
  }
  if (is_behind)
    *cell = find_cell_behind(&lines, TRUE);
  return TRUE;
}

/* Of a file whose first model has no cell before it. */
static gboolean
find_cells_that_follow(DebyePdbReader *reader, DebyeInput *input, const DebyeFrameIndex *index,
                       GError **error)
{
  StatedCell last;
  if (!find_cell(input, index, index->offsets->len - 1, TRUE, &last, error))
    return FALSE;
  reader->do_cells_follow = last.is_stated;
  return !last.is_stated || find_cell(input, index, 0, TRUE, &reader->first, error);
}

DebyePdbReader *
debye_pdb_reader_new(DebyeInput *input, const DebyeFrameIndex *index, DebyePdbAtomFunc read_atom,
                     GError **error)
{
  g_autofree DebyePdbReader *reader = g_new0(DebyePdbReader, 1);
  reader->read_atom = read_atom;
  if (!find_cell(input, index, 0, FALSE, &reader->first, error) ||
      (!reader->first.is_stated && !find_cells_that_follow(reader, input, index, error)))
    return NULL;
  return g_steal_pointer(&reader);
}

static void
set_cell(DebyeFrame *frame, const StatedCell *stated)
{
  if (!stated->is_stated)
    return;
  frame->cell = stated->cell;
  frame->has_cell = stated->is_cell;
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  const DebyePdbReader *reader = state;
  StatedCell cell = {.is_stated = FALSE};
  gsize n = 0;
  /* Where cells follow, the one that stands first is that of the model before. */
  gboolean is_own = !reader->do_cells_follow;
  set_cell(frame, &reader->first);
  while (n < frame->n_atoms && debye_line_reader_next(lines, error)) {
    DebyePdbRecord record = debye_pdb_get_record(lines->text, lines->length);
    double position[3];
    is_own = is_own || record == DEBYE_PDB_MODEL;
    if (record == DEBYE_PDB_CELL && is_own)
      state_cell(&cell, lines);
    else if (record == DEBYE_PDB_TITLE)
      debye_text_find_time(lines->text, lines->length, &frame->time, &frame->step);
    else if (n > 0 && (record == DEBYE_PDB_MODEL || record == DEBYE_PDB_END_OF_MODEL))
      break;
    if (record != DEBYE_PDB_ATOM)
      continue;
    if (!reader->read_atom(lines, position, error))
      return FALSE;
    frame->x[n] = (float)position[0];
    frame->y[n] = (float)position[1];
    frame->z[n] = (float)position[2];
    n++;
  }
  if (lines->has_failed)
    return FALSE;
  set_cell(frame, &cell);
  if (n == frame->n_atoms) {
    cell = find_cell_behind(lines, reader->do_cells_follow);
    set_cell(frame, &cell);
    return TRUE;
  }
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_TRUNCATED,
      "expected %" G_GSIZE_FORMAT " atoms in the model, found %" G_GSIZE_FORMAT, frame->n_atoms, n);
}

gboolean
debye_pdb_reader_read(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
                      DebyeFrame *frame, GError **error)
{
  return debye_text_read_frame(input, index, frame_number, parse_frame, reader, frame, error);
}

/* --- Numbers beyond the columns --- */

/* Hybrid-36 (Grosse-Kunstleve, cci.lbl.gov/hybrid_36): decimal as long as it fits, then base 36 from A000…0
 * to ZZZZ…Z, then from a000…0 to zzzz…z. */
static gint64
power(gint64 base, int exponent)
{
  gint64 result = 1;
  while (exponent-- > 0)
    result *= base;
  return result;
}

gboolean
debye_pdb_decode_hybrid36(DebyeTextField field, int width, gint64 *value)
{
  if (field.length != (gsize)width || !g_ascii_isalpha(field.text[0]))
    return FALSE;
  gboolean is_lower = g_ascii_islower(field.text[0]);
  gint64 sum = 0;
  for (gsize i = 0; i < field.length; i++) {
    char c = field.text[i];
    if (!g_ascii_isdigit(c) && !(is_lower ? g_ascii_islower(c) : g_ascii_isupper(c)))
      return FALSE;
    sum = sum * 36 + (g_ascii_isdigit(c) ? c - '0' : g_ascii_toupper(c) - 'A' + 10);
  }
  gint64 block = 26 * power(36, width - 1);
  *value = sum - 10 * power(36, width - 1) + power(10, width) + (is_lower ? block : 0);
  return TRUE;
}

void
debye_pdb_encode_hybrid36(gint64 value, int width, char text[8])
{
  gint64 decimal = power(10, width);
  gint64 block = 26 * power(36, width - 1);
  if (value < decimal && value > -decimal / 10) {
    g_snprintf(text, 8, "%*d", width, (int)value);
    return;
  }
  gboolean is_lower = value - decimal >= block;
  /* Beyond 87 million the number starts again, as a counter that only tells neighbours apart. */
  gint64 rest = (ABS(value - decimal) % (2 * block)) % block + 10 * power(36, width - 1);
  for (int i = width - 1; i >= 0; i--) {
    int digit = (int)(rest % 36);
    text[i] = (char)(digit < 10 ? '0' + digit : (is_lower ? 'a' : 'A') + digit - 10);
    rest /= 36;
  }
  text[width] = '\0';
}
