/* SPDX-License-Identifier: MIT */
/* Some atoms of a molecule, or all: their bonds, their extent and picking; called by molecule_layer.c. */
#include "atom_set.h"

#include <string.h>

#include "camera.h"
#include "data/work/parts.h"
#include "molecule_colors.h"

/* Thin sticks are hit as if they were this thick, Å. */
#define MIN_PICK_RADIUS 0.3
#define ATOMS_WORTH_THREADS 200000

static guint32
atom_at(const DebyeAtomSet *set, gsize i)
{
  return set->atoms ? set->atoms[i] : (guint32)i;
}

/* 1 for each atom of the set. */
static guint8 *
mark(const DebyeAtomSet *set, DebyeTopology *topology)
{
  gsize n = debye_topology_get_n_atoms(topology);
  guint8 *marks = g_malloc0(n + 1);
  /* An empty array may have no address either. */
  if (!set->atoms && set->n_atoms > 0)
    memset(marks, 1, n);
  for (gsize i = 0; set->atoms && i < set->n_atoms; i++)
    marks[set->atoms[i]] = 1;
  return marks;
}

GArray *
debye_atom_set_find_bonds(const DebyeAtomSet *set, DebyeTopology *topology)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(topology, &n_bonds);
  g_autofree guint8 *marks = mark(set, topology);
  GArray *kept = g_array_sized_new(FALSE, FALSE, sizeof(DebyeBond), (guint)n_bonds);
  for (gsize b = 0; b < n_bonds; b++)
    if (marks[bonds[b].i] && marks[bonds[b].j])
      g_array_append_val(kept, bonds[b]);
  return kept;
}

GArray *
debye_atom_set_list(const DebyeAtomSet *set, DebyeTopology *topology, gboolean bonded_too)
{
  gsize n = debye_topology_get_n_atoms(topology);
  g_autofree guint8 *marks = mark(set, topology);
  g_autoptr(GArray) bonds = bonded_too ? NULL : debye_atom_set_find_bonds(set, topology);
  for (guint b = 0; bonds && b < bonds->len; b++) {
    const DebyeBond *bond = &g_array_index(bonds, DebyeBond, b);
    marks[bond->i] = marks[bond->j] = 0;
  }
  GArray *list = g_array_sized_new(FALSE, FALSE, sizeof(guint32), (guint)n);
  for (guint32 i = 0; i < n; i++)
    if (marks[i])
      g_array_append_val(list, i);
  return list;
}

void
debye_atom_set_extend_supports(const DebyeAtomSet *set, const DebyeFrame *frame, double rim,
                               const DebyeVec3 *directions, double *supports)
{
  for (int d = 0; d < DEBYE_FRAME_DIRECTIONS; d++) {
    float x = (float)directions[d].x, y = (float)directions[d].y, z = (float)directions[d].z,
          largest = -INFINITY;
    for (gsize i = 0; i < set->n_atoms; i++) {
      guint32 atom = atom_at(set, i);
      float along = x * frame->x[atom] + y * frame->y[atom] + z * frame->z[atom];
      largest = along > largest && along < INFINITY ? along : largest;
    }
    supports[d] = fmax(supports[d], (double)largest + rim * debye_vec3_length(directions[d]));
  }
}

/* --- Picking: each part of the atoms on a thread --- */

typedef struct {
  double depth;
  gint64 atom; /* −1: none */
} Hit;

typedef struct {
  const DebyeAtomSet *set;
  const DebyeFrame *frame;
  const DebyeAtomSpheres *spheres;
  DebyeVec3 origin, direction;
  double depth;
  gsize n_parts;
  Hit *hits;
} Picking;

static void
pick_atom(const Picking *picking, guint32 atom, Hit *hit)
{
  const DebyeFrame *frame = picking->frame;
  const DebyeVec3 origin = picking->origin;
  DebyeVec3 to = {(double)frame->x[atom] - origin.x, (double)frame->y[atom] - origin.y,
                  (double)frame->z[atom] - origin.z};
  double along = debye_vec3_dot(to, picking->direction), square = debye_vec3_dot(to, to) - along * along;
  float van_der_waals = DEBYE_RADIUS_STEP * (float)picking->spheres->styles[4 * (gsize)atom + 3];
  double radius =
      fmax((double)(picking->spheres->scale * van_der_waals + picking->spheres->offset), MIN_PICK_RADIUS);
  if (!(square < radius * radius))
    return;
  double here = along - sqrt(radius * radius - square);
  if (here > 0.0 && here < hit->depth)
    *hit = (Hit){here, atom};
}

static void
pick_part(gsize part, gpointer data)
{
  const Picking *picking = data;
  const gsize n = picking->set->n_atoms, end = n * (part + 1) / picking->n_parts;
  Hit hit = {picking->depth, -1};
  for (gsize i = n * part / picking->n_parts; i < end; i++)
    pick_atom(picking, atom_at(picking->set, i), &hit);
  picking->hits[part] = hit;
}

gint64
debye_atom_set_pick(const DebyeAtomSet *set, const DebyeFrame *frame, const DebyeAtomSpheres *spheres,
                    DebyeVec3 origin, DebyeVec3 direction, double *depth)
{
  const gsize n_parts = set->n_atoms < ATOMS_WORTH_THREADS ? 1 : debye_parts_count_threads();
  g_autofree Hit *hits = g_new(Hit, n_parts);
  Picking picking = {set, frame, spheres, origin, direction, *depth, n_parts, hits};
  Hit nearest = {*depth, -1};
  debye_parts_run(n_parts, pick_part, &picking);
  for (gsize part = 0; part < n_parts; part++)
    if (hits[part].depth < nearest.depth)
      nearest = hits[part];
  *depth = nearest.depth;
  return nearest.atom;
}
