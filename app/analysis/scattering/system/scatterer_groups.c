/* SPDX-License-Identifier: MIT */
/* Groups species for the kernels; called by scattering_run.c and scattering_dynamic.c. */
#include "scatterer_groups.h"

#include <string.h>

void
debye_scatterer_groups_init(DebyeScattererGroups *groups, const DebyeScatterers *scatterers)
{
  guint n = scatterers->species->len;
  gsize at = 0;
  groups->first = g_new(gsize, n + 1);
  groups->atoms = g_new(guint32, scatterers->n_atoms);
  for (guint s = 0; s < n; s++) {
    const GArray *atoms = debye_scatterers_get(scatterers, s)->atoms;
    groups->first[s] = at;
    memcpy(groups->atoms + at, atoms->data, atoms->len * sizeof(guint32));
    at += atoms->len;
  }
  groups->first[n] = at;
  groups->groups = (DebyeScatteringGroups){.n_groups = n, .first = groups->first, .atoms = groups->atoms};
}

void
debye_scatterer_groups_clear(DebyeScattererGroups *groups)
{
  g_clear_pointer(&groups->first, g_free);
  g_clear_pointer(&groups->atoms, g_free);
}
