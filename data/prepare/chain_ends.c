/* SPDX-License-Identifier: MIT */
/* Implementation of chain_ends.h. */
#include "chain_ends.h"

#include <string.h>

#include "data/files/error.h"
#include "hydrogen_site.h"
#include "missing_atoms.h"
#include "prepared_neighbours.h"

/* Å and degrees: Engh and Huber 1991. */
#define PEPTIDE_LENGTH 1.329
#define CARBONYL_LENGTH 1.231
#define METHYL_LENGTH 1.525
#define AMIDE_LENGTH 1.458
#define ANGLE_AT_CARBON 116.2
#define ANGLE_OF_OXYGEN 123.0
#define ANGLE_AT_NITROGEN 121.7
/* Of the torsion that nothing else decides, a chain's φ: steps in degrees from the extended chain's. */
#define EXTENDED_PHI -120.0
#define N_TURNS 12
#define TOO_NEAR 2.6 /* Å */
/* Å: atoms of the end's own residue are nearer than that to its cap, so nothing beyond decides. */
#define ROOM_RADIUS 6.0
#define ROOM_MARGIN 0.5 /* Å: an oxygen that a cap takes moves less */
#define MOST_SINCE 512

/* --- Which --- */

static gboolean
is_protein_end(const DebyePreparedUnit *unit, gboolean at_start)
{
  return unit->kind == DEBYE_UNIT_CHAIN && unit->form->kind == DEBYE_FORM_AMINO_ACID &&
         (at_start ? unit->is_start : unit->is_end);
}

static void
set_state(DebyePreparedUnit *unit, gboolean at_start, DebyeTermini state)
{
  if (at_start)
    unit->start = state;
  else
    unit->end = state;
}

static gboolean
parse_state(const char *text, DebyeTermini *state)
{
  static const char *const names[] = {"charged", "neutral", "capped"};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++)
    if (g_ascii_strcasecmp(names[k], text) == 0) {
      *state = (DebyeTermini)k;
      return TRUE;
    }
  return FALSE;
}

static gboolean
refuse(const DebyePrepareState *row, GError **error)
{
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "%s %d of chain %s: expected the end of a protein chain, and charged, neutral or capped for "
      "its state, found %s",
      row->name, row->number, row->chain, row->state);
}

static gboolean
choose(DebyePreparedSystem *system, const DebyePrepareState *row, GError **error)
{
  const gboolean at_start = strcmp(row->name, "NTR") == 0;
  DebyeTermini state;
  if (!parse_state(row->state, &state))
    return refuse(row, error);
  for (guint u = 0; u < system->units->len; u++) {
    DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (!is_protein_end(unit, at_start) ||
        !debye_prepared_unit_is_meant(system, unit, row->place, row->chain, row->number, row->insertion_code))
      continue;
    set_state(unit, at_start, state);
    unit->is_end_chosen[at_start ? 0 : 1] = TRUE;
    return TRUE;
  }
  return refuse(row, error);
}

gboolean
debye_prepare_state_is_of_end(const DebyePrepareState *row)
{
  return row->name != NULL && (strcmp(row->name, "NTR") == 0 || strcmp(row->name, "CTR") == 0);
}

/* --- Where --- */

/* The structure, and where its atoms are: caps that were added since are looked through one by one. */
typedef struct {
  DebyePreparedSystem *system;
  DebyeNeighbours *neighbours;
  guint32 n_indexed;
} Room;

static gboolean
index_room(Room *room, GError **error)
{
  if (room->neighbours != NULL && room->system->atoms->len - room->n_indexed <= MOST_SINCE)
    return TRUE;
  g_clear_pointer(&room->neighbours, debye_neighbours_free);
  room->neighbours = debye_prepared_neighbours_new(room->system, ROOM_RADIUS + ROOM_MARGIN, error);
  room->n_indexed = room->system->atoms->len;
  return room->neighbours != NULL;
}

/* Of a place, to the nearest atom but some. */
typedef struct {
  const DebyePreparedSystem *system;
  DebyeVec3 position;
  const guint32 *holders;
  guint n_holders;
  double least; /* squared, Å² */
} Clearance;

