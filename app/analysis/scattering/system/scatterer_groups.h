/* SPDX-License-Identifier: MIT */
/* The species as groups of atoms, the form that the kernels need; intensity/scattering_run.c and
 * time/scattering_dynamic.c create them. */
#pragma once

#include "kernels/scattering/scattering_groups.h"
#include "scatterers.h"

typedef struct {
  DebyeScatteringGroups groups; /* one a species; its arrays are those below */
  gsize *first;
  guint32 *atoms; /* of all species, one after the other */
} DebyeScattererGroups;

void debye_scatterer_groups_init(DebyeScattererGroups *groups, const DebyeScatterers *scatterers);
void debye_scatterer_groups_clear(DebyeScattererGroups *groups);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeScattererGroups, debye_scatterer_groups_clear)
