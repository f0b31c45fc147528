/* SPDX-License-Identifier: MIT */
/* Bonds from distances. The tolerance of 0.4 Å over the sum of the covalent radii (Cordero et al., Dalton
 * Trans. 2008, 2832) takes in the longest stretched bonds of a hot simulation and stays below the shortest
 * distances of atoms that are only neighbours: 1-3 pairs (C…C 2.4 Å against 1.92) and hydrogen bonds (O…H 1.6
 * Å against 1.37). Pairs nearer than 0.55 of the sum are two places for one atom (alternate locations,
 * overlaps), not a bond: the shortest real one, N≡N, has 0.77.
 *
 * Left out: atoms of unknown element (virtual sites, beads), noble gases, alkali and the heavy alkaline earth
 * metals, other metals and halogens that are a residue of their own (ions), and H–H unless both have no other
 * bond (H₂). Each element has a largest number of bonds; where more are in range, those that are shortest
 * against their radii stay, so that overlapping structures don't become one clot. Atoms at different alternate
 * locations are not bonded where all locations count, and an atom that they share has its number of bonds with
 * each of them. */
#include "bonds.h"

#include <stdlib.h>

#include "data/tables/elements.h"
#include "data/work/parts.h"
#include "neighbours.h"

#define BONDED "debye-bonded" /* on a topology: the one with bonds, which may be itself */
#define TOLERANCE 0.4
#define SHORTEST 0.55
/* Ten times as many as in the densest metal: where more atoms lie on one another there are no bonds to be
 * found, and looking at all pairs of a hundred thousand in one place would never end. */
#define NEIGHBOURS_MAXIMUM 1000
#define ATOMS_A_PART 16384

typedef struct {
  DebyeBond bond;
  float ratio; /* distance / sum of the radii */
} Candidate;

typedef struct {
  const guint8 *elements;
  const guint32 *altlocs; /* NULL: each atom has one location */
  GArray *candidates;     /* of Candidate */
  guint32 atom;           /* whose neighbours are being visited */
  guint n_visited;        /* of them */
} Search;

static gboolean
is_noble_gas(guint8 element)
{
  return element == 2 || element == 10 || element == 18 || element == 36 || element == 54 || element >= 86;
}

/* Elements that are ions wherever they stand beside other atoms: Li Na K Rb Cs, Ca Sr Ba. */
static gboolean
is_always_ion(guint8 element)
{
  return element == 3 || element == 11 || element == 19 || element == 37 || element == 55 || element == 20 ||
         element == 38 || element == 56;
}

static gboolean
is_halogen(guint8 element)
{
  return element == 9 || element == 17 || element == 35 || element == 53;
}

static gboolean
is_nonmetal(guint8 element)
{
  return element == 1 || (element >= 5 && element <= 8) || (element >= 14 && element <= 16) ||
         (element >= 32 && element <= 34) || element == 52;
}

static guint
maximum_bonds(guint8 element)
{
  switch (element) {
  case 1:
  case 9:
    return 1;
  case 8:
    return 3; /* hydronium, coordinated oxide */
  case 5:
  case 6:
  case 7:
  case 17:
  case 35:
  case 53:
    return 4; /* quaternary nitrogen, perchlorate */
  default:
    return 8;
  }
}

static guint8 *
find_bondable(DebyeTopology *topology)
{
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  const guint8 *counted = debye_topology_get_counted(topology);
  const guint32 *residues = debye_topology_get_residues(topology);
  guint8 *bondable = g_new(guint8, MAX(n_atoms, 1));
  for (gsize i = 0; i < n_atoms; i++) {
    guint8 element = elements[i];
    gboolean alone = n_atoms > 1 && debye_topology_get_n_counted_of(topology, residues[i]) == 1;
    bondable[i] = (counted == NULL || counted[i]) && element != 0 && !is_noble_gas(element) &&
                  !is_always_ion(element) && (!alone || (is_nonmetal(element) && !is_halogen(element)));
  }
  return bondable;
}

static double
pair_radius(guint8 first, guint8 second)
{
  return (double)debye_element_get(first)->covalent_radius +
         (double)debye_element_get(second)->covalent_radius;
}

/* The longest bond that the elements present allow. */
static double
longest_bond(const guint8 *elements, const guint8 *bondable, gsize n_atoms)
{
  double largest = 0.0;
  for (gsize i = 0; i < n_atoms; i++)
    if (bondable[i])
      largest = fmax(largest, (double)debye_element_get(elements[i])->covalent_radius);
  return 2.0 * largest + TOLERANCE;
}

static gboolean
are_of_different_locations(const guint32 *altlocs, guint32 first, guint32 second)
{
  return altlocs != NULL && altlocs[first] != 0 && altlocs[second] != 0 && altlocs[first] != altlocs[second];
}

