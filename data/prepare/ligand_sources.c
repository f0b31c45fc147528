/* SPDX-License-Identifier: MIT */
/* Implementation of ligand_sources.h. */
#include "ligand_sources.h"

#include "data/files/error.h"
#include "ligand_match.h"
#include "ligand_orders.h"
#include "ligand_species.h"

#define MOST_BONDED 8
#define FILLED 3.5 /* of a carbon's four bonds, of which aromatic ones are one and a half */

gboolean
debye_ligand_has_hydrogens(const DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    if (debye_ligand_get_atom(ligand, i)->element == 1)
      return TRUE;
  return FALSE;
}

guint
debye_ligand_count_hydrogens(const DebyeLigand *ligand, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  guint n_hydrogens = 0;
  const guint n = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++)
    n_hydrogens += debye_ligand_get_atom(ligand, bonded[k])->element == 1;
  return n_hydrogens;
}

guint32
debye_ligand_find_open_carbon(const DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    const DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
    if (atom->element == 6 && debye_ligand_get_valence(ligand, i) + fabs(atom->formal_charge) < FILLED)
      return i;
  }
  return DEBYE_LIGAND_COMPLETE;
}

static gboolean
is_saturated(const DebyeLigand *ligand, guint32 atom)
{
  for (guint b = 0; b < ligand->bonds->len; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(ligand, b);
    if ((bond->i == atom || bond->j == atom) && bond->order > 1)
      return FALSE;
  }
  return TRUE;
}

guint32
debye_ligand_find_open_amine(const DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    guint32 bonded[MOST_BONDED];
    gboolean is_aliphatic = debye_ligand_get_atom(ligand, i)->element == 7 && is_saturated(ligand, i);
    const guint n = debye_ligand_list_bonded(ligand, i, bonded, MOST_BONDED);
    for (guint k = 0; k < n && is_aliphatic; k++) {
      const guint8 element = debye_ligand_get_atom(ligand, bonded[k])->element;
      is_aliphatic = (element == 1 || element == 6) && is_saturated(ligand, bonded[k]);
    }
    if (is_aliphatic && n < 3)
      return i;
  }
  return DEBYE_LIGAND_COMPLETE;
}

static gboolean
has_formal_charges(const DebyeLigand *ligand)
{
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    if (debye_ligand_get_atom(ligand, i)->formal_charge != 0.0)
      return TRUE;
  return FALSE;
}

static const char *
get_file(const DebyeLigand *ligand)
{
  return ligand->file != NULL ? ligand->file : ligand->name;
}

static gboolean
refuse_open_carbon(const DebyeLigand *file, guint32 atom, GError **error)
{
  const char *name = debye_ligand_get_atom(file, atom)->name;
  return debye_error_set_of_file(
      error, DEBYE_ERROR_VALUE, get_file(file),
      "the ligand “%s” has hydrogens, but its carbon %s (atom %u) has fewer than four bonds. "
      "Write the molecule with all its hydrogens or with none",
      file->name, name, atom + 1);
}

static gboolean
complete(DebyeLigand *file, GError **error)
{
  if (debye_ligand_localise_orders(file) != DEBYE_LIGAND_COMPLETE)
    return debye_error_set_of_file(
        error, DEBYE_ERROR_VALUE, get_file(file),
        "the ligand “%s” has aromatic bonds that can't be resolved into single and "
        "double ones. Write it with bonds of order 1 and 2",
        file->name);
  const gboolean is_charged = has_formal_charges(file);
  if (debye_ligand_has_hydrogens(file)) {
    const guint32 open = debye_ligand_find_open_carbon(file);
    if (open != DEBYE_LIGAND_COMPLETE)
      return refuse_open_carbon(file, open, error);
    if (!is_charged)
      debye_ligand_set_formal_charges_by_bonds(file);
    return TRUE;
  }
  if (!is_charged && debye_ligand_species_set(file))
    return TRUE;
  if (!is_charged)
    debye_ligand_set_formal_charges(file);
  debye_ligand_fill_hydrogens(file);
  return TRUE;
}

gboolean
debye_ligand_sources_complete(GPtrArray *files, GError **error)
{
  for (guint k = 0; files != NULL && k < files->len; k++)
    if (!complete(g_ptr_array_index(files, k), error))
      return FALSE;
  return TRUE;
}

/* Another file that is used and is the same molecule. */
static const DebyeLigand *
find_twin(GPtrArray *files, const gboolean *is_used, guint number)
{
  for (guint k = 0; k < files->len; k++) {
    if (!is_used[k])
      continue;
    g_autofree guint32 *match =
        debye_ligand_match(g_ptr_array_index(files, k), g_ptr_array_index(files, number));
    if (match != NULL)
      return g_ptr_array_index(files, k);
  }
  return NULL;
}

gboolean
debye_ligand_sources_check(GPtrArray *files, const gboolean *is_used, GError **error)
{
  for (guint k = 0; files != NULL && k < files->len; k++) {
    const DebyeLigand *file = g_ptr_array_index(files, k);
    if (is_used[k])
      continue;
    const DebyeLigand *twin = find_twin(files, is_used, k);
    if (twin != NULL)
      debye_error_set_of_file(
          error, DEBYE_ERROR_MISMATCH, get_file(file),
          "the ligand “%s” is the same molecule as that of %s, which every such residue has "
          "got. Give one file per molecule",
          file->name, get_file(twin));
    else
      debye_error_set_of_file(error, DEBYE_ERROR_MISMATCH, get_file(file),
                              "the ligand “%s” differs in heavy atoms or bonds from each residue that no "
                              "table has. Check which molecule the file contains",
                              file->name);
    return FALSE;
  }
  return TRUE;
}
