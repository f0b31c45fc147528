/* SPDX-License-Identifier: MIT */
/* Implementation of prepare_network.h. */
#include "prepare_network.h"

#include <string.h>

#include "data/molecule/neighbours.h"
#include "network_points.h"

/* kcal/mol. Less is rounding. */
#define LEAST_GAIN 1e-6
/* kcal/mol that a flip must gain, for the file's orientation was chosen by somebody who had the electron density. */
#define FLIP_GAIN 3.0
#define SWEEPS 100
/* Å between atoms of two movers: beyond it they don't feel each other, as a hydrogen bond's partner is nearer. */
#define LINK_RANGE 4.0
/* Å between the oxygens of two waters, for which the same is meant. */
#define WATER_RANGE 4.0
/* Å from a mover's centre to its farthest atom: Nε2–H of histidine, its flip's centre being Cγ. */
#define MOST_EXTENT 3.3
/* kcal/mol: two movers whose states change nothing between them aren't linked. */
#define LEAST_SPREAD 0.1
/* Of waters in a box of a simulation each has a hundred neighbours, and is told by what doesn't turn alone. */
#define LINKED_WATERS 5000

/* A mover with what its states are worth. */
typedef struct {
  const DebyeMover *mover;
  GArray *points;   /* DebyeNetworkPoint, state after state */
  guint *first;     /* of each state, and the end */
  double *energies; /* of each state with all that doesn't move */
  guint state;
  GArray *links; /* Link */
  DebyeVec3 center;
  double extent; /* Å, of its atoms from there */
} Group;

typedef struct {
  guint other;
  gboolean is_second; /* of the two that share the energies */
  float *energies;    /* [first's state · second's states + second's state] */
} Link;

typedef struct {
  DebyePreparedSystem *system;
  GArray *movers;
  GArray *groups;       /* Group */
  GArray *fixed;        /* DebyeNetworkPoint */
  gboolean *moves;      /* of each heavy atom */
  gboolean *is_carrier; /* of hydrogens that move */
  gboolean links_waters;
} Network;

static void
link_clear(gpointer data)
{
  Link *link = data;
  if (!link->is_second)
    g_free(link->energies);
}

static void
group_clear(gpointer data)
{
  Group *group = data;
  g_array_unref(group->points);
  g_free(group->first);
  g_free(group->energies);
  g_array_unref(group->links);
}

static Group *
get_group(const Network *network, guint number)
{
  return &g_array_index(network->groups, Group, number);
}

/* --- Points --- */

static void
mark_movers(Network *network)
{
  for (guint k = 0; k < network->movers->len; k++) {
    const DebyeMover *mover = &g_array_index(network->movers, DebyeMover, k);
    guint32 atoms[DEBYE_MOVER_ATOMS];
    const guint n = debye_mover_list_atoms(network->system, mover, atoms);
    for (guint i = 0; i < n; i++) {
      network->is_carrier[atoms[i]] = TRUE;
      network->moves[atoms[i]] = debye_mover_is_flip(mover);
    }
  }
}

static void
collect_fixed(Network *network)
{
  const DebyePreparedSystem *system = network->system;
  for (guint32 i = 0; i < system->atoms->len; i++)
    if (!network->moves[i]) {
      const DebyeNetworkPoint point = debye_network_point_of_atom(system, i);
      g_array_append_val(network->fixed, point);
    }
  for (guint u = 0; u < system->units->len; u++) {
    const GArray *hydrogens = debye_prepared_system_get_unit(system, u)->hydrogens;
    for (guint k = 0; k < hydrogens->len; k++) {
      const DebyePreparedHydrogen *hydrogen = &g_array_index(hydrogens, DebyePreparedHydrogen, k);
      const DebyeNetworkPoint point = debye_network_point_of_hydrogen(system, hydrogen);
      if (!network->is_carrier[hydrogen->heavy])
        g_array_append_val(network->fixed, point);
    }
  }
}

