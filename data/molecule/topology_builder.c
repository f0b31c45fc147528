/* SPDX-License-Identifier: MIT */
/* Atoms as a reader finds them, one at a time, to a topology. DebyeOptionalValues columns come to be at the first atom
 * that has a value; a column that only some atoms have is kept with 0 for the others, and said so. */
#include "data/tables/elements.h"
#include "topology_builder_private.h"
#include "topology_private.h"
#include "data/messages/message.h"

DebyeTopologyBuilder *
debye_topology_builder_new(void)
{
  DebyeTopologyBuilder *builder = g_new0(DebyeTopologyBuilder, 1);
  builder->pool = debye_string_pool_new();
  builder->names = g_array_new(FALSE, FALSE, sizeof(guint32));
  builder->types = g_array_new(FALSE, FALSE, sizeof(guint32));
  builder->residues = g_array_new(FALSE, FALSE, sizeof(guint32));
  builder->elements = g_array_new(FALSE, FALSE, sizeof(guint8));
  builder->sources = g_array_new(FALSE, FALSE, sizeof(guint8));
  builder->masses = g_array_new(FALSE, FALSE, sizeof(float));
  builder->residue_table = g_array_new(FALSE, FALSE, sizeof(DebyeResidue));
  builder->highest_numbers = g_hash_table_new(NULL, NULL);
  builder->bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  builder->warnings = g_ptr_array_new_with_free_func(g_free);
  builder->residue_is_new = TRUE;
  return builder;
}

static void
clear_array(GArray **array)
{
  g_clear_pointer(array, g_array_unref);
}

void
debye_topology_builder_free(DebyeTopologyBuilder *builder)
{
  debye_string_pool_unref(builder->pool);
  g_free(builder->title);
  clear_array(&builder->names);
  clear_array(&builder->types);
  clear_array(&builder->residues);
  clear_array(&builder->elements);
  clear_array(&builder->sources);
  clear_array(&builder->masses);
  clear_array(&builder->serials);
  clear_array(&builder->altlocs);
  for (int c = 0; c < DEBYE_N_COLUMNS; c++)
    clear_array(&builder->optional[c].values);
  clear_array(&builder->residue_table);
  clear_array(&builder->bonds);
  g_hash_table_unref(builder->highest_numbers);
  g_ptr_array_unref(builder->warnings);
  g_free(builder);
}

void
debye_topology_builder_set_title(DebyeTopologyBuilder *builder, const char *title, gssize length)
{
  /* The pool's rules make it valid UTF-8 on one line. */
  guint32 code = debye_string_pool_add(builder->pool, title, length);
  g_free(builder->title);
  builder->title = g_strdup(debye_string_pool_get(builder->pool, code));
}

void
debye_topology_builder_set_cell(DebyeTopologyBuilder *builder, const DebyeCell *cell)
{
  builder->cell = *cell;
}

void
debye_topology_builder_warn(DebyeTopologyBuilder *builder, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_ptr_array_add(builder->warnings, debye_say_valist(format, arguments));
  va_end(arguments);
}

void
debye_topology_builder_set_residue(DebyeTopologyBuilder *builder, const char *name, gssize name_length,
                                   gint32 number, char insertion_code, const char *chain, gssize chain_length,
                                   const char *segment, gssize segment_length)
{
  DebyeResidue *residue = &builder->residue;
  guint32 name_code = debye_string_pool_add(builder->pool, name, name_length);
  guint32 chain_code = debye_string_pool_add(builder->pool, chain, chain_length);
  guint32 segment_code = debye_string_pool_add(builder->pool, segment, segment_length);
  if (insertion_code == ' ')
    insertion_code = '\0';
  if (name_code != residue->name || number != residue->number || chain_code != residue->chain ||
      segment_code != residue->segment || insertion_code != residue->insertion_code)
    builder->residue_is_new = TRUE;
  residue->name = name_code;
  residue->number = number;
  residue->chain = chain_code;
  residue->segment = segment_code;
  residue->insertion_code = insertion_code;
}

