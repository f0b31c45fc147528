/* SPDX-License-Identifier: MIT */
/* The finished topology: columns that copies share, bonds, and what follows from the bonds (graph,
 * molecules), made at once so that readers on any thread need no lock. */
#include "topology.h"

#include "topology_private.h"

#include <math.h>
#include <string.h>

struct _DebyeTopology {
  GObject parent_instance;
  DebyeTopologyColumns *columns;
  DebyeBond *bonds;
  gsize n_bonds;
  guint32 *offsets, *partners; /* the bond graph, CSR */
  guint32 *molecules;
  gsize n_molecules;
};

G_DEFINE_FINAL_TYPE(DebyeTopology, debye_topology, G_TYPE_OBJECT)

DebyeTopologyColumns *
debye_topology_columns_new(DebyeStringPool *pool)
{
  DebyeTopologyColumns *columns = g_atomic_rc_box_new0(DebyeTopologyColumns);
  columns->pool = pool != NULL ? debye_string_pool_ref(pool) : debye_string_pool_new();
  return columns;
}

static void
clear_columns(gpointer data)
{
  DebyeTopologyColumns *columns = data;
  debye_string_pool_unref(columns->pool);
  g_free(columns->title);
#define FREE(Type, name) g_free(columns->name);
  DEBYE_TOPOLOGY_COLUMNS(FREE)
#undef FREE
  g_free(columns->residue_table);
  g_strfreev(columns->warnings);
}

void
debye_topology_columns_unref(DebyeTopologyColumns *columns)
{
  g_atomic_rc_box_release_full(columns, clear_columns);
}

static void
debye_topology_finalize(GObject *object)
{
  DebyeTopology *self = DEBYE_TOPOLOGY(object);
  g_clear_pointer(&self->columns, debye_topology_columns_unref);
  g_free(self->bonds);
  g_free(self->offsets);
  g_free(self->partners);
  g_free(self->molecules);
  G_OBJECT_CLASS(debye_topology_parent_class)->finalize(object);
}

static void
debye_topology_class_init(DebyeTopologyClass *klass)
{
  G_OBJECT_CLASS(klass)->finalize = debye_topology_finalize;
}

static void
debye_topology_init(DebyeTopology *self)
{
  (void)self;
}

/* --- Bonds --- */

gsize
debye_topology_sort_bonds(DebyeBond *bonds, gsize n_bonds)
{
  gsize kept = 0;
  gboolean is_sorted = TRUE; /* as most files and all found ones are */
  for (gsize b = 0; b < n_bonds; b++) {
    if (bonds[b].i > bonds[b].j)
      bonds[b] = (DebyeBond){bonds[b].j, bonds[b].i};
    is_sorted = is_sorted && (b == 0 || debye_bond_compare(&bonds[b - 1], &bonds[b]) <= 0);
  }
  if (!is_sorted)
    qsort(bonds, n_bonds, sizeof(DebyeBond), debye_bond_compare);
  for (gsize b = 0; b < n_bonds; b++)
    if (bonds[b].i != bonds[b].j && (kept == 0 || debye_bond_compare(&bonds[b], &bonds[kept - 1]) != 0))
      bonds[kept++] = bonds[b];
  return kept;
}

/* --- What follows from the bonds --- */

static void
make_bond_graph(DebyeTopology *self)
{
  gsize n_atoms = self->columns->n_atoms;
  self->offsets = g_new0(guint32, n_atoms + 1);
  self->partners = g_new(guint32, MAX(2 * self->n_bonds, 1));
  for (gsize b = 0; b < self->n_bonds; b++) {
    self->offsets[self->bonds[b].i + 1]++;
    self->offsets[self->bonds[b].j + 1]++;
  }
  for (gsize i = 0; i < n_atoms; i++)
    self->offsets[i + 1] += self->offsets[i];

  g_autofree guint32 *next = g_memdup2(self->offsets, (n_atoms + 1) * sizeof(guint32));
  for (gsize b = 0; b < self->n_bonds; b++) {
    const DebyeBond *bond = &self->bonds[b];
    self->partners[next[bond->i]++] = bond->j;
    self->partners[next[bond->j]++] = bond->i;
  }
}

