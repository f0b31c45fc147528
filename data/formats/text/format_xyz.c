/* SPDX-License-Identifier: MIT */
/* XYZ and extended XYZ: frames of a number of atoms, a comment and the atoms, one a line. The first column is
 * an element's symbol, an atomic number, or (VMD) an atom's name. */
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/atom_labels.h"
#include "data/formats/text_frames.h"
#include "data/messages/message.h"
#include "xyz_rows.h"

#include <math.h>
#include <string.h>

/* --- Recognising it --- */

static gboolean
is_number_next(DebyeTextHead head)
{
  const char *line;
  gsize length;
  gint64 count;
  return debye_text_head_next(&head, &line, &length) && debye_xyz_read_first_number(line, length, &count);
}

/* The first frames may have no atoms. */
static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  gint64 count;
  DebyeTextField words[DEBYE_XYZ_MAX_FIELDS];
  do {
    if (!debye_text_head_next(&head, &line, &length) || !debye_xyz_read_first_number(line, length, &count) ||
        !debye_text_head_next(&head, &line, &length))
      return 0;
  } while (count == 0 && is_number_next(head));
  gboolean is_extended = g_strstr_len(line, (gssize)length, "Properties=") != NULL;
  if (!debye_text_head_next(&head, &line, &length))
    return 10;
  if (is_extended)
    return 90;
  gsize n_words = debye_text_split(line, length, words, DEBYE_XYZ_MAX_FIELDS);
  if (n_words < 4)
    return 0;
  for (gsize i = 1; i < 4; i++)
    if (!debye_text_is_number(words[i]))
      return 15;
  return 80;
}

/* --- Atoms --- */

/* A walk through the frames that numbers the atoms of all of them. */
typedef struct {
  gsize n_frames, n_atoms;       /* that are looked at (empty ones aside), and that are enough, at most */
  DebyeTopologyBuilder *builder; /* gets each atom where it is met first; NULL: they are only counted */
  /* Files of VMD have atom names where symbols belong, and "CA" is a carbon then. Names give themselves away: one of them is
   * no symbol. Found where atoms are counted, used by the builder. */
  gboolean all_symbols;
  DebyeProgressFunc progress; /* NULL: nobody asks */
  gpointer progress_data;
  DebyeTextField *words;
  DebyeAtomLabels *labels;
} Walk;

static DebyeTextField
get_label(const DebyeXyzProperties *properties, const DebyeTextField *words)
{
  return words[properties->species >= 0 ? properties->species : MAX(properties->atomic_number, 0)];
}

static gboolean
has_symbol(const DebyeXyzProperties *properties, const DebyeTextField *words)
{
  if (properties->species < 0 || debye_xyz_read_atomic_number(words, properties) >= 0)
    return TRUE;
  const DebyeTextField species = words[properties->species];
  return debye_element_from_symbol(species.text, (gssize)species.length) != 0;
}

static gboolean
walk_row(Walk *walk, DebyeLineReader *lines, const DebyeXyzProperties *properties, GError **error)
{
  gboolean is_new;
  if (!debye_text_report(lines, walk->progress, walk->progress_data, error) ||
      !debye_xyz_require_next_atom(lines, properties, walk->words, error))
    return FALSE;
  debye_atom_labels_add(walk->labels, get_label(properties, walk->words), &is_new);
  if (is_new && walk->builder != NULL)
    debye_xyz_add_atom(walk->builder, properties, walk->words, walk->all_symbols);
  else if (is_new)
    walk->all_symbols = walk->all_symbols && has_symbol(properties, walk->words);
  return TRUE;
}

/* After a number of 0 where there are atoms all the same, the number is wrong rather than what follows. FALSE without an
 * error at the end of the file. */
