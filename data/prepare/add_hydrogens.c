/* SPDX-License-Identifier: MIT */
/* Implementation of add_hydrogens.h. */
#include "add_hydrogens.h"

#include <string.h>

#include "data/files/error.h"
#include "linked_units.h"
#include "missing_atoms.h"

/* Å: of hydrogens that files have. */
#define LEAST_LENGTH 0.75
#define MOST_LENGTH 1.45
/* Of TIP3P water: Å, degrees (Jorgensen et al., J. Chem. Phys. 79, 926, 1983). */
#define WATER_LENGTH 0.9572
#define WATER_ANGLE 104.52
#define CARBOXYLATE_LENGTH 1.25 /* C-O2 */
#define RADIAN (3.14159265358979323846 / 180.0)

/* --- Which --- */

static void
set_hydrogens(DebyeFormAtom *atom, gboolean is_planar, const char *names)
{
  g_auto(GStrv) words = g_strsplit(names, ",", DEBYE_FORM_HYDROGENS);
  atom->is_planar = is_planar;
  atom->n_hydrogens = g_strv_length(words);
  for (guint k = 0; k < atom->n_hydrogens; k++)
    g_strlcpy(atom->hydrogens[k], words[k], sizeof atom->hydrogens[k]);
}

static gboolean
has_phosphorus(const DebyePreparedSystem *system, const DebyePreparedUnit *unit)
{
  return debye_prepared_system_find(system, unit, "P") != DEBYE_PREPARE_NONE;
}

/* On the nitrogen of a chain's start. */
static const char *
list_of_start(const DebyePreparedUnit *unit)
{
  const gboolean is_ring = strcmp(unit->form->family, "PRO") == 0 || strcmp(unit->form->family, "HYP") == 0;
  if (unit->start == DEBYE_TERMINI_NEUTRAL)
    return is_ring ? "H1" : "H1,H2";
  return is_ring ? "H2,H3" : "H1,H2,H3";
}

void
debye_prepare_list_hydrogens(const DebyePreparedSystem *system, const DebyePreparedUnit *unit,
                             DebyeFormAtom atoms[DEBYE_FORM_ATOMS], guint *n_atoms)
{
  debye_prepare_list_all_hydrogens(system, unit, atoms, n_atoms);
  debye_linked_units_strip(system, unit, atoms, *n_atoms, NULL);
}

void
debye_prepare_list_all_hydrogens(const DebyePreparedSystem *system, const DebyePreparedUnit *unit,
                                 DebyeFormAtom atoms[DEBYE_FORM_ATOMS], guint *n_atoms)
{
  const gboolean is_nucleotide = debye_residue_form_is_nucleotide(unit->form);
  *n_atoms = debye_residue_form_parse(unit->form, atoms);
  for (guint k = 0; k < *n_atoms; k++) {
    const char *name = atoms[k].name;
    if (is_nucleotide && unit->is_end && strcmp(name, "O3'") == 0)
      set_hydrogens(&atoms[k], FALSE, "HO3'");
    else if (is_nucleotide && unit->is_start && strcmp(name, "O5'") == 0 && !has_phosphorus(system, unit))
      set_hydrogens(&atoms[k], FALSE, "HO5'");
    else if (!is_nucleotide && unit->is_start && strcmp(name, "N") == 0)
      set_hydrogens(&atoms[k], FALSE, list_of_start(unit));
  }
  if (unit->is_end && unit->end == DEBYE_TERMINI_NEUTRAL && unit->form->kind == DEBYE_FORM_AMINO_ACID) {
    DebyeFormAtom *oxygen = &atoms[(*n_atoms)++];
    g_assert(*n_atoms <= DEBYE_FORM_ATOMS);
    *oxygen = (DebyeFormAtom){.name = "OXT"};
    set_hydrogens(oxygen, TRUE, "HXT");
  }
}

/* --- Heavy atoms --- */

