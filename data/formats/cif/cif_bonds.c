/* SPDX-License-Identifier: MIT */
/* Collects the bonds of an mmCIF for cif_molecule.c. Bonds come before the atoms they name, so their rows are
 * kept, and resolved at the end by residues: a run of atoms with one key, in which names are looked up. */
#include "cif_bonds.h"

#include <math.h>

#include "cif_site.h"
#include "data/files/string_pool.h"
#include "data/molecule/topology.h"

#include <string.h>

enum {
  LINK_KIND,
  LINK_PARTNER_1,
  LINK_PARTNER_2 = LINK_PARTNER_1 + 8,
};

/* The columns of one partner. */
enum { CHAIN, COMPONENT, NUMBER, INSERTION_CODE, ATOM, ALTERNATIVE, SYMMETRY, ID };

#define PARTNER(n, alternative, insertion)                                                                  \
  "_struct_conn.ptnr" n "_auth_asym_id", "_struct_conn.ptnr" n "_auth_comp_id",                             \
      "_struct_conn.ptnr" n "_auth_seq_id", insertion, "_struct_conn.ptnr" n "_label_atom_id", alternative, \
      "_struct_conn.ptnr" n "_symmetry", "_struct_conn.debye_ptnr" n "_atom_id"

const char *const debye_cif_link_columns[] = {
    "_struct_conn.conn_type_id",
    PARTNER("1", "_struct_conn.pdbx_ptnr1_label_alt_id", "_struct_conn.pdbx_ptnr1_pdb_ins_code"),
    PARTNER("2", "_struct_conn.pdbx_ptnr2_label_alt_id", "_struct_conn.pdbx_ptnr2_pdb_ins_code"),
    NULL,
};

const char *const debye_cif_component_bond_columns[] = {
    "_chem_comp_bond.comp_id", "_chem_comp_bond.atom_id_1", "_chem_comp_bond.atom_id_2", NULL};

#define NO_ID G_MININT32

typedef struct {
  guint32 names[2];
  guint32 alternatives[2];
  guint32 residues[2]; /* keys */
  gint32 ids[2];       /* of the atoms, where cif_writer.c wrote them; else NO_ID */
} Link;

typedef struct {
  guint32 name;
  guint32 alternative; /* 0: none */
  gint32 id;
  float position[3];
} Atom;

/* Atoms of one residue that follow each other. */
typedef struct {
  guint32 key, component, chain;
  gint32 number; /* label_seq_id; -1 where there is none: no polymer */
  guint32 first, n_atoms;
} Residue;

struct _DebyeCifBonds {
  DebyeStringPool *pool;
  GArray *links;
  GHashTable *component_bonds; /* code of a component → GArray of pairs of codes of names */
  GArray *atoms;
  GArray *residues;
  GString *key;
};

DebyeCifBonds *
debye_cif_bonds_new(void)
{
  DebyeCifBonds *bonds = g_new0(DebyeCifBonds, 1);
  bonds->pool = debye_string_pool_new();
  bonds->links = g_array_new(FALSE, FALSE, sizeof(Link));
  bonds->component_bonds = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  bonds->atoms = g_array_new(FALSE, FALSE, sizeof(Atom));
  bonds->residues = g_array_new(FALSE, FALSE, sizeof(Residue));
  bonds->key = g_string_new(NULL);
  return bonds;
}

void
debye_cif_bonds_free(DebyeCifBonds *bonds)
{
  debye_string_pool_unref(bonds->pool);
  g_array_unref(bonds->links);
  g_hash_table_unref(bonds->component_bonds);
  g_array_unref(bonds->atoms);
  g_array_unref(bonds->residues);
  g_string_free(bonds->key, TRUE);
  g_free(bonds);
}

static guint32
get_code(DebyeCifBonds *bonds, const DebyeCifValue *value)
{
  return value->is_given ? debye_string_pool_add(bonds->pool, value->text, (gssize)value->length) : 0;
}

