/* SPDX-License-Identifier: MIT */
/* Implementation of sdf_v3000.h, after "CTfile Formats" (BIOVIA 2020): lines "M  V30 …" of blanks-separated fields. */
#include "sdf_v3000.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/tables/elements.h"

#define PREFIX "M  V30"
#define MOST_FIELDS 32

static gboolean
refuse(const DebyeLineReader *lines, const char *expected, GError **error)
{
  g_autofree char *found = debye_text_quote(debye_text_line(lines));
  debye_line_reader_set_error(lines, error, DEBYE_ERROR_SYNTAX, "expected %s, found %s", expected, found);
  return FALSE;
}

/* "CHG=-1" among the fields behind an atom's position. */
static gboolean
read_charge(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, double *charge,
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
read_atom(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, DebyeLigand *ligand,
          GError **error)
{
  DebyeLigandAtom atom = {.charge = NAN};
  gint64 number;
  if (n < 6 || ligand->atoms->len == DEBYE_LIGAND_ATOMS)
    return refuse(lines, N_("an atom of at most 999 with its number, element and position"), error);
  if (!debye_text_require_int(lines, fields[0], "an atom", &number, error) ||
      !debye_text_require_double(lines, fields[2], "x", &atom.position.x, error) ||
      !debye_text_require_double(lines, fields[3], "y", &atom.position.y, error) ||
      !debye_text_require_double(lines, fields[4], "z", &atom.position.z, error) ||
      !read_charge(lines, fields + 6, n - 6, &atom.formal_charge, error))
    return FALSE;
  atom.element = debye_element_from_symbol(fields[1].text, (gssize)fields[1].length);
  if (atom.element == 0 || number != (gint64)ligand->atoms->len + 1)
    return refuse(lines, N_("an atom of at most 999 with its number, element and position"), error);
  g_array_append_val(ligand->atoms, atom);
  return TRUE;
}

static gboolean
read_bond(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, DebyeLigand *ligand,
          gsize *n_bonds, GError **error)
{
  static const char *const expected = N_("a bond of two atoms with its order (1, 2, 3, or 4 for aromatic)");
  const gint64 n_atoms = ligand->atoms->len;
  gint64 order, first, second;
  if ((*n_bonds)++ == DEBYE_LIGAND_BONDS) {
    debye_line_reader_set_error(lines, error, DEBYE_ERROR_LIMIT,
                                "expected a ligand of at most %d bonds, found more", DEBYE_LIGAND_BONDS);
    return FALSE;
  }
  if (n < 4)
    return refuse(lines, expected, error);
  if (!debye_text_require_int(lines, fields[1], "a bond's order", &order, error) ||
      !debye_text_require_int(lines, fields[2], "a bond's atom", &first, error) ||
      !debye_text_require_int(lines, fields[3], "a bond's atom", &second, error))
    return FALSE;
  if (first < 1 || second < 1 || first > n_atoms || second > n_atoms || order < 1 ||
      order > DEBYE_ORDER_AROMATIC)
    return refuse(lines, expected, error);
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

gboolean
debye_sdf_v3000_read(DebyeLineReader *lines, DebyeLigand *ligand, GError **error)
{
  Block block = BLOCK_OTHER;
  gsize n_bonds = 0;
  for (;;) {
    DebyeTextField fields[MOST_FIELDS];
    if (!debye_text_require_line(lines, "END CTAB", error))
      return FALSE;
    if (!g_str_has_prefix(lines->text, PREFIX) || lines->text[lines->length - 1] == '-')
      return refuse(lines, N_("a whole line that begins with M  V30"), error);
    const gsize n =
        debye_text_split(lines->text + strlen(PREFIX), lines->length - strlen(PREFIX), fields, MOST_FIELDS);
    const gboolean begins = n >= 2 && debye_text_field_is(fields[0], "BEGIN"),
                   ends = n >= 2 && debye_text_field_is(fields[0], "END");
    if (ends && debye_text_field_is(fields[1], "CTAB"))
      return TRUE;
    if (begins || ends)
      block = begins ? find_block(fields[1]) : BLOCK_OTHER;
    else if ((block == BLOCK_ATOMS && !read_atom(lines, fields, n, ligand, error)) ||
             (block == BLOCK_BONDS && !read_bond(lines, fields, n, ligand, &n_bonds, error)))
      return FALSE;
  }
}
