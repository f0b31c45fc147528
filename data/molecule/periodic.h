/* SPDX-License-Identifier: MIT */
/* Distances and images in a periodic cell of any shape, exact also where the cell is strongly skewed. Plain
 * mathematics without allocation; a DebyePeriodic is a value that any thread may read. */
#pragma once

#include "frame.h"

/* A cell made ready for distances. Without a valid cell (is_periodic FALSE) every function below leaves
 * displacements and positions as they are. */
typedef struct {
  gboolean is_periodic;
  gboolean is_orthogonal; /* of the reduced vectors: rounding alone gives the minimum image */
  DebyeVec3 vector[3];    /* the cell as given */
  DebyeVec3 inverse[3];   /* fraction k of a position p = inverse[k]·p */
  DebyeVec3 reduced[3];   /* the same lattice by its shortest vectors (Minkowski-reduced), shortest first */
  DebyeVec3 reduced_inverse[3];
  double width[3];     /* distances between opposite faces of the reduced cell, Å */
  double safe_squared; /* (shortest vector / 2)²: a displacement below it is the shortest of its images */
} DebyePeriodic;

/* `cell` NULL, all zero or degenerate: not periodic. */
void debye_periodic_init(DebyePeriodic *periodic, const DebyeCell *cell);
/* The cell of the frame, where it has one. */
void debye_periodic_init_for_frame(DebyePeriodic *periodic, const DebyeFrame *frame);

/* The shortest of all images of a displacement. */
DebyeVec3 debye_periodic_minimum_image(const DebyePeriodic *periodic, DebyeVec3 displacement);
double debye_periodic_distance(const DebyePeriodic *periodic, DebyeVec3 p, DebyeVec3 q);
/* No two points are farther apart than this: half the edges of the reduced cell together, Å. */
double debye_periodic_get_reach(const DebyePeriodic *periodic);

/* Fractions along a, b and c of the cell as given, and back. */
DebyeVec3 debye_periodic_to_fraction(const DebyePeriodic *periodic, DebyeVec3 position);
DebyeVec3 debye_periodic_from_fraction(const DebyePeriodic *periodic, DebyeVec3 fraction);
/* The lattice vector to add to a position so that its fractions are within ±1/2 of those of `center`. */
DebyeVec3 debye_periodic_wrap_shift(const DebyePeriodic *periodic, DebyeVec3 position, DebyeVec3 center);
/* (a + b + c) / 2: atoms wrapped around it have fractions 0 … 1. */
DebyeVec3 debye_periodic_get_middle(const DebyePeriodic *periodic);

static inline DebyeVec3
debye_frame_get_position(const DebyeFrame *frame, gsize atom)
{
  return debye_vec3((double)frame->x[atom], (double)frame->y[atom], (double)frame->z[atom]);
}

static inline gboolean
debye_vec3_is_finite(DebyeVec3 v)
{
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* Each atom for itself into the cell around `center`. */
void debye_frame_wrap_atoms(DebyeFrame *frame, DebyeVec3 center);