/* What the mover takes along, as the system has it now. */
static void
add_points(const DebyePreparedSystem *system, const DebyeMover *mover, GArray *points)
{
  const GArray *hydrogens = debye_prepared_system_get_unit(system, mover->unit)->hydrogens;
  guint32 atoms[DEBYE_MOVER_ATOMS];
  const guint n = debye_mover_list_atoms(system, mover, atoms);
  for (guint i = 0; i < n; i++) {
    const DebyeNetworkPoint point = debye_network_point_of_atom(system, atoms[i]);
    if (debye_mover_is_flip(mover))
      g_array_append_val(points, point);
    for (guint k = 0; k < hydrogens->len; k++) {
      const DebyePreparedHydrogen *hydrogen = &g_array_index(hydrogens, DebyePreparedHydrogen, k);
      const DebyeNetworkPoint carried = debye_network_point_of_hydrogen(system, hydrogen);
      if (hydrogen->heavy == atoms[i])
        g_array_append_val(points, carried);
    }
  }
}

static Group
make_group(const Network *network, const DebyeMover *mover)
{
  Group group = {.mover = mover,
                 .points = g_array_new(FALSE, FALSE, sizeof(DebyeNetworkPoint)),
                 .first = g_new0(guint, mover->n_states + 1),
                 .energies = g_new0(double, mover->n_states),
                 .links = g_array_new(FALSE, FALSE, sizeof(Link)),
                 .center = debye_prepared_system_get_atom(network->system, mover->heavy)->position};
  g_array_set_clear_func(group.links, link_clear);
  for (guint s = 0; s < mover->n_states; s++) {
    debye_mover_apply(network->system, mover, s);
    add_points(network->system, mover, group.points);
    group.first[s + 1] = group.points->len;
  }
  for (guint k = 0; k < group.points->len; k++)
    group.extent =
        fmax(group.extent, debye_vec3_length(debye_vec3_subtract(
                               g_array_index(group.points, DebyeNetworkPoint, k).position, group.center)));
  debye_mover_apply(network->system, mover, 0);
  return group;
}

/* --- Energies --- */

/* The atom that carries a rotor's hydrogens is bonded to them, and what of a flip's
 * own residue is not backbone turns with it or holds it. */
static gboolean
is_bonded(const DebyeMover *mover, const DebyeNetworkPoint *fixed)
{
  if (debye_mover_is_flip(mover))
    return fixed->unit == mover->unit && !fixed->is_backbone;
  return fixed->heavy == mover->heavy;
}

typedef struct {
  const Network *network;
  const Group *group;
  const DebyeNetworkPoint *point;
  double energy;
} Sum;

/* Neighbours of a hydrogen's atom stand at a fixed angle, whatever the torsion. */
static gboolean
is_at_fixed_angle(const Sum *sum, const DebyeNetworkPoint *fixed)
{
  const DebyePreparedAtom *carrier =
      debye_prepared_system_get_atom(sum->network->system, sum->group->mover->heavy);
  const gboolean is_atom = fixed->kind == DEBYE_POINT_POLAR || fixed->kind == DEBYE_POINT_CARBON;
  return sum->group->mover->kind == DEBYE_MOVER_ROTOR && is_atom && carrier->neighbours[0] == fixed->heavy;
}

static gboolean
add_energy(guint32 number, double squared_distance G_GNUC_UNUSED, gpointer data)
{
  Sum *sum = data;
  const DebyeNetworkPoint *fixed = &g_array_index(sum->network->fixed, DebyeNetworkPoint, number);
  if (!is_bonded(sum->group->mover, fixed) && !is_at_fixed_angle(sum, fixed))
    sum->energy += debye_network_energy(sum->point, fixed);
  return TRUE;
}

static void
sum_with_fixed(const Network *network, const DebyeNeighbours *neighbours, Group *group)
{
  for (guint s = 0; s < group->mover->n_states; s++) {
    Sum sum = {.network = network, .group = group};
    for (guint k = group->first[s]; k < group->first[s + 1]; k++) {
      sum.point = &g_array_index(group->points, DebyeNetworkPoint, k);
      debye_neighbours_visit(neighbours, sum.point->position, add_energy, &sum);
    }
    group->energies[s] = sum.energy;
  }
  /* The file's orientation stands unless another is clearly better. */
  for (guint s = 1; debye_mover_is_flip(group->mover) && group->mover->may_flip && s < group->mover->n_states;
       s += 2)
    group->energies[s] += FLIP_GAIN;
}

