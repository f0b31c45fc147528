/* SPDX-License-Identifier: MIT */
/* Implementation of linked_units.h. */
#include "linked_units.h"

#include <string.h>

#include "data/tables/elements.h"
#include "prepared_neighbours.h"

#define LINK_REACH 3.2   /* Å: iodine's bonds and the margin */
#define LINK_MARGIN 0.25 /* Å beyond covalent radii */
#define SURROUNDINGS 3   /* bonds */

/* What is bonded to others is of these elements: metals are held by no bond that counts. */
static gboolean
may_link(guint8 element)
{
  static const guint8 kinds[] = {6, 7, 8, 9, 15, 16, 17, 35, 53};
  return memchr(kinds, element, sizeof kinds) != NULL;
}

static gboolean
are_bonded(const DebyePreparedAtom *one, const DebyePreparedAtom *other)
{
  const double reach = (double)debye_element_get(one->element)->covalent_radius +
                       (double)debye_element_get(other->element)->covalent_radius + LINK_MARGIN;
  const DebyeVec3 between = debye_vec3_subtract(one->position, other->position);
  return may_link(one->element) && may_link(other->element) &&
         debye_vec3_dot(between, between) < reach * reach;
}

static const DebyePreparedLink *
get_link(const DebyePreparedSystem *system, guint number)
{
  return &g_array_index(system->links, DebyePreparedLink, number);
}

static guint32
get_unit_number(const DebyePreparedSystem *system, guint32 atom)
{
  return debye_prepared_system_get_atom(system, atom)->unit;
}

/* --- Which there are --- */

/* A nitrogen with three keeps its charge, whatever is bonded to it. */
static gboolean
may_replace(const DebyePreparedAtom *atom, guint n_hydrogens)
{
  return (atom->element == 7 || atom->element == 8 || atom->element == 16) && n_hydrogens > 0 &&
         n_hydrogens < 3;
}

static guint
count_hydrogens(const DebyePreparedUnit *unit, const char *name)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  const guint n = debye_residue_form_parse(unit->form, atoms);
  for (guint k = 0; k < n; k++)
    if (strcmp(atoms[k].name, name) == 0)
      return atoms[k].n_hydrogens;
  return 0;
}

/* "C" and "N" of amino acids, "O3'" and "P" of nucleotides, from the side of the residue that has a form. */
static gboolean
continue_chain(DebyePreparedSystem *system, guint32 own, guint32 partner)
{
  const DebyePreparedAtom *other = debye_prepared_system_get_atom(system, partner);
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, other->unit);
  const guint8 element = debye_prepared_system_get_atom(system, own)->element;
  const gboolean is_nucleotide = debye_residue_form_is_nucleotide(unit->form);
  const gboolean is_end = is_nucleotide ? strcmp(other->name, "O3'") == 0 && element == 15
                                        : strcmp(other->name, "C") == 0 && element == 7;
  const gboolean is_start = is_nucleotide ? strcmp(other->name, "P") == 0 && element == 8
                                          : strcmp(other->name, "N") == 0 && element == 6;
  guint32 *place = is_end ? &unit->next : &unit->previous;
  if ((!is_end && !is_start) || *place != DEBYE_PREPARE_NONE)
    return FALSE;
  *place = get_unit_number(system, own);
  return TRUE;
}

typedef struct {
  DebyePreparedSystem *system;
  guint32 own;
} Search;

/* In the report of both, but for chains, which go on. */
static void
note_link(DebyePreparedSystem *system, const DebyePreparedLink *link)
{
  DebyePreparedUnit *own = debye_prepared_system_get_unit(system, get_unit_number(system, link->own));
  DebyePreparedUnit *partner = debye_prepared_system_get_unit(system, get_unit_number(system, link->partner));
  g_autofree char *of_partner = debye_prepared_unit_describe(system, partner);
  debye_prepared_unit_note(own, "bonded to %s", of_partner);
  if (link->is_of_chain || partner->kind != DEBYE_UNIT_CHAIN)
    return;
  g_autofree char *of_own = debye_prepared_unit_describe(system, own);
  debye_prepared_unit_note(partner, "bonded to %s", of_own);
}

