/* SPDX-License-Identifier: MIT */
/* Implementation of gather.h: images of molecules for superposition; called by frame_edit.c. */
#include "gather.h"

#include <math.h>
#include <stdlib.h>

#include "superpose.h"

#define NARROWEST_GAP 3.0 /* Å: atoms in contact are nearer */

/* The chosen atoms of one molecule, as a range of the sorted ones. */
typedef struct {
  guint32 molecule;
  guint begin, end;
} Part;

struct _DebyeGather {
  const DebyeMolecules *molecules;
  const float *weights;
  guint32 *atoms; /* by molecules */
  gsize n_atoms;
  GArray *parts; /* Part, the largest first */
};

/* --- Gaps --- */

static int
compare_fractions(const void *a, const void *b)
{
  const double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

/* Of places on a circle of length 1; *end: where it ends. */
static double
find_largest_gap(double *fractions, gsize n, double *end)
{
  qsort(fractions, n, sizeof *fractions, compare_fractions);
  double gap = fractions[0] + 1.0 - fractions[n - 1];
  *end = fractions[0];
  for (gsize k = 1; k < n; k++)
    if (fractions[k] - fractions[k - 1] > gap) {
      gap = fractions[k] - fractions[k - 1];
      *end = fractions[k];
    }
  return gap;
}

static double *
component(DebyeVec3 *v, int axis)
{
  return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/* One corner of the cell around the atoms, in fractions: the middles of the gaps before them. FALSE where
 * there is no such gap along one of the edges. */
static gboolean
find_corner(const guint32 *atoms, gsize n_atoms, const DebyePeriodic *periodic, const DebyeFrame *frame,
            DebyeVec3 *corner)
{
  g_autofree double *fractions = g_new(double, MAX(n_atoms, 1));
  for (int axis = 0; axis < 3; axis++) {
    gsize n = 0;
    for (gsize k = 0; k < n_atoms; k++) {
      DebyeVec3 place = debye_periodic_to_fraction(periodic, debye_frame_get_position(frame, atoms[k]));
      const double fraction = *component(&place, axis);
      if (isfinite(fraction))
        fractions[n++] = fraction - floor(fraction);
    }
    if (n == 0)
      return FALSE;
    double end, gap = find_largest_gap(fractions, n, &end);
    /* The faces that the other two edges span are this far apart. */
    if (gap < NARROWEST_GAP * debye_vec3_length(periodic->inverse[axis]))
      return FALSE;
    *component(corner, axis) = end - 0.5 * gap;
  }
  return TRUE;
}

gboolean
debye_gather_spans_cell(const guint32 *atoms, gsize n_atoms, const DebyeFrame *frame)
{
  DebyePeriodic periodic;
  DebyeVec3 corner;
  debye_periodic_init_for_frame(&periodic, frame);
  return periodic.is_periodic && !find_corner(atoms, n_atoms, &periodic, frame, &corner);
}

/* --- The molecules --- */

static int
compare_molecules(gconstpointer a, gconstpointer b, gpointer data)
{
  const guint32 *molecule_of = data;
  const guint32 one = *(const guint32 *)a, other = *(const guint32 *)b;
  if (molecule_of[one] != molecule_of[other])
    return molecule_of[one] < molecule_of[other] ? -1 : 1;
  return (one > other) - (one < other);
}

static int
compare_sizes(gconstpointer a, gconstpointer b)
{
  const Part *one = a, *other = b;
  const guint n_one = one->end - one->begin, n_other = other->end - other->begin;
  if (n_one != n_other)
    return n_one > n_other ? -1 : 1;
  return (one->molecule > other->molecule) - (one->molecule < other->molecule);
}

static void
find_parts(DebyeGather *self, const guint32 *molecule_of, const GArray *atoms)
{
  for (guint k = 0; k < atoms->len; k++)
    self->atoms[k] = g_array_index(atoms, guint32, k);
  g_qsort_with_data(self->atoms, (int)atoms->len, sizeof *self->atoms, compare_molecules,
                    (gpointer)molecule_of);
  for (guint k = 0; k < atoms->len; k++) {
    const guint32 molecule = molecule_of[self->atoms[k]];
    if (k == 0 || g_array_index(self->parts, Part, self->parts->len - 1).molecule != molecule) {
      const Part part = {molecule, k, k};
      g_array_append_val(self->parts, part);
    }
    g_array_index(self->parts, Part, self->parts->len - 1).end = k + 1;
  }
  g_array_sort(self->parts, compare_sizes);
}

DebyeGather *
debye_gather_new(const DebyeMolecules *molecules, const guint32 *molecule_of, const GArray *atoms,
                 const float *weights, const DebyeFrame *first)
{
  DebyeGather *self = g_new(DebyeGather, 1);
  *self = (DebyeGather){.molecules = molecules,
                        .weights = weights,
                        .atoms = g_new(guint32, MAX(atoms->len, 1)),
                        .n_atoms = atoms->len,
                        .parts = g_array_new(FALSE, FALSE, sizeof(Part))};
  if (!debye_gather_spans_cell((const guint32 *)(const void *)atoms->data, atoms->len, first))
    find_parts(self, molecule_of, atoms);
  return self;
}

void
debye_gather_free(DebyeGather *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->parts);
  g_free(self->atoms);
  g_free(self);
}

static gboolean
find_center(const DebyeGather *self, const Part *part, const DebyeFrame *frame, DebyeVec3 *center)
{
  DebyeVec3 sum = {0};
  guint n = 0;
  for (guint k = part->begin; k < part->end; k++) {
    DebyeVec3 position = debye_frame_get_position(frame, self->atoms[k]);
    if (!debye_vec3_is_finite(position))
      continue;
    sum = debye_vec3_add(sum, position);
    n++;
  }
  *center = debye_vec3_scale(sum, n > 0 ? 1.0 / n : 0.0);
  return n > 0;
}

/* By whole vectors of the cell, to the image nearest to `place`. */
static void
move_part(const DebyeGather *self, const Part *part, const DebyePeriodic *periodic, DebyeVec3 center,
          DebyeVec3 place, DebyeFrame *frame)
{
  DebyeVec3 away = debye_vec3_subtract(center, place);
  DebyeVec3 shift = debye_vec3_subtract(debye_periodic_minimum_image(periodic, away), away);
  debye_molecules_move(self->molecules, part->molecule, frame, shift);
}

/* Beside the largest part as in the reference, which the largest is laid on for it. */
static void
join_as_reference(const DebyeGather *self, const DebyePeriodic *periodic, DebyeFrame *frame,
                  const DebyeFrame *reference)
{
  const Part *largest = &g_array_index(self->parts, Part, 0);
  DebyeSuperposition turned;
  DebyeVec3 center, there;
  if (!debye_superpose(frame, reference, self->atoms + largest->begin, largest->end - largest->begin,
                       self->weights, &turned, NULL, NULL))
    return;
  for (guint p = 1; p < self->parts->len; p++) {
    const Part *part = &g_array_index(self->parts, Part, p);
    if (find_center(self, part, frame, &center) && find_center(self, part, reference, &there))
      move_part(self, part, periodic, center, debye_superposition_map_back(&turned, there), frame);
  }
}

/* Whole vectors of the cell from a place to its image in the cell with this corner, in fractions. */
static DebyeVec3
shift_into(const DebyePeriodic *periodic, DebyeVec3 place, DebyeVec3 corner)
{
  DebyeVec3 f = debye_periodic_to_fraction(periodic, place);
  return debye_vec3(-floor(f.x - corner.x), -floor(f.y - corner.y), -floor(f.z - corner.z));
}

static void
join_between_gaps(const DebyeGather *self, const DebyePeriodic *periodic, DebyeFrame *frame)
{
  const Part *largest = &g_array_index(self->parts, Part, 0);
  DebyeVec3 corner, center;
  if (!find_corner(self->atoms, self->n_atoms, periodic, frame, &corner) ||
      !find_center(self, largest, frame, &center))
    return;
  const DebyeVec3 kept = shift_into(periodic, center, corner);
  for (guint p = 1; p < self->parts->len; p++) {
    const Part *part = &g_array_index(self->parts, Part, p);
    if (!find_center(self, part, frame, &center))
      continue;
    DebyeVec3 cells = debye_vec3_subtract(shift_into(periodic, center, corner), kept);
    debye_molecules_move(self->molecules, part->molecule, frame,
                         debye_periodic_from_fraction(periodic, cells));
  }
}

void
debye_gather_apply(const DebyeGather *self, DebyeFrame *frame, const DebyeFrame *reference)
{
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  if (!periodic.is_periodic)
    return;
  for (guint p = 0; p < self->parts->len; p++)
    debye_molecules_make_one_whole(self->molecules, g_array_index(self->parts, Part, p).molecule, &periodic,
                                   frame);
  if (self->parts->len > 1 && reference != NULL)
    join_as_reference(self, &periodic, frame, reference);
  else if (self->parts->len > 1)
    join_between_gaps(self, &periodic, frame);
}
