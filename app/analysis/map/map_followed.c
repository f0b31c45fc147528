/* SPDX-License-Identifier: MIT */
/* Implementation of map_followed.h. */
#include "map_followed.h"

#include "data/files/error.h"

#define LABEL "Residues over time"

static GArray *
choose_atoms(const char *text, DebyeTopology *topology, const DebyeFrame *first, GError **error)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  if (selection == NULL) {
    debye_error_name_setting(error, LABEL);
    return NULL;
  }
  if (!debye_selection_is_dynamic(selection))
    return debye_selection_evaluate(selection, topology, first, error);
  debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL,
                        "expected the same atoms in all frames, “%s” depends on their positions", text);
  return NULL;
}

static void
mark(DebyeTopology *topology, const GArray *atoms, guint8 bit, guint8 *marks)
{
  const guint32 *residues = debye_topology_get_residues(topology);
  for (guint i = 0; i < atoms->len; i++)
    marks[residues[g_array_index(atoms, guint32, i)]] |= bit;
}

GArray *
debye_map_followed_find(const char *selection, DebyeTopology *topology, const DebyeFrame *first,
                        const GArray *atoms, GError **error)
{
  const gsize n = debye_topology_get_n_residues(topology);
  g_autofree guint8 *marks = g_new0(guint8, n);
  g_autoptr(GArray) chosen = choose_atoms(selection, topology, first, error);
  if (chosen == NULL)
    return NULL;
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(guint32));
  mark(topology, chosen, 1, marks);
  mark(topology, atoms, 2, marks);
  for (guint32 residue = 0; residue < n; residue++)
    if (marks[residue] == 3)
      g_array_append_val(found, residue);
  if (found->len > 0)
    return g_steal_pointer(&found);
  debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL,
                        "the selection “%s” chooses none of %" G_GSIZE_FORMAT " atoms", selection,
                        (gsize)atoms->len);
  return NULL;
}

/* Of each residue a value and a curve's x and y, and of each frame its time, its number and whether it was solved. */
double
debye_map_followed_bytes(gsize n_residues, gsize n_frames)
{
  return n_residues == 0 ? 0.0 : 3.0 * sizeof(double) * ((double)n_residues + 1.0) * (double)n_frames;
}
