/* SPDX-License-Identifier: MIT */
/* LAMMPS' text dumps, styles "atom" and "custom". Coordinates are those of the file, in the file's own frame:
 * image flags are not applied, for following molecules through the cell is the work of unwrap.h. Atoms stand
 * in the order of their ids. */
#include "data/files/error.h"
#include "data/formats/format.h"
#include "lammps_atoms.h"
#include "lammps_dump.h"
#include "lammps_union.h"
#include "data/formats/text_frames.h"

#include <math.h>
#include <string.h>

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  do {
    if (!debye_text_head_next(&head, &line, &length))
      return 0;
  } while (debye_text_columns(line, length, 0, length).length == 0);
  static const char *const first_items[] = {"TIMESTEP", "UNITS", "TIME"};
  DebyeTextField rest = debye_text_columns(line, length, 5, length);
  for (gsize i = 0; debye_lammps_is_item(line, length) && i < G_N_ELEMENTS(first_items); i++)
    if (debye_text_field_is(rest, first_items[i]))
      return 95;
  return 0;
}

/* --- Walking from frame to frame --- */

/* What is told of a file once, however many frames it concerns. */
typedef struct {
  gsize n_without_box, first_without_box;
  gboolean is_partly_periodic, lacks_ids, has_ids;
} Oddities;

/* Where the file ends within its last line, that frame isn't whole. */
static gboolean
check_last_line(const DebyeLineReader *lines, gsize n_columns, GError **error)
{
  DebyeTextField fields[DEBYE_LAMMPS_MAX_COLUMNS];
  if (lines->next_offset < debye_input_get_size(lines->input) ||
      debye_text_split(lines->text, lines->length, fields, n_columns) == n_columns)
    return TRUE;
  return debye_text_set_truncated(lines, error, "a whole atom");
}

static gboolean
skip_atoms(DebyeLineReader *lines, const DebyeLammpsDumpHead *head, DebyeProgressFunc progress, gpointer data,
           GError **error)
{
  gsize n_atoms = head->n_atoms;
  for (gsize i = 0; i < n_atoms; i++) {
    if (!debye_text_require_line(lines, "an atom", error) || !debye_text_report(lines, progress, data, error))
      return FALSE;
    if (debye_lammps_is_item(lines->text, lines->length))
      return debye_line_reader_set_error(
          lines, error, DEBYE_ERROR_SYNTAX,
          "expected %" G_GSIZE_FORMAT " atoms in the frame, found %" G_GSIZE_FORMAT, n_atoms, i);
  }
  return check_last_line(lines, head->columns.n_columns, error);
}

static void
note_oddities(Oddities *oddities, const DebyeLammpsDumpHead *head, gsize frame)
{
  int n_periodic = head->is_periodic[0] + head->is_periodic[1] + head->is_periodic[2];
  if (!head->box.is_valid && oddities->n_without_box++ == 0)
    oddities->first_without_box = frame;
  oddities->is_partly_periodic |= n_periodic == 1 || n_periodic == 2;
  oddities->lacks_ids |= !head->columns.has[DEBYE_LAMMPS_ID];
  oddities->has_ids |= head->columns.has[DEBYE_LAMMPS_ID];
}

static void
warn_of_oddities(const Oddities *oddities, gboolean uses_labels, DebyeFrameIndex *index)
{
  if (oddities->n_without_box > 0)
    debye_frame_index_warn(index,
                           "the box of %" G_GSIZE_FORMAT " frames has no volume (frame %" G_GSIZE_FORMAT
                           " is the first): they have no cell",
                           oddities->n_without_box, oddities->first_without_box);
  if (oddities->is_partly_periodic)
    debye_frame_index_warn(index, "the box isn't periodic along all its edges: distances assume that it is");
  if (!oddities->lacks_ids || index->offsets->len <= 1)
    return;
  if (uses_labels)
    debye_frame_index_warn(
        index, "the atoms have no ids: assuming those of a type have the same order in every frame");
  else
    debye_frame_index_warn(index, "the atoms have no ids: assuming the same order in every frame");
}