/* Opposite of CA and O, in their plane. */
static gboolean
add_second_oxygen(DebyePreparedSystem *system, guint32 number)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  const guint32 carbon = debye_prepared_system_find(system, unit, "C");
  const DebyeVec3 center = debye_prepared_system_get_atom(system, carbon)->position;
  const guint32 bonded[] = {debye_prepared_system_find(system, unit, "CA"),
                            debye_prepared_system_find(system, unit, "O")};
  DebyeVec3 sum = {0};
  for (int k = 0; k < 2; k++) {
    DebyeVec3 u = debye_vec3_subtract(center, debye_prepared_system_get_atom(system, bonded[k])->position);
    sum = debye_vec3_add(sum, debye_vec3_scale(u, 1.0 / debye_vec3_length(u)));
  }
  const double length = debye_vec3_length(sum);
  if (!(length > 0.1))
    return FALSE;
  debye_prepared_system_add(system, number, "OXT", 8,
                            debye_vec3_add(center, debye_vec3_scale(sum, CARBOXYLATE_LENGTH / length)),
                            carbon);
  debye_prepared_unit_note(unit, "atom OXT added");
  return TRUE;
}

/* The phosphate may be missing where a strand begins, and is then no part of the residue. */
static gboolean
may_lack(const DebyePreparedUnit *unit, const char *name)
{
  return debye_residue_form_is_nucleotide(unit->form) && unit->is_start &&
         (strcmp(name, "P") == 0 || strcmp(name, "OP1") == 0 || strcmp(name, "OP2") == 0);
}

static gboolean
check_unit(const DebyePreparedSystem *system, const DebyePreparedUnit *unit, GError **error)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  g_autoptr(GString) missing = g_string_new(NULL);
  const guint n = debye_residue_form_parse(unit->form, atoms);
  const gboolean has_no_phosphate = !has_phosphorus(system, unit);
  for (guint k = 0; k < n; k++) {
    if (debye_prepared_system_find(system, unit, atoms[k].name) != DEBYE_PREPARE_NONE ||
        (has_no_phosphate && may_lack(unit, atoms[k].name)))
      continue;
    g_string_append_printf(missing, "%s%s", missing->len > 0 ? ", " : "", atoms[k].name);
  }
  if (missing->len == 0)
    return TRUE;
  g_autofree char *residue = debye_prepared_unit_describe(system, unit);
  return debye_error_set(
      error, DEBYE_ERROR_MISSING,
      "residue %s: heavy atoms are missing (%s). Leave the residue out, or complete it with a modelling "
      "program",
      residue, missing->str);
}

gboolean
debye_prepare_complete(DebyePreparedSystem *system, GError **error)
{
  for (guint32 u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind != DEBYE_UNIT_CHAIN)
      continue;
    debye_missing_atoms_add(system, u);
    if (!check_unit(system, unit, error))
      return FALSE;
    if (unit->form->kind != DEBYE_FORM_AMINO_ACID || !unit->is_end ||
        debye_prepared_system_find(system, unit, "OXT") != DEBYE_PREPARE_NONE)
      continue;
    if (!add_second_oxygen(system, u)) {
      g_autofree char *residue =
          debye_prepared_unit_describe(system, debye_prepared_system_get_unit(system, u));
      return debye_error_set(error, DEBYE_ERROR_VALUE, "residue %s: the atoms CA, C and O lie on a line",
                             residue);
    }
  }
  return TRUE;
}

/* --- Where --- */

static void
set_reference(const DebyePreparedSystem *system, guint32 heavy, DebyeHydrogenSite *site)
{
  const guint32 bonded = debye_prepared_system_get_atom(system, heavy)->neighbours[0];
  const DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, bonded);
  for (guint k = atom->n_neighbours; k-- > 0;)
    if (atom->neighbours[k] != heavy)
      site->reference = debye_prepared_system_get_atom(system, atom->neighbours[k])->position;
}

gboolean
debye_prepare_place(const DebyePreparedSystem *system, guint32 heavy, const DebyeFormAtom *form_atom,
                    double torsion, DebyeVec3 positions[DEBYE_SITE_HYDROGENS])
{
  const DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, heavy);
  DebyeHydrogenSite site = {.center = atom->position,
                            .reference = atom->position,
                            .element = atom->element,
                            .is_planar = form_atom->is_planar,
                            .n_neighbours = atom->n_neighbours,
                            .torsion = torsion,
                            .n_hydrogens = form_atom->n_hydrogens};
  if (atom->n_neighbours == 0 || atom->n_neighbours > DEBYE_SITE_NEIGHBOURS)
    return FALSE;
  for (guint k = 0; k < atom->n_neighbours; k++)
    site.neighbours[k] = debye_prepared_system_get_atom(system, atom->neighbours[k])->position;
  set_reference(system, heavy, &site);
  return debye_hydrogen_site_place(&site, positions);
}

