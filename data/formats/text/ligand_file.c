/* SPDX-License-Identifier: MIT */
/* Implementation of ligand_file.h: which format it is, and Mol2. */
#include "ligand_file.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/formats/cif/cif_component.h"
#include "data/tables/elements.h"
#include "mol2_records.h"

typedef struct {
  DebyeLigand *ligand;
  GHashTable *atom_by_id; /* id → number + 1 */
  GPtrArray *types;       /* char *, of the atoms */
  gboolean are_types_sybyl;
  gsize n_bonds; /* rows */
} Contents;

static gboolean
read_atom(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data, GError **error)
{
  Contents *contents = data;
  DebyeLigandAtom atom = {.charge = NAN};
  gint64 id;
  if (!debye_text_require_int(lines, fields[0], "the atom's id", &id, error) ||
      !debye_text_require_double(lines, fields[2], "x", &atom.position.x, error) ||
      !debye_text_require_double(lines, fields[3], "y", &atom.position.y, error) ||
      !debye_text_require_double(lines, fields[4], "z", &atom.position.z, error) ||
      (n > 8 && !debye_text_require_double(lines, fields[8], "the charge", &atom.charge, error)))
    return FALSE;
  if (contents->ligand->atoms->len == DEBYE_LIGAND_ATOMS)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_LIMIT,
                                       "expected a ligand of at most %d atoms, found more",
                                       DEBYE_LIGAND_ATOMS);
  if (fields[1].length < sizeof atom.name)
    memcpy(atom.name, fields[1].text, fields[1].length);
  if (n > 7 && contents->ligand->atoms->len == 0) {
    g_free(contents->ligand->residue);
    contents->ligand->residue = g_strndup(fields[7].text, fields[7].length);
  }
  contents->are_types_sybyl = debye_mol2_parse_type(fields[5], &atom.element) && contents->are_types_sybyl;
  g_ptr_array_add(contents->types, g_strndup(fields[5].text, fields[5].length));
  g_array_append_val(contents->ligand->atoms, atom);
  g_hash_table_insert(contents->atom_by_id, GSIZE_TO_POINTER(id),
                      GSIZE_TO_POINTER(contents->ligand->atoms->len));
  return TRUE;
}

/* Of amides single, of what is unknown or isn't bonded none. */
static guint8
parse_order(DebyeTextField type)
{
  static const struct {
    const char *name;
    guint8 order;
  } orders[] = {{"1", 1}, {"2", 2}, {"3", 3}, {"ar", DEBYE_ORDER_AROMATIC}, {"am", 1}, {"nc", 0}};
  for (gsize k = 0; k < G_N_ELEMENTS(orders); k++)
    if (debye_text_field_is(type, orders[k].name))
      return orders[k].order;
  return G_MAXUINT8;
}

static gboolean
read_bond(const DebyeLineReader *lines, const DebyeTextField *fields, gsize n, gpointer data, GError **error)
{
  Contents *contents = data;
  guint32 atoms[2];
  (void)n;
  if (contents->n_bonds++ == DEBYE_LIGAND_BONDS)
    return debye_line_reader_set_error(lines, error, DEBYE_ERROR_LIMIT,
                                       "expected a ligand of at most %d bonds, found more",
                                       DEBYE_LIGAND_BONDS);
  const guint8 order = parse_order(fields[3]);
  for (int k = 0; k < 2; k++) {
    gint64 id;
    if (!debye_text_require_int(lines, fields[1 + k], "a bond's atom", &id, error))
      return FALSE;
    atoms[k] = (guint32)GPOINTER_TO_SIZE(g_hash_table_lookup(contents->atom_by_id, GSIZE_TO_POINTER(id))) - 1;
  }
  if (order == G_MAXUINT8 || atoms[0] == G_MAXUINT32 || atoms[1] == G_MAXUINT32) {
    g_autofree char *found = debye_text_quote(debye_text_line(lines));
    return debye_line_reader_set_error(
        lines, error, DEBYE_ERROR_SYNTAX,
        "expected a bond of two atoms with its order (1, 2, 3, am or ar), found %s", found);
  }
  if (order > 0)
    debye_ligand_add_bond(contents->ligand, atoms[0], atoms[1], order);
  return TRUE;
}

/* As the reader of structures decides them. */
static void
set_elements(const Contents *contents)
{
  for (guint32 i = 0; i < contents->ligand->atoms->len && !contents->are_types_sybyl; i++) {
    DebyeLigandAtom *atom = debye_ligand_get_atom(contents->ligand, i);
    atom->element = debye_element_from_type(g_ptr_array_index(contents->types, i));
    if (atom->element == 0)
      atom->element = debye_element_from_name(atom->name, contents->ligand->residue);
  }
}

static gboolean
read_molecule(DebyeLineReader *lines, Contents *contents, GError **error)
{
  static const DebyeMol2Rows rows = {.atom = read_atom, .bond = read_bond};
  DebyeMol2Reader reader = {.lines = lines};
  g_auto(DebyeMol2Molecule) molecule = {.n_atoms = 0};
  GError *problem = NULL;
  if (!debye_mol2_read_molecule(&reader, &molecule, &rows, contents, &problem)) {
    if (problem == NULL)
      debye_text_set_truncated(lines, error, "a molecule");
    else
      g_propagate_error(error, problem);
    return FALSE;
  }
  set_elements(contents);
  g_free(contents->ligand->name);
  contents->ligand->name = g_steal_pointer(&molecule.name);
  for (guint32 i = 0; i < contents->ligand->atoms->len; i++)
    if (!molecule.has_charges)
      debye_ligand_get_atom(contents->ligand, i)->charge = NAN;
  return TRUE;
}

DebyeLigand *
debye_ligand_read_mol2(DebyeInput *input, GError **error)
{
  g_auto(DebyeLineReader) lines = {0};
  g_autoptr(DebyeLigand) ligand = debye_ligand_new("");
  g_autoptr(GHashTable) atom_by_id = g_hash_table_new(NULL, NULL);
  g_autoptr(GPtrArray) types = g_ptr_array_new_with_free_func(g_free);
  Contents contents = {.ligand = ligand, .atom_by_id = atom_by_id, .types = types, .are_types_sybyl = TRUE};
  debye_line_reader_init(&lines, input, 0, 1);
  return read_molecule(&lines, &contents, error) ? g_steal_pointer(&ligand) : NULL;
}

DebyeLigand *
debye_ligand_file_read(const char *path, GError **error)
{
  guint8 head[4096];
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  const gssize n = input != NULL ? debye_input_read_some(input, 0, head, sizeof head, error) : -1;
  if (n < 0)
    return NULL;
  const gboolean is_mol2 = g_strstr_len((const char *)head, n, "@<TRIPOS>") != NULL;
  g_autoptr(DebyeLigand) ligand = is_mol2 ? debye_ligand_read_mol2(input, error)
                                  : debye_cif_component_probe((const char *)head, (gsize)n)
                                      ? debye_cif_component_read(input, error)
                                      : debye_ligand_read_sdf(input, error);
  if (ligand != NULL && ligand->atoms->len == 0) {
    debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX, "expected a ligand's atoms, found none");
    return NULL;
  }
  if (ligand != NULL)
    ligand->file = debye_error_name_file(path);
  return g_steal_pointer(&ligand);
}
