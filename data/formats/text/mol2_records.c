/* SPDX-License-Identifier: MIT */
/* Reads the molecules of a Mol2 file, after Tripos' "Mol2 File Format"; called by format_mol2.c. */
#include "mol2_records.h"

#include "data/files/error.h"
#include "data/tables/elements.h"

#include <string.h>

/* "1 C 0 0 0 C" and its end. */
#define LEAST_BYTES_OF_ATOM 12
/* "1 1 2 1" and its end. */
#define LEAST_BYTES_OF_BOND 8
#define MAX_FIELDS 16

void
debye_mol2_molecule_clear(DebyeMol2Molecule *molecule)
{
  g_clear_pointer(&molecule->name, g_free);
}

/* --- Lines --- */

static gboolean
is_heading(const DebyeLineReader *lines)
{
  return lines->length >= strlen(DEBYE_MOL2_HEADING) &&
         memcmp(lines->text, DEBYE_MOL2_HEADING, strlen(DEBYE_MOL2_HEADING)) == 0;
}

static DebyeTextField
get_section(const DebyeLineReader *lines)
{
  return debye_text_columns(lines->text, lines->length, strlen(DEBYE_MOL2_HEADING), lines->length);
}

/* The next line that isn't a comment or blank. FALSE without an error at the end of the file. */
static gboolean
next_content(DebyeLineReader *lines, GError **error)
{
  do {
    if (!debye_line_reader_next(lines, error))
      return FALSE;
  } while (lines->text[0] == '#' || debye_text_line_is_blank(lines));
  return TRUE;
}

static gboolean
require_content(DebyeLineReader *lines, const char *what, GError **error)
{
  GError *problem = NULL;
  if (next_content(lines, &problem))
    return TRUE;
  if (problem == NULL)
    debye_text_set_truncated(lines, error, what);
  else
    g_propagate_error(error, problem);
  return FALSE;
}

/* Takes the \ off the end, which says that the row goes on in the next line. */
static gboolean
take_continuation(GString *row)
{
  gsize n = row->len;
  while (n > 0 && g_ascii_isspace(row->str[n - 1]))
    n--;
  if (n == 0 || row->str[n - 1] != '\\')
    return FALSE;
  g_string_truncate(row, n - 1);
  return TRUE;
}

/* The fields of the current line and of those that it goes on in; `row` holds their text then. */
static gboolean
split_row(DebyeLineReader *lines, GString *row, DebyeTextField *fields, gsize *n, GError **error)
{
  if (memchr(lines->text, '\\', lines->length) == NULL) {
    *n = debye_text_split(lines->text, lines->length, fields, MAX_FIELDS);
    return TRUE;
  }
  g_string_assign(row, lines->text);
  while (take_continuation(row) && row->len < DEBYE_LINE_LIMIT) {
    if (!debye_text_require_line(lines, "the rest of a row", error))
      return FALSE;
    g_string_append_c(row, ' ');
    g_string_append_len(row, lines->text, (gssize)lines->length);
  }
  *n = debye_text_split(row->str, row->len, fields, MAX_FIELDS);
  return TRUE;
}

/* --- Sections --- */

/* What stands at the beginning of a record goes on to the next heading, which the reader then stands at.
 * FALSE with an error; at the end of the file `is_at_end` is set. */
typedef struct {
  DebyeLineReader *lines;
  DebyeMol2Molecule *molecule;
  const DebyeMol2Rows *rows;
  gpointer data;
  gboolean is_at_end;
  GString *row;
} Section;

static gboolean
next_row(Section *section, GError **error)
{
  GError *problem = NULL;
  section->is_at_end = !next_content(section->lines, &problem);
  if (problem == NULL)
    return !section->is_at_end && !is_heading(section->lines);
  g_propagate_error(error, problem);
  return FALSE;
}

/* Passes all rows of the section to `use` and counts them. */
static gboolean
read_rows(Section *section, DebyeMol2RowFunc use, const char *what, gsize n_least, gsize *count,
          GError **error)
{
  GError *problem = NULL;
  while (next_row(section, &problem)) {
    DebyeTextField fields[MAX_FIELDS];
    gsize n;
    if (!split_row(section->lines, section->row, fields, &n, error))
      return FALSE;
    if (n < n_least) {
      g_autofree char *found = debye_text_quote(debye_text_line(section->lines));
      return debye_line_reader_set_error(section->lines, error, DEBYE_ERROR_SYNTAX,
                                         "expected %s with at least %" G_GSIZE_FORMAT " fields, found %s",
                                         what, n_least, found);
    }
    (*count)++;
    if (use != NULL && !use(section->lines, fields, n, section->data, error))
      return FALSE;
  }
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, problem);
  return FALSE;
}

static gboolean
read_atoms(Section *section, GError **error)
{
  DebyeMol2Molecule *molecule = section->molecule;
  if (!read_rows(section, section->rows->atom, "an atom", 6, &molecule->n_atoms_found, error))
    return FALSE;
  if (molecule->n_atoms_found == molecule->n_atoms)
    return TRUE;
  return debye_line_reader_set_error(
      section->lines, error, section->is_at_end ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
      "expected the %" G_GSIZE_FORMAT " atoms that the molecule's header states, found %" G_GSIZE_FORMAT,
      molecule->n_atoms, molecule->n_atoms_found);
}

