/* SPDX-License-Identifier: MIT */
/* Reads the header and the section headings of a LAMMPS data file; called by format_lammps_data.c. */
#include "lammps_data.h"

#include "data/files/error.h"

#include <string.h>

/* "1 1 0 0 0" and its end. */
#define LEAST_BYTES_OF_ATOM 10
/* "1 1 1 2" and its end. */
#define LEAST_BYTES_OF_BOND 8

/* --- Lines --- */

DebyeTextField
debye_lammps_data_get_content(const char *line, gsize length)
{
  const char *comment = memchr(line, '#', length);
  return debye_text_columns(line, comment != NULL ? (gsize)(comment - line) : length, 0, length);
}

DebyeTextField
debye_lammps_data_get_comment(const char *line, gsize length)
{
  const char *comment = memchr(line, '#', length);
  gsize begin = comment != NULL ? (gsize)(comment - line) + 1 : length;
  return debye_text_columns(line, length, begin, length);
}

gsize
debye_lammps_data_next_row(DebyeLineReader *lines, const char *what, DebyeTextField *fields, gsize n_least,
                           gsize capacity, GError **error)
{
  DebyeTextField content;
  do {
    if (!debye_text_require_line(lines, what, error))
      return 0;
    content = debye_lammps_data_get_content(lines->text, lines->length);
  } while (content.length == 0);
  gsize n = debye_text_split(content.text, content.length, fields, capacity);
  if (n >= n_least)
    return n;
  g_autofree char *found = debye_text_quote(content);
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                              "expected %s with %" G_GSIZE_FORMAT " fields, found %s", what, n_least, found);
  return 0;
}

/* --- Sections --- */

/* The rows of the others don't concern Debye. */
static const struct {
  const char *name;
  DebyeLammpsSection section;
} sections[] = {
    {"Atoms", DEBYE_LAMMPS_SECTION_ATOMS},
    {"Velocities", DEBYE_LAMMPS_SECTION_VELOCITIES},
    {"Masses", DEBYE_LAMMPS_SECTION_MASSES},
    {"Bonds", DEBYE_LAMMPS_SECTION_BONDS},
    {"Atom Type Labels", DEBYE_LAMMPS_SECTION_TYPE_LABELS},
    {"Angles", DEBYE_LAMMPS_SECTION_OTHER},
    {"Dihedrals", DEBYE_LAMMPS_SECTION_OTHER},
    {"Impropers", DEBYE_LAMMPS_SECTION_OTHER},
    {"Ellipsoids", DEBYE_LAMMPS_SECTION_OTHER},
    {"Lines", DEBYE_LAMMPS_SECTION_OTHER},
    {"Triangles", DEBYE_LAMMPS_SECTION_OTHER},
    {"Bodies", DEBYE_LAMMPS_SECTION_OTHER},
    {"Pair Coeffs", DEBYE_LAMMPS_SECTION_OTHER},
    {"PairIJ Coeffs", DEBYE_LAMMPS_SECTION_OTHER},
    {"Bond Coeffs", DEBYE_LAMMPS_SECTION_OTHER},
    {"Angle Coeffs", DEBYE_LAMMPS_SECTION_OTHER},
    {"Dihedral Coeffs", DEBYE_LAMMPS_SECTION_OTHER},
    {"Improper Coeffs", DEBYE_LAMMPS_SECTION_OTHER},
    {"Bond Type Labels", DEBYE_LAMMPS_SECTION_OTHER},
    {"Angle Type Labels", DEBYE_LAMMPS_SECTION_OTHER},
    {"Dihedral Type Labels", DEBYE_LAMMPS_SECTION_OTHER},
    {"Improper Type Labels", DEBYE_LAMMPS_SECTION_OTHER},
};

static gboolean
words_are(DebyeTextField content, const char *name)
{
  DebyeTextField found[4], expected[4];
  gsize n = debye_text_split(content.text, content.length, found, G_N_ELEMENTS(found));
  gsize n_expected = debye_text_split(name, strlen(name), expected, G_N_ELEMENTS(expected));
  for (gsize i = 0; n == n_expected && i < n; i++)
    if (found[i].length != expected[i].length ||
        memcmp(found[i].text, expected[i].text, found[i].length) != 0)
      return FALSE;
  return n == n_expected;
}

DebyeLammpsSection
debye_lammps_data_get_section(const char *line, gsize length)
{
  DebyeTextField content = debye_lammps_data_get_content(line, length);
  if (content.length == 0 || !g_ascii_isupper(content.text[0]))
    return DEBYE_LAMMPS_SECTION_NONE;
  for (gsize i = 0; i < G_N_ELEMENTS(sections); i++)
    if (words_are(content, sections[i].name))
      return sections[i].section;
  return DEBYE_LAMMPS_SECTION_NONE;
}

gboolean
debye_lammps_data_next_section(DebyeLineReader *lines, DebyeLammpsSection *section, GError **error)
{
  gboolean is_closed = *section > DEBYE_LAMMPS_SECTION_OTHER;
  while (debye_line_reader_next(lines, error)) {
    DebyeTextField content = debye_lammps_data_get_content(lines->text, lines->length);
    *section = debye_lammps_data_get_section(lines->text, lines->length);
    if (*section != DEBYE_LAMMPS_SECTION_NONE)
      return TRUE;
    if (content.length == 0)
      continue;
    if (is_closed && debye_text_is_number((DebyeTextField){content.text, 1})) {
      return debye_line_reader_set_error(
          lines, error, DEBYE_ERROR_SYNTAX,
          "expected a new section after the number of rows that the header states, found another row");
    }
    /* The heading of a section that a fix has written: its rows are passed. */
    is_closed = FALSE;
  }
  *section = DEBYE_LAMMPS_SECTION_NONE;
  return !lines->has_failed;
}