static guint32
make_key(DebyeCifBonds *bonds, const DebyeCifValue *const parts[4])
{
  g_string_truncate(bonds->key, 0);
  for (int i = 0; i < 4; i++) {
    if (parts[i]->is_given)
      g_string_append_len(bonds->key, parts[i]->text, (gssize)parts[i]->length);
    g_string_append_c(bonds->key, '|');
  }
  return debye_string_pool_add(bonds->pool, bonds->key->str, (gssize)bonds->key->len);
}

/* Covalent bonds, disulfides and metals; hydrogen bonds, salt bridges and mismatches are none. */
static gboolean
is_bond(const DebyeCifValue *kind)
{
  return !kind->is_given || debye_cif_value_is(kind, "disulf") || debye_cif_value_is(kind, "metalc") ||
         debye_cif_value_is(kind, "modres") ||
         (kind->length >= 6 && g_ascii_strncasecmp(kind->text, "covale", 6) == 0);
}

/* A partner in another image of the cell is not among the atoms. */
static gboolean
is_in_file(const DebyeCifValue *symmetry)
{
  return !symmetry->is_given || debye_cif_value_is(symmetry, "1_555");
}

void
debye_cif_bonds_take_link(DebyeCifBonds *bonds, const DebyeCifRow *row)
{
  Link link;
  if (!is_bond(&row->values[LINK_KIND]))
    return;
  for (int side = 0; side < 2; side++) {
    const DebyeCifValue *partner = &row->values[side == 0 ? LINK_PARTNER_1 : LINK_PARTNER_2];
    if (!is_in_file(&partner[SYMMETRY]))
      return;
    const DebyeCifValue *const parts[4] = {&partner[CHAIN], &partner[COMPONENT], &partner[NUMBER],
                                           &partner[INSERTION_CODE]};
    link.residues[side] = make_key(bonds, parts);
    link.names[side] = get_code(bonds, &partner[ATOM]);
    link.ids[side] = debye_cif_value_to_int(&partner[ID], NO_ID);
    link.alternatives[side] = get_code(bonds, &partner[ALTERNATIVE]);
  }
  g_array_append_val(bonds->links, link);
}

void
debye_cif_bonds_take_component_bond(DebyeCifBonds *bonds, const DebyeCifRow *row)
{
  guint32 names[2] = {get_code(bonds, &row->values[1]), get_code(bonds, &row->values[2])};
  gpointer component = GUINT_TO_POINTER(get_code(bonds, &row->values[0]));
  GArray *pairs = g_hash_table_lookup(bonds->component_bonds, component);
  if (pairs == NULL) {
    pairs = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_hash_table_insert(bonds->component_bonds, component, pairs);
  }
  g_array_append_vals(pairs, names, 2);
}

void
debye_cif_bonds_take_atom(DebyeCifBonds *bonds, const DebyeCifRow *row, const double position[3])
{
  const DebyeCifValue *const parts[4] = {
      debye_cif_row_choose(row, DEBYE_CIF_SITE_AUTHOR_CHAIN, DEBYE_CIF_SITE_LABEL_CHAIN),
      debye_cif_row_choose(row, DEBYE_CIF_SITE_AUTHOR_COMPONENT, DEBYE_CIF_SITE_LABEL_COMPONENT),
      debye_cif_row_choose(row, DEBYE_CIF_SITE_AUTHOR_NUMBER, DEBYE_CIF_SITE_LABEL_NUMBER),
      &row->values[DEBYE_CIF_SITE_INSERTION_CODE]};
  Residue residue = {.key = make_key(bonds, parts),
                     .component = get_code(bonds, &row->values[DEBYE_CIF_SITE_LABEL_COMPONENT]),
                     .chain = get_code(bonds, &row->values[DEBYE_CIF_SITE_LABEL_CHAIN]),
                     .number = debye_cif_value_to_int(&row->values[DEBYE_CIF_SITE_LABEL_NUMBER], -1),
                     .first = bonds->atoms->len};
  Atom atom = {.name = get_code(
                   bonds, debye_cif_row_choose(row, DEBYE_CIF_SITE_LABEL_ATOM, DEBYE_CIF_SITE_AUTHOR_ATOM)),
               .alternative = get_code(bonds, &row->values[DEBYE_CIF_SITE_LABEL_ALTERNATIVE]),
               .id = debye_cif_value_to_int(&row->values[DEBYE_CIF_SITE_ID], NO_ID),
               .position = {(float)position[0], (float)position[1], (float)position[2]}};
  guint n = bonds->residues->len;
  if (n == 0 || g_array_index(bonds->residues, Residue, n - 1).key != residue.key)
    g_array_append_val(bonds->residues, residue);
  g_array_index(bonds->residues, Residue, bonds->residues->len - 1).n_atoms++;
  g_array_append_val(bonds->atoms, atom);
}