void
debye_topology_builder_new_residue(DebyeTopologyBuilder *builder)
{
  builder->residue_is_new = TRUE;
  builder->has_stated_residues = TRUE;
}

void
debye_topology_builder_trust_residues(DebyeTopologyBuilder *builder)
{
  builder->are_residues_unique = TRUE;
}

/* A column appears with zeros for the atoms before. */
static void
append_optional(DebyeOptionalValues *optional, double value, gsize n_before)
{
  gboolean is_given = !isnan(value);
  if (!is_given && optional->values == NULL)
    return;
  if (optional->values == NULL) {
    optional->values = g_array_new(FALSE, TRUE, sizeof(float));
    g_array_set_size(optional->values, (guint)n_before);
  }
  float number = is_given ? (float)value : 0.0F;
  g_array_append_val(optional->values, number);
  optional->n_given += is_given ? 1 : 0;
}

static void
append_serial(DebyeTopologyBuilder *builder, gint32 serial, gsize n_before)
{
  if (serial == G_MININT32 && builder->serials == NULL)
    return;
  if (builder->serials == NULL) {
    builder->serials = g_array_new(FALSE, TRUE, sizeof(gint32));
    g_array_set_size(builder->serials, (guint)n_before);
  }
  gint32 number = serial == G_MININT32 ? 0 : serial;
  g_array_append_val(builder->serials, number);
}

static void
append_altloc(DebyeTopologyBuilder *builder, const DebyeAtom *atom, gsize n_before)
{
  guint32 label =
      atom->altloc != NULL ? debye_string_pool_add(builder->pool, atom->altloc, atom->altloc_length) : 0;
  if (label == 0 && builder->altlocs == NULL)
    return;
  if (builder->altlocs == NULL) {
    builder->altlocs = g_array_new(FALSE, TRUE, sizeof(guint32));
    g_array_set_size(builder->altlocs, (guint)n_before);
  }
  g_array_append_val(builder->altlocs, label);
}

static guint8
element_of_file(const DebyeAtom *atom)
{
  if (atom->atomic_number > 0 && atom->atomic_number < DEBYE_N_ELEMENTS)
    return (guint8)atom->atomic_number;
  return debye_element_from_symbol(atom->element, atom->element_length);
}

static void
append_element(DebyeTopologyBuilder *builder, const DebyeAtom *atom)
{
  guint8 element = element_of_file(atom);
  /* A file that says "atomic number 0" means a virtual site. */
  gboolean is_decided = element != 0 || atom->atomic_number == 0;
  guint8 source = is_decided ? DEBYE_ELEMENT_FROM_FILE : DEBYE_ELEMENT_UNKNOWN;
  g_array_append_val(builder->elements, element);
  g_array_append_val(builder->sources, source);
}

/* A column of four or five digits is full, and the numbers begin again. */
static gboolean
begins_again(gint32 highest, gint32 number)
{
  return (highest == 9999 || highest == 99999) && (number == 0 || number == 1);
}

/* As long as numbers only rise, no residue can come twice, and nobody needs to look for one. */
static void
note_residue_number(DebyeTopologyBuilder *builder)
{
  const DebyeResidue *residue = &builder->residue;
  /* Two places with one key make for a look in vain. */
  gpointer place = GUINT_TO_POINTER(residue->chain * 0x10001U ^ residue->segment), highest;
  if (builder->may_residues_stand_apart)
    return;
  if (g_hash_table_lookup_extended(builder->highest_numbers, place, NULL, &highest) &&
      residue->number <= GPOINTER_TO_INT(highest) && !begins_again(GPOINTER_TO_INT(highest), residue->number))
    builder->may_residues_stand_apart = TRUE;
  else
    g_hash_table_insert(builder->highest_numbers, place, GINT_TO_POINTER(residue->number));
}

