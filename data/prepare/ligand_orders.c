/* SPDX-License-Identifier: MIT */
/* Implementation of ligand_orders.h: bonds and their orders. */
#include "ligand_orders.h"

#include <string.h>

#include "data/tables/elements.h"

#define BOND_MARGIN 0.4 /* Å beyond covalent radii */
#define LEAST_BOND 0.6  /* Å */
#define MOST_BONDED 8
/* Degrees: of the angles at a flat atom 360 in all, at a tetrahedral one 328. */
#define FLAT_SUM 350.0
#define FLAT_ANGLE 116.0
#define STRAIGHT_ANGLE 155.0
#define CARBONYL_LENGTH 1.30 /* Å: C=O has 1.23, carboxylates 1.25, C–OH 1.36 and more */
/* Of the way from a single to a double bond's length: an atom all of whose bonds have less isn't flat, whatever its angles. */
#define LEAST_PREFERENCE 0.3
#define TOO_LONG -0.3 /* of the same: no double bond; what is less than -1 is a charge's */
/* Å, mean bonds of rings: aromatic ones have 1.39, saturated ones 1.52. */
#define SHORT_RING 1.45
#define LONG_RING 1.48
#define FLAT_SHORT 25.0 /* degrees, of a ring with short bonds */
/* Degrees: mean torsion within flat rings of five and of six. */
#define FLAT_FIVE 9.0
#define FLAT_SIX 14.0
#define RADIAN (3.14159265358979323846 / 180.0)
/* What an atom without its double bond costs, against 0 to 1 for a bond's length. */
#define UNPAIRED 4.0
/* A nitrogen with three bonds gets a charge by it. */
#define CHARGED 2.0
#define MOST_TRIALS 20000

void
debye_ligand_find_bonds(DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    for (guint32 j = i + 1; j < ligand->atoms->len; j++) {
      const DebyeLigandAtom *a = debye_ligand_get_atom(ligand, i), *b = debye_ligand_get_atom(ligand, j);
      const double reach = (double)debye_element_get(a->element)->covalent_radius +
                           (double)debye_element_get(b->element)->covalent_radius + BOND_MARGIN;
      const double length = debye_vec3_length(debye_vec3_subtract(a->position, b->position));
      if (length > LEAST_BOND && length < reach && !(a->element == 1 && b->element == 1))
        debye_ligand_add_bond(ligand, i, j, 1);
    }
}

/* --- Geometry --- */

static double
get_distance(const DebyeLigand *ligand, guint32 i, guint32 j)
{
  return debye_vec3_length(debye_vec3_subtract(debye_ligand_get_atom(ligand, i)->position,
                                               debye_ligand_get_atom(ligand, j)->position));
}

static double
get_angle(const DebyeLigand *ligand, guint32 i, guint32 center, guint32 j)
{
  const DebyeVec3 at = debye_ligand_get_atom(ligand, center)->position;
  const DebyeVec3 u = debye_vec3_subtract(debye_ligand_get_atom(ligand, i)->position, at);
  const DebyeVec3 v = debye_vec3_subtract(debye_ligand_get_atom(ligand, j)->position, at);
  return acos(CLAMP(debye_vec3_dot(u, v) / (debye_vec3_length(u) * debye_vec3_length(v)), -1.0, 1.0)) /
         RADIAN;
}

static double
get_torsion(const DebyeLigand *ligand, const guint32 atoms[4])
{
  DebyeVec3 p[4];
  for (int k = 0; k < 4; k++)
    p[k] = debye_ligand_get_atom(ligand, atoms[k])->position;
  const DebyeVec3 along = debye_vec3_subtract(p[2], p[1]);
  const DebyeVec3 first = debye_vec3_cross(debye_vec3_subtract(p[1], p[0]), along);
  const DebyeVec3 second = debye_vec3_cross(along, debye_vec3_subtract(p[3], p[2]));
  return atan2(debye_vec3_dot(first, debye_vec3_subtract(p[3], p[2])) * debye_vec3_length(along),
               debye_vec3_dot(first, second)) /
         RADIAN;
}