/* --- Resolving --- */

static const Residue *
get_residue(const DebyeCifBonds *bonds, guint i)
{
  return &g_array_index(bonds->residues, Residue, i);
}

static const Atom *
get_atom(const DebyeCifBonds *bonds, guint32 i)
{
  return &g_array_index(bonds->atoms, Atom, i);
}

/* Atoms at alternative locations are only bonded to those of the same one. */
static gboolean
can_bond(const Atom *a, const Atom *b)
{
  return a->alternative == 0 || b->alternative == 0 || a->alternative == b->alternative;
}

static double
get_distance(const Atom *a, const Atom *b)
{
  return hypot(hypot((double)(a->position[0] - b->position[0]), (double)(a->position[1] - b->position[1])),
               (double)(a->position[2] - b->position[2]));
}

/* All pairs of an atom of one name in one residue with one of the other name in another, not farther apart
 * than `reach` Å. */
static void
bond_names(const DebyeCifBonds *bonds, DebyeTopologyBuilder *builder, const Residue *a, guint32 name_a,
           const Residue *b, guint32 name_b, double reach)
{
  for (guint32 i = a->first; i < a->first + a->n_atoms; i++) {
    if (get_atom(bonds, i)->name != name_a)
      continue;
    for (guint32 j = b->first; j < b->first + b->n_atoms; j++)
      if (i != j && get_atom(bonds, j)->name == name_b && can_bond(get_atom(bonds, i), get_atom(bonds, j)) &&
          get_distance(get_atom(bonds, i), get_atom(bonds, j)) <= reach)
        debye_topology_builder_add_bond(builder, i, j);
  }
}

static void
add_component_bonds(const DebyeCifBonds *bonds, DebyeTopologyBuilder *builder, const Residue *residue)
{
  const GArray *pairs = g_hash_table_lookup(bonds->component_bonds, GUINT_TO_POINTER(residue->component));
  for (guint k = 0; pairs != NULL && k + 1 < pairs->len; k += 2)
    bond_names(bonds, builder, residue, g_array_index(pairs, guint32, k), residue,
               g_array_index(pairs, guint32, k + 1), INFINITY);
}

/* The next monomers of the chain: more than one where a position has alternatives. Longer than any peptide or
 * phosphate bond, shorter than a gap. */
static void
add_polymer_links(DebyeCifBonds *bonds, DebyeTopologyBuilder *builder, guint i)
{
  static const char *const ends[2][2] = {{"C", "N"}, {"O3'", "P"}};
  const double reach = 2.1;
  const Residue *residue = get_residue(bonds, i);
  for (guint j = i + 1; residue->number >= 0 && j < bonds->residues->len; j++) {
    const Residue *next = get_residue(bonds, j);
    if (next->chain != residue->chain || next->number < 0 || next->number > residue->number + 1)
      return;
    for (int k = 0; k < 2 && next->number == residue->number + 1; k++)
      bond_names(bonds, builder, residue, debye_string_pool_add(bonds->pool, ends[k][0], -1), next,
                 debye_string_pool_add(bonds->pool, ends[k][1], -1), reach);
  }
}

