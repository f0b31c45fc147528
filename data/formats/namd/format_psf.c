/* SPDX-License-Identifier: MIT */
/* Protein structure files of CHARMM, NAMD and X-PLOR: atoms with charges and masses, and bonds; no
 * coordinates. Fields are taken by blanks, since types longer than their column shift the rest (NAMD), and by
 * the place of charge, mass and flag where the segment is blank. */
#include "data/files/error.h"
#include "data/formats/format.h"
#include "data/files/text_fields.h"

#include <math.h>
#include <string.h>

/* "1 A 1 B C D 0 0 0": no atom takes less. */
#define LEAST_BYTES_OF_ATOM 16
#define MAX_FIELDS 12

static int
probe(const guint8 *bytes, gsize n)
{
  DebyeTextHead head = debye_text_head(bytes, n);
  const char *line;
  gsize length;
  if (!debye_text_head_next(&head, &line, &length) || length < 3 || memcmp(line, "PSF", 3) != 0)
    return 0;
  return length == 3 || g_ascii_isspace(line[3]) ? 100 : 0;
}

/* --- Sections --- */

/* Reads on to "N !NAME…" and gives N. FALSE without an error at the end of the file. */
static gboolean
find_section(DebyeLineReader *lines, const char *name, gint64 *count, GError **error)
{
  while (debye_line_reader_next(lines, error)) {
    const char *mark = memchr(lines->text, '!', lines->length);
    if (mark == NULL || strncmp(mark + 1, name, strlen(name)) != 0)
      continue;
    DebyeTextField field = debye_text_columns(lines->text, lines->length, 0, (gsize)(mark - lines->text));
    if (debye_text_to_int(field.text, field.length, count) && *count >= 0)
      return TRUE;
    g_autofree char *found = debye_text_quote(field);
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected a number before !%s, found %s", name, found);
  }
  return FALSE;
}

static gboolean
check_count(const DebyeLineReader *lines, gint64 count, GError **error)
{
  guint64 rest = debye_input_get_size(lines->input) - lines->next_offset;
  if (count > 0 && (guint64)count <= rest / LEAST_BYTES_OF_ATOM + 1)
    return TRUE;
  return debye_line_reader_set_error(
      lines, error, DEBYE_ERROR_LIMIT,
      "expected a number of atoms that the file can hold, found %" G_GINT64_FORMAT " with %" G_GUINT64_FORMAT
      " bytes left",
      count, rest);
}

/* --- Atoms --- */

typedef struct {
  DebyeTextField serial, segment, number, residue, name, type, charge, mass;
} Fields;

/* Serial, segment, number, residue, name, type, charge, mass, flag (and more with CHEQ and DRUDE): the flag,
 * a whole number behind the mass, tells whether a blank segment has moved all of it by one. */
static gboolean
split_by_blanks(const DebyeTextField *words, gsize n, Fields *fields)
{
  gboolean has_segment = n >= 9 && debye_text_is_number(words[6]) && debye_text_is_number(words[7]) &&
                         debye_text_is_integer(words[8]);
  gsize shift = has_segment ? 1 : 0;
  if (!has_segment && !(n >= 8 && debye_text_is_number(words[5]) && debye_text_is_number(words[6]) &&
                        debye_text_is_integer(words[7])))
    return FALSE;
  *fields = (Fields){
      .serial = words[0],
      .segment = has_segment ? words[1] : (DebyeTextField){"", 0},
      .number = words[1 + shift],
      .residue = words[2 + shift],
      .name = words[3 + shift],
      .type = words[4 + shift],
      .charge = words[5 + shift],
      .mass = words[6 + shift],
  };
  return TRUE;
}

/* Where more than the segment is blank: I8 A4 A4 A4 A4 A4 and G14.6 twice, or the wider columns of EXT. */
static void
split_by_columns(const DebyeLineReader *lines, gboolean is_extended, Fields *fields)
{
  static const gsize narrow[] = {0, 9, 14, 19, 24, 29, 34, 48, 62};
  static const gsize wide[] = {0, 11, 20, 29, 38, 47, 54, 68, 82};
  const gsize *columns = is_extended ? wide : narrow;
  DebyeTextField *all[] = {&fields->serial, &fields->segment, &fields->number, &fields->residue,
                           &fields->name,   &fields->type,    &fields->charge, &fields->mass};
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
    *all[i] = debye_text_columns(lines->text, lines->length, columns[i], columns[i + 1]);
}

