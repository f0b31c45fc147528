/* SPDX-License-Identifier: MIT */
/* XYZ and extended XYZ: frames of a number of atoms, a comment and the atoms, one a line. The first column is
 * an element's symbol, an atomic number, or (VMD) an atom's name. */
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/formats/text_frames.h"
#include "xyz_properties.h"

#include <math.h>
#include <string.h>

/* "X 0 0 0" and its end: no atom takes less. */
#define LEAST_BYTES_OF_ATOM 8
#define MAX_FIELDS 1001

/* --- Recognising it --- */

/* "  5", "  5   # atoms": the number, with nothing or a remark behind it. */
static gboolean
read_first_number(const char *line, gsize length, gint64 *count)
{
  DebyeTextField words[2];
  gsize n = debye_text_split(line, length, words, G_N_ELEMENTS(words));
  if (n == 0 || !debye_text_to_int(words[0].text, words[0].length, count))
    return FALSE;
  return n == 1 || !debye_text_is_number(words[1]);
}

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  gint64 count;
  DebyeTextField words[MAX_FIELDS];
  if (!debye_text_head_next(&head, &line, &length) || !read_first_number(line, length, &count) ||
      !debye_text_head_next(&head, &line, &length))
    return 0;
  gboolean is_extended = g_strstr_len(line, (gssize)length, "Properties=") != NULL;
  if (!debye_text_head_next(&head, &line, &length))
    return 10;
  if (is_extended)
    return 90;
  gsize n_words = debye_text_split(line, length, words, MAX_FIELDS);
  if (n_words < 4)
    return 0;
  for (gsize i = 1; i < 4; i++)
    if (!debye_text_is_number(words[i]))
      return 15;
  return 80;
}

/* --- Walking from frame to frame --- */

typedef struct {
  guint64 offset;
  gsize n_atoms;
  DebyeXyzProperties properties;
} FrameHead;

static gboolean
read_count(DebyeLineReader *lines, gsize *n_atoms, GError **error)
{
  gint64 count;
  DebyeTextField field = debye_text_line(lines);
  if (read_first_number(lines->text, lines->length, &count))
    debye_text_split(lines->text, lines->length, &field, 1);
  return debye_text_require_count(lines, field, "atoms", LEAST_BYTES_OF_ATOM, n_atoms, error);
}

/* The count and the comment; blank lines between frames and at the end are passed. FALSE without an error at
 * the end. */
static gboolean
read_head(DebyeLineReader *lines, FrameHead *head, GError **error)
{
  do {
    if (!debye_line_reader_next(lines, error))
      return FALSE;
  } while (debye_text_line_is_blank(lines));
  head->offset = lines->offset;
  if (!read_count(lines, &head->n_atoms, error) || !debye_text_require_line(lines, "a comment", error))
    return FALSE;
  g_autofree char *reason = NULL;
  if (debye_xyz_properties_read(&head->properties, lines->text, lines->length, &reason))
    return TRUE;
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "%s", reason);
  return FALSE;
}

static gboolean
require_head(DebyeLineReader *lines, FrameHead *head, GError **error)
{
  GError *problem = NULL;
  if (read_head(lines, head, &problem))
    return TRUE;
  if (problem == NULL)
    debye_text_set_truncated(lines, error, "the number of atoms");
  else
    g_propagate_error(error, problem);
  return FALSE;
}

static gboolean
index_frames(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress, gpointer data,
             GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  DebyeTextFrames frames = {0};
  FrameHead head;
  GError *problem = NULL;
  while (read_head(&lines, &head, &problem) &&
         debye_text_skip_lines(&lines, head.n_atoms, "an atom", progress, data, &problem))
    debye_text_add_frame(&frames, index, head.offset, head.n_atoms, NAN);
  return debye_text_end_frames(&frames, index, input, problem, error);
}

/* --- Atoms --- */

/* Splits an atom's line, which must have the columns that the comment promises. */
static gboolean
split_atom(const DebyeLineReader *lines, const DebyeXyzProperties *properties, DebyeTextField *words,
           GError **error)
{
  gsize needed = (gsize)properties->n_columns;
  gsize n = debye_text_split(lines->text, lines->length, words, MIN(needed, MAX_FIELDS));
  if (n == needed)
    return TRUE;
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                              "expected an atom with %" G_GSIZE_FORMAT " fields, found %" G_GSIZE_FORMAT,
                              needed, n);
  return FALSE;
}

static gboolean
require_next_atom(DebyeLineReader *lines, const DebyeXyzProperties *properties, DebyeTextField *words,
                  GError **error)
{
  return debye_text_require_line(lines, "an atom", error) && split_atom(lines, properties, words, error);
}

static double
read_column(const DebyeTextField *words, int column)
{
  double value;
  if (column < 0 || !debye_text_to_double(words[column].text, words[column].length, &value) ||
      !isfinite(value))
    return NAN;
  return value;
}

static int
read_atomic_number(const DebyeTextField *words, const DebyeXyzProperties *properties)
{
  int columns[] = {properties->atomic_number, properties->species};
  for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
    gint64 number;
    if (columns[i] >= 0 && debye_text_to_int(words[columns[i]].text, words[columns[i]].length, &number) &&
        number >= 0 && number < DEBYE_N_ELEMENTS)
      return (int)number;
  }
  return -1;
}

