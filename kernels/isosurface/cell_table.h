/* SPDX-License-Identifier: MIT */
/* How the surface runs through one cell, for every pattern of corners and every decision on its ambiguous
 * faces. The tables are derived here from the cube's geometry, not typed in.
 *
 * Corner c stands at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4·axis + s runs along `axis` from the corner whose
 * two other coordinates are the bits of s (lower axis first). */
#pragma once

#include <stdint.h>

#include "kernels/shared_math.h"

DEBYE_BEGIN_DECLS

/* Stands for the middle of a loop in place of an edge: two loops at most need one. */
#define DEBYE_CELL_CENTRE 12
#define DEBYE_CELL_MAX_CENTRES 2
/* Of all patterns and decisions. */
#define DEBYE_CELL_N_SURFACES 656

typedef struct {
  uint8_t n_triangles;
  uint8_t n_centres;
  uint8_t centre_size[DEBYE_CELL_MAX_CENTRES]; /* edges whose vertices it is the mean of */
  uint8_t centre_edges[DEBYE_CELL_MAX_CENTRES][12];
  uint8_t corners[3 * 14]; /* edges, or DEBYE_CELL_CENTRE + number */
} DebyeCellSurface;

typedef struct {
  uint8_t corners[4]; /* counter-clockwise seen from outside the cell */
} DebyeCellFace;

typedef struct {
  DebyeCellFace faces[6];
  uint8_t edge_ends[12][2];
  uint16_t first[256];       /* into surfaces */
  uint8_t n_ambiguous[256];  /* bits of the decision, lowest first … */
  uint8_t ambiguous[256][6]; /* … and the faces they decide */
  const DebyeCellSurface *surfaces;
} DebyeCellTable;

/* Made at the first call, on any thread. Surface first[pattern] + decision: bit n of `decision` set where the
 * corners above the level are joined across face ambiguous[pattern][n]. */
const DebyeCellTable *debye_cell_table_get(void);

DEBYE_END_DECLS
