/* SPDX-License-Identifier: MIT */
/* Parses the setting “orientation”: how to average over orientations of the sample. scattering_vectors.c and
 * scattering_plan.c use it. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

/* How an orientational average is made. */
typedef enum {
  DEBYE_ORIENTATION_NONE,      /* one direction, or the vectors of a file as they are, each a row */
  DEBYE_ORIENTATION_SPHERE,    /* N directions of a golden spiral */
  DEBYE_ORIENTATION_RANDOM,    /* N directions, uniform */
  DEBYE_ORIENTATION_CYLINDER,  /* N directions around an axis, with a part along it */
  DEBYE_ORIENTATION_VECTORS,   /* a file of directions or vectors */
  DEBYE_ORIENTATION_LATTICE,   /* all vectors of the cell's reciprocal lattice, by |q| */
  DEBYE_ORIENTATION_EXACT,     /* without vectors: Debye's formula, displacements */
  DEBYE_ORIENTATION_MULTIPOLE, /* an expansion up to order L: sphere or cylinder */
} DebyeOrientationKind;

typedef struct {
  DebyeOrientationKind kind;
  gsize n;                 /* directions, or the order L */
  DebyeVec3 axis;          /* of a cylinder, of one direction: unit length */
  double axial;            /* part of q along a cylinder's axis, Å⁻¹ */
  gboolean is_cylindrical; /* of a multipole expansion */
  char *path;              /* of a file, or NULL */
} DebyeOrientation;

void debye_orientation_clear(DebyeOrientation *orientation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeOrientation, debye_orientation_clear)

/* "none", "none:x,y,z", "sphere:N", "random:N", "cylinder:N[:x,y,z[:axial]]", "vectors:FILE", "lattice",
 * "exact", "multipole:L", "multipole:L:cylinder[:x,y,z]". DEBYE_ERROR_SETTING. */
gboolean debye_orientation_parse(DebyeOrientation *orientation, const char *text, GError **error);
