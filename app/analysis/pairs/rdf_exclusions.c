/* SPDX-License-Identifier: MIT */
/* Finds the pairs that a distribution leaves out; called by rdf_plan.c and rdf_run.c. */
#include "rdf_exclusions.h"

#include <string.h>

#include "data/molecule/bonds.h"
#include "data/files/error.h"

#define MAX_BONDS_APART 20

void
debye_rdf_exclusions_clear(DebyeRdfExclusions *exclusions)
{
  g_clear_pointer(&exclusions->members, g_array_unref);
  g_clear_pointer(&exclusions->class_first, g_array_unref);
  g_clear_pointer(&exclusions->partners, g_array_unref);
  g_clear_pointer(&exclusions->partner_first, g_array_unref);
}

static GArray *
new_numbers(gsize reserved)
{
  return g_array_sized_new(FALSE, TRUE, sizeof(guint32), (guint)MIN(reserved, G_MAXUINT));
}

/* Counting sort of the atoms by their class. */
static void
sort_classes(DebyeRdfExclusions *exclusions, const guint32 *class_of, gsize n_atoms, gsize n_classes)
{
  exclusions->members = new_numbers(n_atoms);
  exclusions->class_first = new_numbers(n_classes + 1);
  g_array_set_size(exclusions->members, (guint)n_atoms);
  g_array_set_size(exclusions->class_first, (guint)n_classes + 1);
  guint32 *members = (guint32 *)exclusions->members->data;
  guint32 *first = (guint32 *)exclusions->class_first->data;
  for (gsize i = 0; i < n_atoms; i++)
    first[class_of[i] + 1]++;
  for (gsize c = 0; c < n_classes; c++)
    first[c + 1] += first[c];
  g_autofree guint32 *next = g_memdup2(first, n_classes * sizeof *first);
  for (gsize i = 0; i < n_atoms; i++)
    members[next[class_of[i]]++] = (guint32)i;
}

/* Atoms above `atom` that are at most `reach` bonds away: a walk in breadth. `seen` holds atom + 1 where an
 * atom was come by on this walk. */
static void
add_partners(GArray *partners, const guint32 *offsets, const guint32 *bonded, guint32 atom, guint reach,
             guint32 *seen, GArray *queue)
{
  g_array_set_size(queue, 0);
  g_array_append_val(queue, atom);
  seen[atom] = atom + 1;
  guint begin = 0;
  for (guint step = 0; step < reach; step++) {
    guint end = queue->len;
    for (; begin < end; begin++) {
      guint32 here = g_array_index(queue, guint32, begin);
      for (guint32 k = offsets[here]; k < offsets[here + 1]; k++) {
        guint32 there = bonded[k];
        if (seen[there] == atom + 1)
          continue;
        seen[there] = atom + 1;
        g_array_append_val(queue, there);
        if (there > atom)
          g_array_append_val(partners, there);
      }
    }
  }
}

static void
list_partners(DebyeRdfExclusions *exclusions, DebyeTopology *topology, guint reach)
{
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  const guint32 *offsets, *bonded;
  debye_topology_get_bond_graph(topology, &offsets, &bonded);
  g_autofree guint32 *seen = g_new0(guint32, n_atoms);
  g_autoptr(GArray) queue = new_numbers(64);
  exclusions->partners = new_numbers(4 * n_atoms);
  exclusions->partner_first = new_numbers(n_atoms + 1);
  for (guint32 atom = 0; atom < n_atoms; atom++) {
    guint32 first = exclusions->partners->len;
    g_array_append_val(exclusions->partner_first, first);
    add_partners(exclusions->partners, offsets, bonded, atom, reach, seen, queue);
  }
  guint32 end = exclusions->partners->len;
  g_array_append_val(exclusions->partner_first, end);
}

/* The topology with bonds; NULL with an error. */
static DebyeTopology *
get_bonded(DebyeTopology *topology, const DebyeFrame *frame, GError **error)
{
  gsize n_bonds = 0;
  g_autoptr(DebyeTopology) bonded = debye_topology_with_guessed_bonds(topology, frame);
  debye_topology_get_bonds(bonded, &n_bonds);
  if (n_bonds > 0)
    return g_steal_pointer(&bonded);
  debye_error_set_about(error, DEBYE_ERROR_MISSING, "Exclude",
                        "the files have no bonds and no two atoms of frame %" G_GSIZE_FORMAT
                        " are at a bond's distance",
                        frame->index);
  return NULL;
}

gboolean
debye_rdf_exclusions_init(DebyeRdfExclusions *exclusions, DebyeTopology *topology, const DebyeFrame *frame,
                          const char *text, GError **error)
{
  gsize n_atoms = debye_topology_get_n_atoms(topology), n_molecules = 0;
  guint64 reach = 0;
  if (strcmp(text, "none") == 0)
    return TRUE;
  if (strcmp(text, "residue") == 0) {
    sort_classes(exclusions, debye_topology_get_residues(topology), n_atoms,
                 debye_topology_get_n_residues(topology));
    return TRUE;
  }
  gboolean by_molecule = strcmp(text, "molecule") == 0;
  if (!by_molecule &&
      !(g_str_has_prefix(text, "bonds:") &&
        g_ascii_string_to_unsigned(text + strlen("bonds:"), 10, 1, MAX_BONDS_APART, &reach, NULL)))
    return debye_error_set_about(
        error, DEBYE_ERROR_SETTING, "Exclude",
        "expected none, residue, molecule or bonds:N with N from 1 to %d, found “%s”", MAX_BONDS_APART, text);
  g_autoptr(DebyeTopology) bonded = get_bonded(topology, frame, error);
  if (bonded == NULL)
    return FALSE;
  if (by_molecule) {
    const guint32 *molecules = debye_topology_get_molecules(bonded, &n_molecules);
    sort_classes(exclusions, molecules, n_atoms, n_molecules);
  } else {
    list_partners(exclusions, bonded, (guint)reach);
  }
  return TRUE;
}

DebyePairExclusions
debye_rdf_exclusions_view(const DebyeRdfExclusions *exclusions)
{
  DebyePairExclusions view = {0};
  if (exclusions->members != NULL) {
    view.members = (const uint32_t *)exclusions->members->data;
    view.class_first = (const uint32_t *)exclusions->class_first->data;
    view.n_classes = exclusions->class_first->len - 1;
  }
  if (exclusions->partners != NULL) {
    view.partners = (const uint32_t *)exclusions->partners->data;
    view.partner_first = (const uint32_t *)exclusions->partner_first->data;
    view.n_listed = exclusions->partner_first->len - 1;
  }
  return view;
}