static gboolean
take_nearer(guint32 atom, double squared_distance, gpointer data)
{
  Clearance *clearance = data;
  (void)squared_distance; /* of where it was */
  for (guint k = 0; k < clearance->n_holders; k++)
    if (clearance->holders[k] == atom)
      return TRUE;
  const DebyeVec3 u = debye_vec3_subtract(debye_prepared_system_get_atom(clearance->system, atom)->position,
                                          clearance->position);
  clearance->least = fmin(clearance->least, debye_vec3_dot(u, u));
  return TRUE;
}

static double
get_clearance(const Room *room, DebyeVec3 position, const guint32 *holders, guint n_holders)
{
  Clearance clearance = {room->system, position, holders, n_holders, ROOM_RADIUS * ROOM_RADIUS};
  debye_neighbours_visit(room->neighbours, position, take_nearer, &clearance);
  for (guint32 i = room->n_indexed; i < room->system->atoms->len; i++)
    take_nearer(i, 0.0, &clearance);
  return sqrt(clearance.least);
}

/* Proline's, which nothing turns about the bond of its nitrogen. */
static gboolean
has_ring(const DebyePreparedUnit *unit)
{
  return strcmp(unit->form->family, "PRO") == 0 || strcmp(unit->form->family, "HYP") == 0;
}

/* Carbon, oxygen and methyl of an acetyl group at a nitrogen. */
static gboolean
place_acetyl(DebyeVec3 reference, DebyeVec3 alpha, DebyeVec3 nitrogen, double torsion, DebyeVec3 places[3])
{
  return debye_place_by_torsion(reference, alpha, nitrogen, PEPTIDE_LENGTH, ANGLE_AT_NITROGEN, torsion,
                                &places[0]) &&
         debye_place_by_torsion(alpha, nitrogen, places[0], CARBONYL_LENGTH, ANGLE_OF_OXYGEN, 0.0,
                                &places[1]) &&
         debye_place_by_torsion(alpha, nitrogen, places[0], METHYL_LENGTH, ANGLE_AT_CARBON, 180.0,
                                &places[2]);
}

/* In the conformation whose atoms are farthest from all others. */
static gboolean
choose_acetyl(const Room *room, const DebyePreparedUnit *unit, DebyeVec3 places[3], double *clearance)
{
  const DebyePreparedSystem *system = room->system;
  const guint32 holders[] = {debye_prepared_system_find(system, unit, "N"),
                             debye_prepared_system_find(system, unit, "CA"),
                             debye_prepared_system_find(system, unit, "CD")};
  const gboolean is_ring = has_ring(unit);
  const DebyeVec3 reference = debye_prepared_system_get_place(system, unit, is_ring ? "CD" : "C");
  *clearance = -1.0;
  for (int k = 0; k < (is_ring ? 1 : N_TURNS); k++) {
    DebyeVec3 trial[3];
    if (!place_acetyl(reference, debye_prepared_system_get_place(system, unit, "CA"),
                      debye_prepared_system_get_place(system, unit, "N"),
                      is_ring ? 180.0 : EXTENDED_PHI + k * 360.0 / N_TURNS, trial))
      return FALSE;
    double own = INFINITY;
    for (int i = 0; i < 3; i++)
      own = fmin(own, get_clearance(room, trial[i], holders, is_ring ? 3 : 2));
    if (own > *clearance + 1e-6) {
      *clearance = own;
      memcpy(places, trial, sizeof trial);
    }
  }
  return TRUE;
}

/* Opposite of the oxygen of that name. */
static gboolean
place_methylamide(const Room *room, const DebyePreparedUnit *unit, const char *oxygen, DebyeVec3 places[2],
                  double *clearance)
{
  const DebyePreparedSystem *system = room->system;
  const guint32 holders[] = {
      debye_prepared_system_find(system, unit, "C"), debye_prepared_system_find(system, unit, "CA"),
      debye_prepared_system_find(system, unit, "O"), debye_prepared_system_find(system, unit, "OXT")};
  const DebyeVec3 alpha = debye_prepared_system_get_place(system, unit, "CA"),
                  carbon = debye_prepared_system_get_place(system, unit, "C");
  if (!debye_place_by_torsion(debye_prepared_system_get_place(system, unit, oxygen), alpha, carbon,
                              PEPTIDE_LENGTH, ANGLE_AT_CARBON, 180.0, &places[0]) ||
      !debye_place_by_torsion(alpha, carbon, places[0], AMIDE_LENGTH, ANGLE_AT_NITROGEN, 180.0, &places[1]))
    return FALSE;
  *clearance = fmin(get_clearance(room, places[0], holders, 4), get_clearance(room, places[1], holders, 4));
  return TRUE;
}

