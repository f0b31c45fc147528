/* SPDX-License-Identifier: MIT */
/* Atoms as a reader finds them, one at a time, to a topology. Optional columns come to be at the first atom
 * that has a value; a column that only some atoms have is kept with 0 for the others, and said so. */
#include "data/tables/elements.h"
#include "topology.h"
#include "topology_private.h"

#include <string.h>

typedef enum {
  COLUMN_CHARGE,
  COLUMN_RADIUS,
  COLUMN_OCCUPANCY,
  COLUMN_B_FACTOR,
  N_COLUMNS,
} OptionalColumn;

typedef struct {
  GArray *values; /* float; NULL until an atom has one */
  gsize n_given;
} Optional;

struct _DebyeTopologyBuilder {
  DebyeStringPool *pool;
  char *title;
  DebyeCell cell;
  GArray *names, *types, *residues; /* guint32 */
  GArray *elements, *sources;       /* guint8; DEBYE_ELEMENT_UNKNOWN: to be decided at the end */
  GArray *masses;                   /* float; NAN: not given */
  GArray *serials;                  /* gint32; NULL until an atom has one */
  GArray *altlocs;                  /* guint32; NULL until an atom has one */
  Optional optional[N_COLUMNS];
  GArray *residue_table; /* DebyeResidue */
  DebyeResidue residue;  /* of the atoms to come */
  gboolean residue_is_new;
  guint32 current_residue;           /* of the last atom */
  gboolean has_stated_residues;      /* a reader said where they begin */
  gboolean are_residues_unique;      /* by what set_residue is given */
  gboolean may_residues_stand_apart; /* a number came that isn't above those before it */
  GHashTable *highest_numbers;       /* of chain and segment */
  GArray *bonds;                     /* DebyeBond, by any two atoms; sorted at the end */
  gsize n_dropped_bonds;
  GPtrArray *warnings;
};

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
  for (int c = 0; c < N_COLUMNS; c++)
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
  g_ptr_array_add(builder->warnings, g_strdup_vprintf(format, arguments));
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
append_optional(Optional *optional, double value, gsize n_before)
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
      residue->number <= GPOINTER_TO_INT(highest))
    builder->may_residues_stand_apart = TRUE;
  else
    g_hash_table_insert(builder->highest_numbers, place, GINT_TO_POINTER(residue->number));
}

