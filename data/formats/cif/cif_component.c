/* SPDX-License-Identifier: MIT */
/* Implementation of cif_component.h. Bonds name atoms that a file may list
 * behind them: they are kept, and joined at the end. */
#include "cif_component.h"

#include <math.h>
#include <string.h>

#include "cif_table.h"
#include "data/files/error.h"
#include "data/tables/elements.h"

typedef char Name[DEBYE_LIGAND_NAME_SIZE];

typedef struct {
  Name atoms[2];
  guint8 order;
  guint64 line;
} NamedBond;

typedef struct {
  DebyeLigand *ligand;
  GHashTable *atom_by_name; /* names of the ligand's atoms → number + 1 */
  GArray *models;           /* DebyeVec3, of each atom; NAN: none */
  GArray *bonds;            /* NamedBond */
  gboolean lacks_ideal;
  guint n_blocks;
} Reader;

static const char *const name_columns[] = {"_chem_comp.id", "_chem_comp.name", NULL};

enum { COMPONENT, ATOM, SYMBOL, CHARGE, IDEAL, MODEL = IDEAL + 3 };

static const char *const atom_columns[] = {
    "_chem_comp_atom.comp_id",
    "_chem_comp_atom.atom_id",
    "_chem_comp_atom.type_symbol",
    "_chem_comp_atom.charge",
    "_chem_comp_atom.pdbx_model_cartn_x_ideal",
    "_chem_comp_atom.pdbx_model_cartn_y_ideal",
    "_chem_comp_atom.pdbx_model_cartn_z_ideal",
    "_chem_comp_atom.model_cartn_x",
    "_chem_comp_atom.model_cartn_y",
    "_chem_comp_atom.model_cartn_z",
    NULL,
};

enum { FIRST = 1, SECOND, ORDER };

static const char *const bond_columns[] = {"_chem_comp_bond.comp_id", "_chem_comp_bond.atom_id_1",
                                           "_chem_comp_bond.atom_id_2", "_chem_comp_bond.value_order", NULL};

/* FALSE: longer than any that components have. */
static gboolean
copy_name(const DebyeCifValue *value, Name name)
{
  if (!value->is_given || value->length >= DEBYE_LIGAND_NAME_SIZE)
    return FALSE;
  memcpy(name, value->text, value->length);
  name[value->length] = '\0';
  return TRUE;
}

/* The name is the entry's, which has many components, until atoms tell which it is. */
static gboolean
take_name(DebyeCifWalk *walk, const DebyeCifRow *row, G_GNUC_UNUSED GError **error)
{
  Reader *reader = walk->data;
  if (row->is_in_loop)
    return TRUE;
  g_free(reader->ligand->name);
  reader->ligand->name = debye_cif_value_copy(&row->values[row->values[1].is_given ? 1 : 0]);
  return TRUE;
}

/* Of one component all. */
static gboolean
check_component(const DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  DebyeLigand *ligand = ((Reader *)walk->data)->ligand;
  g_autofree char *component = debye_cif_value_copy(&row->values[COMPONENT]);
  if (*ligand->residue == '\0') {
    g_free(ligand->residue);
    ligand->residue = g_steal_pointer(&component);
    return TRUE;
  }
  if (*component == '\0' || strcmp(component, ligand->residue) == 0)
    return TRUE;
  return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_SYNTAX,
                                 "expected one component, found %s and %s", ligand->residue, component);
}

static DebyeVec3
read_place(const DebyeCifValue values[3])
{
  double numbers[3];
  for (int k = 0; k < 3; k++)
    if (!debye_cif_value_to_double(&values[k], &numbers[k]))
      return debye_vec3(NAN, NAN, NAN);
  return debye_vec3(numbers[0], numbers[1], numbers[2]);
}

static gboolean
is_place(DebyeVec3 place)
{
  return isfinite(place.x + place.y + place.z);
}

static gboolean
take_atom(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  Reader *reader = walk->data;
  DebyeLigandAtom atom = {.charge = NAN, .position = read_place(&row->values[IDEAL])};
  const DebyeVec3 model = read_place(&row->values[MODEL]);
  const DebyeCifValue *symbol = &row->values[SYMBOL];
  if (!check_component(walk, row, error))
    return FALSE;
  if (reader->ligand->atoms->len == DEBYE_LIGAND_ATOMS)
    return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_LIMIT,
                                   "expected a ligand of at most %d atoms, found more", DEBYE_LIGAND_ATOMS);
  atom.element = symbol->is_given ? debye_element_from_symbol(symbol->text, (gssize)symbol->length) : 0;
  if (!copy_name(&row->values[ATOM], atom.name) || atom.element == 0 ||
      g_hash_table_contains(reader->atom_by_name, atom.name))
    return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_SYNTAX,
                                   "expected an atom with a unique name and its element");
  double charge;
  if (debye_cif_value_to_double(&row->values[CHARGE], &charge) && fabs(charge) < 10.0)
    atom.formal_charge = charge;
  reader->lacks_ideal |= !is_place(atom.position);
  g_array_append_val(reader->models, model);
  g_array_append_val(reader->ligand->atoms, atom);
  g_hash_table_insert(reader->atom_by_name, g_strdup(atom.name),
                      GUINT_TO_POINTER(reader->ligand->atoms->len));
  return TRUE;
}