static double
sum_pair(const Group *a, guint s, const Group *b, guint t)
{
  double energy = 0.0;
  for (guint i = a->first[s]; i < a->first[s + 1]; i++)
    for (guint j = b->first[t]; j < b->first[t + 1]; j++)
      energy += debye_network_energy(&g_array_index(a->points, DebyeNetworkPoint, i),
                                     &g_array_index(b->points, DebyeNetworkPoint, j));
  return energy;
}

/* Those are freed where they change nothing. */
static float *
sum_pairs(const Group *a, const Group *b)
{
  const guint n = a->mover->n_states, m = b->mover->n_states;
  float *energies = g_new(float, n *m);
  double least = INFINITY, most = -INFINITY;
  for (guint k = 0; k < n * m; k++) {
    const double energy = sum_pair(a, k / m, b, k % m);
    energies[k] = (float)energy;
    least = fmin(least, energy);
    most = fmax(most, energy);
  }
  if (!(most - least > LEAST_SPREAD))
    g_clear_pointer(&energies, g_free);
  return energies;
}

static gboolean
may_link(const Network *network, const Group *a, const Group *b)
{
  const gboolean are_waters = a->mover->kind == DEBYE_MOVER_WATER && b->mover->kind == DEBYE_MOVER_WATER;
  const double distance = debye_vec3_length(debye_vec3_subtract(a->center, b->center));
  if (are_waters)
    return network->links_waters && distance < WATER_RANGE;
  return distance < LINK_RANGE + a->extent + b->extent;
}

static void
add_link(const Network *network, guint first, guint second)
{
  Group *a = get_group(network, first), *b = get_group(network, second);
  float *energies = may_link(network, a, b) ? sum_pairs(a, b) : NULL;
  if (energies == NULL)
    return;
  const Link forth = {.other = second, .energies = energies};
  const Link back = {.other = first, .is_second = TRUE, .energies = energies};
  g_array_append_val(a->links, forth);
  g_array_append_val(b->links, back);
}

static double
get_pair_energy(const Link *link, const Group *own, guint state, const Group *other, guint other_state)
{
  return (double)(link->is_second ? link->energies[other_state * own->mover->n_states + state]
                                  : link->energies[state * other->mover->n_states + other_state]);
}

typedef struct {
  const Network *network;
  guint own;
  GArray *others; /* guint */
} Search;

static gboolean
take_later(guint32 number, double squared_distance G_GNUC_UNUSED, gpointer data)
{
  const Search *search = data;
  if (number > search->own)
    g_array_append_val(search->others, number);
  return TRUE;
}

static gint
compare_numbers(gconstpointer a, gconstpointer b)
{
  const guint first = *(const guint *)a, second = *(const guint *)b;
  return (first > second) - (first < second);
}

static DebyeNeighbours *
index_positions(const Network *network, gboolean of_groups, double radius)
{
  const guint n = of_groups ? network->groups->len : network->fixed->len;
  g_autoptr(DebyeFrame) frame = debye_frame_new(n);
  for (guint k = 0; frame != NULL && k < n; k++)
    debye_frame_set_position(frame, k,
                             of_groups ? get_group(network, k)->center
                                       : g_array_index(network->fixed, DebyeNetworkPoint, k).position);
  return frame != NULL ? debye_neighbours_new(frame, NULL, 0, radius) : NULL;
}

static void
link_groups(const Network *network)
{
  g_autoptr(DebyeNeighbours) neighbours = index_positions(network, TRUE, LINK_RANGE + 2.0 * MOST_EXTENT);
  g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = 0; neighbours != NULL && k < network->groups->len; k++) {
    Search search = {.network = network, .own = k, .others = others};
    g_array_set_size(others, 0);
    debye_neighbours_visit(neighbours, get_group(network, k)->center, take_later, &search);
    g_array_sort(others, compare_numbers);
    for (guint i = 0; i < others->len; i++)
      add_link(network, k, g_array_index(others, guint, i));
  }
}

/* --- Search --- */

/* Of a group in a state, with all others as they are but one. */
static double
get_energy(const Network *network, const Group *group, guint state, guint but)
{
  double energy = group->energies[state];
  for (guint k = 0; k < group->links->len; k++) {
    const Link *link = &g_array_index(group->links, Link, k);
    const Group *other = get_group(network, link->other);
    if (link->other != but)
      energy += get_pair_energy(link, group, state, other, other->state);
  }
  return energy;
}

