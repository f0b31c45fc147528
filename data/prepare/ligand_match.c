/* SPDX-License-Identifier: MIT */
/* Implementation of ligand_match.h. */
#include "ligand_match.h"

#include <string.h>

#define MOST_BONDED 8
#define MOST_TRIALS 200000
#define MOST_IMPROVEMENTS 20000 /* trials for a better match once there is one */
#define FAR_PLACE 1.5           /* Å: atoms farther than that are in molecules at other places */
#define FAR_LENGTH 0.3          /* Å: of bonds; drawings have no lengths */
#define SAME_COST 1e-9          /* Å² */

static guint
count_heavy(const DebyeLigand *ligand)
{
  guint n = 0;
  for (guint32 i = 0; i < ligand->atoms->len; i++)
    n += debye_ligand_get_atom(ligand, i)->element != 1;
  return n;
}

/* --- By name --- */

/* The only heavy atom of that name; DEBYE_LIGAND_NONE with none or two. */
static guint32
find_named(const DebyeLigand *ligand, const char *name)
{
  guint32 found = DEBYE_LIGAND_NONE;
  for (guint32 i = 0; i < ligand->atoms->len; i++) {
    const DebyeLigandAtom *atom = debye_ligand_get_atom(ligand, i);
    if (atom->element == 1 || g_ascii_strcasecmp(atom->name, name) != 0)
      continue;
    if (found != DEBYE_LIGAND_NONE)
      return DEBYE_LIGAND_NONE;
    found = i;
  }
  return found;
}

static guint
count_heavy_bonds(const DebyeLigand *ligand)
{
  guint n = 0;
  for (guint b = 0; b < ligand->bonds->len; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(ligand, b);
    n += debye_ligand_get_atom(ligand, bond->i)->element != 1 &&
         debye_ligand_get_atom(ligand, bond->j)->element != 1;
  }
  return n;
}

/* Programs number atoms as they like: the same names don't make them the same atoms. */
static gboolean
have_same_bonds(const DebyeLigand *residue, const DebyeLigand *file, const guint32 *match)
{
  for (guint b = 0; b < residue->bonds->len; b++) {
    const DebyeLigandBond *bond = debye_ligand_get_bond(residue, b);
    const guint32 i = match[bond->i], j = match[bond->j];
    if (i != DEBYE_LIGAND_NONE && j != DEBYE_LIGAND_NONE && debye_ligand_find_bond(file, i, j) == NULL)
      return FALSE;
  }
  return count_heavy_bonds(residue) == count_heavy_bonds(file);
}

static gboolean
match_names(const DebyeLigand *residue, const DebyeLigand *file, guint32 *match)
{
  for (guint32 i = 0; i < residue->atoms->len; i++) {
    const DebyeLigandAtom *atom = debye_ligand_get_atom(residue, i);
    match[i] = DEBYE_LIGAND_NONE;
    if (atom->element == 1)
      continue;
    match[i] = atom->name[0] != '\0' ? find_named(file, atom->name) : DEBYE_LIGAND_NONE;
    if (match[i] == DEBYE_LIGAND_NONE || debye_ligand_get_atom(file, match[i])->element != atom->element ||
        find_named(residue, atom->name) != i)
      return FALSE;
  }
  return have_same_bonds(residue, file, match);
}

/* --- By bonds --- */

typedef struct {
  const DebyeLigand *residue, *file;
  guint32 *match;    /* of the residue's atoms */
  guint32 *best;     /* that of the least cost so far */
  double least;      /* Å² */
  gboolean *is_used; /* of the file's */
  guint32 *order;    /* the residue's heavy atoms, each but the first of a part bonded to an earlier one */
  guint n_heavy, n_trials;
} Search;

static guint
count_heavy_bonded(const DebyeLigand *ligand, guint32 atom)
{
  guint32 bonded[MOST_BONDED];
  guint n = 0;
  const guint n_bonded = debye_ligand_list_bonded(ligand, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n_bonded; k++)
    n += debye_ligand_get_atom(ligand, bonded[k])->element != 1;
  return n;
}

static void
visit(Search *search, guint32 atom, gboolean *is_listed)
{
  guint32 bonded[MOST_BONDED];
  if (is_listed[atom] || debye_ligand_get_atom(search->residue, atom)->element == 1)
    return;
  is_listed[atom] = TRUE;
  search->order[search->n_heavy++] = atom;
  const guint n = debye_ligand_list_bonded(search->residue, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++)
    visit(search, bonded[k], is_listed);
}