/* Of two oxygens that the file has either may be the amide's: the one that leaves the cap more room. They exchange their
 * places if that is the second. */
static gboolean
choose_methylamide(const Room *room, const DebyePreparedUnit *unit, DebyeVec3 places[2], double *clearance)
{
  const DebyePreparedSystem *system = room->system;
  const guint32 first = debye_prepared_system_find(system, unit, "O"),
                second = debye_prepared_system_find(system, unit, "OXT");
  DebyeVec3 others[2];
  double other;
  if (!place_methylamide(room, unit, "O", places, clearance))
    return FALSE;
  if (second == DEBYE_PREPARE_NONE || !place_methylamide(room, unit, "OXT", others, &other) ||
      other <= *clearance)
    return TRUE;
  *clearance = other;
  memcpy(places, others, sizeof others);
  const DebyeVec3 place = debye_prepared_system_get_atom(system, first)->position;
  debye_prepared_system_get_atom(system, first)->position =
      debye_prepared_system_get_atom(system, second)->position;
  debye_prepared_system_get_atom(system, second)->position = place;
  return TRUE;
}

/* --- Caps --- */

static guint32
add_unit(DebyePreparedSystem *system, guint32 number, gboolean at_start)
{
  gboolean is_stated;
  const guint32 cap = system->units->len;
  DebyePreparedUnit unit = debye_prepared_unit_init(debye_prepared_system_get_unit(system, number)->residue);
  unit.kind = DEBYE_UNIT_CHAIN;
  unit.form = debye_residue_form_find(at_start ? "ACE" : "NME", &is_stated);
  unit.is_cap = TRUE;
  unit.number_from_residue = at_start ? -1 : 1;
  *(at_start ? &unit.next : &unit.previous) = number;
  g_array_append_val(system->units, unit);
  DebyePreparedUnit *capped = debye_prepared_system_get_unit(system, number);
  capped->caps[at_start ? 0 : 1] = cap;
  *(at_start ? &capped->previous : &capped->next) = cap;
  *(at_start ? &capped->is_start : &capped->is_end) = FALSE;
  return cap;
}

static void
note_cap(DebyePreparedSystem *system, guint32 cap, double clearance)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, cap);
  debye_prepared_unit_note(unit, "cap added");
  if (clearance < TOO_NEAR)
    debye_prepared_unit_warn(unit, "the cap comes as near as %.1f Å to another atom", clearance);
}

static void
add_acetyl(DebyePreparedSystem *system, guint32 number, const DebyeVec3 places[3], double clearance)
{
  const guint32 cap = add_unit(system, number, TRUE);
  const guint32 nitrogen =
      debye_prepared_system_find(system, debye_prepared_system_get_unit(system, number), "N");
  const guint32 carbon = debye_prepared_system_add(system, cap, "C", 6, places[0], nitrogen);
  debye_prepared_system_add(system, cap, "O", 8, places[1], carbon);
  debye_prepared_system_add(system, cap, "CH3", 6, places[2], carbon);
  note_cap(system, cap, clearance);
}

/* An oxygen of the file that ended the chain becomes the nitrogen: it has the same place, but for the bond's length. */
static guint32
take_oxygen(DebyePreparedSystem *system, guint32 number, guint32 cap, DebyeVec3 place)
{
  DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  const guint32 oxygen = debye_prepared_system_find(system, unit, "OXT");
  if (oxygen == DEBYE_PREPARE_NONE)
    return debye_prepared_system_add(system, cap, "N", 7, place,
                                     debye_prepared_system_find(system, unit, "C"));
  DebyePreparedAtom *atom = debye_prepared_system_get_atom(system, oxygen);
  atom->unit = cap;
  atom->element = 7;
  atom->source = DEBYE_PREPARE_NONE;
  atom->position = place;
  g_strlcpy(atom->name, "N", sizeof atom->name);
  for (guint k = 0; k < unit->atoms->len; k++)
    if (g_array_index(unit->atoms, guint32, k) == oxygen)
      g_array_remove_index(unit->atoms, k);
  g_array_append_val(debye_prepared_system_get_unit(system, cap)->atoms, oxygen);
  debye_prepared_unit_note(unit, "atom OXT replaced by the cap");
  return oxygen;
}

