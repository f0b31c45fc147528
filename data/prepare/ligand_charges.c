/* SPDX-License-Identifier: MIT */
/* Implementation of ligand_charges.h. */
#include "ligand_charges.h"

#define N_STEPS 8
#define DAMPING 0.5
#define HYDROGEN_ION 20.02 /* eV */
#define MOST_BONDED 8

typedef enum { SP3, SP2, SP, N_STATES } State;

/* eV; all zero: the element has no such state. */
typedef struct {
  guint8 element;
  double abc[N_STATES][3];
} Orbital;

static const Orbital orbitals[] = {
    {1, {[SP3] = {7.17, 6.24, -0.56}}},
    {6, {[SP3] = {7.98, 9.18, 1.88}, [SP2] = {8.79, 9.32, 1.51}, [SP] = {10.39, 9.45, 0.73}}},
    {7, {[SP3] = {11.54, 10.82, 1.36}, [SP2] = {12.87, 11.15, 0.85}, [SP] = {15.68, 11.70, -0.27}}},
    {8, {[SP3] = {14.18, 12.92, 1.39}, [SP2] = {17.07, 13.79, 0.47}}},
    {9, {[SP3] = {14.66, 13.85, 2.31}}},
    {15, {[SP3] = {8.90, 8.24, 0.96}, [SP2] = {9.665, 8.530, 0.735}}},
    {16, {[SP3] = {10.14, 9.13, 1.38}, [SP2] = {10.88, 9.485, 1.325}}},
    {17, {[SP3] = {11.00, 9.69, 1.35}}},
    {35, {[SP3] = {10.08, 8.47, 1.16}}},
    {53, {[SP3] = {9.90, 7.96, 0.96}}},
};

/* An atom, or a hydrogen of one. */
typedef struct {
  const double *abc;
  double ion; /* χ at q = 1 */
  double charge;
} Node;

/* --- Hybridisation --- */

static void
count_orders(const DebyeLigand *ligand, guint32 atom, guint *n_double, guint *n_triple, guint *n_aromatic)
{
  *n_double = *n_triple = *n_aromatic = 0;
  for (guint b = 0; b < ligand->bonds->len; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(ligand, b);
    if (bond->i != atom && bond->j != atom)
      continue;
    *n_double += bond->order == 2;
    *n_triple += bond->order == 3;
    *n_aromatic += bond->order == DEBYE_ORDER_AROMATIC;
  }
}

static gboolean
is_hypervalent(guint8 element)
{
  return element == 15 || element == 16;
}

/* An oxygen that shares a charge with a doubly bonded one: of phosphates and sulfonates. */
static gboolean
is_share(const DebyeLigand *ligand, guint32 atom, guint32 center)
{
  guint32 bonded[MOST_BONDED];
  return debye_ligand_get_atom(ligand, atom)->formal_charge < 0.0 &&
         debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED) == 1 &&
         is_hypervalent(debye_ligand_get_atom(ligand, center)->element);
}

/* A lone pair beside a multiple bond; sulfur's between two of them, as in thiophene. */
static gboolean
is_conjugated(const DebyeLigand *ligand, guint32 atom, const guint8 *is_unsaturated)
{
  guint32 bonded[MOST_BONDED];
  guint n_beside = 0;
  const DebyeLigandAtom *own = debye_ligand_get_atom(ligand, atom);
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  if ((own->element != 7 && own->element != 8 && own->element != 16) ||
      debye_ligand_get_valence(ligand, atom) > 3.4)
    return FALSE;
  for (guint k = 0; k < n; k++)
    n_beside +=
        is_unsaturated[bonded[k]] && (!is_hypervalent(debye_ligand_get_atom(ligand, bonded[k])->element) ||
                                      is_share(ligand, atom, bonded[k]));
  return n_beside >= (own->element == 16 ? 2 : 1);
}

void
debye_ligand_set_hybridisation(DebyeLigand *ligand)
{
  g_autofree guint8 *is_unsaturated = g_new0(guint8, MAX(ligand->atoms->len, 1));
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    guint n_double, n_triple, n_aromatic;
    DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
    count_orders(ligand, i, &n_double, &n_triple, &n_aromatic);
    const gboolean may_be_linear = !is_hypervalent(atom->element);
    atom->is_linear = n_triple > 0;
    is_unsaturated[i] = n_double + n_triple + n_aromatic > 0;
    /* Of S and P with four bonds the double ones leave the tetrahedron. */
    guint32 bonded[MOST_BONDED];
    const guint n_bonded = debye_ligand_list_bonded(ligand, i, bonded, MOST_BONDED);
    atom->is_linear = atom->is_linear || (n_double > 1 && may_be_linear && n_bonded < 3);
    atom->is_planar = !atom->is_linear && n_double + n_aromatic > 0 && (may_be_linear || n_bonded < 3);
  }
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
    atom->is_planar = atom->is_planar || (!atom->is_linear && is_conjugated(ligand, i, is_unsaturated));
  }
}

/* --- Parameters --- */

