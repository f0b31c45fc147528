/* SPDX-License-Identifier: MIT */
/* Makes molecules whole, wraps and centres them. The walk through the bond graph is made once, so that a
 * frame costs one pass over the atoms. */
#include "molecules.h"

#define NO_PARENT G_MAXUINT32

struct _DebyeMolecules {
  gsize n_molecules;
  guint32 *offsets; /* n_molecules + 1, into atoms */
  guint32 *atoms;   /* by molecules, each atom after its parent */
  guint32 *parents; /* of atoms[k], the bonded atom it is placed beside */
};

/* Breadth first from `first`, so that each atom is near its parent's place and no chain of rounding is long. */
static guint32
walk(DebyeMolecules *molecules, guint32 first, guint32 begin, const guint32 *offsets, const guint32 *partners,
     guint8 *seen)
{
  guint32 end = begin;
  molecules->atoms[end] = first;
  molecules->parents[end++] = NO_PARENT;
  seen[first] = TRUE;
  for (guint32 k = begin; k < end; k++) {
    guint32 atom = molecules->atoms[k];
    for (guint32 p = offsets[atom]; p < offsets[atom + 1]; p++)
      if (!seen[partners[p]]) {
        seen[partners[p]] = TRUE;
        molecules->atoms[end] = partners[p];
        molecules->parents[end++] = atom;
      }
  }
  return end;
}

DebyeMolecules *
debye_molecules_new(DebyeTopology *topology)
{
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  const guint32 *offsets, *partners;
  debye_topology_get_bond_graph(topology, &offsets, &partners);
  g_autofree guint8 *seen = g_new0(guint8, MAX(n_atoms, 1));
  DebyeMolecules *molecules = g_new0(DebyeMolecules, 1);
  debye_topology_get_molecules(topology, &molecules->n_molecules);
  molecules->offsets = g_new0(guint32, molecules->n_molecules + 1);
  molecules->atoms = g_new(guint32, MAX(n_atoms, 1));
  molecules->parents = g_new(guint32, MAX(n_atoms, 1));
  gsize count = 0;
  for (gsize i = 0; i < n_atoms; i++)
    if (!seen[i]) {
      guint32 begin = molecules->offsets[count];
      molecules->offsets[++count] = walk(molecules, (guint32)i, begin, offsets, partners, seen);
    }
  g_assert(count == molecules->n_molecules);
  return molecules;
}

void
debye_molecules_free(DebyeMolecules *molecules)
{
  if (!molecules)
    return;
  g_free(molecules->offsets);
  g_free(molecules->atoms);
  g_free(molecules->parents);
  g_free(molecules);
}

gsize
debye_molecules_get_count(const DebyeMolecules *molecules)
{
  return molecules->n_molecules;
}

/* The atoms of one molecule, its first atom first. */
static const guint32 *
get_atoms(const DebyeMolecules *molecules, gsize molecule, gsize *n_atoms)
{
  *n_atoms = molecules->offsets[molecule + 1] - molecules->offsets[molecule];
  return molecules->atoms + molecules->offsets[molecule];
}

static void
make_whole(const DebyeMolecules *molecules, guint32 begin, guint32 end, const DebyePeriodic *periodic,
           DebyeFrame *frame)
{
  for (guint32 k = begin; k < end; k++) {
    if (molecules->parents[k] == NO_PARENT)
      continue;
    DebyeVec3 parent = debye_frame_get_position(frame, molecules->parents[k]);
    DebyeVec3 bond = debye_vec3_subtract(debye_frame_get_position(frame, molecules->atoms[k]), parent);
    DebyeVec3 nearest = debye_periodic_minimum_image(periodic, bond);
    DebyeVec3 position = debye_vec3_add(parent, nearest);
    /* Atoms that need no move keep their bits; where parent or atom is not finite nothing can be said. */
    gboolean moves = nearest.x != bond.x || nearest.y != bond.y || nearest.z != bond.z;
    if (moves && debye_vec3_is_finite(position))
      debye_frame_set_position(frame, molecules->atoms[k], position);
  }
}

void
debye_molecules_make_whole(const DebyeMolecules *molecules, DebyeFrame *frame)
{
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  if (periodic.is_periodic)
    make_whole(molecules, 0, molecules->offsets[molecules->n_molecules], &periodic, frame);
}

void
debye_molecules_make_one_whole(const DebyeMolecules *molecules, gsize molecule, const DebyePeriodic *periodic,
                               DebyeFrame *frame)
{
  if (periodic->is_periodic)
    make_whole(molecules, molecules->offsets[molecule], molecules->offsets[molecule + 1], periodic, frame);
}

gboolean
debye_molecules_get_center(const DebyeMolecules *molecules, gsize molecule, const DebyeFrame *frame,
                           DebyeVec3 *center)
{
  gsize n_atoms, n_finite = 0;
  const guint32 *atoms = get_atoms(molecules, molecule, &n_atoms);
  DebyeVec3 sum = {0};
  for (gsize k = 0; k < n_atoms; k++) {
    DebyeVec3 position = debye_frame_get_position(frame, atoms[k]);
    if (debye_vec3_is_finite(position)) {
      sum = debye_vec3_add(sum, position);
      n_finite++;
    }
  }
  if (n_finite == 0)
    return FALSE;
  *center = debye_vec3_scale(sum, 1.0 / (double)n_finite);
  return TRUE;
}

void
debye_molecules_move(const DebyeMolecules *molecules, gsize molecule, DebyeFrame *frame, DebyeVec3 shift)
{
  if (shift.x == 0.0 && shift.y == 0.0 && shift.z == 0.0)
    return;
  gsize n_atoms;
  const guint32 *atoms = get_atoms(molecules, molecule, &n_atoms);
  for (gsize k = 0; k < n_atoms; k++)
    debye_frame_set_position(frame, atoms[k],
                             debye_vec3_add(debye_frame_get_position(frame, atoms[k]), shift));
}

void
debye_molecules_wrap(const DebyeMolecules *molecules, DebyeFrame *frame, DebyeVec3 center)
{
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  debye_molecules_make_whole(molecules, frame);
  for (gsize m = 0; m < molecules->n_molecules; m++) {
    DebyeVec3 middle;
    if (debye_molecules_get_center(molecules, m, frame, &middle))
      debye_molecules_move(molecules, m, frame, debye_periodic_wrap_shift(&periodic, middle, center));
  }
}
