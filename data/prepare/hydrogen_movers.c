/* SPDX-License-Identifier: MIT */
/* Implementation of hydrogen_movers.h. */
#include "hydrogen_movers.h"

#include <string.h>

#include "add_hydrogens.h"
#include "prepared_neighbours.h"

#define ROTOR_STEP 30.0 /* degrees */
/* Waters point a hydrogen at each of their nearest polar atoms, and turn about it. */
#define WATER_TARGETS 3
#define WATER_TURNS 6
#define WATER_RANGE 3.5 /* Å */
#define WATER_LENGTH 0.9572
#define WATER_ANGLE 104.52

static void
mover_clear(gpointer data)
{
  g_clear_pointer(&((DebyeMover *)data)->positions, g_array_unref);
}

gboolean
debye_mover_is_flip(const DebyeMover *mover)
{
  return mover->kind == DEBYE_MOVER_AMIDE || mover->kind == DEBYE_MOVER_RING;
}

/* --- Which there are --- */

/* Whether a hydrogen of the unit, on that atom (DEBYE_PREPARE_NONE: on any), is the file's. */
static gboolean
has_given(const DebyePreparedUnit *unit, guint32 heavy)
{
  for (guint k = 0; k < unit->hydrogens->len; k++) {
    const DebyePreparedHydrogen *hydrogen = &g_array_index(unit->hydrogens, DebyePreparedHydrogen, k);
    if (hydrogen->source != DEBYE_PREPARE_NONE && (heavy == DEBYE_PREPARE_NONE || hydrogen->heavy == heavy))
      return TRUE;
  }
  return FALSE;
}

static void
add_rotor(const DebyePreparedSystem *system, guint32 number, const DebyeFormAtom *form_atom, GArray *movers)
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  const guint32 heavy = debye_prepared_system_find(system, unit, form_atom->name);
  const DebyePreparedAtom *atom =
      heavy != DEBYE_PREPARE_NONE ? debye_prepared_system_get_atom(system, heavy) : NULL;
  /* Methyl groups have no hydrogen bonds, and amides are flipped with their oxygen. */
  if (atom == NULL || atom->element == 6 || atom->n_neighbours != 1 || form_atom->n_hydrogens == 0 ||
      (form_atom->is_planar && form_atom->n_hydrogens > 1) || has_given(unit, heavy))
    return;
  /* A trigonal oxygen's hydrogen lies in its plane; three hydrogens repeat after 120°. */
  const DebyeMover mover = {.kind = DEBYE_MOVER_ROTOR,
                            .unit = number,
                            .heavy = heavy,
                            .first = 180.0,
                            .step = form_atom->is_planar ? 180.0 : ROTOR_STEP,
                            .n_states = form_atom->is_planar          ? 2
                                        : form_atom->n_hydrogens == 3 ? (guint)(120.0 / ROTOR_STEP)
                                                                      : (guint)(360.0 / ROTOR_STEP),
                            .atom = *form_atom};
  g_array_append_val(movers, mover);
}

static const struct {
  const char *family, *axis[2], *atoms[DEBYE_MOVER_ATOMS];
} flips[] = {
    {"ASN", {"CB", "CG"}, {"OD1", "ND2", NULL, NULL}},
    {"GLN", {"CG", "CD"}, {"OE1", "NE2", NULL, NULL}},
    {"HIS", {"CB", "CG"}, {"ND1", "CD2", "CE1", "NE2"}},
};

static int
find_flip(const DebyePreparedUnit *unit)
{
  for (gsize k = 0; k < G_N_ELEMENTS(flips); k++)
    if (strcmp(flips[k].family, unit->form->family) == 0)
      return (int)k;
  return -1;
}

guint
debye_mover_list_atoms(const DebyePreparedSystem *system, const DebyeMover *mover,
                       guint32 atoms[DEBYE_MOVER_ATOMS])
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, mover->unit);
  guint n = 0;
  if (!debye_mover_is_flip(mover)) {
    atoms[0] = mover->heavy;
    return 1;
  }
  const int flip = find_flip(unit);
  for (; n < DEBYE_MOVER_ATOMS && flips[flip].atoms[n] != NULL; n++)
    atoms[n] = debye_prepared_system_find(system, unit, flips[flip].atoms[n]);
  return n;
}

/* Neutral histidine has two tautomers, unless a person, the file or a metal chose. */
static void
set_tautomers(const DebyePreparedUnit *unit, DebyeMover *mover)
{
  mover->forms[0] = unit->form->name;
  mover->may_flip = unit->metal[0] == DEBYE_PREPARE_NONE && unit->metal[1] == DEBYE_PREPARE_NONE;
  if (strcmp(unit->form->name, "HIP") != 0 && mover->may_flip && !unit->is_stated && !unit->is_chosen)
    mover->forms[1] = strcmp(unit->form->name, "HIE") == 0 ? "HID" : "HIE";
  mover->n_states = (mover->may_flip ? 2 : 1) * (mover->forms[1] != NULL ? 2 : 1);
}

