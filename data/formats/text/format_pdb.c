/* SPDX-License-Identifier: MIT */
/* Protein Data Bank files, format 3.3, as programs really write them: by columns, and tolerant where real
 * files need it (serials and residue numbers beyond their columns, records without occupancy, residue names
 * of four letters). Formal charges (columns 79-80) are no partial charges and are not taken for any. */
#include "data/tables/elements.h"
#include "data/files/error.h"
#include "data/formats/format.h"
#include "pdb_writer.h"
#include "pdb_records.h"

#include <math.h>
#include <string.h>

/* Columns, 0-based, of an ATOM record. */
enum {
  SERIAL = 6,
  NAME = 12,
  ALTERNATIVE = 16,
  RESIDUE_NAME = 17,
  CHAIN = 21,
  RESIDUE_NUMBER = 22,
  INSERTION_CODE = 26,
  POSITION = 30,
  OCCUPANCY = 54,
  B_FACTOR = 60,
  SEGMENT = 72,
  ELEMENT = 76,
  END = 78,
};

/* --- Recognising it --- */

static gboolean
has_dots(const char *line, const gsize *dots, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (line[dots[i]] != '.')
      return FALSE;
  return TRUE;
}

/* Some programs write such for what they don't know, no PQR file has them. */
static gboolean
is_not_finite(DebyeTextField field)
{
  double value = 0.0;
  return debye_text_to_double(field.text, field.length, &value) && !isfinite(value);
}

/* 95: all numbers stand in PDB's columns. 70 to 80: the coordinates do, which some PQR files' do too. */
static int
score_atom(const char *line, gsize length)
{
  static const gsize dots[] = {57, 63};
  if (length < 51 || memchr(line, '\t', 51) != NULL)
    return 20;
  for (gsize column = POSITION; column < OCCUPANCY; column += 8)
    if (!debye_text_is_number(debye_text_columns(line, length, column, column + 8)))
      return 20;
  if (debye_text_columns(line, length, OCCUPANCY, length).length == 0)
    return 95;
  if (length < 66)
    return length >= 60 && line[57] == '.' ? 80 : 70;
  DebyeTextField occupancy = debye_text_columns(line, length, OCCUPANCY, B_FACTOR);
  DebyeTextField b_factor = debye_text_columns(line, length, B_FACTOR, 66);
  if (is_not_finite(occupancy) && is_not_finite(b_factor))
    return 95;
  gboolean has_both = has_dots(line, dots, G_N_ELEMENTS(dots)) && debye_text_is_number(occupancy) &&
                      debye_text_is_number(b_factor);
  return has_both ? 95 : 70;
}

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  int header_score = 0;
  while (debye_text_head_next(&head, &line, &length)) {
    DebyePdbRecord record = debye_pdb_get_record(line, length);
    if (record == DEBYE_PDB_ATOM)
      return score_atom(line, length);
    if (record == DEBYE_PDB_CELL || record == DEBYE_PDB_TITLE ||
        (length > 6 && (memcmp(line, "HEADER", 6) == 0 || memcmp(line, "COMPND", 6) == 0)))
      header_score = 60;
    else if (header_score == 0 && length >= 6 && memcmp(line, "REMARK", 6) == 0)
      header_score = 30;
  }
  return header_score;
}

/* --- The topology --- */

typedef struct {
  DebyeTopologyBuilder *builder;
  DebyeLineReader *lines;
  gint64 last_serial, last_number;
  gboolean hexadecimal_serials, hexadecimal_numbers;
  gboolean
      names_ignore_columns;  /* a one-letter name began where two-letter symbols do: columns say nothing */
  GString *overflowed_names; /* of the atoms in a residue whose number is stars, to see the next one begin */
  GArray *serials;           /* gint32, one an atom */
  GArray *terminators;       /* gint32: serials that TER records took */
  GArray *connections;       /* gint64 pairs of serials */
  gsize n_not_finite;        /* occupancies and B factors */
} Parser;

static gboolean
is_hexadecimal(DebyeTextField field)
{
  for (gsize i = 0; i < field.length; i++)
    if (!g_ascii_isdigit(field.text[i]) && !(field.text[i] >= 'a' && field.text[i] <= 'f'))
      return FALSE;
  return field.length > 0;
}