static gboolean
walk_head(const Walk *walk, DebyeLineReader *lines, DebyeXyzHead *head, GError **error)
{
  const gboolean is_first = lines->next_number == 1;
  GError *problem = NULL;
  if (debye_xyz_read_head(lines, head, &problem))
    return TRUE;
  if (problem != NULL && !is_first && debye_atom_labels_get_n_atoms(walk->labels) == 0 &&
      g_error_matches(problem, DEBYE_ERROR, DEBYE_ERROR_SYNTAX)) {
    g_clear_error(&problem);
    debye_line_reader_set_error(lines, &problem, DEBYE_ERROR_SYNTAX, "expected atoms, found a count of 0");
  }
  if (problem != NULL)
    g_propagate_error(error, problem);
  return FALSE;
}

/* FALSE without an error at the end of the file. */
static gboolean
walk_frame(Walk *walk, DebyeLineReader *lines, gsize *n_seen, GError **error)
{
  DebyeXyzHead head;
  if (!walk_head(walk, lines, &head, error))
    return FALSE;
  if (walk->builder != NULL && debye_atom_labels_get_n_atoms(walk->labels) == 0)
    debye_topology_builder_set_title(walk->builder, lines->text, (gssize)lines->length);
  debye_atom_labels_begin_frame(walk->labels);
  for (gsize i = 0; i < head.n_atoms; i++)
    if (!walk_row(walk, lines, &head.properties, error))
      return FALSE;
  *n_seen += head.n_atoms > 0;
  return TRUE;
}

/* Fills walk->labels. FALSE with an error. */
static gboolean
walk_frames(Walk *walk, DebyeInput *input, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autofree DebyeTextField *words = walk->words = g_new(DebyeTextField, DEBYE_XYZ_MAX_FIELDS);
  GError *problem = NULL;
  for (gsize i = 0; i < walk->n_frames && debye_atom_labels_get_n_atoms(walk->labels) < walk->n_atoms;)
    if (!walk_frame(walk, &lines, &i, &problem))
      break;
  if (problem != NULL)
    g_propagate_error(error, problem);
  return problem == NULL;
}

/* Each atom as the first of those frames that has it describes it. */
static gboolean
read_atoms(DebyeInput *input, gsize n_frames, gsize n_atoms, DebyeTopologyBuilder *builder, GError **error)
{
  g_autoptr(DebyeAtomLabels) counted = debye_atom_labels_new(), labels = debye_atom_labels_new();
  Walk walk = {.n_frames = n_frames, .n_atoms = n_atoms, .all_symbols = TRUE, .labels = counted};
  if (!walk_frames(&walk, input, error))
    return FALSE;
  walk.builder = builder;
  walk.labels = labels;
  if (!walk_frames(&walk, input, error))
    return FALSE;
  if (debye_atom_labels_get_n_atoms(labels) != debye_atom_labels_get_n_atoms(counted))
    return debye_input_set_changed(input, error);
  if (debye_atom_labels_get_n_atoms(labels) > 0)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "expected atoms, found none");
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  return read_atoms(input, 1, G_MAXSIZE, builder, error);
}

static gboolean
read_all_atoms(DebyeInput *input, gsize n_atoms, DebyeTopologyBuilder *builder, GError **error)
{
  return read_atoms(input, G_MAXSIZE, n_atoms, builder, error);
}

/* --- Frames --- */