static gboolean
add_candidate(guint32 other, double squared_distance, gpointer data)
{
  Search *search = data;
  if (++search->n_visited > NEIGHBOURS_MAXIMUM)
    return FALSE;
  if (other <= search->atom || are_of_different_locations(search->altlocs, search->atom, other))
    return TRUE;
  double sum = pair_radius(search->elements[search->atom], search->elements[other]);
  double distance = sqrt(squared_distance);
  if (distance > SHORTEST * sum && distance < sum + TOLERANCE) {
    Candidate candidate = {{search->atom, other}, (float)(distance / sum)};
    g_array_append_val(search->candidates, candidate);
  }
  return TRUE;
}

static int
compare_neighbour(const void *first, const void *second)
{
  return debye_bond_compare(&((const Candidate *)first)->bond, &((const Candidate *)second)->bond);
}

/* Those from `begin` on, which are of one atom, by the other. The same pair can be seen through several images of a small cell:
 * the nearest of them is the one. */
static void
settle_candidates_of_atom(GArray *candidates, guint begin)
{
  Candidate *all = (Candidate *)(void *)candidates->data;
  guint kept = begin;
  if (candidates->len - begin < 2)
    return;
  qsort(all + begin, candidates->len - begin, sizeof *all, compare_neighbour);
  for (guint k = begin; k < candidates->len; k++) {
    if (kept > begin && debye_bond_compare(&all[kept - 1].bond, &all[k].bond) == 0)
      all[kept - 1].ratio = MIN(all[kept - 1].ratio, all[k].ratio);
    else
      all[kept++] = all[k];
  }
  g_array_set_size(candidates, kept);
}

/* Parts of the atoms, on all processors. */
typedef struct {
  const DebyeFrame *frame;
  const DebyeNeighbours *neighbours;
  const guint8 *elements;
  const guint32 *altlocs;
  const guint32 *atoms;
  gsize n_atoms;
  GArray **candidates; /* of each part */
} Parts;

static void
search_part(gsize part, gpointer data)
{
  const Parts *parts = data;
  const gsize end = MIN((part + 1) * ATOMS_A_PART, parts->n_atoms);
  Search search = {.elements = parts->elements,
                   .altlocs = parts->altlocs,
                   .candidates = g_array_sized_new(FALSE, FALSE, sizeof(Candidate), ATOMS_A_PART)};
  for (gsize k = part * ATOMS_A_PART; k < end; k++) {
    const guint begin = search.candidates->len;
    search.atom = parts->atoms[k];
    search.n_visited = 0;
    debye_neighbours_visit(parts->neighbours, debye_frame_get_position(parts->frame, search.atom),
                           add_candidate, &search);
    settle_candidates_of_atom(search.candidates, begin);
  }
  parts->candidates[part] = search.candidates;
}

/* By their atoms. */
static GArray *
find_candidates(const DebyeFrame *frame, const guint8 *elements, const guint8 *bondable,
                const guint32 *altlocs)
{
  gsize n_atoms = frame->n_atoms, n = 0;
  g_autofree guint32 *atoms = g_new(guint32, MAX(n_atoms, 1));
  for (gsize i = 0; i < n_atoms; i++)
    if (bondable[i])
      atoms[n++] = (guint32)i;
  double radius = longest_bond(elements, bondable, n_atoms);
  g_autoptr(DebyeNeighbours) neighbours = debye_neighbours_new(frame, atoms, n, radius);
  const gsize n_parts = (n + ATOMS_A_PART - 1) / ATOMS_A_PART;
  g_autofree GArray **found = g_new0(GArray *, MAX(n_parts, 1));
  Parts parts = {frame, neighbours, elements, altlocs, atoms, n, found};
  debye_parts_run(n_parts, search_part, &parts);
  GArray *candidates = g_array_sized_new(FALSE, FALSE, sizeof(Candidate), (guint)n);
  for (gsize p = 0; p < n_parts; p++) {
    g_array_append_vals(candidates, found[p]->data, found[p]->len);
    g_array_unref(found[p]);
  }
  return candidates;
}

static int
compare_ratio(const void *first, const void *second, gpointer data)
{
  const Candidate *candidates = data, *a = &candidates[*(const guint *)first],
                  *b = &candidates[*(const guint *)second];
  if (a->ratio != b->ratio)
    return a->ratio < b->ratio ? -1 : 1;
  return debye_bond_compare(&a->bond, &b->bond);
}

/* The bonds that atoms have so far. Those of an atom without a label to one with a label only count beside
 * others of that label. */
typedef struct {
  const guint8 *elements;
  const guint32 *altlocs;
  guint8 *n_shared;    /* of each atom, that are there at every location */
  guint8 *n_largest;   /* the most that it has at one location alone */
  GHashTable *n_alone; /* atom and label as one number → how many it has at that location alone */
} Tally;