static gint64
from_hexadecimal(DebyeTextField field)
{
  gint64 value = 0;
  for (gsize i = 0; i < field.length; i++)
    value = value * 16 + g_ascii_xdigit_value(field.text[i]);
  return value;
}

/* A serial or a residue number, whose column of `width` characters may have overflowed: hybrid-36 begins with
 * a letter, VMD goes on with small hexadecimal digits after 99999 and 9999. From then on a number without
 * letters may be either, and the one nearer to the last number is meant. */
static gboolean
decode_number(DebyeTextField field, int width, gboolean *hexadecimal, gint64 last, gint64 *value)
{
  gboolean may_be_hexadecimal = is_hexadecimal(field) && g_ascii_isdigit(field.text[0]) && field.length <= 8;
  if (debye_text_to_int(field.text, field.length, value)) {
    gint64 other = *hexadecimal && may_be_hexadecimal ? from_hexadecimal(field) : *value;
    if (ABS(other - last) < ABS(*value - last))
      *value = other;
    return TRUE;
  }
  if (may_be_hexadecimal) {
    *hexadecimal = TRUE;
    *value = from_hexadecimal(field);
    return TRUE;
  }
  return debye_pdb_decode_hybrid36(field, width, value);
}

static gint32
read_serial(Parser *parser, DebyeTextField field)
{
  gint64 value;
  if (!decode_number(field, 5, &parser->hexadecimal_serials, parser->last_serial, &value))
    value = parser->last_serial + 1;
  parser->last_serial = CLAMP(value, G_MININT32 + 1, G_MAXINT32 - 1);
  return (gint32)parser->last_serial;
}

/* Stars say nothing: the number counts on, and an atom's name that comes again begins the next residue. */
static gint64
count_overflowed(Parser *parser, DebyeTextField name)
{
  g_autofree char *key = g_strdup_printf(" %.*s ", (int)name.length, name.text);
  if (parser->overflowed_names->len == 0 || strstr(parser->overflowed_names->str, key) != NULL) {
    g_string_assign(parser->overflowed_names, "");
    parser->last_number++;
  }
  g_string_append(parser->overflowed_names, key);
  return parser->last_number;
}

static gint64
read_residue_number(Parser *parser, const char *line, gsize length, DebyeTextField name, char *insertion_code)
{
  DebyeTextField field = debye_text_columns(line, length, RESIDUE_NUMBER, INSERTION_CODE);
  char after = length > INSERTION_CODE ? line[INSERTION_CODE] : ' ';
  gint64 value;
  *insertion_code = ' ';
  /* Five digits take the column of the insertion code. */
  if (field.length == 4 && g_ascii_isdigit(after))
    field.length = 5;
  else
    *insertion_code = after;
  if (field.length == 0)
    value = 0;
  else if (!decode_number(field, 4, &parser->hexadecimal_numbers, parser->last_number, &value))
    return count_overflowed(parser, name);
  parser->last_number = value;
  g_string_assign(parser->overflowed_names, "");
  return value;
}

/* Columns 13-14 hold the element, right-justified: "CA  " is calcium and " CA " a carbon. Programs for
 * simulations often don't know, so this only counts for the two letters alone, outside biopolymers, in files
 * that haven't shown otherwise. */
static gboolean
names_element(Parser *parser, const char *line, gsize length, DebyeTextField residue)
{
  char name[4] = {' ', ' ', ' ', ' '};
  memcpy(name, line + NAME, MIN(length - NAME, 4));
  if (g_ascii_isalpha(name[0]) && name[1] == ' ')
    parser->names_ignore_columns = TRUE;
  if (parser->names_ignore_columns || !g_ascii_isalpha(name[0]) || !g_ascii_isalpha(name[1]) ||
      name[2] != ' ')
    return FALSE;
  g_autofree char *residue_name = g_strndup(residue.text, residue.length);
  return residue.length > 0 && !debye_element_residue_is_biopolymer(residue_name);
}

