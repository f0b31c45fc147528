/* SPDX-License-Identifier: MIT */
/* Joins runs of atoms that are one residue in several places of a file; called by topology_builder.c. */
#include "topology_builder_private.h"

/* More atoms than any residue has: names of larger ones are not compared. */
#define JOINED_ATOMS_MAXIMUM 512

typedef struct {
  DebyeTopologyBuilder *builder;
  guint32 *owners;                /* of a run, as residues are before: the first run of the same residue */
  guint32 *next_runs, *last_runs; /* of a residue; the last one's next is itself */
  guint32 *n_atoms;               /* of all runs of a residue */
} Joining;

static const DebyeResidue *
get_run(const Joining *joining, guint32 run)
{
  return &g_array_index(joining->builder->residue_table, DebyeResidue, run);
}

static guint
hash_residue(gconstpointer data)
{
  const DebyeResidue *residue = data;
  guint hash = ((guint)residue->number * 31U + residue->name) * 31U + residue->chain;
  return (hash * 31U + residue->segment) * 31U + (guint8)residue->insertion_code;
}

static gboolean
equal_residues(gconstpointer left, gconstpointer right)
{
  const DebyeResidue *a = left, *b = right;
  return a->number == b->number && a->name == b->name && a->chain == b->chain && a->segment == b->segment &&
         a->insertion_code == b->insertion_code;
}

static gboolean
are_called_the_same(const DebyeTopologyBuilder *builder, guint32 i, guint32 j)
{
  const GArray *altlocs = builder->altlocs;
  return g_array_index(builder->names, guint32, i) == g_array_index(builder->names, guint32, j) &&
         (altlocs == NULL || g_array_index(altlocs, guint32, i) == g_array_index(altlocs, guint32, j));
}

static gboolean
run_repeats_name(const Joining *joining, const DebyeResidue *run, const DebyeResidue *other)
{
  for (guint32 i = 0; i < run->n_atoms; i++)
    for (guint32 j = 0; j < other->n_atoms; j++)
      if (are_called_the_same(joining->builder, run->first_atom + i, other->first_atom + j))
        return TRUE;
  return FALSE;
}

/* Whether a run goes on with a residue, and is not another one with its number. */
static gboolean
is_continuation(const Joining *joining, guint32 run, guint32 residue)
{
  guint32 part = residue;
  if (joining->builder->are_residues_unique)
    return TRUE;
  if (joining->n_atoms[residue] > JOINED_ATOMS_MAXIMUM || joining->n_atoms[run] > JOINED_ATOMS_MAXIMUM)
    return FALSE;
  while (!run_repeats_name(joining, get_run(joining, run), get_run(joining, part))) {
    if (joining->next_runs[part] == part)
      return TRUE;
    part = joining->next_runs[part];
  }
  return FALSE;
}

static void
join_run(Joining *joining, guint32 run, guint32 residue)
{
  joining->owners[run] = residue;
  joining->next_runs[joining->last_runs[residue]] = run;
  joining->last_runs[residue] = run;
  joining->n_atoms[residue] += joining->n_atoms[run];
}

/* The number of runs that continue an earlier one. */
static guint
find_owners(Joining *joining)
{
  /* The newest residue of each kind: it alone can go on. */
  g_autoptr(GHashTable) newest = g_hash_table_new(hash_residue, equal_residues);
  guint n_joined = 0;
  for (guint32 run = 0; run < joining->builder->residue_table->len; run++) {
    const DebyeResidue *key = get_run(joining, run), *found = g_hash_table_lookup(newest, key);
    guint32 residue = found != NULL ? (guint32)(found - get_run(joining, 0)) : run;
    joining->owners[run] = joining->next_runs[run] = joining->last_runs[run] = run;
    joining->n_atoms[run] = key->n_atoms;
    if (found != NULL && is_continuation(joining, run, residue)) {
      join_run(joining, run, residue);
      n_joined++;
    } else {
      g_hash_table_replace(newest, (gpointer)key, (gpointer)key);
    }
  }
  return n_joined;
}

/* Residues that are left, numbered without gaps; `owners` then holds the new numbers. */
static void
renumber_residues(DebyeTopologyBuilder *builder, guint32 *owners)
{
  guint32 n = 0;
  for (guint32 run = 0; run < builder->residue_table->len; run++) {
    if (owners[run] != run) {
      owners[run] = owners[owners[run]];
      continue;
    }
    g_array_index(builder->residue_table, DebyeResidue, n) =
        g_array_index(builder->residue_table, DebyeResidue, run);
    owners[run] = n++;
  }
  g_array_set_size(builder->residue_table, n);
  for (guint i = 0; i < builder->residues->len; i++) {
    guint32 *residue = &g_array_index(builder->residues, guint32, i);
    *residue = owners[*residue];
  }
}

void
debye_topology_builder_join_residues(DebyeTopologyBuilder *builder)
{
  gsize n = builder->residue_table->len;
  if (!builder->may_residues_stand_apart || builder->has_stated_residues)
    return;
  g_autofree guint32 *owners = g_new(guint32, n), *next_runs = g_new(guint32, n);
  g_autofree guint32 *last_runs = g_new(guint32, n), *n_atoms = g_new(guint32, n);
  Joining joining = {builder, owners, next_runs, last_runs, n_atoms};
  if (find_owners(&joining) > 0)
    renumber_residues(builder, owners);
}