/* Where the number of atoms changes all frames are used, and the trajectory has the atoms of any. */
static gboolean
take_all_frames(DebyeInput *input, DebyeTextFrames *frames, DebyeFrameIndex *index,
                DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_autoptr(DebyeAtomLabels) labels = debye_atom_labels_new();
  g_autoptr(GError) problem = NULL;
  Walk walk = {.n_frames = frames->offsets->len,
               .n_atoms = G_MAXSIZE,
               .progress = progress,
               .progress_data = data,
               .labels = labels};
  if (frames->n_others == 0)
    return TRUE;
  if (walk_frames(&walk, input, &problem)) {
    debye_text_use_all_frames(frames, index, debye_atom_labels_get_n_atoms(labels), TRUE);
    return TRUE;
  }
  if (!g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
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
  DebyeXyzHead head;
  GError *problem = NULL;
  while (debye_xyz_read_head(&lines, &head, &problem) &&
         debye_text_skip_lines(&lines, head.n_atoms, "an atom", progress, data, &problem))
    debye_text_add_frame(&frames, index, head.offset, head.n_atoms, NAN);
  if (take_all_frames(input, &frames, index, progress, data, error))
    return debye_text_end_frames(&frames, index, input, problem, error);
  g_clear_error(&problem);
  return FALSE;
}

/* --- Coordinates --- */

typedef struct {
  DebyeTextField *words;
  gboolean by_order;       /* the first frame has all atoms, and a frame with all has them in its order */
  DebyeAtomLabels *labels; /* NULL: no frame was met that needs them */
} Reader;

static gboolean
find_labels(Reader *reader, DebyeInput *input, gsize n_atoms, GError **error)
{
  g_autoptr(DebyeAtomLabels) labels = debye_atom_labels_new();
  Walk walk = {.n_frames = G_MAXSIZE, .n_atoms = n_atoms, .labels = labels};
  if (!walk_frames(&walk, input, error))
    return FALSE;
  if (debye_atom_labels_get_n_atoms(labels) != n_atoms)
    return debye_input_set_changed(input, error);
  reader->labels = g_steal_pointer(&labels);
  return TRUE;
}

/* For a frame whose atoms stand in their own order. */
static gboolean
prepare_labels(Reader *reader, const DebyeLineReader *lines, const DebyeXyzHead *head, DebyeFrame *frame,
               GError **error)
{
  if (head->n_atoms > frame->n_atoms)
    return debye_text_require_n_atoms(lines, frame->n_atoms, head->n_atoms, error);
  if (reader->labels == NULL && !find_labels(reader, lines->input, frame->n_atoms, error))
    return FALSE;
  debye_atom_labels_begin_frame(reader->labels);
  debye_text_empty_frame(frame);
  return TRUE;
}

static gboolean
find_place(const Reader *reader, const DebyeLineReader *lines, const DebyeXyzProperties *properties,
           gsize *place, GError **error)
{
  const DebyeTextField label = get_label(properties, reader->words);
  const guint32 atom = debye_atom_labels_find(reader->labels, label);
  *place = atom;
  return atom != DEBYE_ATOM_LABELS_NO_ATOM || debye_input_set_changed(lines->input, error);
}

static gboolean
read_position(const Reader *reader, const DebyeLineReader *lines, int column, float *const position[3],
              gsize place, GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; axis++) {
    double value;
    if (!debye_text_require_double(lines, reader->words[column + axis], axes[axis], &value, error))
      return FALSE;
    position[axis][place] = (float)value;
  }
  return TRUE;
}

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  Reader *reader = state;
  DebyeXyzHead head;
  float *const position[] = {frame->x, frame->y, frame->z};
  if (!debye_xyz_read_head(lines, &head, error))
    return FALSE;
  const gboolean in_order = reader->by_order && head.n_atoms == frame->n_atoms;
  if (!in_order && !prepare_labels(reader, lines, &head, frame, error))
    return FALSE;
  frame->cell = head.properties.cell;
  frame->has_cell = head.properties.has_cell;
  frame->n_absent = frame->n_atoms - head.n_atoms;
  for (gsize i = 0; i < head.n_atoms; i++) {
    gsize place = i;
    if (!debye_xyz_require_next_atom(lines, &head.properties, reader->words, error) ||
        (!in_order && !find_place(reader, lines, &head.properties, &place, error)) ||
        !read_position(reader, lines, head.properties.position, position, place, error))
      return FALSE;
  }
  return TRUE;
}