/* Å: single and double bonds of C, N, O, S. */
static double
get_preference(const DebyeLigand *ligand, guint32 i, guint32 j)
{
  static const struct {
    guint8 first, second;
    double single, twofold;
  } lengths[] = {{6, 6, 1.48, 1.34}, {6, 7, 1.42, 1.28}, {6, 8, 1.40, 1.22},  {6, 16, 1.77, 1.64},
                 {7, 7, 1.42, 1.25}, {7, 8, 1.40, 1.22}, {7, 16, 1.70, 1.54}, {15, 8, 1.62, 1.48}};
  guint32 bonded[MOST_BONDED];
  const guint8 a = debye_ligand_get_atom(ligand, i)->element, b = debye_ligand_get_atom(ligand, j)->element;
  const gboolean is_charged = (a == 7 && debye_ligand_list_bonded(ligand, i, bonded, MOST_BONDED) > 2) ||
                              (b == 7 && debye_ligand_list_bonded(ligand, j, bonded, MOST_BONDED) > 2);
  for (gsize k = 0; k < G_N_ELEMENTS(lengths); k++)
    if ((lengths[k].first == a && lengths[k].second == b) ||
        (lengths[k].first == b && lengths[k].second == a))
      return CLAMP((lengths[k].single - get_distance(ligand, i, j)) /
                       (lengths[k].single - lengths[k].twofold),
                   -0.5, 1.5) -
             (is_charged ? CHARGED : 0.0);
  return is_charged ? -CHARGED : 0.0;
}

/* A carbonyl's oxygen tells by its distance what coordinates may blur: a carbon with it is flat. */
static gboolean
has_carbonyl(const DebyeLigand *ligand, guint32 atom, const guint32 *bonded, guint n)
{
  guint32 further[MOST_BONDED];
  for (guint k = 0; k < n; k++)
    if (debye_ligand_get_atom(ligand, atom)->element == 6 &&
        debye_ligand_get_atom(ligand, bonded[k])->element == 8 &&
        debye_ligand_list_bonded(ligand, bonded[k], further, MOST_BONDED) == 1 &&
        get_distance(ligand, atom, bonded[k]) < CARBONYL_LENGTH)
      return TRUE;
  return FALSE;
}

/* The most that a bond of the atom is like a double one. */
static double
get_best_preference(const DebyeLigand *ligand, guint32 atom, const guint32 *bonded, guint n)
{
  double best = -1.0;
  for (guint k = 0; k < n; k++)
    best = fmax(best, get_preference(ligand, atom, bonded[k]));
  return best;
}

static void
set_by_angles(DebyeLigand *ligand, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  DebyeLigandAtom *own = debye_ligand_get_atom(ligand, atom);
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  own->is_planar = own->is_linear = FALSE;
  if ((own->element != 6 && own->element != 7) || n < 2 || n > 3)
    return;
  const double first = get_angle(ligand, bonded[0], atom, bonded[1]);
  if (n == 2) {
    own->is_linear = first > STRAIGHT_ANGLE;
    own->is_planar = !own->is_linear && first > FLAT_ANGLE &&
                     (own->element == 7 || get_best_preference(ligand, atom, bonded, n) > LEAST_PREFERENCE);
    return;
  }
  own->is_planar =
      first + get_angle(ligand, bonded[1], atom, bonded[2]) + get_angle(ligand, bonded[2], atom, bonded[0]) >
      FLAT_SUM;
  if (own->element == 6)
    own->is_planar = has_carbonyl(ligand, atom, bonded, n) ||
                     (own->is_planar && get_best_preference(ligand, atom, bonded, n) > LEAST_PREFERENCE);
}

/* --- Rings --- */

