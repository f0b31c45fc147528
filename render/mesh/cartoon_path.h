/* SPDX-License-Identifier: MIT */
/* The smooth way of a chain through its residues: a cubic spline through the traces (each CA, C3' or P) with
 * continuous curvature, and beside it the direction in which a ribbon is wide. */
#pragma once

#include "data/molecule/backbone.h"
#include "data/molecule/frame.h"

typedef enum { DEBYE_CARTOON_COIL, DEBYE_CARTOON_HELIX, DEBYE_CARTOON_STRAND } DebyeCartoonShape;

typedef struct {
  gsize n;           /* units, at least 2 */
  DebyeVec3 *points; /* those of strands without their pleats */
  DebyeVec3 *speeds; /* derivatives along the units' numbers, Å */
  DebyeVec3 *sides;  /* unit vectors */
} DebyeCartoonPath;

/* A place on the path. The three directions are a right-handed frame: along, side, up. */
typedef struct {
  DebyeVec3 position, along, side, up;
} DebyeCartoonPlace;

/* Of `n` units that follow one another, with their shapes. */
void debye_cartoon_path_init(DebyeCartoonPath *path, const DebyeBackboneUnit *units, const guint8 *shapes,
                             gsize n, const DebyeFrame *frame);
void debye_cartoon_path_clear(DebyeCartoonPath *path);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeCartoonPath, debye_cartoon_path_clear)

/* At `place` of 0 … n − 1. */
void debye_cartoon_path_get(const DebyeCartoonPath *path, double place, DebyeCartoonPlace *at);
