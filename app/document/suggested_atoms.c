/* SPDX-License-Identifier: MIT */
/* Suggests the atoms an analysis is likely about; called by document.c. */
#include "suggested_atoms.h"

#include "data/messages/message.h"
#include "data/selection/selection.h"
#include "data/tables/elements.h"

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
  return debye_say("%s: their charges move and would hide those of the molecule.", what);
}

/* --- Pairs --- */

/* The oxygen atoms of the water by their name, unless that has other atoms, too. */
static char *
name_water_oxygen(DebyeTopology *topology)
{
  const gsize n = count_atoms("water and element O", topology);
  static const char *const names[] = {"OW", "OH2", "O"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autofree char *text = g_strconcat("name ", names[i], NULL);
    if (count_atoms(text, topology) == n)
      return g_steal_pointer(&text);
  }
  return g_strdup("water and element O");
}

/* The elements but hydrogen, in order of their numbers of atoms; at most two. Returns how many there are. */
static guint
find_heavy_elements(DebyeTopology *topology, guint8 found[2])
{
  const guint8 *elements = debye_topology_get_elements(topology);
  gsize counts[DEBYE_N_ELEMENTS] = {0}, most[2] = {0};
  guint n = 0;
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    counts[elements[i]]++;
  for (guint8 z = 2; z < DEBYE_N_ELEMENTS; z++) {
    n += counts[z] > 0;
    const int place = counts[z] > most[0] ? 0 : counts[z] > most[1] ? 1 : 2;
    if (place == 0)
      most[1] = most[0], found[1] = found[0];
    if (place < 2)
      most[place] = counts[z], found[place] = z;
  }
  return n;
}

static gboolean
is_without_elements(DebyeTopology *topology)
{
  const guint8 *elements = debye_topology_get_elements(topology);
  const gsize n_atoms = debye_topology_get_n_atoms(topology);
  gsize n = 0;
  while (n < n_atoms && elements[n] == 0)
    n++;
  return n_atoms > 1 && n == n_atoms;
}

/* Of water its oxygen; of a liquid or crystal with one or two heavy elements these; of beads without elements all. */
static void
suggest_pair(DebyeSuggestedAtoms *suggested, DebyeTopology *topology)
{
  guint8 elements[2] = {0};
  if (count_atoms("water and element O", topology) > 1) {
    g_autofree char *oxygen = name_water_oxygen(topology);
    suggested->pair = g_strdup_printf("%s | %s", oxygen, oxygen);
    suggested->pair_reason = debye_say("The oxygen atoms of the water.");
    return;
  }
  const guint n =
      count_atoms("protein or nucleic or lipid", topology) == 0 ? find_heavy_elements(topology, elements) : 0;
  if (n == 0 && is_without_elements(topology)) {
    suggested->pair = g_strdup("all | all");
    suggested->pair_reason = debye_say("All atoms: they have no elements.");
  }
  if (n != 1 && n != 2)
    return;
  suggested->pair = g_strdup_printf("element %s | element %s", debye_element_get(elements[0])->symbol,
                                    debye_element_get(elements[n - 1])->symbol);
  suggested->pair_reason = n == 1 ? debye_say("The only element besides hydrogen.")
                                  : debye_say("The two elements besides hydrogen.");
}

DebyeSuggestedAtoms *
debye_suggested_atoms_new(DebyeTopology *topology)
{
  gsize n_atoms = debye_topology_get_n_counted(topology);
  gsize n_water = count_atoms("water", topology), n_ions = count_atoms("ion and not water", topology);
  DebyeSuggestedAtoms *suggested = g_new0(DebyeSuggestedAtoms, 1);
  suggested->selection = "all";
  if (n_water + n_ions == 0) {
    suggested->reason = debye_say("There is no water, and there are no ions to leave out.");
  } else if (n_water + n_ions == n_atoms) {
    suggested->reason = debye_say("There is nothing but water and ions.");
  } else {
    suggested->selection = "not (water or ion)";
    suggested->reason = explain_solute(n_water, n_ions);
  }
  suggest_pair(suggested, topology);
  return suggested;
}

DebyeSuggestedAtoms *
debye_suggested_atoms_copy(const DebyeSuggestedAtoms *suggested)
{
  DebyeSuggestedAtoms *copy = g_new0(DebyeSuggestedAtoms, 1);
  copy->selection = suggested->selection;
  copy->reason = g_strdup(suggested->reason);
  copy->pair = g_strdup(suggested->pair);
  copy->pair_reason = g_strdup(suggested->pair_reason);
  return copy;
}

void
debye_suggested_atoms_free(DebyeSuggestedAtoms *suggested)
{
  if (suggested == NULL)
    return;
  g_free(suggested->reason);
  g_free(suggested->pair);
  g_free(suggested->pair_reason);
  g_free(suggested);
}