static void
mark_ring(DebyeLigand *ligand, const guint32 *ring, guint size)
{
  double sum = 0.0, length = 0.0;
  guint n_lengths = 0;
  for (guint k = 0; k < size; k++) {
    const guint32 atoms[4] = {ring[k], ring[(k + 1) % size], ring[(k + 2) % size], ring[(k + 3) % size]};
    sum += fabs(get_torsion(ligand, atoms)) / size;
    /* Bonds of sulfur are longer, whatever their order. */
    if (debye_ligand_get_atom(ligand, atoms[0])->element > 8 ||
        debye_ligand_get_atom(ligand, atoms[1])->element > 8)
      continue;
    length += get_distance(ligand, atoms[0], atoms[1]);
    n_lengths++;
  }
  length /= MAX(n_lengths, 1);
  if (sum > (length < SHORT_RING ? FLAT_SHORT : size == 5 ? FLAT_FIVE : FLAT_SIX) || length > LONG_RING)
    return;
  for (guint k = 0; k < size; k++) {
    guint32 bonded[MOST_BONDED];
    DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, ring[k]);
    const guint n = debye_ligand_list_bonded(ligand, ring[k], bonded, MOST_BONDED);
    /* Rings of ureas have flat and tetrahedral atoms side by side. */
    if ((atom->element == 7 && n <= 3) ||
        (atom->element == 6 && n <= 3 && get_best_preference(ligand, ring[k], bonded, n) > LEAST_PREFERENCE))
      atom->is_planar = TRUE;
  }
}

/* All closed walks of five and six atoms from the one of lowest number. */
static void
walk_rings(DebyeLigand *ligand, guint32 *walk, guint length)
{
  guint32 bonded[MOST_BONDED];
  const guint n = debye_ligand_list_bonded(ligand, walk[length - 1], bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++) {
    gboolean is_new = bonded[k] > walk[0];
    if (bonded[k] == walk[0] && length >= 5)
      mark_ring(ligand, walk, length);
    for (guint i = 0; i < length; i++)
      is_new = is_new && walk[i] != bonded[k];
    if (!is_new || length == 6)
      continue;
    walk[length] = bonded[k];
    walk_rings(ligand, walk, length + 1);
  }
}

/* --- Double bonds --- */

typedef struct {
  DebyeLigand *ligand;
  guint32 *partners;   /* of each atom; itself: none yet; DEBYE_LIGAND_COMPLETE: it takes none */
  gboolean *is_able;   /* may have a double bond */
  gboolean *must_have; /* and ought to */
  guint32 *best;
  double cost, least;
  guint n_trials;
} Pairing;

/* Of those that must have one, that with the fewest partners left. */
static guint32
choose_next(const Pairing *pairing)
{
  guint32 chosen = DEBYE_LIGAND_COMPLETE;
  guint fewest = G_MAXUINT;
  for (guint32 i = 0; i < pairing->ligand->atoms->len; i++) {
    guint32 bonded[MOST_BONDED];
    guint n_free = 0;
    if (!pairing->must_have[i] || pairing->partners[i] != i)
      continue;
    const guint n = debye_ligand_list_bonded(pairing->ligand, i, bonded, MOST_BONDED);
    for (guint k = 0; k < n; k++)
      n_free += pairing->is_able[bonded[k]] && pairing->partners[bonded[k]] == bonded[k];
    if (n_free < fewest) {
      fewest = n_free;
      chosen = i;
    }
  }
  return chosen;
}

static void
pair(Pairing *pairing)
{
  guint32 bonded[MOST_BONDED];
  const guint32 atom = choose_next(pairing);
  if (atom == DEBYE_LIGAND_COMPLETE) {
    if (pairing->cost < pairing->least - 1e-9) {
      pairing->least = pairing->cost;
      memcpy(pairing->best, pairing->partners, pairing->ligand->atoms->len * sizeof(guint32));
    }
    return;
  }
  const guint n = debye_ligand_list_bonded(pairing->ligand, atom, bonded, MOST_BONDED);
  gboolean has_partner = FALSE;
  for (guint k = 0; k < n && pairing->n_trials < MOST_TRIALS; k++) {
    const guint32 other = bonded[k];
    if (!pairing->is_able[other] || pairing->partners[other] != other)
      continue;
    has_partner = TRUE;
    pairing->n_trials++;
    const double gain = get_preference(pairing->ligand, atom, other);
    if (gain < TOO_LONG && gain > -1.0)
      continue;
    pairing->partners[atom] = other;
    pairing->partners[other] = atom;
    pairing->cost -= gain;
    pair(pairing);
    pairing->cost += gain;
    pairing->partners[atom] = atom;
    pairing->partners[other] = other;
  }
  /* Left without, where the others leave none or it costs too much elsewhere. */
  if (pairing->n_trials++ >= MOST_TRIALS || (has_partner && pairing->least < pairing->cost + UNPAIRED - 2.0))
    return;
  pairing->partners[atom] = DEBYE_LIGAND_COMPLETE;
  pairing->cost += UNPAIRED;
  pair(pairing);
  pairing->cost -= UNPAIRED;
  pairing->partners[atom] = atom;
}