/* Of a unit that has one. */
static DebyeMover
make_flip(const DebyePreparedSystem *system, guint32 number)
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  const int flip = find_flip(unit);
  guint32 atoms[DEBYE_MOVER_ATOMS];
  const gboolean is_ring = flips[flip].atoms[2] != NULL;
  DebyeMover mover = {.kind = is_ring ? DEBYE_MOVER_RING : DEBYE_MOVER_AMIDE,
                      .unit = number,
                      .heavy = debye_prepared_system_find(system, unit, flips[flip].axis[1]),
                      .n_states = 2,
                      .may_flip = TRUE};
  if (is_ring)
    set_tautomers(unit, &mover);
  mover.positions = g_array_new(FALSE, FALSE, sizeof(DebyeVec3));
  const guint n = debye_mover_list_atoms(system, &mover, atoms);
  for (guint k = 0; k < n; k++)
    g_array_append_val(mover.positions, debye_prepared_system_get_atom(system, atoms[k])->position);
  return mover;
}

/* What a person decided stays. */
static void
add_flip(const DebyePreparedSystem *system, guint32 number, GArray *movers)
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  if (find_flip(unit) < 0 || has_given(unit, DEBYE_PREPARE_NONE) || unit->turn != DEBYE_TURN_FREE ||
      unit->is_linked)
    return;
  const DebyeMover mover = make_flip(system, number);
  g_array_append_val(movers, mover);
}

static void
add_of_chain(const DebyePreparedSystem *system, guint32 number, GArray *movers)
{
  DebyeFormAtom atoms[DEBYE_FORM_ATOMS];
  guint n;
  debye_prepare_list_hydrogens(system, debye_prepared_system_get_unit(system, number), atoms, &n);
  for (guint k = 0; k < n; k++)
    add_rotor(system, number, &atoms[k], movers);
  add_flip(system, number, movers);
}

/* --- Waters --- */

typedef struct {
  const DebyePreparedSystem *system;
  guint32 own;
  guint n;
  struct {
    guint32 atom;
    double squared_distance;
  } targets[WATER_TARGETS];
} Nearest;

static gboolean
is_polar(guint8 element)
{
  return element == 7 || element == 8 || element == 9 || element == 16 || element == 17;
}

static gboolean
take_target(guint32 atom, double squared_distance, gpointer data)
{
  Nearest *nearest = data;
  if (atom == nearest->own || !is_polar(debye_prepared_system_get_atom(nearest->system, atom)->element))
    return TRUE;
  guint k = nearest->n < WATER_TARGETS ? nearest->n++ : WATER_TARGETS;
  /* Equal distances by number: the order of visits is not stated. */
  for (; k > 0 && (nearest->targets[k - 1].squared_distance > squared_distance ||
                   (nearest->targets[k - 1].squared_distance == squared_distance &&
                    nearest->targets[k - 1].atom > atom));
       k--)
    if (k < WATER_TARGETS)
      nearest->targets[k] = nearest->targets[k - 1];
  if (k < WATER_TARGETS) {
    nearest->targets[k].atom = atom;
    nearest->targets[k].squared_distance = squared_distance;
  }
  return TRUE;
}

/* Any direction that is not along `u`. */
static DebyeVec3
get_across(DebyeVec3 u)
{
  return fabs(u.x) < 0.5 * debye_vec3_length(u) ? debye_vec3(1, 0, 0) : debye_vec3(0, 1, 0);
}

static void
add_orientations(DebyeVec3 center, DebyeVec3 target, GArray *positions)
{
  const DebyeVec3 u = debye_vec3_subtract(target, center);
  const DebyeVec3 first = debye_vec3_add(center, debye_vec3_scale(u, WATER_LENGTH / debye_vec3_length(u)));
  const DebyeVec3 reference = debye_vec3_add(first, get_across(u));
  for (int k = 0; k < WATER_TURNS; k++) {
    DebyeVec3 second;
    debye_place_by_torsion(reference, first, center, WATER_LENGTH, WATER_ANGLE, k * 360.0 / WATER_TURNS,
                           &second);
    g_array_append_val(positions, first);
    g_array_append_val(positions, second);
  }
}

static void
add_water(const DebyePreparedSystem *system, guint32 number, const DebyeNeighbours *neighbours,
          GArray *movers)
{
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  if (unit->atoms->len != 1 || unit->hydrogens->len != 2 || has_given(unit, DEBYE_PREPARE_NONE))
    return;
  DebyeMover mover = {
      .kind = DEBYE_MOVER_WATER, .unit = number, .heavy = g_array_index(unit->atoms, guint32, 0)};
  Nearest nearest = {.system = system, .own = mover.heavy};
  const DebyeVec3 center = debye_prepared_system_get_atom(system, mover.heavy)->position;
  debye_neighbours_visit(neighbours, center, take_target, &nearest);
  if (nearest.n == 0)
    return;
  mover.positions = g_array_new(FALSE, FALSE, sizeof(DebyeVec3));
  for (guint k = 0; k < nearest.n; k++)
    add_orientations(center, debye_prepared_system_get_atom(system, nearest.targets[k].atom)->position,
                     mover.positions);
  mover.n_states = mover.positions->len / 2;
  g_array_append_val(movers, mover);
}

