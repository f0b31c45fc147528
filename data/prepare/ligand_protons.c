/* SPDX-License-Identifier: MIT */
/* The rest of ligand_orders.h: formal charges as in water at pH 7, and how many hydrogens atoms have. */
#include "ligand_orders.h"

#define MOST_BONDED 8
#define MOST_PHOSPHATE_CHARGES 2

static gboolean
has_multiple_bond(const DebyeLigand *ligand, guint32 atom)
{
  for (guint b = 0; b < ligand->bonds->len; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(ligand, b);
    if ((bond->i == atom || bond->j == atom) && bond->order > 1)
      return TRUE;
  }
  return FALSE;
}

static guint
count_bonded(const DebyeLigand *ligand, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  return debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
}

/* --- Acids --- */

static gboolean
is_acid_center(const DebyeLigand *ligand, guint32 atom, guint32 *doubly_bonded)
{
  guint32 bonded[MOST_BONDED];
  const guint8 element = debye_ligand_get_atom(ligand, atom)->element;
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  if (element != 6 && element != 7 && element != 15 && element != 16)
    return FALSE;
  for (guint k = 0; k < n; k++) {
    const guint8 other = debye_ligand_get_atom(ligand, bonded[k])->element;
    if ((other == 8 || (other == 16 && element == 15)) && count_bonded(ligand, bonded[k]) == 1 &&
        debye_ligand_find_bond(ligand, atom, bonded[k])->order == 2) {
      *doubly_bonded = bonded[k];
      return element != 16 || n == 4;
    }
  }
  return FALSE;
}

/* Oxygens with a single bond only lose their hydrogens. Of nitro groups the charge is made up for by nitrogen. */
static void
set_acid(DebyeLigand *ligand, guint32 center)
{
  guint32 bonded[MOST_BONDED], doubly_bonded;
  guint n_charges = 0;
  if (!is_acid_center(ligand, center, &doubly_bonded))
    return;
  DebyeLigandAtom *own = debye_ligand_get_atom(ligand, center);
  const guint n = debye_ligand_list_bonded(ligand, center, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++) {
    DebyeLigandAtom *other = debye_ligand_get_atom(ligand, bonded[k]);
    if ((other->element != 8 && other->element != 16) || bonded[k] == doubly_bonded ||
        count_bonded(ligand, bonded[k]) != 1 || n_charges == MOST_PHOSPHATE_CHARGES ||
        debye_ligand_find_bond(ligand, center, bonded[k])->order != 1)
      continue;
    other->formal_charge = -1.0;
    n_charges++;
  }
  if (own->element == 7 && n_charges > 0)
    own->formal_charge = 1.0;
}

/* --- Bases --- */

/* One that is an atom. */
static gboolean
has_hydrogen(const DebyeLigand *ligand, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++)
    if (debye_ligand_get_atom(ligand, bonded[k])->element == 1)
      return TRUE;
  return FALSE;
}

static gboolean
is_amine(const DebyeLigand *ligand, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  if (debye_ligand_get_atom(ligand, atom)->element != 7 || n == 0 || n > 3 || has_multiple_bond(ligand, atom))
    return FALSE;
  for (guint k = 0; k < n; k++) {
    const guint8 element = debye_ligand_get_atom(ligand, bonded[k])->element;
    if ((element != 6 && element != 1) || has_multiple_bond(ligand, bonded[k]))
      return FALSE;
  }
  /* One that has three bonds with its hydrogens is neutral: the structure has them. */
  return n < 3 || !has_hydrogen(ligand, atom);
}

/* Within three bonds of a charge of its kind a second amine stays neutral. */
static gboolean
has_charge_near(const DebyeLigand *ligand, guint32 atom, guint32 before, guint reach)
{
  guint32 bonded[MOST_BONDED];
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n && reach > 0; k++)
    if (bonded[k] != before && (debye_ligand_get_atom(ligand, bonded[k])->formal_charge > 0.5 ||
                                has_charge_near(ligand, bonded[k], atom, reach - 1)))
      return TRUE;
  return FALSE;
}

/* A neighbour of amidine's nitrogen that draws its electrons: another unsaturated carbon, or no carbon. */
static gboolean
is_free(const DebyeLigand *ligand, guint32 nitrogen, guint32 center)
{
  guint32 bonded[MOST_BONDED];
  const guint n = debye_ligand_list_bonded(ligand, nitrogen, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++)
    if (bonded[k] != center && debye_ligand_get_atom(ligand, bonded[k])->element != 1 &&
        (debye_ligand_get_atom(ligand, bonded[k])->element != 6 || has_multiple_bond(ligand, bonded[k])))
      return FALSE;
  return TRUE;
}

/* C(=N)N and NC(=N)N get a proton at the nitrogen with the double bond. */
static void
set_amidine(DebyeLigand *ligand, guint32 center)
{
  guint32 bonded[MOST_BONDED], doubly_bonded = DEBYE_LIGAND_COMPLETE;
  guint n_nitrogens = 0;
  const guint n = debye_ligand_list_bonded(ligand, center, bonded, MOST_BONDED);
  if (debye_ligand_get_atom(ligand, center)->element != 6)
    return;
  for (guint k = 0; k < n; k++) {
    if (debye_ligand_get_atom(ligand, bonded[k])->element != 7 || !is_free(ligand, bonded[k], center))
      continue;
    n_nitrogens++;
    if (debye_ligand_find_bond(ligand, center, bonded[k])->order == 2)
      doubly_bonded = bonded[k];
  }
  /* A structure that has a hydrogen there, and none further, says what it is. */
  if (n_nitrogens >= 2 && doubly_bonded != DEBYE_LIGAND_COMPLETE && !has_hydrogen(ligand, doubly_bonded))
    debye_ligand_get_atom(ligand, doubly_bonded)->formal_charge = 1.0;
}

/* --- All --- */

void
debye_ligand_set_formal_charges(DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    debye_ligand_get_atom(ligand, i)->formal_charge = 0.0;
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    set_acid(ligand, i);
    set_amidine(ligand, i);
  }
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    if (debye_ligand_get_atom(ligand, i)->element == 7 && debye_ligand_get_valence(ligand, i) > 3.5)
      debye_ligand_get_atom(ligand, i)->formal_charge = 1.0;
    else if (is_amine(ligand, i) && !has_charge_near(ligand, i, DEBYE_LIGAND_COMPLETE, 3))
      debye_ligand_get_atom(ligand, i)->formal_charge = 1.0;
}

void
debye_ligand_set_formal_charges_by_bonds(DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
    const double excess = debye_ligand_get_valence(ligand, i) - debye_ligand_get_usual_valence(atom->element);
    const gboolean may_have_more = atom->element == 15 || (atom->element == 16 && excess > 0.0);
    if (atom->element == 7 || atom->element == 8 || (atom->element == 16 && excess < 0.0))
      atom->formal_charge = excess;
    else if (!may_have_more)
      atom->formal_charge = 0.0;
  }
}

void
debye_ligand_fill_hydrogens(DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
    atom->n_hydrogens = 0;
    const double used = debye_ligand_get_valence(ligand, i);
    double usual = debye_ligand_get_usual_valence(atom->element);
    if (atom->element == 6)
      usual -= fabs(atom->formal_charge);
    else
      usual += atom->formal_charge;
    atom->n_hydrogens = usual > used + 0.4 ? (guint)(usual - used + 0.5) : 0;
  }
}