static gboolean
improve_one(const Network *network, Group *group)
{
  guint best = group->state;
  double least = get_energy(network, group, best, G_MAXUINT) - LEAST_GAIN;
  for (guint s = 0; s < group->mover->n_states; s++) {
    const double energy = get_energy(network, group, s, G_MAXUINT);
    if (energy < least) {
      least = energy;
      best = s;
    }
  }
  const gboolean is_better = best != group->state;
  group->state = best;
  return is_better;
}

static void
fill_energies(const Network *network, const Group *group, guint but, double *energies)
{
  for (guint s = 0; s < group->mover->n_states; s++)
    energies[s] = get_energy(network, group, s, but);
}

static gboolean
improve_two(const Network *network, guint number, const Link *link)
{
  Group *a = get_group(network, number), *b = get_group(network, link->other);
  const guint n = a->mover->n_states, m = b->mover->n_states;
  g_autofree double *own = g_new(double, n), *others = g_new(double, m);
  guint best = a->state * m + b->state;
  fill_energies(network, a, link->other, own);
  fill_energies(network, b, number, others);
  double least = own[a->state] + others[b->state] + (double)link->energies[best] - LEAST_GAIN;
  for (guint k = 0; k < n * m; k++) {
    const double energy = own[k / m] + others[k % m] + (double)link->energies[k];
    if (energy < least) {
      least = energy;
      best = k;
    }
  }
  const gboolean is_better = best != a->state * m + b->state;
  a->state = best / m;
  b->state = best % m;
  return is_better;
}

static gboolean
sweep(const Network *network, gboolean in_pairs)
{
  gboolean is_better = FALSE;
  for (guint k = 0; k < network->groups->len; k++) {
    Group *group = get_group(network, k);
    is_better = improve_one(network, group) || is_better;
    for (guint i = 0; in_pairs && i < group->links->len; i++) {
      const Link *link = &g_array_index(group->links, Link, i);
      is_better = (link->other > k && improve_two(network, k, link)) || is_better;
    }
  }
  return is_better;
}

static void
search(const Network *network)
{
  for (int pass = 0; pass < SWEEPS && sweep(network, FALSE); pass++) {
  }
  for (int pass = 0; pass < SWEEPS && sweep(network, TRUE); pass++) {
  }
}

/* --- All --- */

static void
fill_groups(Network *network)
{
  guint n_waters = 0;
  mark_movers(network);
  collect_fixed(network);
  for (guint k = 0; k < network->movers->len; k++)
    n_waters += g_array_index(network->movers, DebyeMover, k).kind == DEBYE_MOVER_WATER;
  network->links_waters = n_waters <= LINKED_WATERS;
  for (guint k = 0; k < network->movers->len; k++) {
    const Group group = make_group(network, &g_array_index(network->movers, DebyeMover, k));
    g_array_append_val(network->groups, group);
  }
  g_autoptr(DebyeNeighbours) neighbours = index_positions(network, FALSE, DEBYE_NETWORK_RANGE);
  for (guint k = 0; neighbours != NULL && k < network->groups->len; k++)
    sum_with_fixed(network, neighbours, get_group(network, k));
}

/* Flips come first: they put all hydrogens of their residue to their first places. */
static void
apply(const Network *network, gboolean flips)
{
  for (guint k = 0; k < network->groups->len; k++) {
    const Group *group = get_group(network, k);
    if (debye_mover_is_flip(group->mover) != flips)
      continue;
    debye_mover_apply(network->system, group->mover, group->state);
    debye_mover_note(network->system, group->mover, group->state);
  }
}

void
debye_prepare_network_optimise(DebyePreparedSystem *system)
{
  const gsize n_atoms = MAX(system->atoms->len, 1);
  g_autoptr(GArray) movers = debye_movers_find(system);
  g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));
  g_autoptr(GArray) fixed = g_array_new(FALSE, FALSE, sizeof(DebyeNetworkPoint));
  g_autofree gboolean *moves = g_new0(gboolean, n_atoms), *is_carrier = g_new0(gboolean, n_atoms);
  Network network = {.system = system,
                     .movers = movers,
                     .groups = groups,
                     .fixed = fixed,
                     .moves = moves,
                     .is_carrier = is_carrier};
  g_array_set_clear_func(groups, group_clear);
  fill_groups(&network);
  link_groups(&network);
  search(&network);
  apply(&network, TRUE);
  apply(&network, FALSE);
}