static gboolean
take_link(guint32 atom, double squared_distance, gpointer data)
{
  const Search *search = data;
  DebyePreparedSystem *system = search->system;
  DebyePreparedAtom *own = debye_prepared_system_get_atom(system, search->own);
  const DebyePreparedAtom *other = debye_prepared_system_get_atom(system, atom);
  DebyePreparedUnit *partner = debye_prepared_system_get_unit(system, other->unit);
  (void)squared_distance;
  if (other->unit == own->unit || partner->kind == DEBYE_UNIT_WATER || !are_bonded(own, other))
    return TRUE;
  DebyePreparedLink link = {.own = search->own, .partner = atom};
  const gboolean has_form = partner->kind == DEBYE_UNIT_CHAIN;
  gboolean is_kept = search->own < atom; /* between two without a form once */
  if (has_form) {
    link.is_of_chain = continue_chain(system, search->own, atom);
    is_kept = link.is_of_chain || may_replace(other, count_hydrogens(partner, other->name));
    partner->is_linked = partner->is_linked || (is_kept && !link.is_of_chain);
    own->rank = G_MAXUINT8; /* behind the atoms of the form */
  }
  if (is_kept)
    debye_prepared_system_bond(system, search->own, atom);
  g_array_append_val(system->links, link);
  note_link(system, &link);
  return TRUE;
}

static gboolean
has_molecules(const DebyePreparedSystem *system)
{
  for (guint u = 0; u < system->units->len; u++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind == DEBYE_UNIT_OTHER && unit->atoms->len > 1)
      return TRUE;
  }
  return FALSE;
}

gboolean
debye_linked_units_find(DebyePreparedSystem *system, GError **error)
{
  if (!has_molecules(system))
    return TRUE;
  g_autoptr(DebyeNeighbours) neighbours = debye_prepared_neighbours_new(system, LINK_REACH, error);
  if (neighbours == NULL)
    return FALSE;
  for (guint32 i = 0; i < system->atoms->len; i++) {
    const DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, i);
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, atom->unit);
    Search search = {system, i};
    if (unit->kind == DEBYE_UNIT_OTHER && unit->atoms->len > 1 && may_link(atom->element))
      debye_neighbours_visit(neighbours, atom->position, take_link, &search);
  }
  return TRUE;
}

/* --- In place of a hydrogen --- */

void
debye_linked_units_strip(const DebyePreparedSystem *system, const DebyePreparedUnit *unit,
                         DebyeFormAtom *atoms, guint n_atoms, GArray *removed)
{
  for (guint l = 0; unit->is_linked && l < system->links->len; l++) {
    const DebyePreparedLink *link = get_link(system, l);
    const DebyePreparedAtom *partner = debye_prepared_system_get_atom(system, link->partner);
    if (link->is_of_chain || debye_prepared_system_get_unit(system, partner->unit) != unit)
      continue;
    for (guint k = 0; k < n_atoms; k++) {
      if (strcmp(atoms[k].name, partner->name) != 0 || !may_replace(partner, atoms[k].n_hydrogens))
        continue;
      DebyePreparedHydrogen hydrogen = {.heavy = link->partner, .source = DEBYE_PREPARE_NONE};
      g_strlcpy(hydrogen.name, atoms[k].hydrogens[--atoms[k].n_hydrogens], sizeof hydrogen.name);
      if (removed != NULL)
        g_array_append_val(removed, hydrogen);
    }
  }
}

/* How many residues without a form are bonded to it. */
static guint
count_links(const DebyePreparedSystem *system, guint32 partner)
{
  guint n = 0;
  for (guint l = 0; l < system->links->len; l++)
    n += get_link(system, l)->partner == partner;
  return n;
}

