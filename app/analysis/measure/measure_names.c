/* SPDX-License-Identifier: MIT */
/* Names measurements by their atoms; called by measure_analysis.c. */
#include "measure_names.h"

#include <string.h>

#include "data/molecule/atom_name.h"
#include "measure_settings.h"

static gboolean
has_several_chains(DebyeTopology *topology)
{
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  for (gsize i = 1; i < debye_topology_get_n_residues(topology); i++)
    if (table[i].chain != table[0].chain)
      return TRUE;
  return FALSE;
}

static void
append_atom(GString *text, DebyeTopology *topology, guint32 atom, gboolean with_chain, gboolean with_index)
{
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const char *chain = debye_string_pool_get(pool, residue->chain);
  const char *residue_name = debye_string_pool_get(pool, residue->name);
  g_autofree char *name = debye_atom_name(topology, atom);
  if (with_chain && chain != NULL && *chain != '\0')
    g_string_append_printf(text, "%s:", chain);
  g_string_append(text, name);
  if (with_index || residue_name == NULL || *residue_name == '\0')
    g_string_append_printf(text, "#%u", atom);
}

static char *
name_measurement(DebyeTopology *topology, const DebyeMeasurement *measurement, gboolean with_indices)
{
  GString *text = g_string_new(NULL);
  gboolean with_chain = has_several_chains(topology);
  for (gsize i = 0; i < measurement->n_atoms; i++) {
    g_string_append(text, i > 0 ? " - " : "");
    append_atom(text, topology, measurement->atoms[i], with_chain, with_indices);
  }
  return g_string_free(text, FALSE);
}

static gboolean
has_twin(char **names, gsize n_names, gsize index)
{
  for (gsize i = 0; i < n_names; i++)
    if (i != index && strcmp(names[i], names[index]) == 0)
      return TRUE;
  return FALSE;
}

char **
debye_measure_names(DebyeTopology *topology, const GArray *measurements)
{
  g_auto(GStrv) plain = g_new0(char *, measurements->len + 1);
  char **names = g_new0(char *, measurements->len + 1);
  for (guint i = 0; i < measurements->len; i++)
    plain[i] = name_measurement(topology, &g_array_index(measurements, DebyeMeasurement, i), FALSE);
  for (guint i = 0; i < measurements->len; i++)
    names[i] = name_measurement(topology, &g_array_index(measurements, DebyeMeasurement, i),
                                has_twin(plain, measurements->len, i));
  return names;
}
