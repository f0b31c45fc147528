/* SPDX-License-Identifier: MIT */
/* Classifies residues by name and by their neighbours in the chain, for the selection language. */
#include "chain_residues.h"

#include <string.h>

#include "data/tables/residue_class.h"

#define POLYMERS (DEBYE_RESIDUE_PROTEIN | DEBYE_RESIDUE_NUCLEIC)

static gboolean
has_atom(DebyeTopology *topology, const DebyeResidue *residue, const char *name)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const guint32 *names = debye_topology_get_names(topology);
  for (guint32 atom = residue->first_atom; atom < residue->first_atom + residue->n_atoms; atom++)
    if (strcmp(debye_string_pool_get(pool, names[atom]), name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_atoms(DebyeTopology *topology, const DebyeResidue *residue, const char *const *names)
{
  gboolean has_all = TRUE;
  for (gsize k = 0; has_all && names[k] != NULL; k++)
    has_all = has_atom(topology, residue, names[k]);
  return has_all;
}

/* Of the classes of polymers that a neighbour has, those whose backbone the residue has. */
static guint8
read_backbone(DebyeTopology *topology, const DebyeResidue *residue, guint8 neighbour)
{
  static const char *const peptide[] = {"N", "CA", "C", NULL};
  static const char *const sugar[] = {"C1'", "C3'", "C4'", "O3'", NULL};
  static const char *const earlier_sugar[] = {"C1*", "C3*", "C4*", "O3*", NULL};
  guint8 found = 0;
  if ((neighbour & DEBYE_RESIDUE_PROTEIN) != 0 && has_atoms(topology, residue, peptide))
    found |= DEBYE_RESIDUE_PROTEIN;
  if ((neighbour & DEBYE_RESIDUE_NUCLEIC) != 0 &&
      (has_atoms(topology, residue, sugar) || has_atoms(topology, residue, earlier_sugar)))
    found |= DEBYE_RESIDUE_NUCLEIC;
  return found;
}

/* With the same number, insertion codes differ. A ligand of the chain usually has a number of its own. */
static gboolean
follows(const DebyeResidue *before, const DebyeResidue *behind)
{
  return before->chain == behind->chain && before->segment == behind->segment &&
         (behind->number == before->number || behind->number == (gint64)before->number + 1);
}

guint8 *
debye_chain_residues_classify(DebyeTopology *topology)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  const gsize n_residues = debye_topology_get_n_residues(topology);
  const guint n_names = debye_string_pool_get_count(pool);
  g_autofree guint8 *by_name = g_new(guint8, MAX(n_names, 1));
  for (guint code = 0; code < n_names; code++)
    by_name[code] = (guint8)debye_residue_class_of(debye_string_pool_get(pool, code));
  guint8 *classes = g_new(guint8, MAX(n_residues, 1));
  for (gsize r = 0; r < n_residues; r++)
    classes[r] = by_name[table[r].name];
  for (gsize r = 1; r < n_residues; r++)
    if (classes[r] == 0 && (classes[r - 1] & POLYMERS) != 0 && follows(&table[r - 1], &table[r]))
      classes[r] = read_backbone(topology, &table[r], classes[r - 1]);
  for (gsize r = n_residues; r-- > 1;)
    if (classes[r - 1] == 0 && (classes[r] & POLYMERS) != 0 && follows(&table[r - 1], &table[r]))
      classes[r - 1] = read_backbone(topology, &table[r - 1], classes[r]);
  return classes;
}