static guint8
get_n_alone(const Tally *tally, gint64 key)
{
  return (guint8)GPOINTER_TO_UINT(g_hash_table_lookup(tally->n_alone, &key));
}

/* Of an atom: the label under which a bond to `partner` counts; 0: at every location. */
static guint32
label_of_bond(const Tally *tally, guint32 atom, guint32 partner)
{
  return tally->altlocs == NULL || tally->altlocs[atom] != 0 ? 0 : tally->altlocs[partner];
}

static gint64
make_key(guint32 atom, guint32 label)
{
  return (gint64)((guint64)atom << 32 | label);
}

static gboolean
is_full(const Tally *tally, guint32 atom, guint32 partner)
{
  const guint32 label = label_of_bond(tally, atom, partner);
  const guint n_alone = label != 0 ? get_n_alone(tally, make_key(atom, label)) : tally->n_largest[atom];
  return tally->n_shared[atom] + n_alone >= maximum_bonds(tally->elements[atom]);
}

static void
count_bond(Tally *tally, guint32 atom, guint32 partner)
{
  const guint32 label = label_of_bond(tally, atom, partner);
  if (label == 0) {
    tally->n_shared[atom]++;
    return;
  }
  const gint64 key = make_key(atom, label);
  const guint8 n_alone = get_n_alone(tally, key) + 1;
  g_hash_table_insert(tally->n_alone, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(n_alone));
  tally->n_largest[atom] = MAX(tally->n_largest[atom], n_alone);
}

static gboolean
is_hydrogen_pair(const guint8 *elements, DebyeBond bond)
{
  return elements[bond.i] == 1 && elements[bond.j] == 1;
}

/* Shortest first, each atom up to its number of bonds; hydrogen pairs in a second round, for what has none. */
static void
accept(const Candidate *candidates, const GArray *contested, Tally *tally, gboolean hydrogen_pairs,
       guint8 *accepted)
{
  for (guint k = 0; k < contested->len; k++) {
    const guint number = g_array_index(contested, guint, k);
    const DebyeBond bond = candidates[number].bond;
    if (is_hydrogen_pair(tally->elements, bond) != hydrogen_pairs || is_full(tally, bond.i, bond.j) ||
        is_full(tally, bond.j, bond.i))
      continue;
    count_bond(tally, bond.i, bond.j);
    count_bond(tally, bond.j, bond.i);
    accepted[number] = 1;
  }
}

static guint16 *
count_candidates(const GArray *candidates, gsize n_atoms)
{
  guint16 *n_of = g_new0(guint16, n_atoms);
  for (guint k = 0; k < candidates->len; k++) {
    const DebyeBond bond = g_array_index(candidates, Candidate, k).bond;
    n_of[bond.i] += n_of[bond.i] < G_MAXUINT16;
    n_of[bond.j] += n_of[bond.j] < G_MAXUINT16;
  }
  return n_of;
}

/* Which of the candidates are bonds. Atoms with no more of them than bonds need no comparing, and they are nearly all. */
static guint8 *
choose_bonds(const GArray *candidates, gsize n_atoms, Tally *tally)
{
  Candidate *all = (Candidate *)(void *)candidates->data;
  guint8 *accepted = g_new0(guint8, MAX(candidates->len, 1));
  g_autofree guint16 *n_of = count_candidates(candidates, n_atoms);
  g_autoptr(GArray) contested = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = 0; k < candidates->len; k++) {
    const DebyeBond bond = all[k].bond;
    if (is_hydrogen_pair(tally->elements, bond) || n_of[bond.i] > maximum_bonds(tally->elements[bond.i]) ||
        n_of[bond.j] > maximum_bonds(tally->elements[bond.j])) {
      g_array_append_val(contested, k);
      continue;
    }
    count_bond(tally, bond.i, bond.j);
    count_bond(tally, bond.j, bond.i);
    accepted[k] = 1;
  }
  g_array_sort_with_data(contested, compare_ratio, all);
  accept(all, contested, tally, FALSE, accepted);
  accept(all, contested, tally, TRUE, accepted);
  return accepted;
}

