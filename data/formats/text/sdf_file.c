/* SPDX-License-Identifier: MIT */
/* SDF and MOL files, V2000 and V3000, after "CTfile Formats" (BIOVIA 2020): three lines of heading,
 * counts, atoms, bonds, properties. Part of ligand_file.h. */
#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/text_fields.h"
#include "data/messages/message.h"
#include "data/tables/elements.h"
#include "ligand_file.h"

#define N_HEADING 3
#define LEAST_BYTES 12 /* of an atom's or a bond's line */

static gboolean
refuse_line(const DebyeLineReader *lines, const char *expected, GError **error)
{
  g_autofree char *found = debye_text_quote(debye_text_line(lines));
  return debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected %s, found %s", expected,
                                     found);
}

static DebyeTextField
get_columns(const DebyeLineReader *lines, gsize first, gsize last)
{
  return debye_text_columns(lines->text, lines->length, first, last);
}

/* --- V2000 --- */

static gboolean
read_counts(DebyeLineReader *lines, gsize *n_atoms, gsize *n_bonds, GError **error)
{
  return debye_text_require_count(lines, get_columns(lines, 0, 3), "atoms", LEAST_BYTES, n_atoms, error) &&
         debye_text_require_count(lines, get_columns(lines, 3, 6), "bonds", LEAST_BYTES, n_bonds, error);
}

/* The code in an atom's line; 4 is a doublet radical. */
static double
decode_charge(gint64 code)
{
  return code >= 1 && code <= 7 && code != 4 ? 4.0 - (double)code : 0.0;
}

static gboolean
read_atom(DebyeLineReader *lines, DebyeLigand *ligand, GError **error)
{
  DebyeLigandAtom atom = {.charge = NAN};
  gint64 code = 0;
  if (!debye_text_require_line(lines, "an atom", error) ||
      !debye_text_require_double(lines, get_columns(lines, 0, 10), "x", &atom.position.x, error) ||
      !debye_text_require_double(lines, get_columns(lines, 10, 20), "y", &atom.position.y, error) ||
      !debye_text_require_double(lines, get_columns(lines, 20, 30), "z", &atom.position.z, error))
    return FALSE;
  const DebyeTextField symbol = get_columns(lines, 31, 34), charge = get_columns(lines, 36, 39);
  if (charge.length > 0 && !debye_text_require_int(lines, charge, "the charge", &code, error))
    return FALSE;
  atom.element = debye_element_from_symbol(symbol.text, (gssize)symbol.length);
  if (atom.element == 0)
    return refuse_line(lines, N_("an atom with its element"), error);
  atom.formal_charge = decode_charge(code);
  g_array_append_val(ligand->atoms, atom);
  return TRUE;
}

static gboolean
read_bond(DebyeLineReader *lines, DebyeLigand *ligand, GError **error)
{
  gint64 first, second, order;
  if (!debye_text_require_line(lines, "a bond", error) ||
      !debye_text_require_int(lines, get_columns(lines, 0, 3), "a bond's atom", &first, error) ||
      !debye_text_require_int(lines, get_columns(lines, 3, 6), "a bond's atom", &second, error) ||
      !debye_text_require_int(lines, get_columns(lines, 6, 9), "a bond's order", &order, error))
    return FALSE;
  const gint64 n = ligand->atoms->len;
  if (first < 1 || second < 1 || first > n || second > n || order < 1 || order > DEBYE_ORDER_AROMATIC)
    return refuse_line(lines, N_("a bond of two atoms with its order (1, 2, 3, or 4 for aromatic)"), error);
  debye_ligand_add_bond(ligand, (guint32)first - 1, (guint32)second - 1, (guint8)order);
  return TRUE;
}