/* Staggered, or as an acid's hydrogen beside its other oxygen; the first of an amide's two beside the atom that torsions
 * refer to. */
static double
get_first_torsion(const DebyeFormAtom *form_atom)
{
  return form_atom->is_planar && form_atom->n_hydrogens == 2 ? 0.0 : 180.0;
}

/* Of one atom, for each name: the file's hydrogen; NULL: the file's are not used. */
typedef const DebyePreparedHydrogen *Own[DEBYE_FORM_HYDROGENS];

static gboolean
is_bonded(const DebyePreparedHydrogen *hydrogen, DebyeVec3 center)
{
  const double length = debye_vec3_length(debye_vec3_subtract(hydrogen->position, center));
  return length > LEAST_LENGTH && length < MOST_LENGTH;
}

static gboolean
find_by_name(const GArray *given, const DebyeFormAtom *form_atom, DebyeVec3 center, Own own)
{
  guint n = 0;
  for (guint k = 0; k < form_atom->n_hydrogens; k++)
    for (guint i = 0; i < given->len; i++) {
      const DebyePreparedHydrogen *hydrogen = &g_array_index(given, DebyePreparedHydrogen, i);
      if (strcmp(hydrogen->name, form_atom->hydrogens[k]) != 0 || !is_bonded(hydrogen, center))
        continue;
      own[k] = hydrogen;
      n++;
      break;
    }
  return n == form_atom->n_hydrogens;
}

static gboolean
is_taken(const Own own, guint n, const DebyePreparedHydrogen *hydrogen)
{
  for (guint k = 0; k < n; k++)
    if (own[k] == hydrogen)
      return TRUE;
  return FALSE;
}

/* Of older and other names: each name's hydrogen is the one nearest to where it would be placed. Where an atom has not as many
 * as it should, none can be used: those that are added would meet them. */
static gboolean
find_by_place(const GArray *given, const DebyeFormAtom *form_atom, DebyeVec3 center,
              const DebyeVec3 *positions, Own own)
{
  guint n_bonded = 0;
  for (guint i = 0; i < given->len; i++)
    n_bonded += is_bonded(&g_array_index(given, DebyePreparedHydrogen, i), center);
  if (n_bonded != form_atom->n_hydrogens)
    return FALSE;
  for (guint k = 0; k < form_atom->n_hydrogens; k++) {
    double least = G_MAXDOUBLE;
    const DebyePreparedHydrogen *nearest = NULL;
    for (guint i = 0; i < given->len; i++) {
      const DebyePreparedHydrogen *hydrogen = &g_array_index(given, DebyePreparedHydrogen, i);
      const double distance = debye_vec3_length(debye_vec3_subtract(hydrogen->position, positions[k]));
      if (!is_bonded(hydrogen, center) || is_taken(own, k, hydrogen) || distance >= least)
        continue;
      least = distance;
      nearest = hydrogen;
    }
    own[k] = nearest;
  }
  return TRUE;
}

/* Beside an atom that the file lacks stand the hydrogens of others. */
static gboolean
find_own(const GArray *given, const DebyeFormAtom *form_atom, const DebyePreparedAtom *atom,
         const DebyeVec3 *positions, Own own)
{
  if (given == NULL)
    return FALSE;
  return find_by_name(given, form_atom, atom->position, own) ||
         (atom->source != DEBYE_PREPARE_NONE &&
          find_by_place(given, form_atom, atom->position, positions, own));
}