/* --- The header --- */

/* The box as its lines come. */
typedef struct {
  double low[3], high[3], tilt[3];
  DebyeVec3 vectors[3], origin;
  gboolean is_general;
  guint n_bounds;
} Box;

static gboolean
require_numbers(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, double *numbers,
                GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!debye_text_require_double(lines, fields[i], "the box", &numbers[i], error))
      return FALSE;
  return TRUE;
}

/* "0 10 xlo xhi", "1 0 0 xy xz yz", "10 0 0 avec", "0 0 0 abc origin". */
static gboolean
read_box_line(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, Box *box, GError **error)
{
  static const char *const bounds[3][2] = {{"xlo", "xhi"}, {"ylo", "yhi"}, {"zlo", "zhi"}};
  static const char *const vectors[3] = {"avec", "bvec", "cvec"};
  double v[3];
  for (int axis = 0; n == 4 && axis < 3; axis++)
    if (debye_text_field_is(fields[2], bounds[axis][0]) && debye_text_field_is(fields[3], bounds[axis][1])) {
      box->n_bounds |= 1u << axis;
      return require_numbers(lines, fields, 1, &box->low[axis], error) &&
             require_numbers(lines, fields + 1, 1, &box->high[axis], error);
    }
  if (n == 6 && debye_text_field_is(fields[3], "xy"))
    return require_numbers(lines, fields, 3, box->tilt, error);
  for (int axis = 0; n == 4 && axis < 3; axis++)
    if (debye_text_field_is(fields[3], vectors[axis])) {
      box->is_general = TRUE;
      if (!require_numbers(lines, fields, 3, v, error))
        return FALSE;
      box->vectors[axis] = debye_vec3(v[0], v[1], v[2]);
    }
  if (n == 5 && debye_text_field_is(fields[3], "abc")) {
    if (!require_numbers(lines, fields, 3, v, error))
      return FALSE;
    box->origin = debye_vec3(v[0], v[1], v[2]);
  }
  return TRUE;
}

static gboolean
read_header_line(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n,
                 DebyeLammpsDataHeader *header, Box *box, GError **error)
{
  if (n == 2 && debye_text_field_is(fields[1], "atoms"))
    return debye_text_require_count(lines, fields[0], "atoms", LEAST_BYTES_OF_ATOM, &header->n_atoms, error);
  if (n == 2 && debye_text_field_is(fields[1], "bonds"))
    return debye_text_require_count(lines, fields[0], "bonds", LEAST_BYTES_OF_BOND, &header->n_bonds, error);
  if (n == 3 && debye_text_field_is(fields[1], "atom") && debye_text_field_is(fields[2], "types"))
    return debye_text_require_count(lines, fields[0], "atom types", 1, &header->n_types, error);
  return read_box_line(lines, fields, n, box, error);
}

/* write_data's title since 2022: "…, timestep = 0, units = real". */
static const DebyeLammpsUnits *
find_units(const DebyeLineReader *lines)
{
  static const char key[] = "units = ";
  const char *found = g_strstr_len(lines->text, (gssize)lines->length, key);
  if (found == NULL)
    return NULL;
  const char *name = found + strlen(key);
  return debye_lammps_units_get(name, strcspn(name, " ,\t"));
}

static DebyeLammpsBox
make_box(const Box *box)
{
  if (box->is_general)
    return debye_lammps_box_from_vectors(box->vectors[0], box->vectors[1], box->vectors[2], box->origin);
  DebyeLammpsBox made = debye_lammps_box_from_bounds(box->low, box->high, box->tilt);
  made.is_valid = made.is_valid && box->n_bounds == 7;
  return made;
}

gboolean
debye_lammps_data_read_header(DebyeLineReader *lines, DebyeLammpsDataHeader *header,
                              DebyeLammpsSection *section, GError **error)
{
  Box box = {.n_bounds = 0};
  *header = (DebyeLammpsDataHeader){.n_atoms = G_MAXSIZE};
  if (!debye_text_require_line(lines, "a title", error))
    return FALSE;
  header->units = find_units(lines);
  *section = DEBYE_LAMMPS_SECTION_NONE;
  while (*section == DEBYE_LAMMPS_SECTION_NONE && debye_line_reader_next(lines, error)) {
    DebyeTextField fields[7];
    DebyeTextField content = debye_lammps_data_get_content(lines->text, lines->length);
    gsize n = debye_text_split(content.text, content.length, fields, G_N_ELEMENTS(fields));
    *section = debye_lammps_data_get_section(lines->text, lines->length);
    if (*section == DEBYE_LAMMPS_SECTION_NONE && !read_header_line(lines, fields, n, header, &box, error))
      return FALSE;
  }
  if (lines->has_failed)
    return FALSE;
  if (header->n_atoms == G_MAXSIZE)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX,
                                       "expected the number of atoms in the header, found none");
  double length = (header->units != NULL ? header->units : debye_lammps_units_get_default())->length;
  header->box = debye_lammps_box_scale(make_box(&box), length);
  return TRUE;
}