void
debye_topology_builder_begin_residue(DebyeTopologyBuilder *builder, guint32 atom)
{
  note_residue_number(builder);
  builder->residue.first_atom = atom;
  builder->residue.n_atoms = 0;
  builder->current_residue = builder->residue_table->len;
  g_array_append_val(builder->residue_table, builder->residue);
  builder->residue_is_new = FALSE;
}

static void
append_residue(DebyeTopologyBuilder *builder, guint32 atom)
{
  if (builder->residue_is_new)
    debye_topology_builder_begin_residue(builder, atom);
  DebyeResidue *residue = &g_array_index(builder->residue_table, DebyeResidue, builder->current_residue);
  /* Only the run that made the residue counts, not what was added when it was returned to. */
  if (residue->first_atom + residue->n_atoms == atom)
    residue->n_atoms++;
  g_array_append_val(builder->residues, builder->current_residue);
}

void
debye_topology_builder_return_to_residue(DebyeTopologyBuilder *builder, guint32 residue)
{
  builder->residue = g_array_index(builder->residue_table, DebyeResidue, residue);
  builder->current_residue = residue;
  builder->residue_is_new = FALSE;
}

guint32
debye_topology_builder_get_last_residue(const DebyeTopologyBuilder *builder)
{
  return builder->current_residue;
}

/* A file that calls an atom D, and gives no mass, means deuterium's. */
static float
get_mass(const DebyeAtom *atom)
{
  const char *symbol = atom->element;
  const gboolean is_deuterium =
      symbol != NULL && atom->element_length != 0 && g_ascii_toupper(symbol[0]) == 'D' &&
      (atom->element_length == 1 || (atom->element_length < 0 && symbol[1] == '\0'));
  return isnan(atom->mass) && is_deuterium ? DEBYE_DEUTERIUM_MASS : (float)atom->mass;
}

guint32
debye_topology_builder_add_atom(DebyeTopologyBuilder *builder, const DebyeAtom *atom)
{
  guint32 index = builder->names->len;
  guint32 name = debye_string_pool_add(builder->pool, atom->name, atom->name_length);
  guint32 type = debye_string_pool_add(builder->pool, atom->type, atom->type_length);
  float mass = get_mass(atom);
  g_array_append_val(builder->names, name);
  g_array_append_val(builder->types, type);
  g_array_append_val(builder->masses, mass);
  append_element(builder, atom);
  append_serial(builder, atom->serial, index);
  append_altloc(builder, atom, index);
  append_residue(builder, index);
  append_optional(&builder->optional[DEBYE_COLUMN_CHARGE], atom->charge, index);
  append_optional(&builder->optional[DEBYE_COLUMN_RADIUS], atom->radius, index);
  append_optional(&builder->optional[DEBYE_COLUMN_OCCUPANCY], atom->occupancy, index);
  append_optional(&builder->optional[DEBYE_COLUMN_B_FACTOR], atom->b_factor, index);
  return index;
}

void
debye_topology_builder_add_bond(DebyeTopologyBuilder *builder, gint64 i, gint64 j)
{
  /* Atoms that come later in the file may be meant, so the number of atoms is looked at in the end. */
  if (i < 0 || j < 0 || i >= G_MAXUINT32 || j >= G_MAXUINT32) {
    builder->n_dropped_bonds++;
    return;
  }
  DebyeBond bond = {(guint32)i, (guint32)j};
  g_array_append_val(builder->bonds, bond);
}

gsize
debye_topology_builder_get_n_atoms(const DebyeTopologyBuilder *builder)
{
  return builder->names->len;
}

/* --- Closing --- */

static gboolean
joins_locations(const DebyeTopologyBuilder *builder, DebyeBond bond)
{
  if (builder->altlocs == NULL)
    return FALSE;
  guint32 first = g_array_index(builder->altlocs, guint32, bond.i);
  guint32 second = g_array_index(builder->altlocs, guint32, bond.j);
  return first != 0 && second != 0 && first != second;
}