static double
read_optional(Parser *parser, const char *line, gsize length, gsize first, gsize last)
{
  double value;
  DebyeTextField field = debye_text_columns(line, length, first, last);
  if (!debye_text_to_double(field.text, field.length, &value))
    return NAN;
  parser->n_not_finite += !isfinite(value);
  return isfinite(value) ? value : NAN;
}

static gboolean
check_atom_line(const DebyeLineReader *lines, GError **error)
{
  gsize n_columns = MIN(lines->length, OCCUPANCY);
  if (memchr(lines->text, '\t', n_columns) != NULL)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected PDB's fixed columns, found a tab among them");
  if (lines->length > POSITION + 16)
    return TRUE;
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_SYNTAX,
      "expected x, y and z in columns 31 to 54, found a line of %" G_GSIZE_FORMAT " characters",
      lines->length);
}

static gboolean
add_atom(Parser *parser, GError **error)
{
  const char *line = parser->lines->text;
  gsize length = parser->lines->length;
  if (!check_atom_line(parser->lines, error))
    return FALSE;

  DebyeAtom atom = DEBYE_ATOM_INIT;
  DebyeTextField name = debye_text_columns(line, length, NAME, ALTERNATIVE);
  DebyeTextField residue = debye_text_columns(line, length, RESIDUE_NAME, CHAIN);
  DebyeTextField segment = debye_text_columns(line, length, SEGMENT, ELEMENT);
  DebyeTextField element = debye_text_columns(line, length, ELEMENT, END);
  char insertion_code;
  gint64 number = read_residue_number(parser, line, length, name, &insertion_code);
  debye_topology_builder_set_residue(parser->builder, residue.text, (gssize)residue.length, (gint32)number,
                                     insertion_code, line + CHAIN, 1, segment.text, (gssize)segment.length);
  if (debye_element_from_symbol(element.text, (gssize)element.length) == 0 &&
      names_element(parser, line, length, residue))
    element = (DebyeTextField){line + NAME, 2};

  atom.name = name.text;
  atom.name_length = (gssize)name.length;
  atom.altloc = line + ALTERNATIVE;
  atom.altloc_length = line[ALTERNATIVE] != ' ' ? 1 : 0;
  atom.element = element.text;
  atom.element_length = (gssize)element.length;
  atom.occupancy = read_optional(parser, line, length, OCCUPANCY, B_FACTOR);
  atom.b_factor = read_optional(parser, line, length, B_FACTOR, 66);
  atom.serial = read_serial(parser, debye_text_columns(line, length, SERIAL, SERIAL + 5));
  debye_topology_builder_add_atom(parser->builder, &atom);
  g_array_append_val(parser->serials, atom.serial);
  return TRUE;
}

static void
add_terminator(Parser *parser)
{
  DebyeTextField field = debye_text_columns(parser->lines->text, parser->lines->length, SERIAL, SERIAL + 5);
  if (field.length == 0)
    return;
  gint32 serial = read_serial(parser, field);
  g_array_append_val(parser->terminators, serial);
}

static void
add_connections(Parser *parser)
{
  gint64 pair[2];
  const char *line = parser->lines->text;
  gsize length = parser->lines->length;
  gboolean *hexadecimal = &parser->hexadecimal_serials;
  if (!decode_number(debye_text_columns(line, length, 6, 11), 5, hexadecimal, parser->last_serial, &pair[0]))
    return;
  for (gsize column = 11; column < 31 && column < length; column += 5) {
    DebyeTextField field = debye_text_columns(line, length, column, column + 5);
    if (decode_number(field, 5, hexadecimal, pair[0], &pair[1]))
      g_array_append_vals(parser->connections, pair, 2);
  }
}