/* The orders of the best pairing; an atom that must have a double bond and got none, or DEBYE_LIGAND_COMPLETE. */
static guint32
settle(DebyeLigand *ligand, gboolean *is_able, gboolean *must_have)
{
  const guint n = ligand->atoms->len;
  g_autofree guint32 *partners = g_new(guint32, MAX(n, 1)), *best = g_new(guint32, MAX(n, 1));
  for (guint32 i = 0; i < n; i++)
    partners[i] = best[i] = i;
  Pairing pairing = {.ligand = ligand,
                     .partners = partners,
                     .is_able = is_able,
                     .must_have = must_have,
                     .best = best,
                     .least = INFINITY};
  pair(&pairing);
  for (guint32 i = 0; i < n; i++)
    if (best[i] != i && best[i] != DEBYE_LIGAND_COMPLETE)
      debye_ligand_find_bond(ligand, i, best[i])->order = 2;
  for (guint32 i = 0; i < n; i++)
    if (must_have[i] && (best[i] == i || best[i] == DEBYE_LIGAND_COMPLETE))
      return i;
  return DEBYE_LIGAND_COMPLETE;
}

/* --- Groups --- */

/* Oxygens and sulfurs bonded to nothing else, the nearest first; how many. */
static guint
list_terminal(const DebyeLigand *ligand, guint32 center, guint32 found[MOST_BONDED])
{
  guint32 bonded[MOST_BONDED], further[MOST_BONDED];
  const guint n_bonded = debye_ligand_list_bonded(ligand, center, bonded, MOST_BONDED);
  guint n = 0;
  for (guint k = 0; k < n_bonded; k++) {
    const guint8 element = debye_ligand_get_atom(ligand, bonded[k])->element;
    if ((element != 8 && element != 16) ||
        debye_ligand_list_bonded(ligand, bonded[k], further, MOST_BONDED) != 1)
      continue;
    guint at = n++;
    for (; at > 0 && get_distance(ligand, center, found[at - 1]) > get_distance(ligand, center, bonded[k]);
         at--)
      found[at] = found[at - 1];
    found[at] = bonded[k];
  }
  return n;
}

/* P=O, S(=O)=O, S=O and N(=O)–O; FALSE: the atom is in none. */
static gboolean
set_group(DebyeLigand *ligand, guint32 atom, gboolean *is_able)
{
  guint32 oxygens[MOST_BONDED], bonded[MOST_BONDED];
  const guint8 element = debye_ligand_get_atom(ligand, atom)->element;
  const guint n_bonded = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  const guint n = list_terminal(ligand, atom, oxygens);
  guint n_double = 0;
  if (element == 15)
    n_double = MIN(n, 1);
  else if (element == 16 && n_bonded >= 3)
    n_double = MIN(n, n_bonded - 2);
  else if (element == 7 && n_bonded == 3 && n == 2)
    n_double = 1;
  if (n_double == 0)
    return FALSE;
  for (guint k = 0; k < n; k++) {
    debye_ligand_find_bond(ligand, atom, oxygens[k])->order = k < n_double ? 2 : 1;
    is_able[oxygens[k]] = FALSE;
  }
  is_able[atom] = FALSE;
  return TRUE;
}