static DebyeBond *
finish_bonds(DebyeTopologyBuilder *builder, gsize *n_bonds)
{
  gsize n_atoms = builder->names->len;
  guint kept = 0;
  for (guint b = 0; b < builder->bonds->len; b++) {
    DebyeBond bond = g_array_index(builder->bonds, DebyeBond, b);
    if (bond.i >= n_atoms || bond.j >= n_atoms)
      builder->n_dropped_bonds++;
    else if (!joins_locations(builder, bond))
      g_array_index(builder->bonds, DebyeBond, kept++) = bond;
  }
  g_array_set_size(builder->bonds, kept);
  if (builder->n_dropped_bonds > 0)
    debye_topology_builder_warn(builder,
                                "%" G_GSIZE_FORMAT " bonds refer to atoms that do not exist and are ignored",
                                builder->n_dropped_bonds);
  DebyeBond *bonds = (DebyeBond *)(void *)g_array_free(g_steal_pointer(&builder->bonds), FALSE);
  *n_bonds = debye_topology_sort_bonds(bonds, kept);
  return bonds;
}

static float *
finish_optional(DebyeTopologyBuilder *builder, DebyeOptionalColumn column)
{
  static const char *const names[DEBYE_N_COLUMNS] = {"charge", "radius", "occupancy", "B factor"};
  DebyeOptionalValues *optional = &builder->optional[column];
  gsize n_missing = builder->names->len - optional->n_given;
  if (optional->values == NULL)
    return NULL;
  if (n_missing > 0 && (column == DEBYE_COLUMN_CHARGE || column == DEBYE_COLUMN_RADIUS))
    debye_topology_builder_warn(builder, "%" G_GSIZE_FORMAT " atoms have no %s: assuming 0", n_missing,
                                names[column]);
  return (float *)(void *)g_array_free(g_steal_pointer(&optional->values), FALSE);
}

static gpointer
steal_array(GArray **array)
{
  return *array != NULL ? g_array_free(g_steal_pointer(array), FALSE) : NULL;
}

DebyeTopology *
debye_topology_builder_finish(DebyeTopologyBuilder *builder)
{
  debye_topology_builder_join_residues(builder);
  debye_topology_builder_decide_elements(builder);
  debye_topology_builder_fill_masses(builder);
  gsize n_bonds;
  DebyeBond *bonds = finish_bonds(builder, &n_bonds);

  DebyeTopologyColumns *columns = debye_topology_columns_new(builder->pool);
  columns->n_atoms = builder->names->len;
  columns->n_residues = builder->residue_table->len;
  columns->title = g_steal_pointer(&builder->title);
  columns->cell = builder->cell;
  columns->charges = finish_optional(builder, DEBYE_COLUMN_CHARGE);
  columns->radii = finish_optional(builder, DEBYE_COLUMN_RADIUS);
  columns->occupancies = finish_optional(builder, DEBYE_COLUMN_OCCUPANCY);
  columns->b_factors = finish_optional(builder, DEBYE_COLUMN_B_FACTOR);
  columns->names = steal_array(&builder->names);
  columns->types = steal_array(&builder->types);
  columns->residues = steal_array(&builder->residues);
  columns->elements = steal_array(&builder->elements);
  columns->element_sources = steal_array(&builder->sources);
  columns->masses = steal_array(&builder->masses);
  columns->serials = steal_array(&builder->serials);
  columns->altlocs = steal_array(&builder->altlocs);
  columns->residue_table = steal_array(&builder->residue_table);
  g_ptr_array_add(builder->warnings, NULL);
  columns->warnings = (char **)g_ptr_array_free(builder->warnings, FALSE);

  DebyeTopologyBuilder *empty = debye_topology_builder_new();
  debye_string_pool_unref(builder->pool);
  g_hash_table_unref(builder->highest_numbers);
  clear_array(&builder->altlocs);
  *builder = *empty;
  g_free(empty);
  return debye_topology_new_take(columns, bonds, n_bonds);
}