static void
append_residue(DebyeTopologyBuilder *builder, guint32 atom)
{
  if (builder->residue_is_new) {
    note_residue_number(builder);
    builder->residue.first_atom = atom;
    builder->residue.n_atoms = 0;
    builder->current_residue = builder->residue_table->len;
    g_array_append_val(builder->residue_table, builder->residue);
    builder->residue_is_new = FALSE;
  }
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

guint32
debye_topology_builder_add_atom(DebyeTopologyBuilder *builder, const DebyeAtom *atom)
{
  guint32 index = builder->names->len;
  guint32 name = debye_string_pool_add(builder->pool, atom->name, atom->name_length);
  guint32 type = debye_string_pool_add(builder->pool, atom->type, atom->type_length);
  float mass = (float)atom->mass;
  g_array_append_val(builder->names, name);
  g_array_append_val(builder->types, type);
  g_array_append_val(builder->masses, mass);
  append_element(builder, atom);
  append_serial(builder, atom->serial, index);
  append_altloc(builder, atom, index);
  append_residue(builder, index);
  append_optional(&builder->optional[COLUMN_CHARGE], atom->charge, index);
  append_optional(&builder->optional[COLUMN_RADIUS], atom->radius, index);
  append_optional(&builder->optional[COLUMN_OCCUPANCY], atom->occupancy, index);
  append_optional(&builder->optional[COLUMN_B_FACTOR], atom->b_factor, index);
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

/* --- Deciding elements --- */

/* What an atom of a given element may weigh: from three hydrogens' mass given away to four united ones. A
 * name that says nitrogen on a bead of 72 u says something else. */
static gboolean
mass_allows(float mass, guint8 element)
{
  if (isnan(mass))
    return TRUE;
  double standard = debye_element_get(element)->mass;
  return mass >= standard - 9.1 && mass <= standard + 4.1;
}

static guint8
decide_element(const char *type, const char *name, const char *residue, float mass, guint8 *source)
{
  /* Massless sites, and Drude particles of a few tenths of a mass unit. */
  if (!isnan(mass) && mass < 0.9F) {
    *source = DEBYE_ELEMENT_FROM_MASS;
    return 0;
  }
  guint8 element = isnan(mass) ? 0 : debye_element_from_mass(mass);
  *source = DEBYE_ELEMENT_FROM_MASS;
  if (element == 0) {
    element = debye_element_from_type(type);
    *source = DEBYE_ELEMENT_FROM_TYPE;
  }
  if (element == 0 || !mass_allows(mass, element)) {
    element = debye_element_from_name(name, residue);
    *source = DEBYE_ELEMENT_FROM_NAME;
  }
  if (element != 0 && mass_allows(mass, element))
    return element;
  *source = debye_element_name_is_virtual(name, residue) ? DEBYE_ELEMENT_FROM_NAME : DEBYE_ELEMENT_UNKNOWN;
  return 0;
}

/* The few distinct (type, name, residue, mass) of a large system are decided once each. */
typedef struct {
  guint32 type, name, residue;
  float mass;
} AtomKind;

static guint
hash_kind(gconstpointer data)
{
  const AtomKind *kind = data;
  guint32 bits;
  memcpy(&bits, &kind->mass, sizeof bits);
  return ((kind->type * 31U + kind->name) * 31U + kind->residue) * 31U + bits;
}

static gboolean
equal_kinds(gconstpointer left, gconstpointer right)
{
  return memcmp(left, right, sizeof(AtomKind)) == 0;
}

static void
decide_elements(DebyeTopologyBuilder *builder)
{
  g_autoptr(GHashTable) decided = g_hash_table_new_full(hash_kind, equal_kinds, g_free, NULL);
  for (guint i = 0; i < builder->names->len; i++) {
    guint8 *source = &g_array_index(builder->sources, guint8, i);
    if (*source != DEBYE_ELEMENT_UNKNOWN)
      continue;
    guint32 residue = g_array_index(builder->residues, guint32, i);
    AtomKind kind = {
        .type = g_array_index(builder->types, guint32, i),
        .name = g_array_index(builder->names, guint32, i),
        .residue = g_array_index(builder->residue_table, DebyeResidue, residue).name,
        .mass = g_array_index(builder->masses, float, i),
    };
    gpointer value;
    if (!g_hash_table_lookup_extended(decided, &kind, NULL, &value)) {
      guint8 from;
      guint8 element = decide_element(debye_string_pool_get(builder->pool, kind.type),
                                      debye_string_pool_get(builder->pool, kind.name),
                                      debye_string_pool_get(builder->pool, kind.residue), kind.mass, &from);
      value = GUINT_TO_POINTER(((guint)from << 8) | element);
      g_hash_table_insert(decided, g_memdup2(&kind, sizeof kind), value);
    }
    g_array_index(builder->elements, guint8, i) = (guint8)(GPOINTER_TO_UINT(value) & 0xFF);
    *source = (guint8)(GPOINTER_TO_UINT(value) >> 8);
  }
}

static void
fill_masses(DebyeTopologyBuilder *builder)
{
  for (guint i = 0; i < builder->masses->len; i++) {
    float *mass = &g_array_index(builder->masses, float, i);
    if (isnan(*mass))
      *mass = (float)debye_element_get(g_array_index(builder->elements, guint8, i))->mass;
  }
}

/* --- Residues in several places of the file --- */

/* More atoms than any residue has: names of larger ones are not compared. */
#define JOINED_ATOMS_MAXIMUM 512

typedef struct {
  DebyeTopologyBuilder *builder;
  guint32 *owners;                /* of a run, as residues are before: the first run of the same residue */
  guint32 *next_runs, *last_runs; /* of a residue; the last one's next is itself */
  guint32 *n_atoms;               /* of all runs of a residue */
} Joining;

static const DebyeResidue *
get_run(const Joining *joining, guint32 run)
{
  return &g_array_index(joining->builder->residue_table, DebyeResidue, run);
}

static guint
hash_residue(gconstpointer data)
{
  const DebyeResidue *residue = data;
  guint hash = ((guint)residue->number * 31U + residue->name) * 31U + residue->chain;
  return (hash * 31U + residue->segment) * 31U + (guint8)residue->insertion_code;
}

static gboolean
equal_residues(gconstpointer left, gconstpointer right)
{
  const DebyeResidue *a = left, *b = right;
  return a->number == b->number && a->name == b->name && a->chain == b->chain && a->segment == b->segment &&
         a->insertion_code == b->insertion_code;
}

static gboolean
are_called_the_same(const DebyeTopologyBuilder *builder, guint32 i, guint32 j)
{
  const GArray *altlocs = builder->altlocs;
  return g_array_index(builder->names, guint32, i) == g_array_index(builder->names, guint32, j) &&
         (altlocs == NULL || g_array_index(altlocs, guint32, i) == g_array_index(altlocs, guint32, j));
}

static gboolean
run_repeats_name(const Joining *joining, const DebyeResidue *run, const DebyeResidue *other)
{
  for (guint32 i = 0; i < run->n_atoms; i++)
    for (guint32 j = 0; j < other->n_atoms; j++)
      if (are_called_the_same(joining->builder, run->first_atom + i, other->first_atom + j))
        return TRUE;
  return FALSE;
}

/* Whether a run goes on with a residue, and is not another one with its number. */
static gboolean
is_continuation(const Joining *joining, guint32 run, guint32 residue)
{
  guint32 part = residue;
  if (joining->builder->are_residues_unique)
    return TRUE;
  if (joining->n_atoms[residue] > JOINED_ATOMS_MAXIMUM || joining->n_atoms[run] > JOINED_ATOMS_MAXIMUM)
    return FALSE;
  while (!run_repeats_name(joining, get_run(joining, run), get_run(joining, part))) {
    if (joining->next_runs[part] == part)
      return TRUE;
    part = joining->next_runs[part];
  }
  return FALSE;
}

static void
join_run(Joining *joining, guint32 run, guint32 residue)
{
  joining->owners[run] = residue;
  joining->next_runs[joining->last_runs[residue]] = run;
  joining->last_runs[residue] = run;
  joining->n_atoms[residue] += joining->n_atoms[run];
}

/* The number of runs that continue an earlier one. */
static guint
find_owners(Joining *joining)
{
  /* The newest residue of each kind: it alone can go on. */
  g_autoptr(GHashTable) newest = g_hash_table_new(hash_residue, equal_residues);
  guint n_joined = 0;
  for (guint32 run = 0; run < joining->builder->residue_table->len; run++) {
    const DebyeResidue *key = get_run(joining, run), *found = g_hash_table_lookup(newest, key);
    guint32 residue = found != NULL ? (guint32)(found - get_run(joining, 0)) : run;
    joining->owners[run] = joining->next_runs[run] = joining->last_runs[run] = run;
    joining->n_atoms[run] = key->n_atoms;
    if (found != NULL && is_continuation(joining, run, residue)) {
      join_run(joining, run, residue);
      n_joined++;
    } else {
      g_hash_table_replace(newest, (gpointer)key, (gpointer)key);
    }
  }
  return n_joined;
}

/* Residues that are left, numbered without gaps; `owners` then holds the new numbers. */
static void
renumber_residues(DebyeTopologyBuilder *builder, guint32 *owners)
{
  guint32 n = 0;
  for (guint32 run = 0; run < builder->residue_table->len; run++) {
    if (owners[run] != run) {
      owners[run] = owners[owners[run]];
      continue;
    }
    g_array_index(builder->residue_table, DebyeResidue, n) =
        g_array_index(builder->residue_table, DebyeResidue, run);
    owners[run] = n++;
  }
  g_array_set_size(builder->residue_table, n);
  for (guint i = 0; i < builder->residues->len; i++) {
    guint32 *residue = &g_array_index(builder->residues, guint32, i);
    *residue = owners[*residue];
  }
}

static void
join_residues(DebyeTopologyBuilder *builder)
{
  gsize n = builder->residue_table->len;
  if (!builder->may_residues_stand_apart || builder->has_stated_residues)
    return;
  g_autofree guint32 *owners = g_new(guint32, n), *next_runs = g_new(guint32, n);
  g_autofree guint32 *last_runs = g_new(guint32, n), *n_atoms = g_new(guint32, n);
  Joining joining = {builder, owners, next_runs, last_runs, n_atoms};
  if (find_owners(&joining) > 0)
    renumber_residues(builder, owners);
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
                                "%" G_GSIZE_FORMAT " bonds name atoms that aren't there and were left out",
                                builder->n_dropped_bonds);
  DebyeBond *bonds = (DebyeBond *)(void *)g_array_free(g_steal_pointer(&builder->bonds), FALSE);
  *n_bonds = debye_topology_sort_bonds(bonds, kept);
  return bonds;
}

static float *
finish_optional(DebyeTopologyBuilder *builder, OptionalColumn column)
{
  static const char *const names[N_COLUMNS] = {"charge", "radius", "occupancy", "B factor"};
  Optional *optional = &builder->optional[column];
  gsize n_missing = builder->names->len - optional->n_given;
  if (optional->values == NULL)
    return NULL;
  if (n_missing > 0 && (column == COLUMN_CHARGE || column == COLUMN_RADIUS))
    debye_topology_builder_warn(builder, "%" G_GSIZE_FORMAT " atoms have no %s: 0 is taken for them",
                                n_missing, names[column]);
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
  join_residues(builder);
  decide_elements(builder);
  fill_masses(builder);
  gsize n_bonds;
  DebyeBond *bonds = finish_bonds(builder, &n_bonds);

  DebyeTopologyColumns *columns = debye_topology_columns_new(builder->pool);
  columns->n_atoms = builder->names->len;
  columns->n_residues = builder->residue_table->len;
  columns->title = g_steal_pointer(&builder->title);
  columns->cell = builder->cell;
  columns->charges = finish_optional(builder, COLUMN_CHARGE);
  columns->radii = finish_optional(builder, COLUMN_RADIUS);
  columns->occupancies = finish_optional(builder, COLUMN_OCCUPANCY);
  columns->b_factors = finish_optional(builder, COLUMN_B_FACTOR);
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