GArray *
debye_movers_find(DebyePreparedSystem *system)
{
  GArray *movers = g_array_new(FALSE, FALSE, sizeof(DebyeMover));
  g_autoptr(DebyeNeighbours) neighbours = debye_prepared_neighbours_new(system, WATER_RANGE, NULL);
  g_array_set_clear_func(movers, mover_clear);
  for (guint32 u = 0; u < system->units->len; u++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind == DEBYE_UNIT_CHAIN)
      add_of_chain(system, u, movers);
    else if (unit->kind == DEBYE_UNIT_WATER && neighbours != NULL)
      add_water(system, u, neighbours, movers);
  }
  return movers;
}

/* --- States --- */

/* Puts the unit's hydrogens on that atom to new places. */
static void
set_hydrogens(DebyePreparedUnit *unit, guint32 heavy, const DebyeVec3 *positions)
{
  guint n = 0;
  for (guint k = 0; k < unit->hydrogens->len; k++) {
    DebyePreparedHydrogen *hydrogen = &g_array_index(unit->hydrogens, DebyePreparedHydrogen, k);
    if (hydrogen->heavy == heavy)
      hydrogen->position = positions[n++];
  }
}

/* By 180° about the line from a to b. */
static DebyeVec3
turn_over(DebyeVec3 position, DebyeVec3 a, DebyeVec3 b)
{
  DebyeVec3 along = debye_vec3_subtract(b, a);
  along = debye_vec3_scale(along, 1.0 / debye_vec3_length(along));
  const DebyeVec3 u = debye_vec3_subtract(position, b);
  const DebyeVec3 turned = debye_vec3_subtract(debye_vec3_scale(along, 2.0 * debye_vec3_dot(u, along)), u);
  return debye_vec3_add(b, turned);
}

static void
apply_flip(DebyePreparedSystem *system, const DebyeMover *mover, guint state)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, mover->unit);
  const gboolean is_turned = mover->may_flip && state % 2 == 1;
  const char *form = mover->forms[mover->may_flip ? state / 2 : state];
  const int flip = find_flip(unit);
  const guint32 start = debye_prepared_system_find(system, unit, flips[flip].axis[0]);
  guint32 atoms[DEBYE_MOVER_ATOMS];
  const guint n = debye_mover_list_atoms(system, mover, atoms);
  for (guint k = 0; k < n; k++) {
    const DebyeVec3 position = g_array_index(mover->positions, DebyeVec3, k);
    debye_prepared_system_get_atom(system, atoms[k])->position =
        is_turned ? turn_over(position, debye_prepared_system_get_atom(system, start)->position,
                              debye_prepared_system_get_atom(system, mover->heavy)->position)
                  : position;
  }
  if (form != NULL)
    unit->form = debye_residue_form_find_state(unit->form, form);
  /* The bonds are those that had a direction before. */
  debye_prepare_replace_hydrogens(system, unit, NULL);
}

void
debye_mover_apply(DebyePreparedSystem *system, const DebyeMover *mover, guint state)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, mover->unit);
  DebyeVec3 positions[DEBYE_SITE_HYDROGENS];
  if (debye_mover_is_flip(mover))
    apply_flip(system, mover, state);
  else if (mover->kind == DEBYE_MOVER_WATER)
    set_hydrogens(unit, mover->heavy, &g_array_index(mover->positions, DebyeVec3, 2 * state));
  else if (debye_prepare_place(system, mover->heavy, &mover->atom, mover->first + state * mover->step,
                               positions))
    set_hydrogens(unit, mover->heavy, positions);
}

void
debye_movers_turn_chosen(DebyePreparedSystem *system)
{
  for (guint32 u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->kind != DEBYE_UNIT_CHAIN || unit->turn != DEBYE_TURN_CHOSEN || find_flip(unit) < 0)
      continue;
    DebyeMover mover = make_flip(system, u);
    apply_flip(system, &mover, 1);
    mover_clear(&mover);
    debye_prepared_unit_note(unit, "turned by 180°");
  }
}

void
debye_mover_note(DebyePreparedSystem *system, const DebyeMover *mover, guint state)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, mover->unit);
  if (debye_mover_is_flip(mover) && mover->may_flip && state % 2 == 1)
    debye_prepared_unit_note(unit, mover->kind == DEBYE_MOVER_RING
                                       ? "ring turned by 180° for hydrogen bonds"
                                       : "amide turned by 180° for hydrogen bonds");
  if (mover->kind == DEBYE_MOVER_RING && mover->forms[1] != NULL)
    debye_prepared_unit_note(unit, "tautomer by hydrogen bonds");
}