static void
add_methylamide(DebyePreparedSystem *system, guint32 number, const DebyeVec3 places[2], double clearance)
{
  const guint32 cap = add_unit(system, number, FALSE);
  const guint32 nitrogen = take_oxygen(system, number, cap, places[0]);
  debye_prepared_system_add(system, cap, "CH3", 6, places[1], nitrogen);
  note_cap(system, cap, clearance);
}

static gboolean
refuse_line(const DebyePreparedSystem *system, guint32 number, GError **error)
{
  g_autofree char *residue =
      debye_prepared_unit_describe(system, debye_prepared_system_get_unit(system, number));
  return debye_error_set(
      error, DEBYE_ERROR_VALUE,
      "residue %s: the atoms of the backbone lie on a line and leave no direction for a cap. "
      "Choose another state for this end",
      residue);
}

/* What a cap is placed by. The ring's atom may just have been added. */
static gboolean
check_atoms(const DebyePreparedSystem *system, guint32 number, GError **error)
{
  static const char *const names[] = {"N", "CA", "C", "O", "CD"};
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  for (guint k = 0; k < (has_ring(unit) ? 5 : 4); k++) {
    if (debye_prepared_system_find(system, unit, names[k]) != DEBYE_PREPARE_NONE)
      continue;
    g_autofree char *residue = debye_prepared_unit_describe(system, unit);
    return debye_error_set(
        error, DEBYE_ERROR_MISSING,
        "residue %s: atom %s is missing, and no cap can be placed without it. Choose another state for "
        "this end, or complete the residue with a modelling program",
        residue, names[k]);
  }
  return TRUE;
}

static gboolean
add_caps(Room *room, guint32 number, GError **error)
{
  DebyePreparedSystem *system = room->system;
  DebyeVec3 places[3];
  double clearance;
  const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, number);
  const gboolean at_start = is_protein_end(unit, TRUE) && unit->start == DEBYE_TERMINI_CAPPED,
                 at_end = is_protein_end(unit, FALSE) && unit->end == DEBYE_TERMINI_CAPPED;
  if (!at_start && !at_end)
    return TRUE;
  debye_missing_atoms_add(system, number);
  if (!check_atoms(system, number, error) || !index_room(room, error))
    return FALSE;
  if (at_start) {
    if (!choose_acetyl(room, unit, places, &clearance))
      return refuse_line(system, number, error);
    add_acetyl(system, number, places, clearance);
    unit = debye_prepared_system_get_unit(system, number);
  }
  if (at_end) {
    if (!choose_methylamide(room, unit, places, &clearance))
      return refuse_line(system, number, error);
    add_methylamide(system, number, places, clearance);
  }
  return TRUE;
}

gboolean
debye_chain_ends_decide(DebyePreparedSystem *system, const DebyeStateSettings *settings, GError **error)
{
  const guint n_units = system->units->len;
  for (guint u = 0; u < n_units; u++) {
    set_state(debye_prepared_system_get_unit(system, u), TRUE, settings->termini);
    set_state(debye_prepared_system_get_unit(system, u), FALSE, settings->termini);
  }
  for (gsize k = 0; k < settings->n_states; k++)
    if (debye_prepare_state_is_of_end(&settings->states[k]) && !choose(system, &settings->states[k], error))
      return FALSE;
  Room room = {.system = system};
  gboolean done = TRUE;
  for (guint32 u = 0; u < n_units && done; u++)
    done = add_caps(&room, u, error);
  g_clear_pointer(&room.neighbours, debye_neighbours_free);
  return done;
}

GArray *
debye_chain_ends_list_in_order(const DebyePreparedSystem *system)
{
  GArray *order = g_array_sized_new(FALSE, FALSE, sizeof(guint32), system->units->len);
  for (guint32 u = 0; u < system->units->len; u++) {
    const DebyePreparedUnit *unit = debye_prepared_system_get_unit(system, u);
    if (unit->is_cap)
      continue;
    if (unit->caps[0] != DEBYE_PREPARE_NONE)
      g_array_append_val(order, unit->caps[0]);
    g_array_append_val(order, u);
    if (unit->caps[1] != DEBYE_PREPARE_NONE)
      g_array_append_val(order, unit->caps[1]);
  }
  return order;
}
