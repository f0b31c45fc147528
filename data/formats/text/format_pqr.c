/* SPDX-License-Identifier: MIT */
/* PQR: PDB's records with charge and radius instead of occupancy and B factor. Fields are separated by blanks
 * (what APBS reads and PDB2PQR --whitespace writes); where columns ran into each other, PDB's columns are
 * used for the coordinates. */
#include "data/messages/message.h"
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/formats/text_frames.h"
#include "pdb_records.h"

#include <math.h>
#include <string.h>

#define MAX_FIELDS 16

typedef struct {
  DebyeTextField serial, name, residue, chain, number, element;
  DebyeTextField numbers[5]; /* x y z charge radius */
} Fields;

static gboolean
is_symbol(DebyeTextField field)
{
  return debye_element_from_symbol(field.text, (gssize)field.length) != 0;
}

/* "A123" is chain A and residue 123; "36A" a residue with an insertion code. */
static void
split_chain(Fields *fields)
{
  DebyeTextField number = fields->number;
  if (number.length < 2 || !g_ascii_isalpha(number.text[0]))
    return;
  fields->chain = (DebyeTextField){number.text, 1};
  fields->number = (DebyeTextField){number.text + 1, number.length - 1};
}

static gboolean
is_residue_number(DebyeTextField field)
{
  gint64 value;
  gsize n = field.length;
  if (n > 1 && g_ascii_isalpha(field.text[n - 1]))
    n--;
  return debye_text_to_int(field.text, n, &value);
}

/* serial name residue [chain] number */
static gboolean
take_identity(const DebyeTextField *words, gsize n, Fields *fields)
{
  if (n < 4 || n > 5)
    return FALSE;
  fields->serial = words[0];
  fields->name = words[1];
  fields->residue = words[2];
  fields->number = words[n - 1];
  if (n == 5)
    fields->chain = words[3];
  else
    split_chain(fields);
  return is_residue_number(fields->number);
}

/* The words behind ATOM or HETATM; a long serial may stand right at the record's name. */
static gsize
split_words(const char *line, gsize length, DebyeTextField words[MAX_FIELDS])
{
  gsize record = line[0] == 'H' ? 6 : 4;
  return debye_text_split(line + record, length - record, words, MAX_FIELDS);
}

static gboolean
split_by_blanks(const char *line, gsize length, Fields *fields)
{
  DebyeTextField words[MAX_FIELDS];
  gsize n = split_words(line, length, words);
  if (n >= 10 && !debye_text_is_number(words[n - 1]) && is_symbol(words[n - 1]))
    fields->element = words[--n];
  if (n < 9 || !take_identity(words, n - 5, fields))
    return FALSE;
  memcpy(fields->numbers, words + n - 5, sizeof fields->numbers);
  return TRUE;
}

static gboolean
split_by_columns(const char *line, gsize length, Fields *fields)
{
  DebyeTextField words[MAX_FIELDS];
  if (length < 54)
    return FALSE;
  for (gsize i = 0; i < 3; i++) {
    fields->numbers[i] = debye_text_columns(line, length, 30 + 8 * i, 38 + 8 * i);
    if (!debye_text_is_number(fields->numbers[i]))
      return FALSE;
  }
  gsize n = debye_text_split(line + 54, length - 54, words, MAX_FIELDS);
  if (n < 2 || (n > 2 && !is_symbol(words[2])))
    return FALSE;
  fields->numbers[3] = words[0];
  fields->numbers[4] = words[1];
  fields->element = n > 2 ? words[2] : (DebyeTextField){"", 0};
  fields->serial = debye_text_columns(line, length, 6, 11);
  fields->name = debye_text_columns(line, length, 12, 16);
  fields->residue = debye_text_columns(line, length, 17, 21);
  fields->chain = debye_text_columns(line, length, 21, 22);
  fields->number = debye_text_columns(line, length, 22, 27);
  return is_residue_number(fields->number);
}

static gboolean
are_numbers(const Fields *fields)
{
  for (gsize i = 0; i < G_N_ELEMENTS(fields->numbers); i++)
    if (!debye_text_is_number(fields->numbers[i]))
      return FALSE;
  return TRUE;
}