/* A straight C–C or C–N that is short. */
static void
set_triple(DebyeLigand *ligand, guint32 atom, gboolean *is_able)
{
  guint32 bonded[MOST_BONDED], nearest = DEBYE_LIGAND_COMPLETE;
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++) {
    guint32 further[MOST_BONDED];
    const gboolean is_end = debye_ligand_list_bonded(ligand, bonded[k], further, MOST_BONDED) == 1;
    const DebyeLigandAtom *other = debye_ligand_get_atom(ligand, bonded[k]);
    if ((other->element == 6 || other->element == 7) && (other->is_linear || is_end) &&
        (nearest == DEBYE_LIGAND_COMPLETE ||
         get_distance(ligand, atom, bonded[k]) < get_distance(ligand, atom, nearest)))
      nearest = bonded[k];
  }
  if (nearest == DEBYE_LIGAND_COMPLETE || get_distance(ligand, atom, nearest) > 1.30)
    return;
  debye_ligand_find_bond(ligand, atom, nearest)->order = 3;
  is_able[atom] = is_able[nearest] = FALSE;
}

static void
set_abilities(const DebyeLigand *ligand, guint32 i, gboolean *is_able, gboolean *must_have)
{
  guint32 bonded[MOST_BONDED];
  const DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
  const guint n = debye_ligand_list_bonded(ligand, i, bonded, MOST_BONDED);
  if (atom->element == 6) {
    is_able[i] = atom->is_planar || atom->is_linear || (n == 1 && get_preference(ligand, i, bonded[0]) > 0.7);
    must_have[i] = is_able[i];
  } else if (atom->element == 7) {
    is_able[i] = n <= 2 || (n == 3 && atom->is_planar);
  } else if (atom->element == 8 || atom->element == 16) {
    is_able[i] = n == 1;
  }
}

guint32
debye_ligand_perceive_orders(DebyeLigand *ligand)
{
  const guint n = ligand->atoms->len;
  g_autofree gboolean *is_able = g_new0(gboolean, MAX(n, 1)), *must_have = g_new0(gboolean, MAX(n, 1));
  guint32 walk[6];
  for (guint32 i = 0; i < n; i++)
    set_by_angles(ligand, i);
  for (walk[0] = 0; walk[0] < n; walk[0]++)
    walk_rings(ligand, walk, 1);
  for (guint32 i = 0; i < n; i++)
    set_abilities(ligand, i, is_able, must_have);
  for (guint32 i = 0; i < n; i++) {
    set_group(ligand, i, is_able);
    if (debye_ligand_get_atom(ligand, i)->is_linear && is_able[i])
      set_triple(ligand, i, is_able);
  }
  for (guint32 i = 0; i < n; i++)
    must_have[i] = must_have[i] && is_able[i];
  return settle(ligand, is_able, must_have);
}

/* Aromatic atoms of which nitrogen and sulfur with all their bonds, and oxygen, have none. */
guint32
debye_ligand_localise_orders(DebyeLigand *ligand)
{
  const guint n = ligand->atoms->len;
  g_autofree gboolean *is_able = g_new0(gboolean, MAX(n, 1)), *must_have = g_new0(gboolean, MAX(n, 1));
  gboolean has_aromatic = FALSE;
  for (guint b = 0; b < ligand->bonds->len; b++) {
    DebyeLigandBond *bond = debye_ligand_get_bond(ligand, b);
    if (bond->order != DEBYE_ORDER_AROMATIC)
      continue;
    has_aromatic = is_able[bond->i] = is_able[bond->j] = TRUE;
    bond->order = 1;
  }
  for (guint32 i = 0; i < n && has_aromatic; i++) {
    guint32 bonded[MOST_BONDED];
    const guint8 element = debye_ligand_get_atom(ligand, i)->element;
    const guint n_bonded = debye_ligand_list_bonded(ligand, i, bonded, MOST_BONDED);
    is_able[i] = is_able[i] && (element == 6 || (element == 7 && n_bonded <= 3) || (n_bonded == 1));
    must_have[i] = is_able[i] && element == 6 && debye_ligand_get_valence(ligand, i) < 3.5;
    is_able[i] = is_able[i] && (element != 6 || must_have[i]);
    set_group(ligand, i, is_able);
  }
  return has_aromatic ? settle(ligand, is_able, must_have) : DEBYE_LIGAND_COMPLETE;
}