/* How many atoms there are in all frames together, by their ids or, without ids, by their labels. FALSE with an error, or
 * without one where some frames have ids and others don't. */
static gboolean
count_all_atoms(const DebyeLammpsUnion *wanted, DebyeInput *input, const Oddities *oddities, gsize *n_atoms,
                GError **error)
{
  if (oddities->lacks_ids && oddities->has_ids)
    return FALSE;
  if (oddities->has_ids) {
    g_autoptr(DebyeLammpsIds) ids = debye_lammps_union_find(wanted, input, n_atoms, error);
    return ids != NULL;
  }
  g_autoptr(DebyeAtomLabels) labels = debye_lammps_union_find_labels(wanted, input, error);
  *n_atoms = labels != NULL ? debye_atom_labels_get_n_atoms(labels) : 0;
  return labels != NULL;
}

/* Where the number of atoms changes all frames are used, and the trajectory has the atoms of any; if it can't be told who is
 * who, frames with other atoms than the first one's number are left out. */
static gboolean
take_all_frames(DebyeInput *input, const Oddities *oddities, DebyeTextFrames *frames, DebyeFrameIndex *index,
                DebyeProgressFunc progress, gpointer data, GError **error)
{
  const DebyeLammpsUnion wanted = {
      .n_frames = frames->offsets->len, .n_atoms = G_MAXSIZE, .progress = progress, .progress_data = data};
  gsize n_atoms;
  g_autoptr(GError) problem = NULL;
  if (frames->n_others == 0)
    return TRUE;
  if (count_all_atoms(&wanted, input, oddities, &n_atoms, &problem)) {
    debye_text_use_all_frames(frames, index, n_atoms, !oddities->has_ids);
    return TRUE;
  }
  if (!g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    if (problem != NULL)
      debye_text_warn_of_odd_frames(index, problem);
    return TRUE;
  }
  g_propagate_error(error, g_steal_pointer(&problem));
  return FALSE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(guint64));
  DebyeTextFrames frames = {.offsets = offsets};
  DebyeLammpsDumpHead head = {0};
  Oddities oddities = {0};
  GError *problem = NULL;
  while (debye_lammps_dump_read_head(&lines, &head, &problem) &&
         skip_atoms(&lines, &head, progress, data, &problem)) {
    note_oddities(&oddities, &head, frames.n_frames);
    debye_text_add_frame(&frames, index, head.offset, head.n_atoms, head.time);
  }
  if (!take_all_frames(input, &oddities, &frames, index, progress, data, error)) {
    g_clear_error(&problem);
    return FALSE;
  }
  if (!debye_text_end_frames(&frames, index, input, problem, error))
    return FALSE;
  warn_of_oddities(&oddities, index->has_odd_frames && frames.n_others == 0 && !oddities.has_ids, index);
  return TRUE;
}

static gboolean
require_head(DebyeLineReader *lines, DebyeLammpsDumpHead *head, GError **error)
{
  GError *problem = NULL;
  if (debye_lammps_dump_read_head(lines, head, &problem))
    return TRUE;
  if (problem == NULL)
    debye_text_set_truncated(lines, error, "ITEM: TIMESTEP");
  else
    g_propagate_error(error, problem);
  return FALSE;
}

/* --- The topology --- */

static gboolean
take_new_atom(const DebyeLineReader *lines, const DebyeLammpsDumpHead *head, gpointer data, GError **error)
{
  DebyeLammpsAtoms *atoms = data;
  atoms->has_molecules |= head->columns.has[DEBYE_LAMMPS_MOLECULE];
  return debye_lammps_row_read(lines, &head->columns, atoms, error);
}