static gboolean
fits(const Search *search, guint32 atom, guint32 candidate)
{
  guint32 bonded[MOST_BONDED];
  if (search->is_used[candidate] ||
      debye_ligand_get_atom(search->residue, atom)->element !=
          debye_ligand_get_atom(search->file, candidate)->element ||
      count_heavy_bonded(search->residue, atom) != count_heavy_bonded(search->file, candidate))
    return FALSE;
  const guint n = debye_ligand_list_bonded(search->residue, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++)
    if (search->match[bonded[k]] != DEBYE_LIGAND_NONE &&
        debye_ligand_find_bond(search->file, candidate, search->match[bonded[k]]) == NULL)
      return FALSE;
  return TRUE;
}

/* Å²: how far a pair is from being one atom. The place counts where the file's molecule lies where the residue is, the bonds'
 * lengths anywhere. */
static double
get_cost(const Search *search, guint32 atom, guint32 candidate)
{
  guint32 bonded[MOST_BONDED];
  const DebyeVec3 own = debye_ligand_get_atom(search->residue, atom)->position,
                  other = debye_ligand_get_atom(search->file, candidate)->position;
  const DebyeVec3 u = debye_vec3_subtract(own, other);
  double cost = fmin(debye_vec3_dot(u, u), FAR_PLACE * FAR_PLACE);
  const guint n = debye_ligand_list_bonded(search->residue, atom, bonded, MOST_BONDED);
  for (guint k = 0; k < n; k++) {
    const guint32 partner = search->match[bonded[k]];
    if (partner == DEBYE_LIGAND_NONE)
      continue;
    const double difference =
        debye_vec3_length(
            debye_vec3_subtract(own, debye_ligand_get_atom(search->residue, bonded[k])->position)) -
        debye_vec3_length(debye_vec3_subtract(other, debye_ligand_get_atom(search->file, partner)->position));
    cost += fmin(difference * difference, FAR_LENGTH * FAR_LENGTH);
  }
  return cost;
}

/* All ways to go on that may be better than the best. */
static void
extend(Search *search, guint k, double cost)
{
  if (cost > search->least - SAME_COST)
    return;
  if (k == search->n_heavy) {
    search->n_trials = search->least < INFINITY ? search->n_trials : 0;
    search->least = cost;
    memcpy(search->best, search->match, search->residue->atoms->len * sizeof(guint32));
    return;
  }
  const guint32 atom = search->order[k];
  for (guint32 candidate = 0; candidate < search->file->atoms->len; candidate++) {
    if (search->n_trials++ > (search->least < INFINITY ? MOST_IMPROVEMENTS : MOST_TRIALS))
      return;
    if (!fits(search, atom, candidate))
      continue;
    const double own = get_cost(search, atom, candidate);
    search->match[atom] = candidate;
    search->is_used[candidate] = TRUE;
    extend(search, k + 1, cost + own);
    search->match[atom] = DEBYE_LIGAND_NONE;
    search->is_used[candidate] = FALSE;
  }
}

/* FALSE: there is no way. */
static gboolean
match_bonds(const DebyeLigand *residue, const DebyeLigand *file, guint32 *best)
{
  const guint n = residue->atoms->len;
  g_autofree gboolean *is_used = g_new0(gboolean, MAX(file->atoms->len, 1)),
                      *is_listed = g_new0(gboolean, MAX(n, 1));
  g_autofree guint32 *order = g_new0(guint32, MAX(n, 1)), *match = g_new(guint32, MAX(n, 1));
  Search search = {.residue = residue,
                   .file = file,
                   .match = match,
                   .best = best,
                   .is_used = is_used,
                   .order = order,
                   .least = INFINITY};
  for (guint32 i = 0; i < n; i++)
    match[i] = DEBYE_LIGAND_NONE;
  for (guint32 i = 0; i < n; i++)
    visit(&search, i, is_listed);
  extend(&search, 0, 0.0);
  return search.least < INFINITY;
}

guint32 *
debye_ligand_match(const DebyeLigand *residue, const DebyeLigand *file)
{
  if (count_heavy(residue) != count_heavy(file))
    return NULL;
  g_autofree guint32 *match = g_new(guint32, MAX(residue->atoms->len, 1));
  return match_names(residue, file, match) || match_bonds(residue, file, match) ? g_steal_pointer(&match)
                                                                                : NULL;
}
