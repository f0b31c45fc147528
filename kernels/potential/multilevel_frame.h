/* SPDX-License-Identifier: MIT */
/* The lattices of multilevel summation for one frame: where they lie, how large they are, and the mathematics
 * on them that all back ends share, in C and in CUDA; what they are for stands in multilevel.h. */
#pragma once

#include "cutoff_bins.h"
#include "ewald_math.h"
#include "kernels/status.h"
#include "potential.h"

DEBYE_BEGIN_DECLS

#define DEBYE_MULTILEVEL_LARGEST_ORDER 8
#define DEBYE_MULTILEVEL_MAX_LEVELS 32

/* The parameters, as debye_multilevel_choose() finds them. */
typedef struct {
  unsigned order;  /* of the splines, even: points an axis that a charge is spread over */
  double cutoff;   /* a, Å */
  double spacing;  /* Å, of the finest lattice: the widest; along periodic axes it may be less */
  double window;   /* β */
  unsigned rounds; /* of the stencil's improvement */
  double error;    /* estimate */
  double cost;     /* of a map, pairs and all else, in pairs of the direct sum */
} DebyeMultilevel;

/* Points along each axis. Those of a level stand at every second place of the level below, along open axes
 * from `shift` points before its first. */
typedef struct {
  int n[3];
} DebyeMultilevelLattice;

/* Plain data: a kernel gets a copy. */
typedef struct {
  unsigned order;
  int shift[3]; /* 0 along periodic axes */
  bool periodic[3];
  DebyeVec3 step[3];    /* of the finest lattice, Å */
  DebyeVec3 inverse[3]; /* 1/Å: the place of a point r on the finest lattice is inverse·r − start */
  double start[3];
  unsigned n_levels; /* with the top */
  DebyeMultilevelLattice lattice[DEBYE_MULTILEVEL_MAX_LEVELS];
  /* The weights by which a spline is the sum of those of half its width, from −order/2 to order/2. */
  double halving[DEBYE_MULTILEVEL_LARGEST_ORDER + 1];
} DebyeMultilevelFrame;

/* For charges that passed debye_charges_check: along open axes the lattices reach from end to end of them and
 * the map. INVALID where a periodic axis has no usable edge, NO_MEMORY where the lattice would have more
 * points than any machine has room for. `runner` may be NULL. */
DebyeStatusCode debye_multilevel_frame_set(const DebyeMultilevel *multilevel,
                                           const DebyePotentialSettings *settings, const DebyeCell *cell,
                                           const DebyeCharges *charges, const DebyeChunkRunner *runner,
                                           DebyeMultilevelFrame *frame, DebyeStatus *status);
size_t debye_multilevel_points(const DebyeMultilevelLattice *lattice);
/* A grid in units of the finest lattice; `straight` as for Ewald's mesh. */
DebyeEwaldGrid debye_multilevel_grid(const DebyeMultilevelFrame *frame, const DebyeGrid *grid);
/* Points of the finest lattice for a typical frame: what planning counts with. */
double debye_multilevel_typical_points(const DebyeMultilevel *multilevel,
                                       const DebyePotentialSettings *settings);

/* The place of an atom on the finest lattice: `first` is the first of the points that its spline reaches.
 * Along periodic axes the others follow around the end. */
DEBYE_SHARED_MATH void
debye_multilevel_place(const DebyeMultilevelFrame *frame, const double at[3], DebyeEwaldPlace *place)
{
  for (int axis = 0; axis < 3; axis++) {
    const double n = (double)frame->lattice[0].n[axis];
    double u = at[axis];
    if (frame->periodic[axis]) {
      u -= n * floor(u / n);
      u = u < n ? u : 0.0;
    }
    const double whole = floor(u);
    int first = (int)whole - ((int)frame->order / 2 - 1);
    if (frame->periodic[axis])
      while (first < 0)
        first += frame->lattice[0].n[axis];
    place->first[axis] = first;
    place->part[axis] = u - whole;
  }
}

DEBYE_SHARED_MATH void
debye_multilevel_atom(const DebyeMultilevelFrame *frame, double x, double y, double z, double at[3])
{
  for (int axis = 0; axis < 3; axis++)
    at[axis] = frame->inverse[axis].x * x + frame->inverse[axis].y * y + frame->inverse[axis].z * z -
               frame->start[axis];
}

/* Index j points after `first`, j below the order; periodic lattices may be shorter than that. */
DEBYE_SHARED_MATH int
debye_multilevel_index(int first, int j, int n)
{
  int index = first + j;
  while (index >= n)
    index -= n;
  return index;
}

/* The smallest and the largest number of a coarse point that shares splines with fine point m. */
DEBYE_SHARED_MATH int
debye_multilevel_parents(int fine, int shift, int half, int *last)
{
  /* |fine − 2·(coarse − shift)| ≤ half. */
  const int low = fine - half, high = fine + half;
  *last = (high >= 0 ? high / 2 : -((1 - high) / 2)) + shift;
  return (low >= 0 ? (low + 1) / 2 : -(-low / 2)) + shift;
}

DEBYE_SHARED_MATH int
debye_multilevel_wrap(int index, int n)
{
  index %= n;
  return index < 0 ? index + n : index;
}

DEBYE_END_DECLS