static gboolean
read_cell(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data, GError **error)
{
  DebyeMol2Molecule *molecule = data;
  double numbers[6];
  (void)n;
  for (int i = 0; i < 6; i++)
    if (!debye_text_require_double(lines, fields[i], "the cell", &numbers[i], error))
      return FALSE;
  molecule->has_cell = debye_cell_from_lengths_angles(&molecule->cell, numbers, numbers + 3);
  return TRUE;
}

static gboolean
read_section(Section *section, GError **error)
{
  DebyeTextField name = get_section(section->lines);
  const DebyeMol2Rows *rows = section->rows;
  gsize ignored = 0;
  if (debye_text_field_is(name, "ATOM"))
    return read_atoms(section, error);
  if (debye_text_field_is(name, "BOND"))
    return read_rows(section, rows->bond, "a bond", 4, &section->molecule->n_bonds_found, error);
  if (debye_text_field_is(name, "SUBSTRUCTURE"))
    return read_rows(section, rows->substructure, "a substructure", 2, &ignored, error);
  if (debye_text_field_is(name, "CRYSIN")) {
    gpointer data = section->data;
    section->data = section->molecule;
    gboolean done = read_rows(section, read_cell, "a cell", 6, &ignored, error);
    section->data = data;
    return done;
  }
  return read_rows(section, NULL, "a row", 0, &ignored, error);
}

/* --- Molecules --- */

static gboolean
read_counts(DebyeLineReader *lines, DebyeMol2Molecule *molecule, GError **error)
{
  DebyeTextField fields[2];
  if (!require_content(lines, "the number of atoms", error))
    return FALSE;
  gsize n = debye_text_split(lines->text, lines->length, fields, G_N_ELEMENTS(fields));
  return debye_text_require_count(lines, fields[0], "atoms", LEAST_BYTES_OF_ATOM, &molecule->n_atoms,
                                  error) &&
         (n < 2 || debye_text_require_count(lines, fields[1], "bonds", LEAST_BYTES_OF_BOND,
                                            &molecule->n_bonds, error));
}

/* Its name, its counts, its type, the type of its charges; what follows up to the heading is free text. */
static gboolean
read_head(Section *section, GError **error)
{
  DebyeLineReader *lines = section->lines;
  DebyeMol2Molecule *molecule = section->molecule;
  *molecule = (DebyeMol2Molecule){.offset = lines->offset, .has_charges = TRUE};
  if (!debye_text_require_line(lines, "the molecule's name", error))
    return FALSE;
  molecule->name = g_strndup(lines->text, lines->length);
  if (!read_counts(lines, molecule, error))
    return FALSE;
  GError *problem = NULL;
  while (next_row(section, &problem))
    if (debye_text_field_is(debye_text_line(lines), "NO_CHARGES"))
      molecule->has_charges = FALSE;
  if (problem == NULL)
    return TRUE;
  g_propagate_error(error, problem);
  return FALSE;
}

static gboolean
is_molecule(const DebyeLineReader *lines)
{
  return is_heading(lines) && debye_text_field_is(get_section(lines), "MOLECULE");
}

static gboolean
read_sections(Section *section, GError **error)
{
  if (!read_head(section, error))
    return FALSE;
  while (!section->is_at_end && !is_molecule(section->lines))
    if (!read_section(section, error))
      return FALSE;
  if (section->molecule->n_atoms_found == section->molecule->n_atoms)
    return TRUE;
  return debye_line_reader_set_error(section->lines, error,
                                     section->is_at_end ? DEBYE_ERROR_TRUNCATED : DEBYE_ERROR_SYNTAX,
                                     "expected the section ATOM of the molecule, found none");
}

gboolean
debye_mol2_read_molecule(DebyeMol2Reader *reader, DebyeMol2Molecule *molecule, const DebyeMol2Rows *rows,
                         gpointer data, GError **error)
{
  while (!reader->at_molecule) {
    if (!next_content(reader->lines, error))
      return FALSE;
    reader->at_molecule = is_molecule(reader->lines);
  }
  g_autoptr(GString) row = g_string_new(NULL);
  Section section = {.lines = reader->lines, .molecule = molecule, .rows = rows, .data = data, .row = row};
  debye_mol2_molecule_clear(molecule);
  if (!read_sections(&section, error))
    return FALSE;
  reader->at_molecule = !section.is_at_end;
  return TRUE;
}

gboolean
debye_mol2_parse_type(DebyeTextField type, guint8 *element)
{
  static const char *const none[] = {"Du", "LP", "Lp", "Any", "Hal", "Het", "Hev"};
  const char *dot = memchr(type.text, '.', type.length);
  DebyeTextField base = {type.text, dot != NULL ? (gsize)(dot - type.text) : type.length};
  *element = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(none); i++)
    if (debye_text_field_is(base, none[i]))
      return TRUE;
  *element = debye_element_from_symbol(base.text, (gssize)base.length);
  return *element != 0 && (dot != NULL || debye_text_field_is(base, debye_element_get(*element)->symbol));
}