static gboolean
alternative_is(const Atom *atom, guint32 alternative)
{
  return alternative == 0 || atom->alternative == 0 || atom->alternative == alternative;
}

static void
add_link(const DebyeCifBonds *bonds, DebyeTopologyBuilder *builder, const Link *link, const Residue *a,
         const Residue *b)
{
  for (guint32 i = a->first; i < a->first + a->n_atoms; i++)
    for (guint32 j = b->first; j < b->first + b->n_atoms; j++) {
      const Atom *left = get_atom(bonds, i), *right = get_atom(bonds, j);
      if (i != j && left->name == link->names[0] && right->name == link->names[1] &&
          alternative_is(left, link->alternatives[0]) && alternative_is(right, link->alternatives[1]) &&
          can_bond(left, right))
        debye_topology_builder_add_bond(builder, i, j);
    }
}

/* By ids, unless atoms were numbered or named otherwise since they were written. */
static gboolean
add_link_by_ids(const DebyeCifBonds *bonds, DebyeTopologyBuilder *builder, const Link *link,
                GHashTable *atoms)
{
  guint32 ends[2];
  for (int side = 0; side < 2; side++) {
    gpointer atom = NULL;
    if (link->ids[side] == NO_ID ||
        !g_hash_table_lookup_extended(atoms, GINT_TO_POINTER(link->ids[side]), NULL, &atom) ||
        get_atom(bonds, GPOINTER_TO_UINT(atom))->name != link->names[side])
      return FALSE;
    ends[side] = GPOINTER_TO_UINT(atom);
  }
  debye_topology_builder_add_bond(builder, ends[0], ends[1]);
  return TRUE;
}

/* The first run of atoms of each residue, by key. */
static GHashTable *
index_residues(const DebyeCifBonds *bonds)
{
  GHashTable *residues = g_hash_table_new(NULL, NULL);
  for (guint i = bonds->residues->len; i-- > 0;)
    g_hash_table_insert(residues, GUINT_TO_POINTER(get_residue(bonds, i)->key),
                        (gpointer)get_residue(bonds, i));
  return residues;
}

static GHashTable *
index_atoms(const DebyeCifBonds *bonds)
{
  GHashTable *atoms = g_hash_table_new(NULL, NULL);
  if (g_array_index(bonds->links, Link, 0).ids[0] != NO_ID)
    for (guint i = bonds->atoms->len; i-- > 0;)
      g_hash_table_insert(atoms, GINT_TO_POINTER(get_atom(bonds, i)->id), GUINT_TO_POINTER(i));
  return atoms;
}

static void
add_links(const DebyeCifBonds *bonds, DebyeTopologyBuilder *builder)
{
  g_autoptr(GHashTable) residues = index_residues(bonds);
  g_autoptr(GHashTable) atoms = index_atoms(bonds);
  for (guint k = 0; k < bonds->links->len; k++) {
    const Link *link = &g_array_index(bonds->links, Link, k);
    const Residue *a = g_hash_table_lookup(residues, GUINT_TO_POINTER(link->residues[0]));
    const Residue *b = g_hash_table_lookup(residues, GUINT_TO_POINTER(link->residues[1]));
    if (!add_link_by_ids(bonds, builder, link, atoms) && a != NULL && b != NULL)
      add_link(bonds, builder, link, a, b);
  }
}

void
debye_cif_bonds_add_to(DebyeCifBonds *bonds, DebyeTopologyBuilder *builder)
{
  if (bonds->links->len > 0)
    add_links(bonds, builder);
  if (g_hash_table_size(bonds->component_bonds) == 0)
    return;
  for (guint i = 0; i < bonds->residues->len; i++) {
    add_component_bonds(bonds, builder, get_residue(bonds, i));
    add_polymer_links(bonds, builder, i);
  }
}