static gboolean
split_line(const char *line, gsize length, Fields *fields)
{
  *fields = (Fields){0};
  if (split_by_blanks(line, length, fields) && are_numbers(fields))
    return TRUE;
  Fields by_columns = {0};
  if (split_by_columns(line, length, &by_columns) && are_numbers(&by_columns)) {
    *fields = by_columns;
    return TRUE;
  }
  return FALSE;
}

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  Fields fields;
  int score = 0;
  while (debye_text_head_next(&head, &line, &length)) {
    DebyePdbRecord record = debye_pdb_get_record(line, length);
    /* A PDB file that the columns leave in doubt scores as much: then the name decides. */
    if (record == DEBYE_PDB_ATOM)
      return split_line(line, length, &fields) ? 80 : 20;
    if (length >= 6 && memcmp(line, "REMARK", 6) == 0)
      score = 30;
  }
  return score;
}

/* The fields of the current line with their five numbers, or an error that says which of them is wrong. */
static gboolean
require_fields(const DebyeLineReader *lines, Fields *fields, double numbers[5], GError **error)
{
  static const char *const names[] = {"x", "y", "z", "the charge", "the radius"};
  DebyeTextField words[MAX_FIELDS];
  split_line(lines->text, lines->length, fields);
  if (fields->numbers[0].text == NULL)
    return debye_line_reader_set_error(
        lines, error, DEBYE_ERROR_SYNTAX,
        "expected serial, name, residue, number, x, y, z, charge and radius, found %" G_GSIZE_FORMAT
        " fields that aren't these",
        split_words(lines->text, lines->length, words));
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    if (!debye_text_require_double(lines, fields->numbers[i], names[i], &numbers[i], error))
      return FALSE;
  if (isfinite(numbers[3]) && isfinite(numbers[4]) && numbers[4] >= 0.0)
    return TRUE;
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_VALUE,
      "expected a finite charge and a radius of 0 or more, found “%.*s” and “%.*s”",
      (int)fields->numbers[3].length, fields->numbers[3].text, (int)fields->numbers[4].length,
      fields->numbers[4].text);
}

/* --- The topology --- */

static void
set_residue(DebyeTopologyBuilder *builder, const Fields *fields)
{
  DebyeTextField number = fields->number;
  char insertion_code = '\0';
  gint64 value = 0;
  if (number.length > 1 && g_ascii_isalpha(number.text[number.length - 1]))
    insertion_code = number.text[--number.length];
  debye_text_to_int(number.text, number.length, &value);
  debye_topology_builder_set_residue(builder, fields->residue.text, (gssize)fields->residue.length,
                                     (gint32)CLAMP(value, G_MININT32, G_MAXINT32), insertion_code,
                                     fields->chain.text, (gssize)fields->chain.length, NULL, 0);
}

static gboolean
add_atom(const DebyeLineReader *lines, DebyeTopologyBuilder *builder, GError **error)
{
  Fields fields;
  double numbers[5];
  gint64 serial;
  if (!require_fields(lines, &fields, numbers, error))
    return FALSE;
  set_residue(builder, &fields);
  DebyeAtom atom = DEBYE_ATOM_INIT;
  atom.name = fields.name.text;
  atom.name_length = (gssize)fields.name.length;
  atom.element = fields.element.text;
  atom.element_length = (gssize)fields.element.length;
  atom.charge = numbers[3];
  atom.radius = numbers[4];
  if (debye_text_to_int(fields.serial.text, fields.serial.length, &serial) && ABS(serial) < G_MAXINT32)
    atom.serial = (gint32)serial;
  debye_topology_builder_add_atom(builder, &atom);
  return TRUE;
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  while (debye_line_reader_next(&lines, error)) {
    DebyePdbRecord record = debye_pdb_get_record(lines.text, lines.length);
    gboolean has_atoms = debye_topology_builder_get_n_atoms(builder) > 0;
    if (has_atoms && (record == DEBYE_PDB_MODEL || record == DEBYE_PDB_END_OF_MODEL))
      break;
    if (record == DEBYE_PDB_ATOM && !add_atom(&lines, builder, error))
      return FALSE;
  }
  if (lines.has_failed)
    return FALSE;
  if (debye_topology_builder_get_n_atoms(builder) > 0)
    return TRUE;
  return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                               "expected ATOM or HETATM records, found none");
}

/* --- Coordinates --- */

static gboolean
read_position(const DebyeLineReader *lines, double position[3], GError **error)
{
  Fields fields;
  double numbers[5];
  if (!require_fields(lines, &fields, numbers, error))
    return FALSE;
  memcpy(position, numbers, 3 * sizeof(double));
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  return debye_pdb_reader_new(input, index, read_position, error);
}

/* --- Writing --- */

