/* SPDX-License-Identifier: MIT */
/* How the surface runs through one cell, for every pattern of corners and every decision on its ambiguous
 * faces. The tables are derived here from the cube's geometry, not typed in.
 *
 * Corner c stands at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4·axis + s runs along `axis` from the corner whose
 * two other coordinates are the bits of s (lower axis first). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Stands for the middle of a loop in place of an edge: two loops at most need one. */
#define DEBYE_CELL_CENTRE 12
#define DEBYE_CELL_MAX_CENTRES 2

typedef struct {
  guint8 n_triangles;
  guint8 n_centres;
  guint8 centre_size[DEBYE_CELL_MAX_CENTRES]; /* edges whose vertices it is the mean of */
  guint8 centre_edges[DEBYE_CELL_MAX_CENTRES][12];
  guint8 corners[3 * 14]; /* edges, or DEBYE_CELL_CENTRE + number */
} DebyeCellSurface;

typedef struct {
  guint8 corners[4]; /* counter-clockwise seen from outside the cell */
} DebyeCellFace;

typedef struct {
  DebyeCellFace faces[6];
  guint8 edge_ends[12][2];
  guint16 first[256];       /* into surfaces */
  guint8 n_ambiguous[256];  /* bits of the decision, lowest first … */
  guint8 ambiguous[256][6]; /* … and the faces they decide */
  DebyeCellSurface *surfaces;
} DebyeCellTable;

/* Made at the first call, on any thread. Surface first[pattern] + decision: bit n of `decision` set where the
 * corners above the level are joined across face ambiguous[pattern][n]. */
const DebyeCellTable *debye_cell_table_get(void);

G_END_DECLS