/* "380", "1H" with an insertion code, "-3". */
static gboolean
read_residue_number(DebyeTextField field, gint32 *number, char *insertion_code)
{
  gint64 value;
  *insertion_code = '\0';
  if (field.length > 1 && g_ascii_isalpha(field.text[field.length - 1]))
    *insertion_code = field.text[--field.length];
  if (!debye_text_to_int(field.text, field.length, &value))
    return FALSE;
  *number = (gint32)CLAMP(value, G_MININT32, G_MAXINT32);
  return TRUE;
}

static gboolean
require_finite(const DebyeLineReader *lines, DebyeTextField field, const char *what, double *value,
               GError **error)
{
  if (!debye_text_require_double(lines, field, what, value, error))
    return FALSE;
  if (isfinite(*value))
    return TRUE;
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_VALUE,
                                     "expected a finite number for %s, found “%.*s”", what, (int)field.length,
                                     field.text);
}

static gboolean
add_atom(const DebyeLineReader *lines, gboolean is_extended, DebyeTopologyBuilder *builder, GError **error)
{
  DebyeTextField words[MAX_FIELDS];
  Fields fields;
  gsize n = debye_text_split(lines->text, lines->length, words, MAX_FIELDS);
  if (!split_by_blanks(words, n, &fields))
    split_by_columns(lines, is_extended, &fields);
  gint64 serial;
  if (!debye_text_to_int(fields.serial.text, fields.serial.length, &serial)) {
    g_autofree char *found =
        debye_text_quote(debye_text_columns(lines->text, lines->length, 0, lines->length));
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected an atom, found %s", found);
  }

  DebyeAtom atom = DEBYE_ATOM_INIT;
  gint32 number;
  char insertion_code;
  if (!require_finite(lines, fields.charge, "the charge", &atom.charge, error) ||
      !require_finite(lines, fields.mass, "the mass", &atom.mass, error))
    return FALSE;
  if (!read_residue_number(fields.number, &number, &insertion_code)) {
    g_autofree char *found = debye_text_quote(fields.number);
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected a residue's number, found %s", found);
  }
  debye_topology_builder_set_residue(builder, fields.residue.text, (gssize)fields.residue.length, number,
                                     insertion_code, NULL, 0, fields.segment.text,
                                     (gssize)fields.segment.length);
  atom.name = fields.name.text;
  atom.name_length = (gssize)fields.name.length;
  atom.type = fields.type.text;
  atom.type_length = (gssize)fields.type.length;
  if (ABS(serial) < G_MAXINT32)
    atom.serial = (gint32)serial;
  debye_topology_builder_add_atom(builder, &atom);
  return TRUE;
}

static gboolean
set_truncated(const DebyeLineReader *lines, GError **error, const char *expected)
{
  if (error == NULL || *error == NULL)
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_TRUNCATED, "expected %s, found the end of the file",
                                expected);
  return FALSE;
}

static gboolean
read_atoms(DebyeLineReader *lines, gint64 n_atoms, gboolean is_extended, DebyeTopologyBuilder *builder,
           GError **error)
{
  for (gint64 i = 0; i < n_atoms; i++) {
    if (!debye_line_reader_next(lines, error))
      return set_truncated(lines, error, "an atom");
    if (!add_atom(lines, is_extended, builder, error))
      return FALSE;
  }
  return TRUE;
}

/* --- Bonds --- */

/* Whole numbers in columns: blanks part them as long as they don't fill the column. */
static gsize
split_numbers(const DebyeLineReader *lines, gsize width, gint64 numbers[MAX_FIELDS])
{
  DebyeTextField words[MAX_FIELDS];
  gsize n = debye_text_split(lines->text, lines->length, words, MAX_FIELDS);
  gboolean is_glued = FALSE;
  for (gsize i = 0; i < n; i++)
    is_glued = is_glued || words[i].length > width;
  if (is_glued)
    for (n = 0; n < MAX_FIELDS && n * width < lines->length; n++)
      words[n] = debye_text_columns(lines->text, lines->length, n * width, (n + 1) * width);
  for (gsize i = 0; i < n; i++)
    if (!debye_text_to_int(words[i].text, words[i].length, &numbers[i]))
      return i;
  return n;
}

