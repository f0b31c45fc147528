/* SPDX-License-Identifier: MIT */
/* Suggests the atoms an analysis is likely about; called by document.c. */
#include "suggested_atoms.h"

#include "data/messages/message.h"
#include "data/selection/selection.h"

static gsize
count_atoms(const char *text, DebyeTopology *topology)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, topology, NULL, NULL) : NULL;
  return atoms != NULL ? atoms->len : 0;
}

static char *
explain_solute(gsize n_water, gsize n_ions)
{
  const char *what = n_water == 0  ? N_("The ions are left out")
                     : n_ions == 0 ? N_("The water is left out")
                                   : N_("Water and ions are left out");
  return debye_say("%s: their charges move about and would bury the molecule's own.", what);
}

DebyeSuggestedAtoms *
debye_suggested_atoms_new(DebyeTopology *topology)
{
  gsize n_atoms = debye_topology_get_n_counted(topology);
  gsize n_water = count_atoms("water", topology), n_ions = count_atoms("ion and not water", topology);
  DebyeSuggestedAtoms *suggested = g_new0(DebyeSuggestedAtoms, 1);
  suggested->selection = "all";
  if (n_water + n_ions == 0) {
    suggested->reason = debye_say("There are no water and no ions to leave out.");
  } else if (n_water + n_ions == n_atoms) {
    suggested->reason = debye_say("There is nothing but water and ions.");
  } else {
    suggested->selection = "not (water or ion)";
    suggested->reason = explain_solute(n_water, n_ions);
  }
  return suggested;
}

DebyeSuggestedAtoms *
debye_suggested_atoms_copy(const DebyeSuggestedAtoms *suggested)
{
  DebyeSuggestedAtoms *copy = g_new0(DebyeSuggestedAtoms, 1);
  copy->selection = suggested->selection;
  copy->reason = g_strdup(suggested->reason);
  return copy;
}

void
debye_suggested_atoms_free(DebyeSuggestedAtoms *suggested)
{
  if (suggested == NULL)
    return;
  g_free(suggested->reason);
  g_free(suggested);
}
