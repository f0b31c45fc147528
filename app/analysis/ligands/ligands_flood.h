/* SPDX-License-Identifier: MIT */
/* Regions of a map below a level, and the lowest ways between them. Voxels are neighbours where they share a face; those
 * that are not finite were not sampled and belong to no region and no way. Arrays have a value per voxel, x fastest. */
#pragma once

#include <glib.h>

#include "data/geometry.h"

typedef struct {
  DebyeGrid grid;
  gboolean is_periodic[3]; /* the last voxel along an axis is the first one's neighbour */
  const float *values;
} DebyeLigandsTerrain;

#define DEBYE_LIGANDS_NO_VOXEL G_MAXSIZE

/* The region of each voxel below the level, from 1 on in the order of their voxels; 0: none. */
guint32 *debye_ligands_terrain_find_regions(const DebyeLigandsTerrain *terrain, double level,
                                            guint32 *n_regions);

/* Adds to region `number` all that touches it, and in turn what was added, of
 * values from `low` to `high` that is in no other. */
void debye_ligands_terrain_grow(const DebyeLigandsTerrain *terrain, guint32 number, double low, double high,
                                guint32 *regions);

/* By which highest value at least a way from the voxels of region `source` leads to each voxel, its own included: the
 * minimax of all ways, by flooding from there (Prim's tree; Barnes, Lehman & Mulla, Comput. Geosci. 62, 117 (2014)). NAN: there
 * is no sampled way. */
float *debye_ligands_terrain_flood(const DebyeLigandsTerrain *terrain, const guint32 *regions,
                                   guint32 source);

/* Of all ways from voxel `from` to region `target` that nowhere exceed `highest` the one of least resistance, the sum of its
 * steps' lengths times exp((value − highest)/kt); kt in the values' unit. Voxels from the first to the one in the target
 * (element-type gsize); NULL: none. */
GArray *debye_ligands_terrain_find_way(const DebyeLigandsTerrain *terrain, const guint32 *regions,
                                       guint32 target, gsize from, double highest, double kt);

/* The voxel that holds a point, of which periodic axes repeat; NO_VOXEL: it is outside. Takes no values. */
gsize debye_ligands_terrain_find_voxel(const DebyeLigandsTerrain *terrain, DebyeVec3 point);
/* A voxel's centre; and the shortest vector from one voxel's centre to another's along periodic axes. */
DebyeVec3 debye_ligands_terrain_get_place(const DebyeLigandsTerrain *terrain, gsize voxel);
DebyeVec3 debye_ligands_terrain_get_step(const DebyeLigandsTerrain *terrain, gsize from, gsize to);