/* Of the head that was read last. */
static void
warn_of_columns(const DebyeLineReader *lines, const DebyeLammpsDumpHead *head, DebyeTopologyBuilder *builder)
{
  DebyeTextField names = debye_lammps_dump_get_column_names(lines);
  g_autofree char *unused = debye_lammps_columns_list_unused(&head->columns, names.text, names.length);
  if (head->units == NULL && (head->columns.has[DEBYE_LAMMPS_VX] || !isnan(head->time)))
    debye_topology_builder_warn(builder, "the file doesn't state its units: assuming “real” (Å, fs, e)");
  if (unused != NULL)
    debye_topology_builder_warn(builder, "the columns %s of the atoms are not read", unused);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeLammpsDumpHead head = {0};
  if (!require_head(&lines, &head, error))
    return FALSE;
  warn_of_columns(&lines, &head, builder);
  g_auto(DebyeLammpsAtoms) atoms;
  debye_lammps_atoms_init(&atoms);
  atoms.has_ids = head.columns.has[DEBYE_LAMMPS_ID];
  atoms.has_molecules = head.columns.has[DEBYE_LAMMPS_MOLECULE];
  for (gsize i = 0; i < head.n_atoms; i++)
    if (!debye_text_require_line(&lines, "an atom", error) ||
        !debye_lammps_row_read(&lines, &head.columns, &atoms, error))
      return FALSE;
  debye_lammps_atoms_build(&atoms, head.units, builder);
  return TRUE;
}

/* Each atom as the first frame that has it describes it. */
static gboolean
read_all_atoms(DebyeInput *input, gsize n_atoms, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeLammpsDumpHead head = {0};
  if (!require_head(&lines, &head, error))
    return FALSE;
  g_auto(DebyeLammpsAtoms) atoms;
  debye_lammps_atoms_init(&atoms);
  atoms.has_ids = head.columns.has[DEBYE_LAMMPS_ID];
  const DebyeLammpsUnion wanted = {
      .n_frames = G_MAXSIZE, .n_atoms = n_atoms, .take = take_new_atom, .data = &atoms};
  const Oddities oddities = {.has_ids = atoms.has_ids};
  gsize n_found;
  if (!count_all_atoms(&wanted, input, &oddities, &n_found, error))
    return FALSE;
  if (n_found != n_atoms)
    return debye_input_set_changed(input, error);
  warn_of_columns(&lines, &head, builder);
  debye_lammps_atoms_build(&atoms, head.units, builder);
  return TRUE;
}

/* --- Coordinates --- */

typedef struct {
  DebyeLammpsIds *ids; /* of all atoms; NULL: the first frame has none */
  gboolean by_order;   /* the first frame has all atoms, and one with all has them in its order or by ids */
  DebyeAtomLabels *labels;       /* of frames without ids that lack atoms; NULL: none was met */
  const DebyeLammpsUnits *units; /* as the first frame states them */
  guint32 *last_seen;            /* an atom's last frame, so that an id that comes twice is found */
  guint32 n_read;
} Reader;

static void
reader_free(gpointer data)
{
  Reader *reader = data;
  g_clear_pointer(&reader->ids, debye_lammps_ids_free);
  g_clear_pointer(&reader->labels, debye_atom_labels_free);
  g_free(reader->last_seen);
  g_free(reader);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reader, reader_free)

static gboolean
read_ids(Reader *reader, DebyeLineReader *lines, const DebyeLammpsDumpHead *head, GError **error)
{
  g_autofree gint64 *ids = g_new(gint64, head->n_atoms);
  gint64 twice;
  for (gsize i = 0; i < head->n_atoms; i++)
    if (!debye_text_require_line(lines, "an atom", error) ||
        !debye_lammps_read_id(lines, &head->columns, &ids[i], error))
      return FALSE;
  reader->ids = debye_lammps_ids_new(ids, head->n_atoms, &twice);
  if (reader->ids != NULL)
    return TRUE;
  return debye_input_set_error(lines->input, error, DEBYE_ERROR_SYNTAX,
                               "frame 0: expected each atom once, found the id %" G_GINT64_FORMAT " twice",
                               twice);
}