static void
reader_free(gpointer data)
{
  Reader *reader = data;
  g_clear_pointer(&reader->labels, debye_atom_labels_free);
  g_free(reader->words);
  g_free(reader);
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeXyzHead head;
  if (!debye_xyz_require_head(&lines, &head, error))
    return NULL;
  Reader *reader = g_new0(Reader, 1);
  reader->words = g_new(DebyeTextField, DEBYE_XYZ_MAX_FIELDS);
  reader->by_order = head.n_atoms == index->n_atoms;
  return reader;
}

DEBYE_TEXT_READ_FRAME(parse_frame)

/* --- Writing --- */

static gpointer
writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames, GError **error)
{
  return debye_text_output_new(stream, topology, n_atoms, n_frames,
                               N_("XYZ files need the elements of the atoms they hold"), error);
}

static void
write_comment(const DebyeTextOutput *writer, const DebyeFrame *frame)
{
  const DebyeCell *c = &frame->cell;
  const double numbers[9] = {c->a.x, c->a.y, c->a.z, c->b.x, c->b.y, c->b.z, c->c.x, c->c.y, c->c.z};
  if (frame->has_cell) {
    debye_text_writer_put_string(writer->text, "Lattice=\"");
    for (int i = 0; i < 9; i++) {
      debye_text_writer_put(writer->text, " ", i > 0 ? 1 : 0);
      debye_text_writer_put_double(writer->text, numbers[i]);
    }
    debye_text_writer_put_string(writer->text, "\" ");
  }
  debye_text_writer_put_string(writer->text, "Properties=species:S:1:pos:R:3");
  if (debye_topology_get_charges(writer->topology) != NULL)
    debye_text_writer_put_string(writer->text, ":charge:R:1");
  debye_text_writer_put_string(writer->text, frame->has_cell ? " pbc=\"T T T\"" : " pbc=\"F F F\"");
  if (writer->n_written == 0 && writer->n_frames > 1)
    debye_text_put_room(writer->text, writer->n_frames);
  debye_text_writer_put_string(writer->text, "\n");
}

/* The symbol; where the element isn't known the atom's name, as one word. */
static void
write_species(const DebyeTextOutput *writer, gsize atom)
{
  guint8 element = debye_topology_get_elements(writer->topology)[atom];
  const DebyeStringPool *pool = debye_topology_get_string_pool(writer->topology);
  const char *name = debye_string_pool_get(pool, debye_topology_get_names(writer->topology)[atom]);
  gboolean is_word = name[0] != '\0' && strpbrk(name, " \t") == NULL && !g_ascii_isdigit(name[0]);
  const char *unknown = is_word ? name : debye_element_get(0)->symbol;
  debye_text_put_padded(writer->text, element != 0 ? debye_element_get(element)->symbol : unknown, -4);
}

static gboolean
write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  DebyeTextOutput *writer = data;
  const float *charges = debye_topology_get_charges(writer->topology);
  (void)error;
  debye_text_put_formatted(writer->text, "%" G_GSIZE_FORMAT "\n", frame->n_atoms);
  write_comment(writer, frame);
  for (gsize atom = 0; atom < frame->n_atoms; atom++) {
    const float values[] = {frame->x[atom], frame->y[atom], frame->z[atom],
                            charges != NULL ? charges[atom] : 0.0F};
    write_species(writer, atom);
    for (int i = 0; i < (charges != NULL ? 4 : 3); i++) {
      debye_text_writer_put_string(writer->text, " ");
      debye_text_writer_put_float(writer->text, values[i]);
    }
    debye_text_writer_put_string(writer->text, "\n");
  }
  writer->n_written++;
  return TRUE;
}

const DebyeFormat debye_format_xyz = {
    .name = "xyz",
    .title = "XYZ and extended XYZ",
    .suffixes = (const char *const[]){"xyz", "extxyz", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .read_all_atoms = read_all_atoms,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = reader_free,
    .write_flags = DEBYE_WRITE_MANY | DEBYE_WRITE_CHARGES,
    .writer_new = writer_new,
    .write_frame = write_frame,
    .writer_finish = debye_text_output_finish,
};