static void
make_molecules(DebyeTopology *self)
{
  gsize n_atoms = self->columns->n_atoms;
  self->molecules = g_new(guint32, MAX(n_atoms, 1));
  for (gsize i = 0; i < n_atoms; i++)
    self->molecules[i] = G_MAXUINT32;

  /* A stack instead of recursion: a polymer of a million atoms is one path. */
  g_autofree guint32 *stack = g_new(guint32, MAX(n_atoms, 1));
  for (gsize first = 0; first < n_atoms; first++) {
    if (self->molecules[first] != G_MAXUINT32)
      continue;
    gsize depth = 0;
    stack[depth++] = (guint32)first;
    self->molecules[first] = (guint32)self->n_molecules;
    while (depth > 0) {
      guint32 atom = stack[--depth];
      for (guint32 k = self->offsets[atom]; k < self->offsets[atom + 1]; k++) {
        guint32 partner = self->partners[k];
        if (self->molecules[partner] != G_MAXUINT32)
          continue;
        self->molecules[partner] = (guint32)self->n_molecules;
        stack[depth++] = partner;
      }
    }
    self->n_molecules++;
  }
}

DebyeTopology *
debye_topology_new_take(DebyeTopologyColumns *columns, DebyeBond *bonds, gsize n_bonds)
{
  DebyeTopology *self = g_object_new(DEBYE_TYPE_TOPOLOGY, NULL);
  self->columns = columns;
  self->bonds = bonds;
  self->n_bonds = n_bonds;
  make_bond_graph(self);
  make_molecules(self);
  return self;
}

DebyeTopologyColumns *
debye_topology_peek_columns(DebyeTopology *self)
{
  return self->columns;
}

/* --- Looking --- */

gsize
debye_topology_get_n_atoms(DebyeTopology *self)
{
  return self->columns->n_atoms;
}

gsize
debye_topology_get_n_residues(DebyeTopology *self)
{
  return self->columns->n_residues;
}

const DebyeStringPool *
debye_topology_get_string_pool(DebyeTopology *self)
{
  return self->columns->pool;
}

const char *
debye_topology_get_title(DebyeTopology *self)
{
  return self->columns->title != NULL ? self->columns->title : "";
}

#define GETTER(Type, name)                                   \
  const Type *debye_topology_get_##name(DebyeTopology *self) \
  {                                                          \
    return self->columns->name;                              \
  }
DEBYE_TOPOLOGY_COLUMNS(GETTER)
#undef GETTER

gsize
debye_topology_get_n_counted(DebyeTopology *self)
{
  const DebyeTopologyColumns *columns = self->columns;
  gsize n_counted = columns->counted == NULL ? columns->n_atoms : 0;
  for (gsize i = 0; columns->counted != NULL && i < columns->n_atoms; i++)
    n_counted += columns->counted[i];
  return n_counted;
}

gsize
debye_topology_get_n_counted_of(DebyeTopology *self, guint32 residue)
{
  const DebyeTopologyColumns *columns = self->columns;
  const DebyeResidue *of = &columns->residue_table[residue];
  gsize n_counted = columns->counted == NULL ? of->n_atoms : 0;
  for (guint32 i = 0; columns->counted != NULL && i < of->n_atoms; i++)
    n_counted += columns->counted[of->first_atom + i];
  return n_counted;
}

const DebyeResidue *
debye_topology_get_residue_table(DebyeTopology *self)
{
  return self->columns->residue_table;
}

const DebyeBond *
debye_topology_get_bonds(DebyeTopology *self, gsize *n_bonds)
{
  *n_bonds = self->n_bonds;
  return self->bonds;
}

void
debye_topology_get_bond_graph(DebyeTopology *self, const guint32 **offsets, const guint32 **partners)
{
  *offsets = self->offsets;
  *partners = self->partners;
}

const guint32 *
debye_topology_get_molecules(DebyeTopology *self, gsize *n_molecules)
{
  *n_molecules = self->n_molecules;
  return self->molecules;
}

gboolean
debye_topology_get_cell(DebyeTopology *self, DebyeCell *cell)
{
  *cell = self->columns->cell;
  return debye_cell_is_valid(cell);
}

double
debye_topology_get_total_charge(DebyeTopology *self)
{
  const guint8 *counted = self->columns->counted;
  double sum = 0.0;
  for (gsize i = 0; self->columns->charges != NULL && i < self->columns->n_atoms; i++)
    if (counted == NULL || counted[i])
      sum += self->columns->charges[i];
  return sum;
}

double
debye_charge_round(double sum)
{
  return rint(sum * 1e4) / 1e4 + 0.0; /* no −0 */
}

const char *const *
debye_topology_get_warnings(DebyeTopology *self)
{
  return (const char *const *)self->columns->warnings;
}
