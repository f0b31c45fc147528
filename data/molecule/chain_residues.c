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

/* Of the classes of polymers, those whose backbone the residue has. */
static guint8
read_backbone(DebyeTopology *topology, const DebyeResidue *residue, guint8 classes)
{
  static const char *const peptide[] = {"N", "CA", "C", NULL};
  static const char *const sugar[] = {"C1'", "C3'", "C4'", "O3'", NULL};
  static const char *const earlier_sugar[] = {"C1*", "C3*", "C4*", "O3*", NULL};
  guint8 found = 0;
  if ((classes & DEBYE_RESIDUE_PROTEIN) != 0 && has_atoms(topology, residue, peptide))
    found |= DEBYE_RESIDUE_PROTEIN;
  if ((classes & DEBYE_RESIDUE_NUCLEIC) != 0 &&
      (has_atoms(topology, residue, sugar) || has_atoms(topology, residue, earlier_sugar)))
    found |= DEBYE_RESIDUE_NUCLEIC;
  return found;
}

static gboolean
is_linked(DebyeTopology *topology, const DebyeResidue *before, const DebyeResidue *behind)
{
  const guint32 *offsets, *partners;
  debye_topology_get_bond_graph(topology, &offsets, &partners);
  for (guint32 k = offsets[before->first_atom]; k < offsets[before->first_atom + before->n_atoms]; k++)
    if (partners[k] - behind->first_atom < behind->n_atoms)
      return TRUE;
  return FALSE;
}

/* Numbers of a file without chains run on through ligands: there a bond has to say it. */
static gboolean
follows(DebyeTopology *topology, const DebyeResidue *before, const DebyeResidue *behind)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  if (before->chain != behind->chain || before->segment != behind->segment)
    return FALSE;
  if (*debye_string_pool_get(pool, before->chain) == '\0' && !is_linked(topology, before, behind))
    return FALSE;
  return behind->number == before->number ? behind->insertion_code != before->insertion_code
                                          : behind->number == (gint64)before->number + 1;
}

/* The classes of a run of unknown residues from `first` on that stands between two of a polymer; 0: it doesn't. */
static guint8
classify_run(DebyeTopology *topology, const guint8 *classes, gsize first, gsize *end)
{
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  const gsize n_residues = debye_topology_get_n_residues(topology);
  guint8 run = classes[first - 1] & POLYMERS;
  gsize r = first;
  for (; r < n_residues && run != 0 && classes[r] == 0; r++) {
    run = read_backbone(topology, &table[r], run);
    if (run != 0 && !follows(topology, &table[r - 1], &table[r]))
      run = 0;
  }
  *end = r;
  if (r == n_residues || run == 0 || !follows(topology, &table[r - 1], &table[r]))
    return 0;
  return run & classes[r];
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
    if (classes[r] == 0 && (classes[r - 1] & POLYMERS) != 0) {
      gsize end;
      const guint8 run = classify_run(topology, classes, r, &end);
      for (; run != 0 && r < end; r++)
        classes[r] = run;
    }
  return classes;
}
