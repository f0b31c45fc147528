/* SPDX-License-Identifier: MIT */
/* Which bin of a lattice a ray meets; declared in bin_layer.h. The whole of a cube counts, not its edges alone. */
#include "bin_layer.h"

#include <math.h>

#include "data/molecule/periodic.h"

typedef struct {
  double low[3], edge;
  double origin[3], direction[3];
} Ray;

static void
to_array(DebyeVec3 vector, double into[3])
{
  into[0] = vector.x;
  into[1] = vector.y;
  into[2] = vector.z;
}

static void
find_bin(const Ray *ray, const double position[3], int bin[3])
{
  for (int axis = 0; axis < 3; axis++)
    bin[axis] = (int)CLAMP(floor((position[axis] - ray->low[axis]) / ray->edge), -1.0, G_MAXINT);
}

/* Where the ray enters the bin, 0 from within; INFINITY: it passes by. */
static double
find_entry(const Ray *ray, const int bin[3])
{
  double enters = 0.0, leaves = INFINITY;
  for (int axis = 0; axis < 3; axis++) {
    const double before = ray->low[axis] + bin[axis] * ray->edge - ray->origin[axis],
                 after = before + ray->edge;
    const double speed = ray->direction[axis];
    if (speed != 0.0) {
      enters = fmax(enters, fmin(before / speed, after / speed));
      leaves = fmin(leaves, fmax(before / speed, after / speed));
    } else if (before > 0.0 || after < 0.0) {
      return INFINITY;
    }
  }
  return enters <= leaves ? enters : INFINITY;
}

/* Of atoms in one bin the first. */
static int
find_first_met(const Ray *ray, const DebyeFrame *frame, const DebyeAtomSet *set)
{
  const gsize n = set->atoms != NULL ? set->n_atoms : frame->n_atoms;
  double nearest = INFINITY;
  int found = -1;
  for (gsize i = 0; i < n; i++) {
    const gsize atom = set->atoms != NULL ? set->atoms[i] : i;
    double position[3];
    int bin[3];
    to_array(debye_frame_get_position(frame, atom), position);
    if (!isfinite(position[0] + position[1] + position[2]))
      continue;
    find_bin(ray, position, bin);
    const double entry = find_entry(ray, bin);
    if (entry < nearest) {
      nearest = entry;
      found = (int)atom;
    }
  }
  return found;
}

/* Where the ray meets the plane through the pivot that stands across it. */
static gboolean
find_at_pivot(const Ray *ray, DebyeVec3 pivot, const double high[3], int bin[3])
{
  double middle[3], place[3], way = 0.0;
  int last[3];
  to_array(pivot, middle);
  for (int axis = 0; axis < 3; axis++)
    way += (middle[axis] - ray->origin[axis]) * ray->direction[axis];
  for (int axis = 0; axis < 3; axis++)
    place[axis] = ray->origin[axis] + way * ray->direction[axis];
  find_bin(ray, place, bin);
  find_bin(ray, high, last);
  for (int axis = 0; axis < 3; axis++)
    if (bin[axis] < 0 || bin[axis] > last[axis])
      return FALSE;
  return way > 0.0;
}

gboolean
debye_bin_layer_pick_bin(DebyeBinLayer *self, DebyeVec3 origin, DebyeVec3 direction, DebyeVec3 pivot,
                         DebyeBinPick *pick)
{
  const DebyeShownAtoms *shown = debye_layer_get_shown(DEBYE_LAYER(self));
  const DebyeAtomSet set = debye_shown_atoms_get(shown);
  DebyeVec3 low, high;
  double end[3];
  Ray ray;
  *pick = (DebyeBinPick){-1, {-1, -1, -1}};
  if (shown->frame == NULL || !debye_frame_get_bounds(shown->frame, set.atoms, set.n_atoms, &low, &high))
    return FALSE;
  g_object_get(self, "edge", &ray.edge, NULL);
  ray.edge = MAX(ray.edge, DEBYE_MIN_BIN_EDGE);
  to_array(low, ray.low);
  to_array(high, end);
  to_array(origin, ray.origin);
  to_array(direction, ray.direction);
  pick->atom = find_first_met(&ray, shown->frame, &set);
  return pick->atom >= 0 || find_at_pivot(&ray, pivot, end, pick->bin);
}