static State
find_state(const DebyeLigand *ligand, guint32 atom)
{
  const DebyeLigandAtom *own = debye_ligand_get_atom(ligand, atom);
  return own->is_linear ? SP : own->is_planar ? SP2 : SP3;
}

static const double *
find_orbital(guint8 element, State state)
{
  for (gsize k = 0; k < G_N_ELEMENTS(orbitals); k++)
    if (orbitals[k].element == element)
      return orbitals[k].abc[state][0] > 0.0 ? orbitals[k].abc[state] : orbitals[k].abc[SP3];
  return NULL;
}

static Node
make_node(const double *abc, guint8 element, double charge)
{
  return (Node){.abc = abc, .ion = element == 1 ? HYDROGEN_ION : abc[0] + abc[1] + abc[2], .charge = charge};
}

/* Formal charges of equal elements at one unsaturated atom are shared: carboxylates, phosphates, guanidinium. */
static double
share(const DebyeLigand *ligand, guint32 atom)
{
  guint32 centers[MOST_BONDED], bonded[MOST_BONDED];
  const DebyeLigandAtom *own = debye_ligand_get_atom(ligand, atom);
  const guint n_centers = debye_ligand_list_bonded(ligand, atom, centers, MOST_BONDED);
  for (guint c = 0; c < n_centers && (own->element == 7 || own->element == 8 || own->element == 16); c++) {
    const DebyeLigandAtom *center = debye_ligand_get_atom(ligand, centers[c]);
    double sum = 0.0;
    guint n = 0;
    const guint n_bonded = debye_ligand_list_bonded(ligand, centers[c], bonded, MOST_BONDED);
    for (guint k = 0; k < n_bonded; k++) {
      const DebyeLigandAtom *other = debye_ligand_get_atom(ligand, bonded[k]);
      guint32 further[MOST_BONDED];
      const gboolean is_equal =
          other->element == own->element && (other->is_planar || is_hypervalent(center->element)) &&
          (own->element == 7 ||
           debye_ligand_list_bonded(ligand, bonded[k], further, MOST_BONDED) + other->n_hydrogens == 1);
      sum += is_equal ? other->formal_charge : 0.0;
      n += is_equal;
    }
    const gboolean has_it = own->is_planar || is_hypervalent(center->element);
    if (n > 1 && sum != 0.0 && has_it && (center->is_planar || is_hypervalent(center->element)) &&
        (own->element == 7 ||
         debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED) + own->n_hydrogens == 1))
      return sum / n;
  }
  return own->formal_charge;
}

/* --- Equalisation --- */

static double
get_electronegativity(const Node *node)
{
  return node->abc[0] + node->charge * (node->abc[1] + node->charge * node->abc[2]);
}

/* What i gains from j. */
static double
get_gain(const Node *i, const Node *j)
{
  const double difference = get_electronegativity(j) - get_electronegativity(i);
  return difference / (difference > 0.0 ? i->ion : j->ion);
}

static void
equalise(DebyeLigand *ligand, Node *nodes, Node *hydrogens)
{
  const guint n = ligand->atoms->len;
  g_autofree double *gains = g_new0(double, MAX(n, 1));
  double damping = DAMPING;
  for (int step = 0; step < N_STEPS; step++, damping *= DAMPING) {
    for (guint32 i = 0; i < n; i++)
      gains[i] = 0.0;
    for (guint b = 0; b < ligand->bonds->len; b++) {
      const DebyeLigandBond *bond = debye_ligand_get_bond(ligand, b);
      const double gain = damping * get_gain(&nodes[bond->i], &nodes[bond->j]);
      gains[bond->i] += gain;
      gains[bond->j] -= gain;
    }
    for (guint32 i = 0; i < n; i++) {
      const guint n_hydrogens = debye_ligand_get_atom(ligand, i)->n_hydrogens;
      const double gain = n_hydrogens > 0 ? damping * get_gain(&nodes[i], &hydrogens[i]) : 0.0;
      hydrogens[i].charge -= gain;
      nodes[i].charge += gains[i] + n_hydrogens * gain;
    }
  }
}

guint8
debye_ligand_estimate_charges(DebyeLigand *ligand)
{
  const guint n = ligand->atoms->len;
  g_autofree Node *nodes = g_new0(Node, MAX(n, 1)), *hydrogens = g_new0(Node, MAX(n, 1));
  debye_ligand_set_hybridisation(ligand);
  for (guint32 i = 0; i < n; i++) {
    const guint8 element = debye_ligand_get_atom(ligand, i)->element;
    const double *abc = find_orbital(element, find_state(ligand, i));
    if (abc == NULL)
      return element;
    nodes[i] = make_node(abc, element, share(ligand, i));
    hydrogens[i] = make_node(orbitals[0].abc[SP3], 1, 0.0);
  }
  equalise(ligand, nodes, hydrogens);
  for (guint32 i = 0; i < n; i++) {
    debye_ligand_get_atom(ligand, i)->charge = nodes[i].charge;
    debye_ligand_get_atom(ligand, i)->charge_of_hydrogens = hydrogens[i].charge;
  }
  return 0;
}