static gboolean
add_to_atom(const DebyePreparedSystem *system, DebyePreparedUnit *unit, const GArray *given,
            const DebyeFormAtom *form_atom, GError **error)
{
  DebyeVec3 positions[DEBYE_SITE_HYDROGENS];
  const guint32 heavy = debye_prepared_system_find(system, unit, form_atom->name);
  if (heavy == DEBYE_PREPARE_NONE || form_atom->n_hydrogens == 0)
    return TRUE;
  if (!debye_prepare_place(system, heavy, form_atom, get_first_torsion(form_atom), positions)) {
    g_autofree char *residue = debye_prepared_unit_describe(system, unit);
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "residue %s: the bonds of atom %s leave no room for its hydrogens. Check whether another "
        "atom is bonded to it",
        residue, form_atom->name);
  }
  Own own = {NULL};
  const gboolean has_own =
      find_own(given, form_atom, debye_prepared_system_get_atom(system, heavy), positions, own);
  for (guint k = 0; k < form_atom->n_hydrogens; k++) {
    DebyePreparedHydrogen hydrogen = {.heavy = heavy, .source = DEBYE_PREPARE_NONE, .position = positions[k]};
    if (has_own) {
      hydrogen.source = own[k]->source;
      hydrogen.position = own[k]->position;
    }
    g_strlcpy(hydrogen.name, form_atom->hydrogens[k], sizeof hydrogen.name);
    g_array_append_val(unit->hydrogens, hydrogen);
  }
  return TRUE;
}

static gboolean
add_to_chain(const DebyePreparedSystem *system, DebyePreparedUnit *unit, const GArray *given, GError **error)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  guint n;
  debye_prepare_list_hydrogens(system, unit, atoms, &n);
  for (guint k = 0; k < n; k++)
    if (!add_to_atom(system, unit, given, &atoms[k], error))
      return FALSE;
  return TRUE;
}

gboolean
debye_prepare_replace_hydrogens(DebyePreparedSystem *system, DebyePreparedUnit *unit, GError **error)
{
  g_array_set_size(unit->hydrogens, 0);
  return add_to_chain(system, unit, NULL, error);
}

/* --- Water --- */

/* In the plane x–y, the first along x; prepare_network.c turns it. */
static void
add_to_water(const DebyePreparedSystem *system, DebyePreparedUnit *unit, const GArray *given)
{
  static const char *const names[] = {"H1", "H2"};
  if (unit->atoms->len != 1)
    return;
  const guint32 oxygen = g_array_index(unit->atoms, guint32, 0);
  const DebyeVec3 center = debye_prepared_system_get_atom(system, oxygen)->position;
  for (guint k = 0; k < 2; k++) {
    DebyePreparedHydrogen hydrogen = {.heavy = oxygen, .source = DEBYE_PREPARE_NONE};
    const double angle = k * WATER_ANGLE * RADIAN;
    hydrogen.position =
        debye_vec3_add(center, debye_vec3(WATER_LENGTH * cos(angle), WATER_LENGTH * sin(angle), 0.0));
    if (given->len == 2) {
      hydrogen.source = g_array_index(given, DebyePreparedHydrogen, k).source;
      hydrogen.position = g_array_index(given, DebyePreparedHydrogen, k).position;
    }
    g_strlcpy(hydrogen.name, names[k], sizeof hydrogen.name);
    g_array_append_val(unit->hydrogens, hydrogen);
  }
}

/* --- All --- */

static void
note_hydrogens(DebyePreparedUnit *unit, guint n_given)
{
  guint n_kept = 0;
  for (guint k = 0; k < unit->hydrogens->len; k++)
    n_kept += g_array_index(unit->hydrogens, DebyePreparedHydrogen, k).source != DEBYE_PREPARE_NONE;
  if (unit->hydrogens->len > n_kept)
    debye_prepared_unit_note_hydrogens(unit, unit->hydrogens->len - n_kept);
  if (n_given > n_kept)
    debye_prepared_unit_note(unit, "hydrogens of the file left out: %u", n_given - n_kept);
}

gboolean
debye_prepare_add_hydrogens(DebyePreparedSystem *system, GError **error)
{
  for (guint u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind == DEBYE_UNIT_OTHER)
      continue;
    g_autoptr(GArray) given = g_steal_pointer(&unit->hydrogens);
    unit->hydrogens = g_array_new(FALSE, FALSE, sizeof(DebyePreparedHydrogen));
    if (unit->kind == DEBYE_UNIT_WATER)
      add_to_water(system, unit, given);
    else if (!add_to_chain(system, unit, given, error))
      return FALSE;
    note_hydrogens(unit, given->len);
  }
  return TRUE;
}
