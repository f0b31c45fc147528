/* SPDX-License-Identifier: MIT */
/* The arrays of the lattices of multilevel summation, and the stencils that a frame needs. */
#pragma once

#include "multilevel_stencil.h"

DEBYE_BEGIN_DECLS

/* A level's arrays, in the plan's precision, x fastest. Charges stand in a lattice that is larger by what a
 * stencil or a spline reaches beyond it: zeros, or the other end of a periodic axis. */
typedef struct {
  int n[3];
  int before[3], after[3]; /* points beyond, along each axis */
  size_t row, plane;       /* from one row or plane of charges to the next */
  size_t origin;           /* of point (0, 0, 0) in the charges */
  size_t n_charges, n_potential;
  void *charge;    /* of point (0, 0, 0) */
  void *potential; /* n[0] × n[1] × n[2] */
} DebyeMultilevelLevel;

/* A row of a stencil along its inner axis: `n` weights from `inner` on, `outer` away along the two others. */
typedef struct {
  int inner, outer[2], n;
  size_t begin; /* in the weights */
} DebyeMultilevelRow;

typedef struct {
  DebyeMultilevelRow *rows;
  size_t n_rows;
  double *weights;
  size_t n_weights;
} DebyeMultilevelRows;

/* The stencils of the last frame. */
typedef struct {
  DebyeMultilevelStencil level, top;
  DebyeMultilevelFrame frame; /* n_levels 0: there was none */
} DebyeMultilevelStencils;

/* All but the pointers. `spill`: values beyond the last row that may be read. */
DebyeMultilevelLevel debye_multilevel_level(const DebyeMultilevelFrame *frame, unsigned number,
                                            const DebyeMultilevelStencils *stencils, size_t spill);
/* What isn't zero of a stencil, in rows along axis `inner` of multiples of `multiple` weights. NO_MEMORY. */
DebyeStatusCode debye_multilevel_rows_set(const DebyeMultilevelStencil *stencil, int inner, int multiple,
                                          DebyeMultilevelRows *rows, DebyeStatus *status);
void debye_multilevel_rows_clear(DebyeMultilevelRows *rows);

/* Renews what the frame doesn't share with the one before; *changed says whether anything was. */
DebyeStatusCode debye_multilevel_stencils_set(DebyeMultilevelStencils *stencils,
                                              const DebyeMultilevel *multilevel,
                                              const DebyeMultilevelFrame *frame, bool *changed,
                                              DebyeStatus *status);
void debye_multilevel_stencils_clear(DebyeMultilevelStencils *stencils);

/* The levels of a typical frame, for plans: only their sizes are set, charges' with as much beyond a lattice
 * as a stencil reaches at most. Fails as debye_multilevel_frame_set does. */
DebyeStatusCode debye_multilevel_usual_levels(const DebyeMultilevel *multilevel,
                                              const DebyePotentialSettings *settings,
                                              DebyeMultilevelLevel levels[DEBYE_MULTILEVEL_MAX_LEVELS],
                                              DebyeStatus *status);

DEBYE_END_DECLS
