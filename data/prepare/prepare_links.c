/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_links.h. Distances alone decide: numbers and chain names of files go wrong, and a cyclic peptide's
 * last residue is bonded to its first. */
#include "prepare_links.h"

#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "data/molecule/neighbours.h"
#include "linked_units.h"

/* Å. A peptide bond has 1.33, P–O 1.61, S–S 2.05; models of low resolution are off by some tenths. */
#define LINK_LENGTH 2.0
#define PHOSPHATE_LENGTH 2.2
#define DISULFIDE_LENGTH 2.5
/* Largest distance in Å from a metal to the N or S that it binds. */
#define METAL_LENGTH 2.8

/* The nearest of some atoms. */
typedef struct {
  const guint32 *atoms; /* of the system, by number in the frame that is searched */
  guint32 own_unit;
  const DebyePreparedSystem *system;
  guint32 nearest;
  double squared_distance;
} Search;

static gboolean
take_nearer(guint32 number, double squared_distance, gpointer data)
{
  Search *search = data;
  const guint32 atom = search->atoms[number];
  const gboolean is_own = debye_prepared_system_get_atom(search->system, atom)->unit == search->own_unit;
  if (!is_own && (search->nearest == DEBYE_PREPARE_NONE || squared_distance < search->squared_distance)) {
    search->nearest = atom;
    search->squared_distance = squared_distance;
  }
  return TRUE;
}

typedef struct {
  GArray *atoms; /* guint32 */
  DebyeNeighbours *neighbours;
} Targets;

static void
targets_clear(Targets *targets)
{
  g_clear_pointer(&targets->atoms, g_array_unref);
  g_clear_pointer(&targets->neighbours, debye_neighbours_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Targets, targets_clear)

/* Takes the list of atoms. */
static gboolean
targets_init(Targets *targets, const DebyePreparedSystem *system, GArray *atoms, double radius,
             GError **error)
{
  *targets = (Targets){.atoms = atoms};
  g_autoptr(DebyeFrame) frame = debye_frame_new(atoms->len);
  if (frame == NULL)
    return debye_error_set_memory(error, NULL, atoms->len, N_("positions"));
  for (guint k = 0; k < atoms->len; k++)
    debye_frame_set_position(
        frame, k, debye_prepared_system_get_atom(system, g_array_index(atoms, guint32, k))->position);
  targets->neighbours = debye_neighbours_new(frame, NULL, 0, radius);
  return TRUE;
}

static guint32
find_nearest(const Targets *targets, const DebyePreparedSystem *system, guint32 atom)
{
  const DebyePreparedAtom *own = debye_prepared_system_get_atom(system, atom);
  Search search = {.atoms = (const guint32 *)(const void *)targets->atoms->data,
                   .own_unit = own->unit,
                   .system = system,
                   .nearest = DEBYE_PREPARE_NONE};
  debye_neighbours_visit(targets->neighbours, own->position, take_nearer, &search);
  return search.nearest;
}

/* Atoms of that name in proteins, or in nucleic acids. */
static GArray *
collect(const DebyePreparedSystem *system, const char *name, gboolean of_nucleotides)
{
  GArray *atoms = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 u = 0; u < system->units->len; u++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind != DEBYE_UNIT_CHAIN || debye_residue_form_is_nucleotide(unit->form) != of_nucleotides)
      continue;
    const guint32 atom = debye_prepared_system_find(system, unit, name);
    if (atom != DEBYE_PREPARE_NONE)
      g_array_append_val(atoms, atom);
  }
  return atoms;
}

/* --- Chains --- */

static gboolean
link_chains(DebyePreparedSystem *system, const char *from, const char *to, gboolean of_nucleotides,
            double length, GError **error)
{
  g_auto(Targets) targets = {0};
  g_autoptr(GArray) ends = collect(system, from, of_nucleotides);
  if (!targets_init(&targets, system, collect(system, to, of_nucleotides), length, error))
    return FALSE;
  for (guint k = 0; k < ends->len; k++) {
    const guint32 end = g_array_index(ends, guint32, k), start = find_nearest(&targets, system, end);
    if (start == DEBYE_PREPARE_NONE)
      continue;
    const guint32 before = debye_prepared_system_get_atom(system, end)->unit;
    const guint32 after = debye_prepared_system_get_atom(system, start)->unit;
    if (debye_prepared_system_get_unit(system, after)->previous != DEBYE_PREPARE_NONE)
      continue;
    debye_prepared_system_get_unit(system, before)->next = after;
    debye_prepared_system_get_unit(system, after)->previous = before;
    debye_prepared_system_bond(system, end, start);
  }
  return TRUE;
}

/* Whether the file goes on with a residue of the same chain, which is too far to be bonded. Files without names of chains
 * begin another where one ends with OXT or numbers go back. */
static gboolean
is_break(const DebyePreparedSystem *system, guint32 first, guint32 second)
{
  if (first >= system->units->len || second >= system->units->len)
    return FALSE;
  const DebyePreparedUnit *units[] = {debye_prepared_system_get_unit(system, first),
                                      debye_prepared_system_get_unit(system, second)};
  const DebyeResidue *table = debye_topology_get_residue_table(system->topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(system->topology);
  return units[0]->kind == DEBYE_UNIT_CHAIN && units[1]->kind == DEBYE_UNIT_CHAIN &&
         debye_residue_form_is_nucleotide(units[0]->form) ==
             debye_residue_form_is_nucleotide(units[1]->form) &&
         table[units[0]->residue].chain == table[units[1]->residue].chain &&
         (*debye_string_pool_get(pool, table[units[0]->residue].chain) != '\0' ||
          table[units[0]->residue].number <= table[units[1]->residue].number) &&
         debye_prepared_system_find(system, units[0], "OXT") == DEBYE_PREPARE_NONE &&
         table[units[0]->residue].segment == table[units[1]->residue].segment;
}

static void
mark_ends(DebyePreparedSystem *system)
{
  for (guint32 u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind != DEBYE_UNIT_CHAIN || unit->form->kind == DEBYE_FORM_CAP ||
        unit->form->kind == DEBYE_FORM_LONE)
      continue;
    unit->is_start = unit->previous == DEBYE_PREPARE_NONE;
    unit->is_end = unit->next == DEBYE_PREPARE_NONE;
    const gboolean is_after = unit->is_start && u > 0 && is_break(system, u - 1, u);
    const gboolean is_before = unit->is_end && is_break(system, u, u + 1);
    unit->is_at_break = is_after || is_before;
    if (is_after)
      debye_prepared_unit_note(unit, "begins after a break of the chain");
    if (is_before)
      debye_prepared_unit_note(unit, "ends before a break of the chain");
  }
}

