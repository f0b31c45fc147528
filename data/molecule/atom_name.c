/* SPDX-License-Identifier: MIT */
/* Implementation of atom_name.h: the name of an atom for titles of measurements and their labels. */
#include "atom_name.h"

static const char *
code_text(DebyeTopology *topology, guint32 code)
{
  const char *text = debye_string_pool_get(debye_topology_get_string_pool(topology), code);
  return text != NULL ? text : "";
}

char *
debye_atom_name(DebyeTopology *topology, guint32 atom)
{
  const DebyeResidue *residue =
      &debye_topology_get_residue_table(topology)[debye_topology_get_residues(topology)[atom]];
  const char *residue_name = code_text(topology, residue->name);
  const char *name = code_text(topology, debye_topology_get_names(topology)[atom]);
  const char insertion[] = {residue->insertion_code, '\0'};
  return *residue_name == '\0' ? g_strdup(name)
                               : g_strdup_printf("%s%d%s %s", residue_name, residue->number, insertion, name);
}
