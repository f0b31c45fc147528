/* SPDX-License-Identifier: MIT */
/* Copies of a topology that are other in one thing: atoms, bonds, charges, elements, what is counted; called by whoever
 * changes what a file said. Columns that stay the same are shared. */
#include "topology.h"

#include "data/tables/elements.h"
#include "topology_private.h"

#include <math.h>
#include <string.h>

DebyeTopology *
debye_topology_with_bonds(DebyeTopology *self, const DebyeBond *bonds, gsize n_bonds)
{
  DebyeBond *own = g_memdup2(bonds, n_bonds * sizeof(DebyeBond));
  return debye_topology_new_take(g_atomic_rc_box_acquire(debye_topology_peek_columns(self)), own,
                                 debye_topology_sort_bonds(own, n_bonds));
}

/* With the bonds that another one has. */
static DebyeTopology *
take_with_bonds_of(DebyeTopologyColumns *columns, DebyeTopology *source)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(source, &n_bonds);
  return debye_topology_new_take(columns, g_memdup2(bonds, n_bonds * sizeof(DebyeBond)), n_bonds);
}

static gpointer
copy_items(gconstpointer column, gsize item_size, const guint32 *atoms, gsize n_atoms)
{
  if (column == NULL)
    return NULL;
  guint8 *copy = g_malloc_n(MAX(n_atoms, 1), item_size);
  for (gsize k = 0; k < n_atoms; k++)
    memcpy(copy + k * item_size, (const guint8 *)column + atoms[k] * item_size, item_size);
  return copy;
}

static void
copy_columns(DebyeTopologyColumns *to, const DebyeTopologyColumns *from, const guint32 *atoms, gsize n_atoms)
{
  to->n_atoms = n_atoms;
  to->title = g_strdup(from->title);
  to->cell = from->cell;
  to->warnings = g_new0(char *, 1);
#define COPY(Type, name) to->name = copy_items(from->name, sizeof(Type), atoms, n_atoms);
  DEBYE_TOPOLOGY_COLUMNS(COPY)
#undef COPY
}

/* Where only atoms that count are left. */
static void
drop_altlocs_if_all_counted(DebyeTopologyColumns *columns)
{
  if (columns->counted == NULL || memchr(columns->counted, 0, columns->n_atoms) != NULL)
    return;
  g_clear_pointer(&columns->counted, g_free);
  g_clear_pointer(&columns->altlocs, g_free);
}

/* Residues that have an atom left, numbered anew; `columns->residues` still holds the old numbers. */
static void
copy_residues(DebyeTopologyColumns *columns, const DebyeTopologyColumns *from)
{
  g_autofree guint32 *renumbered = g_new(guint32, MAX(from->n_residues, 1));
  for (gsize r = 0; r < from->n_residues; r++)
    renumbered[r] = G_MAXUINT32;
  columns->residue_table = g_new(DebyeResidue, MAX(MIN(from->n_residues, columns->n_atoms), 1));
  for (gsize k = 0; k < columns->n_atoms; k++) {
    guint32 old = columns->residues[k];
    if (renumbered[old] == G_MAXUINT32) {
      renumbered[old] = (guint32)columns->n_residues++;
      columns->residue_table[renumbered[old]] = from->residue_table[old];
      columns->residue_table[renumbered[old]].first_atom = (guint32)k;
      columns->residue_table[renumbered[old]].n_atoms = 0;
    }
    columns->residues[k] = renumbered[old];
    DebyeResidue *residue = &columns->residue_table[renumbered[old]];
    residue->n_atoms += residue->first_atom + residue->n_atoms == k ? 1 : 0;
  }
}

static DebyeBond *
copy_bonds(DebyeTopology *self, const guint32 *atoms, gsize n_atoms, gsize *n_bonds)
{
  gsize n_before;
  const gsize n_atoms_before = debye_topology_get_n_atoms(self);
  const DebyeBond *before = debye_topology_get_bonds(self, &n_before);
  g_autofree guint32 *renumbered = g_new(guint32, MAX(n_atoms_before, 1));
  for (gsize i = 0; i < n_atoms_before; i++)
    renumbered[i] = G_MAXUINT32;
  for (gsize k = 0; k < n_atoms; k++)
    renumbered[atoms[k]] = (guint32)k;

  DebyeBond *bonds = g_new(DebyeBond, MAX(n_before, 1));
  *n_bonds = 0;
  for (gsize b = 0; b < n_before; b++) {
    DebyeBond bond = {renumbered[before[b].i], renumbered[before[b].j]};
    if (bond.i != G_MAXUINT32 && bond.j != G_MAXUINT32)
      bonds[(*n_bonds)++] = bond;
  }
  return bonds;
}

DebyeTopology *
debye_topology_subset(DebyeTopology *self, const guint32 *atoms, gsize n_atoms)
{
  const DebyeTopologyColumns *from = debye_topology_peek_columns(self);
  DebyeTopologyColumns *columns = debye_topology_columns_new(from->pool);
  copy_columns(columns, from, atoms, n_atoms);
  copy_residues(columns, from);
  drop_altlocs_if_all_counted(columns);
  gsize n_bonds;
  DebyeBond *bonds = copy_bonds(self, atoms, n_atoms, &n_bonds);
  return debye_topology_new_take(columns, bonds, n_bonds);
}

