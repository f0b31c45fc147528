/* SPDX-License-Identifier: MIT */
/* Numbers the molecules that bonds connect; format_lammps_data.c calls it. */
#include "lammps_molecules.h"

#include "lammps_ids.h"

/* The first atom of the tree that `atom` is in; shortens the way there. */
static guint32
find_first(guint32 *parents, guint32 atom)
{
  while (parents[atom] != atom) {
    parents[atom] = parents[parents[atom]];
    atom = parents[atom];
  }
  return atom;
}

static void
join(guint32 *parents, guint32 left, guint32 right)
{
  const guint32 a = find_first(parents, left), b = find_first(parents, right);
  parents[MAX(a, b)] = MIN(a, b);
}

gint32 *
debye_lammps_molecules_number(gsize n_atoms, const guint32 *bonds, gsize n_bonds)
{
  g_autofree guint32 *parents = g_new(guint32, n_atoms);
  g_autofree gboolean *is_bonded = g_new0(gboolean, n_atoms);
  gint32 *numbers = g_new0(gint32, n_atoms), n_molecules = 0;
  for (gsize i = 0; i < n_atoms; i++)
    parents[i] = (guint32)i;
  for (gsize b = 0; b < 2 * n_bonds; b += 2)
    if (bonds[b] != DEBYE_LAMMPS_NO_ATOM && bonds[b + 1] != DEBYE_LAMMPS_NO_ATOM) {
      join(parents, bonds[b], bonds[b + 1]);
      is_bonded[bonds[b]] = is_bonded[bonds[b + 1]] = TRUE;
    }
  /* An atom's parent is never behind it, so a molecule's first atom comes first. */
  for (gsize i = 0; i < n_atoms; i++) {
    const guint32 first = find_first(parents, (guint32)i);
    if (is_bonded[i])
      numbers[i] = first == i ? ++n_molecules : numbers[first];
  }
  return numbers;
}