/* Serials to atoms. A serial of a TER record is nobody's mistake: some programs connect to it. */
static void
add_bonds(Parser *parser)
{
  if (parser->connections->len == 0)
    return;
  g_autoptr(GHashTable) atoms = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < parser->terminators->len; i++)
    g_hash_table_insert(atoms, GINT_TO_POINTER(g_array_index(parser->terminators, gint32, i)),
                        GINT_TO_POINTER(-2));
  for (guint i = 0; i < parser->serials->len; i++)
    g_hash_table_insert(atoms, GINT_TO_POINTER(g_array_index(parser->serials, gint32, i)),
                        GINT_TO_POINTER((int)i));

  for (guint k = 0; k + 1 < parser->connections->len; k += 2) {
    int found[2] = {-1, -1};
    for (guint side = 0; side < 2; side++) {
      gpointer atom;
      gint64 serial = g_array_index(parser->connections, gint64, k + side);
      if (g_hash_table_lookup_extended(atoms, GINT_TO_POINTER((int)serial), NULL, &atom))
        found[side] = GPOINTER_TO_INT(atom);
    }
    if (found[0] != -2 && found[1] != -2)
      debye_topology_builder_add_bond(parser->builder, found[0], found[1]);
  }
}

static gboolean
read_records(Parser *parser, GError **error)
{
  gboolean in_first_model = TRUE;
  while (debye_line_reader_next(parser->lines, error)) {
    DebyePdbRecord record = debye_pdb_get_record(parser->lines->text, parser->lines->length);
    gboolean has_atoms = parser->serials->len > 0;
    if (record == DEBYE_PDB_CONNECT)
      add_connections(parser);
    else if (record == DEBYE_PDB_TITLE && !has_atoms)
      debye_topology_builder_set_title(parser->builder, parser->lines->text + 6,
                                       (gssize)parser->lines->length - 6);
    else if (has_atoms && (record == DEBYE_PDB_MODEL || record == DEBYE_PDB_END_OF_MODEL))
      in_first_model = FALSE;
    else if (record == DEBYE_PDB_TERMINATOR && in_first_model)
      add_terminator(parser);
    else if (record == DEBYE_PDB_ATOM && in_first_model && !add_atom(parser, error))
      return FALSE;
  }
  return !parser->lines->has_failed;
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  g_autoptr(GArray) serials = g_array_new(FALSE, FALSE, sizeof(gint32));
  g_autoptr(GArray) terminators = g_array_new(FALSE, FALSE, sizeof(gint32));
  g_autoptr(GArray) connections = g_array_new(FALSE, FALSE, sizeof(gint64));
  g_autoptr(GString) names = g_string_new(NULL);
  Parser parser = {.builder = builder,
                   .lines = &lines,
                   .serials = serials,
                   .terminators = terminators,
                   .connections = connections,
                   .overflowed_names = names};
  if (!read_records(&parser, error))
    return FALSE;
  if (serials->len == 0)
    return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                 "expected ATOM or HETATM records, found none");
  if (parser.n_not_finite > 0)
    debye_topology_builder_warn(builder,
                                "%" G_GSIZE_FORMAT " occupancies and B factors are infinite or not numbers; "
                                "they are treated as missing",
                                parser.n_not_finite);
  add_bonds(&parser);
  return TRUE;
}

/* --- Coordinates --- */

static gboolean
read_position(const DebyeLineReader *lines, double position[3], GError **error)
{
  static const char *const axes[] = {"x", "y", "z"};
  if (!check_atom_line(lines, error))
    return FALSE;
  for (gsize i = 0; i < 3; i++) {
    DebyeTextField field =
        debye_text_columns(lines->text, lines->length, POSITION + 8 * i, POSITION + 8 * i + 8);
    if (!debye_text_require_double(lines, field, axes[i], &position[i], error))
      return FALSE;
  }
  return TRUE;
}

static gpointer
reader_new(DebyeInput *input, const DebyeFrameIndex *index, GError **error)
{
  return debye_pdb_reader_new(input, index, read_position, error);
}

const DebyeFormat debye_format_pdb = {
    .name = "pdb",
    .title = "Protein Data Bank",
    .suffixes = (const char *const[]){"pdb", "ent", "brk", "xpdb", NULL},
    .probe = probe,
    .read_topology = read_topology,
    .index_frames = debye_pdb_index_frames,
    .reader_new = reader_new,
    .read_frame = debye_pdb_reader_read,
    .reader_free = g_free,
    .write_flags = DEBYE_WRITE_TOPOLOGY | DEBYE_WRITE_MANY | DEBYE_WRITE_ALIGNED,
    .writer_new = debye_pdb_writer_new,
    .write_frame = debye_pdb_writer_write,
    .writer_finish = debye_pdb_writer_finish,
};