static void
borrow_column(float **column, const float *other, gsize n_atoms)
{
  if (*column == NULL && other != NULL)
    *column = g_memdup2(other, n_atoms * sizeof(float));
}

static DebyeTopologyColumns *
copy_all_columns(DebyeTopology *self)
{
  const DebyeTopologyColumns *from = debye_topology_peek_columns(self);
  g_autofree guint32 *all = g_new(guint32, MAX(from->n_atoms, 1));
  for (gsize i = 0; i < from->n_atoms; i++)
    all[i] = (guint32)i;
  DebyeTopologyColumns *columns = debye_topology_columns_new(from->pool);
  copy_columns(columns, from, all, from->n_atoms);
  columns->n_residues = from->n_residues;
  columns->residue_table = g_memdup2(from->residue_table, from->n_residues * sizeof(DebyeResidue));
  g_strfreev(columns->warnings);
  columns->warnings = g_strdupv(from->warnings);
  return columns;
}

DebyeTopology *
debye_topology_with_charges(DebyeTopology *self, const float *charges)
{
  DebyeTopologyColumns *columns = copy_all_columns(self);
  g_free(columns->charges);
  columns->charges = g_memdup2(charges, columns->n_atoms * sizeof(float));
  return take_with_bonds_of(columns, self);
}

DebyeTopology *
debye_topology_with_radii(DebyeTopology *self, const float *radii)
{
  DebyeTopologyColumns *columns = copy_all_columns(self);
  g_free(columns->radii);
  columns->radii = g_memdup2(radii, columns->n_atoms * sizeof(float));
  return take_with_bonds_of(columns, self);
}

DebyeTopology *
debye_topology_with_counted(DebyeTopology *self, const guint8 *counted)
{
  DebyeTopologyColumns *columns = copy_all_columns(self);
  gsize n_before, n_bonds = 0;
  const DebyeBond *before = debye_topology_get_bonds(self, &n_before);
  DebyeBond *bonds = g_new(DebyeBond, MAX(n_before, 1));
  g_free(columns->counted);
  columns->counted = g_memdup2(counted, columns->n_atoms);
  for (gsize b = 0; b < n_before; b++)
    if (counted[before[b].i] && counted[before[b].j])
      bonds[n_bonds++] = before[b];
  return debye_topology_new_take(columns, bonds, n_bonds);
}

DebyeTopology *
debye_topology_with_elements(DebyeTopology *self, const guint8 *elements, const guint8 *sources)
{
  DebyeTopologyColumns *columns = copy_all_columns(self);
  for (gsize i = 0; i < columns->n_atoms; i++) {
    const float before = (float)debye_element_get(columns->elements[i])->mass;
    if (columns->elements[i] != elements[i] && columns->masses[i] == before)
      columns->masses[i] = (float)debye_element_get(elements[i])->mass;
    columns->elements[i] = elements[i];
    columns->element_sources[i] = sources[i];
  }
  return take_with_bonds_of(columns, self);
}

DebyeTopology *
debye_topology_complete(DebyeTopology *self, DebyeTopology *other)
{
  const DebyeTopologyColumns *from = debye_topology_peek_columns(other);
  const gsize n_atoms = debye_topology_get_n_atoms(self);
  gsize n_bonds;
  g_return_val_if_fail(from->n_atoms == n_atoms, NULL);

  DebyeTopologyColumns *columns = copy_all_columns(self);
  if (!debye_cell_is_valid(&columns->cell))
    columns->cell = from->cell;
  borrow_column(&columns->charges, from->charges, n_atoms);
  borrow_column(&columns->radii, from->radii, n_atoms);
  borrow_column(&columns->occupancies, from->occupancies, n_atoms);
  borrow_column(&columns->b_factors, from->b_factors, n_atoms);
  if (columns->serials == NULL && from->serials != NULL)
    columns->serials = g_memdup2(from->serials, n_atoms * sizeof(gint32));
  debye_topology_get_bonds(self, &n_bonds);
  return take_with_bonds_of(columns, n_bonds > 0 ? self : other);
}

DebyeAtom
debye_topology_describe_atom(DebyeTopology *self, guint32 atom)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(self);
  const float *occupancies = debye_topology_get_occupancies(self);
  const float *b_factors = debye_topology_get_b_factors(self);
  DebyeAtom found = DEBYE_ATOM_INIT;
  found.name = debye_string_pool_get(pool, debye_topology_get_names(self)[atom]);
  found.type = debye_string_pool_get(pool, debye_topology_get_types(self)[atom]);
  found.atomic_number = debye_topology_get_elements(self)[atom];
  found.mass = (double)debye_topology_get_masses(self)[atom];
  found.occupancy = occupancies != NULL ? (double)occupancies[atom] : NAN;
  found.b_factor = b_factors != NULL ? (double)b_factors[atom] : NAN;
  return found;
}