/* Files of VMD have atom names where symbols belong, and "CA" is a carbon then. Names give themselves away:
 * one of them is no symbol. */
static gboolean
are_all_symbols(DebyeInput *input, gboolean *all_symbols, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autofree DebyeTextField *words = g_new(DebyeTextField, MAX_FIELDS);
  FrameHead head;
  *all_symbols = TRUE;
  if (!require_head(&lines, &head, error))
    return FALSE;
  for (gsize i = 0; i < head.n_atoms && *all_symbols && head.properties.species >= 0; i++) {
    if (!require_next_atom(&lines, &head.properties, words, error))
      return FALSE;
    DebyeTextField species = words[head.properties.species];
    *all_symbols = read_atomic_number(words, &head.properties) >= 0 ||
                   debye_element_from_symbol(species.text, (gssize)species.length) != 0;
  }
  return TRUE;
}

static void
add_atom(DebyeTopologyBuilder *builder, const DebyeXyzProperties *properties, const DebyeTextField *words,
         gboolean all_symbols)
{
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.atomic_number = read_atomic_number(words, properties);
  atom.mass = read_column(words, properties->mass);
  atom.charge = read_column(words, properties->charge);
  if (properties->species >= 0 && debye_text_is_number(words[properties->species])) {
    atom.name = debye_element_get((guint8)MAX(atom.atomic_number, 0))->symbol;
  } else if (properties->species >= 0) {
    atom.name = words[properties->species].text;
    atom.name_length = (gssize)words[properties->species].length;
    atom.element = all_symbols ? atom.name : NULL;
    atom.element_length = atom.name_length;
  }
  debye_topology_builder_add_atom(builder, &atom);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  gboolean all_symbols;
  if (!are_all_symbols(input, &all_symbols, error))
    return FALSE;
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autofree DebyeTextField *words = g_new(DebyeTextField, MAX_FIELDS);
  FrameHead head;
  if (!require_head(&lines, &head, error))
    return FALSE;
  debye_topology_builder_set_title(builder, lines.text, (gssize)lines.length);
  if (head.n_atoms == 0) {
    debye_line_reader_set_error(&lines, error, DEBYE_ERROR_SYNTAX, "expected atoms, found a number of 0");
    return FALSE;
  }
  for (gsize i = 0; i < head.n_atoms; i++) {
    if (!require_next_atom(&lines, &head.properties, words, error))
      return FALSE;
    add_atom(builder, &head.properties, words, all_symbols);
  }
  return TRUE;
}

/* --- Coordinates --- */

static gboolean
parse_frame(DebyeLineReader *lines, gpointer state, DebyeFrame *frame, GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  DebyeTextField *words = state;
  FrameHead head;
  float *const position[] = {frame->x, frame->y, frame->z};
  if (!read_head(lines, &head, error) ||
      !debye_text_require_n_atoms(lines, frame->n_atoms, head.n_atoms, error))
    return FALSE;
  frame->cell = head.properties.cell;
  frame->has_cell = head.properties.has_cell;
  for (gsize i = 0; i < head.n_atoms; i++) {
    if (!require_next_atom(lines, &head.properties, words, error))
      return FALSE;
    for (int axis = 0; axis < 3; axis++) {
      double value;
      if (!debye_text_require_double(lines, words[head.properties.position + axis], axes[axis], &value,
                                     error))
        return FALSE;
      position[axis][i] = (float)value;
    }
  }
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  (void)input;
  (void)index;
  (void)error;
  return g_new(DebyeTextField, MAX_FIELDS);
}

static gboolean
read_frame(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
           DebyeFrame *frame, GError **error)
{
  return debye_text_read_frame(input, index, frame_number, parse_frame, reader, frame, error);
}

/* --- Writing --- */

typedef struct {
  DebyeTextWriter *text;
  DebyeTopology *topology;
  gsize n_frames, n_written;
} Writer;

static gpointer
writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames, GError **error)
{
  if (topology == NULL || debye_topology_get_n_atoms(topology) != n_atoms) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
                        "XYZ files need the elements of the atoms they hold");
    return NULL;
  }
  Writer *writer = g_new0(Writer, 1);
  writer->text = debye_text_writer_new(stream);
  writer->topology = g_object_ref(topology);
  writer->n_frames = n_frames;
  return writer;
}

static void
write_comment(const Writer *writer, const DebyeFrame *frame)
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
write_species(const Writer *writer, gsize atom)
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
  Writer *writer = data;
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

static gboolean
writer_finish(gpointer data, GError **error)
{
  Writer *writer = data;
  gboolean done =
      error == NULL || debye_text_finish_frames(writer->text, writer->n_written, writer->n_frames, error);
  debye_text_writer_free(writer->text);
  g_object_unref(writer->topology);
  g_free(writer);
  return done;
}

static const char *const suffixes[] = {"xyz", "extxyz", NULL};

const DebyeFormat debye_format_xyz = {
    .name = "xyz",
    .title = "XYZ and extended XYZ",
    .suffixes = suffixes,
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = index_frames,
    .reader_new = reader_new,
    .read_frame = read_frame,
    .reader_free = g_free,
    .write_flags = DEBYE_WRITE_MANY | DEBYE_WRITE_CHARGES,
    .writer_new = writer_new,
    .write_frame = write_frame,
    .writer_finish = writer_finish,
};