/* 0: none of them. */
static guint8
parse_order(const DebyeCifValue *value)
{
  static const struct {
    const char *name;
    guint8 order;
  } orders[] = {
      {"sing", 1}, {"doub", 2}, {"trip", 3}, {"arom", DEBYE_ORDER_AROMATIC}, {"delo", DEBYE_ORDER_AROMATIC}};
  for (gsize k = 0; k < G_N_ELEMENTS(orders); k++)
    if (value->is_given && value->length == 4 && g_ascii_strncasecmp(value->text, orders[k].name, 4) == 0)
      return orders[k].order;
  return 0;
}

static gboolean
take_bond(DebyeCifWalk *walk, const DebyeCifRow *row, GError **error)
{
  Reader *reader = walk->data;
  NamedBond bond = {.order = parse_order(&row->values[ORDER]), .line = row->line};
  if (!check_component(walk, row, error))
    return FALSE;
  if (reader->bonds->len == DEBYE_LIGAND_BONDS)
    return debye_cif_row_set_error(walk, row, error, DEBYE_ERROR_LIMIT,
                                   "expected a ligand of at most %d bonds, found more", DEBYE_LIGAND_BONDS);
  if (bond.order == 0 || !copy_name(&row->values[FIRST], bond.atoms[0]) ||
      !copy_name(&row->values[SECOND], bond.atoms[1])) {
    return debye_cif_row_set_error(
        walk, row, error, DEBYE_ERROR_SYNTAX,
        "expected a bond of two atoms with its order (SING, DOUB, TRIP, AROM or DELO)");
  }
  g_array_append_val(reader->bonds, bond);
  return TRUE;
}

static void
begin_block(DebyeCifWalk *walk, G_GNUC_UNUSED const char *name, G_GNUC_UNUSED gsize length)
{
  Reader *reader = walk->data;
  walk->stop = reader->n_blocks++ > 0;
}

/* --- All together --- */

static gboolean
join_bonds(const Reader *reader, DebyeInput *input, GError **error)
{
  for (guint b = 0; b < reader->bonds->len; b++) {
    const NamedBond *bond = &g_array_index(reader->bonds, NamedBond, b);
    guint32 atoms[2];
    for (int k = 0; k < 2; k++)
      atoms[k] = GPOINTER_TO_UINT(g_hash_table_lookup(reader->atom_by_name, bond->atoms[k]));
    if (atoms[0] == 0 || atoms[1] == 0 || atoms[0] == atoms[1])
      return debye_input_set_error(input, error, DEBYE_ERROR_SYNTAX,
                                   "line %" G_GUINT64_FORMAT ": expected a bond of two of the component's "
                                   "atoms, found %s and %s",
                                   bond->line, bond->atoms[0], bond->atoms[1]);
    debye_ligand_add_bond(reader->ligand, atoms[0] - 1, atoms[1] - 1, bond->order);
  }
  return TRUE;
}

static gboolean
settle_places(const Reader *reader, DebyeInput *input, GError **error)
{
  for (guint32 i = 0; i < reader->ligand->atoms->len && reader->lacks_ideal; i++) {
    DebyeLigandAtom *atom = debye_ligand_get_atom(reader->ligand, i);
    atom->position = g_array_index(reader->models, DebyeVec3, i);
    if (!is_place(atom->position))
      return debye_input_set_error(input, error, DEBYE_ERROR_MISSING,
                                   "atom %s of the component has no position", atom->name);
  }
  return TRUE;
}

static gboolean
read_tables(Reader *reader, DebyeInput *input, GError **error)
{
  static const DebyeCifTable tables[] = {
      {name_columns, take_name}, {atom_columns, take_atom}, {bond_columns, take_bond}};
  g_auto(DebyeLineReader) lines = {0};
  DebyeCifWalk walk = {.lines = &lines,
                       .tables = tables,
                       .n_tables = G_N_ELEMENTS(tables),
                       .begin_block = begin_block,
                       .data = reader};
  debye_line_reader_init(&lines, input, 0, 1);
  return debye_cif_walk(&walk, error) && settle_places(reader, input, error) &&
         join_bonds(reader, input, error);
}

gboolean
debye_cif_component_probe(const char *head, gsize n)
{
  return g_strstr_len(head, (gssize)n, "_chem_comp") != NULL;
}

DebyeLigand *
debye_cif_component_read(DebyeInput *input, GError **error)
{
  g_autoptr(DebyeLigand) ligand = debye_ligand_new("");
  g_autoptr(GHashTable) atom_by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GArray) models = g_array_new(FALSE, FALSE, sizeof(DebyeVec3));
  g_autoptr(GArray) bonds = g_array_new(FALSE, FALSE, sizeof(NamedBond));
  Reader reader = {.ligand = ligand, .atom_by_name = atom_by_name, .models = models, .bonds = bonds};
  return read_tables(&reader, input, error) ? g_steal_pointer(&ligand) : NULL;
}
