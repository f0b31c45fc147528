/* SPDX-License-Identifier: MIT */
/* LAMMPS writes atoms in whatever order its processors hold them; their ids, which may have gaps, say who is
 * who. Atoms are numbered here by ascending id. */
#pragma once

#include <glib.h>

#define DEBYE_LAMMPS_NO_ATOM G_MAXUINT32

typedef struct _DebyeLammpsIds DebyeLammpsIds;

/* NULL when an id comes twice, which `twice` then names. */
DebyeLammpsIds *debye_lammps_ids_new(const gint64 *ids, gsize n, gint64 *twice);
void debye_lammps_ids_free(DebyeLammpsIds *ids);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeLammpsIds, debye_lammps_ids_free)

/* The atom's number, or DEBYE_LAMMPS_NO_ATOM. */
guint32 debye_lammps_ids_find(const DebyeLammpsIds *ids, gint64 id);
