/* SPDX-License-Identifier: MIT */
/* Implementation of ligand.h. */
#include "ligand.h"

#include <string.h>

DebyeLigand *
debye_ligand_new(const char *name)
{
  DebyeLigand *self = g_new0(DebyeLigand, 1);
  self->name = g_strdup(name);
  self->residue = g_strdup("");
  self->atoms = g_array_new(FALSE, TRUE, sizeof(DebyeLigandAtom));
  self->bonds = g_array_new(FALSE, TRUE, sizeof(DebyeLigandBond));
  return self;
}

void
debye_ligand_free(DebyeLigand *self)
{
  if (self == NULL)
    return;
  g_free(self->name);
  g_free(self->residue);
  g_free(self->file);
  g_array_unref(self->atoms);
  g_array_unref(self->bonds);
  g_free(self);
}

DebyeLigandAtom *
debye_ligand_get_atom(const DebyeLigand *self, guint32 atom)
{
  return &g_array_index(self->atoms, DebyeLigandAtom, atom);
}

DebyeLigandBond *
debye_ligand_get_bond(const DebyeLigand *self, guint bond)
{
  return &g_array_index(self->bonds, DebyeLigandBond, bond);
}

void
debye_ligand_add_bond(DebyeLigand *self, guint32 i, guint32 j, guint8 order)
{
  const DebyeLigandBond bond = {i, j, order};
  if (i != j && debye_ligand_find_bond(self, i, j) == NULL)
    g_array_append_val(self->bonds, bond);
}

guint
debye_ligand_list_bonded(const DebyeLigand *self, guint32 atom, guint32 *bonded, guint capacity)
{
  guint n = 0;
  for (guint b = 0; b < self->bonds->len && n < capacity; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(self, b);
    if (bond->i == atom || bond->j == atom)
      bonded[n++] = bond->i == atom ? bond->j : bond->i;
  }
  return n;
}

DebyeLigandBond *
debye_ligand_find_bond(const DebyeLigand *self, guint32 i, guint32 j)
{
  for (guint b = 0; b < self->bonds->len; b++) {
    DebyeLigandBond *bond = debye_ligand_get_bond(self, b);
    if ((bond->i == i && bond->j == j) || (bond->i == j && bond->j == i))
      return bond;
  }
  return NULL;
}

gboolean
debye_ligand_has_name(const DebyeLigand *self, const char *name)
{
  for (guint32 i = 0; i < self->atoms->len; i++)
    if (strcmp(debye_ligand_get_atom(self, i)->name, name) == 0)
      return TRUE;
  return FALSE;
}

double
debye_ligand_get_valence(const DebyeLigand *self, guint32 atom)
{
  double valence = debye_ligand_get_atom(self, atom)->n_hydrogens;
  for (guint b = 0; b < self->bonds->len; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(self, b);
    if (bond->i == atom || bond->j == atom)
      valence += bond->order == DEBYE_ORDER_AROMATIC ? 1.5 : bond->order;
  }
  return valence;
}

guint
debye_ligand_get_usual_valence(guint8 element)
{
  switch (element) {
  case 6:
    return 4;
  case 7:
  case 15:
    return 3;
  case 8:
  case 16:
    return 2;
  case 1:
  case 9:
  case 17:
  case 35:
  case 53:
    return 1;
  default:
    return 0;
  }
}