/* Of a file whose first frame hasn't all of them. */
static gboolean
find_ids(Reader *reader, DebyeInput *input, gsize n_atoms, GError **error)
{
  const DebyeLammpsUnion wanted = {.n_frames = G_MAXSIZE, .n_atoms = n_atoms};
  gsize n_found;
  reader->ids = debye_lammps_union_find(&wanted, input, &n_found, error);
  if (reader->ids == NULL)
    return FALSE;
  return n_found == n_atoms || debye_input_set_changed(input, error);
}

static gboolean
find_labels(Reader *reader, DebyeInput *input, gsize n_atoms, GError **error)
{
  const DebyeLammpsUnion wanted = {.n_frames = G_MAXSIZE, .n_atoms = n_atoms};
  reader->labels = debye_lammps_union_find_labels(&wanted, input, error);
  if (reader->labels == NULL)
    return FALSE;
  return debye_atom_labels_get_n_atoms(reader->labels) == n_atoms || debye_input_set_changed(input, error);
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autoptr(Reader) reader = g_new0(Reader, 1);
  DebyeLammpsDumpHead head = {0};
  if (!require_head(&lines, &head, error))
    return NULL;
  reader->units = head.units;
  gboolean has_ids = head.columns.has[DEBYE_LAMMPS_ID];
  gboolean lacks_atoms = head.n_atoms < index->n_atoms;
  if (!lacks_atoms && !debye_text_require_n_atoms(&lines, index->n_atoms, head.n_atoms, error))
    return NULL;
  reader->by_order = !lacks_atoms;
  if (has_ids && !(lacks_atoms ? find_ids(reader, input, index->n_atoms, error)
                               : read_ids(reader, &lines, &head, error)))
    return NULL;
  if (has_ids)
    reader->last_seen = g_new0(guint32, index->n_atoms);
  return g_steal_pointer(&reader);
}

/* Where the atom of the current line belongs. */
static gboolean
find_place(Reader *reader, const DebyeLineReader *lines, gint64 id, gsize *place, GError **error)
{
  guint32 atom = debye_lammps_ids_find(reader->ids, id);
  gboolean is_known = atom != DEBYE_LAMMPS_NO_ATOM;
  if (is_known && reader->last_seen[atom] != reader->n_read) {
    reader->last_seen[atom] = reader->n_read;
    *place = atom;
    return TRUE;
  }
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_MISMATCH,
      "expected the atoms of the first frame, each once, found the id %" G_GINT64_FORMAT " %s", id,
      is_known ? "again" : "that isn't among them");
}