/* "M  CHG  2   1  -1   5   1". The first such line takes the place of the charges in the atoms' lines. */
static gboolean
read_charges(DebyeLineReader *lines, DebyeLigand *ligand, gboolean *has_charges, GError **error)
{
  gint64 n;
  if (!debye_text_require_int(lines, get_columns(lines, 6, 9), "the number of charges", &n, error))
    return FALSE;
  for (guint i = 0; i < ligand->atoms->len && !*has_charges; i++)
    debye_ligand_get_atom(ligand, i)->formal_charge = 0.0;
  *has_charges = TRUE;
  for (gsize k = 0; k < (gsize)CLAMP(n, 0, 8); k++) {
    gint64 atom, charge;
    if (!debye_text_require_int(lines, get_columns(lines, 9 + 8 * k, 13 + 8 * k), "an atom", &atom, error) ||
        !debye_text_require_int(lines, get_columns(lines, 13 + 8 * k, 17 + 8 * k), "its charge", &charge,
                                error))
      return FALSE;
    if (atom < 1 || atom > (gint64)ligand->atoms->len || ABS(charge) > 15)
      return refuse_line(lines, N_("an atom of the molecule and its charge"), error);
    debye_ligand_get_atom(ligand, (guint32)atom - 1)->formal_charge = (double)charge;
  }
  return TRUE;
}

static gboolean
read_properties(DebyeLineReader *lines, DebyeLigand *ligand, GError **error)
{
  gboolean has_charges = FALSE;
  while (debye_line_reader_next(lines, error)) {
    if (g_str_has_prefix(lines->text, "M  END") || g_str_has_prefix(lines->text, "$$$$"))
      return TRUE;
    if (g_str_has_prefix(lines->text, "M  CHG") && !read_charges(lines, ligand, &has_charges, error))
      return FALSE;
  }
  return !lines->has_failed;
}

static gboolean
read_v2000(DebyeLineReader *lines, DebyeLigand *ligand, GError **error)
{
  gsize n_atoms, n_bonds;
  if (!read_counts(lines, &n_atoms, &n_bonds, error))
    return FALSE;
  for (gsize k = 0; k < n_atoms; k++)
    if (!read_atom(lines, ligand, error))
      return FALSE;
  for (gsize k = 0; k < n_bonds; k++)
    if (!read_bond(lines, ligand, error))
      return FALSE;
  return read_properties(lines, ligand, error);
}

/* --- V3000: lines "M  V30 …" of blanks-separated fields --- */

#define PREFIX "M  V30"
#define MOST_FIELDS 32

/* "CHG=-1" among the fields behind an atom's position. */
static gboolean
read_v3000_charge(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, double *charge,
                  GError **error)
{
  for (gsize k = 0; k < n; k++) {
    g_autofree char *text = g_strndup(fields[k].text, fields[k].length);
    gint64 value;
    if (!g_str_has_prefix(text, "CHG="))
      continue;
    if (!debye_text_require_int(lines, (DebyeTextField){fields[k].text + 4, fields[k].length - 4},
                                "the charge", &value, error))
      return FALSE;
    *charge = (double)CLAMP(value, -15, 15);
  }
  return TRUE;
}

static gboolean
read_v3000_atom(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, DebyeLigand *ligand,
                GError **error)
{
  DebyeLigandAtom atom = {.charge = NAN};
  gint64 number;
  if (n < 6 || ligand->atoms->len == DEBYE_LIGAND_ATOMS)
    return refuse_line(lines, N_("an atom of at most 999 with its number, element and position"), error);
  if (!debye_text_require_int(lines, fields[0], "an atom", &number, error) ||
      !debye_text_require_double(lines, fields[2], "x", &atom.position.x, error) ||
      !debye_text_require_double(lines, fields[3], "y", &atom.position.y, error) ||
      !debye_text_require_double(lines, fields[4], "z", &atom.position.z, error) ||
      !read_v3000_charge(lines, fields + 6, n - 6, &atom.formal_charge, error))
    return FALSE;
  atom.element = debye_element_from_symbol(fields[1].text, (gssize)fields[1].length);
  if (atom.element == 0 || number != (gint64)ligand->atoms->len + 1)
    return refuse_line(lines, N_("an atom of at most 999 with its number, element and position"), error);
  g_array_append_val(ligand->atoms, atom);
  return TRUE;
}