GArray *
debye_guess_bonds(DebyeTopology *topology, const DebyeFrame *frame)
{
  GArray *bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  if (n_atoms != frame->n_atoms || n_atoms == 0)
    return bonds;
  const guint8 *elements = debye_topology_get_elements(topology);
  /* Of chosen locations each is the only one: neighbouring residues may have chosen different labels. */
  const guint32 *altlocs =
      debye_topology_get_counted(topology) == NULL ? debye_topology_get_altlocs(topology) : NULL;
  g_autofree guint8 *bondable = find_bondable(topology);
  g_autoptr(GArray) candidates = find_candidates(frame, elements, bondable, altlocs);
  g_autofree guint8 *numbers = g_new0(guint8, 2 * n_atoms);
  g_autoptr(GHashTable) n_alone = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  Tally tally = {elements, altlocs, numbers, numbers + n_atoms, n_alone};
  g_autofree guint8 *accepted = choose_bonds(candidates, n_atoms, &tally);
  for (guint k = 0; k < candidates->len; k++)
    if (accepted[k])
      g_array_append_val(bonds, g_array_index(candidates, Candidate, k).bond);
  return bonds;
}

/* Atoms that the file bonds to anything. */
static gboolean *
find_bonded(gsize n_atoms, const DebyeBond *bonds, gsize n_bonds)
{
  gboolean *bonded = g_new0(gboolean, n_atoms);
  for (gsize k = 0; k < n_bonds; k++)
    bonded[bonds[k].i] = bonded[bonds[k].j] = TRUE;
  return bonded;
}

/* Whether distances could add to the file's bonds: more than one atom in a residue without any. An ion, or
 * the virtual site of a water, is alone. */
static gboolean
is_incomplete(DebyeTopology *topology, const gboolean *bonded)
{
  const DebyeResidue *residues = debye_topology_get_residue_table(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  const guint8 *counted = debye_topology_get_counted(topology);
  for (gsize r = 0; r < debye_topology_get_n_residues(topology); r++) {
    guint n_alone = 0;
    for (gsize i = residues[r].first_atom; i < (gsize)residues[r].first_atom + residues[r].n_atoms; i++)
      n_alone += !bonded[i] && elements[i] != 0 && (counted == NULL || counted[i]);
    if (n_alone > 1)
      return TRUE;
  }
  return FALSE;
}

DebyeTopology *
debye_topology_with_found_bonds(DebyeTopology *topology, const DebyeFrame *frame, DebyeBondSources *sources)
{
  gsize n_bonds;
  const DebyeBond *listed = debye_topology_get_bonds(topology, &n_bonds);
  g_autofree gboolean *bonded = find_bonded(debye_topology_get_n_atoms(topology), listed, n_bonds);
  *sources = (DebyeBondSources){.n_listed = n_bonds};
  if (n_bonds > 0 && !is_incomplete(topology, bonded))
    return g_object_ref(topology);
  g_autoptr(GArray) bonds = g_array_new(FALSE, FALSE, sizeof(DebyeBond));
  g_autoptr(GArray) guessed = debye_guess_bonds(topology, frame);
  g_autoptr(GArray) settled = debye_bond_sources_settle(topology, guessed, sources);
  for (guint k = 0; k < settled->len; k++) {
    DebyeBond bond = g_array_index(settled, DebyeBond, k);
    if (!bonded[bond.i] || !bonded[bond.j])
      g_array_append_val(bonds, bond);
  }
  sources->n_of_templates = MIN(sources->n_of_templates, bonds->len);
  sources->n_of_distances = bonds->len - sources->n_of_templates;
  if (n_bonds > 0 && bonds->len == 0)
    return g_object_ref(topology);
  if (n_bonds > 0)
    g_array_append_vals(bonds, listed, (guint)n_bonds);
  return debye_topology_with_bonds(topology, (const DebyeBond *)(const void *)bonds->data, bonds->len);
}

DebyeTopology *
debye_topology_with_guessed_bonds(DebyeTopology *topology, const DebyeFrame *frame)
{
  DebyeBondSources ignored;
  return debye_topology_with_found_bonds(topology, frame, &ignored);
}

/* --- Found once --- */

static gpointer
ref_bonded(gpointer bonded, gpointer data G_GNUC_UNUSED)
{
  return bonded != NULL ? g_object_ref(bonded) : NULL;
}

static void
unref_bonded(gpointer bonded)
{
  g_object_unref(bonded);
}

/* Whoever comes second, of two threads that look at the same time, takes what the first has found. */
DebyeTopology *
debye_topology_get_bonded(DebyeTopology *topology, DebyeFrame *frame)
{
  DebyeTopology *known = g_object_dup_data(G_OBJECT(topology), BONDED, ref_bonded, NULL);
  if (known != NULL)
    return known;
  g_autoptr(DebyeTopology) bonded = debye_topology_with_guessed_bonds(topology, frame);
  g_object_replace_data(G_OBJECT(bonded), BONDED, NULL, bonded, NULL, NULL);
  if (bonded != topology &&
      g_object_replace_data(G_OBJECT(topology), BONDED, NULL, bonded, unref_bonded, NULL))
    g_object_ref(bonded);
  return g_object_dup_data(G_OBJECT(topology), BONDED, ref_bonded, NULL);
}