/* --- Disulfides and metals --- */

static gboolean
link_disulfides(DebyePreparedSystem *system, GError **error)
{
  g_auto(Targets) targets = {0};
  if (!targets_init(&targets, system, collect(system, "SG", FALSE), DISULFIDE_LENGTH, error))
    return FALSE;
  for (guint k = 0; k < targets.atoms->len; k++) {
    const guint32 sulfur = g_array_index(targets.atoms, guint32, k),
                  other = find_nearest(&targets, system, sulfur);
    /* Each the other's nearest; once for both. */
    if (other == DEBYE_PREPARE_NONE || other < sulfur || find_nearest(&targets, system, other) != sulfur)
      continue;
    const guint32 numbers[] = {debye_prepared_system_get_atom(system, sulfur)->unit,
                               debye_prepared_system_get_atom(system, other)->unit};
    for (int i = 0; i < 2; i++) {
      g_autofree char *partner =
          debye_prepared_unit_describe(system, debye_prepared_system_get_unit(system, numbers[1 - i]));
      DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, numbers[i]);
      unit->disulfide = numbers[1 - i];
      debye_prepared_unit_note(unit, "disulfide with %s", partner);
    }
    debye_prepared_system_bond(system, sulfur, other);
  }
  return TRUE;
}

/* Metals that proteins hold by N and S. Sodium and potassium don't. */
static gboolean
is_metal(guint8 element)
{
  return (element >= 21 && element <= 30) || (element >= 39 && element <= 48) ||
         (element >= 57 && element <= 80);
}

static GArray *
collect_metals(const DebyePreparedSystem *system)
{
  GArray *metals = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < system->atoms->len; i++)
    if (is_metal(debye_prepared_system_get_atom(system, i)->element))
      g_array_append_val(metals, i);
  return metals;
}

static void
note_metal(DebyePreparedSystem *system, const Targets *metals, const char *family, const char *name,
           int place)
{
  g_autoptr(GArray) atoms = collect(system, name, FALSE);
  for (guint k = 0; k < atoms->len; k++) {
    const guint32 atom = g_array_index(atoms, guint32, k), metal = find_nearest(metals, system, atom);
    DebyePreparedUnit *unit =
        debye_prepared_system_get_unit(system, debye_prepared_system_get_atom(system, atom)->unit);
    if (metal == DEBYE_PREPARE_NONE || strcmp(unit->form->family, family) != 0)
      continue;
    g_autofree char *holder = debye_prepared_unit_describe(
        system, debye_prepared_system_get_unit(system, debye_prepared_system_get_atom(system, metal)->unit));
    unit->metal[place] = metal;
    debye_prepared_unit_note(unit, "%s bound to %s", name, holder);
  }
}

static gboolean
find_metals(DebyePreparedSystem *system, GError **error)
{
  g_auto(Targets) metals = {0};
  if (!targets_init(&metals, system, collect_metals(system), METAL_LENGTH, error))
    return FALSE;
  note_metal(system, &metals, "CYS", "SG", 0);
  note_metal(system, &metals, "HIS", "ND1", 0);
  note_metal(system, &metals, "HIS", "NE2", 1);
  return TRUE;
}

/* --- All --- */

static gboolean
check_backbone(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, GError **error)
{
  static const char *const names[] = {"N", "CA", "C", "O"};
  if (unit->kind != DEBYE_UNIT_CHAIN || unit->form->kind != DEBYE_FORM_AMINO_ACID)
    return TRUE;
  for (gsize k = 0; k < G_N_ELEMENTS(names); k++) {
    if (debye_prepared_system_find(system, unit, names[k]) != DEBYE_PREPARE_NONE)
      continue;
    g_autofree char *residue = debye_prepared_unit_describe(system, unit);
    if (unit->atoms->len == 1)
      debye_error_set(
          error, DEBYE_ERROR_MISSING,
          "residue %s has only one atom: a Cα model can't be prepared. Use a model with all heavy atoms",
          residue);
    else
      debye_error_set(
          error, DEBYE_ERROR_MISSING,
          "residue %s: the atom %s of the backbone is missing. Leave the residue out, or complete it with a "
          "modelling program",
          residue, names[k]);
    return FALSE;
  }
  return TRUE;
}

gboolean
debye_prepare_links_find(DebyePreparedSystem *system, GError **error)
{
  for (guint u = 0; u < system->units->len; u++)
    if (!check_backbone(system, debye_prepared_system_get_unit(system, u), error))
      return FALSE;
  if (!link_chains(system, "C", "N", FALSE, LINK_LENGTH, error) ||
      !link_chains(system, "O3'", "P", TRUE, PHOSPHATE_LENGTH, error) ||
      !debye_linked_units_find(system, error))
    return FALSE;
  mark_ends(system);
  return link_disulfides(system, error) && find_metals(system, error);
}