static gboolean
read_atom(Reader *reader, const DebyeLineReader *lines, const DebyeLammpsColumns *columns, double numbers[6],
          gsize *place, GError **error)
{
  static const char *const names[6] = {"x", "y", "z", "vx", "vy", "vz"};
  const char *cursor = lines->text;
  for (gsize column = 0; column < columns->n_columns; column++) {
    DebyeLammpsField which = columns->fields[column];
    DebyeTextField field;
    gint64 id;
    if (!debye_lammps_require_field(lines, columns, &cursor, column, &field, error))
      return FALSE;
    if (which >= DEBYE_LAMMPS_X) {
      int axis = which - DEBYE_LAMMPS_X;
      if (!debye_text_require_double(lines, field, names[axis], &numbers[axis], error))
        return FALSE;
    } else if (which == DEBYE_LAMMPS_ID && reader->ids != NULL) {
      if (!debye_text_require_int(lines, field, "the id", &id, error) ||
          !find_place(reader, lines, id, place, error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
needs_labels(const Reader *reader, const DebyeLammpsDumpHead *head, const DebyeFrame *frame)
{
  return reader->ids == NULL && !(reader->by_order && head->n_atoms == frame->n_atoms);
}

static gboolean
prepare_frame(Reader *reader, const DebyeLineReader *lines, const DebyeLammpsDumpHead *head,
              DebyeFrame *frame, GError **error)
{
  const DebyeLammpsColumns *columns = &head->columns;
  gboolean lacks_atoms = head->n_atoms < frame->n_atoms;
  if (!lacks_atoms && !debye_text_require_n_atoms(lines, frame->n_atoms, head->n_atoms, error))
    return FALSE;
  if (reader->ids != NULL && !columns->has[DEBYE_LAMMPS_ID])
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_MISMATCH,
                                       "expected a column id as in the first frame, found none");
  if (needs_labels(reader, head, frame) && reader->labels == NULL &&
      !find_labels(reader, lines->input, frame->n_atoms, error))
    return FALSE;
  if (columns->is_scaled && !head->box.is_valid)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_VALUE,
                                       "expected a box for the scaled coordinates, found one without volume");
  gboolean has_velocities = columns->has[DEBYE_LAMMPS_VX] && columns->has[DEBYE_LAMMPS_VY] &&
                            columns->has[DEBYE_LAMMPS_VZ] &&
                            !isnan(debye_lammps_dump_get_units(head)->velocity);
  if (has_velocities && !debye_frame_add_velocities(frame))
    return debye_error_set_memory(error, debye_input_get_name(lines->input), frame->n_atoms, "velocities");
  frame->cell = head->box.cell;
  frame->cell_origin = head->box.origin;
  frame->has_cell =
      head->box.is_valid && (head->is_periodic[0] || head->is_periodic[1] || head->is_periodic[2]);
  frame->step = head->step;
  frame->time = head->time;
  return TRUE;
}

static void
store_atom(const DebyeLammpsDumpHead *head, const double numbers[6], DebyeFrame *frame, gsize place)
{
  const DebyeLammpsUnits *units = debye_lammps_dump_get_units(head);
  DebyeVec3 p = debye_vec3(numbers[0], numbers[1], numbers[2]);
  p = head->columns.is_scaled ? debye_lammps_box_from_scaled(&head->box, p)
                              : debye_vec3_scale(p, units->length);
  debye_frame_set_position(frame, place, p);
  if (frame->vx == NULL)
    return;
  frame->vx[place] = (float)(numbers[3] * units->velocity);
  frame->vy[place] = (float)(numbers[4] * units->velocity);
  frame->vz[place] = (float)(numbers[5] * units->velocity);
}

/* Of an atom without an id, in a frame that may lack others. */
static gboolean
find_labelled_place(Reader *reader, const DebyeLineReader *lines, const DebyeLammpsColumns *columns,
                    gsize *place, GError **error)
{
  DebyeTextField label;
  if (!debye_lammps_read_label(lines, columns, &label, error))
    return FALSE;
  *place = debye_atom_labels_find(reader->labels, label);
  return *place != DEBYE_ATOM_LABELS_NO_ATOM || debye_input_set_changed(lines->input, error);
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  Reader *reader = state;
  DebyeLammpsDumpHead head = {.units = reader->units};
  if (!require_head(lines, &head, error) || !prepare_frame(reader, lines, &head, frame, error))
    return FALSE;
  reader->n_read++;
  if (head.n_atoms < frame->n_atoms)
    debye_text_empty_frame(frame);
  const gboolean by_labels = needs_labels(reader, &head, frame);
  if (by_labels)
    debye_atom_labels_begin_frame(reader->labels);
  frame->n_absent = frame->n_atoms - head.n_atoms;
  for (gsize i = 0; i < head.n_atoms; i++) {
    double numbers[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    gsize place = i;
    if (!debye_text_require_line(lines, "an atom", error) ||
        !read_atom(reader, lines, &head.columns, numbers, &place, error) ||
        (by_labels && !find_labelled_place(reader, lines, &head.columns, &place, error)))
      return FALSE;
    store_atom(&head, numbers, frame, place);
  }
  return TRUE;
}

DEBYE_TEXT_READ_FRAME(parse_frame)

const DebyeFormat debye_format_lmpdump = {
    .name = "lmpdump",
    .title = "LAMMPS dump",
    .suffixes = (const char *const[]){"lammpstrj", "dump", "lammpsdump", NULL},
    .is_trajectory = TRUE,
    .probe = probe,
    .read_topology = read_topology,
    .read_all_atoms = read_all_atoms,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
};