static gboolean
read_bonds(DebyeLineReader *lines, gint64 n_bonds, gboolean is_extended, DebyeTopologyBuilder *builder,
           GError **error)
{
  gint64 numbers[MAX_FIELDS];
  gint64 first = 0;
  gboolean has_first = FALSE;
  for (gint64 read = 0; read < n_bonds;) {
    if (!debye_line_reader_next(lines, error))
      return set_truncated(lines, error, "a bond");
    gsize n = split_numbers(lines, is_extended ? 10 : 8, numbers);
    if (n == 0) {
      g_autofree char *found =
          debye_text_quote(debye_text_columns(lines->text, lines->length, 0, lines->length));
      return debye_line_reader_set_error(
          lines, error, DEBYE_ERROR_SYNTAX,
          "expected bond %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT ", found %s", read + 1, n_bonds, found);
    }
    for (gsize i = 0; i < n && read < n_bonds; i++) {
      if (has_first) {
        debye_topology_builder_add_bond(builder, first - 1, numbers[i] - 1);
        read++;
      }
      first = numbers[i];
      has_first = !has_first;
    }
  }
  return TRUE;
}

/* --- The file --- */

/* The words after PSF: EXT means wide columns. */
static gboolean
has_flag(const DebyeLineReader *lines, const char *flag)
{
  DebyeTextField words[MAX_FIELDS];
  gsize n = debye_text_split(lines->text, lines->length, words, MAX_FIELDS);
  for (gsize i = 1; i < n; i++)
    if (debye_text_field_is(words[i], flag))
      return TRUE;
  return FALSE;
}

/* The first line of the title that says something, without the "REMARKS" and the asterisks before it. */
static gboolean
read_title(DebyeLineReader *lines, DebyeTopologyBuilder *builder, GError **error)
{
  gint64 n_lines;
  gboolean is_set = FALSE;
  if (!find_section(lines, "NTITLE", &n_lines, error))
    return set_truncated(lines, error, "!NTITLE");
  for (gint64 i = 0; i < n_lines; i++) {
    if (!debye_line_reader_next(lines, error))
      return set_truncated(lines, error, "a title");
    DebyeTextField title = debye_text_columns(lines->text, lines->length, 0, lines->length);
    gsize skipped = title.length >= 7 && memcmp(title.text, "REMARKS", 7) == 0 ? 7 : 0;
    while (skipped < title.length && (title.text[skipped] == '*' || title.text[skipped] == ' '))
      skipped++;
    if (is_set || skipped == title.length)
      continue;
    debye_topology_builder_set_title(builder, title.text + skipped, (gssize)(title.length - skipped));
    is_set = TRUE;
  }
  return TRUE;
}

/* Behind the atoms comes a blank line and the bonds: atoms that NATOM doesn't count would be lost silently. Files that
 * end there are written by programs that know no bonds. */
static gboolean
find_bonds(DebyeLineReader *lines, DebyeTopologyBuilder *builder, gint64 *n_bonds, GError **error)
{
  DebyeTextField rest = {"", 0};
  while (rest.length == 0) {
    if (!debye_line_reader_next(lines, error)) {
      *n_bonds = 0;
      debye_topology_builder_warn(builder, "the file ends behind its atoms: it lists no bonds");
      return !lines->has_failed;
    }
    rest = debye_text_columns(lines->text, lines->length, 0, lines->length);
  }
  const char *mark = memchr(rest.text, '!', rest.length);
  DebyeTextField count = {rest.text, mark != NULL ? (gsize)(mark - rest.text) : 0};
  if (mark != NULL && strncmp(mark, "!NBOND", 6) == 0 &&
      debye_text_to_int(count.text, count.length, n_bonds) && *n_bonds >= 0)
    return TRUE;
  g_autofree char *found = debye_text_quote(rest);
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                     "expected !NBOND after the atoms that !NATOM counts, found %s", found);
}

static gboolean
read_topology(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error)
{
  g_auto(DebyeLineReader) lines;
  debye_line_reader_init(&lines, input, 0, 1);
  if (!debye_line_reader_next(&lines, error))
    return set_truncated(&lines, error, "PSF");
  gboolean is_extended = has_flag(&lines, "EXT");
  gint64 n_atoms, n_bonds;
  if (!read_title(&lines, builder, error))
    return FALSE;
  if (!find_section(&lines, "NATOM", &n_atoms, error))
    return set_truncated(&lines, error, "!NATOM");
  return check_count(&lines, n_atoms, error) && read_atoms(&lines, n_atoms, is_extended, builder, error) &&
         find_bonds(&lines, builder, &n_bonds, error) &&
         read_bonds(&lines, n_bonds, is_extended, builder, error);
}

const DebyeFormat debye_format_psf = {
    .name = "psf",
    .title = "CHARMM and NAMD structure (PSF)",
    .suffixes = (const char *const[]){"psf", "xpsf", NULL},
    .probe = probe,
    .read_topology = read_topology,
};