const DebyePreparedLink *
debye_linked_units_find_refused(const DebyePreparedSystem *system, guint32 unit)
{
  for (guint l = 0; l < system->links->len; l++) {
    const DebyePreparedLink *link = get_link(system, l);
    const DebyePreparedAtom *partner = debye_prepared_system_get_atom(system, link->partner);
    const DebyePreparedUnit *other = debye_prepared_system_get_unit(system, partner->unit);
    if (get_unit_number(system, link->own) != unit || link->is_of_chain || other->kind != DEBYE_UNIT_CHAIN)
      continue;
    if (!may_replace(partner, count_hydrogens(other, partner->name)) ||
        count_links(system, link->partner) > 1)
      return link;
  }
  return NULL;
}

/* --- Surroundings --- */

static gboolean
is_listed(const GArray *atoms, guint32 atom)
{
  for (guint k = 0; k < atoms->len; k++)
    if (g_array_index(atoms, guint32, k) == atom)
      return TRUE;
  return FALSE;
}

static void
add_if_new(const DebyePreparedSystem *system, GArray *atoms, guint32 own_unit, guint32 atom)
{
  const DebyePreparedAtom *other = debye_prepared_system_get_atom(system, atom);
  if (other->unit != own_unit && may_link(other->element) && !is_listed(atoms, atom))
    g_array_append_val(atoms, atom);
}

/* What is bonded to an atom of another residue: in its residue, and over its own links. */
static void
add_bonded(const DebyePreparedSystem *system, GArray *atoms, guint32 own_unit, guint32 atom)
{
  const DebyePreparedAtom *center = debye_prepared_system_get_atom(system, atom);
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, center->unit);
  for (guint k = 0; k < unit->atoms->len; k++) {
    const guint32 other = g_array_index(unit->atoms, guint32, k);
    if (other != atom && are_bonded(center, debye_prepared_system_get_atom(system, other)))
      add_if_new(system, atoms, own_unit, other);
  }
  for (guint k = 0; k < center->n_neighbours; k++)
    add_if_new(system, atoms, own_unit, center->neighbours[k]);
}

void
debye_linked_units_surround(const DebyePreparedSystem *system, guint32 unit, DebyeLigand *ligand)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint l = 0; l < system->links->len; l++)
    if (get_unit_number(system, get_link(system, l)->own) == unit)
      add_if_new(system, atoms, unit, get_link(system, l)->partner);
  for (guint step = 1, first = 0; step < SURROUNDINGS; step++) {
    const guint end = atoms->len;
    for (; first < end; first++)
      add_bonded(system, atoms, unit, g_array_index(atoms, guint32, first));
  }
  for (guint k = 0; k < atoms->len; k++) {
    const DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, g_array_index(atoms, guint32, k));
    const DebyeLigandAtom added = {.element = atom->element, .position = atom->position, .charge = NAN};
    g_array_append_val(ligand->atoms, added);
  }
}

void
debye_linked_units_balance(const DebyePreparedSystem *system, guint32 unit, DebyeLigand *ligand, double total)
{
  const DebyePreparedUnit *own = debye_prepared_system_get_unit(system, unit);
  double sum = 0.0;
  guint n_links = 0;
  for (guint k = 0; k < own->atoms->len; k++) {
    const DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, k);
    sum += atom->charge + atom->n_hydrogens * atom->charge_of_hydrogens;
  }
  for (guint l = 0; l < system->links->len; l++)
    n_links += get_unit_number(system, get_link(system, l)->own) == unit;
  for (guint l = 0; l < system->links->len; l++)
    for (guint k = 0; k < own->atoms->len; k++)
      if (get_link(system, l)->own == g_array_index(own->atoms, guint32, k))
        debye_ligand_get_atom(ligand, k)->charge += (total - sum) / n_links;
}