static gboolean
read_v3000_bond(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, DebyeLigand *ligand,
                gsize *n_bonds, GError **error)
{
  static const char *const expected = N_("a bond of two atoms with its order (1, 2, 3, or 4 for aromatic)");
  const gint64 n_atoms = ligand->atoms->len;
  gint64 order, first, second;
  if ((*n_bonds)++ == DEBYE_LIGAND_BONDS)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_LIMIT,
                                       "expected a ligand of at most %d bonds, found more",
                                       DEBYE_LIGAND_BONDS);
  if (n < 4)
    return refuse_line(lines, expected, error);
  if (!debye_text_require_int(lines, fields[1], "a bond's order", &order, error) ||
      !debye_text_require_int(lines, fields[2], "a bond's atom", &first, error) ||
      !debye_text_require_int(lines, fields[3], "a bond's atom", &second, error))
    return FALSE;
  if (first < 1 || second < 1 || first > n_atoms || second > n_atoms || order < 1 ||
      order > DEBYE_ORDER_AROMATIC)
    return refuse_line(lines, expected, error);
  debye_ligand_add_bond(ligand, (guint32)first - 1, (guint32)second - 1, (guint8)order);
  return TRUE;
}

typedef enum { BLOCK_OTHER, BLOCK_ATOMS, BLOCK_BONDS } Block;

static Block
find_block(DebyeTextField name)
{
  return debye_text_field_is(name, "ATOM")   ? BLOCK_ATOMS
         : debye_text_field_is(name, "BOND") ? BLOCK_BONDS
                                             : BLOCK_OTHER;
}

/* From the line of counts on, up to END CTAB. Atoms are numbered 1, 2, 3 …; rows that go on in a further line are refused. */
static gboolean
read_v3000(DebyeLineReader *lines, DebyeLigand *ligand, GError **error)
{
  Block block = BLOCK_OTHER;
  gsize n_bonds = 0;
  for (;;) {
    DebyeTextField fields[MOST_FIELDS];
    if (!debye_text_require_line(lines, "END CTAB", error))
      return FALSE;
    if (!g_str_has_prefix(lines->text, PREFIX) || lines->text[lines->length - 1] == '-')
      return refuse_line(lines, N_("a whole line that begins with M  V30"), error);
    const gsize n =
        debye_text_split(lines->text + strlen(PREFIX), lines->length - strlen(PREFIX), fields, MOST_FIELDS);
    const gboolean begins = n >= 2 && debye_text_field_is(fields[0], "BEGIN"),
                   ends = n >= 2 && debye_text_field_is(fields[0], "END");
    if (ends && debye_text_field_is(fields[1], "CTAB"))
      return TRUE;
    if (begins || ends)
      block = begins ? find_block(fields[1]) : BLOCK_OTHER;
    else if ((block == BLOCK_ATOMS && !read_v3000_atom(lines, fields, n, ligand, error)) ||
             (block == BLOCK_BONDS && !read_v3000_bond(lines, fields, n, ligand, &n_bonds, error)))
      return FALSE;
  }
}

/* --- The file --- */

static DebyeLigand *
read_heading(DebyeLineReader *lines, GError **error)
{
  g_autoptr(DebyeLigand) ligand = NULL;
  for (int k = 0; k < N_HEADING; k++) {
    if (!debye_text_require_line(lines, "the heading of a molecule", error))
      return NULL;
    if (k > 0)
      continue;
    const DebyeTextField name = debye_text_line(lines);
    g_autofree char *text = g_strndup(name.text, name.length);
    ligand = debye_ligand_new(text);
  }
  return g_steal_pointer(&ligand);
}

DebyeLigand *
debye_ligand_read_sdf(DebyeInput *input, GError **error)
{
  g_auto(DebyeLineReader) lines = {0};
  debye_line_reader_init(&lines, input, 0, 1);
  g_autoptr(DebyeLigand) ligand = read_heading(&lines, error);
  if (ligand == NULL || !debye_text_require_line(&lines, "the counts of atoms and bonds", error))
    return NULL;
  const gboolean is_v3000 = g_strstr_len(lines.text, (gssize)lines.length, "V3000") != NULL;
  const gboolean done = is_v3000 ? read_v3000(&lines, ligand, error) : read_v2000(&lines, ligand, error);
  return done ? g_steal_pointer(&ligand) : NULL;
}
