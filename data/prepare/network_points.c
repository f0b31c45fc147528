/* SPDX-License-Identifier: MIT */
/* Implementation of network_points.h. The charges are round values of AMBER's: what decides is which of two states is the
 * better by a hydrogen bond. */
#include "network_points.h"

#include <string.h>

#include "data/tables/charge_small.h"

#define COULOMB 332.06371 /* kcal·Å/(mol·e²) */
#define PERMITTIVITY 4.0  /* per Å */
#define WALL 20.0         /* kcal/(mol·Å²) */

/* Nearest distances without a wall, Å, by the kinds of two points. A hydrogen bond's H···O is 1.7 or more. */
static const double walls[4][4] = {
    {2.0, 2.0, 1.65, 2.3},
    {2.0, 2.0, 2.3, 2.4},
    {1.65, 2.3, 2.6, 3.0},
    {2.3, 2.4, 3.0, 3.2},
};

static gboolean
is_polar(guint8 element)
{
  return element == 7 || element == 8 || element == 16;
}

static double
get_hydrogen_charge(guint8 element)
{
  return element == 16 ? 0.2 : is_polar(element) ? 0.4 : 0.0;
}

static guint
count_hydrogens(const DebyePreparedSystem *system, guint32 atom)
{
  const DebyePreparedUnit *unit =
      debye_prepared_system_get_unit(system, debye_prepared_system_get_atom(system, atom)->unit);
  guint n = 0;
  for (guint k = 0; k < unit->hydrogens->len; k++)
    n += g_array_index(unit->hydrogens, DebyePreparedHydrogen, k).heavy == atom;
  return n;
}

/* Oxygens that share a negative charge, and nitrogens that share a positive one. */
static double
get_formal_charge(const DebyePreparedUnit *unit, const DebyePreparedAtom *atom)
{
  static const struct {
    const char *form, *atom;
    double charge;
  } charged[] = {
      {"ASP", "OD1", -0.25}, {"ASP", "OD2", -0.25}, {"GLU", "OE1", -0.25}, {"GLU", "OE2", -0.25},
      {"TYM", "OH", -0.3},   {"CYM", "SG", -0.5},   {"LYS", "NZ", 0.9},    {"ARG", "NE", 0.1},
      {"ARG", "NH1", 0.3},   {"ARG", "NH2", 0.3},
  };
  if (unit->is_end && unit->end != DEBYE_TERMINI_NEUTRAL &&
      (strcmp(atom->name, "OXT") == 0 || strcmp(atom->name, "O") == 0))
    return -0.25;
  if (unit->is_start && unit->start != DEBYE_TERMINI_NEUTRAL && strcmp(atom->name, "N") == 0 &&
      unit->form->kind == DEBYE_FORM_AMINO_ACID)
    return 0.9;
  if (unit->form->charge < 0 &&
      (strcmp(atom->name, "O1P") == 0 || strcmp(atom->name, "O2P") == 0 || strcmp(atom->name, "O3P") == 0))
    return unit->form->charge == -2 ? -0.45 : -0.25;
  if (strcmp(atom->name, "OP1") == 0 || strcmp(atom->name, "OP2") == 0)
    return -0.25;
  for (gsize k = 0; k < G_N_ELEMENTS(charged); k++)
    if (strcmp(charged[k].form, unit->form->name) == 0 && strcmp(charged[k].atom, atom->name) == 0)
      return charged[k].charge;
  return 0.0;
}

static double
get_atom_charge(const DebyePreparedSystem *system, guint32 number)
{
  const DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, number);
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, atom->unit);
  const guint n_hydrogens = count_hydrogens(system, number);
  if (unit->kind == DEBYE_UNIT_OTHER) {
    const DebyeResidue *residue = &debye_topology_get_residue_table(system->topology)[unit->residue];
    const char *name = debye_string_pool_get(debye_topology_get_string_pool(system->topology), residue->name);
    return unit->atoms->len == 1 ? debye_ion_charge(name, atom->element) : atom->element == 8 ? -0.5 : 0.0;
  }
  if (!is_polar(atom->element))
    return 0.0;
  const double formal = unit->form != NULL ? get_formal_charge(unit, atom) : 0.0;
  if (n_hydrogens > 0)
    return formal - n_hydrogens * get_hydrogen_charge(atom->element) -
           (atom->element == 8 && unit->form ? 0.2 : 0.0);
  /* Without a hydrogen it accepts one, unless its electrons are taken: N of proline, N9 of a purine. */
  if (atom->element == 7 && atom->n_neighbours > 2)
    return 0.0;
  return formal - (atom->element == 16 ? 0.1 : 0.5);
}

DebyeNetworkPoint
debye_network_point_of_atom(const DebyePreparedSystem *system, guint32 number)
{
  const DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, number);
  static const char *const backbone[] = {"N", "CA", "C", "O", "OXT", NULL};
  return (DebyeNetworkPoint){.position = atom->position,
                             .charge = get_atom_charge(system, number),
                             .kind = is_polar(atom->element) ? DEBYE_POINT_POLAR : DEBYE_POINT_CARBON,
                             .heavy = number,
                             .unit = atom->unit,
                             .is_backbone = g_strv_contains(backbone, atom->name)};
}

DebyeNetworkPoint
debye_network_point_of_hydrogen(const DebyePreparedSystem *system, const DebyePreparedHydrogen *hydrogen)
{
  DebyeNetworkPoint point = debye_network_point_of_atom(system, hydrogen->heavy);
  const guint8 element = debye_prepared_system_get_atom(system, hydrogen->heavy)->element;
  point.position = hydrogen->position;
  point.charge = get_hydrogen_charge(element);
  point.kind = is_polar(element) ? DEBYE_POINT_POLAR_HYDROGEN : DEBYE_POINT_HYDROGEN;
  return point;
}

double
debye_network_energy(const DebyeNetworkPoint *a, const DebyeNetworkPoint *b)
{
  const double distance = debye_vec3_length(debye_vec3_subtract(a->position, b->position));
  const double wall = walls[a->kind][b->kind];
  if (distance > DEBYE_NETWORK_RANGE)
    return 0.0;
  const double r = fmax(distance, 0.8);
  const double within = distance < wall ? wall - distance : 0.0;
  return COULOMB * a->charge * b->charge / (PERMITTIVITY * r * r) + WALL * within * within;
}