static gpointer
writer_new(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames, GError **error)
{
  g_autoptr(DebyeTextOutput) writer = debye_text_output_new(
      stream, topology, n_atoms, n_frames, N_("PQR files need the names of the atoms they hold"), error);
  if (writer == NULL)
    return NULL;
  const gboolean has_charges = debye_topology_get_charges(topology) != NULL;
  if (has_charges && n_frames <= 1)
    return g_steal_pointer(&writer);
  debye_error_set(error, DEBYE_ERROR_MISSING, "%s",
                  has_charges ? N_("a PQR file holds one frame: choose one")
                              : N_("PQR files need charges, and no file gave them"));
  return NULL;
}

/* A field must be one word: blanks inside would make two. */
static void
write_word(DebyeTextWriter *text, const char *word, const char *otherwise, int width)
{
  g_autofree char *clean = g_strdup(word[0] != '\0' ? word : otherwise);
  for (char *c = clean; *c != '\0'; c++)
    if (g_ascii_isspace(*c))
      *c = '_';
  debye_text_put_formatted(text, " %-*s", width, clean);
}

static void
write_identity(const DebyeTextOutput *writer, gsize atom)
{
  DebyeTopology *topology = writer->topology;
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  const char *residue_name = debye_string_pool_get(pool, residue->name);
  const char *chain = debye_string_pool_get(pool, residue->chain);
  debye_text_put_formatted(writer->text, "%-6s%5" G_GSIZE_FORMAT,
                           debye_element_residue_is_biopolymer(residue_name) ? "ATOM" : "HETATM", atom + 1);
  write_word(writer->text, debye_string_pool_get(pool, debye_topology_get_names(topology)[atom]), "X", 4);
  write_word(writer->text, residue_name, "UNK", 4);
  if (chain[0] != '\0')
    write_word(writer->text, chain, "", 1);
  debye_text_put_formatted(writer->text, " %5d%c", residue->number,
                           residue->insertion_code != 0 ? residue->insertion_code : ' ');
}

static double
get_radius(DebyeTopology *topology, gsize atom)
{
  const float *radii = debye_topology_get_radii(topology);
  guint8 element = debye_topology_get_elements(topology)[atom];
  if (radii != NULL)
    return radii[atom];
  return element != 0 ? debye_element_get_radius(element, DEBYE_RADII_BONDI) : 0.0;
}

static gboolean
write_atom(const DebyeTextOutput *writer, const DebyeFrame *frame, gsize atom)
{
  const float *position[3] = {frame->x, frame->y, frame->z};
  write_identity(writer, atom);
  for (int axis = 0; axis < 3; axis++) {
    debye_text_writer_put_string(writer->text, " ");
    if (!debye_text_put_fixed(writer->text, position[axis][atom], 9, 3))
      return FALSE;
  }
  debye_text_writer_put_string(writer->text, " ");
  if (!debye_text_put_fixed(writer->text, debye_topology_get_charges(writer->topology)[atom], 10, 6))
    return FALSE;
  debye_text_writer_put_string(writer->text, " ");
  if (!debye_text_put_fixed(writer->text, get_radius(writer->topology, atom), 7, 4))
    return FALSE;
  debye_text_writer_put_string(writer->text, "\n");
  return TRUE;
}

static gboolean
write_frame(gpointer data, const DebyeFrame *frame, GError **error)
{
  DebyeTextOutput *writer = data;
  for (gsize atom = 0; atom < frame->n_atoms; atom++)
    if (!write_atom(writer, frame, atom))
      return debye_error_set(error, DEBYE_ERROR_WRITE,
                             "frame %" G_GSIZE_FORMAT ", atom %" G_GSIZE_FORMAT ": expected numbers that fit "
                             "PQR's columns, found others",
                             frame->index, atom);
  return TRUE;
}

static gboolean
writer_finish(gpointer data, GError **error)
{
  g_autoptr(DebyeTextOutput) writer = data;
  debye_text_writer_put_string(writer->text, "TER\nEND\n");
  return error == NULL || debye_text_writer_finish(writer->text, error);
}

const DebyeFormat debye_format_pqr = {
    .name = "pqr",
    .title = "PQR (charges and radii)",
    .suffixes = (const char *const[]){"pqr", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = debye_pdb_index_frames,
    .reader_new = reader_new,
    .read_frame = debye_pdb_reader_read,
    .reader_free = g_free,
    .write_flags = DEBYE_WRITE_TOPOLOGY | DEBYE_WRITE_CHARGES,
    .writer_new = writer_new,
    .write_frame = write_frame,
    .writer_finish = writer_finish,
};
